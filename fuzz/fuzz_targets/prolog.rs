//! The reader of Prolog's clauses never panics, and what it reads is valid and is written stably.

#![no_main]

use alphorn_front::prolog;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (horn, diagnostics) = prolog::read(bytes);
    assert_eq!(horn.is_some(), diagnostics.is_clean());
    let Some(horn) = horn else { return };
    horn.validate().expect("what is read is valid");
    let text = prolog::write(&horn).expect("what was read can be written");
    let (again, diagnostics) = prolog::read(text.as_bytes());
    let again = again.unwrap_or_else(|| panic!("{diagnostics:?}\n{text}"));
    assert_eq!(prolog::write(&again).as_ref(), Ok(&text));
});
