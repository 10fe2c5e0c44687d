//! The shortest suffix of a bad run that the frames exclude, and its interpolants.
//!
//! The last step is bad and its state is in the last frame; steps are added before it, with their frames,
//! until no run is left. The earliest state of all is a reset state. The search begins a little below
//! the number of steps that it took for the length before: it changes slowly, and steps too many cost
//! little, as the interpolants before the part that the proof needs are true.
//!
//! The lowest frame of the suffix may be *repeated*: it holds in so many steps before, too, as the frames
//! there are stronger. A proof that does with that is an induction over several steps relative to one frame,
//! and its interpolants say what one step after the other makes of it. Frames are tried from the last on,
//! as a proof from a late one says more of all that follows. After Vedramana Krishnan, Vizel, Ganesh,
//! Gurfinkel, "Interpolating Strong Induction" (CAV 2019).

use crate::ask::bit;
use crate::frames::{Cube, Frames};
use crate::interpolation::first::untied;
use crate::interpolation::proofs::LatchClauses;
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
        /// The lowest frame that it needs.
        floor: usize,
        /// The graph of the sets.
        sets: Aig,
        /// Sets for the levels after `first`.
        interpolants: Vec<Edge>,
        /// Clauses that the sets contain, for the same levels.
        clauses: Vec<LatchClauses>,
        /// The reset states.
        start: Edge,
    },
}

/// How bad runs are asked for.
#[derive(Clone, Copy)]
pub(super) struct Search {
    /// The steps of the runs.
    pub(super) length: usize,
    /// So many of the last frames alone are not asked about.
    pub(super) guess: usize,
    /// The steps before those of the lowest frame in which that frame holds as well.
    pub(super) repeats: usize,
    /// Whether the proof is made into clauses as far as possible.
    pub(super) clausal: bool,
}

impl Search {
    /// Asks for bad runs through the frames.
    pub(super) fn run(
        &self,
        circuit: &Circuit,
        frames: &Frames,
        ctx: &mut Ctx<'_>,
    ) -> Result<Suffix, Stop> {
        let mut steps = Steps::new(circuit, Cutting::Backward);
        let mut sets = graph(circuit);
        let start = reset_states(circuit, &mut sets)?;
        let length = self.length;
        for floor in (0..=length).rev() {
            // What the next lower frame says in addition, where the one above was repeated.
            for step in length - floor..steps.count() {
                frames.level(floor).for_each(|cube| exclude(&mut steps, cube, step));
            }
            let end = (length - floor + self.repeats).min(length);
            while steps.count() <= end {
                self.extend(circuit, &mut steps, frames, floor);
            }
            let is_first = floor == 0;
            if length - floor < self.guess && !is_first {
                continue;
            }
            let mut assumptions = Vec::new();
            if is_first {
                steps.begin();
                assumptions.push(steps.start());
            }
            if steps.ask(&assumptions, ctx)? {
                if !is_first {
                    continue;
                }
                let (state, inputs) = steps.run();
                return Ok(Suffix::Run(state, inputs));
            }
            if is_first && resets_read_inputs(circuit) {
                assumptions = untied(&mut steps, &sets, start, length, &[], ctx)?;
            }
            let assumptions: Vec<(Lit, usize)> =
                assumptions.into_iter().map(|lit| (lit, length)).collect();
            let (sequence, clauses) = match self.clausal {
                true => steps.clausal_sequence(&assumptions, &mut sets, ctx)?,
                false => (steps.sequence(&assumptions, &mut sets, ctx)?, Vec::new()),
            };
            let mut interpolants = Vec::with_capacity(sequence.len());
            for interpolant in sequence {
                interpolants.push(simplify(&mut sets, interpolant, ctx)?);
            }
            let first = length + 1 - steps.count();
            return Ok(Suffix::Interpolants { first, floor, sets, interpolants, clauses, start });
        }
        unreachable!("the run from the resets ends the search")
    }

    /// Adds a step at the beginning, with its constraints and its frame.
    fn extend(&self, circuit: &Circuit, steps: &mut Steps<'_>, frames: &Frames, floor: usize) {
        let step = steps.count();
        steps.extend();
        for constraint in &circuit.constraints {
            let edge = steps.edge(*constraint, step);
            steps.assert(edge, step);
        }
        if step == 0 {
            let bad = steps.edge(circuit.safety()[0], 0);
            steps.assert(bad, 0);
        }
        for cube in frames.frame(floor.max(self.length - step)) {
            exclude(steps, cube, step);
        }
    }
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
