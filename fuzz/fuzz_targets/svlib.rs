//! The SV-LIB reader never panics, and what it reads is valid and can be written and read again.

#![no_main]

use alphorn_front::svlib;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (program, diagnostics) = svlib::read(bytes);
    assert_eq!(program.is_some(), diagnostics.is_clean());
    let Some(program) = program else { return };
    program.validate().expect("what is read is valid");
    let text = svlib::write(&program);
    let (again, diagnostics) = svlib::read(text.as_bytes());
    assert!(again.is_some(), "{diagnostics:?}\n{text}");
});
