//! What happens before the second step: a bad first step, and ties between first state and first inputs.
//!
//! A reset function that reads inputs ties the first state to the first inputs, which no set of states
//! can say. If some reset state is bad under other inputs than those it is tied to, no invariant over
//! states contains the reset states and excludes the bad ones.

use super::steps::{Cutting, Steps};
use crate::bmc::unroll::{Start, Unrolling};
pub(crate) use crate::circuit::resets::tied;
use crate::circuit::resets::{graph, reset_states, resets_read_inputs};
use crate::model::completed;
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_problem::evidence::circuit::{CircuitClaim, Invariant};
use alphorn_problem::{Circuit, Finding};
use alphorn_sat::Lit;
use alphorn_sat::aig::{Aig, Edge, Polarity};

/// The finding if the first step of some run is bad, or if there is no first step.
pub(crate) fn first_step(
    circuit: &Circuit,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Finding<Circuit>>, Stop> {
    let mut first = Unrolling::new(circuit, Start::Reset);
    first.step(0)?;
    if first.is_bad(0, ctx)? {
        let (state, inputs) = first.run(0);
        return Ok(Some(Finding::Fails(completed(circuit, &state, &inputs))));
    }
    if resets_read_inputs(circuit) {
        let mut sets = graph(circuit);
        let start = reset_states(circuit, &mut sets)?;
        if start == Edge::FALSE {
            // The constraints allow no first state.
            let nothing = Invariant::Clauses(vec![Vec::new()]);
            return Ok(Some(Finding::Holds(CircuitClaim::of(nothing))));
        }
        if is_bad_untied(circuit, &sets, start, ctx)? {
            return Err(tied());
        }
    }
    ctx.emit(Event::Bound { depth: 0 });
    Ok(None)
}

/// Whether a reset state is bad under some inputs.
fn is_bad_untied(
    circuit: &Circuit,
    sets: &Aig,
    start: Edge,
    ctx: &mut Ctx<'_>,
) -> Result<bool, Stop> {
    let mut steps = Steps::new(circuit, Cutting::Backward);
    steps.extend();
    for bit in circuit.constraints.iter().chain(&circuit.safety()[..1]) {
        let edge = steps.edge(*bit, 0);
        steps.assert(edge, 0);
    }
    let edge = steps.set(sets, start, 0);
    let assumptions = match edge {
        Edge::FALSE => return Ok(false),
        Edge::TRUE => Vec::new(),
        edge => vec![steps.literal(edge, Polarity::Positive, 0)],
    };
    steps.ask(&assumptions, ctx)
}

/// Asks once more without the tie between the first state and the first inputs, which no set of
/// states can say, under further assumptions; returns the one about the first state, that of `step`, that
/// there is no run under.
pub(crate) fn untied(
    steps: &mut Steps<'_>,
    sets: &Aig,
    start: Edge,
    step: usize,
    others: &[Lit],
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Lit>, Stop> {
    let edge = steps.set(sets, start, step);
    let assumptions = match edge.is_constant() {
        true => Vec::new(),
        false => vec![steps.literal(edge, Polarity::Positive, step)],
    };
    if edge == Edge::FALSE || !steps.ask(&[&assumptions[..], others].concat(), ctx)? {
        return Ok(assumptions);
    }
    Err(tied())
}
