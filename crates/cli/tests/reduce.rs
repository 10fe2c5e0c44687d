//! Reducing and bundling, with the real binary: what must hold holds of the result, and of nothing smaller.

use alphorn_testkit::folder::empty;
use std::path::Path;
use std::process::{Command, Output};

fn alphorn(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alphorn"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    command.args(args).current_dir(root).output().expect("the binary runs")
}

fn reduced(name: &str, file: &str, words: &[&str]) -> (String, Option<i32>) {
    let folder = empty(&format!("reduce-{name}"));
    let ending = Path::new(file).extension().and_then(|ending| ending.to_str()).unwrap_or("txt");
    let out = folder.join(format!("small.{ending}")).to_string_lossy().into_owned();
    let mut args = vec!["reduce", file, "-q", "-o", &out, "--while"];
    args.extend(words);
    let output = alphorn(&args);
    (std::fs::read_to_string(&out).unwrap_or_default(), output.status.code())
}

#[test]
fn clauses_that_are_unsafe_become_one_contradiction() {
    let (text, code) = reduced("unsafe", "examples/midpoint.smt2", &["answer=unsafe"]);
    assert_eq!(code, Some(0));
    assert_eq!(text.matches("(assert").count(), 1, "{text}");
}

#[test]
fn a_condition_about_an_engine_keeps_what_it_needs() {
    let words = ["answer=safe by pdr", "--", "--engine", "pdr", "--without", "all"];
    let (text, code) = reduced("engine", "examples/bounded_counter.smt2", &words);
    assert_eq!(code, Some(0));
    assert!(text.contains("(set-logic HORN)") && text.len() < 373, "{text}");
}

#[test]
fn a_command_judges_programs_as_texts() {
    let words = ["grep -q 'assert(' {} && ! grep -q main {}"];
    let (text, code) = reduced("refused", "examples/counters.c", &words);
    assert_eq!(code, Some(3), "the condition does not hold of the file: {text}");
    let (text, code) = reduced("command", "examples/counters.c", &["grep -q 'assert(' {}"]);
    assert_eq!((text.trim(), code), ("assert( )", Some(0)));
}

#[test]
fn scripts_are_reduced_with_the_verb_that_runs_them() {
    let folder = empty("reduce-script");
    let file = folder.join("a.smt2");
    let script = "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)\n\
                  (assert (< x 10))(assert (and (> x 20) (< y 3)))(check-sat)\n";
    std::fs::write(&file, script).expect("it can be written");
    let (text, code) = reduced("smt", &file.to_string_lossy(), &["answer=unsat", "--", "smt"]);
    assert_eq!(code, Some(0));
    assert!(text.len() < script.len() && !text.contains(" y"), "{text}");
}

#[test]
fn a_result_exists_when_the_tries_are_over() {
    let folder = empty("reduce-tries");
    let out = folder.join("small.aag").to_string_lossy().into_owned();
    let words =
        ["reduce", "examples/arbiter.aag", "--while", "answer=safe", "--tries", "2", "-o", &out];
    let output = alphorn(&words);
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(std::fs::read_to_string(&out).is_ok_and(|text| text.starts_with("aag ")));
}

#[test]
fn a_bundle_has_the_file_and_what_was_said_and_no_place_of_this_machine() {
    let folder = empty("bundle");
    let bundle = folder.join("report").to_string_lossy().into_owned();
    let words = ["doctor", "--bundle", &bundle, "examples/toggle.aag", "--", "--seed", "3"];
    let output = alphorn(&words);
    assert_eq!(output.status.code(), Some(0));
    let read =
        |name: &str| std::fs::read_to_string(Path::new(&bundle).join(name)).unwrap_or_default();
    assert_eq!(
        read("toggle.aag"),
        std::fs::read_to_string("../../examples/toggle.aag").expect("there")
    );
    assert!(read("about.txt").contains("command      alphorn --seed 3 toggle.aag"));
    assert!(read("events.jsonl").contains("\"verdict\":\"unsafe\""));
    let here = std::env::temp_dir().to_string_lossy().into_owned();
    for name in ["about.txt", "events.jsonl", "journal.jsonl", "settings.jsonl", "evidence.txt"] {
        assert!(!read(name).is_empty() && !read(name).contains(&here), "{name}");
    }
    let again = alphorn(&words);
    assert_eq!(again.status.code(), Some(3), "what is there is not written over");
}
