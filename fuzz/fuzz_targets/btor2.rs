//! The BTOR2 reader never panics, and what it reads prints stably.

#![no_main]

use alphorn_front::btor2;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (words, diagnostics) = btor2::read(bytes);
    assert_eq!(words.is_some(), diagnostics.is_clean());
    let Some(words) = words else { return };
    let printed = btor2::print(&words).expect("what was read can be printed");
    let (again, diagnostics) = btor2::read(printed.as_bytes());
    let again = again.unwrap_or_else(|| panic!("{diagnostics:?}\n{printed}"));
    assert_eq!(btor2::print(&again).as_ref(), Ok(&printed));
    // The lines of a file serve as a witness for it.
    let (traces, diagnostics) = btor2::read_witness(bytes, &words);
    assert_eq!(traces.is_some(), diagnostics.is_clean());
    for trace in traces.into_iter().flatten() {
        let text = btor2::write_witness(&trace, &words);
        assert!(btor2::read_witness(text.as_bytes(), &words).0.is_some());
    }
});
