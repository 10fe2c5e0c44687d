//! The abstract reachability graph: abstract facts, and which follow from which.
//!
//! A *node* is a relation symbol with the predicates that hold of it there. An *edge* is a rule with nodes for
//! its atoms, and the node that it leads to. A node whose label has all predicates of another's, and more, is
//! *covered* by that one: what follows from it follows there.
//!
//! When edges are taken away, so are the nodes that no derivation leads to any more, and what rests on them;
//! nodes that they covered are open again. To forget this is to call a system safe that is not.
//!
//! Invariant: every rule with nodes that are alive and uncovered for its atoms is contradictory, has an edge, or
//! waits to be looked at (`search`).

use super::predicates::PredicateId;
use crate::la::system::Pred;
use rustc_hash::FxHashMap;

/// A node, by its number.
pub(crate) type NodeId = usize;
/// An edge, by its number.
pub(super) type EdgeId = usize;

/// The depth of a node to which nothing leads.
const UNREACHED: u32 = u32::MAX;

/// A rule with nodes for its atoms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Way {
    /// The rule.
    pub(crate) rule: usize,
    /// The nodes.
    pub(crate) sources: Vec<NodeId>,
}

/// An abstract fact.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The relation symbol.
    pub(super) pred: Pred,
    /// The predicates that hold, ascending.
    pub(super) label: Vec<PredicateId>,
    /// Whether it is part of the graph.
    pub(super) is_alive: bool,
    /// A node with fewer predicates.
    pub(super) covered_by: Option<NodeId>,
    /// The height of the lowest derivation.
    pub(super) depth: u32,
    /// The edges that lead to it, some of which may be gone.
    incoming: Vec<EdgeId>,
}

/// A rule with nodes for its atoms and for its head.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    /// The rule and the nodes of its atoms.
    pub(super) way: Way,
    /// The node that it leads to.
    pub(super) target: NodeId,
    /// Whether it is part of the graph.
    pub(super) is_alive: bool,
}

/// The graph.
#[derive(Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    by_label: FxHashMap<(Pred, Vec<PredicateId>), NodeId>,
    edge_of: FxHashMap<Way, EdgeId>,
    /// The nodes that are alive and uncovered, by relation symbol.
    open: Vec<Vec<NodeId>>,
}

impl Graph {
    /// An empty graph for so many relation symbols.
    pub(super) fn new(preds: usize) -> Graph {
        Graph { open: vec![Vec::new(); preds], ..Graph::default() }
    }

    /// A node.
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    /// The nodes of a relation symbol that are alive and uncovered.
    pub(super) fn open(&self, pred: Pred) -> &[NodeId] {
        &self.open[pred]
    }

    /// Whether a node is alive and uncovered.
    pub(super) fn is_open(&self, id: NodeId) -> bool {
        self.nodes[id].is_alive && self.nodes[id].covered_by.is_none()
    }

    /// All nodes that are part of the graph.
    pub(super) fn alive(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(|node| node.is_alive)
    }

    /// All edges that are part of the graph.
    pub(super) fn edges(&self) -> impl Iterator<Item = (EdgeId, &Edge)> {
        self.edges.iter().enumerate().filter(|(_, edge)| edge.is_alive)
    }

    /// Whether a rule with these nodes has an edge.
    pub(super) fn has_edge(&self, way: &Way) -> bool {
        self.edge_of.contains_key(way)
    }

    /// The edges that lead to a node.
    pub(super) fn incoming(&self, id: NodeId) -> impl Iterator<Item = &Edge> {
        self.nodes[id].incoming.iter().map(|&edge| &self.edges[edge]).filter(|edge| edge.is_alive)
    }

    /// The height of the derivations of a rule with these nodes.
    pub(super) fn height(&self, way: &Way) -> u32 {
        let below = way.sources.iter().map(|&source| self.nodes[source].depth).max();
        below.map_or(0, |below| below.saturating_add(1))
    }

    /// Adds an edge to the node with a label; the node, if it is new.
    pub(super) fn add(&mut self, way: Way, pred: Pred, label: Vec<PredicateId>) -> Option<NodeId> {
        let depth = self.height(&way);
        let key = (pred, label);
        let known = self.by_label.get(&key).copied();
        let target = known.unwrap_or_else(|| {
            let id = self.nodes.len();
            let (label, incoming) = (key.1.clone(), Vec::new());
            let covered_by = None;
            self.nodes.push(Node { pred, label, is_alive: true, covered_by, depth, incoming });
            self.by_label.insert(key, id);
            id
        });
        let edge = self.edges.len();
        self.edge_of.insert(way.clone(), edge);
        self.edges.push(Edge { way, target, is_alive: true });
        let node = &mut self.nodes[target];
        node.incoming.push(edge);
        node.depth = node.depth.min(depth);
        known.is_none().then_some(target)
    }

    /// Covers a node if an open one allows it; otherwise it is open, and covers those that it can. Whether it
    /// is open.
    pub(super) fn open_or_cover(&mut self, id: NodeId) -> bool {
        let pred = self.nodes[id].pred;
        let label = self.nodes[id].label.clone();
        let nodes = &mut self.nodes;
        let by = self.open[pred].iter().copied().find(|&by| is_part(&nodes[by].label, &label));
        if let Some(by) = by {
            nodes[id].covered_by = Some(by);
            return false;
        }
        self.open[pred].retain(|&other| {
            let covers = is_part(&label, &nodes[other].label);
            if covers {
                nodes[other].covered_by = Some(id);
            }
            !covers
        });
        self.open[pred].push(id);
        true
    }

