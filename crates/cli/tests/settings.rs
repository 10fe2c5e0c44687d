//! `--set`: numbers for experiments, which change what engines do and are refused where there are none.

use std::path::Path;
use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_alphorn"))
        .args(args)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .output()
        .expect("the binary runs")
}

fn text(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&both).into_owned()
}

#[test]
fn a_setting_changes_what_an_engine_does() {
    let file = "examples/arbiter.aag";
    let run_with = |steps: &str| text(&run(&[file, "--engine", "sim", "--set", steps]));
    let (few, more) = (run_with("sim.max-steps=1"), run_with("sim.max-steps=100"));
    assert!(few.contains("no counterexample in 64 random steps"), "{few}");
    assert!(more.contains("no counterexample in 6400 random steps"), "{more}");
}

#[test]
fn a_setting_reaches_what_is_given_no_context() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("products.smt2");
    let script = "(set-logic QF_NIA)(declare-const x Int)(declare-const y Int)
        (assert (= (* x y) 6))(assert (> x 1))(assert (> y 1))(check-sat)";
    std::fs::write(&path, script).expect("a scratch folder is writable");
    let file = path.to_str().expect("the path is text");
    let none_tried = ["--set", "products.small-bits=0", "--set", "products.valued-questions=0"];
    let answer = |set: &str| text(&run(&[&["smt", file, "--set", set], &none_tried[..]].concat()));
    assert_eq!(answer("products.rounds=24").trim(), "sat");
    assert!(answer("products.rounds=0").contains("unknown"));
}

#[test]
fn what_cannot_be_set_is_refused_before_any_work() {
    for (word, why) in [
        ("sim.most=1", "no setting 'sim.most'; there are: sim.draws, "),
        ("simulation.steps=1", "no setting 'simulation.steps'; alphorn engines --settings lists"),
        ("turns.part=0", "'0' is not a number that turns.part can be, from 1 to "),
        ("sim.max-steps", "'sim.max-steps' is not NAME=VALUE"),
        ("sim.max-steps=many", "'many' is not a number that sim.max-steps can be"),
    ] {
        let output = run(&["examples/arbiter.aag", "--set", word]);
        assert_eq!(output.status.code(), Some(3), "{word}");
        assert!(text(&output).contains(why), "{}", text(&output));
    }
}

#[test]
fn every_setting_is_listed_once_with_its_value() {
    let output = run(&["engines", "--settings"]);
    let text = text(&output);
    let mut names: Vec<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    assert!(text.contains("sim.max-steps") && text.contains("262144"), "{text}");
}
