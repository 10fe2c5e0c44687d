//! Evidence about formulas: each kind is recognised by its content, and what is broken is refused
//! where it breaks.

use alphorn_front::evidence::clausal::{Clausal, DratLine, read};
use alphorn_front::{Code, Diagnostic};
use alphorn_problem::evidence::circuit::{Lrat, LratStep};
use alphorn_testkit::Rng;

fn readings(bytes: &[u8]) -> Vec<Clausal> {
    let (readings, diagnostics) = read(bytes);
    readings.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

fn wrong(bytes: &[u8]) -> Diagnostic {
    let (readings, diagnostics) = read(bytes);
    assert!(readings.is_none(), "{readings:?}");
    diagnostics.list.into_iter().next().expect("something is said about it")
}

fn add(id: u64, clause: &[i32], hints: &[i64]) -> LratStep {
    LratStep::Add { id, clause: clause.to_vec(), hints: hints.to_vec() }
}

#[test]
fn models_come_with_letters_and_without() {
    for text in [
        "c a comment\ns SATISFIABLE\nv 1 -2\nv 3 0\n",
        "v 1 -2 3 0",
        "SAT\n1 -2 3 0\n",
        "s SATISFIABLE\r\nv 1 -2 3\r\nv 0\r\n",
    ] {
        assert_eq!(readings(text.as_bytes()), [Clausal::Model(vec![1, -2, 3])], "{text}");
    }
    // A line of literals may also be a clause of DRAT; the model comes first.
    let found = readings(b"1 -2 3 0\n");
    let clause = vec![DratLine::Add(vec![1, -2, 3])];
    assert_eq!(found, [Clausal::Model(vec![1, -2, 3]), Clausal::Drat(clause)]);
    assert_eq!(readings(b"1 -2 3\n"), [Clausal::Model(vec![1, -2, 3])]);
}

#[test]
fn text_proofs_are_told_apart_by_their_lines() {
    let steps =
        vec![add(5, &[1, -2], &[3, 4]), LratStep::Delete(vec![1, 2]), add(6, &[], &[-5, 3])];
    let text = b"c proof\n5 1 -2 0 3 4 0\n5 d 1 2 0\n6 0 -5 3 0\n";
    assert_eq!(readings(text)[0], Clausal::Lrat(Lrat { steps }));
    let lines = vec![
        DratLine::Add(vec![1, -2]),
        DratLine::Delete(vec![3, 4]),
        DratLine::Add(vec![7]),
        DratLine::Add(vec![]),
    ];
    assert_eq!(readings(b"1 -2 0\nd 3\n 4 0\n7 0\n0\n"), [Clausal::Drat(lines)]);
}

#[test]
fn binary_proofs_have_a_zero_byte_and_are_read_in_every_way_that_fits() {
    let found = readings(b"a\x0a\x02\x05\0\x06\x08\0d\x02\x04\0a\x0c\0\x0b\0");
    let steps = vec![add(5, &[1, -2], &[3, 4]), LratStep::Delete(vec![1, 2]), add(6, &[], &[-5])];
    assert_eq!(found[0], Clausal::Lrat(Lrat { steps }));
    // The clauses' numbers may be there as they are.
    let found = readings(b"a\x05\x02\0\x06\0");
    assert!(found.contains(&Clausal::Lrat(Lrat { steps: vec![add(5, &[1], &[3])] })), "{found:?}");
    let lines =
        vec![DratLine::Add(vec![1, -2]), DratLine::Delete(vec![200]), DratLine::Add(vec![])];
    assert!(readings(b"a\x02\x05\0d\x90\x03\0a\0").contains(&Clausal::Drat(lines)));
}

#[test]
fn claims_and_broken_files_are_refused() {
    assert_eq!(wrong(b"  \n").code, Code::FileEmpty);
    for (text, said) in [
        (&b"s UNSATISFIABLE\n"[..], "claim without evidence"),
        (b"UNSAT\n", "claim without evidence"),
        (b"s SATISFIABLE\n", "does not give it"),
        (b"v 1 x 0\n", "`x` is no literal"),
        (b"v 1 0\nv 2 0\n", "after the 0"),
        (b"c only\n", "nothing but comments"),
        (b"p cnf 1 1\n1 0\n", "no evidence about a formula"),
        (b"1 2 0\n3 4\n", "middle of a clause"),
        (b"5 1 0 2 0\n6 1 0 x 0\n", "malformed"),
        (b"d 1 y 0\n", "`y` is no literal"),
        (b"-2147483648 0\n1 0\n", "no literal"),
        (b"x\x02\0", "begins with `a` or `d`"),
        (b"a\x02\0a\x02", "ends in the middle"),
        (b"a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\0", "too large"),
        (b"d\x01\0", "negative"),
        (b"\xff\xfe1 0", "neither text nor a binary proof"),
    ] {
        let diagnostic = wrong(text);
        assert!(diagnostic.message.contains(said), "{text:?}: {}", diagnostic.message);
    }
}

/// Bytes at random, and good files with bytes changed: whatever they are, nothing panics.
#[test]
fn no_bytes_are_too_strange() {
    let mut rng = Rng::new(1);
    let good: [&[u8]; 3] =
        [b"5 1 -2 0 3 4 0\n5 d 1 2 0\n", b"a\x0a\x02\x05\0\x06\x08\0d\x02\0", b"v 1 -2 0\ns SAT\n"];
    for _ in 0..20_000 {
        let mut bytes = rng.pick(&good).to_vec();
        for _ in 0..1 + rng.below(4) {
            let at = rng.below(bytes.len());
            bytes[at] = rng.next_u64() as u8;
        }
        let (readings, diagnostics) = read(&bytes);
        assert_eq!(readings.is_some(), diagnostics.is_clean());
    }
}
