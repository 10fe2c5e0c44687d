//! The shortest suffix of a bad run that the frames exclude, and its interpolants.
//!
//! The last step is bad and its state is in the last frame; steps are added before it, with their frames,
//! until no run is left. The earliest state of all is a reset state. The search begins a little below
//! the number of steps that it took for the length before: it changes slowly, and steps too many cost
//! little, as the interpolants before the part that the proof needs are true.

use crate::ask::bit;
use crate::frames::{Cube, Frames};
use crate::interpolation::first::untied;
use crate::interpolation::sets::{graph, reset_states, resets_read_inputs, simplify};
use crate::interpolation::steps::{Cutting, Steps};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_sat::Lit;
use alphorn_sat::aig::{Aig, Edge, Polarity};

/// What the frames have to say about bad runs of a length.
pub(super) enum Suffix {
    /// There is one from the resets.
    Run(Vec<bool>, Vec<Vec<bool>>),
    /// There is none from the frame `first` on.
    Interpolants {
        /// The level at which the suffix begins.
        first: usize,
        /// The graph of the sets.
        sets: Aig,
        /// Sets for the levels after `first`.
        interpolants: Vec<Edge>,
        /// The reset states.
        start: Edge,
    },
}

/// Asks for bad runs of `length` steps through the frames; the last `guess` steps alone are not asked
/// about.
pub(super) fn suffix(
    circuit: &Circuit,
    frames: &Frames,
    length: usize,
    guess: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Suffix, Stop> {
    let mut steps = Steps::new(circuit, Cutting::Backward);
    let mut sets = graph(circuit);
    let start = reset_states(circuit, &mut sets)?;
    for step in 0..=length {
        let level = length - step;
        steps.extend();
        for constraint in &circuit.constraints {
            let edge = steps.edge(*constraint, step);
            steps.assert(edge, step);
        }
        if step == 0 {
            let bad = steps.edge(circuit.safety()[0], 0);
            steps.assert(bad, 0);
        }
        for cube in frames.frame(level) {
            exclude(&mut steps, cube, step);
        }
        if step < guess && level > 0 {
            continue;
        }
        let mut assumptions = Vec::new();
        if level == 0 {
            steps.begin();
            assumptions.push(steps.start());
        }
        if steps.ask(&assumptions, ctx)? {
            if level > 0 {
                continue;
            }
            let (state, inputs) = steps.run();
            return Ok(Suffix::Run(state, inputs));
        }
        if level == 0 && resets_read_inputs(circuit) {
            assumptions = untied(&mut steps, &sets, start, step, &[], ctx)?;
        }
        let assumptions: Vec<(Lit, usize)> =
            assumptions.into_iter().map(|lit| (lit, step)).collect();
        let sequence = steps.sequence(&assumptions, &mut sets, ctx)?;
        let mut interpolants = Vec::with_capacity(sequence.len());
        for interpolant in sequence {
            interpolants.push(simplify(&mut sets, interpolant, ctx)?);
        }
        return Ok(Suffix::Interpolants { first: level, sets, interpolants, start });
    }
    unreachable!("the run from the resets ends the search")
}

/// Lets the state before a step lie outside of a cube.
fn exclude(steps: &mut Steps<'_>, cube: &Cube, step: usize) {
    let mut clause = Vec::with_capacity(cube.len());
    for lit in cube.negation() {
        match steps.edge(bit(lit), step) {
            Edge::TRUE => return,
            Edge::FALSE => {}
            edge => clause.push(steps.literal(edge, Polarity::Both, step)),
        }
    }
    steps.add_clause(&clause, step);
}
