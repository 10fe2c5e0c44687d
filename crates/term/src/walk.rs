//! Walks over terms: subterms in order, free variables, sizes. None recurses.

use crate::op::Op;
use crate::store::{Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

impl Store {
    /// The distinct subterms of `roots`, arguments before applications; bound variables and
    /// bodies of quantifiers included.
    pub fn subterms(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut order = Vec::new();
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut stack: Vec<(TermId, bool)> =
            roots.iter().rev().map(|&root| (root, false)).collect();
        while let Some((term, ready)) = stack.pop() {
            if ready {
                order.push(term);
            } else if seen.insert(term) {
                stack.push((term, true));
                stack.extend(self.args(term).iter().rev().map(|&arg| (arg, false)));
            }
        }
        order
    }

    /// The variables that occur free in `roots`, in the order of first occurrence.
    pub fn free_vars(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut found = Vec::new();
        let mut reported: FxHashSet<TermId> = FxHashSet::default();
        // A scope is the quantifier it belongs to and the scope around it; scope 0 binds nothing.
        let mut scopes: Vec<(Option<TermId>, usize)> = vec![(None, 0)];
        let mut seen: FxHashSet<(usize, TermId)> = FxHashSet::default();
        let mut stack: Vec<(usize, TermId)> = roots.iter().rev().map(|&root| (0, root)).collect();
        while let Some((scope, term)) = stack.pop() {
            if self.is_ground(term) || !seen.insert((scope, term)) {
                continue;
            }
            match self.op(term) {
                Op::Var(_) => {
                    if !self.is_bound(&scopes, scope, term) && reported.insert(term) {
                        found.push(term);
                    }
                }
                Op::Forall | Op::Exists => {
                    scopes.push((Some(term), scope));
                    let body = self.args(term)[self.args(term).len() - 1];
                    stack.push((scopes.len() - 1, body));
                }
                _ => stack.extend(self.args(term).iter().rev().map(|&arg| (scope, arg))),
            }
        }
        found
    }

    fn is_bound(&self, scopes: &[(Option<TermId>, usize)], mut scope: usize, var: TermId) -> bool {
        while let (Some(quantifier), outer) = scopes[scope] {
            if self.bound_vars(quantifier).contains(&var) {
                return true;
            }
            scope = outer;
        }
        false
    }

    /// The variables a quantifier binds.
    pub fn bound_vars(&self, quantifier: TermId) -> &[TermId] {
        let args = self.args(quantifier);
        &args[..args.len().saturating_sub(1)]
    }

    /// How many distinct subterms `roots` have together: the size with sharing.
    pub fn dag_size(&self, roots: &[TermId]) -> usize {
        self.subterms(roots).len()
    }

    /// The size of the term written out without sharing; saturates.
    pub fn tree_size(&self, root: TermId) -> u64 {
        let mut sizes: FxHashMap<TermId, u64> = FxHashMap::default();
        for term in self.subterms(&[root]) {
            let args = self.args(term).iter();
            let size = args.fold(1u64, |sum, arg| sum.saturating_add(sizes[arg]));
            sizes.insert(term, size);
        }
        sizes[&root]
    }
}
