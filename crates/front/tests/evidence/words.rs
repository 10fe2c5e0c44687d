//! Certificates and witnesses of word-level systems.

use super::terms::{same_proofs, same_terms, value, vocabulary};
use alphorn_front::evidence::{print_word_invariant, print_words, read_words};
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::{Invariant, Lrat, LratStep};
use alphorn_problem::evidence::words::{
    Abstraction, Address, BitInvariant, Homing, Property, Rows, WordCertificate, WordInvariant,
    WordTrace,
};
use alphorn_problem::monitor::Monitor;
use alphorn_problem::obligation::blast::{Goal, Layout, blast};
use alphorn_problem::words::{Justice, Named, State};
use alphorn_problem::{Span, Verdict, Words};
use alphorn_term::{Bv, Sort, SortId, Store, TermId, Value};
use alphorn_testkit::Rng;

/// Names of states as BTOR2 files may have them.
const NAMES: &[&str] =
    &["count", "and", "a|b", "a%7Cb", "x.y[3]", "select", "count'", "1", "\\esc", "true", "x!1"];

/// A system with states of many sorts and two properties; only the sorts of BTOR2 if `plain`.
fn system(plain: bool) -> (Words, super::terms::Vocabulary) {
    let mut store = Store::new();
    let vocabulary = vocabulary(&mut store, NAMES);
    let states = vocabulary.vars.iter().filter(|&&var| {
        let is_word = |sort: SortId| matches!(store.sort_of(sort), Sort::BitVec(_));
        let sort = store.sort(var);
        let is_array =
            matches!(store.sort_of(sort), Sort::Array(i, e) if is_word(*i) && is_word(*e));
        let is_declared = matches!(store.sort_of(sort), Sort::Uninterpreted(..));
        if plain { is_word(sort) || is_array } else { !is_declared }
    });
    let states = states.map(|&var| State { var, init: None, next: None, span: Span::NONE });
    let states: Vec<State> = states.collect();
    let bad = || Named { term: TermId::FALSE, name: None, span: Span::NONE };
    let justice = || Justice { terms: vec![TermId::TRUE], name: None, span: Span::NONE };
    let justice = vec![justice(), justice()];
    let (bads, homes) = (vec![bad(), bad()], vec![bad(), bad()]);
    let words = Words { terms: store, states, bads, homes, justice, ..Words::default() };
    (words, vocabulary)
}

/// An invariant about the bits of some states that are words, with steps that prove nothing.
fn bits(words: &Words, property: usize, rng: &mut Rng) -> WordInvariant {
    let is_word = |state: &State| words.terms.width_of(words.terms.sort(state.var)).is_some();
    let states: Vec<usize> = (0..words.states.len())
        .filter(|&place| is_word(&words.states[place]) && rng.one_in(2))
        .collect();
    let cells = (0..rng.below(3)).map(|at| Address::Word(Bv::from_u64(5, at as u64 * 9))).collect();
    let abstraction = Abstraction { states, cells };
    let monitor = match rng.below(4) {
        0 => Some(Monitor::Loop),
        1 => Some(Monitor::Count { most: rng.below(3) as u32 }),
        _ => None,
    };
    let frame = match monitor {
        Some(monitor) => {
            let circuit = blast(words, Goal::Justice(property), &abstraction).expect("words");
            monitor.build(&circuit.circuit, 0).expect("there is justice")
        }
        None => blast(words, Goal::Safety(property), &abstraction).expect("words").circuit,
    };
    let (first, latches) = (1 + frame.inputs, frame.latches.len());
    let literal = |rng: &mut Rng| Lit::new(first + rng.below(latches) as u32, rng.one_in(2));
    let invariant = match rng.below(3) {
        _ if latches == 0 => Invariant::Clauses(vec![vec![]; rng.below(2)]),
        0 => Invariant::States { latches: vec![0], states: vec![vec![rng.one_in(2)]] },
        1 => Invariant::KInductive {
            k: rng.below(9),
            simple_path: rng.one_in(2),
            lemmas: vec![vec![literal(rng)]; rng.below(2)],
        },
        _ => {
            let clause = |rng: &mut Rng| (0..rng.below(4)).map(|_| literal(rng)).collect();
            Invariant::Clauses((0..rng.below(5)).map(|_| clause(rng)).collect())
        }
    };
    let step = LratStep::Add { id: 9, clause: vec![-1, 2], hints: vec![3, -4, 5] };
    let proofs = vec![Lrat { steps: vec![step] }; rng.below(3)];
    let invariant = match monitor {
        Some(monitor) => Invariant::Justice { monitor, invariant: Box::new(invariant) },
        None => invariant,
    };
    WordInvariant::Bits(Box::new(BitInvariant { abstraction, invariant, proofs }))
}

