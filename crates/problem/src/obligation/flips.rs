//! That nothing else avoids a violation, as clauses to refute.
//!
//! The run is written down with a variable for every value that may be flipped, which inverts it; the constraints
//! hold in every step, and the property is violated in none. A word has *changed* at a step if one of its bits is
//! flipped. Then no set that is known is contained in what has changed, and at most so many words have changed.
//! So every other set of that size that avoids the violation is a model, and a refutation shows that there is none.
//!
//! What no flip reaches is a constant, and what neither the property nor a constraint depends on is left out: a flip
//! there changes nothing that counts, and the set without it is smaller and avoids the violation, too.
//!
//! Variable 1 is true, which clause 1 says. That a word has changed and the counts are implied by what they stand
//! for and do not imply it; gates are equivalences.
//!
//! Invariant: the clauses depend on the violation, the sets and the bound alone, and are made in this order.
//!
//! Counters are after Sinz, "Towards an Optimal CNF Encoding of Boolean Cardinality Constraints" (CP 2005).

use super::circuit::Cnf;
use super::circuit::influence;
use crate::circuit::{And, Lit};
use crate::evidence::circuit::Bit;
use crate::evidence::flips::Flip;
use crate::violation::{Place, Violation};
use std::collections::{BTreeMap, BTreeSet};

/// The most values of inputs, latches and gates in all steps of a run that is written down.
pub const MAX_SIZE: usize = 1 << 23;

/// The largest bound that is counted to.
pub const MAX_COUNT: usize = 1 << 10;

/// A variable that is true.
const TRUE: i32 = 1;

/// What stands for a word at a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// What is true if the word has changed.
    pub changed: i32,
    /// Its bits that may be flipped, each with what flips it.
    pub flips: Vec<(Flip, i32)>,
}

/// A run as clauses, in which values may be flipped.
#[derive(Debug)]
pub struct Flipped<'a> {
    violation: &'a Violation,
    cnf: Cnf,
    /// By variable of the circuit: whether it matters.
    seen: Vec<bool>,
    /// By variable of the circuit: its value in the last step.
    values: Vec<i32>,
    words: BTreeMap<Place, Word>,
}

