//! The harness does what the standard one does.

use super::Suite;
use super::arguments::Arguments;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Three tests, of which the last fails, and what must hold of all.
fn suite(runs: &Arc<AtomicUsize>) -> Suite {
    let mut suite = Suite::default();
    for name in ["horn/a.smt2::pdr", "horn/a.smt2::bmc", "words/b.btor2::pdr"] {
        let runs = runs.clone();
        suite.add(name, move || {
            runs.fetch_add(1, Ordering::Relaxed);
            assert!(!name.starts_with("words"), "it says unsafe");
        });
    }
    let runs = runs.clone();
    suite.add_total("all", move || assert_eq!(runs.load(Ordering::Relaxed), 3));
    suite
}

/// What is printed for a command line, how many tests ran, and whether the program succeeds.
fn run(words: &[&str]) -> (String, usize, bool) {
    let runs = Arc::new(AtomicUsize::new(0));
    let arguments = Arguments::read(words.iter().map(|word| (*word).to_owned()));
    let mut out = Vec::new();
    let code = suite(&runs).run(&arguments.expect("the words are right"), &mut out);
    let text = String::from_utf8(out).expect("names are text");
    (text, runs.load(Ordering::Relaxed), format!("{code:?}") == format!("{:?}", ExitCode::SUCCESS))
}

#[test]
fn all_tests_run_and_failures_are_reported_by_name() {
    for threads in ["1", "4"] {
        let (text, runs, succeeds) = run(&["--test-threads", threads]);
        assert_eq!((runs, succeeds), (3, false));
        assert!(text.contains("running 4 tests"), "{text}");
        assert!(text.contains("test horn/a.smt2::bmc ... ok"), "{text}");
        assert!(text.contains("test words/b.btor2::pdr ... FAILED"), "{text}");
        assert!(text.contains("---- words/b.btor2::pdr ----\nit says unsafe"), "{text}");
        assert!(text.contains("test result: FAILED. 3 passed; 1 failed;"), "{text}");
    }
}

#[test]
fn parts_of_names_choose_and_leave_out_what_is_about_all() {
    let (text, runs, succeeds) = run(&["a.smt2"]);
    assert_eq!((runs, succeeds), (2, true));
    assert!(
        text.contains("ok. 2 passed; 0 failed; 0 ignored; 0 measured; 1 filtered out"),
        "{text}"
    );
    assert_eq!(run(&["::pdr", "--skip", "words"]).1, 1);
    assert_eq!(run(&["--exact", "horn/a.smt2"]).1, 0);
    assert_eq!(run(&["--exact", "horn/a.smt2::pdr"]).1, 1);
    assert_eq!(run(&["--ignored"]).1, 0);
}

#[test]
fn a_list_runs_nothing() {
    let (text, runs, succeeds) = run(&["--list", "--format", "terse"]);
    assert_eq!((runs, succeeds), (0, true));
    assert!(text.starts_with("horn/a.smt2::pdr: test\nhorn/a.smt2::bmc: test\n"), "{text}");
    assert!(text.contains("all: test\n"), "{text}");
}

#[test]
fn options_that_are_not_known_are_refused() {
    let read = |words: &[&str]| Arguments::read(words.iter().map(|word| (*word).to_owned()));
    assert!(read(&["--fast"]).is_err());
    assert!(read(&["--test-threads", "0"]).is_err());
    assert!(read(&["--skip"]).is_err());
    assert!(read(&["--test-threads=2", "--quiet", "--color=never"]).is_ok());
}
