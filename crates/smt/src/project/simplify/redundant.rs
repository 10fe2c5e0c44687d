//! Parts of a formula that the rest makes redundant, by an oracle's word.
//!
//! Each part is looked at under its *critical constraint*: the context, the siblings below every
//! conjunction above it, and the negated siblings below every disjunction above it. If that implies
//! the part or its negation, the part is a truth value. After Dillig, Dillig, Aiken (SAS 2010).

use super::normal::{is_literal, negation};
use crate::project::oracle::Oracle;
use crate::settings::SIMPLIFY_MAX_QUESTIONS;
use alphorn_term::{Op, Store, TermId};

/// How deep the walk goes at most.
const DEPTH: usize = 100;

/// A formula in normal form without parts that the rest and the context make redundant.
pub(super) fn drop_redundant(
    store: &mut Store,
    formula: TermId,
    context: &[TermId],
    oracle: &mut dyn Oracle,
) -> TermId {
    let mut walk =
        Walk { oracle, critical: context.to_vec(), questions: SIMPLIFY_MAX_QUESTIONS.size() };
    walk.visit(store, formula, DEPTH)
}

struct Walk<'a> {
    oracle: &'a mut dyn Oracle,
    critical: Vec<TermId>,
    questions: usize,
}

impl Walk<'_> {
    /// Whether the critical constraint contradicts a formula.
    fn refutes(&mut self, store: &mut Store, formula: TermId) -> bool {
        if self.questions == 0 {
            return false;
        }
        self.questions -= 1;
        self.critical.push(formula);
        let refuted = self.oracle.refutes(store, &self.critical);
        self.critical.pop();
        refuted
    }

    fn visit(&mut self, store: &mut Store, term: TermId, depth: usize) -> TermId {
        if matches!(store.op(term), Op::True | Op::False) || depth == 0 {
            return term;
        }
        let opposite = negation(store, term);
        if self.refutes(store, opposite) {
            return TermId::TRUE;
        }
        if self.refutes(store, term) {
            return TermId::FALSE;
        }
        let op = store.op(term);
        if !matches!(op, Op::And | Op::Or) || is_literal(store, term) {
            return term;
        }
        let mut args = store.args(term).to_vec();
        let mut order: Vec<usize> = (0..args.len()).collect();
        // Large parts are the best to lose.
        order.sort_by_key(|&place| std::cmp::Reverse(store.dag_size(&[args[place]])));
        for place in order {
            let mark = self.critical.len();
            for (other, &arg) in args.iter().enumerate() {
                if other != place {
                    let fact = if op == Op::And { arg } else { negation(store, arg) };
                    self.critical.push(fact);
                }
            }
            args[place] = self.visit(store, args[place], depth - 1);
            self.critical.truncate(mark);
        }
        store.mk(op, &args)
    }
}
