//! The engines `cegar…`: the systems of the thesis, what refinement needs, and random systems; evidence
//! is always checked.

#![allow(clippy::unwrap_used)]

mod random;
mod small;

use alphorn_chc::engines::{HORN_ENGINES, HORN_VARIANTS};
use alphorn_engine::{Card, Event};
use alphorn_horn::conclude;
use alphorn_problem::Horn;
use alphorn_testkit::horn::judge;
use alphorn_testkit::read::horn as read;

/// All engines of the kind.
const ALL: [&str; 5] = ["cegar", "cegar-di", "cegar-global", "cegar-path", "cegaar"];

/// What an engine says, in a line, with the events.
#[track_caller]
fn ask(name: &str, horn: &Horn, ticks: u64) -> (String, Vec<Event>) {
    let (line, _, events) = judge::run(card(name), horn, ticks, conclude);
    (line, events)
}

/// The card of an engine or of a preset.
#[track_caller]
fn card(name: &str) -> &'static Card<Horn> {
    judge::card(&[HORN_ENGINES, HORN_VARIANTS], name)
}

/// Asks each engine, and compares the line.
#[track_caller]
fn check(engines: &[&str], text: &str, expected: &str) {
    let horn = read(text);
    for engine in engines {
        let (line, events) = ask(engine, &horn, 3_000_000);
        assert_eq!(line, expected, "{engine}");
        assert_eq!((line, events), ask(engine, &horn, 3_000_000), "two runs are the same run");
    }
}

/// How often an engine refined a system that it decides.
#[track_caller]
fn rounds(engine: &str, text: &str) -> u64 {
    let (line, events) = ask(engine, &read(text), 3_000_000);
    assert!(line == "safe" || line.starts_with("unsafe"), "{engine}: {line}");
    let mut remarks = events.iter().filter_map(|event| match event {
        Event::Remark(text) => text.split_once(" rounds, ")?.0.parse().ok(),
        _ => None,
    });
    remarks.next_back().expect("a remark says how many rounds there were")
}
