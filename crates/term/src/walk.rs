//! Walks over terms: subterms in order, free variables, sizes. None recurses.

use crate::id::TermId;
use crate::op::Op;
use crate::store::Store;
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
        self.free_vars_with(roots, &self.free_vars_of_quantifiers(roots))
    }

    /// The free variables of every quantifier in `roots`, each in the order of first occurrence.
    pub(crate) fn free_vars_of_quantifiers(
        &self,
        roots: &[TermId],
    ) -> FxHashMap<TermId, Vec<TermId>> {
        let mut free = FxHashMap::default();
        if roots.iter().all(|&root| !self.has_quantifier(root)) {
            return free;
        }
        // Inner quantifiers come first, so each body is walked down to them only.
        for term in self.subterms(roots) {
            if let (Op::Forall | Op::Exists, Some(body)) = (self.op(term), self.args(term).last()) {
                let mut vars = self.free_vars_with(&[*body], &free);
                let bound: FxHashSet<TermId> = self.bound_vars(term).iter().copied().collect();
                vars.retain(|var| !bound.contains(var));
                free.insert(term, vars);
            }
        }
        free
    }

    /// `free_vars`, where those of all quantifiers are known.
    pub(crate) fn free_vars_with(
        &self,
        roots: &[TermId],
        of_quantifiers: &FxHashMap<TermId, Vec<TermId>>,
    ) -> Vec<TermId> {
        let mut found = Vec::new();
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut stack: Vec<TermId> = roots.iter().rev().copied().collect();
        while let Some(term) = stack.pop() {
            if self.is_ground(term) || !seen.insert(term) {
                continue;
            }
            match self.op(term) {
                Op::Var(_) => found.push(term),
                Op::Forall | Op::Exists => stack.extend(of_quantifiers[&term].iter().rev()),
                _ => stack.extend(self.args(term).iter().rev()),
            }
        }
        found
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
