//! Every Horn file of the shared benchmark set is read, and reading what is printed gives the
//! same problem. The set stands beside the checkout; without it there is nothing to test.

use alphorn_testkit::corpus::files_below;
use alphorn_testkit::same::{check_round_trip, read_sound};
use std::path::{Path, PathBuf};

#[test]
fn real_files_round_trip() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench/chc");
    let is_script = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "smt2");
    for path in files_below(&folder).into_iter().filter(is_script) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read(&path).unwrap();
        let script = read_sound(&text);
        let asserted = text.windows(7).filter(|window| window == b"(assert").count();
        assert!(script.horn.clauses.len() >= asserted, "{name}: clauses are missing");
        check_round_trip(&script.horn, &name);
    }
}
