//! What must be on a page, and what must never be.

use super::*;
use crate::answer::{AttemptLine, Checked, Partial, Phase};
use alphorn_engine::{Event, Note, UnwoundInstance};
use std::time::Duration;

fn answer(verdict: Outcome) -> Answer {
    Answer {
        verdict,
        property: "horn".to_owned(),
        checked: (verdict != Outcome::Unknown)
            .then(|| Checked { what: "3 of 3 clauses".to_owned(), milliseconds: 4 }),
        phases: vec![Phase { name: "run", milliseconds: 250 }],
        attempts: vec![AttemptLine {
            engine: "pdr".to_owned(),
            ended: "answered <quickly>".to_owned(),
            milliseconds: 250,
            ticks: 12,
            bound: Some(3),
            lemmas: Some(17),
        }],
        ..Answer::unknown("a<b>&\"c'.smt2", "with <script>alert(1)</script>")
    }
}

fn section(verdict: Outcome) -> Section {
    let mut timeline = Timeline::default();
    for (at, depth) in [(10, 1), (40, 2), (200, 3)] {
        let event = Event::Bound { depth };
        timeline.hear(&Note { engine: "pdr", at: Duration::from_millis(at), event });
    }
    Section {
        problem: "1 predicate".to_owned(),
        answer: answer(verdict),
        timeline,
        predicates: vec![Predicate {
            name: "|P<i>|".to_owned(),
            definition: Some("(< x 5)".to_owned()),
            clauses: vec![ClauseText {
                title: "clause 0 (line 2)".to_owned(),
                text: "(=> (< x 0) (|P<i>| x))".to_owned(),
                is_used: true,
            }],
        }],
        derivation: Vec::new(),
        invariant: Vec::new(),
        waveform: None,
        files: vec![("the model".to_owned(), "model.smt2".to_owned())],
    }
}

fn shown(section: Section) -> String {
    let text = page(&Page { file: section.answer.file.clone(), sections: vec![section] });
    assert!(!text.contains("<script") && !text.contains("http"), "{text}");
    assert!(!text.contains("<b>") && !text.contains("<i>"), "{text}");
    let open = |tag: &str| text.matches(&format!("<{tag}")).count();
    let closed = |tag: &str| text.matches(&format!("</{tag}>")).count();
    for tag in ["section", "div", "ul", "details", "svg", "table", "pre", "figure"] {
        assert_eq!(open(tag), closed(tag), "{tag} in {text}");
    }
    text
}

#[test]
fn a_safe_page_has_clauses_invariants_and_what_was_checked() {
    let text = shown(section(Outcome::Safe));
    assert!(text.contains("SAFE") && text.contains("(&lt; x 5)"));
    assert!(text.contains("(=&gt; (&lt; x 0) (|P&lt;i&gt;| x))"));
    assert!(text.contains("3 of 3 clauses") && text.contains("href=\"model.smt2\""));
    assert!(text.contains("answered &lt;quickly&gt;"));
    assert!(text.contains("<path d=\"M"), "the bounds are drawn");
}

fn line(step: usize, premises: &[usize]) -> TreeLine {
    TreeLine {
        step,
        fact: format!("(P<i> {step})"),
        clause: "clause 1".to_owned(),
        values: Vec::new(),
        changes: None,
        premises: premises.to_vec(),
    }
}

#[test]
fn a_derivation_is_listed_and_drawn() {
    let mut section = section(Outcome::Unsafe);
    section.derivation = vec![line(0, &[]), line(1, &[0]), line(2, &[1, 0]), line(3, &[2])];
    let text = shown(section);
    assert_eq!(text.matches("class=\"node").count(), 4);
    assert_eq!(text.matches("class=\"edge\"").count(), 4);
    assert_eq!(text.matches("<details open><summary><code>").count(), 1, "one step branches");
    assert!(text.contains("see above"));
}

