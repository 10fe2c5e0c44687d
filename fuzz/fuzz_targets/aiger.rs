//! The AIGER reader never panics, and what it reads survives writing and reading.

#![no_main]

use alphorn_front::aiger;
use alphorn_problem::Circuit;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (circuit, diagnostics) = aiger::read(bytes);
    assert_eq!(circuit.is_some(), diagnostics.is_clean());
    let Some(circuit) = circuit else { return };
    circuit.validate().expect("a circuit that was read is valid");
    let binary = aiger::write_binary(&circuit);
    assert_eq!(aiger::read(&binary).0.as_ref(), Some(&circuit));
    // Inputs take no bytes in binary files, and a line each in text.
    if circuit.inputs < 10_000 {
        let comments = String::from_utf8_lossy(&circuit.comments).into_owned().into_bytes();
        let text = aiger::write_ascii(&circuit);
        let expected = Circuit { comments, ..circuit.clone() };
        assert_eq!(aiger::read(text.as_bytes()).0, Some(expected));
        // The comment section of a circuit serves as a witness for it.
        let (witnesses, diagnostics) = aiger::read_witness(&circuit.comments, &circuit);
        assert_eq!(witnesses.is_some(), diagnostics.is_clean());
        for witness in witnesses.into_iter().flatten() {
            let text = aiger::write_answer(&witness, &circuit);
            assert_eq!(aiger::read_witness(text.as_bytes(), &circuit).0, Some(vec![witness]));
        }
    }
});
