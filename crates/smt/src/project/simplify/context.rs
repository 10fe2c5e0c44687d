//! Simplification of each part of a formula under what its surroundings say.
//!
//! Below a conjunction, a conjunct may assume the others; below a disjunction, a disjunct may
//! assume that the others are false. Assumptions are literals of the same level and of the levels
//! above, and siblings that are simplified already: two siblings must not vanish because of each
//! other. A formula is walked as a tree, so there is a budget; what is beyond stays as it is.

use super::facts::{Facts, tightest};
use super::merge::{factor, merge_cubes};
use super::normal::{is_literal, negation};
use crate::settings::{SIMPLIFY_MAX_NODES, SIMPLIFY_MAX_PASSES};
use alphorn_term::{Op, SortId, Store, TermId};

/// How deep the walk goes at most.
const DEPTH: usize = 200;

/// Simplifies a formula in normal form under facts in normal form.
pub(super) fn in_context(
    store: &mut Store,
    formula: TermId,
    context: &[TermId],
    budget: &mut usize,
) -> TermId {
    let mut walk = Walk { facts: Facts::default(), budget: *budget };
    for &fact in context {
        // Under contradictory facts every formula will do.
        if !walk.facts.assume(store, fact) {
            return TermId::TRUE;
        }
    }
    let result = walk.visit(store, formula, DEPTH);
    *budget = walk.budget;
    result
}

struct Walk {
    facts: Facts,
    budget: usize,
}

impl Walk {
    fn visit(&mut self, store: &mut Store, term: TermId, depth: usize) -> TermId {
        let is_over = self.budget == 0 || self.facts.assumed > SIMPLIFY_MAX_NODES.size();
        if depth == 0 || is_over || matches!(store.op(term), Op::True | Op::False) {
            return term;
        }
        self.budget -= 1;
        if let Some(value) = self.facts.decide(store, term) {
            return store.bool(value);
        }
        match store.op(term) {
            Op::And | Op::Or => self.junction(store, term, depth),
            Op::Ite if store.sort(term) == SortId::BOOL => self.conditional(store, term, depth),
            _ if is_literal(store, term) => self.facts.evaluate(store, term),
            Op::Eq | Op::Not => {
                let args = store.args(term).to_vec();
                let args: Vec<TermId> =
                    args.into_iter().map(|arg| self.visit(store, arg, depth - 1)).collect();
                store.rebuild(term, &args)
            }
            _ => term,
        }
    }

    fn conditional(&mut self, store: &mut Store, term: TermId, depth: usize) -> TermId {
        let [condition, then, otherwise] = *store.args(term) else { return term };
        let condition = self.visit(store, condition, depth - 1);
        let opposite = self.facts.negation(store, condition);
        let then = self.under(store, condition, then, depth - 1);
        let otherwise = self.under(store, opposite, otherwise, depth - 1);
        store.ite(condition, then, otherwise)
    }

    /// Visits a term under one more assumption.
    fn under(&mut self, store: &mut Store, fact: TermId, term: TermId, depth: usize) -> TermId {
        let mark = self.facts.mark();
        let is_consistent = self.facts.assume(store, fact);
        // Where the condition never holds, the branch is as good as any.
        let result = if is_consistent { self.visit(store, term, depth) } else { term };
        self.facts.undo(mark);
        result
    }

    fn junction(&mut self, store: &mut Store, term: TermId, depth: usize) -> TermId {
        let op = store.op(term);
        let mut term = term;
        for _ in 0..SIMPLIFY_MAX_PASSES.size() {
            let before = term;
            let args = store.args(term).to_vec();
            let args = self.siblings(store, op, args, depth);
            let args = merge_cubes(store, op, args);
            let args = factor(store, op, args);
            term = store.mk(op, &args);
            if term == before || store.op(term) != op {
                break;
            }
        }
        term
    }

    /// Simplifies the arguments of a conjunction or disjunction under one another.
    fn siblings(
        &mut self,
        store: &mut Store,
        op: Op,
        args: Vec<TermId>,
        depth: usize,
    ) -> Vec<TermId> {
        let absorbing = store.bool(op == Op::Or);
        let (literals, others): (Vec<TermId>, Vec<TermId>) =
            args.iter().partition(|&&arg| is_literal(store, arg));
        let mut left = Vec::with_capacity(literals.len());
        for literal in literals {
            match self.facts.decide(store, literal) {
                Some(value) if store.bool(value) == absorbing => return vec![absorbing],
                Some(_) => {}
                None => left.push(literal),
            }
        }
        let Some(literals) = strongest(store, op, &left) else { return vec![absorbing] };
        let mark = self.facts.mark();
        let mut is_consistent = true;
        for &literal in &literals {
            is_consistent &= self.assume_sibling(store, op, literal);
        }
        let mut result: Vec<TermId> = Vec::with_capacity(args.len());
        if is_consistent {
            for literal in literals {
                result.push(self.facts.evaluate(store, literal));
            }
            for other in others {
                let smaller = self.visit(store, other, depth - 1);
                result.push(smaller);
                if !self.assume_sibling(store, op, smaller) {
                    result = vec![absorbing];
                    break;
                }
            }
        } else {
            result.push(absorbing);
        }
        self.facts.undo(mark);
        result
    }

    /// Assumes what a sibling of an argument lets one assume.
    fn assume_sibling(&mut self, store: &mut Store, op: Op, sibling: TermId) -> bool {
        if op == Op::And {
            self.facts.assume(store, sibling)
        } else {
            let opposite = self.facts.negation(store, sibling);
            self.facts.assume(store, opposite)
        }
    }
}

/// The fewest literals that say what a conjunction or disjunction of literals says; `None` if that
/// is false, or true.
fn strongest(store: &mut Store, op: Op, literals: &[TermId]) -> Option<Vec<TermId>> {
    if op == Op::And {
        return tightest(store, literals);
    }
    let opposites: Vec<TermId> = literals.iter().map(|&l| negation(store, l)).collect();
    let opposites = tightest(store, &opposites)?;
    Some(opposites.into_iter().map(|literal| negation(store, literal)).collect())
}
