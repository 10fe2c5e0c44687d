//! Journals: a second run has what the first one learned, and believes nothing of it.

#![allow(clippy::unwrap_used)]

use alphorn_testkit::folder::empty as folder;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A counter that stays below eleven.
const SAFE: &str = "(set-logic HORN) (declare-fun inv (Int) Bool)
(assert (inv 0))
(assert (forall ((x Int)) (=> (and (inv x) (< x 10)) (inv (+ x 1)))))
(assert (forall ((x Int)) (=> (and (inv x) (> x 10)) false)))
(check-sat)
";

/// Two latches that follow each other; bad is when they differ in the second step.
const CIRCUIT: &str = "aag 3 1 2 0 0 1\n2\n4 2\n6 4\n6\ni0 in\nl0 first\nl1 second\n";

struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let place = Place(folder(&format!("journal-{name}")));
        place.write("safe.smt2", SAFE);
        place.write("circuit.aag", CIRCUIT);
        place
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }

    fn run(&self, args: &[&str]) -> (Option<i32>, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_alphorn"));
        let output = command.current_dir(&self.0).args(args).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_second_run_checks_the_answer_of_the_first_and_runs_no_engine() {
    let place = Place::new("answer");
    let (code, ..) = place.run(&["safe.smt2", "--resume", "j"]);
    assert_eq!(code, Some(0));
    let journal = place.read("j");
    assert!(journal.starts_with(r#"{"alphorn":1,"problem":"sha256:"#), "{journal}");
    assert!(journal.contains(r#"{"lemma":"inv","#), "{journal}");
    let (code, said, _) = place.run(&["safe.smt2", "--resume", "j", "--json"]);
    assert_eq!(code, Some(0));
    assert!(said.contains(r#""attempts":[]"#), "{said}");
    assert_eq!(place.read("j"), journal, "what is there is not said again");
}

#[test]
fn evidence_that_was_tampered_with_is_worth_nothing() {
    let place = Place::new("tampered");
    place.run(&["safe.smt2", "--journal", "j"]);
    let journal = place.read("j");
    // The bound that the model says, whichever way it says it.
    let (before, evidence) = journal.split_once(r#""evidence":"#).unwrap();
    let other = evidence.replace("10", "12").replace("11", "13");
    assert_ne!(other, evidence);
    place.write("j", &format!(r#"{before}"evidence":{other}"#));
    let (code, said, _) = place.run(&["safe.smt2", "--resume", "j", "--json"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains(r#""attempts":[]"#), "engines had to run: {said}");
    // An answer of the other kind, about a system that is unsafe.
    let unsound = SAFE.replace("(> x 10)", "(> x 9)");
    place.write("unsafe.smt2", &unsound);
    place.run(&["unsafe.smt2", "--journal", "u"]);
    let line = journal.lines().find(|line| line.contains(r#""answer""#)).unwrap();
    let head = place.read("u").lines().next().unwrap().to_owned();
    place.write("u", &format!("{head}\n{line}\n"));
    let (code, said, _) = place.run(&["unsafe.smt2", "--resume", "u"]);
    assert_eq!(code, Some(1), "{said}");
}

#[test]
fn false_lemmas_cost_no_answer() {
    let place = Place::new("false");
    let lemma = |formula: &str, holds: &str| {
        format!(
            r#"{{"lemma":"inv","params":["a"],"formula":"{formula}","by":"x","holds":"{holds}"}}"#
        )
    };
    let lines = [
        lemma("(<= a 3)", "always"),
        lemma("false", "always"),
        lemma("(<= a 10)", "level 2"),
        lemma("(<= b 10)", "always"),
        "nonsense".to_owned(),
        lemma("(= a 0)", "level 9"),
    ];
    place.write("j", &(lines.join("\n") + "\n"));
    for engine in ["pdr", "kind", "houdini", "ic3"] {
        let (code, said, wrong) = place.run(&["safe.smt2", "--hint", "j", "--engine", engine]);
        assert_eq!(code, Some(0), "{engine}: {said} {wrong}");
        assert!(wrong.contains("1 line is left out as no fact, the first is line 5"), "{wrong}");
    }
    place.write("unsafe.smt2", &SAFE.replace("(> x 10)", "(> x 9)"));
    for engine in ["pdr", "bmc"] {
        let (code, said, _) = place.run(&["unsafe.smt2", "--hint", "j", "--engine", engine]);
        assert_eq!(code, Some(1), "{engine}: {said}");
    }
}

#[test]
fn clauses_go_by_the_names_of_latches() {
    let place = Place::new("latches");
    let line = |clause: &str| format!(r#"{{"clause":[{clause}],"by":"x","holds":"always"}}"#);
    let lines = [line(r#""-second""#), line(r#""-first","second""#), line(r#""other""#)];
    place.write("j", &(lines.join("\n") + "\n"));
    for engine in ["ic3", "kind", "bmc"] {
        let (code, said, wrong) = place.run(&["circuit.aag", "--hint", "j", "--engine", engine]);
        assert_eq!(code, Some(1), "{engine}: {said} {wrong}");
    }
    place.write("still.aag", &CIRCUIT.replace("4 2\n", "4 4\n"));
    let (code, ..) =
        place.run(&["still.aag", "--journal", "k", "--engine", "ic3", "--without", "all"]);
    assert_eq!(code, Some(0));
    let journal = place.read("k");
    assert!(journal.contains(r#""clause":["-"#), "{journal}");
    let (code, ..) = place.run(&["still.aag", "--hint", "k"]);
    assert_eq!(code, Some(0));
}

#[test]
fn a_journal_about_another_file_gives_lemmas_and_no_answers() {
    let place = Place::new("other");
    place.run(&["safe.smt2", "--journal", "j"]);
    place.write("changed.smt2", &SAFE.replace("(> x 10)", "(> x 11)"));
    let (code, said, wrong) = place.run(&["changed.smt2", "--resume", "j", "--json"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(wrong.contains("it is about another file"), "{wrong}");
    assert!(!said.contains(r#""attempts":[]"#), "{said}");
    assert_eq!(place.read("j").matches("sha256:").count(), 2, "the second file has its own head");
}

#[test]
fn a_line_that_was_cut_off_swallows_nothing() {
    let place = Place::new("cut");
    place.write("j", r#"{"lemma":"inv","par"#);
    let (code, _, wrong) = place.run(&["safe.smt2", "--resume", "j"]);
    assert_eq!(code, Some(0), "{wrong}");
    let journal = place.read("j");
    assert!(journal.lines().nth(1).unwrap().starts_with(r#"{"alphorn":1"#), "{journal}");
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let place = Place::new("unusable");
    let (code, _, wrong) = place.run(&["safe.smt2", "--journal", "no/such/folder"]);
    assert_eq!(code, Some(3), "{wrong}");
    assert!(wrong.contains("the journal no/such/folder cannot be written"), "{wrong}");
    place.write("new", "{\"alphorn\":2,\"problem\":\"\",\"file\":\"\",\"version\":\"9\"}\n");
    let (code, _, wrong) = place.run(&["safe.smt2", "--resume", "new"]);
    assert_eq!(code, Some(3), "{wrong}");
    assert!(wrong.contains("a newer version"), "{wrong}");
}

#[cfg(unix)]
#[test]
fn what_was_learned_is_written_when_the_process_is_told_to_end() {
    let place = Place::new("term");
    let endless =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/horn/shape/infinite_counter.smt2");
    let mut child = Command::new(env!("CARGO_BIN_EXE_alphorn"))
        .args(["--engine", "forward", "--time", "60s", "--journal", "j"])
        .arg(endless)
        .current_dir(&place.0)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(900));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(2));
    let journal = place.read("j");
    assert!(journal.contains(r#"{"bound":"#), "{journal}");
    assert!(journal.contains(r#"{"tried":"forward","#), "{journal}");
}
