//! Sweeping: nodes that compute the same function become one.
//!
//! Nodes are copied in order. Random assignments tell most nodes apart; two that no assignment tells
//! apart are compared by a solver, under a small budget, and merged if they are equal. An assignment
//! that tells them apart after all joins the others once a word of them has been collected. Constants
//! are the values of node 0, so that nodes which are always true or false go as well.
//!
//! Interpolants shrink much under it, since parts of proofs say the same again and again.
//!
//! After Kuehlmann, Krohm, "Equivalence Checking Using Cuts and Heaps" (DAC 1997), and Mishchenko,
//! Chatterjee, Jiang, Brayton, "FRAIGs" (2005).

use std::collections::BTreeMap;

use super::{Aig, Edge, Encoder, Encoding, Node, Polarity};
use crate::random::Random;
use crate::solver::{Answer, Solver};
use crate::state::Budget;

/// Words of random assignments at the beginning.
const WORDS: usize = 4;

/// How much a sweep may do.
#[derive(Clone, Copy, Debug)]
pub struct SweepLimits {
    /// Conflicts for each comparison.
    pub conflicts: u64,
    /// Comparisons that do not succeed.
    pub failures: u32,
    /// Ticks of the solver for all comparisons together.
    pub ticks: u64,
}

/// The state of a sweep: the copy, and what tells its nodes apart.
struct Sweep {
    copy: Aig,
    /// For each node of the copy its values, some words of them.
    words: Vec<Vec<u64>>,
    /// The nodes by their values; where these begin with a one they are complemented.
    classes: BTreeMap<Vec<u64>, u32>,
    solver: Solver,
    encoder: Encoder,
    random: Random,
    /// Assignments that told nodes apart, by input.
    found: Vec<u64>,
    count: u32,
    failures: u32,
}

impl Aig {
    /// The roots in a graph with the same inputs in which nodes that were found equal are one; how
    /// many ticks that took comes with it.
    pub fn sweep(&self, roots: &[Edge], limits: &SweepLimits) -> (Aig, Vec<Edge>, u64) {
        let mut sweep = Sweep::new(self.inputs());
        let roots = self.rebuild(roots, |node| match node {
            Node::False => Edge::FALSE,
            Node::Input(index) => sweep.copy.input(index),
            Node::And(left, right) => sweep.conjoin(left, right, limits),
        });
        (sweep.copy, roots, sweep.solver.stats().ticks)
    }
}

impl Sweep {
    fn new(inputs: u32) -> Sweep {
        let mut sweep = Sweep {
            copy: Aig::new(),
            words: vec![vec![0; WORDS]],
            classes: BTreeMap::new(),
            solver: Solver::default(),
            encoder: Encoder::new(Encoding::Tseitin),
            random: Random::new(1),
            found: vec![0; inputs as usize],
            count: 0,
            failures: 0,
        };
        for _ in 0..inputs {
            let input = sweep.copy.add_input();
            let words = (0..WORDS).map(|_| sweep.random.next()).collect();
            sweep.words.push(words);
            debug_assert_eq!(input.node() as usize + 1, sweep.words.len());
        }
        sweep.classify();
        sweep
    }

    /// The values of a node, complemented if the first is a one, and whether they are.
    fn signature(&self, node: u32) -> (Vec<u64>, bool) {
        let words = &self.words[node as usize];
        let is_complemented = words[0] & 1 == 1;
        let mask = 0u64.wrapping_sub(u64::from(is_complemented));
        (words.iter().map(|word| word ^ mask).collect(), is_complemented)
    }

    fn classify(&mut self) {
        self.classes.clear();
        for node in 0..self.words.len() as u32 {
            let (signature, _) = self.signature(node);
            self.classes.entry(signature).or_insert(node);
        }
    }

    /// The conjunction in the copy, or an edge that was there and is equal.
    fn conjoin(&mut self, left: Edge, right: Edge, limits: &SweepLimits) -> Edge {
        let edge = self.copy.and(left, right);
        let node = edge.node();
        if (node as usize) < self.words.len() {
            return edge;
        }
        debug_assert_eq!(node as usize, self.words.len(), "a conjunction adds one node");
        self.evaluate(node);
        let (signature, is_complemented) = self.signature(node);
        let Some(&other) = self.classes.get(&signature) else {
            self.classes.insert(signature, node);
            return edge;
        };
        let (_, other_is_complemented) = self.signature(other);
        let candidate = Edge::new(other, is_complemented != other_is_complemented);
        if self.failures < limits.failures
            && self.solver.stats().ticks < limits.ticks
            && self.is_equal(Edge::new(node, false), candidate, limits)
        {
            return candidate.xor(edge.is_negated());
        }
        edge
    }

