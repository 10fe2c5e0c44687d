//! The engines `duality` and `la`: the systems of the papers, every preset, and random systems;
//! evidence is always checked.

#![allow(clippy::unwrap_used)]

mod data;
mod marks;
mod papers;
mod random;

use alphorn_chc::engines::{HORN_ENGINES, HORN_VARIANTS};
use alphorn_engine::Event;
use alphorn_horn::conclude;
use alphorn_problem::Horn;
use alphorn_testkit::horn::judge;
use alphorn_testkit::read::horn as read;

/// Engines and presets.
static ENGINES: judge::Engines =
    judge::Engines { tables: &[HORN_ENGINES, HORN_VARIANTS], conclude, ticks: 2_000_000 };

fn ask(name: &str, horn: &Horn, ticks: u64) -> (String, Vec<Event>) {
    ENGINES.ask(name, horn, ticks)
}

#[track_caller]
fn check(engines: &[&str], text: &str, expected: &str) {
    ENGINES.check(engines, &read(text), expected);
}
