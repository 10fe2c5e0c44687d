//! What holds of quotients and remainders of words, stated before the search.
//!
//! The gates of a divider say that a remainder is below its divisor, one row after another, and it takes a search as deep as a word
//! is wide to see it. So it is said: `a % b < b` and `a / b <= a` unless `b` is zero, `a % b <= a`, and what both are to `a`.
//!
//! Invariant: each clause is one of the rule `Arithmetic` of the checker, and holds in every model.

use alphorn_problem::evidence::proof::{Literal, Rule};
use alphorn_term::{Bv, Op, Store, TermId};
use rustc_hash::FxHashSet;

use super::related::state;
use crate::settings::RELATED_MAX_PRODUCTS;
use crate::theories::encode::Leaf;
use crate::theories::kernel::Kernel;

/// The quotients and remainders that formulas have.
#[derive(Default)]
pub(super) struct Quotients {
    terms: Vec<TermId>,
    /// How many of them properties were stated of.
    described: usize,
}

impl Quotients {
    /// Takes note of a term that is new, if it is one.
    pub(super) fn look_at(&mut self, store: &Store, term: TermId) {
        if matches!(store.op(term), Op::BvUdiv | Op::BvUrem) {
            self.terms.push(term);
        }
    }

    /// States the properties of those that are new; `seen` are the terms that formulas have. Returned are equations
    /// that may have other products in them.
    pub(super) fn describe(
        &mut self,
        kernel: &mut Kernel,
        store: &mut Store,
        seen: &FxHashSet<TermId>,
    ) -> Vec<TermId> {
        let mut equations = Vec::new();
        for place in self.described..self.terms.len().min(RELATED_MAX_PRODUCTS.size()) {
            let term = self.terms[place];
            let is_on_demand = kernel.theory().words.demand.is_large(store, term);
            for clause in properties(store, term, seen, is_on_demand) {
                equations
                    .extend(clause.last().map(|it| it.atom).filter(|it| store.op(*it) == Op::Eq));
                let rule = Rule::Arithmetic(term);
                state(kernel, store, &clause, |clause| Leaf::Axiom(clause, rule));
            }
        }
        self.described = self.terms.len();
        equations
    }
}

/// What holds of a quotient or a remainder, as clauses of the rule `Arithmetic`; that both are what they are to the
/// dividend only where both are at hand, and their product is or is cheap: by a literal, or with gates on demand.
fn properties(
    store: &mut Store,
    term: TermId,
    seen: &FxHashSet<TermId>,
    is_on_demand: bool,
) -> Vec<Vec<Literal>> {
    let &[x, y] = store.args(term) else { return Vec::new() };
    let zero = store.bv(Bv::from_u64(store.width(x), 0));
    let is_zero = store.eq(y, zero);
    if is_zero == TermId::TRUE {
        return Vec::new();
    }
    let mut formulas = Vec::new();
    match store.op(term) {
        Op::BvUrem => {
            formulas.push((store.mk(Op::BvUlt, &[term, y]), true));
            formulas.push((store.mk(Op::BvUle, &[term, x]), false));
            let quotient = store.mk(Op::BvUdiv, &[x, y]);
            let product = store.mk(Op::BvMul, &[quotient, y]);
            let is_cheap = is_on_demand || is_zero == TermId::FALSE || seen.contains(&product);
            if seen.contains(&quotient) && is_cheap {
                let sum = store.mk(Op::BvAdd, &[product, term]);
                formulas.push((store.eq(x, sum), false));
            }
        }
        _ => formulas.push((store.mk(Op::BvUle, &[term, x]), true)),
    }
    let clause = |(conclusion, has_case): (TermId, bool)| {
        let case = (has_case && is_zero != TermId::FALSE).then(|| Literal::of(store, is_zero));
        case.into_iter().chain([Literal::of(store, conclusion)]).collect()
    };
    formulas.retain(|(formula, _)| *formula != TermId::TRUE);
    formulas.into_iter().map(clause).collect()
}
