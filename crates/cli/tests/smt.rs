//! `alphorn smt` on scripts too hard for its limits, and from standard input.

mod pipe;

use alphorn_testkit::formulas::pigeons::pigeons;
use std::time::Duration;

/// Runs a script given by standard input; returns both streams, the exit code and the time.
fn run(script: &str, args: &[&str]) -> (String, String, Option<i32>, Duration) {
    pipe::run("smt", script, args)
}

#[test]
fn standard_input_is_read() {
    let (out, err, code, _) = run("(declare-const x Int)(assert (> x x))(check-sat)", &[]);
    assert_eq!((out.as_str(), err.as_str(), code), ("unsat\n", "", Some(0)));
    let (out, err, code, _) = run("  \n", &[]);
    assert_eq!((out.as_str(), code), ("(error \"the file is empty\")\n", Some(4)));
    // In a dialogue what is wrong is a reply and nothing else.
    assert_eq!(err, "");
}

/// The commands after the limit are still answered. The upper bound is generous because test
/// machines are busy.
#[test]
fn the_time_limit_is_kept() {
    let script = format!("{}(check-sat)(get-info :reason-unknown)(check-sat)", pigeons(13));
    let (out, err, code, time) = run(&script, &["--time", "300ms"]);
    assert_eq!(out, "unknown\n(:reason-unknown \"out of time\")\nunknown\n");
    assert_eq!((err.as_str(), code), ("-: out of time\n", Some(2)));
    assert!(time >= Duration::from_millis(300) && time < Duration::from_secs(20), "{time:?}");
}

#[test]
fn the_memory_limit_is_kept() {
    if cfg!(target_os = "linux") {
        let (out, err, code, _) = run(&format!("{}(check-sat)", pigeons(13)), &["--memory", "1M"]);
        assert!(out == "unknown\n" || out.is_empty(), "{out}");
        assert_eq!((err.as_str(), code), ("-: out of memory\n", Some(2)));
    }
}
