//! Cones: what edges depend on, how large that is, and copies of it.
//!
//! A copy goes through the nodes of the cone in ascending order, so that operands are copied before
//! their conjunctions, and rewrites again on the way.

use super::{Aig, Edge, Node};

impl Aig {
    /// The nodes that `roots` depend on, the roots' own included, ascending.
    pub fn cone(&self, roots: &[Edge]) -> Vec<u32> {
        let Some(last) = roots.iter().map(|root| root.node()).max() else { return Vec::new() };
        let mut seen = vec![false; last as usize + 1];
        let mut stack = Vec::new();
        let mut nodes = Vec::new();
        let visit = |edge: Edge, seen: &mut Vec<bool>, stack: &mut Vec<u32>| {
            if !std::mem::replace(&mut seen[edge.node() as usize], true) {
                stack.push(edge.node());
            }
        };
        for root in roots {
            visit(*root, &mut seen, &mut stack);
        }
        while let Some(node) = stack.pop() {
            nodes.push(node);
            if let Some((left, right)) = self.operands(node) {
                visit(left, &mut seen, &mut stack);
                visit(right, &mut seen, &mut stack);
            }
        }
        nodes.sort_unstable();
        nodes
    }

    /// The numbers of the inputs that `roots` depend on, ascending.
    pub fn support(&self, roots: &[Edge]) -> Vec<u32> {
        let inputs = self.cone(roots).into_iter().filter_map(|node| match self.node(node) {
            Node::Input(index) => Some(index),
            _ => None,
        });
        inputs.collect()
    }

    /// How many conjunctions `roots` depend on.
    pub fn size(&self, roots: &[Edge]) -> usize {
        self.cone(roots).into_iter().filter(|node| self.operands(*node).is_some()).count()
    }

    /// The longest path from `roots` to an input.
    pub fn depth(&self, roots: &[Edge]) -> u32 {
        roots.iter().map(|root| self.level(root.node())).max().unwrap_or(0)
    }

    /// Makes anew what is below `roots`, arguments first: `make` is given each node with what its
    /// arguments have become. Returns what the roots have become.
    pub(super) fn rebuild(&self, roots: &[Edge], mut make: impl FnMut(Node) -> Edge) -> Vec<Edge> {
        let cone = self.cone(roots);
        let mut made = vec![Edge::FALSE; cone.last().map_or(0, |node| *node as usize + 1)];
        let new = |made: &[Edge], edge: Edge| made[edge.node() as usize].xor(edge.is_negated());
        for node in cone {
            let seen = match self.node(node) {
                Node::And(left, right) => Node::And(new(&made, left), new(&made, right)),
                leaf => leaf,
            };
            made[node as usize] = make(seen);
        }
        roots.iter().map(|root| new(&made, *root)).collect()
    }

    /// Copies `roots` of another graph; `input` says what stands for the input of a number.
    pub fn import(
        &mut self,
        other: &Aig,
        roots: &[Edge],
        mut input: impl FnMut(&mut Aig, u32) -> Edge,
    ) -> Vec<Edge> {
        other.rebuild(roots, |node| match node {
            Node::False => Edge::FALSE,
            Node::Input(index) => input(self, index),
            Node::And(left, right) => self.and(left, right),
        })
    }

    /// Replaces inputs in `roots`; `input` says what stands for the input of a number, if anything.
    pub fn substitute(
        &mut self,
        roots: &[Edge],
        mut input: impl FnMut(u32) -> Option<Edge>,
    ) -> Vec<Edge> {
        let cone = self.cone(roots);
        let mut copies = vec![Edge::FALSE; cone.last().map_or(0, |node| *node as usize + 1)];
        let copied =
            |copies: &[Edge], edge: Edge| copies[edge.node() as usize].xor(edge.is_negated());
        for node in cone {
            copies[node as usize] = match self.node(node) {
                Node::False => Edge::FALSE,
                Node::Input(index) => input(index).unwrap_or(Edge::new(node, false)),
                Node::And(left, right) => {
                    let (left, right) = (copied(&copies, left), copied(&copies, right));
                    self.and(left, right)
                }
            };
        }
        roots.iter().map(|root| copied(&copies, *root)).collect()
    }
}
