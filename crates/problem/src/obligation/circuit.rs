//! The proof obligations of a circuit certificate, as clauses.
//!
//! An engine asks for the obligations of its invariant and has a solver refute each; the checker
//! asks for the same obligations and replays the refutations. Both see the same clauses in the
//! same order, because both call this file. `crates/check/PROOFS.md` states the obligations, their
//! numbering, and why together they prove the property.
//!
//! Idea: an obligation describes a violation of one implication, so it must be unsatisfiable. A
//! run is s0, i0, s1, i1, …; it counts while the constraints hold for every (s, i) up to and
//! including the bad step. Every clause made here is true of every run that counts and violates
//! the implication (up to the choice of auxiliary variables). Leaving out clauses, as the
//! restriction to cones of influence does, therefore never makes a refutation worth less.
//!
//! Invariant: the clauses depend on the circuit, the property and the invariant alone.
//!
//! After Sheeran, Singh, Stålmarck, "Checking Safety Properties Using Induction and a SAT-Solver"
//! (FMCAD 2000), and Yu, Biere, Heljanko, "Progress in Certifying Hardware Model Checking Results"
//! (CAV 2021). We differ in the base case of simple paths, which goes one step further; PROOFS.md
//! has the example that shows why reset functions need it.

mod cone;
mod encode;

use crate::circuit::{Circuit, Latch, Lit};
use crate::evidence::circuit::Invariant;
pub(super) use cone::influence;
pub use cone::{cone, first_cone};
pub use encode::Cnf;
use encode::Encoder;
use std::collections::BTreeSet;

/// The largest obligation that is written down: its variables, its steps, the pairs of steps that
/// must differ, and the lemmas in all steps, counted together.
///
/// It bounds the memory that a certificate with an absurd `k` can ask for.
pub const MAX_SIZE: u32 = 1 << 27;

/// One thing a certificate must prove: that its clauses are unsatisfiable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// Which implication it stands for: `initiation`, `base 2`, …
    pub name: String,
    /// The clauses to refute.
    pub cnf: Cnf,
}

/// The obligations of one invariant for one safety property of a circuit.
///
/// They are built one at a time: together they may be much larger than the circuit.
#[derive(Debug)]
pub struct Obligations<'a> {
    circuit: &'a Circuit,
    invariant: &'a Invariant,
    bad: Lit,
    /// The latches the invariant speaks about.
    mentioned: Vec<Lit>,
    /// The position in the sequential cone, counted from 1; 0 outside of it.
    rank: Vec<u32>,
    /// The size of the sequential cone.
    width: u32,
}

impl<'a> Obligations<'a> {
    /// The obligations of `invariant` for the safety property `property`, or why the invariant
    /// is malformed; the circuit must be valid.
    pub fn new(
        circuit: &'a Circuit,
        property: usize,
        invariant: &'a Invariant,
    ) -> Result<Self, String> {
        let Some(&bad) = circuit.safety().get(property) else {
            return Err(format!("the circuit has no safety property {property}"));
        };
        let mentioned = mentioned_latches(circuit, invariant)?;
        let roots = circuit.constraints.iter().chain(&mentioned).copied().chain([bad]);
        let mut seen = vec![false; circuit.max_var() as usize + 1];
        let through = |latch: &Latch| [Some(latch.next), Some(latch.reset)];
        let cone = influence(circuit, &mut seen, roots, through);
        let mut rank = vec![0; circuit.max_var() as usize + 1];
        for (var, position) in cone.iter().zip(1..) {
            rank[*var as usize] = position;
        }
        Ok(Obligations { circuit, invariant, bad, mentioned, rank, width: cone.len() as u32 })
    }

    /// How many obligations there are.
    pub fn count(&self) -> usize {
        match self.invariant {
            Invariant::States { .. } | Invariant::Justice { .. } => 0,
            Invariant::Clauses(_) | Invariant::Aig(_) => 3,
            Invariant::KInductive { k, simple_path, lemmas } => {
                base_depths(*k, *simple_path).saturating_add(1 + lemma_obligations(lemmas))
            }
        }
    }

