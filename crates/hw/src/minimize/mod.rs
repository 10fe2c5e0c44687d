//! Small inductive invariants: a subset of the clauses that is still an invariant.
//!
//! The methods are those of `alphorn_engine::subset`; here are the questions that they ask of a solver.
//! Initiation needs no attention, since a subset of clauses that hold at first holds at first. The
//! property may depend on inputs and is therefore not one of the clauses.

mod support;
#[cfg(test)]
mod tests;

use crate::certify::shrink;
use alphorn_engine::subset::small;
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit;
use support::Clauses;

pub use alphorn_engine::subset::Effort;

/// A subset of the clauses of an inductive invariant that is an inductive invariant and proves a
/// safety property of a valid circuit; of the property's proof the caller is to be sure.
pub fn minimize(
    circuit: &Circuit,
    property: usize,
    clauses: Vec<Vec<Lit>>,
    effort: Effort,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Vec<Lit>>, Stop> {
    let found = clauses.len();
    let clauses = shrink(circuit, property, clauses, ctx)?;
    if effort == Effort::Quick || clauses.is_empty() || clauses.iter().any(Vec::is_empty) {
        return Ok(clauses);
    }
    let make = |among: &[usize]| {
        let among: Vec<Vec<Lit>> = among.iter().map(|&index| clauses[index].clone()).collect();
        Clauses::new(circuit, property, &among).map_err(Stop::Stuck)
    };
    let subset = small(clauses.len(), make, effort, ctx)?;
    let count = subset.members.len();
    let least = if subset.is_least { ", and fewer of them are not" } else { "" };
    ctx.emit(Event::Remark(format!("{count} of {found} clauses are an invariant{least}")));
    let mut clauses: Vec<Option<Vec<Lit>>> = clauses.into_iter().map(Some).collect();
    Ok(subset.members.into_iter().filter_map(|index| clauses[index].take()).collect())
}
