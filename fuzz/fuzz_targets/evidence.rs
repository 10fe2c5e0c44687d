//! Readers of evidence never panic, what they read is written and read as itself, and the checker
//! accepts nothing that is not true.
//!
//! The first byte chooses one of a few problems whose answers are known; the rest is evidence.

#![no_main]

use alphorn_check::accept::accept;
use alphorn_front::{aiger, btor2, evidence, smtlib};
use alphorn_problem::evidence::circuit::Property;
use alphorn_problem::{Circuit, Horn, Verdict, Words};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

/// Horn systems, and whether each is safe.
static HORN: LazyLock<Vec<(Horn, bool)>> = LazyLock::new(|| {
    let texts: [(&[u8], bool); 4] = [
        (include_bytes!("../../corpus/horn/shape/infinite_counter.smt2"), true),
        (include_bytes!("../../corpus/horn/finite/mutex_broken.smt2"), false),
        (include_bytes!("../../corpus/horn/finite/lists.smt2"), false),
        (include_bytes!("../../corpus/horn/finite/mutex.smt2"), true),
    ];
    let read = |text| smtlib::read(text).0.expect("a sound file").horn;
    texts.map(|(text, safe)| (read(text), safe)).into()
});

/// A toggling latch and one that holds; property 0 can be violated, property 1 cannot.
static CIRCUIT: LazyLock<Circuit> = LazyLock::new(|| {
    let text = b"aag 4 1 2 0 1 2\n2\n4 5\n6 6\n8\n6\n8 4 2\n";
    aiger::read(text).0.expect("a sound file")
});

/// A counter modulo 3 in two bits; 2 is reached, 3 is not.
static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let text = b"1 sort bitvec 2\n2 sort bitvec 1\n3 zero 1\n4 state 1 and\n5 init 1 4 3\n\
        6 constd 1 2\n7 eq 2 4 6\n8 inc 1 4\n9 ite 1 7 3 8\n10 next 1 4 9\n11 ones 1\n\
        12 eq 2 4 11\n13 bad 7\n14 bad 12\n";
    btor2::read(text).0.expect("a sound file")
});

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, text)) = bytes.split_first() else { return };
    match choice % 6 {
        4 => circuit(text),
        5 => words(text),
        which => horn(text, &HORN[which as usize]),
    }
});

fn horn(text: &[u8], (horn, safe): &(Horn, bool)) {
    let (verdicts, diagnostics) = evidence::read_horn(text, horn);
    assert_eq!(verdicts.is_some(), diagnostics.is_clean());
    for verdict in verdicts.into_iter().flatten() {
        let printed = evidence::print_horn(horn, &verdict);
        let (again, diagnostics) = evidence::read_horn(printed.as_bytes(), horn);
        let again = again.unwrap_or_else(|| panic!("{diagnostics:?}\n{printed}"));
        let accepted = accept(horn, verdict.clone()).is_ok();
        assert_eq!(accept(horn, again[0].clone()).is_ok(), accepted);
        assert!(!accepted || matches!(verdict, Verdict::Safe(_)) == *safe);
    }
}

fn circuit(text: &[u8]) {
    let circuit = &*CIRCUIT;
    let (verdicts, diagnostics) = evidence::read_circuit(text, circuit);
    assert_eq!(verdicts.is_some(), diagnostics.is_clean());
    for verdict in verdicts.into_iter().flatten() {
        let printed = evidence::print_circuit(circuit, &verdict);
        let (again, diagnostics) = evidence::read_circuit(printed.as_bytes(), circuit);
        let again = again.unwrap_or_else(|| panic!("{diagnostics:?}\n{printed}"));
        let accepted = accept(circuit, verdict.clone()).is_ok();
        assert_eq!(accept(circuit, again[0].clone()).is_ok(), accepted);
        let (safe, property) = match &verdict {
            Verdict::Safe(certificate) => (true, Property::Bad(certificate.property)),
            Verdict::Unsafe(trace) => (false, trace.property),
        };
        assert!(!accepted || property == Property::Bad(usize::from(safe)));
    }
}

fn words(text: &[u8]) {
    let words = &*WORDS;
    let (verdicts, diagnostics) = evidence::read_words(text, words);
    assert_eq!(verdicts.is_some(), diagnostics.is_clean());
    for verdict in verdicts.into_iter().flatten() {
        let printed = evidence::print_words(words, &verdict);
        let (again, diagnostics) = evidence::read_words(printed.as_bytes(), words);
        let again = again.unwrap_or_else(|| panic!("{diagnostics:?}\n{printed}"));
        let accepted = accept(words, verdict.clone()).is_ok();
        assert_eq!(accept(words, again[0].clone()).is_ok(), accepted);
        let (safe, property) = match &verdict {
            Verdict::Safe(certificate) => (true, Property::Bad(certificate.property)),
            Verdict::Unsafe(trace) => (false, trace.property),
        };
        assert!(!accepted || property == Property::Bad(usize::from(safe)));
    }
}
