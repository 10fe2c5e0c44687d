//! What must be on a page, and what must never be.

use super::*;
use crate::answer::{AttemptLine, Checked, Formula, Partial, Phase};
use alphorn_engine::{Event, Note, UnwoundInstance};
use alphorn_front::evidence::{
    Told, ToldChoice, ToldEdge, ToldLabel, ToldLevel, ToldState, ToldTransition, TreeLine, Why,
};
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
        functions: Vec::new(),
        predicates: vec![Predicate {
            name: "|P<i>|".to_owned(),
            definition: Some("(< x 5)".to_owned()),
            clauses: vec![ClauseText {
                id: 1,
                title: "clause 0 (line 2)".to_owned(),
                text: "(=> (< x 0) (|P<i>| x))".to_owned(),
                is_used: true,
            }],
        }],
        derivation: Vec::new(),
        invariant: Vec::new(),
        source: Vec::new(),
        lanes: None,
        waveform: None,
        explanation: Vec::new(),
        flow: None,
        files: vec![("the model".to_owned(), "model.smt2".to_owned())],
        check: Some(shell(&["alphorn", "check", "a<b>.smt2", "out/model.smt2"])),
    }
}

fn shown(section: Section) -> String {
    shown_all(vec![section])
}

fn shown_all(sections: Vec<Section>) -> String {
    let run = RunFacts {
        version: "1.2.3".to_owned(),
        date: "2001-02-03 <i>".to_owned(),
        command: "alphorn '<script>' --seed 7".to_owned(),
        settings: vec![("seed".to_owned(), "7".to_owned())],
    };
    let file = sections.first().map_or(String::new(), |section| section.answer.file.clone());
    let text = page(&Page { file, run, sections });
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
    assert!(text.contains("<path class=\"series c0 d0\" d=\"M"), "the bounds are drawn");
    assert!(text.contains("alphorn check &#39;a&lt;b&gt;.smt2&#39; out/model.smt2"), "{text}");
    assert!(text.contains("alphorn &#39;&lt;script&gt;&#39; --seed 7") && text.contains("1.2.3"));
    assert!(text.contains("2001-02-03 &lt;i&gt;"), "{text}");
}

#[test]
fn functions_that_invariants_use_are_defined_before_them() {
    let mut section = section(Outcome::Safe);
    section.functions = vec!["(define-funs-rec ((size<i> ((x T)) Int)) (0))".to_owned()];
    let text = shown(section);
    let (function, invariant) = (text.find("size&lt;i&gt;"), text.find("(&lt; x 5)"));
    assert!(function.is_some() && function < invariant, "{text}");
}

#[test]
fn charts_of_short_runs_are_folded() {
    for (milliseconds, is_open) in [(999, false), (1000, true)] {
        let mut section = section(Outcome::Safe);
        section.answer.milliseconds = milliseconds;
        let text = shown(section);
        let (_, after) = text.split_once("</header>").expect("a page has a header");
        let (before, _) = after.split_once("Where the time went").expect("a page says where");
        assert_eq!(before.ends_with("<details open><summary><h2>"), is_open, "{before}");
    }
}

#[test]
fn several_properties_are_one_page_with_a_line_each() {
    let mut sections: Vec<Section> = (0..5).map(|_| section(Outcome::Safe)).collect();
    sections[3] = section(Outcome::Unsafe);
    sections[3].derivation = vec![step(0, &[]), step(1, &[0])];
    for (at, section) in sections.iter_mut().enumerate() {
        section.answer.property = format!("bad {at}");
        section.answer.name = Some(format!("<b>{at}"));
    }
    let text = shown_all(sections);
    assert_eq!(text.matches("<h1>").count(), 1);
    for at in 0..5 {
        assert!(text.contains(&format!("href=\"#p{at}\"")), "{at}");
        assert!(text.contains(&format!("id=\"p{at}\"")), "{at}");
        assert!(text.contains(&format!("bad {at} “&lt;b&gt;{at}”")), "{at}");
    }
    assert!(text.contains("5 properties: 4 <span"), "{text}");
    assert_eq!(text.matches("<details class=\"property\" open>").count(), 1, "what is violated");
    assert!(text.contains("id=\"p3-s2\"") && text.contains("href=\"#p3-s1\""));
    let ids: Vec<&str> = text.split(" id=\"").skip(1).filter_map(|t| t.split('"').next()).collect();
    let distinct: std::collections::BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), distinct.len(), "{ids:?}");
}

