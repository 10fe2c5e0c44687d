//! The examples of the engine book: what its pages say that engines answer, they answer.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The words of a line, with what stands in single quotes as one.
fn words(line: &str) -> Vec<String> {
    let quoted = line.split('\'').enumerate();
    let parts = quoted.flat_map(|(index, part)| match index % 2 {
        0 => part.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    parts.collect()
}

/// Every command of the pages in a folder, with the answer below it.
fn examples(folder: &str) -> Vec<(String, String)> {
    let pages =
        std::fs::read_dir(root().join("docs/engines").join(folder)).expect("there are pages");
    let mut found = Vec::new();
    for page in pages {
        let path = page.expect("it can be listed").path();
        let text = std::fs::read_to_string(&path).expect("a page can be read");
        let lines: Vec<&str> = text.lines().collect();
        for pair in lines.windows(2) {
            if let Some(command) = pair[0].strip_prefix("    $ alphorn ") {
                found.push((command.to_owned(), pair[1].trim().to_owned()));
            }
        }
    }
    found.sort();
    found
}

/// Runs the examples of a folder, of which there are at least so many.
fn run(folder: &str, least: usize) {
    let examples = examples(folder);
    assert!(examples.len() >= least, "{} examples in {folder}", examples.len());
    for (command, answer) in examples {
        let output = Command::new(env!("CARGO_BIN_EXE_alphorn"))
            .args(words(&command))
            .args(["--threads", "1"])
            .current_dir(root())
            .output()
            .expect("the program runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let first = said.lines().next().unwrap_or_default();
        assert!(first.contains(&format!(": {answer}  ")), "alphorn {command}\n{said}");
    }
}

#[test]
fn engines_for_horn_clauses_decide_their_examples() {
    run("horn", 75);
}

#[test]
fn engines_for_circuits_decide_their_examples() {
    run("circuits", 27);
}

#[test]
fn engines_for_words_programs_and_infinite_runs_decide_their_examples() {
    run("words", 8);
    run("runs", 7);
}
