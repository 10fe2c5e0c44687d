//! Which latch was at fault: roots of an observation.
//!
//! The good copy of the run is known, value by value. The bad copy differs in one latch at the source step,
//! and whatever differs is followed to the step of the observation: by simulation, 64 latches at a time. A
//! latch that makes the watched value another one is a root.
//!
//! A fault that reaches a gate on both sides may cancel itself there, although in silicon it arrives on one
//! side before the other. With glitches, a gate that the fault can reach on both sides may take one of them
//! from the good copy; then a solver is asked for a root, with exactly one control true, until there is no
//! other.
//!
//! After Kaiss, Kalechstain (FMCAD 2014). We differ in letting a gate also see the fault on both sides, so
//! that glitches only add roots, and in that constants do what their cones of sensitive latches do: what
//! the fault cannot reach has no clauses.

use super::encode::Faulty;
use crate::ask::ask;
use crate::circuit::{Simulation, first_gate, gate_of, latch_of};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::circuit::{Circuit, Lit as Bit};
use alphorn_problem::evidence::flips::{Glitch, Observation, Side};
use alphorn_sat::{Lit, Solver};

/// A root, and how the fault came from it to the observation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The latch, by its position.
    pub latch: usize,
    /// The gates that see the fault on one side alone, in order.
    pub glitches: Vec<Glitch>,
    /// The latches on the way, each with its step.
    pub path: Vec<(usize, usize)>,
}