#[test]
fn an_unwinding_is_drawn_with_its_coverings() {
    let mut section = section(Outcome::Safe);
    let instance = |premises: &[usize], covered_by| UnwoundInstance {
        predicate: "P<i>".to_owned(),
        annotation: "x < 3".to_owned(),
        premises: premises.to_vec(),
        covered_by,
    };
    let instances = vec![
        instance(&[], None),
        instance(&[0], None),
        instance(&[1], Some(0)),
        instance(&[2], None),
    ];
    let event = Event::Unwinding { instances, count: 7 };
    section.timeline.hear(&Note { engine: "duality", at: Duration::ZERO, event });
    let text = shown(section);
    assert!(text.contains("the first 4 of 7 instances, 1 of them covered"), "{text}");
    assert_eq!(text.matches("class=\"edge\"").count(), 3);
    assert_eq!(text.matches("class=\"cover\"").count(), 1);
    assert_eq!(text.matches("class=\"node covered\"").count(), 2, "one depends on the covered one");
    assert!(text.contains("P&lt;i&gt; 2: x &lt; 3\ncovered by 0"), "{text}");
}

#[test]
fn long_derivations_are_cut_and_not_drawn() {
    let mut section = section(Outcome::Unsafe);
    section.derivation = vec![line(0, &[])];
    section.derivation.extend((1..5000).map(|step| line(step, &[step - 1])));
    let text = shown(section);
    assert!(text.contains("2000 of 5000 steps are shown"));
    assert!(!text.contains("class=\"node"));
}

#[test]
fn an_undecided_page_says_what_was_found_out() {
    let mut section = section(Outcome::Unknown);
    let formula = Formula {
        engine: "pdr".to_owned(),
        predicate: "P".to_owned(),
        formula: "(<= 0 x)".to_owned(),
        clauses: vec![2],
    };
    section.answer.bound = Some(41);
    section.answer.hints = vec!["a longer --time".to_owned()];
    section.answer.partial = Some(Partial {
        proved: vec![formula.clone()],
        candidates: vec![formula],
        patterns: vec!["x <= 1, x <= 2, …".to_owned()],
    });
    let text = shown(section);
    for part in ["depth 41", "(&lt;= 0 x)", "clause 2", "x &lt;= 1, x &lt;= 2", "a longer --time"] {
        assert!(text.contains(part), "{part}");
    }
}

#[test]
fn a_run_is_drawn_with_its_names() {
    use crate::waveform::{Role, Signal, Waveform};
    let signal = |role, name: &str, values: &[&str]| Signal {
        role,
        name: name.to_owned(),
        width: values[0].len() as u32,
        bits: values.concat(),
    };
    let mut section = section(Outcome::Unsafe);
    section.waveform = Some(Waveform {
        signals: vec![
            signal(Role::Property, "bad<b>", &["0", "1"]),
            signal(Role::Input, "go", &["x", "1"]),
            signal(Role::State, "count", &["00001111", "1x010000"]),
            signal(Role::State, "still", &["1", "1"]),
        ],
        left_out: vec!["memory m is not shown".to_owned()],
    });
    let text = shown(section);
    assert!(text.contains("in steps 0 to 1") && text.contains("bad&lt;b&gt;"));
    assert!(text.contains(">0f<") && text.contains(">x0<"), "words are hexadecimal");
    assert!(text.contains("Signals that do not change: 1") && text.contains("memory m"));
}

#[test]
fn an_invariant_is_listed_and_frames_are_drawn() {
    let mut section = section(Outcome::Safe);
    section.invariant = (0..50).map(|at| format!("a<{at}> | !b")).collect();
    let event = Event::Frames { sizes: vec![3, 0, 5], infinite: 2 };
    section.timeline.hear(&Note { engine: "ic3", at: Duration::from_millis(3), event });
    let text = shown(section);
    assert!(text.contains("a&lt;0&gt; | !b") && text.contains("… and 10 more"));
    assert!(text.contains("level 3: 5") && text.contains("level ∞: 2"));
}