fn certificate(words: &Words, of: &super::terms::Vocabulary, rng: &mut Rng) -> WordCertificate {
    let all = words.state_vars();
    let property = rng.below(2);
    let invariant = if rng.one_in(3) {
        bits(words, property, rng)
    } else if rng.one_in(2) {
        let vars: Vec<usize> = (0..all.len()).filter(|_| rng.one_in(3)).collect();
        let row = |rng: &mut Rng| {
            let sort = |var: usize| words.terms.sort(all[var]);
            vars.iter().map(|&var| value(&words.terms, sort(var), rng)).collect()
        };
        let states: Vec<Vec<Value>> = (0..rng.below(4)).map(|_| row(rng)).collect();
        let rows = Rows { vars: vars.clone(), states };
        match rng.one_in(2) {
            true => WordInvariant::States(rows),
            false => {
                let inputs = rows.states.iter().map(|_| rng.one_in(2).then(Vec::new)).collect();
                WordInvariant::Home(Homing { rows, inputs })
            }
        }
    } else {
        let mut terms = words.terms.clone();
        let pool = of.terms(&mut terms, &all, rng);
        let formulas: Vec<TermId> =
            pool.into_iter().filter(|&t| terms.sort(t) == SortId::BOOL).collect();
        let formula = formulas[formulas.len() - 1];
        let mut vars = all;
        let sort = words.terms.sort(vars[0]);
        vars.extend(["count'", "a'", "in"].map(|name| terms.var(name, sort)));
        let proofs = (0..rng.below(4)).map(|_| of.proof(&mut terms, &vars, rng)).collect();
        WordInvariant::Formula { terms: Box::new(terms), formula, proofs }
    };
    WordCertificate { property, invariant }
}

fn trace(words: &Words, rng: &mut Rng) -> WordTrace {
    let frames = 1 + rng.below(3);
    let sort = |state: &State| words.terms.sort(state.var);
    // A state without a next value needs one in every step.
    let states = (0..frames)
        .map(|_| words.states.iter().map(|s| Some(value(&words.terms, sort(s), rng))).collect())
        .collect();
    // What stays within reach is violated by a trap, which has rows of words.
    let is_word = |place: &usize| words.terms.width_of(sort(&words.states[*place])).is_some();
    let vars: Vec<usize> = (0..words.states.len()).filter(is_word).collect();
    let trap = rng.one_in(3).then(|| {
        let value =
            |rng: &mut Rng, place: usize| value(&words.terms, sort(&words.states[place]), rng);
        let row = |rng: &mut Rng| vars.iter().map(|place| value(rng, *place)).collect::<Vec<_>>();
        Rows { vars: vars.clone(), states: (0..rng.below(3)).map(|_| row(rng)).collect() }
    });
    let property = match trap {
        Some(_) => Property::Home(rng.below(2)),
        None => Property::Bad(rng.below(2)),
    };
    WordTrace { property, states, inputs: vec![vec![]; frames], trap }
}

