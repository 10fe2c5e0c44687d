//! The parts of conjunctions and disjunctions, seen through nesting.
//!
//! Functions beside the store and no methods of it: the checker has no use for them.

use crate::id::TermId;
use crate::op::Op;
use crate::store::Store;
use rustc_hash::FxHashSet;

/// The conjuncts of formulas in order, each once; `true` has none.
pub fn conjuncts(store: &Store, formulas: &[TermId]) -> Vec<TermId> {
    parts(store, formulas, Op::And, TermId::TRUE)
}

/// The disjuncts of formulas in order, each once; `false` has none.
pub fn disjuncts(store: &Store, formulas: &[TermId]) -> Vec<TermId> {
    parts(store, formulas, Op::Or, TermId::FALSE)
}

fn parts(store: &Store, formulas: &[TermId], op: Op, neutral: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    // Connectives count as well: a formula may have many paths to one.
    let mut seen = FxHashSet::from_iter([neutral]);
    let mut stack: Vec<TermId> = formulas.iter().rev().copied().collect();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if store.op(term) == op {
            stack.extend(store.args(term).iter().rev());
        } else {
            found.push(term);
        }
    }
    found
}
