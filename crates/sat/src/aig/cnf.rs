//! Graphs as clauses.
//!
//! Each gate gets a variable and clauses that tie it to its operands, in one direction or both:
//! where only the truth of a gate is asked for, its clauses need only say what its truth implies
//! (Plaisted, Greenbaum 1986; both directions are Tseitin's). Gates are those of `gate.rs`, so that
//! nodes inside an exclusive or, an if-then-else or a larger conjunction get no variable unless
//! somebody else needs them.
//!
//! Demands flow from the roots to smaller nodes only, so one descending pass over the cone decides
//! what is encoded and in which directions. An encoder remembers this between calls: what was said
//! is not said again.
//!
//! After Eén, Mishchenko, Sörensson, "Applying Logic Synthesis for Speeding Up SAT" (SAT 2007), with
//! fixed patterns in place of a search for the best cover.

use std::collections::BTreeSet;

use super::gate::Gate;
use super::{Aig, Edge, Node};
use crate::cnf::Cnf;
use crate::literal::{Lit, Var};
use crate::solver::Solver;
use crate::theory::Theory;

/// Where clauses go.
pub trait ClauseSink {
    /// A variable that no clause mentions.
    fn fresh(&mut self) -> Var;

    /// Takes a clause.
    fn clause(&mut self, literals: &[Lit]);
}

impl<T: Theory> ClauseSink for Solver<T> {
    fn fresh(&mut self) -> Var {
        self.new_var()
    }

    fn clause(&mut self, literals: &[Lit]) {
        self.add_clause(literals);
    }
}

impl ClauseSink for Cnf {
    fn fresh(&mut self) -> Var {
        self.variables += 1;
        Var(self.variables - 1)
    }

    fn clause(&mut self, literals: &[Lit]) {
        self.clauses.push(literals.to_vec());
    }
}

/// A solver whose clauses get a partition label.
pub struct Partition<'a, T: Theory>(pub &'a mut Solver<T>, pub u32);

impl<T: Theory> ClauseSink for Partition<'_, T> {
    fn fresh(&mut self) -> Var {
        self.0.new_var()
    }

    fn clause(&mut self, literals: &[Lit]) {
        self.0.add_clause_in(literals, self.1);
    }
}

/// Which directions of gates are encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// Always both.
    Tseitin,
    /// Those that matter.
    PlaistedGreenbaum,
}

/// How a literal will be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Polarity {
    /// Only its truth is asked for: it implies its function.
    Positive,
    /// Only its falsity is asked for: its function implies it.
    Negative,
    /// It equals its function.
    Both,
}

const POSITIVE: u8 = 1;
const NEGATIVE: u8 = 2;
const BOTH: u8 = 3;

impl Polarity {
    fn bits(self) -> u8 {
        match self {
            Polarity::Positive => POSITIVE,
            Polarity::Negative => NEGATIVE,
            Polarity::Both => BOTH,
        }
    }
}

/// The directions in which a node is needed, if an edge to it is needed in directions `bits`.
#[inline]
fn through(edge: Edge, bits: u8) -> u8 {
    if edge.is_negated() { bits >> 1 | (bits & 1) << 1 } else { bits }
}

/// Encodes one graph, in as many calls as needed.
#[derive(Clone)]
pub struct Encoder {
    encoding: Encoding,
    /// The literal of each node, or `Lit::NONE`.
    literals: Vec<Lit>,
    /// The directions encoded so far.
    done: Vec<u8>,
    /// References to each node from the part being encoded; zero between calls.
    references: Vec<u32>,
    /// Directions needed by the part being encoded; zero between calls.
    needed: Vec<u8>,
    leaves: Vec<Edge>,
    clause: Vec<Lit>,
}

impl Encoder {
    /// An encoder that has encoded nothing.
    pub fn new(encoding: Encoding) -> Encoder {
        Encoder {
            encoding,
            literals: Vec::new(),
            done: Vec::new(),
            references: Vec::new(),
            needed: Vec::new(),
            leaves: Vec::new(),
            clause: Vec::new(),
        }
    }

