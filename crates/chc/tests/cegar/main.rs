//! The engines `cegar…`: the systems of the thesis, what refinement needs, and random systems; evidence
//! is always checked.

#![allow(clippy::unwrap_used)]

mod hints;
mod random;
mod small;

use alphorn_chc::engines::{HORN_ENGINES, HORN_VARIANTS};
use alphorn_engine::Event;
use alphorn_horn::conclude;
use alphorn_problem::Horn;
use alphorn_testkit::horn::judge;
use alphorn_testkit::read::horn as read;

/// All engines of the kind.
const ALL: [&str; 5] = ["cegar", "cegar-di", "cegar-global", "cegar-path", "cegaar"];

/// Engines and presets.
static ENGINES: judge::Engines =
    judge::Engines { tables: &[HORN_ENGINES, HORN_VARIANTS], conclude, ticks: 3_000_000 };

fn ask(name: &str, horn: &Horn, ticks: u64) -> (String, Vec<Event>) {
    ENGINES.ask(name, horn, ticks)
}

#[track_caller]
fn check(engines: &[&str], text: &str, expected: &str) {
    ENGINES.check(engines, &read(text), expected);
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
