//! The bounded unwinding that lazy annotation runs on alone.
//!
//! An instance is a predicate at a *layer*. A rule of a predicate at a layer has, for atoms that
//! depend on the predicate in turn, instances of the layer below, and for all others instances of
//! the same layer. So each layer allows one more turn of every recursion, a system without
//! recursion has one layer, and what is known of a layer stays known when one is added. Each
//! instance has all rules of its predicate as ways.
//!
//! Invariant: a fact with a derivation of a height up to `k` is a fact of its predicate's instance at
//! layer `k`, so excluding all queries there excludes all derivations up to height `k`.

use super::annotation::{NodeId, Way};
use super::bounded::Bounded;
use alphorn_horn::shape::Shape;
use alphorn_term::TermId;

/// The layers of a system.
pub(super) struct Layers {
    shape: Shape,
    /// The component of each predicate.
    component: Vec<usize>,
    /// The instances of each layer, by predicate.
    pub(super) nodes: Vec<Vec<Option<NodeId>>>,
}

impl Layers {
    /// A system without layers.
    pub(super) fn new(bounded: &Bounded<'_>) -> Layers {
        let shape = Shape::of(bounded.horn);
        let mut component = vec![0; bounded.system.params.len()];
        for (number, members) in shape.components.iter().enumerate() {
            members.iter().for_each(|pred| component[pred.index()] = number);
        }
        Layers { shape, component, nodes: Vec::new() }
    }

    /// Whether a layer has everything there is.
    pub(super) fn is_complete(&self) -> bool {
        !self.shape.is_recursive()
    }

    /// Adds a layer.
    pub(super) fn add(&mut self, bounded: &mut Bounded<'_>) {
        self.nodes.push(vec![None; self.component.len()]);
        let order: Vec<usize> =
            self.shape.components.iter().flatten().map(|pred| pred.index()).collect();
        for pred in order {
            if !bounded.system.relevant[pred] {
                continue;
            }
            let mut ways = Vec::new();
            for &rule in &bounded.system.rules_of[pred] {
                ways.extend(self.way(bounded, rule));
            }
            if !ways.is_empty() {
                let node = bounded.add_node(pred, ways);
                if let Some(layer) = self.nodes.last_mut() {
                    layer[pred] = Some(node);
                }
            }
        }
    }

    /// A rule at the last layer; nothing if it needs an instance that there is not.
    pub(super) fn way(&self, bounded: &Bounded<'_>, number: usize) -> Option<Way> {
        let rule = &bounded.system.rules[number];
        let head = rule.head.as_ref().map(|(pred, _)| *pred);
        let top = self.nodes.len().checked_sub(1)?;
        let mut children = Vec::with_capacity(rule.atoms.len());
        for atom in &rule.atoms {
            let is_inner = head.is_some_and(|head| {
                self.component[head] == self.component[atom.pred] && self.shape.recursive[head]
            });
            let layer = if is_inner { top.checked_sub(1) } else { Some(top) };
            let child = layer.and_then(|layer| self.nodes[layer][atom.pred]);
            if child.is_none() && atom.used == TermId::TRUE {
                return None;
            }
            children.push(child);
        }
        Some(Way { rule: number, children })
    }
}
