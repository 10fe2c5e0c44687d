//! The shortest suffix of a bad run that the frames exclude, and its interpolants.
//!
//! The last step is bad and its state is in the last frame; steps are added before it, with their frames,
//! until no run is left. The earliest state of all is a reset state. The search begins a little below
//! the number of steps that it took for the length before: it changes slowly, and steps too many cost
//! little, as the interpolants before the part that the proof needs are true.
//!
//! Steps are counted from the bad one, so that the same steps serve all lengths: only the frame that a state
//! lies in depends on the length. The lemmas of each level are therefore behind a literal in each state,
//! which implies that of the next level, and frames are assumed (`unrolled`).
//!
//! The lowest frame of the suffix may be *repeated*: it holds in so many steps before, too, as the frames
//! there are stronger. A proof that does with that is an induction over several steps relative to one frame,
//! and its interpolants say what one step after the other makes of it. Frames are tried from the last on,
//! as a proof from a late one says more of all that follows. After Vedramana Krishnan, Vizel, Ganesh,
//! Gurfinkel, "Interpolating Strong Induction" (CAV 2019).

use super::unrolled::Unrolled;
use crate::circuit::resets::{graph, reset_states, resets_read_inputs};
use crate::frames::Frames;
use crate::interpolation::first::untied;
use crate::interpolation::proofs::{LatchClauses, Quest};
use crate::interpolation::sets::simplify;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_sat::Lit;
use alphorn_sat::aig::{Aig, Edge};

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
    /// How the proof becomes interpolants.
    pub(super) quest: Quest,
}

impl Search {
    /// Asks for bad runs through the frames, in steps that may be there from shorter runs.
    pub(super) fn run(
        &self,
        circuit: &Circuit,
        unrolled: &mut Unrolled<'_>,
        frames: &Frames,
        ctx: &mut Ctx<'_>,
    ) -> Result<Suffix, Stop> {
        let mut sets = graph(circuit);
        let start = reset_states(circuit, &mut sets)?;
        let length = self.length;
        unrolled.note(frames, length);
        for floor in (0..=length).rev() {
            let is_first = floor == 0;
            if length - floor < self.guess && !is_first {
                continue;
            }
            let end = (length - floor).saturating_add(self.repeats).min(length);
            let level = |step: usize| floor.max(length - step);
            let mut assumptions: Vec<(Lit, usize)> = Vec::with_capacity(end + 2);
            for step in 0..=end {
                assumptions.push((unrolled.frame(level(step), step), step));
            }
            if is_first {
                assumptions.push((unrolled.begin(), length));
            }
            let assumed: Vec<Lit> = assumptions.iter().map(|(lit, _)| *lit).collect();
            if unrolled.steps.ask(&assumed, ctx)? {
                if !is_first {
                    continue;
                }
                let (state, inputs) = unrolled.steps.run();
                return Ok(Suffix::Run(state, inputs));
            }
            if is_first && resets_read_inputs(circuit) {
                assumptions.pop();
                let others = &assumed[..assumptions.len()];
                let first = untied(&mut unrolled.steps, &sets, start, length, others, ctx)?;
                assumptions.extend(first.into_iter().map(|lit| (lit, length)));
            }
            let steps = &unrolled.steps;
            let (sequence, clauses) = steps.sequence(&assumptions, self.quest, &mut sets, ctx)?;
            let mut interpolants = Vec::with_capacity(sequence.len());
            for interpolant in sequence {
                interpolants.push(simplify(&mut sets, interpolant, ctx)?);
            }
            let first = length + 1 - steps.count();
            return Ok(Suffix::Interpolants { first, floor, sets, interpolants, clauses, start });
        }
        unreachable!("the run from the resets ends the search")
    }
}
