//! Infinite runs on the command line: answers, words, exit codes, evidence, what is written and what is refused.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn alphorn(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_alphorn"))
        .args(args)
        .current_dir(root())
        .env("SOURCE_DATE_EPOCH", "0")
        .stdin(std::process::Stdio::null())
        .output()
        .expect("the binary runs")
}

/// What a command says, on both channels, after it ended with this code.
#[track_caller]
fn said(args: &[&str], code: i32) -> String {
    let output = alphorn(args);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("what is said is text");
    let all = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {all}");
    all
}

/// An empty folder.
fn folder(name: &str) -> PathBuf {
    alphorn_testkit::folder::empty(&format!("flow-{name}"))
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_string_lossy().into_owned()
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = path(folder, name);
    std::fs::write(&path, text).expect("a file can be written");
    path
}

const GCD: &str = "examples/gcd.c";
const DRIFT: &str = "examples/drift.t2";
const SERVER: &str = "examples/server.t2";

#[test]
fn runs_that_end_or_do_not_have_words_and_codes() {
    let text = said(&["terminate", GCD, "--model"], 0);
    assert!(text.contains("TERMINATES  with 1 level of ranks"), "{text}");
    assert!(text.contains("rank 1: ") && text.contains("less by 1 at transition"), "{text}");
    let text = said(&["terminate", DRIFT, "--model"], 1);
    assert!(text.contains("RUNS FOREVER") && text.contains("for ever in loop: "), "{text}");
    let text = said(&["terminate", DRIFT, "--engine", "rank"], 2);
    assert!(text.contains("no rank was found for transition 1 (loop to loop)"), "{text}");
}

#[test]
fn the_termination_competition_and_that_of_verifiers_have_their_words() {
    for (file, more, code, word) in [
        (GCD, &[][..], 0, "YES\n"),
        (DRIFT, &[][..], 1, "NO\n"),
        (DRIFT, &["--engine", "rank"][..], 2, "MAYBE\n"),
    ] {
        let args = [&["terminate", file, "--dialect", "termcomp"][..], more].concat();
        assert_eq!(said(&args, code), word);
    }
    let folder = folder("words");
    let round = "int main(void) { int x = 1; while (x) x = 3 - x; return 0; }\n";
    let round = write(&folder, "round.c", round);
    let asked = ["--property", "termination", "--dialect", "svcomp"];
    assert_eq!(said(&[&[GCD][..], &asked].concat(), 0), "true\n");
    assert_eq!(said(&[&[round.as_str()][..], &asked].concat(), 1), "false(termination)\n");
}

#[test]
fn formulas_hold_and_fail_and_fairness_makes_a_difference() {
    let ctl = |formula: &str, more: &[&str], code: i32| {
        let args = [&["ctl", SERVER, "--property", formula, "--model=all"][..], more].concat();
        said(&args, code)
    };
    let text = ctl("AG (busy == 1 -> AF (busy == 0))", &[], 0);
    assert!(text.contains("HOLDS  with labels of") && text.contains("A[["), "{text}");
    assert!(text.contains("rank 1: work: left"), "{text}");
    let text = ctl("AG AF (busy == 1)", &[], 1);
    assert!(text.contains("FAILS  with labels of"), "{text}");
    assert!(text.contains("step 0 at begin: "), "{text}");
    let text = ctl("AG AF (busy == 1)", &["--fair", "(at(wait)), (at(work))"], 0);
    // Steps are named by their transitions, and by the conditions of fairness.
    assert!(text.contains("0 everywhere") && text.contains("(wait to wait)"), "{text}");
    assert!(!text.contains("at step"), "{text}");
    // A run that ends has no infinite run, or stays where it is.
    let ended = |ends: &str, code| {
        let formula = "AF at(loop)";
        said(&["ctl", DRIFT, "--property", formula, "--ends", ends], code);
        said(&["ctl", DRIFT, "--property", "AF (at(end) && at(loop))", "--ends", ends], 1);
        said(&["ctl", DRIFT, "--property", "EF (at(end) && AG at(end))", "--ends", ends], 0)
    };
    ended("vacuous", 0);
    ended("stutter", 0);
    said(&["ctl", DRIFT, "--property", "EF (at(end) && EG true)", "--ends", "vacuous"], 1);
    said(&["ctl", DRIFT, "--property", "EF (at(end) && EG true)", "--ends", "stutter"], 0);
}

#[test]
fn a_wrong_formula_is_a_wrong_command_line_and_its_place_is_said() {
    for (formula, place) in [
        ("AG (busy == 1", "the temporal formula, at its end"),
        ("AG (nobody == 1)", "at `nobody == 1)`: there is no variable `nobody`"),
        ("AG at(nowhere)", "at `nowhere)`"),
        ("AG busy", "the temporal formula"),
    ] {
        let text = said(&["ctl", SERVER, "--property", formula], 3);
        assert!(text.contains("error[G001]") && text.contains(place), "{formula}: {text}");
    }
    let args = ["ctl", SERVER, "--property", "AG AF (busy == 1)", "--fair", "at(wait), AF busy"];
    assert!(said(&args, 3).contains("the condition of fairness"));
    let args = ["ctl", SERVER, "--property", "AG AF (busy == 1)", "--fair", "at(wait)"];
    assert!(said(&args, 3).contains("two conditions are needed"));
    assert!(said(&["ctl", SERVER], 3).contains("a formula is needed"));
}

