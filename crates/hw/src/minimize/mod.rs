//! Small inductive invariants: a subset of the clauses that is still an invariant.
//!
//! Engines learn more than they need. Given an inductive invariant of clauses that excludes the bad
//! states, find a subset that is one as well. A clause is *supported* by a set if the set, one step
//! before, implies it; the property is supported if the set implies it in the same step. A subset will
//! do if it supports each of its members and the property. Support grows with the set, which is all
//! that the methods rest on:
//!
//! * `nec` collects clauses that every such subset has (an under-approximation),
//! * `feas` adds, round by round, a minimal set of clauses that supports what was added before,
//! * `msis` removes clauses until nothing can be removed any more: the result is minimal.
//!
//! Initiation needs no attention, since a subset of clauses that hold at first holds at first. After
//! Ivrii, Gurfinkel, Belov, "Small Inductive Safe Invariants" (FMCAD 2014). We differ in the property,
//! which may depend on inputs and is therefore not one of the clauses, and in remembering for each
//! clause what supported it, so that it is looked at again only when some of that is removed.

mod feas;
mod msis;
mod nec;
mod support;
#[cfg(test)]
mod tests;

use crate::certify::shrink;
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit;
use support::{Element, Support};

/// How hard to look for a small invariant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// What the proofs of the obligations use.
    Quick,
    /// The clauses every subset has, and what these need, as one solver's answer says it.
    Nec,
    /// The same, but of each round's answer a minimal part.
    Feas,
    /// A subset of which nothing can be removed.
    #[default]
    Msis,
}

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
    let small = choose(circuit, property, clauses, ctx, |support, ctx| {
        let necessary = nec::nec(support, ctx)?;
        feas::feas(support, &necessary, effort != Effort::Nec, ctx)
    })?;
    let small = match effort {
        // Fewer clauses to choose from make more of them necessary.
        Effort::Msis => choose(circuit, property, small, ctx, |support, ctx| {
            let necessary = nec::nec(support, ctx)?;
            msis::msis(support, &necessary, ctx)
        })?,
        _ => small,
    };
    ctx.emit(Event::Remark(format!("{} of {found} clauses are an invariant", small.len())));
    Ok(small)
}

/// The clauses whose positions a method chooses.
fn choose(
    circuit: &Circuit,
    property: usize,
    clauses: Vec<Vec<Lit>>,
    ctx: &mut Ctx<'_>,
    method: impl FnOnce(&mut Support, &mut Ctx<'_>) -> Result<Vec<usize>, Stop>,
) -> Result<Vec<Vec<Lit>>, Stop> {
    let mut support = Support::new(circuit, property, &clauses).map_err(Stop::Stuck)?;
    let mut chosen = method(&mut support, ctx)?;
    chosen.sort_unstable();
    let mut clauses: Vec<Option<Vec<Lit>>> = clauses.into_iter().map(Some).collect();
    Ok(chosen.into_iter().filter_map(|index| clauses[index].take()).collect())
}
