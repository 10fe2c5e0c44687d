//! Leaving out steps of a run.
//!
//! First the run ends where it is bad for the first time. Then, if the state before a step occurs
//! again later, what is between goes; only latches that the property and the constraints depend on are
//! compared. At last pieces are left out on trial, large ones first, 64 trials in one simulation.
//!
//! The first step is not left out where resets are functions: it ties the first state to its inputs.

use super::word;
use crate::circuit::{Simulation, influence};
use crate::settings::SHORTEN_MAX_CUT;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::{Bit, Trace};
use rustc_hash::FxHashMap;

/// The run without detours.
pub(super) fn cut(
    circuit: &Circuit,
    bad: Lit,
    trace: Trace,
    ctx: &mut Ctx<'_>,
) -> Result<Trace, Stop> {
    let roots = circuit.constraints.iter().copied().chain([bad]);
    let matters = influence(circuit, roots, |index| {
        let latch = circuit.latches[index];
        [Some(latch.next), Some(latch.reset)]
    });
    let first_latch = 1 + circuit.inputs as usize;
    let latches = (0..circuit.latches.len()).filter(|index| matters[first_latch + index]).collect();
    let is_function =
        |index: usize| circuit.latches[index].reset.var() != 0 && !circuit.is_uninitialised(index);
    let is_tied = (0..circuit.latches.len()).any(is_function);
    let mut cutter = Cutter { circuit, bad, latches, is_tied, trace, left: SHORTEN_MAX_CUT.get() };
    cutter.remove_loops(ctx)?;
    cutter.remove_pieces(ctx)?;
    Ok(cutter.trace)
}

struct Cutter<'a> {
    circuit: &'a Circuit,
    bad: Lit,
    /// The latches that matter, by position.
    latches: Vec<usize>,
    /// Whether the first state depends on the first inputs.
    is_tied: bool,
    trace: Trace,
    /// The work that may still be spent.
    left: u64,
}

impl Cutter<'_> {
    /// Charges for simulated steps.
    fn charge(&mut self, steps: usize, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        let work = (steps as u64).saturating_mul(1 + u64::from(self.circuit.max_var()));
        self.left = self.left.saturating_sub(work);
        ctx.tick(1 + work / 64)
    }

    /// Ends the run at its first violation and leaves out what lies between equal states.
    fn remove_loops(&mut self, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        self.charge(self.trace.inputs.len(), ctx)?;
        let mut simulation = Simulation::new(self.circuit);
        begin(&mut simulation, &self.trace);
        let mut kept: Vec<usize> = Vec::new();
        let mut states: Vec<Vec<u64>> = Vec::new();
        let mut seen: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
        for (step, inputs) in self.trace.inputs.iter().enumerate() {
            let state = self.state(&simulation);
            // A state of the run that is left, at this position, is where the run goes on from.
            let back = seen.get(&state).copied().filter(|&at| at > 0 || !self.is_tied);
            if let Some(position) = back {
                kept.truncate(position);
                for state in states.drain(position + 1..) {
                    seen.remove(&state);
                }
            } else {
                seen.insert(state.clone(), kept.len());
                states.push(state);
            }
            kept.push(step);
            for (index, bit) in inputs.iter().enumerate() {
                simulation.set_input(index, word(*bit));
            }
            simulation.settle();
            if simulation.value(self.bad) & 1 == 1 {
                break;
            }
            simulation.advance();
        }
        let inputs = std::mem::take(&mut self.trace.inputs);
        let mut inputs: Vec<Option<Vec<Bit>>> = inputs.into_iter().map(Some).collect();
        self.trace.inputs = kept.iter().filter_map(|&step| inputs[step].take()).collect();
        Ok(())
    }

    /// The latches that matter, packed.
    fn state(&self, simulation: &Simulation<'_>) -> Vec<u64> {
        let words = simulation.latches();
        let mut packed = vec![0; self.latches.len().div_ceil(64)];
        for (position, &latch) in self.latches.iter().enumerate() {
            packed[position / 64] |= (words[latch] & 1) << (position % 64);
        }
        packed
    }

    /// Leaves out pieces as long as a violation stays, large ones first.
    fn remove_pieces(&mut self, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        let mut length = self.trace.inputs.len() / 2;
        while length > 0 {
            let mut from = usize::from(self.is_tied);
            while from + length < self.trace.inputs.len() {
                let steps = self.trace.inputs.len();
                let work = (steps as u64).saturating_mul(1 + u64::from(self.circuit.max_var()));
                if work > self.left {
                    return Ok(());
                }
                self.charge(steps, ctx)?;
                match self.try_pieces(from, length) {
                    // The same places again: other pieces are there now.
                    Some((piece, end)) => {
                        self.trace.inputs.truncate(end + length);
                        self.trace.inputs.drain(piece..piece + length);
                    }
                    None => from += 64,
                }
            }
            length /= 2;
        }
        Ok(())
    }

    /// A piece of this length, beginning at one of 64 places, that can be left out; and how many
    /// steps the shortest such run has.
    fn try_pieces(&self, from: usize, length: usize) -> Option<(usize, usize)> {
        let mut simulation = Simulation::new(self.circuit);
        begin(&mut simulation, &self.trace);
        let steps = self.trace.inputs.len();
        let mut alive = !0u64;
        for step in 0..steps - length {
            // Pattern p leaves out the piece that begins at `from + p`.
            let late = step.saturating_sub(from);
            let moved = match step < from {
                true => 0,
                false if late >= 63 => !0,
                false => (1u64 << (late + 1)) - 1,
            };
            let (stay, skip) = (&self.trace.inputs[step], &self.trace.inputs[step + length]);
            for (index, (stay, skip)) in stay.iter().zip(skip).enumerate() {
                let (stay, skip) = (0u64.wrapping_sub(word(*stay)), 0u64.wrapping_sub(word(*skip)));
                simulation.set_input(index, stay & !moved | skip & moved);
            }
            simulation.settle();
            alive &= simulation.allowed();
            // Only patterns whose piece lies within the run and before this step.
            let violated = simulation.value(self.bad) & alive & moved;
            if violated != 0 {
                let piece = from + violated.trailing_zeros() as usize;
                return Some((piece, step + 1));
            }
            if alive == 0 {
                return None;
            }
            simulation.advance();
        }
        None
    }
}

/// Puts the simulation into the first state of a run, in all patterns.
fn begin(simulation: &mut Simulation<'_>, trace: &Trace) {
    for (index, bit) in trace.start.iter().enumerate() {
        simulation.set_latch(index, 0u64.wrapping_sub(word(*bit)));
    }
}
