//! Values of nodes: under one assignment, and under 64 at once.
//!
//! A word holds one bit per assignment; six inputs have all their assignments in one word.

use super::{Aig, Edge, Node};

/// All assignments of six inputs: bit `p` of word `j` is bit `j` of `p`.
pub const COUNTING: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// The values of all nodes under 64 assignments.
#[derive(Clone, Debug)]
pub struct Simulation {
    words: Vec<u64>,
}

impl Simulation {
    /// The values of an edge, one bit per assignment.
    #[inline]
    pub fn value(&self, edge: Edge) -> u64 {
        self.words[edge.node() as usize] ^ 0u64.wrapping_sub(u64::from(edge.is_negated()))
    }
}

impl Aig {
    /// The values of all nodes under 64 assignments, given as one word per input.
    ///
    /// Inputs without a word are false.
    pub fn simulate(&self, inputs: &[u64]) -> Simulation {
        let mut simulation = Simulation { words: Vec::with_capacity(self.nodes.len()) };
        for node in 0..self.len() {
            let word = match self.node(node) {
                Node::False => 0,
                Node::Input(index) => inputs.get(index as usize).copied().unwrap_or(0),
                Node::And(left, right) => simulation.value(left) & simulation.value(right),
            };
            simulation.words.push(word);
        }
        simulation
    }

    /// The values of `roots` under one assignment of the inputs.
    pub fn evaluate(&self, roots: &[Edge], mut input: impl FnMut(u32) -> bool) -> Vec<bool> {
        let cone = self.cone(roots);
        let mut values = vec![false; cone.last().map_or(0, |node| *node as usize + 1)];
        let value = |values: &[bool], edge: Edge| values[edge.node() as usize] != edge.is_negated();
        for node in cone {
            values[node as usize] = match self.node(node) {
                Node::False => false,
                Node::Input(index) => input(index),
                Node::And(left, right) => value(&values, left) && value(&values, right),
            };
        }
        roots.iter().map(|root| value(&values, *root)).collect()
    }
}
