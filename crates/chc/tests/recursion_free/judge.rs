//! One way to have evidence judged.

use alphorn_chc::engines::HORN_ENGINES;
use alphorn_check::accept::accept;
use alphorn_engine::{Ctx, Stopper};
use alphorn_horn::conclude;
use alphorn_problem::{Horn, Verdict};
pub use alphorn_testkit::read::horn as read;

/// What `act` makes of a context with plenty of ticks.
pub fn with_ticks<T>(act: impl FnOnce(&mut Ctx<'_>) -> T) -> T {
    let mut sink = |_| {};
    act(&mut Ctx::new(50_000_000, Stopper::new(), 1, &mut sink))
}

/// The verdict in a word, once the checker has accepted its evidence.
#[track_caller]
pub fn judge(horn: &Horn, verdict: Verdict<Horn>) -> &'static str {
    let word = match &verdict {
        Verdict::Safe(_) => "safe",
        Verdict::Unsafe(_) => "unsafe",
    };
    if let Err(refusal) = accept(horn, (), verdict) {
        panic!("the evidence for {word} is refused: {refusal}");
    }
    word
}

/// Runs the engine and says in a word what came of it; evidence is checked.
#[track_caller]
pub fn run(horn: &Horn) -> String {
    let card = HORN_ENGINES.iter().find(|card| card.name == "recursion-free").unwrap();
    match with_ticks(|ctx| {
        let finding = (card.build)().run(horn, ctx)?;
        conclude(horn, finding, ctx)
    }) {
        Ok(verdict) => judge(horn, verdict).to_owned(),
        Err(stop) => format!("{stop:?}"),
    }
}
