//! And-inverter graphs: functions as conjunctions and negations, each stored once.
//!
//! A node is the constant, an input, or the conjunction of two edges; an edge is a node, possibly
//! negated. Conjunctions are looked up before they are made, after local rewriting (`rewrite.rs`),
//! so that equal edges are equal functions, though not the other way round.
//!
//! Invariant: the operands of a node have smaller numbers than the node, so that ascending order is
//! topological and every traversal here is a loop. Conjunctions store the smaller edge first.
//!
//! After Kuehlmann, Paruthi, Krohm, Ganai, "Robust Boolean Reasoning" (TCAD 2002).

mod build;
mod cnf;
mod cone;
mod gate;
mod rewrite;
mod simulate;
mod sweep;

pub use cnf::{ClauseSink, Encoder, Encoding, Partition, Polarity};
pub use simulate::{COUNTING, Simulation};
pub use sweep::SweepLimits;

use std::fmt;
use std::ops::Not;

/// A node of a graph, possibly negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge(u32);

impl Edge {
    /// The function that is always false.
    pub const FALSE: Edge = Edge(0);
    /// The function that is always true.
    pub const TRUE: Edge = Edge(1);

    /// The edge to `node`, negated if `negate`.
    #[inline]
    pub fn new(node: u32, negate: bool) -> Edge {
        Edge(node << 1 | u32::from(negate))
    }

    /// The number of the node.
    #[inline]
    pub fn node(self) -> u32 {
        self.0 >> 1
    }

    /// Whether the edge negates its node.
    #[inline]
    pub fn is_negated(self) -> bool {
        self.0 & 1 != 0
    }

    /// The edge, negated if `negate`.
    #[inline]
    pub fn xor(self, negate: bool) -> Edge {
        Edge(self.0 ^ u32::from(negate))
    }

    /// Whether the function is known to be true or false everywhere.
    #[inline]
    pub fn is_constant(self) -> bool {
        self.0 < 2
    }

    /// Twice the node, plus one if negated.
    #[inline]
    pub fn code(self) -> u32 {
        self.0
    }
}

impl Not for Edge {
    type Output = Edge;

    #[inline]
    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}

impl fmt::Debug for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_negated() { "!" } else { "" }, self.node())
    }
}

/// A node of the graph: what an edge leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    /// The function that is always false.
    False,
    /// The input with the given number, counted from 0.
    Input(u32),
    /// The conjunction of two edges.
    And(Edge, Edge),
}

/// Marks the first operand of the constant and of inputs.
const NO_EDGE: Edge = Edge(u32::MAX);

/// And-inverter graph: nodes come after what they are made of, and equal ones are one.
#[derive(Clone)]
pub struct Aig {
    /// The operands; for an input the mark and its number.
    nodes: Vec<[Edge; 2]>,
    levels: Vec<u32>,
    inputs: Vec<u32>,
    /// Open addressing by the operands; 0 is a free place.
    table: Vec<u32>,
}

impl Default for Aig {
    fn default() -> Aig {
        Aig {
            nodes: vec![[NO_EDGE; 2]],
            levels: vec![0],
            inputs: Vec::new(),
            table: vec![0; 1 << 8],
        }
    }
}

impl Aig {
    /// A graph without inputs.
    pub fn new() -> Aig {
        Aig::default()
    }

    /// A new input, numbered after those there are.
    pub fn add_input(&mut self) -> Edge {
        let node = self.push([NO_EDGE, Edge(self.inputs.len() as u32)], 0);
        self.inputs.push(node);
        Edge::new(node, false)
    }

    /// The input with the given number, counted from 0.
    pub fn input(&self, index: u32) -> Edge {
        Edge::new(self.inputs[index as usize], false)
    }

    /// How many inputs there are.
    pub fn inputs(&self) -> u32 {
        self.inputs.len() as u32
    }

    /// How many nodes there are, constant and inputs included.
    pub fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// Whether there is nothing but the constant.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// How many conjunctions there are.
    pub fn ands(&self) -> u32 {
        self.len() - 1 - self.inputs()
    }

    /// What stands at a position of the graph.
    #[inline]
    pub fn node(&self, node: u32) -> Node {
        match self.nodes[node as usize] {
            [NO_EDGE, _] if node == 0 => Node::False,
            [NO_EDGE, input] => Node::Input(input.0),
            [left, right] => Node::And(left, right),
        }
    }

    /// The operands of a node that is a conjunction.
    #[inline]
    pub fn operands(&self, node: u32) -> Option<(Edge, Edge)> {
        match self.nodes[node as usize] {
            [NO_EDGE, _] => None,
            [left, right] => Some((left, right)),
        }
    }

    /// The longest path from the node to an input.
    #[inline]
    pub fn level(&self, node: u32) -> u32 {
        self.levels[node as usize]
    }

    fn push(&mut self, operands: [Edge; 2], level: u32) -> u32 {
        let node = self.nodes.len() as u32;
        assert!(node < u32::MAX >> 1, "a graph has fewer than 2^31 nodes");
        self.nodes.push(operands);
        self.levels.push(level);
        node
    }

    /// The node that is the conjunction of two edges, made if there is none; no rewriting.
    pub(super) fn hashed(&mut self, left: Edge, right: Edge) -> Edge {
        let operands = if left < right { [left, right] } else { [right, left] };
        let mask = self.table.len() - 1;
        let mut place = hash(operands) & mask;
        loop {
            match self.table[place] {
                0 => break,
                node if self.nodes[node as usize] == operands => return Edge::new(node, false),
                _ => place = (place + 1) & mask,
            }
        }
        let level = 1 + self.level(left.node()).max(self.level(right.node()));
        let node = self.push(operands, level);
        self.table[place] = node;
        if self.ands() as usize * 2 > self.table.len() {
            self.grow_table();
        }
        Edge::new(node, false)
    }

    fn grow_table(&mut self) {
        let size = self.table.len() * 2;
        self.table.clear();
        self.table.resize(size, 0);
        for (node, operands) in
            self.nodes.iter().enumerate().filter(|(_, edges)| edges[0] != NO_EDGE)
        {
            let mut place = hash(*operands) & (size - 1);
            while self.table[place] != 0 {
                place = (place + 1) & (size - 1);
            }
            self.table[place] = node as u32;
        }
    }
}

#[inline]
fn hash([left, right]: [Edge; 2]) -> usize {
    let key = u64::from(left.0) << 32 | u64::from(right.0);
    // The upper half of a product with an odd constant depends on all bits of the key.
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize ^ (key >> 20) as usize
}
