//! Which advice is given after which attempts.

use super::*;
use crate::open::open_bytes;
use alphorn_engine::{Event, Note};

const TEXT: &str = "(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (P 0))
(assert (forall ((x Int)) (! (=> (P x) (P (+ x 2))) :named step)))
(assert (forall ((x Int)) (=> (and (P x) (= x 7)) false)))
(check-sat)";

fn attempt(engine: &'static str, ended: Ended) -> Attempt {
    Attempt { engine, ended, time: Duration::from_secs(1), ticks: 1 }
}

fn advice(attempts: &[Attempt], notes: &[(&'static str, Event)], config: &Config) -> Advice {
    let opened = open_bytes("t.smt2", TEXT.as_bytes().to_vec(), None);
    let mut collector = Collector::default();
    for (engine, event) in notes {
        collector.hear(&Note { engine, at: Duration::ZERO, event: event.clone() });
    }
    let partial = collector.partial();
    let run = Run {
        opened: &opened,
        config,
        attempts,
        collector: &collector,
        partial: partial.as_ref(),
        stopped: None,
        time: Duration::from_secs(6),
    };
    run.advice()
}

fn out_of_time() -> Ended {
    Ended::Stopped(Stop::Budget(Limit::Time))
}

fn candidate(formula: String) -> Event {
    Event::Candidate { predicate: "P".to_owned(), formula, clauses: vec![1] }
}

#[test]
fn who_came_furthest_is_named_with_the_clause_that_breaks_its_candidate() {
    let attempts = [attempt("bmc", out_of_time()), attempt("pdr", out_of_time())];
    let mut notes = vec![
        ("bmc", Event::Bound { depth: 500 }),
        ("pdr", Event::Bound { depth: 9 }),
        ("pdr", Event::Lemmas { count: 30 }),
    ];
    notes.extend((1..6).map(|n| ("pdr", candidate(format!("(<= x {n})")))));
    let advice = advice(&attempts, &notes, &Config::default());
    assert_eq!(advice.detail, "out of time");
    assert_eq!(
        advice.why,
        [
            "pdr came furthest (depth 9, 30 lemmas): out of time",
            "bmc looked deepest: no counterexample up to depth 500",
            "the last candidate of pdr for P, (<= x 5), is broken by clause 1 step (line 4)",
        ]
    );
    assert!(advice.hints[0].starts_with("--engine "), "{:?}", advice.hints);
    let with = "--with intervals,octagons,congruences: ";
    assert!(advice.hints.iter().any(|hint| hint.starts_with(with)), "{:?}", advice.hints);
    assert!(advice.hints.iter().any(|hint| hint.contains("up to 500 there is none")));
    assert_eq!(
        advice.hints.last().map(String::as_str),
        Some("a longer --time (it was over after 6.0 s)")
    );
}

#[test]
fn a_candidate_without_a_proof_came_further_than_a_search() {
    let unproved = || {
        let reason = "its proof could not be written down at the step (or a b)".to_owned();
        Ended::Stopped(Stop::Unproved { clauses: vec![1], reason })
    };
    let attempts =
        [attempt("bmc", out_of_time()), attempt("kind", unproved()), attempt("pdr", unproved())];
    let notes = [("bmc", Event::Bound { depth: 5 }), ("pdr", Event::Bound { depth: 2 })];
    let advice = advice(&attempts, &notes, &Config::default());
    let first = "pdr came furthest (depth 2): a candidate for a model is not proved at clause 1 \
                 step (line 4): its proof could not be written down at the step (or a b)";
    assert_eq!(advice.why[0], first);
    assert_eq!(advice.why[1], "kind ended at the same clause, for the same reason");
    assert!(advice.hints.iter().any(|hint| hint.starts_with("--without all")));
}

#[test]
fn options_that_got_in_the_way_are_named() {
    let config = Config {
        engines: vec!["bmc".to_owned()],
        without: vec!["inline".to_owned()],
        ..Config::default()
    };
    let advice = advice(&[attempt("bmc", out_of_time())], &[], &config);
    assert!(advice.hints[0].starts_with("without --engine bmc"), "{:?}", advice.hints);
    assert!(advice.hints[1].starts_with("without --without inline"), "{:?}", advice.hints);
}

#[test]
fn more_time_is_never_the_only_advice() {
    let endings = [
        out_of_time(),
        Ended::Abandoned,
        Ended::Stopped(Stop::Budget(Limit::Memory)),
        Ended::Stopped(Stop::Stuck("no more".to_owned())),
        Ended::Stopped(Stop::Unsupported("words".to_owned())),
        Ended::Panicked("index".to_owned()),
    ];
    for ended in endings {
        let attempts = [attempt("pdr", ended)];
        for bound in [None, Some(3)] {
            let advice = advice(&attempts, &[], &Config { bound, ..Config::default() });
            let other = advice.hints.iter().filter(|hint| !hint.contains("--time"));
            assert!(other.count() > 0, "{attempts:?} {:?}", advice.hints);
        }
    }
}

#[test]
fn a_fault_names_its_engine() {
    let attempts =
        [attempt("pdr", Ended::Refused("step 3".to_owned())), attempt("bmc", out_of_time())];
    let advice = advice(&attempts, &[], &Config::default());
    assert_eq!(advice.detail, "an engine failed; nothing it said was believed");
    assert!(advice.why[0].starts_with("pdr its evidence was refused"), "{:?}", advice.why);
    assert_eq!(advice.hints[1], "--engine bmc: the others alone");
}

#[test]
fn transforms_that_are_advised_exist() {
    for name in RELATIONS {
        assert!(TRANSFORMS.iter().any(|card| card.name == name && !card.is_default), "{name}");
    }
}
