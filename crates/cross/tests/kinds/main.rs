//! Ways between kinds of problems: what is found on one side is proved and checked on the other.

mod horn;
mod machine;
mod roads;
mod views;
mod ways;

use alphorn_engine::{Ctx, Stop, Stopper};
use alphorn_hw::engines::WORDS_ENGINES;
use alphorn_problem::{Finding, Words};

/// What the engine called `name` finds.
pub fn find(name: &str, system: &Words, ticks: u64) -> Result<Finding<Words>, Stop> {
    let card = WORDS_ENGINES.iter().find(|card| card.name == name).expect("an engine");
    with_ctx(ticks, |ctx| (card.build)().run(system, ctx))
}

/// Works with so many ticks.
pub fn with_ctx<R>(ticks: u64, work: impl FnOnce(&mut Ctx<'_>) -> R) -> R {
    work(&mut Ctx::new(ticks, Stopper::new(), 1, &mut |_| {}))
}
