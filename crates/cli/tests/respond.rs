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

#[test]
fn what_can_always_be_undone_stays_within_reach_and_else_there_is_a_trap() {
    let folder = folder("respond-home");
    let model = |guard: &str| {
        format!(
            "var x: 0..3; startstate begin x := 0; end;
            rule x < 3 ==> begin x := x + 1; end;
            rule {guard} ==> begin x := x - 1; end;
            ruleset y: 0..1 do liveness \"back\" x = y end;\n"
        )
    };
    std::fs::write(folder.join("back.m"), model("x > 0")).unwrap();
    std::fs::write(folder.join("lost.m"), model("x > 0 & x != 2")).unwrap();
    for (file, property, wanted) in [
        ("back.m", "back, y = 0", (0, "with a way from each of 4 states")),
        ("back.m", "home 1", (0, "with a way from each of 4 states")),
        ("lost.m", "back, y = 1", (1, "after 2 steps, in a trap of 2 states")),
    ] {
        let args = [file, "--property", property, "--evidence", "ev"];
        let (code, said) = alphorn(&folder, &args);
        assert_eq!(code, Some(wanted.0), "{said}");
        assert!(said.contains(wanted.1), "{said}");
        let (code, said) = alphorn(&folder, &["check", file, "ev"]);
        assert_eq!(code, Some(0), "{said}");
        let other = if file == "back.m" { "lost.m" } else { "back.m" };
        let (code, said) = alphorn(&folder, &["check", other, "ev"]);
        assert_eq!(code, Some(6), "evidence about another model: {said}");
    }
    let (code, said) = alphorn(&folder, &["explore", "lost.m"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("UNSAFE after 2 steps, the run was checked; a trap of 2 states"),
        "{said}"
    );
    let (code, said) = alphorn(&folder, &["convert", "back.m", "--to", "btor2"]);
    assert_eq!(code, Some(5), "{said}");
    assert!(said.contains("within reach"), "{said}");
    let args = ["convert", "back.m", "--to", "btor2", "--property", "0"];
    let (code, said) = alphorn(&folder, &args);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn what_is_led_to_is_also_found_on_the_graph_of_all_states() {
    let folder = place("tags");
    let mut args = vec!["explore", "turns.m"];
    args.extend(ASKED);
    let (code, said) = alphorn(&folder, &args);
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("response: UNKNOWN: explored, not certified; 1 states are pending"),
        "{said}"
    );
    let (code, said) = alphorn(&folder, &args[..6]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("the run was checked"), "{said}");
    for (file, wanted) in [("fair.fts", 2), ("unfair.fts", 1)] {
        let (code, said) = alphorn(&folder, &["explore", file]);
        assert_eq!(code, Some(wanted), "{said}");
    }
}

#[test]
fn in_any_state_nothing_may_happen_however_many_steps_there_are() {
    // Two steps, both from the only pending state: without fairness neither need be taken.
    let folder = folder("respond-still");
    std::fs::write(folder.join("two.fts"), "states 2\ninit 0\np 0\nq 1\n0 a 1\n0 b 1\n").unwrap();
    std::fs::write(
        folder.join("two.m"),
        "var x: 0..1; startstate begin x := 0; end;
        rule \"a\" true ==> begin x := 1; end; rule \"b\" true ==> begin x := 1; end;\n",
    )
    .unwrap();
    let (code, said) = alphorn(&folder, &["respond", "two.fts"]);
    assert_eq!(code, Some(1), "{said}");
    let (code, said) = alphorn(&folder, &["respond", "two.m", "--from", "x = 0", "--to", "x = 1"]);
    assert_eq!(code, Some(1), "{said}");
    let args = ["respond", "two.m", "--from", "x = 0", "--to", "x = 1", "--fair", "weak:a"];
    let (code, said) = alphorn(&folder, &args);
    assert_eq!(code, Some(0), "{said}");
}

/// A request that an output answers when the input lets it: the latch is set by input 1 and cleared where input 2 is.
const LATCH: &str =
    "aag 5 2 1 2 2\n2\n4\n6 10\n6\n7\n8 7 3\n10 9 5\ni0 ask\ni1 grant\nl0 busy\no0 wants\n";

#[test]
fn circuits_are_asked_by_symbols_and_by_positions() {
    let folder = folder("respond-circuit");
    std::fs::write(folder.join("latch.aag"), LATCH).unwrap();
    for (from, to) in [("wants", "!busy"), ("o0", "o1"), ("l0", "!l0")] {
        let ask = ["respond", "latch.aag", "--from", from, "--to", to, "--evidence", "ev"];
        let (code, said) = alphorn(&folder, &ask);
        assert_eq!(code, Some(1), "nobody grants: {said}");
        let (code, said) =
            alphorn(&folder, &["check", "latch.aag", "ev", "--from", from, "--to", to]);
        assert_eq!(code, Some(0), "{said}");
        let mut fair = ask.to_vec();
        fair.extend(["--fair", "weak:busy:grant"]);
        let (code, said) = alphorn(&folder, &fair);
        assert_eq!(code, Some(0), "{said}");
        let check =
            ["check", "latch.aag", "ev", "--from", from, "--to", to, "--fair", "weak:l0:i1"];
        let (code, said) = alphorn(&folder, &check);
        assert_eq!(code, Some(0), "{said}");
    }
    for (from, fair) in
        [("nobody", "weak:busy:grant"), ("o9", "weak:busy:grant"), ("o0", "weak:busy")]
    {
        let args = ["respond", "latch.aag", "--from", from, "--to", "o1", "--fair", fair];
        let (code, said) = alphorn(&folder, &args);
        assert_eq!(code, Some(4), "{said}");
    }
}
