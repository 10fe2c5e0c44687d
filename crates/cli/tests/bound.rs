//! `--bound` is kept exactly, by every engine that takes it: a violation of that length is found, of one
//! with a step less nothing is, and no engine looks deeper than asked.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

fn answer(file: &str, engine: &str, bound: u64) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_alphorn"))
        .args(["--json", "--engine", engine, "--bound", &bound.to_string(), "--time", "60s", file])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .output()
        .expect("the binary runs");
    let text = String::from_utf8(output.stdout).expect("JSON is text");
    let last = text.lines().last().unwrap_or_else(|| panic!("{file}, {engine}: nothing is said"));
    serde_json::from_str(last).expect("every line is JSON")
}

#[track_caller]
fn assert_kept(file: &str, engine: &str, shortest: u64) {
    let short = answer(file, engine, shortest - 1);
    assert_eq!(short["verdict"], "unknown", "{file}, {engine}: {short}");
    let expected = format!("no violation up to {} steps, as asked", shortest - 1);
    assert_eq!(short["detail"], expected.as_str(), "{file}, {engine}: {short}");
    assert_eq!(short["bound"], shortest - 1, "{file}, {engine}: {short}");
    assert_eq!(short["attempts"][0]["ended"], "came to the bound", "{file}, {engine}: {short}");
    assert_eq!(answer(file, engine, shortest)["verdict"], "unsafe", "{file}, {engine}");
}

#[test]
fn circuits_keep_the_bound() {
    for engine in ["bmc", "leap"] {
        assert_kept("examples/lock.aag", engine, 3);
    }
}

#[test]
fn words_keep_the_bound_on_bits_on_terms_and_as_a_circuit() {
    for engine in ["bmc", "leap", "bits-bmc", "words-bmc"] {
        assert_kept("corpus/btor2/basic/counter.btor2", engine, 7);
    }
}

#[test]
fn clauses_keep_the_bound() {
    let folder = std::env::temp_dir().join(format!("alphorn-bound-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
    let file = folder.join("count.smt2");
    let text = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))
        (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (p x) (= x 5)) false)))(check-sat)";
    std::fs::write(&file, text).expect("a file can be written");
    for engine in ["bmc", "bmc-forward", "bmc-backward"] {
        assert_kept(&file.to_string_lossy(), engine, 5);
    }
    std::fs::remove_dir_all(folder).expect("the folder can be removed");
}