fn step(step: usize, premises: &[usize]) -> Step {
    let line = TreeLine {
        step,
        fact: format!("(P<i> {step})"),
        clause: "clause 1 (line 2)".to_owned(),
        values: vec!["k<i> = 3".to_owned()],
        changes: None,
        premises: premises.to_vec(),
        rounds: None,
    };
    Step { line, clause: 1, arguments: vec![format!("n = {step}")] }
}

#[test]
fn a_derivation_is_listed_with_its_clauses_and_drawn() {
    let mut section = section(Outcome::Unsafe);
    section.derivation = vec![step(0, &[]), step(1, &[0]), step(2, &[1, 0]), step(3, &[2])];
    let text = shown(section);
    assert_eq!(text.matches("class=\"node").count(), 4);
    assert_eq!(text.matches("class=\"edge\"").count(), 4);
    assert_eq!(text.matches("class=\"step\"").count(), 3);
    assert_eq!(text.matches("class=\"step query\"").count(), 1);
    assert!(text.contains("from <a href=\"#s2\">2</a>, <a href=\"#s1\">1</a>"), "{text}");
    assert!(text.contains("n = 2; with k&lt;i&gt; = 3"), "{text}");
    // Beside the first step that uses it, and among all clauses.
    assert_eq!(text.matches("(=&gt; (&lt; x 0) (|P&lt;i&gt;| x))").count(), 2);
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
    section.derivation = vec![step(0, &[])];
    section.derivation.extend((1..5000).map(|number| step(number, &[number - 1])));
    let text = shown(section);
    assert!(text.contains("steps 2 to 4999: the step before, 4998 more times"), "{text}");
    assert!(text.contains(" are in the file of evidence."));
    assert!(text.matches("class=\"step").count() < 2100);
    assert!(text.contains("id=\"s1\"") && text.contains("id=\"s5000\""), "the ends are shown");
    assert!(!text.contains("class=\"node"));
}

#[test]
fn an_undecided_page_says_what_was_found_out() {
    let mut section = section(Outcome::Unknown);
    let formula = Formula {
        engine: "pdr".to_owned(),
        predicate: "P".to_owned(),
        formula: "(<= 0 x)".to_owned(),
        clauses: vec![1, 2],
    };
    section.answer.bound = Some(41);
    section.answer.why = vec!["pdr came furthest & stopped".to_owned()];
    section.answer.hints = vec!["another <engine>".to_owned()];
    section.answer.partial = Some(Partial {
        proved: vec![Formula { clauses: Vec::new(), ..formula.clone() }],
        candidates: vec![formula],
        patterns: vec!["x <= 1, x <= 2, …".to_owned()],
    });
    let text = shown(section);
    let parts = [
        "depth 41",
        "(&lt;= 0 x)",
        "<a href=\"#c1\">clause 0 (line 2)</a>, clause 2",
        "x &lt;= 1, x &lt;= 2",
        "furthest &amp; stopped",
        "another &lt;engine&gt;",
    ];
    for part in parts {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert_eq!(text.matches("fails at").count(), 1, "what holds for good fails nowhere");
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
        loop_start: None,
    });
    let text = shown(section);
    assert!(text.contains("in steps 0 to 1") && text.contains("bad&lt;b&gt;"));
    assert!(text.contains(">0f<") && text.contains(">x0<"), "words are hexadecimal");
    assert!(text.contains("Signals that do not change: 1") && text.contains("memory m"));
}

#[test]
fn a_loop_is_marked_and_long_runs_are_cut_in_order() {
    use crate::waveform::{Role, Signal, Waveform};
    let signal =
        |role, name: &str, bits: String| Signal { role, name: name.to_owned(), width: 1, bits };
    let mut section = section(Outcome::Unsafe);
    section.waveform = Some(Waveform {
        signals: vec![
            signal(Role::Property, "starves", "0".repeat(799) + "1"),
            signal(Role::State, "turn", "01".repeat(400)),
        ],
        left_out: Vec::new(),
        loop_start: Some(700),
    });
    let text = shown(section);
    assert!(
        text.contains("After step 799 comes step 700 again: steps 700 to 799 repeat"),
        "{text}"
    );
    assert_eq!(text.matches("class=\"loop\"").count(), 2, "in the pieces that have steps of it");
    let places: Vec<Option<usize>> =
        ["steps 0 to 249<", "steps 250 to 499<", "steps 500 to 749<", "steps 750 to 799<"]
            .map(|piece| text.find(piece))
            .to_vec();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}");
    assert_eq!(text.matches("<summary class=\"faint\">steps").count(), 2, "the middle is folded");
    assert_eq!(text.matches("<code>turn</code>").count(), 4, "each piece has the names");
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