impl<'a> Flipped<'a> {
    /// The run without a bound on what is flipped, or why it is not written down; the violation must be valid.
    pub fn new(violation: &'a Violation) -> Result<Flipped<'a>, String> {
        let circuit = &violation.circuit;
        let mut seen = vec![false; circuit.max_var() as usize + 1];
        let roots = circuit.constraints.iter().copied().chain([violation.bad()]);
        let through = |latch: &crate::circuit::Latch| [Some(latch.next), Some(latch.reset)];
        let cone = influence(circuit, &mut seen, roots, through);
        let size = cone.len().saturating_mul(violation.trace.inputs.len());
        if size > MAX_SIZE {
            return Err(format!("the run has {size} values that may matter, more than {MAX_SIZE}"));
        }
        for var in cone {
            seen[var as usize] = true;
        }
        let mut cnf = Cnf::default();
        let truth = cnf.fresh();
        cnf.add([truth]);
        let values = vec![-TRUE; seen.len()];
        let mut run = Flipped { violation, cnf, seen, values, words: BTreeMap::new() };
        for step in 0..violation.trace.inputs.len() {
            run.step(step);
        }
        for word in run.words.values_mut() {
            if let [(_, only)] = word.flips[..] {
                word.changed = only;
                continue;
            }
            word.changed = run.cnf.fresh();
            for (_, flip) in &word.flips {
                run.cnf.add([-flip, word.changed]);
            }
        }
        Ok(run)
    }

    /// The clauses so far.
    pub fn cnf(&self) -> &Cnf {
        &self.cnf
    }

    /// The words that may be changed and matter, each at a step.
    pub fn words(&self) -> &BTreeMap<Place, Word> {
        &self.words
    }

    fn constant(&self, bit: Bit) -> i32 {
        if bit == Bit::One { TRUE } else { -TRUE }
    }

    fn value(&self, lit: Lit) -> i32 {
        let value = self.values[lit.var() as usize];
        if lit.is_negated() { -value } else { value }
    }

    /// Adds a step, in which the constraints hold and the property is not violated.
    fn step(&mut self, step: usize) {
        let Violation { circuit, trace, .. } = self.violation;
        let nexts: Vec<i32> = circuit.latches.iter().map(|latch| self.value(latch.next)).collect();
        for (index, bit) in trace.inputs[step].iter().enumerate() {
            let value = self.constant(*bit);
            self.put(step, circuit.input(index).var(), value);
        }
        let first_latch = circuit.latch(0).var() as usize;
        if step == 0 {
            for (index, bit) in trace.start.iter().enumerate() {
                self.values[first_latch + index] = self.constant(*bit);
            }
            self.reset();
        } else {
            self.values[first_latch..first_latch + nexts.len()].copy_from_slice(&nexts);
        }
        for index in 0..circuit.latches.len() {
            let var = circuit.latch(index).var();
            self.put(step, var, self.values[var as usize]);
        }
        for (index, and) in circuit.ands.iter().enumerate() {
            self.gate(circuit.gate(index).var(), *and);
        }
        for constraint in &circuit.constraints {
            let holds = self.value(*constraint);
            self.cnf.add([holds]);
        }
        let fine = self.value(!self.violation.bad());
        self.cnf.add([fine]);
    }

    /// Gives an input or a latch its value in a step, which may be flipped.
    fn put(&mut self, step: usize, var: u32, value: i32) {
        let mut value = value;
        if self.seen[var as usize] && self.violation.may_flip(var) {
            let flip = self.cnf.fresh();
            let place = (step, self.violation.words[var as usize - 1]);
            let word = self.words.entry(place);
            let word = word.or_insert(Word { changed: flip, flips: Vec::new() });
            word.flips.push((Flip { step, var }, flip));
            value = self.xor(value, flip);
        }
        self.values[var as usize] = value;
    }

    /// Gives latches with reset functions their first values.
    fn reset(&mut self) {
        let circuit = &self.violation.circuit;
        for var in circuit.reset_schedule() {
            match var.checked_sub(circuit.gate(0).var()) {
                Some(gate) => self.gate(var, circuit.ands[gate as usize]),
                None => {
                    let latch = circuit.latches[(var - circuit.latch(0).var()) as usize];
                    self.values[var as usize] = self.value(latch.reset);
                }
            }
        }
    }

    fn gate(&mut self, var: u32, and: And) {
        if self.seen[var as usize] {
            let (left, right) = (self.value(and.left), self.value(and.right));
            self.values[var as usize] = self.and(left, right);
        }
    }

    fn and(&mut self, left: i32, right: i32) -> i32 {
        for (one, other) in [(left, right), (right, left)] {
            if one == -TRUE || one == -other {
                return -TRUE;
            }
            if one == TRUE || one == other {
                return other;
            }
        }
        let both = self.cnf.fresh();
        self.cnf.add([-both, left]);
        self.cnf.add([-both, right]);
        self.cnf.add([both, -left, -right]);
        both
    }

    fn xor(&mut self, left: i32, right: i32) -> i32 {
        if left.abs() == TRUE {
            return if left == TRUE { -right } else { right };
        }
        let neither = self.and(-left, -right);
        let both = self.and(left, right);
        self.and(-neither, -both)
    }

    /// At each position `n` up to `most`, what is true if more than `n` words have changed; shorter if there are not
    /// so many words.
    pub fn counts(&mut self, most: usize) -> Vec<i32> {
        let changed: Vec<i32> = self.words.values().map(|word| word.changed).collect();
        let mut counts: Vec<i32> = Vec::new();
        for lit in changed {
            let mut after = Vec::with_capacity(counts.len() + 1);
            for at in 0..=counts.len().min(most) {
                let more = self.cnf.fresh();
                if let Some(before) = counts.get(at) {
                    self.cnf.add([-before, more]);
                }
                match at.checked_sub(1).map(|below| counts[below]) {
                    None => self.cnf.add([-lit, more]),
                    Some(below) => self.cnf.add([-lit, -below, more]),
                }
                after.push(more);
            }
            counts = after;
        }
        counts
    }

    /// What has changed does not contain these words. A word that does not matter is not there to change, and then
    /// there is nothing to say.
    pub fn exclude(&mut self, set: &BTreeSet<Place>) {
        let changed = set.iter().map(|place| self.words.get(place).map(|word| -word.changed));
        if let Some(clause) = changed.collect::<Option<Vec<i32>>>() {
            self.cnf.add(clause);
        }
    }
}

/// The clauses that a set of flips satisfies if it avoids the violation, contains none of the sets, and changes at
/// most so many words, or any number; or why they are not written down. The violation must be valid.
pub fn others(
    violation: &Violation,
    sets: &[BTreeSet<Place>],
    most: Option<usize>,
) -> Result<Cnf, String> {
    let mut run = Flipped::new(violation)?;
    if let Some(most) = most {
        if most > MAX_COUNT {
            return Err(format!("sets of more than {MAX_COUNT} changes are not counted"));
        }
        if let Some(more) = run.counts(most).get(most) {
            run.cnf.add([-more]);
        }
    }
    sets.iter().for_each(|set| run.exclude(set));
    Ok(run.cnf)
}

#[cfg(test)]
mod tests;
