//! `alphorn check` keeps its limits, exports what was accepted and nothing else.

use alphorn_testkit::folder::{empty, write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of its own for a test, empty.
fn folder(name: &str) -> PathBuf {
    empty(&format!("check-limits-{name}"))
}

fn alphorn(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alphorn"));
    command.current_dir(folder).args(args).output().expect("the program runs")
}

const LISTS: &str = "(set-logic HORN)(declare-datatypes ((L 0)) (((nil) (cons (h Int) (t L)))))
(declare-fun P (L) Bool)(assert (P nil))(assert (forall ((l L)) (=> (P l) (= l nil))))(check-sat)\n";

#[test]
fn refused_evidence_is_not_exported() {
    let folder = folder("export");
    write(&folder, "l.smt2", LISTS);
    write(&folder, "y.aag", "aag 1 0 1 0 0 1\n2 1\n2\n");
    let bad_fold =
        "(define-funs-rec ((len ((x L)) Int)) ((match x ((nil true) ((cons h t) false)))))
(define-fun P ((x L)) Bool true)\n";
    let bad_law = "(define-fun P ((x L)) Bool (exists ((y Int)) (> y 0)))
(set-info :alphorn-law (0 (v Int) (> v 0)))\n";
    let endless = "alphorn-certificate 1\nproperty 0\ninvariant k-induction 100000000\nend\n";
    // A model without proofs is not accepted, but nobody says that it is wrong.
    for (problem, text, code, word) in [
        ("l.smt2", bad_fold, 2, "not checked"),
        ("l.smt2", bad_law, 2, "not checked"),
        ("y.aag", endless, 6, "REFUSED"),
    ] {
        write(&folder, "e.ev", text);
        let output = alphorn(&folder, &["check", problem, "e.ev", "--export", "out"]);
        let (out, err) = (&output.stdout, &output.stderr);
        assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(err));
        assert!(String::from_utf8_lossy(out).contains(word));
        assert!(!folder.join("out").exists(), "something was exported");
    }
    write(&folder, "e.ev", "(define-fun P ((x L)) Bool (= x nil))\n");
    let output = alphorn(&folder, &["check", "l.smt2", "e.ev", "--export", "out"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(folder.join("out/clause-0.smt2").exists());
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn what_proves_a_justice_property_is_exported() {
    let folder = folder("justice");
    // The latch is set by the input once and for all.
    write(&folder, "once.aag", "aag 4 1 1 0 2 0 0 1\n2\n4 7\n1\n8\n6 5 3\n8 5 2\n");
    let decided = alphorn(&folder, &["once.aag", "--evidence", "e.ev"]);
    assert_eq!(decided.status.code(), Some(0), "{}", String::from_utf8_lossy(&decided.stderr));
    let output = alphorn(&folder, &["check", "once.aag", "e.ev", "--export", "out"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let scripts = std::fs::read_dir(folder.join("out")).expect("the folder was made");
    let mut count = 0;
    for script in scripts.map(|entry| entry.expect("it can be read").path()) {
        let name = script.file_name().expect("a file has a name").to_string_lossy().into_owned();
        assert!(name.starts_with("justice-0-"), "{name}");
        let answer = alphorn(&folder, &["smt", &script.to_string_lossy()]);
        assert_eq!(String::from_utf8_lossy(&answer.stdout).trim(), "unsat", "{name}");
        count += 1;
    }
    assert!(count >= 3, "{count} scripts");
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn limits_that_suffice_change_nothing() {
    let folder = folder("limits");
    write(&folder, "l.smt2", LISTS);
    write(&folder, "e.ev", "(define-fun P ((x L)) Bool (= x nil))\n");
    let within = ["check", "l.smt2", "e.ev", "--time", "10m", "--memory", "64G"];
    let output = alphorn(&folder, &within);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let output = alphorn(&folder, &["check", "l.smt2", "e.ev", "--time", "soon"]);
    assert_eq!(output.status.code(), Some(3));
    let _ = std::fs::remove_dir_all(&folder);
}
