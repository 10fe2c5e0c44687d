//! Exists–forall problems: choices such that, whatever happens, something holds.
//!
//! `∃x. E(x) ∧ ∀y. A(x, y)`, with several universal formulas, over truth values, words and linear arithmetic. The
//! search is that of `quantifiers`: a candidate for x from E, a counterexample y from ¬A(x, y) with x's values
//! (`quantifiers::block`: equations resolved first), and an instance that excludes it. Here is what callers need
//! who state such problems themselves: choices that are tried first, and which instances there were.
//!
//! That there is a solution is a model, with a refutation of ¬A for its values (`quantifiers::show`). That there
//! is none is a refutation with instances, or the instances themselves, for those who prove it in their own way.
//!
//! - `exactly_one`: truth values that are better tried as true, in formulas as they are
//!
//! After Dutertre, Solving exists/forall problems with Yices (SMT 2015); positive branching after Gascón,
//! Subramanyan, Dutertre, Tiwari, Jovanović, Malik, Template-based circuit understanding (FMCAD 2014).

mod exactly_one;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use alphorn_sat::{Answer, Budget};
use alphorn_term::{Model, Store, TermId};

use crate::options::Options;
use crate::quantifiers::UNLIMITED_ROUNDS;
use crate::smt::Smt;
use crate::theories::proof::Refutation;
pub use exactly_one::exactly_one;

/// A problem that grows, asked again and again.
pub struct ExistsForall {
    smt: Smt,
}

impl ExistsForall {
    /// A problem without conditions; each question ends at the budget, or soon after the flag becomes true.
    pub fn new(budget: Budget, interrupt: Arc<AtomicBool>) -> ExistsForall {
        let options =
            Options { proofs: true, instance_rounds: UNLIMITED_ROUNDS, ..Options::default() };
        let mut smt = Smt::new(options);
        smt.set_budget(budget);
        smt.set_interrupt(interrupt);
        ExistsForall { smt }
    }

    /// Adds a condition: about the choices, or a universal formula about what happens.
    pub fn assert(&mut self, store: &mut Store, formula: TermId) {
        self.smt.assert(store, formula);
    }

    /// Tries a truth value as true before it is tried as false.
    pub fn prefer(&mut self, store: &mut Store, truth: TermId) {
        self.smt.prefer(store, truth);
    }

    /// Whether there is a solution under assumptions.
    pub fn check(&mut self, store: &mut Store, assumptions: &[TermId]) -> Answer {
        self.smt.check(store, assumptions)
    }

    /// The solution that the last question found.
    pub fn model(&self, store: &Store) -> Model {
        self.smt.model(store)
    }

    /// The terms for the bound variables in the instances of a universal formula so far, in their order. If the last
    /// question found no solution, these with the other conditions have none.
    pub fn instances(&self, formula: TermId) -> Vec<Vec<TermId>> {
        self.smt.instances(formula)
    }

    /// A refutation of the conditions and assumptions, if the last question found no solution.
    pub fn refutation(&self, store: &mut Store) -> Option<Refutation> {
        self.smt.refutation(store)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_term::{Op, SortId, Value};

    fn problem() -> ExistsForall {
        ExistsForall::new(Budget::default(), Arc::default())
    }

    #[test]
    fn a_multiplier_is_found_and_another_is_not() {
        let mut store = Store::new();
        let sort = store.bv_sort(8);
        let [c, x] = ["c", "x"].map(|name| store.var(name, sort));
        // c * x is x + x + x for all x, so c is three.
        let product = store.mk(Op::BvMul, &[c, x]);
        let twice = store.mk(Op::BvAdd, &[x, x]);
        let thrice = store.mk(Op::BvAdd, &[twice, x]);
        let same = store.eq(product, thrice);
        let all = store.forall(&[x], same);
        let mut problem = problem();
        problem.assert(&mut store, all);
        assert_eq!(problem.check(&mut store, &[]), Answer::Sat);
        let three = alphorn_term::Bv::from_u64(8, 3);
        assert_eq!(problem.model(&store).vars.get(&c), Some(&Value::Bv(three.clone())));
        let three = store.bv(three);
        let is_three = store.eq(c, three);
        let other = store.not(is_three);
        assert_eq!(problem.check(&mut store, &[other]), Answer::Unsat);
        assert!(!problem.instances(all).is_empty());
        assert!(problem.refutation(&mut store).is_some());
        assert_eq!(problem.check(&mut store, &[]), Answer::Sat);
    }

    #[test]
    fn numbers_are_bounded_by_terms_and_not_by_their_values() {
        let mut store = Store::new();
        let [a, b, x] = ["a", "b", "x"].map(|name| store.var(name, SortId::INT));
        // Whatever is at least a is at least b: so b is at most a, which no list of values says.
        let (above_a, above_b) = (store.le(a, x), store.le(b, x));
        let implied = store.implies(above_a, above_b);
        let all = store.forall(&[x], implied);
        let beyond = store.lt(a, b);
        let mut problem = problem();
        problem.assert(&mut store, all);
        assert_eq!(problem.check(&mut store, &[]), Answer::Sat);
        problem.assert(&mut store, beyond);
        assert_eq!(problem.check(&mut store, &[]), Answer::Unsat);
        assert_eq!(problem.instances(all), vec![vec![a]]);
    }
}
