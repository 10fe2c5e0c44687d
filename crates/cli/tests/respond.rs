//! What leads to what: answers, their evidence, and evidence about another question.

#![allow(clippy::unwrap_used)]

use alphorn_testkit::folder::empty as folder;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Two processes hand a turn to each other.
const TURNS: &str = "type pid: 1..2; var turn: pid; in: array [pid] of boolean;
startstate begin turn := 1; for i: pid do in[i] := false; end; end;
ruleset i: pid do
  rule \"enter\" turn = i & !in[i] ==> begin in[i] := true; end;
  rule \"leave\" in[i] ==> begin in[i] := false; turn := 3 - i; end;
end;
invariant !(in[1] & in[2]);
";

/// A way out that is open again and again.
const FAIR: &str = "states 3\ninit 0\np 0\nq 2\nweak: b\nstrong: a\n0 b 1\n1 b 0\n0 a 2\n";

fn place(name: &str) -> PathBuf {
    let folder = folder(&format!("respond-{name}"));
    std::fs::write(folder.join("turns.m"), TURNS).unwrap();
    std::fs::write(folder.join("fair.fts"), FAIR).unwrap();
    std::fs::write(folder.join("unfair.fts"), FAIR.replace("strong", "weak")).unwrap();
    folder
}

fn alphorn(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alphorn"));
    let output = command.current_dir(folder).args(args).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

const ASKED: [&str; 6] = ["--from", "turn = 2", "--to", "in[2]", "--fair", "weak"];

#[test]
fn an_answer_about_a_response_has_evidence_for_that_question_alone() {
    let folder = place("evidence");
    let mut args = vec!["respond", "turns.m", "--evidence", "ev"];
    args.extend(ASKED);
    let (code, said) = alphorn(&folder, &args);
    assert_eq!(code, Some(0), "{said}");
    let mut check = vec!["check", "turns.m", "ev"];
    let (code, said) = alphorn(&folder, &check);
    assert!(matches!(code, Some(4 | 6)), "without its question it shows nothing: {code:?} {said}");
    check.extend(ASKED);
    let (code, said) = alphorn(&folder, &check);
    assert_eq!(code, Some(0), "{said}");
    // Without fairness the question is another one.
    let (code, said) = alphorn(&folder, &check[..7]);
    assert!(matches!(code, Some(4 | 6)), "{code:?} {said}");
}

#[test]
fn without_fairness_nothing_happens_for_ever() {
    let folder = place("unfair");
    let mut args = vec!["respond", "turns.m", "--evidence", "ev"];
    args.extend(&ASKED[..4]);
    let (code, said) = alphorn(&folder, &args);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("loop"), "{said}");
    let (code, said) =
        alphorn(&folder, &["check", "turns.m", "ev", "--from", "turn = 2", "--to", "in[2]"]);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn fair_transition_systems_have_their_question_with_them() {
    let folder = place("systems");
    let (code, said) = alphorn(&folder, &["fair.fts"]);
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = alphorn(&folder, &["respond", "unfair.fts"]);
    assert_eq!(code, Some(1), "{said}");
}

#[test]
fn questions_that_do_not_fit_are_refused() {
    let folder = place("refused");
    let cases: [(&[&str], i32); 4] = [
        (&["respond", "turns.m", "--from", "turn = 5 +", "--to", "true"], 4),
        (&["respond", "turns.m", "--from", "true", "--to", "true", "--fair", "weak:sleep"], 4),
        (&["respond", "fair.fts", "--from", "true", "--to", "true"], 4),
        (&["respond", "turns.m", "--from", "true"], 3),
    ];
    for (args, wanted) in cases {
        let (code, said) = alphorn(&folder, args);
        assert_eq!(code, Some(wanted), "{args:?}: {said}");
    }
}

#[test]
fn states_are_counted_and_not_certified() {
    let folder = place("explore");
    let (code, said) = alphorn(&folder, &["explore", "turns.m", "--threads", "2"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("4 states") && said.contains("explored, not certified"), "{said}");
}
