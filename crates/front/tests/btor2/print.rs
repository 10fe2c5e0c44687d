//! Printing: what is printed means the same, and what cannot be said is refused.

use super::{assert_well_sorted, read};
use alphorn_front::{Code, btor2};
use alphorn_problem::words::{Named, State};
use alphorn_problem::{Span, Words};
use alphorn_term::eval::Program;
use alphorn_term::{Bv, Model, Op, SortId, TermId, Value};
use alphorn_testkit::Rng;
use alphorn_testkit::words::text;

#[test]
fn printed_random_systems_behave_the_same_and_print_the_same() {
    for seed in 1..150 {
        let mut rng = Rng::new(seed);
        let text = text::system(&mut rng, 60);
        let words = read(&text);
        assert_well_sorted(&words);
        let printed = btor2::print(&words).unwrap();
        let again = read(&printed);
        assert_well_sorted(&again);
        assert_eq!(btor2::print(&again).unwrap(), printed, "seed {seed}");
        let first = text::run(&words, &mut Rng::new(seed + 1000), 8);
        assert_eq!(text::run(&again, &mut Rng::new(seed + 1000), 8), first, "seed {seed}");
    }
}

#[test]
fn a_small_system_prints_as_expected() {
    let text = "1 sort bitvec 3\n2 input 1 step\n3 zero 1\n4 state 1 count\n5 init 1 4 3\n\
                6 add 1 4 2\n7 next 1 4 6\n8 ones 1\n9 sort bitvec 1\n10 eq 9 4 8\n11 bad 10 full\n";
    assert_eq!(btor2::print(&read(text)).unwrap(), text);
}

/// A system that shows one term.
fn showing(words: &mut Words, term: TermId) {
    words.outputs.push(Named { term, name: None, span: Span::NONE });
}

#[test]
fn operators_that_the_format_does_not_have_are_defined_by_others() {
    let mut words = Words::default();
    let store = &mut words.terms;
    let word = store.bv_sort(3);
    let (a, b, c) = (store.var("a", word), store.var("b", word), store.var("c", word));
    let (p, q) = (store.var("p q", SortId::BOOL), store.var("; r", SortId::BOOL));
    let nine: Vec<TermId> = (0..40).map(|i| store.var(&format!("x{i}"), SortId::BOOL)).collect();
    let terms = [
        store.mk(Op::Repeat(1), &[a]),
        store.mk(Op::Repeat(2), &[a]),
        store.mk(Op::Repeat(7), &[a]),
        store.mk(Op::BvNego, &[a]),
        store.mk(Op::Distinct, &[a, b, c]),
        store.eq(p, q),
        store.ite(p, a, b),
        store.ite(p, q, p),
        store.and(&nine),
        store.or(&nine),
        store.mk(Op::BvUle, &[a, b]),
        store.mk(Op::ZeroExtend(2), &[a]),
        store.mk(Op::BvSdivo, &[a, b]),
    ];
    words.inputs = [a, b, c, p, q].into_iter().chain(nine).collect();
    terms.into_iter().for_each(|term| showing(&mut words, term));
    let printed = btor2::print(&words).unwrap();
    let again = read(&printed);
    assert_eq!(btor2::print(&again).unwrap(), printed);
    assert_eq!(again.terms.var_name(again.inputs[3]), Some("p_q"));

    let program = |words: &Words| {
        let terms: Vec<TermId> = words.outputs.iter().map(|output| output.term).collect();
        Program::new(&words.terms, &words.inputs, &terms)
    };
    let (mut first, mut second) = (program(&words), program(&again));
    let mut rng = Rng::new(7);
    let bits = |value: &Value| match value {
        Value::Bool(bit) => Value::Bv(Bv::from_bool(*bit)),
        other => other.clone(),
    };
    for round in 0..200 {
        let mut values: Vec<Value> =
            (0..3).map(|_| Value::Bv(Bv::from_u64(3, rng.next_u64()))).collect();
        let dense = round % 3;
        values.extend((0..42).map(|_| {
            Value::Bool(match dense {
                0 => rng.below(2) == 0,
                1 => rng.below(60) == 0,
                _ => rng.below(60) > 0,
            })
        }));
        first.run(&words.terms, &values, &Model::default());
        let values: Vec<Value> = values.iter().map(bits).collect();
        second.run(&again.terms, &values, &Model::default());
        for index in 0..words.outputs.len() {
            let (a, b) = (first.output(index).unwrap(), second.output(index).unwrap());
            assert_eq!(bits(a), *b, "output {index}");
        }
    }
}

