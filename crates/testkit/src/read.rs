//! Problems from texts that have no mistakes: tests write problems down as people do.

use alphorn_front::{aiger, btor2, smtlib};
use alphorn_problem::{Circuit, Horn, Words};

/// The system that an SMT-LIB text describes.
#[track_caller]
pub fn horn(text: &str) -> Horn {
    let (script, diagnostics) = smtlib::read(text.as_bytes());
    assert!(diagnostics.is_clean(), "{diagnostics:?} {text}");
    script.expect("a script without errors is a system").horn
}

/// The system that a BTOR2 text describes, about which the reader has nothing to say.
#[track_caller]
pub fn words(text: &str) -> Words {
    let (words, diagnostics) = btor2::read(text.as_bytes());
    assert!(diagnostics.list.is_empty(), "{:?} {text}", diagnostics.list);
    words.expect("a text without errors is a system")
}

/// The circuit that an AIGER text describes.
#[track_caller]
pub fn circuit(text: &str) -> Circuit {
    let (circuit, diagnostics) = aiger::read(text.as_bytes());
    assert!(diagnostics.is_clean(), "{diagnostics:?} {text}");
    circuit.expect("a text without errors is a circuit")
}
