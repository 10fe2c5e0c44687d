//! The Boogie reader never panics, and what it reads is valid.

#![no_main]

use alphorn_front::boogie;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (program, diagnostics) = boogie::read(bytes);
    assert_eq!(program.is_some(), diagnostics.is_clean());
    if let Some(program) = program {
        program.validate().expect("what is read is valid");
    }
});
