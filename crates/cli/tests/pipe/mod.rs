//! Runs the binary on what is given by standard input.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs a verb on a text; what is printed on both streams, the exit code and the time.
pub fn run(verb: &str, text: &str, args: &[&str]) -> (String, String, Option<i32>, Duration) {
    let begun = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_alphorn"))
        .args([verb, "-"])
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    stdin.write_all(text.as_bytes()).expect("the text is read");
    drop(stdin);
    let output = child.wait_with_output().expect("the binary ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code(), begun.elapsed())
}
