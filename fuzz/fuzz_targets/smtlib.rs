//! Any bytes are read without panic; what is read is valid and survives printing and reading.
#![no_main]

use alphorn_front::smtlib::{print_horn, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (Some(script), _) = read(bytes) else { return };
    assert_eq!(script.horn.validate(), Ok(()));
    let text = print_horn(&script.horn);
    let (again, diagnostics) = read(text.as_bytes());
    let again = again.unwrap_or_else(|| panic!("{:?}\n{text}", diagnostics.list));
    assert_eq!(print_horn(&again.horn), text);
});