    /// About how many literals writing down the obligation with this position takes, from above.
    pub fn size(&self, index: usize) -> u64 {
        const PER_GATE: u128 = 8;
        let lemmas = self.lemma_literals();
        let steps = |depth: usize| depth as u128 + 1;
        let size = match self.invariant {
            Invariant::KInductive { k, simple_path, lemmas: all } => {
                let depth = match index.checked_sub(lemma_obligations(all)) {
                    None => 1,
                    Some(depth) => depth.min(*k),
                };
                let is_step = index + 1 == self.count();
                let pairs = match *simple_path && is_step {
                    true => steps(depth).saturating_mul(steps(depth)),
                    false => 0,
                };
                let differences = pairs.saturating_mul(self.cone_latches().len() as u128 + 1);
                let own = u128::from(self.width) + 1 + lemmas;
                steps(depth).saturating_mul(own).saturating_add(differences)
            }
            Invariant::Clauses(clauses) => {
                let literals = clauses.iter().map(|clause| clause.len() as u128 + 1);
                2 * (u128::from(self.width) + 1 + literals.sum::<u128>())
            }
            Invariant::Aig(aig) => 2 * (u128::from(self.width) + 1 + u128::from(aig.max_var())),
            Invariant::States { .. } | Invariant::Justice { .. } => 0,
        };
        u64::try_from(size.saturating_mul(PER_GATE)).unwrap_or(u64::MAX)
    }

    /// The obligation with this position, or why it cannot be written down.
    pub fn build(&self, index: usize) -> Result<Obligation, String> {
        if index >= self.count() {
            return Err(format!("there is no obligation {index}"));
        }
        let Invariant::KInductive { k, simple_path, lemmas } = self.invariant else {
            return self.implication(index);
        };
        match index.checked_sub(lemma_obligations(lemmas)) {
            None => self.implication(index),
            Some(depth) if depth < base_depths(*k, *simple_path) => {
                self.unrolling(format!("base {depth}"), depth, true, false)
            }
            Some(_) => self.unrolling("step".into(), *k, false, *simple_path),
        }
    }

    /// `depth` good steps and then a bad one, from a reset state or from anywhere.
    fn unrolling(
        &self,
        name: String,
        depth: usize,
        from_reset: bool,
        distinct: bool,
    ) -> Result<Obligation, String> {
        let latches = if distinct { self.cone_latches() } else { Vec::new() };
        let pairs = if distinct { (depth as u128) * (depth as u128 + 1) / 2 } else { 0 };
        let differences = pairs.saturating_mul(latches.len() as u128 + 1);
        let steps = depth as u128 + 1;
        let lemmas = steps.saturating_mul(self.lemma_literals());
        let mut encoder = self.encoder(steps, differences.saturating_add(lemmas))?;
        let last = depth as u32;
        let used = if distinct { &latches } else { &self.mentioned };
        encoder.run(last, from_reset, used, |step| Some(self.bad.xor(step < last)));
        (0..=last).for_each(|step| encoder.invariant(step, self.invariant, true));
        if distinct {
            for late in 1..=last {
                (0..late).for_each(|early| encoder.differ(early, late, &latches));
            }
        }
        Ok(Obligation { name, cnf: encoder.into_cnf() })
    }

    /// One of the three implications that make an invariant inductive and sufficient; of lemmas,
    /// one of the first two.
    fn implication(&self, index: usize) -> Result<Obligation, String> {
        let auxiliary = match self.invariant {
            Invariant::Clauses(clauses) | Invariant::KInductive { lemmas: clauses, .. } => {
                clauses.len()
            }
            Invariant::Aig(aig) => aig.ands.len().saturating_mul(2),
            Invariant::States { .. } | Invariant::Justice { .. } => 0,
        };
        let mut encoder = self.encoder(2, auxiliary as u128)?;
        let name = match index {
            0 => {
                encoder.run(0, true, &self.mentioned, |_| None);
                encoder.invariant(0, self.invariant, false);
                "initiation"
            }
            1 => {
                encoder.run(1, false, &self.mentioned, |_| None);
                encoder.invariant(0, self.invariant, true);
                encoder.invariant(1, self.invariant, false);
                "consecution"
            }
            _ => {
                encoder.run(0, false, &self.mentioned, |_| Some(self.bad));
                encoder.invariant(0, self.invariant, true);
                "property"
            }
        };
        Ok(Obligation { name: name.into(), cnf: encoder.into_cnf() })
    }

