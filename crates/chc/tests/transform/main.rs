//! Transforms of Horn systems: what each does, the same verdict before and after, and evidence that
//! the checker accepts about the original.

#![allow(clippy::unwrap_used)]

mod arrays;
mod bounds;
mod contract;
mod data;
mod random;
mod rounds;
mod size;
mod small;

use alphorn_chc::engines::HORN_ENGINES;
use alphorn_engine::{Back, Ctx, Stop, Stopper};
use alphorn_horn::{Simplified, TRANSFORMS, TransformCard, conclude, simplify_with};
use alphorn_problem::{Finding, Horn, Verdict};
pub use alphorn_testkit::read::horn as read;

const PLENTY: u64 = 20_000_000;

/// The transforms called so.
#[track_caller]
pub fn cards(names: &[&str]) -> Vec<&'static TransformCard> {
    let card = |name: &&str| TRANSFORMS.iter().find(|card| card.name == *name);
    names.iter().map(|name| card(name).expect("a transform of this name")).collect()
}

/// The system after some transforms, and the way back.
#[track_caller]
pub fn transformed(horn: &Horn, cards: &[&TransformCard]) -> (Horn, Back<Horn, Horn>) {
    let mut sink = |_| ();
    let mut ctx = Ctx::new(PLENTY, Stopper::new(), 1, &mut sink);
    let simplified = simplify_with(horn, cards, &mut ctx).expect("plenty of ticks");
    let Simplified { horn: changed, back, origins, .. } = simplified;
    assert_eq!(origins.len(), changed.clauses.len());
    assert!(origins.iter().flatten().all(|clause| clause.index() < horn.clauses.len()));
    changed.validate().expect("the changed system is well formed");
    assert!(changed.terms.extends(&horn.terms));
    (changed, back)
}

/// What the engine `pdr` says about a system, if it decides it.
pub fn decided(horn: &Horn) -> Result<Finding<Horn>, Stop> {
    let card = HORN_ENGINES.iter().find(|card| card.name == "pdr").expect("a registered engine");
    let mut sink = |_| ();
    let mut ctx = Ctx::new(PLENTY, Stopper::new(), 1, &mut sink);
    (card.build)().run(horn, &mut ctx)
}

/// What the engine `pdr` finds of a system.
#[track_caller]
pub fn finding(horn: &Horn) -> Finding<Horn> {
    decided(horn).expect("the engine decides it")
}

/// What was found of the changed system as a verdict on the original, or why there is none.
pub fn carried(
    horn: &Horn,
    back: &Back<Horn, Horn>,
    finding: Finding<Horn>,
) -> Result<Verdict<Horn>, Stop> {
    let mut sink = |_| ();
    let mut ctx = Ctx::new(PLENTY, Stopper::new(), 1, &mut sink);
    let finding = back.finding(finding, &mut ctx)?;
    conclude(horn, finding, &mut ctx)
}

/// Whether the checker accepts a verdict about a system: the verdict in a word, or why not.
pub fn accepted(horn: &Horn, verdict: &Verdict<Horn>) -> Result<&'static str, String> {
    match verdict {
        Verdict::Safe(model) => alphorn_check::horn::check_model(horn, model).map(|_| "safe"),
        Verdict::Unsafe(derivation) => {
            alphorn_check::horn::check_derivation(horn, derivation).map(|()| "unsafe")
        }
    }
    .map_err(|refusal| format!("{refusal:?}"))
}
