//! Any bytes are read as a general script without panic; every place is inside the text.
#![no_main]

use alphorn_front::smtlib::general::{read, text_at};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (script, diagnostics) = read(bytes);
    assert_eq!(script.is_some(), diagnostics.is_clean());
    for (_, span) in script.iter().flat_map(|script| &script.commands) {
        assert!(span.end as usize <= bytes.len());
        assert!(text_at(bytes, *span).starts_with('('));
    }
});