    /// The variable of a latch in a step of an implication, if it is in the cone: what a proof may tell cases
    /// apart by, or take a step apart at.
    pub fn variable(&self, latch: usize, step: u32) -> Option<u32> {
        let rank = self.rank[self.circuit.latch(latch).var() as usize];
        (rank != 0).then_some(1 + step * self.width + rank)
    }

    /// The size of the lemmas that every step of an unrolling repeats.
    fn lemma_literals(&self) -> u128 {
        let Invariant::KInductive { lemmas, .. } = self.invariant else { return 0 };
        lemmas.iter().map(|lemma| lemma.len() as u128 + 1).sum()
    }

    /// The latches in the sequential cone.
    fn cone_latches(&self) -> Vec<Lit> {
        let latches = (0..self.circuit.latches.len()).map(|index| self.circuit.latch(index));
        latches.filter(|lit| self.rank[lit.var() as usize] != 0).collect()
    }

    /// An encoder with room for `steps` steps and `auxiliary` further variables.
    fn encoder(&self, steps: u128, auxiliary: u128) -> Result<Encoder<'_>, String> {
        let size = (steps * (u128::from(self.width) + 1)).saturating_add(auxiliary);
        if size > u128::from(MAX_SIZE) {
            return Err(format!("the obligation is larger than {MAX_SIZE}"));
        }
        Ok(Encoder::new(self.circuit, &self.rank, self.width, steps as u32))
    }
}

/// How many depths the base case of an induction covers.
///
/// With simple paths it also covers depth `k` itself: the argument cuts loops out of a shortest
/// violation, and a loop that begins in the first step cannot be cut where a reset function ties
/// the first state to the first inputs.
fn base_depths(k: usize, simple_path: bool) -> usize {
    k.saturating_add(usize::from(simple_path)).min(usize::MAX - 1)
}

/// How many obligations show that the lemmas of an induction are invariant.
fn lemma_obligations(lemmas: &[Vec<Lit>]) -> usize {
    if lemmas.is_empty() { 0 } else { 2 }
}

/// The latches an invariant speaks about, or why it is malformed.
fn mentioned_latches(circuit: &Circuit, invariant: &Invariant) -> Result<Vec<Lit>, String> {
    let count = circuit.latches.len();
    match invariant {
        Invariant::States { .. } => Ok(Vec::new()),
        Invariant::Justice { .. } => {
            Err("an invariant of a monitor proves justice, not safety".into())
        }
        Invariant::Clauses(clauses) | Invariant::KInductive { lemmas: clauses, .. } => {
            let latches = 1 + circuit.inputs..=circuit.inputs + count as u32;
            match clauses.iter().flatten().find(|lit| !latches.contains(&lit.var())) {
                Some(lit) => Err(format!("literal {} of the invariant is not a latch", lit.0)),
                None => {
                    let used = clauses.iter().flatten().map(|lit| lit.var());
                    let used: BTreeSet<u32> = used.collect();
                    Ok(used.into_iter().map(|var| Lit::new(var, false)).collect())
                }
            }
        }
        Invariant::Aig(aig) => {
            if aig.inputs as usize != count {
                return Err(format!("the invariant has {} inputs, not {count}", aig.inputs));
            }
            let [output] = aig.outputs[..] else {
                return Err(format!("the invariant has {} outputs, not one", aig.outputs.len()));
            };
            let sections = [&aig.bads, &aig.constraints, &aig.fairness];
            let plain = sections.iter().all(|section| section.is_empty());
            if !plain || !aig.latches.is_empty() || !aig.justice.is_empty() {
                return Err("the invariant has latches or properties of its own".into());
            }
            // Before `validate`, which numbers the gates and must not run out of numbers.
            if aig.ands.len() > MAX_SIZE as usize {
                return Err(format!("the invariant has more than {MAX_SIZE} gates"));
            }
            aig.validate()?;
            let inputs = cone(aig, [output]).into_iter().take_while(|var| *var <= aig.inputs);
            Ok(inputs.map(|var| circuit.latch(var as usize - 1)).collect())
        }
    }
}
