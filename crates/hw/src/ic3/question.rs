//! A question about a circuit, and the small circuit that an engine answers it for.
//!
//! A question is whether the first safety property holds, under assumptions, with some inputs
//! frozen, and with clauses that may help. It becomes a question about one circuit: assumptions are
//! constraints, a frozen input is a latch that starts with anything and keeps it, and what the
//! property does not depend on is left out. Answers are about the circuit that was asked about.

use super::settings::Settings;
use super::signals::Signals;
use crate::circuit::influence;
use crate::model::completed;
use alphorn_problem::Circuit;
use alphorn_problem::circuit::{And, Latch, Lit};
use alphorn_problem::evidence::circuit::{Bit, Trace};

/// Whether the first safety property of a circuit holds, and under which circumstances.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The circuit, whose other properties are not asked about.
    pub circuit: &'a Circuit,
    /// Literals that are taken to be true in every step, as constraints are.
    pub assumptions: Vec<Lit>,
    /// Inputs that keep the value they have in the first step, by position.
    pub frozen: Vec<usize>,
    /// Latches that are part of the question though the property does not depend on them.
    pub kept: Vec<Lit>,
    /// Clauses over latches and frozen inputs that may hold in all reachable states; they are not
    /// believed, but tried first.
    pub known: Vec<Vec<Lit>>,
    /// The choices the engine has.
    pub settings: Settings,
}

impl<'a> Question<'a> {
    /// Whether the property holds, without further ado.
    pub fn new(circuit: &'a Circuit) -> Question<'a> {
        Question {
            circuit,
            assumptions: Vec::new(),
            frozen: Vec::new(),
            kept: Vec::new(),
            known: Vec::new(),
            settings: Settings::default(),
        }
    }
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The property holds: these clauses over latches and frozen inputs, and with other signals over
    /// gates that depend on these alone, are an inductive invariant under the assumptions, and exclude
    /// what is bad.
    Safe(Vec<Vec<Lit>>),
    /// It does not: a run on which the assumptions hold and the frozen inputs do not change.
    Unsafe(Trace),
}

/// The circuit of a question, and what its variables are in the one asked about.
pub(crate) struct Reduced<'a> {
    large: &'a Circuit,
    pub(crate) circuit: Circuit,
    /// What cubes speak about.
    pub(super) signals: Signals,
    /// By variable of the small circuit: that of the large one.
    origin: Vec<u32>,
    /// By variable of the large circuit: that of the small one, or `NONE`.
    image: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl<'a> Reduced<'a> {
    pub(crate) fn new(question: &Question<'a>) -> Reduced<'a> {
        let large = question.circuit;
        let bad = large.safety()[0];
        let constraints: Vec<Lit> =
            large.constraints.iter().chain(&question.assumptions).copied().collect();
        let outputs: &[Lit] =
            if question.settings.output_signals { &large.outputs } else { Default::default() };
        let roots = constraints.iter().chain(outputs).chain(&question.kept).copied().chain([bad]);
        let seen = influence(large, roots, |index| {
            let latch = large.latches[index];
            [Some(latch.next), Some(latch.reset)]
        });
        let is_frozen = |var: u32| question.frozen.contains(&(var as usize - 1));
        let (first_latch, first_gate) =
            (1 + large.inputs, 1 + large.inputs + large.latches.len() as u32);
        let kept = |from: u32, to: u32| (from..to).filter(|var| seen[*var as usize]);
        let inputs: Vec<u32> = kept(1, first_latch).filter(|var| !is_frozen(*var)).collect();
        let frozen: Vec<u32> = kept(1, first_latch).filter(|var| is_frozen(*var)).collect();
        let latches: Vec<u32> = kept(first_latch, first_gate).collect();
        let gates: Vec<u32> = kept(first_gate, large.max_var() + 1).collect();
        let mut origin = vec![0];
        let mut image = vec![NONE; seen.len()];
        image[0] = 0;
        for var in inputs.iter().chain(&latches).chain(&frozen).chain(&gates) {
            image[*var as usize] = origin.len() as u32;
            origin.push(*var);
        }
        let lit = |lit: Lit| Lit::new(image[lit.var() as usize], lit.is_negated());
        let latch = |var: &u32| {
            let latch = large.latches[(*var - first_latch) as usize];
            Latch { next: lit(latch.next), reset: lit(latch.reset) }
        };
        let constant = |var: &u32| {
            let itself = lit(Lit::new(*var, false));
            Latch { next: itself, reset: itself }
        };
        let gate = |var: &u32| {
            let gate = large.ands[(*var - first_gate) as usize];
            And { left: lit(gate.left), right: lit(gate.right) }
        };
        let mut circuit = Circuit {
            inputs: inputs.len() as u32,
            latches: latches.iter().map(latch).chain(frozen.iter().map(constant)).collect(),
            ands: gates.iter().map(gate).collect(),
            bads: vec![lit(bad)],
            constraints: constraints.iter().map(|constraint| lit(*constraint)).collect(),
            ..Circuit::default()
        };
        let signals = match question.settings.internal_signals {
            true => Signals::with_gates(&mut circuit),
            false if question.settings.output_signals => {
                let outputs: Vec<Lit> = outputs.iter().map(|output| lit(*output)).collect();
                Signals::outputs(&mut circuit, &outputs)
            }
            false => Signals::latches(&circuit),
        };
        Reduced { large, circuit, signals, origin, image }
    }

    /// The circuit that was asked about.
    pub(super) fn large(&self) -> &Circuit {
        self.large
    }

    /// The clause in the small circuit's variables; nothing if it speaks about others than latches.
    pub(crate) fn shrink(&self, clause: &[Lit]) -> Option<Vec<Lit>> {
        let first = 1 + self.circuit.inputs;
        let latches = first..first + self.circuit.latches.len() as u32;
        let shrunk = clause.iter().map(|lit| {
            let var = self.image.get(lit.var() as usize).copied()?;
            latches.contains(&var).then(|| Lit::new(var, lit.is_negated()))
        });
        shrunk.collect()
    }

    /// The clause in the large circuit's variables.
    pub(crate) fn widen(&self, clause: &[Lit]) -> Vec<Lit> {
        let widen = |lit: &Lit| Lit::new(self.origin[lit.var() as usize], lit.is_negated());
        clause.iter().map(widen).collect()
    }

    /// The run of the large circuit that a run of the small one stands for.
    pub(crate) fn widen_trace(&self, trace: &Trace) -> Trace {
        let (inputs, latches) = (self.circuit.inputs as usize, self.circuit.latches.len());
        let first_latch = 1 + self.large.inputs;
        let mut state = vec![false; self.large.latches.len()];
        let mut step = vec![false; self.large.inputs as usize];
        for index in 0..latches {
            let (var, value) = (self.origin[1 + inputs + index], trace.start[index] == Bit::One);
            match var.checked_sub(first_latch) {
                Some(latch) => state[latch as usize] = value,
                None => step[var as usize - 1] = value,
            }
        }
        let widen = |small: &Vec<Bit>| {
            let mut step = step.clone();
            for (index, bit) in small.iter().enumerate() {
                step[self.origin[1 + index] as usize - 1] = *bit == Bit::One;
            }
            step
        };
        let steps: Vec<Vec<bool>> = trace.inputs.iter().map(widen).collect();
        completed(self.large, &state, &steps)
    }
}