#[track_caller]
fn same(left: &Verdict<Words>, right: &Verdict<Words>, text: &str) {
    match (left, right) {
        (Verdict::Unsafe(a), Verdict::Unsafe(b)) => assert_eq!(a, b, "{text}"),
        (Verdict::Safe(a), Verdict::Safe(b)) => {
            assert_eq!(a.property, b.property);
            match (&a.invariant, &b.invariant) {
                (
                    WordInvariant::States(Rows { vars, states }),
                    WordInvariant::States(Rows { vars: other_vars, states: other_states }),
                ) => {
                    assert_eq!(vars, other_vars, "{text}");
                    assert_eq!(states, other_states, "{text}");
                }
                (
                    WordInvariant::Formula { terms: left, formula, proofs },
                    WordInvariant::Formula { terms: right, formula: other, proofs: others },
                ) => {
                    same_terms((left, &[*formula]), (right, &[*other]));
                    assert_eq!(proofs.len(), others.len(), "{text}");
                    for (a, b) in proofs.iter().zip(others) {
                        same_proofs((left, a), (right, b));
                    }
                }
                (WordInvariant::Home(left), WordInvariant::Home(right)) => {
                    assert_eq!(left, right, "{text}");
                }
                (WordInvariant::Bits(left), WordInvariant::Bits(right)) => {
                    assert_eq!(left, right, "{text}");
                }
                _ => panic!("another kind of invariant:\n{text}"),
            }
        }
        _ => panic!("another verdict:\n{text}"),
    }
}

#[track_caller]
fn check(words: &Words, verdicts: &[Verdict<Words>]) {
    let text: String = verdicts.iter().map(|v| print_words(words, v)).collect();
    let (again, diagnostics) = read_words(text.as_bytes(), words);
    let again = again.unwrap_or_else(|| panic!("{:?}\n{text}", diagnostics.list));
    assert_eq!(again.len(), verdicts.len(), "{text}");
    for (a, b) in verdicts.iter().zip(&again) {
        same(a, b, &text);
    }
    let printed: String = again.iter().map(|v| print_words(words, v)).collect();
    assert_eq!(printed, text);
}

#[test]
fn random_certificates_survive() {
    let (words, vocabulary) = system(false);
    let mut rng = Rng::new(5);
    for _ in 0..200 {
        let verdicts: Vec<Verdict<Words>> = (0..1 + rng.below(3))
            .map(|_| Verdict::Safe(certificate(&words, &vocabulary, &mut rng)))
            .collect();
        check(&words, &verdicts);
    }
}

#[test]
fn files_with_both_kinds_survive() {
    let (words, vocabulary) = system(true);
    let mut rng = Rng::new(6);
    for _ in 0..300 {
        let verdicts: Vec<Verdict<Words>> = (0..1 + rng.below(4))
            .map(|_| match rng.below(3) {
                0 => Verdict::Safe(WordCertificate {
                    property: 1,
                    invariant: WordInvariant::States(Rows { vars: vec![], states: vec![vec![]] }),
                }),
                1 => Verdict::Safe(certificate(&words, &vocabulary, &mut rng)),
                _ => Verdict::Unsafe(trace(&words, &mut rng)),
            })
            .collect();
        check(&words, &verdicts);
    }
}

/// Each certificate takes a copy of the system, so there may be as many as fit their text.
#[test]
fn certificates_that_are_too_many_for_a_large_system_are_refused() {
    let (mut words, _) = system(true);
    for number in 0..200_000 {
        words.terms.int(number);
    }
    let one = "(certificate (property 0) (formula true))\n";
    assert!(read_words(one.repeat(2).as_bytes(), &words).1.is_clean());
    let (_, diagnostics) = read_words(one.repeat(400).as_bytes(), &words);
    let message = &diagnostics.list[0].message;
    assert!(message.contains("too many certificates"), "{message}");
}

