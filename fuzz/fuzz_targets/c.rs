//! Any bytes are read without panic, as a program for either data model; spans lie in the file.
#![no_main]

use alphorn_front::c::{Options, read};
use alphorn_program::c::DataModel;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let (unit, diagnostics) = read(bytes, &Options::new(model));
        assert_eq!(unit.is_some(), diagnostics.is_clean());
        for diagnostic in &diagnostics.list {
            assert!(diagnostic.span.end as usize <= bytes.len(), "{diagnostic:?}");
        }
        let Some(unit) = unit else { continue };
        for function in &unit.functions {
            assert!(function.span.end as usize <= bytes.len(), "{}", function.name);
        }
    }
});
