//! Transition systems: linear Horn systems as states, steps and bad states.
//!
//! Most linear Horn systems that people write are one loop: a predicate, a clause that starts it, one
//! that goes round, and a query. Engines for transition systems see such a system as formulas over a
//! state and the next one. Systems with several predicates become one loop by a location.
//!
//! - `system`: the formulas
//! - `fold`: from Horn clauses to formulas
//! - `back`: from invariants to definitions, from paths to derivations
//! - `exchange`: lemmas of other engines
//! - `closed`: systems whose bad states have no inputs
//! - `guess`: invariants that are easily found; `path`: values for paths
//! - `unroll`: states in a row; `strengthen`: from k-inductive formulas to invariants
//! - `backward`: the system from its other end
//! - `bmc`, `kind`, `pdkind`, `imc`, `image`, `ic3`, `tpa`: methods
//!
//! An engine for transition systems is an implementation of [`Method`]; `Folded` makes a Horn engine
//! of it. It says an invariant or a path of states, and what it says is proved clause by clause, or
//! given values step by step, before it is an answer.

mod back;
pub(crate) mod backward;
pub(crate) mod bmc;
mod closed;
mod exchange;
mod exhaust;
mod fold;
mod guess;
pub(crate) mod ic3;
pub(crate) mod image;
pub(crate) mod imc;
pub(crate) mod kind;
mod path;
pub(crate) mod pdkind;
mod strengthen;
mod system;
#[cfg(test)]
mod tests;
pub(crate) mod tpa;
mod unroll;

use fold::fold;
pub(crate) use system::System;
pub(crate) use unroll::values;

use alphorn_engine::{Ctx, Engine, Stop};
use alphorn_problem::{Finding, Horn};
use alphorn_term::{Store, TermId, Value};

/// What a method finds out about a transition system.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one per run")]
pub(crate) enum Decided {
    /// A formula over the state that holds initially, is kept by steps and excludes the bad states;
    /// its terms are in the store, which extends the system's.
    Invariant(Store, TermId),
    /// The states of a path from an initial state to a bad one, as values of the state variables.
    Path(Vec<Vec<Value>>),
}

/// A procedure that decides transition systems.
pub(crate) trait Method: Send {
    /// Decides `system`, or says why not.
    fn decide(&mut self, system: &System, ctx: &mut Ctx<'_>) -> Result<Decided, Stop>;
}

/// A method as an engine for linear Horn systems.
pub(crate) struct Folded<M>(pub(crate) M);

impl<M: Method> Engine<Horn> for Folded<M> {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        let fold = fold(horn)?;
        if let Some(derivation) = fold.at_once(horn, ctx)? {
            return Ok(Finding::Fails(derivation));
        }
        match self.0.decide(&fold.system, ctx)? {
            Decided::Invariant(store, invariant) => {
                Ok(Finding::Holds(fold.claim(horn, store, invariant)?))
            }
            Decided::Path(states) => Ok(Finding::Fails(fold.derivation(horn, &states, ctx)?)),
        }
    }
}
