//! `--hints` on the command line: hints that help, hints that are wrong, and files that are none.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

/// Doubled odd numbers: what the query needs follows from what only a sum of two counters says.
const CLAUSES: &str = "(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (inv 0 0))
(assert (forall ((x Int) (y Int)) (=> (inv x y) (inv (+ x 1) (- y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (= x (+ y 1))) false)))
(check-sat)
";

fn alphorn(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_alphorn")).current_dir(folder).args(args).output().unwrap()
}

/// The exit code, what is said, and what is complained about, for a file of hints.
fn with_hints(name: &str, hints: &str, further: &[&str]) -> (i32, String, String) {
    let folder = std::env::temp_dir().join(format!("alphorn-hints-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("clauses.smt2"), CLAUSES).unwrap();
    std::fs::write(folder.join("hints.tpl"), hints).unwrap();
    let args = [&["clauses.smt2", "--hints", "hints.tpl"], further].concat();
    let output = alphorn(&folder, &args);
    std::fs::remove_dir_all(&folder).unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn formulas_that_hold_are_proved_with_the_model_whoever_answers() {
    let hints = "(initial-predicates inv ((x Int) (y Int)) (= (+ x y) 0) (< x 3))";
    for engine in ["cegar", "pdr", "kind", "houdini"] {
        let (code, said, wrong) = with_hints(engine, hints, &["--engine", engine, "-vv"]);
        assert_eq!(code, 0, "{engine}: {said} {wrong}");
        assert!(wrong.contains("formulas of the hints that hold together: 1"), "{engine}: {wrong}");
    }
}

#[test]
fn terms_guide_the_abstraction() {
    let hints = "(templates inv ((a Int) (b Int)) (term (+ a b) 1) (predicate (= a b) 2))";
    let (code, said, wrong) = with_hints("terms", hints, &["--engine", "cegar"]);
    assert_eq!(code, 0, "{said} {wrong}");
}

#[test]
fn what_is_wrong_in_a_file_of_hints_is_said_with_its_place() {
    let (code, _, wrong) = with_hints("wrong", "(define-fun inv ((x Int)) Bool true)\n", &[]);
    assert_eq!(code, 4, "{wrong}");
    assert!(wrong.contains("K001") && wrong.contains("hints.tpl:1:17"), "{wrong}");
    assert!(wrong.contains("this predicate has 2 arguments"), "{wrong}");
    let (code, said, _) = with_hints("json", "(nonsense)", &["--json"]);
    assert_eq!(code, 4);
    assert!(said.contains("hints.tpl"), "{said}");
}

#[test]
fn hints_that_are_for_nothing_are_refused() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples"));
    let output = alphorn(folder, &["toggle.aag", "--hints", "bounded_counter.smt2"]);
    assert_eq!(output.status.code(), Some(3));
    let wrong = String::from_utf8_lossy(&output.stderr);
    assert!(wrong.contains("--hints is not for this problem"), "{wrong}");
    let output = alphorn(folder, &["bounded_counter.smt2", "--hints", "no-such-file"]);
    assert_eq!(output.status.code(), Some(3));
}
