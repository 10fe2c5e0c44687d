//! The reader of T2's language never panics, and what it reads is valid and a flow.

#![no_main]

use alphorn_front::t2;
use alphorn_program::program_to_flow;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (flow, diagnostics) = t2::read(bytes);
    assert_eq!(flow.is_some(), diagnostics.is_clean());
    if let Some(flow) = flow {
        flow.program.validate().expect("what is read is valid");
        program_to_flow(&flow.program).expect("there are no calls");
    }
});
