//! What the page asks, asked of the same code natively, which runs without threads as in a browser.

use alphorn_web::examples::{EXAMPLES, Example};
use alphorn_web::respond::respond;
use serde_json::{Value, json};

fn ask(request: &Value) -> Vec<Value> {
    let mut lines = Vec::new();
    respond(&request.to_string(), &mut |line| {
        lines.push(serde_json::from_str(line).expect("lines are JSON"));
    });
    lines
}

fn of_kind<'l>(lines: &'l [Value], kind: &str) -> Vec<&'l Value> {
    lines.iter().filter(|line| line["kind"] == kind).collect()
}

fn exit(lines: &[Value]) -> u64 {
    lines.last().expect("there is an end")["exit"].as_u64().expect("it is a number")
}

fn decide(example: &Example) -> Vec<Value> {
    let Example { file, asked, text, .. } = example;
    ask(
        &json!({ "verb": "decide", "file": file, "text": text, "asked": asked, "time": 120, "page": true }),
    )
}

fn check(example: &Example, evidence: &str) -> Vec<Value> {
    let Example { file, text, .. } = example;
    ask(&json!({ "verb": "check", "file": file, "text": text, "evidence": evidence }))
}

#[test]
fn every_example_is_decided_as_the_table_says_and_its_evidence_is_accepted_again() {
    for example in EXAMPLES {
        let lines = decide(example);
        let answers = of_kind(&lines, "answer");
        let verdict = match example.expect {
            "SAFE" | "TERMINATES" => "safe",
            _ => "unsafe",
        };
        let is_so = answers.iter().any(|answer| answer["verdict"] == verdict);
        assert!(is_so, "{}: {:?}", example.file, answers);
        assert_eq!(of_kind(&lines, "page").len(), 1, "{}", example.file);
        for answer in answers {
            let evidence = answer["evidence_text"].as_str().expect("it is small");
            let judged = check(example, evidence);
            let certified = of_kind(&judged, "certified");
            assert_eq!(certified.len(), 1, "{}: {judged:?}", example.file);
            assert_eq!(certified[0]["accepted"], true, "{}: {judged:?}", example.file);
            assert_eq!(exit(&judged), 0);
        }
    }
}

#[test]
fn evidence_that_was_tampered_with_is_refused() {
    let example =
        EXAMPLES.iter().find(|one| one.file == "bounded_counter.smt2").expect("it is there");
    let lines = decide(example);
    let answers = of_kind(&lines, "answer");
    let evidence = answers[0]["evidence_text"].as_str().expect("it is small");
    let tampered = evidence.replacen("10", "11", 1);
    assert_ne!(tampered, evidence);
    let judged = check(example, &tampered);
    assert_eq!(exit(&judged), 6, "{judged:?}");
    assert_eq!(of_kind(&judged, "certified")[0]["accepted"], false);
}

#[test]
fn a_reader_says_where_a_text_is_wrong_and_nothing_where_it_is_right() {
    let read = |text: &str| ask(&json!({ "verb": "read", "file": "a.smt2", "text": text }));
    let wrong = read("(set-logic HORN)\n(assert (p 1))\n");
    let noticed = of_kind(&wrong, "diagnostic");
    assert!(noticed.iter().any(|one| one["line"] == 2 && one["severity"] == "error"), "{wrong:?}");
    assert_eq!(exit(&wrong), 4);
    let right = read(EXAMPLES[0].text);
    assert_eq!((right.len(), exit(&right)), (1, 0), "{right:?}");
}

#[test]
fn a_script_that_is_no_horn_system_is_run() {
    let text = "(set-logic QF_LIA)(declare-const x Int)(assert (> (* 2 x) 6))(check-sat)\
                (assert (< x 3))(check-sat)";
    let lines = ask(&json!({ "verb": "decide", "file": "a.smt2", "text": text }));
    let replies: Vec<&str> =
        of_kind(&lines, "reply").iter().filter_map(|reply| reply["text"].as_str()).collect();
    assert_eq!(replies, ["sat", "unsat"], "{lines:?}");
}

#[test]
fn the_time_is_kept_without_a_watchdog() {
    // The second number is the square of the first, which nobody says of all squares in a moment.
    let text = "(set-logic HORN)(declare-fun p (Int Int) Bool)(assert (p 0 0))\
        (assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (+ y x x 1)))))\
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (= y 1000000000007)) false)))(check-sat)";
    let begun = std::time::Instant::now();
    let lines = ask(&json!({ "verb": "decide", "file": "a.smt2", "text": text, "time": 1 }));
    let answers = of_kind(&lines, "answer");
    assert_eq!(answers[0]["verdict"], "unknown", "{lines:?}");
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

#[test]
fn what_is_no_request_is_told() {
    let mut said = Vec::new();
    respond("{", &mut |line| said.push(line.to_owned()));
    assert!(said[0].contains("no JSON"), "{said:?}");
    assert_eq!(exit(&ask(&json!({ "verb": "guess" }))), 3);
    assert_eq!(exit(&ask(&json!({ "verb": "read", "colour": "red" }))), 3);
    assert_eq!(exit(&ask(&json!({ "verb": "read", "time": "long" }))), 3);
    assert_eq!(exit(&ask(&json!({ "verb": "decide", "file": "a.smt2", "text": "" }))), 4);
}