    /// Uses `lit` for `edge`, whose node must be an input or not encoded yet, and then will not be.
    pub fn bind(&mut self, edge: Edge, lit: Lit) {
        self.grow(edge.node() as usize + 1);
        self.literals[edge.node() as usize] = lit.xor(edge.is_negated());
        self.done[edge.node() as usize] = BOTH;
    }

    /// The literal of an edge, if its node has one.
    pub fn known(&self, edge: Edge) -> Option<Lit> {
        let lit = *self.literals.get(edge.node() as usize)?;
        (lit != Lit::NONE).then(|| lit.xor(edge.is_negated()))
    }

    /// The literal of an edge, encoded for use in the given polarity.
    pub fn encode(
        &mut self,
        aig: &Aig,
        edge: Edge,
        polarity: Polarity,
        sink: &mut impl ClauseSink,
    ) -> Lit {
        self.encode_all(aig, &[(edge, polarity)], sink);
        self.known(edge).expect("encoding gives roots literals")
    }

    /// Encodes all roots, each for use in its polarity; `known` has their literals afterwards.
    pub fn encode_all(
        &mut self,
        aig: &Aig,
        roots: &[(Edge, Polarity)],
        sink: &mut impl ClauseSink,
    ) {
        self.grow(aig.len() as usize);
        let edges = roots.iter().map(|(edge, _)| *edge);
        let mut part = self.refer(aig, edges);
        for (edge, polarity) in roots {
            self.demand(*edge, polarity.bits(), sink);
        }
        part.sort_unstable();
        for node in part.into_iter().rev() {
            let bits = std::mem::take(&mut self.needed[node as usize]);
            let bits = bits & !self.done[node as usize];
            if bits != 0 {
                self.done[node as usize] |= bits;
                self.define(aig, node, bits, sink);
            }
            self.references[node as usize] = 0;
        }
    }

    /// Adds clauses that make `edge` true, with as few variables as that takes.
    pub fn assert(&mut self, aig: &Aig, edge: Edge, sink: &mut impl ClauseSink) {
        let mut seen = BTreeSet::new();
        let mut stack = vec![edge];
        while let Some(edge) = stack.pop() {
            if !seen.insert(edge) {
                continue;
            }
            match aig.operands(edge.node()) {
                Some((left, right)) if !edge.is_negated() && self.is_plain(aig, edge.node()) => {
                    stack.extend([right, left]);
                }
                _ => self.assert_disjunction(aig, edge, sink),
            }
        }
    }

    /// Whether a node is a conjunction and nothing more, and has no literal that would do.
    fn is_plain(&self, aig: &Aig, node: u32) -> bool {
        self.known(Edge::new(node, false)).is_none()
            && aig.operands(node).is_some()
            && aig.gate(node, |_| true, |_| true) == Gate::And
    }

    fn assert_disjunction(&mut self, aig: &Aig, edge: Edge, sink: &mut impl ClauseSink) {
        let node = edge.node();
        if !edge.is_negated() || !self.is_plain(aig, node) {
            let lit = self.encode(aig, edge, Polarity::Positive, sink);
            sink.clause(&[lit]);
            return;
        }
        let mut leaves = Vec::new();
        aig.conjuncts(node, |_| false, &mut leaves);
        let roots: Vec<_> = leaves.iter().map(|leaf| (!*leaf, Polarity::Positive)).collect();
        self.encode_all(aig, &roots, sink);
        let lits = roots.iter().map(|(edge, _)| self.known(*edge).expect("roots are encoded"));
        let clause: Vec<Lit> = lits.collect();
        sink.clause(&clause);
    }

    fn grow(&mut self, nodes: usize) {
        if self.literals.len() < nodes {
            self.literals.resize(nodes, Lit::NONE);
            self.done.resize(nodes, 0);
            self.references.resize(nodes, 0);
            self.needed.resize(nodes, 0);
        }
    }