/// A flow with `count` locations in a circle, a loop at each, and two ways from the first to the second.
fn circle(count: usize, why: Why) -> Told {
    let name = |at: usize| format!("<i>{at}");
    let step = |from: usize, to: usize| ToldTransition {
        from,
        to,
        name: format!("transition <b> ({from} to {to})"),
        relation: "assume(x < 0 && \"y\" > 0)".to_owned(),
    };
    let around = (0..count).flat_map(|at| [step(at, (at + 1) % count), step(at, at)]);
    Told {
        variables: vec!["<script>".to_owned()],
        locations: (0..count).map(name).collect(),
        starts: vec![0],
        transitions: around.chain([step(0, 1 % count)]).collect(),
        why,
    }
}

fn shown_flow(told: Told) -> String {
    shown(Section { flow: Some(told), ..section(Outcome::Safe) })
}

#[test]
fn ranks_are_drawn_beside_locations_and_colour_what_they_remove() {
    let level = |removed: &[usize]| ToldLevel {
        functions: vec![vec!["x<1".to_owned(); 3]],
        least: "1".to_owned(),
        removed: removed.iter().map(|&transition| ToldEdge { transition, when: None }).collect(),
    };
    let invariants = vec![None, Some("(< x 5)".to_owned()), None];
    let levels = vec![level(&[0, 1]), level(&[3, 5])];
    let text = shown_flow(circle(3, Why::Levels { invariants, levels }));
    assert!(text.contains("Rank 2") && text.contains("(&lt; x 5)"), "{text}");
    let graph =
        text.split("the flow as a graph").nth(1).and_then(|rest| rest.split("</svg>").next());
    let text = graph.expect("a drawing");
    // Two colours of lines; three locations, each with both ranks; all seven transitions.
    assert_eq!(text.matches("class=\"series c0 d0\"").count(), 2, "{text}");
    assert_eq!(text.matches("class=\"series c1 d1\"").count(), 2, "{text}");
    assert_eq!(text.matches("class=\"edge covered\"").count(), 3, "{text}");
    assert_eq!(text.matches(">x&lt;1 · x&lt;1</text>").count(), 3, "{text}");
    // Nothing is drawn twice at one place.
    let lines: Vec<&str> = text.split("<path class=\"").skip(1).collect();
    let places: std::collections::BTreeSet<&str> =
        lines.iter().filter_map(|line| line.split(" d=\"").nth(1)?.split('"').next()).collect();
    assert_eq!(places.len(), lines.len(), "{text}");
}

#[test]
fn the_way_into_a_recurrence_is_marked_and_a_large_flow_is_told_without_a_drawing() {
    let state = |by, at| ToldState { by, at, values: vec!["7".to_owned()] };
    let why = |count: usize| Why::Recurrence {
        path: vec![state(None, 0), state(Some(0), 1)],
        sets: (0..count).map(|at| (at == 1).then(|| "x<9".to_owned())).collect(),
        choices: vec![ToldChoice { when: "true".to_owned(), transition: 3, changes: Vec::new() }],
    };
    let text = shown_flow(circle(3, why(3)));
    assert_eq!(text.matches("class=\"way\"").count(), 1, "{text}");
    assert_eq!(text.matches("class=\"loop-line\"").count(), 1, "{text}");
    assert_eq!(text.matches("class=\"node loop\"").count(), 1, "{text}");
    let functions = vec![("x<4".to_owned(), "1".to_owned())];
    let union = Why::Union { invariants: vec![None], cuts: vec![0], functions };
    let text = shown_flow(circle(1, union));
    assert!(text.contains("the flow as a graph") && text.contains("x&lt;4  (by 1)"), "{text}");
    let text = shown_flow(circle(100, why(100)));
    assert!(!text.contains("the flow as a graph") && text.contains("nothing changes"), "{text}");
}

#[test]
fn every_subformula_has_its_label() {
    let label = |formula: &str, is_said| ToldLabel {
        formula: formula.to_owned(),
        is_said,
        sets: vec![Some("x<2".to_owned()), None],
        choices: Vec::new(),
        stopped: vec![None, Some("x<3".to_owned())],
        levels: Vec::new(),
    };
    let labels = vec![label("(< x 2)", true), label("A[[0] W [0]]", false)];
    let text = shown_flow(circle(2, Why::Labels { first: None, labels }));
    assert!(text.contains("Why the formula holds") && text.contains("[0] (&lt; x 2)"), "{text}");
    assert_eq!(text.matches("No step from").count(), 1, "{text}");
}
