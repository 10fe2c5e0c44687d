//! The proof forest: which assertions an equality follows from.
//!
//! Each merge adds an edge between the two nodes it was asked to merge, so each class is a tree,
//! and the edges on the path between two nodes are why they are equal. An edge that is a congruence
//! is explained by the paths between the arguments.
//!
//! Explanations are right in time. The path between two nodes of one tree is unique, and later
//! merges add edges to other trees without changing it (they turn edges round, no more). The
//! paths that an edge rests on were complete before it was added, so they consist of older edges.
//! Hence an equality is explained by what was asserted before it was found, however much later one
//! asks; and explanations of implied literals cannot be circular.
//!
//! While one explanation is collected, the parts of paths already seen are short-cut by a
//! union-find structure towards the root, so each edge is visited once (Nieuwenhuis, Oliveras).

use super::closure::{Euf, NONE};
use super::merge::Reason;
use super::{AXIOM, Node, Tag};

/// Two nodes of one class, and why they are equal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) a: Node,
    pub(super) b: Node,
    pub(super) reason: Reason,
}

impl Edge {
    pub(super) fn other(&self, node: Node) -> Node {
        if self.a == node { self.b } else { self.a }
    }

    /// The end that is an equation, where the other one is a truth value.
    pub(super) fn equality(&self) -> Node {
        if self.a == Euf::TRUE || self.a == Euf::FALSE { self.b } else { self.a }
    }
}

/// What explaining needs beside the forest.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// Towards the root, past edges that are explained.
    above: Vec<Node>,
    touched: Vec<Node>,
    seen: Vec<u64>,
    round: u64,
    work: Vec<(Node, Node)>,
}

impl Scratch {
    pub(super) fn grow(&mut self, node: Node) {
        self.above.push(node);
        self.seen.push(0);
    }

    fn highest(&mut self, node: Node) -> Node {
        let mut top = node;
        while self.above[top.index()] != top {
            top = self.above[top.index()];
        }
        let mut at = node;
        while at != top {
            at = std::mem::replace(&mut self.above[at.index()], top);
        }
        top
    }
}

impl Euf {
    /// Adds an edge whose end `from` is in the smaller class.
    pub(super) fn link(&mut self, from: Node, edge: Edge) {
        let mut node = from;
        let mut towards = NONE;
        loop {
            let onwards = std::mem::replace(&mut self.nodes[node.index()].proof, towards);
            if onwards == NONE {
                break;
            }
            node = self.edges[onwards as usize].other(node);
            towards = onwards;
        }
        self.nodes[from.index()].proof = self.edges.len() as u32;
        self.edges.push(edge);
    }

    /// Takes back the edge that was added last.
    pub(super) fn cut(&mut self) {
        if let Some(edge) = self.edges.pop() {
            let id = self.edges.len() as u32;
            let end = if self.nodes[edge.a.index()].proof == id { edge.a } else { edge.b };
            self.nodes[end.index()].proof = NONE;
        }
    }

    /// The edge from a node towards the root of its tree.
    pub(super) fn edge_up(&self, node: Node) -> Option<u32> {
        Some(self.nodes[node.index()].proof).filter(|&edge| edge != NONE)
    }

    /// Appends tags that imply that two equal nodes are equal, each once.
    pub fn explain_equal(&mut self, a: Node, b: Node, out: &mut Vec<Tag>) {
        debug_assert!(self.are_equal(a, b), "only equal nodes have an explanation");
        self.scratch.work.push((a, b));
        self.explain(out);
    }

    /// Appends tags that imply that two nodes known to be different are different, each once.
    ///
    /// Of a watched equation reported as false it gives what was known when it was reported.
    pub fn explain_distinct(&mut self, a: Node, b: Node, out: &mut Vec<Tag>) {
        debug_assert!(self.are_distinct(a, b), "only different nodes have an explanation");
        let own = self.find_equality(a, b).filter(|&e| self.are_equal(e, Euf::FALSE));
        if let Some(equality) = own {
            self.scratch.work.push((equality, Euf::FALSE));
        } else if let Some((v, w)) = self.different_values(self.root(a), self.root(b)) {
            self.scratch.work.extend([(a, v), (b, w)]);
        } else if let Some(equality) = self.filed_equality(a, b) {
            let (c, d) = self.sides(equality);
            let (c, d) = if self.are_equal(a, c) { (c, d) } else { (d, c) };
            self.scratch.work.extend([(equality, Euf::FALSE), (a, c), (b, d)]);
        }
        self.explain(out);
    }

    fn explain(&mut self, out: &mut Vec<Tag>) {
        let start = out.len();
        while let Some((a, b)) = self.scratch.work.pop() {
            if let Some(meeting) = self.meeting(a, b) {
                self.climb(a, meeting, out);
                self.climb(b, meeting, out);
            }
        }
        while let Some(node) = self.scratch.touched.pop() {
            self.scratch.above[node.index()] = node;
        }
        out[start..].sort_unstable();
        let mut kept = start;
        for at in start..out.len() {
            if at == start || out[at] != out[kept - 1] {
                out[kept] = out[at];
                kept += 1;
            }
        }
        out.truncate(kept);
    }

    /// The first common node on the ways of two nodes to the root of their tree.
    fn meeting(&mut self, a: Node, b: Node) -> Option<Node> {
        self.scratch.round += 1;
        let round = self.scratch.round;
        let mut ways = [Some(self.scratch.highest(a)), Some(self.scratch.highest(b))];
        while ways.iter().any(Option::is_some) {
            for way in &mut ways {
                let Some(node) = *way else { continue };
                if self.scratch.seen[node.index()] == round {
                    return Some(node);
                }
                self.scratch.seen[node.index()] = round;
                *way = match self.nodes[node.index()].proof {
                    NONE => None,
                    edge => Some(self.scratch.highest(self.edges[edge as usize].other(node))),
                };
            }
        }
        None
    }

    fn climb(&mut self, from: Node, to: Node, out: &mut Vec<Tag>) {
        let mut node = self.scratch.highest(from);
        while node != to {
            let edge = self.edges[self.nodes[node.index()].proof as usize];
            match edge.reason {
                Reason::Asserted(AXIOM) => {}
                Reason::Asserted(tag) => out.push(tag),
                _ => {
                    let mut work = std::mem::take(&mut self.scratch.work);
                    self.premises(&edge, |a, b| work.push((a, b)));
                    self.scratch.work = work;
                }
            }
            self.scratch.above[node.index()] = edge.other(node);
            self.scratch.touched.push(node);
            node = self.scratch.highest(edge.other(node));
        }
    }

    /// The equalities that an edge rests on, in the order of the arguments.
    pub(super) fn premises(&self, edge: &Edge, mut premise: impl FnMut(Node, Node)) {
        match edge.reason {
            Reason::Asserted(_) => {}
            Reason::Congruence { crossed: true } => {
                let ((a, b), (c, d)) = (self.sides(edge.a), self.sides(edge.b));
                premise(a, d);
                premise(b, c);
            }
            Reason::Congruence { crossed: false } => {
                for (a, b) in self.args(edge.a).iter().zip(self.args(edge.b)) {
                    premise(a.arg, b.arg);
                }
            }
            Reason::Sides => {
                let (a, b) = self.sides(edge.equality());
                premise(a, b);
            }
            Reason::Holds(equality) => premise(equality, Euf::TRUE),
            Reason::Values(v, w) => {
                let (a, b) = self.sides(edge.equality());
                premise(a, v);
                premise(b, w);
            }
        }
    }
}
