//! Which conjunctions of a formula all occurrences of a subterm lie below.
//!
//! A formula is a graph with one node per distinct subterm. A node *dominates* another if every path
//! from the root to the other goes through it. A node is *positive* if all paths to it go through
//! conjunctions and disjunctions only. Where `x` occurs below a positive conjunction `N` and nowhere
//! else, `∃x` may be moved there: the rest of the formula is monotone in `N`, and so an equation of
//! `N` defines `x` as well as an equation of the whole formula would.
//!
//! Dominators of an acyclic graph come in one pass from the root: the nearest of a node is the
//! lowest common one of its parents.

use alphorn_term::{Op, Store, TermId};
use rustc_hash::FxHashMap;

/// The dominators of the subterms of a formula.
pub struct Dominators {
    /// The subterms, each before those below it.
    nodes: Vec<TermId>,
    position: FxHashMap<TermId, usize>,
    /// The nearest dominator; the root is its own.
    nearest: Vec<usize>,
    depth: Vec<usize>,
    is_positive: Vec<bool>,
    parents: Vec<usize>,
}

impl Dominators {
    /// The dominators of a formula's subterms.
    pub fn of(store: &Store, root: TermId) -> Dominators {
        let mut nodes = store.subterms(&[root]);
        nodes.reverse();
        let position: FxHashMap<TermId, usize> =
            nodes.iter().enumerate().map(|(at, &term)| (term, at)).collect();
        let count = nodes.len();
        let mut found = Dominators {
            nodes,
            position,
            nearest: vec![usize::MAX; count],
            depth: vec![0; count],
            is_positive: vec![true; count],
            parents: vec![0; count],
        };
        found.nearest[0] = 0;
        for at in 0..count {
            if at > 0 {
                found.depth[at] = found.depth[found.nearest[at]] + 1;
            }
            let term = found.nodes[at];
            let is_positive = found.is_positive[at] && matches!(store.op(term), Op::And | Op::Or);
            for arg in store.args(term) {
                let below = found.position[arg];
                found.is_positive[below] &= is_positive;
                found.parents[below] += 1;
                found.nearest[below] = match found.nearest[below] {
                    usize::MAX => at,
                    other => found.common(other, at),
                };
            }
        }
        found
    }

    /// The lowest common dominator of two nodes.
    fn common(&self, mut left: usize, mut right: usize) -> usize {
        while left != right {
            if self.depth[left] >= self.depth[right] {
                left = self.nearest[left];
            } else {
                right = self.nearest[right];
            }
        }
        left
    }

    /// The positive conjunctions, each before those below it.
    pub fn conjunctions<'a>(&'a self, store: &'a Store) -> impl Iterator<Item = TermId> + 'a {
        let is_positive = |&at: &usize| self.is_positive[at];
        let positive = (0..self.nodes.len()).filter(is_positive).map(|at| self.nodes[at]);
        positive.filter(|&term| store.op(term) == Op::And)
    }

    /// Whether all occurrences of a subterm lie below a node.
    pub fn dominates(&self, node: TermId, term: TermId) -> bool {
        let (Some(&node), Some(&term)) = (self.position.get(&node), self.position.get(&term))
        else {
            return false;
        };
        let mut at = term;
        while self.depth[at] > self.depth[node] {
            at = self.nearest[at];
        }
        at == node
    }

    /// How many subterms a subterm is an argument of.
    pub fn parents(&self, term: TermId) -> usize {
        self.position.get(&term).map_or(0, |&at| self.parents[at])
    }
}
