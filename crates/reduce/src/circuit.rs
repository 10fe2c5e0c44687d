//! Circuits made smaller: fewer inputs, latches, gates, constraints and properties.
//!
//! A variable goes by having a constant in its place, a gate also by one of its own inputs, and a latch also by an
//! input. The last property stays, so that what is asked about does.

use crate::chunks::{chunks, without};
use crate::search::Reduce;
use alphorn_problem::circuit::{And, Circuit, Latch, Lit, Symbols};
use std::ops::Range;

/// What makes a circuit smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Comments go.
    Comments,
    /// Names go.
    Names(Range<usize>),
    /// Constraints go.
    Constraints(Range<usize>),
    /// Fairness constraints go.
    Fairness(Range<usize>),
    /// Bad states go.
    Bads(Range<usize>),
    /// Outputs go.
    Outputs(Range<usize>),
    /// Justice properties go.
    Justice(Range<usize>),
    /// Variables are false.
    False(Range<u32>),
    /// A variable is a literal that comes before it.
    By(u32, Lit),
    /// A latch is an input.
    Free(usize),
    /// A latch begins as false.
    Reset(usize),
}

/// The circuit without variables, literals that come before them in their places.
fn replaced(circuit: &Circuit, range: Range<u32>, by: Lit) -> Circuit {
    let mut named: Vec<Lit> = Vec::with_capacity(circuit.max_var() as usize + 1);
    let mut next = 0;
    for var in 0..=circuit.max_var() {
        if range.contains(&var) {
            named.push(named[by.var() as usize].xor(by.is_negated()));
        } else {
            named.push(Lit::new(next, false));
            next += 1;
        }
    }
    let first_latch = 1 + circuit.inputs;
    let first_gate = first_latch + circuit.latches.len() as u32;
    let gone = |first: u32, last: u32| {
        let (start, end) = (range.start.clamp(first, last), range.end.clamp(first, last));
        (start - first) as usize..(end - first) as usize
    };
    let mut small = circuit.clone();
    small.inputs -= gone(1, first_latch).len() as u32;
    small.latches = without(&circuit.latches, &gone(first_latch, first_gate));
    small.ands = without(&circuit.ands, &gone(first_gate, circuit.max_var() + 1));
    unname(&mut small.symbols, b'i', &gone(1, first_latch));
    unname(&mut small.symbols, b'l', &gone(first_latch, first_gate));
    rename(&mut small, &named);
    small
}

/// Says every literal of a circuit by the new names of variables.
fn rename(circuit: &mut Circuit, named: &[Lit]) {
    let renamed = |lit: Lit| named[lit.var() as usize].xor(lit.is_negated());
    for And { left, right } in &mut circuit.ands {
        (*left, *right) = (renamed(*left), renamed(*right));
    }
    for Latch { next, reset } in &mut circuit.latches {
        (*next, *reset) = (renamed(*next), renamed(*reset));
    }
    let Circuit { outputs, bads, constraints, fairness, justice, .. } = circuit;
    let lists = [outputs, bads, constraints, fairness].into_iter().flatten();
    lists.chain(justice.iter_mut().flatten()).for_each(|lit| *lit = renamed(*lit));
}

/// Takes the names out of what goes from a section, and gives those behind it their new positions.
fn unname(symbols: &mut Symbols, section: u8, gone: &Range<usize>) {
    let is_gone = |kind: u8, at: u32| kind == section && gone.contains(&(at as usize));
    symbols.entries.retain(|(kind, at, _)| !is_gone(*kind, *at));
    for (kind, at, _) in &mut symbols.entries {
        if *kind == section && *at as usize >= gone.end {
            *at -= gone.len() as u32;
        }
    }
}

