//! The engines `duality` and `la`: the systems of the papers, every preset, and random systems;
//! evidence is always checked.

#![allow(clippy::unwrap_used)]

mod data;
#[allow(dead_code)]
#[path = "../horn/judge.rs"]
mod judge;
mod marks;
mod papers;
mod random;

use alphorn_chc::conclude;
use alphorn_chc::engines::{HORN_ENGINES, HORN_VARIANTS};
use alphorn_engine::{Card, Ctx, Event, Stop, Stopper};
use alphorn_problem::Horn;
use judge::read;

/// The card of an engine or of a preset.
fn card(name: &str) -> &'static Card<Horn> {
    let mut all = HORN_ENGINES.iter().chain(HORN_VARIANTS);
    all.find(|card| card.name == name).expect("a registered engine")
}

/// What an engine says, in a line, with the events.
fn ask(name: &str, horn: &Horn, ticks: u64) -> (String, Vec<Event>) {
    let mut events = Vec::new();
    let mut sink = |event| events.push(event);
    let mut ctx = Ctx::new(ticks, Stopper::new(), 1, &mut sink);
    let finding = (card(name).build)().run(horn, &mut ctx);
    let line = match finding.and_then(|finding| conclude(horn, finding, &mut ctx)) {
        Ok(verdict) => judge::judge(horn, &verdict),
        Err(Stop::Budget(limit)) => limit.describe().to_owned(),
        Err(Stop::Unsupported(text)) => format!("unsupported: {text}"),
        Err(stop) => format!("stuck: {}", stop.describe()),
    };
    (line, events)
}

/// Asks each engine, and compares the line.
#[track_caller]
fn check(engines: &[&str], text: &str, expected: &str) {
    let horn = read(text);
    for engine in engines {
        let (line, events) = ask(engine, &horn, 2_000_000);
        assert_eq!(line, expected, "{engine}");
        assert_eq!((line, events), ask(engine, &horn, 2_000_000), "two runs are the same run");
    }
}
