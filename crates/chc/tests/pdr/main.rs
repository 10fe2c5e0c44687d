//! The engine `pdr`: small systems of each shape, and random ones; evidence is always checked.

#![allow(clippy::unwrap_used)]

mod random;
mod small;

use alphorn_chc::engines::{HORN_ENGINES, HORN_VARIANTS};
use alphorn_engine::Event;
use alphorn_horn::conclude;
use alphorn_problem::Horn;
use alphorn_testkit::horn::judge;

/// Runs the engine called `name` for at most `ticks`; what it says in a line, the ticks used, the events.
#[track_caller]
fn run(name: &str, horn: &Horn, ticks: u64) -> (String, u64, Vec<Event>) {
    judge::run(judge::card(&[HORN_ENGINES, HORN_VARIANTS], name), horn, ticks, conclude)
}