#[test]
fn wrong_texts_are_refused_with_a_place() {
    let (words, _) = system(false);
    for (text, part) in [
        ("", "empty"),
        ("hello", "a witness starts with `sat`"),
        ("(certificate)", "`(property …)` expected"),
        ("(certificate (property 0))", "expected"),
        ("(certificate (property 0) (magic))", "`formula` expected"),
        ("(certificate (property 0) (formula (= count unknown)))", "`unknown` is not declared"),
        ("(certificate (property 0) (formula #b0))", "the invariant is a formula"),
        ("(certificate (property 0) (states (99)))", "no such state"),
        ("(certificate (property 0) (states (0) (1.5)))", "a value of sort"),
        ("(certificate (property 0) (formula true) (magic))", "`proof` expected"),
        ("(certificate (property 0) (formula true) (proof (step 0 (cl) (no))))", "no such rule"),
        ("alphorn-certificate 2", "the header should be"),
        ("alphorn-certificate 1\nproperty 0\ninvariant clauses\nend", "a line `follow`"),
        ("alphorn-certificate 1\nproperty 0\nfollow 99\n", "there is no such state"),
        ("alphorn-certificate 1\nproperty 9\nfollow\n", "no safety property 9"),
        ("alphorn-certificate 1\nproperty 0\nfollow\ncell 3\n", "a cell is"),
        ("alphorn-certificate 1\nproperty 0\nfollow\ncell state 0\n", "state 0 is no address"),
        ("alphorn-certificate 1\nproperty 0\nfollow\ninvariant clauses\n1 0\n", "no latch 1"),
        ("(certificate (property 0) (formula true)) hello", "a witness starts with `sat`"),
    ] {
        let (verdicts, diagnostics) = read_words(text.as_bytes(), &words);
        assert!(verdicts.is_none(), "{text}");
        let message = &diagnostics.list[0].message;
        assert!(message.contains(part), "{text}: {message}");
        assert!(diagnostics.list[0].span.end as usize <= text.len(), "{text}");
    }
}

/// Bits of one word are put together; parts of words have their places.
#[test]
fn clauses_over_words() {
    let mut words = Words::default();
    let (three, one) = (words.terms.bv_sort(3), words.terms.bv_sort(1));
    let index = words.terms.bv_sort(2);
    let array = words.terms.array_sort(index, three);
    for (name, sort) in [("count", three), ("valid", one), ("cells", array)] {
        let var = words.terms.var(name, sort);
        words.states.push(State { var, init: None, next: None, span: Span::NONE });
    }
    words.bads.push(Named { term: TermId::FALSE, name: None, span: Span::NONE });
    let abstraction = Abstraction { states: vec![0, 1, 2], cells: vec![] };
    let layout = Layout::new(&words, Goal::Safety(0), &abstraction).expect("made of bits");
    let first = 1 + layout.inputs_len() as i64;
    let shown = |invariant: Invariant| {
        let found = BitInvariant { abstraction: abstraction.clone(), invariant, proofs: vec![] };
        let invariant = WordInvariant::Bits(Box::new(found));
        print_word_invariant(&words, &WordCertificate { property: 0, invariant })
    };
    for (clause, text) in [
        (&[-1, 2, -3][..], "count != 5"),
        (&[-1, -3], "!(count[0] & count[2])"),
        (&[2, 3], "count[2:1] != 0"),
        (&[4], "valid"),
        (&[-4, -3], "!(count[2] & valid)"),
        (&[1, 2, 3, -4], "!(count == 0 & valid)"),
        (&[-8, 9, -10], "cells[1] != 5"),
        (&[-9, -4], "!(valid & cells[1][1])"),
        (&[], "false"),
    ] {
        let literal = |number: &i64| Lit::new((first + number.abs() - 1) as u32, *number < 0);
        let clauses = vec![clause.iter().map(literal).collect()];
        assert_eq!(shown(Invariant::Clauses(clauses)), [text]);
    }
    let states = vec![vec![true, false, true, false], vec![false, true, true, true]];
    let rows = shown(Invariant::States { latches: vec![0, 1, 2, 3], states });
    assert_eq!(rows, ["count valid are one of these 2:", "5 0", "6 1"]);
}