#[test]
fn clauses_have_runs_and_circuits_are_refused() {
    let text = said(&["terminate", "examples/bounded_counter.smt2"], 1);
    assert!(text.contains("RUNS FOREVER"), "{text}");
    for file in ["examples/toggle.aag", "examples/traffic_light.btor2"] {
        assert!(said(&["terminate", file], 5).contains("are not treated"));
    }
}

#[test]
fn runs_that_a_program_need_not_have_show_nothing() {
    let folder = folder("loose");
    let file = "int main(void) { float x = 10.0f; while (x > 0) x = x - 1; return 0; }\n";
    let file = write(&folder, "float.c", file);
    for engine in ["", "lasso"] {
        let more: &[&str] = if engine.is_empty() { &[] } else { &["--engine", engine] };
        let text = said(&[&["terminate", file.as_str()][..], more].concat(), 2);
        assert!(!text.contains("a fault of ours"), "{text}");
    }
    let text = said(&["ctl", &file, "--property", "AF (0 == 1)"], 5);
    assert!(text.contains("fewer runs"), "{text}");
}

#[test]
fn evidence_is_accepted_exported_and_refused_once_it_is_changed() {
    let folder = folder("evidence");
    let evidence = path(&folder, "evidence");
    type Case =
        (&'static str, &'static [&'static str], i32, &'static str, (&'static str, &'static str));
    let cases: [Case; 4] = [
        (GCD, &["terminate"], 0, "TERMINATES", ("(level 1 ", "(level 2 ")),
        (DRIFT, &["terminate"], 1, "RUNS FOREVER", ("(set loop ", "(set begin ")),
        (
            SERVER,
            &["ctl", "--property", "AG EF (busy == 1)"],
            0,
            "HOLDS",
            ("busy == 1", "busy == 2"),
        ),
        (
            SERVER,
            &["ctl", "--property", "AG AF (busy == 1)"],
            1,
            "FAILS",
            ("busy == 1", "busy == 0"),
        ),
    ];
    for (position, (file, verb, code, word, (old, new))) in cases.into_iter().enumerate() {
        said(&[verb, &[file, "--evidence", &evidence]].concat(), code);
        let scripts = folder.join(format!("scripts-{position}"));
        let scripts = scripts.to_string_lossy();
        let text = said(&["check", file, &evidence, "--export", &scripts], 0);
        // Labels name their formula in the evidence, so that what was accepted must be told.
        let about = verb.get(2).map_or(String::new(), |formula| format!("{formula} (ends "));
        let accepted = text.contains(&format!("evidence accepted: {about}"));
        assert!(accepted && text.contains(word), "{text}");
        // What is exported is refuted by the solver that knows nothing of flows.
        let mut count = 0;
        for script in std::fs::read_dir(&*scripts).expect("scripts were written") {
            let script = script.expect("it is there").path();
            let text = said(&["smt", &script.to_string_lossy()], 0);
            assert_eq!(text, "unsat\n", "{}", script.display());
            count += 1;
        }
        assert!(count > 1, "{file} has {count} obligations");
        let text = std::fs::read_to_string(&evidence).expect("the evidence was written");
        assert!(text.contains(old), "{text}");
        let other = write(&folder, "other", &text.replacen(old, new, 1));
        assert!(said(&["check", file, &other], 6).contains("REFUSED"));
        assert_ne!(alphorn(&["check", "examples/gcd.c", &other]).status.code(), Some(0));
    }
}

#[test]
fn flows_are_written_in_every_language_of_flows_and_mean_the_same() {
    let folder = folder("convert");
    let all = &["a.its", "b.t2", "c.its"][..];
    // T2's commands have no conditional expressions, as this program has.
    for (file, names, code) in
        [(DRIFT, all, 1), ("corpus/flow/countdown.t2", all, 0), (GCD, &all[..1], 0)]
    {
        let mut from = file.to_owned();
        for &name in names {
            let to = path(&folder, name);
            said(&["convert", &from, "-o", &to], 0);
            said(&["terminate", &to], code);
            from = to;
        }
        let clauses = path(&folder, "a.smt2");
        said(&["convert", &from, "-o", &clauses], 0);
        said(&["terminate", &clauses], code);
        said(&["convert", file, "--to", "smtlib", "--property", "termination"], 0);
    }
    assert!(said(&["convert", DRIFT, "--to", "its"], 0).contains("(define-fun next_main ("));
    assert!(said(&["convert", "examples/toggle.aag", "--to", "t2"], 5).contains("not treated"));
    assert!(said(&["convert", GCD, "--to", "t2"], 5).contains("unsupported[C001]"));
    let its = path(&folder, "c.its");
    assert!(said(&["convert", &its, "--to", "btor2"], 5).contains("infinite runs"));
}

#[test]
fn a_page_draws_the_flow_and_says_why() {
    let folder = folder("page");
    let page = |args: &[&str], code: i32| {
        let out = path(&folder, "out");
        said(&[args, &["--out", &out]].concat(), code);
        let page = folder.join("out/report.html");
        std::fs::read_to_string(page).expect("the page was written")
    };
    let text = page(&["terminate", GCD], 0);
    for part in ["TERMINATES</span>", "Why every run ends", "the flow as a graph", "Rank 1"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let text = page(&["terminate", DRIFT], 1);
    for part in ["RUNS FOREVER</span>", "for ever", "class=\"loop-line\"", "node loop", "assume(x"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let text = page(&["ctl", SERVER, "--property", "AG EF (busy == 1)"], 0);
    for part in ["HOLDS</span>", "Why the formula holds", "[4] A[[2] W [3]]"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}
