//! Whether a property is monotone in its parameters: a question about the twin circuit.
//!
//! Where it is so, there is mostly an order between the two copies, latch by latch; so both directions are
//! offered for every latch, and IC3 finds the rest. That the twin is not safe says nothing: another run of
//! the low copy may violate the property.

use crate::certify::prove_circuit;
use crate::ic3::{Ic3, Outcome, Question};
use crate::settings::PARETO_MONOTONY_TICKS;
use alphorn_engine::{Ctx, Event, Limit, Stop};
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::{Certificate, CircuitClaim, Invariant};
use alphorn_problem::evidence::front::Monotony;
use alphorn_problem::parameters::Parametric;

/// A proof of monotony, if there is one within the ticks for it.
pub(super) fn proved(problem: &Parametric, ctx: &mut Ctx<'_>) -> Result<Monotony, Stop> {
    let ticks = PARETO_MONOTONY_TICKS.get();
    let monotony = match ctx.within(ticks, |ctx| ctx.apart(|ctx| certificate(problem, ctx))) {
        Ok(Some(certificate)) => Monotony::Proved(Box::new(certificate)),
        Ok(None) | Err(Stop::Budget(Limit::Ticks) | Stop::Stuck(_)) => Monotony::Unused,
        Err(stop) => return Err(stop),
    };
    let remark = match monotony {
        Monotony::Unused => "the property is not seen to be monotone in the parameters",
        _ => "the property is monotone in the parameters",
    };
    ctx.emit(Event::Remark(remark.into()));
    Ok(monotony)
}

/// The twin's certificate, if it is safe.
fn certificate(problem: &Parametric, ctx: &mut Ctx<'_>) -> Result<Option<Certificate>, Stop> {
    let twin = problem.twin();
    let count = problem.circuit.latches.len();
    let ordered = |index: usize| {
        let (high, low): (Lit, Lit) = (twin.latch(index), twin.latch(count + index));
        [vec![!high, low], vec![high, !low]]
    };
    let known = (0..count).flat_map(ordered).collect();
    match Ic3.solve(&Question { known, ..Question::new(&twin) }, ctx)? {
        Outcome::Unsafe(_) => Ok(None),
        Outcome::Safe(clauses) => {
            let claim = CircuitClaim::of(Invariant::Clauses(clauses));
            prove_circuit(&twin, claim, ctx).map(Some)
        }
    }
}