/// The roots of an observation that fits the circuit, by position.
pub fn roots(
    circuit: &Circuit,
    observation: &Observation,
    with_glitches: bool,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Found>, Stop> {
    let good = good_values(circuit, observation);
    let mut latches = plain(circuit, observation);
    ctx.tick(1 + (good.len() as u64) * (latches.len() as u64 + 1))?;
    let mut found: Vec<Found> = latches
        .drain(..)
        .map(|latch| Found {
            latch,
            glitches: Vec::new(),
            path: path(circuit, observation, &good, latch, &[]),
        })
        .collect();
    if with_glitches {
        let known: Vec<usize> = found.iter().map(|root| root.latch).collect();
        found.extend(glitching(circuit, observation, &good, &known, ctx)?);
        found.sort_by_key(|root| root.latch);
    }
    Ok(found)
}

/// The values of all variables of the good copy, from the source on, step by step.
fn good_values(circuit: &Circuit, observation: &Observation) -> Vec<Vec<bool>> {
    let mut simulation = Simulation::new(circuit);
    let mut values = Vec::new();
    for (index, value) in observation.start.iter().enumerate() {
        simulation.set_latch(index, u64::from(*value));
    }
    for (step, row) in observation.inputs.iter().enumerate().take(observation.at + 1) {
        if step > 0 {
            simulation.advance();
        }
        for (index, value) in row.iter().enumerate() {
            simulation.set_input(index, u64::from(*value));
        }
        simulation.settle();
        if step >= observation.source {
            let value = |var: u32| simulation.value(Bit::new(var, false)) & 1 == 1;
            values.push((0..=circuit.max_var()).map(value).collect());
        }
    }
    values
}

/// The latches whose flip changes what was observed.
fn plain(circuit: &Circuit, observation: &Observation) -> Vec<usize> {
    let Observation { start, inputs, watched, at, source } = observation;
    let mut roots = Vec::new();
    for first in (0..circuit.latches.len()).step_by(63) {
        // Pattern 0 is the good copy.
        let batch = first..circuit.latches.len().min(first + 63);
        let mut simulation = Simulation::new(circuit);
        let word = |value: bool| 0u64.wrapping_sub(u64::from(value));
        for (index, value) in start.iter().enumerate() {
            simulation.set_latch(index, word(*value));
        }
        for (step, row) in inputs.iter().enumerate().take(at + 1) {
            if step > 0 {
                simulation.advance();
            }
            for (index, value) in row.iter().enumerate() {
                simulation.set_input(index, word(*value));
            }
            if step == *source {
                for (pattern, latch) in batch.clone().enumerate() {
                    simulation.latches_mut()[latch] ^= 2 << pattern;
                }
            }
            simulation.settle();
        }
        let seen = simulation.value(*watched);
        let differs = seen ^ 0u64.wrapping_sub(seen & 1);
        let is_root = |(pattern, _): &(usize, usize)| differs >> (pattern + 1) & 1 == 1;
        roots.extend(batch.enumerate().filter(is_root).map(|(_, latch)| latch));
    }
    roots
}

/// The values of the bad copy, from the source on.
fn bad_values(
    circuit: &Circuit,
    observation: &Observation,
    good: &[Vec<bool>],
    latch: usize,
    glitches: &[Glitch],
) -> Vec<Vec<bool>> {
    let read = |values: &[bool], lit: Bit| values[lit.var() as usize] != lit.is_negated();
    let mut all: Vec<Vec<bool>> = Vec::with_capacity(good.len());
    for (offset, fine) in good.iter().enumerate() {
        let mut values = fine.clone();
        for (index, of) in circuit.latches.iter().enumerate() {
            let var = circuit.latch(index).var() as usize;
            match all.last() {
                Some(before) => values[var] = read(before, of.next),
                None => values[var] ^= index == latch,
            }
        }
        for (var, and) in (first_gate(circuit)..).zip(&circuit.ands) {
            let here =
                |glitch: &&Glitch| glitch.step == observation.source + offset && glitch.gate == var;
            let side = glitches.iter().find(here).map(|glitch| glitch.side);
            let left = read(if side == Some(Side::Right) { fine } else { &values }, and.left);
            let right = read(if side == Some(Side::Left) { fine } else { &values }, and.right);
            values[var as usize] = left && right;
        }
        all.push(values);
    }
    all
}

/// The latches through which a fault came to the observation, from the root on.
fn path(
    circuit: &Circuit,
    observation: &Observation,
    good: &[Vec<bool>],
    latch: usize,
    glitches: &[Glitch],
) -> Vec<(usize, usize)> {
    let bad = bad_values(circuit, observation, good, latch, glitches);
    let mut path = Vec::new();
    let (mut offset, mut var) = (good.len() - 1, observation.watched.var());
    loop {
        if let Some(and) = gate_of(circuit, var) {
            let here =
                |glitch: &&Glitch| glitch.step == observation.source + offset && glitch.gate == var;
            let side = glitches.iter().find(here).map(|glitch| glitch.side);
            let differs = |lit: Bit| {
                let at = lit.var() as usize;
                good[offset][at] != bad[offset][at]
            };
            let is_left = side != Some(Side::Right) && differs(and.left);
            var = if is_left { and.left.var() } else { and.right.var() };
        } else if let Some(latch) = latch_of(circuit, var) {
            path.push((latch, observation.source + offset));
            if offset == 0 {
                break;
            }
            offset -= 1;
            var = circuit.latches[latch].next.var();
        } else {
            break;
        }
    }
    path.reverse();
    path
}

/// The roots besides those that are known that take a glitch.
fn glitching(
    circuit: &Circuit,
    observation: &Observation,
    good: &[Vec<bool>],
    known: &[usize],
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Found>, Stop> {
    let mut copy = Copy::new(circuit, observation, good, ctx)?;
    for latch in known {
        copy.solver.add_clause(&[!copy.controls[*latch]]);
    }
    let mut found = Vec::new();
    while ask(&mut copy.solver, &[], None, ctx)? {
        let is_true = |lit: Lit| copy.solver.value(lit) == Some(true);
        let root = copy.controls.iter().position(|control| is_true(*control));
        let Some(latch) = root else { return Err(Stop::Stuck("no control is true".into())) };
        let mut glitches: Vec<Glitch> = (copy.muxes.iter())
            .filter(|(_, lit)| is_true(*lit))
            .map(|(glitch, _)| *glitch)
            .collect();
        glitches.sort_by_key(|glitch| (glitch.step, glitch.gate));
        drop_needless(circuit, observation, good, latch, &mut glitches);
        copy.solver.add_clause(&[!copy.controls[latch]]);
        let path = path(circuit, observation, good, latch, &glitches);
        found.push(Found { latch, glitches, path });
    }
    Ok(found)
}

/// Leaves out glitches without which the observation is explained, too.
fn drop_needless(
    circuit: &Circuit,
    observation: &Observation,
    good: &[Vec<bool>],
    latch: usize,
    glitches: &mut Vec<Glitch>,
) {
    let watched = observation.watched.var() as usize;
    let mut at = 0;
    while at < glitches.len() {
        let mut fewer = glitches.clone();
        fewer.remove(at);
        let bad = bad_values(circuit, observation, good, latch, &fewer);
        match bad.last().map(|values| values[watched]) != good.last().map(|values| values[watched])
        {
            true => *glitches = fewer,
            false => at += 1,
        }
    }
}

/// The bad copy as clauses, with a control per latch at the source, of which exactly one is true.
struct Copy {
    solver: Solver,
    controls: Vec<Lit>,
    muxes: Vec<(Glitch, Lit)>,
}

impl Copy {
    fn new(
        circuit: &Circuit,
        observation: &Observation,
        good: &[Vec<bool>],
        ctx: &mut Ctx<'_>,
    ) -> Result<Copy, Stop> {
        let mut run = Faulty::new(circuit);
        let controls: Vec<Lit> =
            circuit.latches.iter().map(|_| run.solver.new_var().positive()).collect();
        run.solver.add_clause(&controls);
        run.at_most_one(&controls);
        let mut muxes = Vec::new();
        for (offset, fine) in good.iter().enumerate() {
            ctx.tick(1 + u64::from(circuit.max_var()) / 64)?;
            run.follow(fine, (offset == 0).then_some(&controls));
            for (var, and) in (first_gate(circuit)..).zip(&circuit.ands) {
                let lits = [and.left, and.right];
                let faulty = lits.map(|lit| run.value(lit));
                let fine = lits.map(|lit| fine[lit.var() as usize] != lit.is_negated());
                let value = match faulty.iter().all(|lit| !run.is_constant(*lit)) {
                    false => run.and(faulty[0], faulty[1]),
                    true => {
                        let step = observation.source + offset;
                        run.mux(faulty, fine, (step, var), &mut muxes)
                    }
                };
                run.set(var, value);
            }
        }
        let watched = observation.watched;
        let fine = good.last().is_some_and(|values| values[watched.var() as usize]);
        run.require(Bit::new(watched.var(), fine));
        Ok(Copy { solver: run.solver, controls, muxes })
    }
}

impl Faulty<'_> {
    /// A gate that may take one side from the good copy.
    fn mux(
        &mut self,
        faulty: [Lit; 2],
        fine: [bool; 2],
        (step, gate): (usize, u32),
        muxes: &mut Vec<(Glitch, Lit)>,
    ) -> Lit {
        let [left_only, right_only] = [(); 2].map(|()| self.solver.new_var().positive());
        self.solver.add_clause(&[!left_only, !right_only]);
        muxes.push((Glitch { step, gate, side: Side::Left }, left_only));
        muxes.push((Glitch { step, gate, side: Side::Right }, right_only));
        let left = self.choose(right_only, fine[0], faulty[0]);
        let right = self.choose(left_only, fine[1], faulty[1]);
        self.and(left, right)
    }

    /// A constant if the condition is true, else a literal.
    fn choose(&mut self, condition: Lit, value: bool, other: Lit) -> Lit {
        match value {
            true => !self.and(!condition, !other),
            false => self.and(!condition, other),
        }
    }
}
