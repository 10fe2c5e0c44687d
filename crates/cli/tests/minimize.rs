//! `--minimize` from the command line on Horn files: every effort ends with a model that is accepted, a
//! greater effort never with a larger one, and where nothing is made smaller the reason is said.

use std::path::Path;
use std::process::{Command, Output};

fn alphorn(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_alphorn"))
        .args(args)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .output()
        .expect("the binary runs")
}

/// What is said about the size of the model: how many conjuncts are left.
fn left(output: &Output) -> usize {
    let text = String::from_utf8_lossy(&output.stderr);
    let before = text.split(" conjuncts are a model").next().unwrap_or_default();
    let words: Vec<&str> = before.split_whitespace().rev().take(3).collect();
    words[2].parse().unwrap_or_else(|_| panic!("{text}"))
}

#[test]
fn models_of_every_effort_are_accepted_and_get_no_larger() {
    let evidence = std::env::temp_dir().join(format!("alphorn-minimize-{}", std::process::id()));
    let evidence = evidence.to_string_lossy();
    for file in ["corpus/horn/divergent/linear_loop.smt2", "corpus/horn/records/heap.smt2"] {
        let mut before = usize::MAX;
        for effort in ["nec", "feas", "msis", "minimum"] {
            let option = format!("--minimize={effort}");
            let common = ["-vv", "--threads", "1", "--engine", "pdr", "--evidence"];
            let output = alphorn(&[&common[..], &[&*evidence, &option, file]].concat());
            assert_eq!(output.status.code(), Some(0), "{file}, {effort}");
            let now = left(&output);
            assert!(now <= before, "{file}, {effort}: {now} after {before}");
            before = now;
            let checked = alphorn(&["check", file, &evidence]);
            assert_eq!(checked.status.code(), Some(0), "{file}, {effort}");
        }
    }
    std::fs::remove_file(&*evidence).expect("it was written");
}

#[test]
fn a_model_that_stays_as_it_is_says_why() {
    let output = alphorn(&["-vv", "--minimize", "examples/list_append.smt2"]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("the model has functions of its own, and is not made smaller"), "{text}");
}