    /// Counts references below the roots as far as nodes are not encoded; returns those seen.
    fn refer(&mut self, aig: &Aig, roots: impl Iterator<Item = Edge>) -> Vec<u32> {
        let mut part = Vec::new();
        let mut stack: Vec<u32> = roots.map(Edge::node).collect();
        while let Some(node) = stack.pop() {
            self.references[node as usize] += 1;
            if self.references[node as usize] > 1 {
                continue;
            }
            part.push(node);
            if self.done[node as usize] != BOTH
                && let Some((left, right)) = aig.operands(node)
            {
                stack.extend([left.node(), right.node()]);
            }
        }
        part
    }

    /// The literal of an edge that will be needed in directions `bits`.
    fn demand(&mut self, edge: Edge, bits: u8, sink: &mut impl ClauseSink) -> Lit {
        let node = edge.node() as usize;
        self.needed[node] |= match self.encoding {
            Encoding::Tseitin => BOTH,
            Encoding::PlaistedGreenbaum => through(edge, bits),
        };
        if self.literals[node] == Lit::NONE {
            self.literals[node] = sink.fresh().positive();
        }
        self.literals[node].xor(edge.is_negated())
    }

    /// What a node is, seen through nodes that are part of what is being encoded.
    fn gate(&self, aig: &Aig, node: u32) -> Gate {
        let is_open = |inner: u32| self.done[inner as usize] != BOTH;
        aig.gate(node, is_open, |inner| self.references[inner as usize] == 1)
    }

    /// Adds the clauses of a node in directions `bits`.
    fn define(&mut self, aig: &Aig, node: u32, bits: u8, sink: &mut impl ClauseSink) {
        let out = self.literals[node as usize];
        match aig.node(node) {
            Node::False => {
                self.done[node as usize] = BOTH;
                sink.clause(&[!out]);
                return;
            }
            Node::Input(_) => return,
            Node::And(..) => {}
        }
        match self.gate(aig, node) {
            Gate::And => self.define_and(aig, node, bits, sink),
            Gate::Xor(left, right) => {
                let left = self.demand(left, BOTH, sink);
                let right = self.demand(right, BOTH, sink);
                if bits & POSITIVE != 0 {
                    sink.clause(&[!out, left, right]);
                    sink.clause(&[!out, !left, !right]);
                }
                if bits & NEGATIVE != 0 {
                    sink.clause(&[out, !left, right]);
                    sink.clause(&[out, left, !right]);
                }
            }
            Gate::Ite(choice, then, otherwise) => {
                let choice = self.demand(choice, BOTH, sink);
                let then = self.demand(then, bits, sink);
                let otherwise = self.demand(otherwise, bits, sink);
                // The third clause of each direction is implied; it lets the output follow when
                // the choice is open.
                if bits & POSITIVE != 0 {
                    sink.clause(&[!out, !choice, then]);
                    sink.clause(&[!out, choice, otherwise]);
                    sink.clause(&[!out, then, otherwise]);
                }
                if bits & NEGATIVE != 0 {
                    sink.clause(&[out, !choice, !then]);
                    sink.clause(&[out, choice, !otherwise]);
                    sink.clause(&[out, !then, !otherwise]);
                }
            }
        }
    }

    fn define_and(&mut self, aig: &Aig, node: u32, bits: u8, sink: &mut impl ClauseSink) {
        let out = self.literals[node as usize];
        let mut leaves = std::mem::take(&mut self.leaves);
        let is_inner = |inner: u32| {
            self.references[inner as usize] == 1
                && self.literals[inner as usize] == Lit::NONE
                && self.gate(aig, inner) == Gate::And
        };
        aig.conjuncts(node, is_inner, &mut leaves);
        if leaves.windows(2).any(|pair| pair[0] == !pair[1]) {
            sink.clause(&[!out]);
        } else {
            let mut clause = std::mem::take(&mut self.clause);
            clause.clear();
            clause.push(out);
            for leaf in &leaves {
                clause.push(!self.demand(*leaf, bits, sink));
            }
            if bits & POSITIVE != 0 {
                clause[1..].iter().for_each(|lit| sink.clause(&[!out, !*lit]));
            }
            if bits & NEGATIVE != 0 {
                sink.clause(&clause);
            }
            self.clause = clause;
        }
        self.leaves = leaves;
    }
}
