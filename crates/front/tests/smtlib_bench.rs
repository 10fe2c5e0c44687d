//! Every Horn file of the shared benchmark set is read, and reading what is printed gives the
//! same problem. The set stands beside the checkout; without it there is nothing to test.

use alphorn_front::{Code, smtlib};
use alphorn_testkit::corpus::files_below;
use alphorn_testkit::same::{check_round_trip, read_sound};
use std::path::{Path, PathBuf};

/// A file that is no script: a sort is used before its declaration.
const USED_BEFORE_DECLARED: &str =
    "solidity__unit_tests__types__array_struct_array_branches_2d.sol_15_000.smt2";

#[test]
fn real_files_round_trip() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench/chc");
    let is_script = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "smt2");
    for path in files_below(&folder).into_iter().filter(is_script) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read(&path).unwrap();
        if name == USED_BEFORE_DECLARED {
            let (script, diagnostics) = smtlib::read(&text);
            assert!(script.is_none(), "{name}");
            assert_eq!(diagnostics.list[0].code, Code::SmtUndeclared, "{name}");
            continue;
        }
        let script = read_sound(&text);
        let asserted = text.windows(7).filter(|window| window == b"(assert").count();
        assert!(script.horn.clauses.len() >= asserted, "{name}: clauses are missing");
        check_round_trip(&script.horn, &name);
    }
}
