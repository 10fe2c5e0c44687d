//! Signal correspondence: latches that are equal, opposite or constant in every reachable state.
//!
//! Candidates are classes of latches that random runs cannot tell apart. Assume all of them at
//! once, by letting every function read the leaders, and ask for each latch whether its next
//! value equals its leader's. A counterexample is a state that satisfies the assumption and two
//! latches that differ after one step; it is simulated together with 63 variations of it, and what
//! differs after the step is split. When a round of questions splits nothing, the classes are
//! an inductive invariant: the largest one that is a conjunction of such equalities and that the
//! budget could prove.
//!
//! Invariant: the resets give all members of a class the same value. Only splitting changes classes,
//! so the rounds end; where a question is too hard, and after many rounds where it fails, the latch
//! leaves its class.
//!
//! After van Eijk, "Sequential Equivalence Checking Based on Structural Similarities" (TCAD 2000), with
//! the speculative reduction of Mony, Baumgartner, Mishchenko, Brayton (DATE 2009).

use super::classes::{Classes, Leader};
use super::facts::Facts;
use super::graph::{Graph, first_values, leaves};
use super::prove::{Known, Prover};
use super::{Change, size};
use crate::circuit::{Round, Simulation, first_gate};
use crate::settings::CORRESPONDENCE_CONFLICTS;
use crate::settings::{
    CORRESPONDENCE_LEAST_ROUNDS, CORRESPONDENCE_MAX_VARIABLES, CORRESPONDENCE_MAX_WORK,
    CORRESPONDENCE_PATIENT_ROUNDS, CORRESPONDENCE_WORK_PER_VARIABLE,
};
use alphorn_engine::{Ctx, Rng, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit;
use alphorn_sat::aig::{Aig, Edge};

/// Gates that the simulation for candidates evaluates, in words of 64 patterns.
const SIMULATION: u64 = 1 << 24;

/// The transform.
pub(super) fn apply(circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Option<Change>, Stop> {
    if circuit.latches.is_empty() {
        return Ok(None);
    }
    let mut classes = candidates(circuit, ctx)?;
    let resets = first_values(circuit, &mut leaves(circuit));
    // Equal edges are equal functions; those that differ are taken for different.
    let phases: Vec<bool> = (0..resets.len() as u32).map(|latch| classes.phase(latch)).collect();
    classes.split(|l| u64::from(resets[l as usize].xor(phases[l as usize]).code()));
    let found = classes.candidates();
    if found == 0 || !prove(circuit, &mut classes, ctx)? {
        return Ok(None);
    }
    let values = (0..circuit.latches.len()).filter_map(|latch| {
        let value = leading(circuit, &classes, latch as u32);
        (value != circuit.latch(latch)).then_some((latch, value))
    });
    let facts = Facts { values: values.collect(), ..Facts::default() };
    if facts.values.is_empty() {
        return Ok(None);
    }
    let mut graph = Graph::new(circuit, |aig, var, edge| reads(circuit, &classes, aig, var, edge));
    let resets = graph.resets(circuit, |_, edge| edge);
    let constraints: Vec<Edge> = circuit.constraints.iter().map(|l| graph.edge(*l)).collect();
    let small = graph.circuit(circuit, &resets, &constraints);
    if size(&small) >= size(circuit) {
        return Ok(None);
    }
    let constants = facts.values.iter().filter(|(_, value)| value.var() == 0).count();
    let equal = facts.values.len() - constants;
    let about =
        format!("of {found} candidates {equal} latches equal others, {constants} are constant");
    let back = facts.back(circuit, &small);
    Ok(Some(Change { circuit: small, back, about }))
}

/// What stands for a latch: the leader of its class in the latch's phase.
fn leading(circuit: &Circuit, classes: &Classes, latch: u32) -> Lit {
    match classes.leader(latch) {
        Leader::Itself => circuit.latch(latch as usize),
        Leader::Constant => Lit::FALSE.xor(classes.phase(latch)),
        Leader::Signal(leader) => {
            let opposite = classes.phase(latch) != classes.phase(leader);
            circuit.latch(leader as usize).xor(opposite)
        }
    }
}

/// What the readers of a variable see under the assumption that the classes are right.
fn reads(circuit: &Circuit, classes: &Classes, aig: &Aig, var: u32, edge: Edge) -> Edge {
    let is_latch = var > circuit.inputs && var < first_gate(circuit);
    match is_latch.then(|| leading(circuit, classes, var - circuit.inputs - 1)) {
        None => edge,
        Some(lit) if lit.var() == 0 => Edge::FALSE.xor(lit.is_negated()),
        Some(lit) => aig.input(lit.var() - 1).xor(lit.is_negated()),
    }
}

/// The classes that random runs leave.
fn candidates(circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Classes, Stop> {
    let mut seeds = ctx.rng(1);
    let words = (SIMULATION / (u64::from(circuit.max_var()) + 1)).clamp(16, 1 << 8);
    let mut classes: Option<Classes> = None;
    let (mut used, mut length) = (0, 16);
    while used < words {
        let mut round = Round::new(circuit, seeds.next_u64());
        for _ in 0..length {
            let spent = round.step();
            used += spent;
            if round.alive == 0 {
                used += words / 8;
                break;
            }
            let latches = round.simulation.latches();
            let lane = round.alive.trailing_zeros();
            let classes = classes.get_or_insert_with(|| {
                Classes::new(latches.iter().map(|word| word >> lane & 1 == 1).collect())
            });
            classes.refine(round.alive, |latch| latches[latch as usize]);
            if !round.advance() {
                break;
            }
        }
        length *= 2;
        ctx.tick(1 + words * u64::from(circuit.max_var()) / SIMULATION)?;
    }
    // Without a run everything is equal, but then there is nothing to gain either.
    Ok(classes.unwrap_or_else(|| {
        let mut classes = Classes::new(vec![false; circuit.latches.len()]);
        (0..circuit.latches.len() as u32).for_each(|latch| classes.isolate(latch));
        classes
    }))
}

/// Splits the classes until a step keeps them; false if that takes too long.
fn prove(circuit: &Circuit, classes: &mut Classes, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
    let mut rng = ctx.rng(2);
    let mut simulation = Simulation::new(circuit);
    let work = (CORRESPONDENCE_WORK_PER_VARIABLE.get() * u64::from(circuit.max_var()))
        .min(CORRESPONDENCE_MAX_WORK.get());
    let mut prover = Prover::new(CORRESPONDENCE_CONFLICTS.get(), work);
    let rounds = (CORRESPONDENCE_MAX_VARIABLES.size() / (circuit.max_var() as usize + 1))
        .max(CORRESPONDENCE_LEAST_ROUNDS.size());
    for round in 0..rounds {
        ctx.tick(1 + u64::from(circuit.max_var()) / 64)?;
        let graph = Graph::new(circuit, |aig, var, edge| reads(circuit, classes, aig, var, edge));
        prover = prover.renewed();
        for constraint in &circuit.constraints {
            prover.assume(&graph.aig, graph.edge(*constraint));
        }
        let assumed: Vec<Lit> =
            (0..circuit.latches.len()).map(|l| leading(circuit, classes, l as u32)).collect();
        let mut has_split = false;
        for latch in 0..circuit.latches.len() as u32 {
            let next = |latch: u32| {
                graph.edge(circuit.latches[latch as usize].next).xor(classes.phase(latch))
            };
            let expected = match classes.leader(latch) {
                Leader::Itself => continue,
                Leader::Constant => Edge::FALSE,
                Leader::Signal(leader) => next(leader),
            };
            match prover.compare(&graph.aig, next(latch), expected, ctx)? {
                Known::Equal => continue,
                Known::Nothing => classes.isolate(latch),
                Known::Differ(leaves) => {
                    let before = classes.leader(latch);
                    prover.spend(u64::from(circuit.max_var()), ctx)?;
                    show(circuit, &assumed, &leaves, &mut simulation, &mut rng, classes);
                    if round >= CORRESPONDENCE_PATIENT_ROUNDS.size()
                        || classes.leader(latch) == before
                    {
                        classes.isolate(latch);
                    }
                }
            }
            has_split = true;
        }
        if !has_split {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Shows the classes the successors of a state that satisfies `assumed`, and of variations of it.
fn show(
    circuit: &Circuit,
    assumed: &[Lit],
    leaves: &[(u32, bool)],
    simulation: &mut Simulation<'_>,
    rng: &mut Rng,
    classes: &mut Classes,
) {
    let inputs = circuit.inputs as usize;
    let mut words: Vec<u64> = (0..inputs + assumed.len()).map(|_| rng.next_u64()).collect();
    for &(leaf, value) in leaves {
        // The first pattern is the one that was found.
        let noise = words[leaf as usize] & rng.next_u64() & rng.next_u64() & !1;
        words[leaf as usize] = noise ^ 0u64.wrapping_sub(u64::from(value));
    }
    for (index, word) in words[..inputs].iter().enumerate() {
        simulation.set_input(index, *word);
    }
    for (index, lit) in assumed.iter().enumerate() {
        let word = if lit.var() == 0 { 0 } else { words[lit.var() as usize - 1] };
        simulation.set_latch(index, word ^ 0u64.wrapping_sub(u64::from(lit.is_negated())));
    }
    simulation.settle();
    let next = |latch: u32| simulation.value(circuit.latches[latch as usize].next);
    classes.refine(simulation.allowed(), next);
}