#[test]
fn a_constant_array_is_a_state_that_never_changes() {
    let mut words = Words::default();
    let store = &mut words.terms;
    let word = store.bv_sort(2);
    let sort = store.array_sort(word, word);
    let (memory, at) = (store.var("memory", sort), store.var("at", word));
    let one = store.bv(Bv::from_u64(2, 1));
    let ones = store.const_array(sort, one);
    let init = store.store(ones, one, one);
    let next = store.store(ones, at, at);
    words.inputs.push(at);
    words.states.push(State { var: memory, init: Some(init), next: Some(next), span: Span::NONE });
    let read_at = words.terms.select(memory, at);
    showing(&mut words, read_at);
    let printed = btor2::print(&words).unwrap();
    let again = read(&printed);
    assert_well_sorted(&again);
    assert_eq!(again.states.len(), 2);
    assert_eq!(btor2::print(&again).unwrap(), printed);

    // As an initial value it needs none.
    words.states[0].init = Some(ones);
    words.states[0].next = None;
    assert_eq!(read(&btor2::print(&words).unwrap()).states.len(), 1);

    let changing = words.terms.const_array(sort, at);
    showing(&mut words, changing);
    assert_eq!(btor2::print(&words).unwrap_err().code, Code::ConvertMeaningless);
}

#[test]
fn what_the_format_cannot_say_is_refused() {
    let refused = |build: &dyn Fn(&mut Words)| {
        let mut words = Words::default();
        build(&mut words);
        let diagnostic = btor2::print(&words).unwrap_err();
        assert_eq!(diagnostic.code, Code::ConvertMeaningless);
        diagnostic.message
    };
    let message = refused(&|words| {
        let var = words.terms.var("x", SortId::INT);
        words.inputs.push(var);
    });
    assert!(message.contains("Int"), "{message}");
    let message = refused(&|words| {
        let (one, two) = (words.terms.real(1), words.terms.var("x", SortId::REAL));
        let term = words.terms.le(one, two);
        showing(words, term);
    });
    assert!(message.contains("Real"), "{message}");
    let message = refused(&|words| {
        let sort = words.terms.bv_sort(3);
        let (x, y) = (words.terms.var("x", sort), words.terms.var("y", sort));
        let body = words.terms.eq(x, y);
        let term = words.terms.forall(&[x], body);
        words.inputs.push(y);
        showing(words, term);
    });
    assert!(message.contains("quantifiers"), "{message}");
    let message = refused(&|words| {
        let sort = words.terms.bv_sort(3);
        let func = words.terms.declare("f", &[], sort);
        let term = words.terms.mk(Op::Apply(func), &[]);
        showing(words, term);
    });
    assert!(message.contains("functions"), "{message}");
    let message = refused(&|words| {
        let term = words.terms.var("stray", SortId::BOOL);
        showing(words, term);
    });
    assert!(message.contains("stray"), "{message}");
    let message = refused(&|words| {
        let (s, i) = (words.terms.var("s", SortId::BOOL), words.terms.var("i", SortId::BOOL));
        words.inputs.push(i);
        words.states.push(State { var: s, init: Some(i), next: None, span: Span::NONE });
    });
    assert!(message.contains("initial value"), "{message}");
}
