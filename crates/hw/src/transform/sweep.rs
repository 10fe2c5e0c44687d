//! SAT sweeping: gates that are equal, opposite or constant in every state become one.
//!
//! Random patterns divide inputs, latches and gates into classes. The graph is then built gate by
//! gate: a gate is compared to the leader of its class, which comes before it, and when they are
//! equal its readers see the leader. A counterexample is simulated together with 63 variations
//! of it and splits classes. Constraints are not assumed, and all states count, reachable or not, so
//! invariants need nothing added.
//!
//! After Kuehlmann, "Dynamic Transition Relation Simplification for Bounded Property Checking" (ICCAD
//! 2004), and Mishchenko, Chatterjee, Brayton, Een, "Improvements to Combinational Equivalence
//! Checking" (ICCAD 2006).

use super::classes::{Classes, Leader};
use super::facts::Facts;
use super::graph::Graph;
use super::prove::{Known, Prover};
use super::{Change, size};
use crate::circuit::{Simulation, first_gate};
use crate::settings::SWEEP_CONFLICTS;
use crate::settings::{SWEEP_MAX_WORK, SWEEP_WORDS, SWEEP_WORK_PER_VARIABLE};
use alphorn_engine::{Ctx, Rng, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit;
use alphorn_sat::aig::{Aig, Edge};

/// The transform.
pub(super) fn apply(circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Option<Change>, Stop> {
    let mut sweep = Sweep::new(circuit, ctx)?;
    let mut edges = vec![Edge::FALSE; circuit.max_var() as usize + 1];
    let mut stop = Ok(());
    let gates = first_gate(circuit);
    let mut graph = Graph::new(circuit, |aig, var, edge| {
        let seen = match stop {
            Ok(()) if var >= gates => sweep.merged(aig, var, edge, &edges, ctx),
            _ => Ok(edge),
        };
        let seen = seen.unwrap_or_else(|reason| {
            stop = Err(reason);
            edge
        });
        edges[var as usize] = seen;
        seen
    });
    stop?;
    let resets = graph.resets(circuit, |_, edge| edge);
    let constraints: Vec<Edge> = circuit.constraints.iter().map(|l| graph.edge(*l)).collect();
    let small = graph.circuit(circuit, &resets, &constraints);
    if size(&small) >= size(circuit) {
        return Ok(None);
    }
    let about = format!("{} gates equal others, of {} asked about", sweep.merges, sweep.asked);
    let back = Facts::default().back(circuit, &small);
    Ok(Some(Change { circuit: small, back, about }))
}

struct Sweep<'a> {
    circuit: &'a Circuit,
    classes: Classes,
    prover: Prover,
    simulation: Simulation<'a>,
    rng: Rng,
    merges: usize,
    asked: usize,
}

impl<'a> Sweep<'a> {
    fn new(circuit: &'a Circuit, ctx: &mut Ctx<'_>) -> Result<Sweep<'a>, Stop> {
        let mut rng = ctx.rng(3);
        let mut simulation = Simulation::new(circuit);
        let work = (SWEEP_WORK_PER_VARIABLE.get() * u64::from(circuit.max_var()))
            .min(SWEEP_MAX_WORK.get());
        let value = |simulation: &Simulation<'_>, var: u32| simulation.value(Lit::new(var, false));
        draw(circuit, &[], &mut simulation, &mut rng);
        let phase = (0..=circuit.max_var()).map(|var| value(&simulation, var) & 1 == 1);
        let mut classes = Classes::new(phase.collect());
        for _ in 0..SWEEP_WORDS.size() {
            classes.refine(!0, |var| value(&simulation, var));
            draw(circuit, &[], &mut simulation, &mut rng);
            ctx.tick(1 + circuit.ands.len() as u64 / 64)?;
        }
        let prover = Prover::new(SWEEP_CONFLICTS.get(), work);
        Ok(Sweep { circuit, classes, prover, simulation, rng, merges: 0, asked: 0 })
    }

    /// What the readers of gate `var` see; its definition gives `edge`.
    fn merged(
        &mut self,
        aig: &Aig,
        var: u32,
        edge: Edge,
        edges: &[Edge],
        ctx: &mut Ctx<'_>,
    ) -> Result<Edge, Stop> {
        while !self.prover.is_exhausted() {
            let phase = self.classes.phase(var);
            let other = match self.classes.leader(var) {
                Leader::Itself => return Ok(edge),
                Leader::Constant | Leader::Signal(0) => Edge::FALSE.xor(phase),
                Leader::Signal(leader) => {
                    edges[leader as usize].xor(phase != self.classes.phase(leader))
                }
            };
            self.asked += usize::from(edge != other);
            match self.prover.compare(aig, edge, other, ctx)? {
                Known::Equal => {
                    self.merges += usize::from(edge != other);
                    return Ok(other);
                }
                Known::Nothing => {
                    self.classes.isolate(var);
                    return Ok(edge);
                }
                Known::Differ(leaves) => {
                    let before = self.classes.leader(var);
                    self.prover.spend(u64::from(self.circuit.max_var()), ctx)?;
                    draw(self.circuit, &leaves, &mut self.simulation, &mut self.rng);
                    let Sweep { classes, simulation, .. } = self;
                    classes.refine(!0, |var| simulation.value(Lit::new(var, false)));
                    if classes.leader(var) == before {
                        classes.isolate(var);
                    }
                }
            }
        }
        Ok(edge)
    }
}

/// Patterns around the given values of leaves, the first of them with these values; settled.
fn draw(circuit: &Circuit, leaves: &[(u32, bool)], simulation: &mut Simulation<'_>, rng: &mut Rng) {
    let inputs = circuit.inputs as usize;
    let mut words: Vec<u64> = (0..inputs + circuit.latches.len()).map(|_| rng.next_u64()).collect();
    for &(leaf, value) in leaves {
        let noise = words[leaf as usize] & rng.next_u64() & rng.next_u64() & !1;
        words[leaf as usize] = noise ^ 0u64.wrapping_sub(u64::from(value));
    }
    for (index, word) in words.into_iter().enumerate() {
        match index.checked_sub(inputs) {
            None => simulation.set_input(index, word),
            Some(latch) => simulation.set_latch(latch, word),
        }
    }
    simulation.settle();
}
