//! Limits are kept: by the engines where they tick, by the program where they do not.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Runs with limits on a problem that no engine decides; returns the answer and the time.
fn run(args: &[&str]) -> (String, Option<i32>, Duration) {
    let begun = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_alphorn"))
        .args(args)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .output()
        .expect("the binary runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (text, output.status.code(), begun.elapsed())
}

/// The engine `forward` never comes to an end with it.
const ENDLESS: &str = "corpus/horn/shape/infinite_counter.smt2";

/// The upper bound is generous because test machines are busy; what matters is that the run ends
/// by itself, at its limit and not before.
#[test]
fn the_time_limit_is_kept() {
    let (text, code, time) = run(&["-q", "--engine", "forward", "--time", "300ms", ENDLESS]);
    assert!(text.contains("UNKNOWN  out of time"), "{text}");
    assert_eq!(code, Some(2));
    assert!(time >= Duration::from_millis(300), "{time:?}");
    assert!(time < Duration::from_secs(20), "{time:?}");
}

#[test]
fn the_memory_limit_is_kept() {
    let (text, code, _) = run(&["-q", "--engine", "forward", "--memory", "1M", ENDLESS]);
    if cfg!(target_os = "linux") {
        assert!(text.contains("UNKNOWN  out of memory"), "{text}");
    }
    assert_eq!(code, Some(2));
}

#[test]
fn the_tick_limit_is_kept() {
    let (text, code, _) = run(&["-q", "--engine", "forward", "--ticks", "1k", ENDLESS]);
    assert!(text.contains("UNKNOWN  out of ticks"), "{text}");
    assert_eq!(code, Some(2));
}