    /// Takes edges away, and everything that rests on them; the nodes that are not covered any more.
    pub(super) fn remove(&mut self, edges: &[EdgeId]) -> Vec<NodeId> {
        for &edge in edges {
            self.edges[edge].is_alive = false;
            self.edge_of.remove(&self.edges[edge].way);
        }
        self.measure();
        for (id, node) in self.nodes.iter_mut().enumerate() {
            if node.is_alive && node.depth == UNREACHED {
                node.is_alive = false;
                self.by_label.remove(&(node.pred, node.label.clone()));
                self.open[node.pred].retain(|&other| other != id);
            }
        }
        for edge in &mut self.edges {
            let is_dead = |&node: &NodeId| !self.nodes[node].is_alive;
            if edge.is_alive && (edge.way.sources.iter().any(is_dead) || is_dead(&edge.target)) {
                edge.is_alive = false;
                self.edge_of.remove(&edge.way);
            }
        }
        for node in &mut self.nodes {
            let edges = &self.edges;
            node.incoming.retain(|&edge| edges[edge].is_alive);
        }
        let mut uncovered = Vec::new();
        for id in 0..self.nodes.len() {
            if self.nodes[id].is_alive
                && self.nodes[id].covered_by.is_some_and(|by| !self.nodes[by].is_alive)
            {
                self.nodes[id].covered_by = None;
                uncovered.push(id);
            }
        }
        uncovered
    }

    /// Finds the depths of all nodes anew.
    fn measure(&mut self) {
        for node in &mut self.nodes {
            node.depth = UNREACHED;
        }
        loop {
            let mut has_changed = false;
            for edge in self.edges.iter().filter(|edge| edge.is_alive) {
                let below = edge.way.sources.iter().map(|&source| self.nodes[source].depth).max();
                let depth = match below {
                    None => 0,
                    Some(UNREACHED) => continue,
                    Some(below) => below + 1,
                };
                let target = &mut self.nodes[edge.target];
                if target.is_alive && depth < target.depth {
                    target.depth = depth;
                    has_changed = true;
                }
            }
            if !has_changed {
                return;
            }
        }
    }

    /// The nodes that a model needs: those that rules without atoms lead to, and so on, with those that cover
    /// in the place of the covered.
    pub(super) fn needed(&self) -> Vec<NodeId> {
        let mut is_needed = vec![false; self.nodes.len()];
        loop {
            let mut has_changed = false;
            for edge in self.edges.iter().filter(|edge| edge.is_alive) {
                if edge.way.sources.iter().all(|&source| is_needed[source]) {
                    let mut node = edge.target;
                    while let Some(by) = self.nodes[node].covered_by {
                        node = by;
                    }
                    has_changed |= !std::mem::replace(&mut is_needed[node], true);
                }
            }
            if !has_changed {
                return (0..self.nodes.len()).filter(|&id| is_needed[id]).collect();
            }
        }
    }
}

/// Whether all of the first predicates are among the second; both are ascending.
fn is_part(few: &[PredicateId], many: &[PredicateId]) -> bool {
    few.iter().all(|id| many.binary_search(id).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(rule: usize, sources: &[NodeId]) -> Way {
        Way { rule, sources: sources.to_vec() }
    }

    #[test]
    fn what_rests_on_a_removed_edge_goes_and_what_it_covered_is_open_again() {
        let mut graph = Graph::new(2);
        let weak = graph.add(way(0, &[]), 0, vec![]).unwrap();
        assert!(graph.open_or_cover(weak));
        let next = graph.add(way(1, &[weak]), 1, vec![]).unwrap();
        assert!(graph.open_or_cover(next));
        let strong = graph.add(way(2, &[]), 0, vec![3]).unwrap();
        assert!(!graph.open_or_cover(strong), "a weaker node covers it");
        assert_eq!(graph.needed(), [weak, next]);
        assert_eq!(graph.remove(&[0]), [strong], "it is not covered any more");
        assert!(!graph.node(weak).is_alive && !graph.node(next).is_alive);
        assert!(graph.open_or_cover(strong) && !graph.has_edge(&way(1, &[weak])));
        assert_eq!(graph.needed(), [strong]);
    }

    #[test]
    fn a_cycle_does_not_keep_itself_alive() {
        let mut graph = Graph::new(1);
        let first = graph.add(way(0, &[]), 0, vec![1]).unwrap();
        let second = graph.add(way(1, &[first]), 0, vec![2]).unwrap();
        assert_eq!(graph.add(way(1, &[second]), 0, vec![1]), None, "the node is known");
        assert_eq!(graph.node(second).depth, 1);
        assert!(graph.remove(&[0]).is_empty());
        assert_eq!(graph.alive().count(), 0);
    }

    #[test]
    fn a_weaker_node_covers_those_that_were_there() {
        let mut graph = Graph::new(1);
        let strong = graph.add(way(0, &[]), 0, vec![1, 2]).unwrap();
        assert!(graph.open_or_cover(strong));
        let weak = graph.add(way(1, &[strong]), 0, vec![2]).unwrap();
        assert!(graph.open_or_cover(weak));
        assert!(!graph.is_open(strong), "its own consequence says less");
        assert_eq!(graph.open(0), [weak]);
        assert_eq!(graph.needed(), [weak], "the one that covers stands for both");
    }
}