/// The circuit with an input for a latch.
fn freed(circuit: &Circuit, latch: usize) -> Circuit {
    let var = circuit.latch(latch).var();
    let first = 1 + circuit.inputs;
    let named = (0..=circuit.max_var()).map(|old| match old {
        old if old == var => Lit::new(first, false),
        old if (first..var).contains(&old) => Lit::new(old + 1, false),
        old => Lit::new(old, false),
    });
    let named: Vec<Lit> = named.collect();
    let mut small = circuit.clone();
    small.latches.remove(latch);
    let name = circuit.symbols.name(b'l', latch).map(str::to_owned);
    unname(&mut small.symbols, b'l', &(latch..latch + 1));
    small.symbols.entries.extend(name.map(|name| (b'i', circuit.inputs, name)));
    small.inputs += 1;
    rename(&mut small, &named);
    small
}

impl Reduce for Circuit {
    type Step = Step;

    fn steps(&self) -> Vec<Step> {
        let first_gate = 1 + self.inputs + self.latches.len() as u32;
        let has_comments = !self.comments.is_empty();
        let mut all: Vec<Step> = has_comments.then_some(Step::Comments).into_iter().collect();
        let names = self.symbols.entries.len();
        all.extend((names > 1).then_some(Step::Names(0..names)));
        all.extend(chunks(names).map(Step::Names));
        all.extend(chunks(self.constraints.len()).map(Step::Constraints));
        all.extend(chunks(self.fairness.len()).map(Step::Fairness));
        all.extend(chunks(self.justice.len()).map(Step::Justice));
        all.extend(chunks(self.bads.len()).map(Step::Bads));
        all.extend(chunks(self.outputs.len()).map(Step::Outputs));
        let var = |at: usize| self.max_var() + 1 - at as u32;
        let several = chunks(self.max_var() as usize).take_while(|chunk| chunk.len() > 1);
        all.extend(several.map(|chunk| Step::False(var(chunk.end)..var(chunk.start))));
        for var in (1..=self.max_var()).rev() {
            let mut by = vec![Lit::FALSE, Lit::TRUE];
            if let Some(and) = var.checked_sub(first_gate).map(|at| self.ands[at as usize]) {
                by.extend([and.left, and.right]);
            }
            by.retain(|by| by.var() < var);
            all.extend(by.into_iter().map(|by| Step::By(var, by)));
        }
        all.extend((0..self.latches.len()).rev().map(Step::Free));
        let is_set = |at: &usize| self.latches[*at].reset != Lit::FALSE;
        all.extend((0..self.latches.len()).filter(is_set).map(Step::Reset));
        all
    }

    fn after(&self, step: &Step) -> Option<Circuit> {
        let mut small = self.clone();
        match step {
            Step::Comments => small.comments.clear(),
            Step::Names(range) => {
                small.symbols.entries = without(&self.symbols.entries, range);
            }
            Step::Constraints(range) => small.constraints = without(&self.constraints, range),
            Step::Fairness(range) => small.fairness = without(&self.fairness, range),
            Step::Bads(range) => small.bads = without(&self.bads, range),
            Step::Outputs(range) => small.outputs = without(&self.outputs, range),
            Step::Justice(range) => small.justice = without(&self.justice, range),
            Step::False(range) => small = replaced(self, range.clone(), Lit::FALSE),
            Step::By(var, by) => small = replaced(self, *var..*var + 1, *by),
            Step::Free(latch) => small = freed(self, *latch),
            Step::Reset(latch) => small.latches[*latch].reset = Lit::FALSE,
        }
        let of_section = match step {
            Step::Constraints(range) => Some((b'c', range)),
            Step::Fairness(range) => Some((b'f', range)),
            Step::Bads(range) => Some((b'b', range)),
            Step::Outputs(range) => Some((b'o', range)),
            Step::Justice(range) => Some((b'j', range)),
            _ => None,
        };
        if let Some((section, range)) = of_section {
            unname(&mut small.symbols, section, range);
        }
        let asks = |circuit: &Circuit| !circuit.safety().is_empty() || !circuit.justice.is_empty();
        // Outputs that begin to be properties, where the last bad state goes, are another question.
        let is_same = small.bads.is_empty() == self.bads.is_empty();
        (is_same && (asks(&small) || !asks(self)) && small.validate().is_ok()).then_some(small)
    }
}
