//! Clauses about a circuit, in the variables of what transforms made of it.
//!
//! Transforms know the way back only. What each latch of the small circuit was is read off there: a clause
//! of all its latches is carried back, and its literals are what they were. A clause about latches that
//! are gone is left out. What comes out of it is a hint, since a transform may have changed what a latch
//! says; whoever takes it must try whether it holds.

use alphorn_engine::{Back, Ctx};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::{CircuitClaim, Invariant};
use rustc_hash::FxHashMap;

/// Those of the clauses over latches that can be said about the small circuit, which `back` leads back
/// from.
pub fn carry_forward(
    clauses: &[Vec<Lit>],
    small: &Circuit,
    back: &Back<Circuit, Circuit>,
    ctx: &mut Ctx<'_>,
) -> Vec<Vec<Lit>> {
    if clauses.is_empty() {
        return Vec::new();
    }
    let latches: Vec<Lit> = (0..small.latches.len()).map(|index| small.latch(index)).collect();
    let Some(origins) = origins(&latches, back, ctx) else { return Vec::new() };
    let mut images: FxHashMap<u32, Lit> = FxHashMap::default();
    for (origin, latch) in origins.iter().zip(&latches) {
        images.insert(origin.var(), latch.xor(origin.is_negated()));
    }
    let image = |lit: &Lit| images.get(&lit.var()).map(|image| image.xor(lit.is_negated()));
    clauses.iter().filter_map(|clause| clause.iter().map(image).collect()).collect()
}

/// What each latch was, if all of them are still something.
pub fn origins(
    latches: &[Lit],
    back: &Back<Circuit, Circuit>,
    ctx: &mut Ctx<'_>,
) -> Option<Vec<Lit>> {
    let invariant = Invariant::Clauses(vec![latches.to_vec()]);
    let claim = CircuitClaim::of(invariant);
    match back.claim(claim, ctx).ok()?.invariant {
        Invariant::Clauses(clauses) => {
            clauses.into_iter().find(|clause| clause.len() == latches.len())
        }
        _ => None,
    }
}
