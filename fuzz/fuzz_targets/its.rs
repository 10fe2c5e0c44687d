//! The readers of transition systems never panic, and what they read is valid and can be written.

#![no_main]

use alphorn_front::its;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let read = if its::begins_ari(bytes) { its::read_ari } else { its::read };
    let (flow, diagnostics) = read(bytes);
    assert_eq!(flow.is_some(), diagnostics.is_clean());
    if let Some(flow) = flow {
        flow.validate().expect("what is read is valid");
        if let Ok(text) = its::write(&flow) {
            let (again, diagnostics) = its::read(text.as_bytes());
            assert!(again.is_some(), "{text}\n{diagnostics:?}");
        }
    }
});
