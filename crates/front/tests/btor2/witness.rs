//! Witnesses: written, read, and read with mistakes.

use super::read;
use alphorn_front::{Code, btor2};
use alphorn_problem::Words;
use alphorn_problem::evidence::words::{Property, WordTrace};
use alphorn_term::value::ArrayValue;
use alphorn_term::{Bv, Sort, SortId, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One state of each kind (with and without init, with and without next), a memory, two inputs.
const SYSTEM: &str = "1 sort bitvec 3\n2 sort bitvec 1\n3 sort array 1 2\n4 zero 1\n5 state 1 started\n\
                      6 init 1 5 4\n7 next 1 5 5\n8 state 1 any\n9 state 3 memory\n10 next 3 9 9\n\
                      11 input 2 go\n12 input 1 by\n13 bad 11\n14 bad -11\n15 justice 1 11\n";

fn system() -> Words {
    read(SYSTEM)
}

fn word(width: u32, bits: u64) -> Value {
    Value::Bv(Bv::from_u64(width, bits))
}

fn memory(words: &Words, default: u64, entries: &[(u64, u64)]) -> Value {
    let sort = words.terms.sort(words.states[2].var);
    array(words, sort, word(1, default), entries.iter().map(|(i, v)| (word(3, *i), word(1, *v))))
}

fn array(
    words: &Words,
    sort: SortId,
    default: Value,
    entries: impl Iterator<Item = (Value, Value)>,
) -> Value {
    let Sort::Array(index, _) = *words.terms.sort_of(sort) else { panic!() };
    let entries: BTreeMap<Value, Value> = entries.collect();
    Value::Array(Arc::new(ArrayValue::from_entries(&words.terms, index, default, entries).unwrap()))
}

fn traces(text: &str, words: &Words) -> Vec<WordTrace> {
    let (traces, diagnostics) = btor2::read_witness(text.as_bytes(), words);
    assert!(diagnostics.list.is_empty(), "{text}\n{:?}", diagnostics.list);
    traces.unwrap()
}

#[test]
fn what_does_not_follow_is_written_and_read_again() {
    let words = system();
    let memory = memory(&words, 0, &[(1, 1), (6, 1)]);
    let trace = WordTrace {
        property: Property::Bad(0),
        states: vec![
            vec![None, Some(word(3, 5)), Some(memory)],
            vec![None, Some(word(3, 2)), None],
        ],
        inputs: vec![vec![word(1, 0), word(3, 7)], vec![word(1, 1), word(3, 0)]],
        trap: None,
    };
    let text = btor2::write_witness(&trace, &words);
    let expected = "sat\nb0\n#0\n1 101 any#0\n2 [001] 1 memory#0\n2 [110] 1 memory#0\n@0\n0 0 go@0\n\
                    1 111 by@0\n#1\n1 010 any#1\n@1\n0 1 go@1\n1 000 by@1\n.\n";
    assert_eq!(text, expected);
    assert_eq!(traces(&text, &words), [trace]);
}

#[test]
fn arrays_that_are_mostly_not_zero() {
    let words = system();
    for value in [
        memory(&words, 0, &[]),
        memory(&words, 1, &[]),
        memory(&words, 1, &[(0, 0)]),
        memory(&words, 1, &[(0, 0), (7, 0), (2, 0), (3, 0)]),
    ] {
        let trace = WordTrace {
            property: Property::Justice(0),
            states: vec![vec![None, Some(word(3, 0)), Some(value)]],
            inputs: vec![vec![word(1, 0), word(3, 0)]],
            trap: None,
        };
        assert_eq!(traces(&btor2::write_witness(&trace, &words), &words), [trace]);
    }
}

#[test]
fn wide_indices_and_arrays_of_arrays() {
    let words = read(
        "1 sort bitvec 40\n2 sort array 1 1\n3 state 2 wide\n4 sort bitvec 2\n5 sort array 4 4\n\
         6 sort array 4 5\n7 input 6 nested\n8 sort bitvec 1\n9 one 8\n10 bad 9\n",
    );
    let wide = words.terms.sort(words.states[0].var);
    let nested = words.terms.sort(words.inputs[0]);
    let Sort::Array(_, inner) = *words.terms.sort_of(nested) else { panic!() };
    let row = |default: u64, entries: &[(u64, u64)]| {
        let entries = entries.iter().map(|(i, v)| (word(2, *i), word(2, *v)));
        array(&words, inner, word(2, default), entries)
    };
    let wide_entries = [(word(40, 1 << 39), word(40, 0)), (word(40, 3), word(40, 9))];
    let wides = [
        array(&words, wide, word(40, 5), wide_entries.iter().cloned()),
        array(&words, wide, word(40, 0), wide_entries[1..].iter().cloned()),
    ];
    let nesteds = [
        array(&words, nested, row(0, &[]), [].into_iter()),
        array(&words, nested, row(3, &[(1, 2)]), [(word(2, 2), row(0, &[(0, 1)]))].into_iter()),
        array(&words, nested, row(0, &[(1, 2)]), [(word(2, 2), row(0, &[]))].into_iter()),
    ];
    for (wide, nested) in wides.iter().flat_map(|w| nesteds.iter().map(move |n| (w, n))) {
        let trace = WordTrace {
            property: Property::Bad(0),
            states: vec![vec![Some(wide.clone())]],
            inputs: vec![vec![nested.clone()]],
            trap: None,
        };
        let text = btor2::write_witness(&trace, &words);
        assert_eq!(traces(&text, &words), [trace], "{text}");
    }
}

#[test]
fn what_is_missing_is_zero() {
    let words = system();
    let found = traces(
        "; by hand\nsat\nb1 b0\n@0\n1 011\n@1\n.\n\nsat\nj0\n#0\n2 1\n2 [000] 0\n@0\n.\n",
        &words,
    );
    assert_eq!(found.len(), 3);
    assert_eq!((found[0].property, found[1].property), (Property::Bad(1), Property::Bad(0)));
    assert_eq!(found[0].states[0], [None, Some(word(3, 0)), Some(memory(&words, 0, &[]))]);
    assert_eq!(found[0].states[1], [None, Some(word(3, 0)), None]);
    assert_eq!(found[0].inputs, [[word(1, 0), word(3, 3)], [word(1, 0), word(3, 0)]]);
    assert_eq!(found[2].states[0][2], Some(memory(&words, 1, &[(0, 0)])));
}

#[test]
fn values_that_follow_are_kept_for_the_checker() {
    let words = system();
    let found = traces("sat\nb0\n#0\n0 111 started#0\n@0\n#1\n0 010\n@1\n.\n", &words);
    assert_eq!(found[0].states[0][0], Some(word(3, 7)));
    assert_eq!(found[0].states[1][0], Some(word(3, 2)));
}

const MISTAKES: &[(&str, &str, &str)] = &[
    ("unsat\n", "unsat", "no run"),
    ("1\nb0\n", "1", "starts with `sat`"),
    ("sat b0\n@0\n.\n", "b0", "a line of its own"),
    ("sat\n", "", "ends within"),
    ("sat\nb2\n@0\n.\n", "b2", "no property"),
    ("sat\nj1\n@0\n.\n", "j1", "no property"),
    ("sat\nx0\n@0\n.\n", "x0", "is expected"),
    ("sat\nb0 b0\n@0\n.\n", "b0", "twice"),
    ("sat\nb0\n.\n", ".", "at least one frame"),
    ("sat\nb0\n@1\n.\n", "@1", "`@0` is expected"),
    ("sat\nb0\n@0\n@0\n.\n", "@0", "`@1` is expected"),
    ("sat\nb0\n#1\n@0\n.\n", "#1", "`#0` is expected"),
    ("sat\nb0\n#0\n.\n", ".", "`@0` is expected"),
    ("sat\nb0\n@0\n", "", "ends within"),
    ("sat\nb0\n@0\nx 1\n.\n", "x", "a position"),
    ("sat\nb0\n@0\n2 1\n.\n", "2", "no variable 2"),
    ("sat\nb0\n@0\n0\n.\n", "", "a value is missing"),
    ("sat\nb0\n@0\n0 11\n.\n", "11", "1 binary digits"),
    ("sat\nb0\n@0\n0 x\n.\n", "x", "1 binary digits"),
    ("sat\nb0\n@0\n0 1\n0 1\n.\n", "1", "already"),
    ("sat\nb0\n@0\n0 [1] 1\n.\n", "[1]", "more indices"),
    ("sat\nb0\n#0\n2 [001]\n@0\n.\n", "", "a value is missing"),
    ("sat\nb0\n#0\n2 [01] 1\n@0\n.\n", "[01]", "3 binary digits"),
    ("sat\nb0\n#0\n2 [001 1\n@0\n.\n", "[001", "between"),
    ("sat\nb0\n#0\n2 [001][0] 1\n@0\n.\n", "[001][0]", "more indices"),
    ("", "", "empty"),
    ("; nothing\n", "", "no witness"),
];

#[test]
fn mistakes_are_reported_in_their_place() {
    let words = system();
    for (text, place, said) in MISTAKES {
        let (traces, diagnostics) = btor2::read_witness(text.as_bytes(), &words);
        assert!(traces.is_none(), "{text}");
        let [diagnostic] = &diagnostics.list[..] else { panic!("{text}: {diagnostics:?}") };
        assert!(matches!(diagnostic.code, Code::BtorWitness | Code::FileEmpty), "{text}");
        assert!(diagnostic.message.contains(said), "{text}: {diagnostic:?}");
        let span = diagnostic.span;
        assert_eq!(&text[span.start as usize..span.end as usize], *place, "{text}");
    }
}

#[test]
fn after_a_mistake_the_next_witness_is_read() {
    let words = system();
    let text = "sat\nb9\n@0\n.\nsat\nb0\n@0\n0 2\n.\nsat\nb0\n@0\n.\n";
    let (_, diagnostics) = btor2::read_witness(text.as_bytes(), &words);
    assert_eq!(diagnostics.list.len(), 2, "{diagnostics:?}");
}
