//! The system that rounds look at which can only refute.
//!
//! Bodies say what queries may need of what they conclude, as far as bounds tell: a pointer that every use takes to
//! be positive is sampled positive where it comes from, and a run does not die many steps later. Then predicates
//! that do not depend on themselves are unfolded (`unfold`).
//!
//! Invariant: an instance of a narrowed clause stands for instances of the clauses it is made of.

use super::derivation::derivation;
use super::facts::{Facts, Instance};
use super::saturate::System;
use super::unfold::{Unfolding, unfold};
use crate::settings::FORWARD_BOUND_TICKS;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::transform::with_needed_bounds;
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::Derivation;

/// The narrowed system, with the way back for derivations.
pub(super) struct Narrowed {
    /// None if nothing narrows the system.
    system: Option<System>,
    way: Way,
}

/// The way back for derivations.
pub(super) struct Way {
    /// The system with what queries may need, if bounds tell something.
    bounded: Option<Horn>,
    unfolding: Option<Unfolding>,
}

impl Narrowed {
    pub fn of(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Narrowed, Stop> {
        let ticks = FORWARD_BOUND_TICKS.get();
        let bounded = ctx.within(ticks, |ctx| with_needed_bounds(horn, ctx)).ok().flatten();
        // A flag that was raised is seen here.
        ctx.tick(1)?;
        let unfolding = unfold(bounded.as_ref().unwrap_or(horn));
        let system = match (&unfolding, &bounded) {
            (Some(unfolding), _) => Some(System::new(&unfolding.horn, ctx)?),
            (None, Some(horn)) => Some(System::new(horn, ctx)?),
            (None, None) => None,
        };
        Ok(Narrowed { system, way: Way { bounded, unfolding } })
    }

    /// The system to look at and its way back; none if it is the system itself.
    pub fn parts(&mut self) -> Option<(&mut System, &Way)> {
        Some((self.system.as_mut()?, &self.way))
    }
}

impl Way {
    /// The derivation of `horn` that ends in an instance of a narrowed query; none if an unfolded instance does
    /// not stand for steps.
    pub fn derivation(&self, horn: &Horn, facts: &Facts, query: &Instance) -> Option<Derivation> {
        // Clauses with bounds have the same numbers and the same variables.
        let horn = self.bounded.as_ref().unwrap_or(horn);
        derivation(horn, self.unfolding.as_ref(), facts, query)
    }
}