    fn evaluate(&mut self, node: u32) {
        let Some((left, right)) = self.copy.operands(node) else { return };
        let value = |edge: Edge, word: usize| {
            self.words[edge.node() as usize][word] ^ 0u64.wrapping_sub(u64::from(edge.is_negated()))
        };
        let count = self.words[0].len();
        let words = (0..count).map(|word| value(left, word) & value(right, word)).collect();
        if (node as usize) < self.words.len() {
            self.words[node as usize] = words;
        } else {
            self.words.push(words);
        }
    }

    fn is_equal(&mut self, edge: Edge, candidate: Edge, limits: &SweepLimits) -> bool {
        let Sweep { encoder, solver, copy, .. } = self;
        let first = encoder.encode(copy, edge, Polarity::Both, solver);
        let second = encoder.encode(copy, candidate, Polarity::Both, solver);
        for (yes, no) in [(first, second), (second, first)] {
            let budget = Budget { conflicts: Some(limits.conflicts), ..Budget::default() };
            self.solver.set_budget(budget);
            match self.solver.solve(&[yes, !no]) {
                Answer::Unsat => {}
                Answer::Unknown => {
                    self.failures += 1;
                    return false;
                }
                Answer::Sat => {
                    self.tell_apart();
                    return false;
                }
            }
        }
        self.solver.add_clause(&[!first, second]);
        self.solver.add_clause(&[first, !second]);
        true
    }

    /// Takes the model of the solver as an assignment that tells nodes apart.
    fn tell_apart(&mut self) {
        for index in 0..self.found.len() {
            let lit = self.encoder.known(self.copy.input(index as u32));
            let value = lit.and_then(|lit| self.solver.value(lit));
            let bit = value.unwrap_or_else(|| self.random.one_in(2));
            self.found[index] |= u64::from(bit) << self.count;
        }
        self.count += 1;
        if self.count < 64 {
            return;
        }
        self.count = 0;
        for index in 0..self.found.len() {
            let node = self.copy.input(index as u32).node() as usize;
            let word = std::mem::take(&mut self.found[index]);
            self.words[node].push(word);
        }
        self.words[0].push(0);
        for node in 1..self.words.len() as u32 {
            self.evaluate(node);
        }
        self.classify();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: SweepLimits = SweepLimits { conflicts: 100, failures: 1000, ticks: 1 << 24 };

    #[test]
    fn equal_functions_become_one() {
        let mut aig = Aig::new();
        let [a, b, c] = [(); 3].map(|()| aig.add_input());
        // Two forms of the majority of three, which rewriting does not see to be equal.
        let (ab, bc, ca) = (aig.and(a, b), aig.and(b, c), aig.and(c, a));
        let first = aig.or_n([ab, bc, ca]);
        let either = aig.or(b, c);
        let second = aig.ite(a, either, bc);
        let differ = aig.xor(first, second);
        assert_ne!(differ, Edge::FALSE);
        let (_, roots, _) = aig.sweep(&[differ, first, second], &LIMITS);
        assert_eq!(roots[0], Edge::FALSE);
        assert_eq!(roots[1], roots[2]);
    }

    #[test]
    fn functions_stay_what_they_are() {
        let mut random = Random::new(7);
        for _ in 0..300 {
            let mut aig = Aig::new();
            let mut edges: Vec<Edge> = (0..6).map(|_| aig.add_input()).collect();
            for _ in 0..40 {
                let mut pick = || {
                    let index = random.below(edges.len() as u32) as usize;
                    edges[index].xor(random.one_in(2))
                };
                let (left, right) = (pick(), pick());
                edges.push(aig.and(left, right));
            }
            let roots = edges[42..].to_vec();
            let (swept, copies, _) = aig.sweep(&roots, &LIMITS);
            assert!(swept.size(&copies) <= aig.size(&roots));
            let words: Vec<u64> = (0..6).map(|_| random.next()).collect();
            let (before, after) = (aig.simulate(&words), swept.simulate(&words));
            for (root, copy) in roots.iter().zip(&copies) {
                assert_eq!(before.value(*root), after.value(*copy));
            }
        }
    }
}
