//! Small integers for factors, where products of unknowns leave a question open.
//!
//! Lemmas about products narrow down where a solution is and may never meet it. Between near bounds integers have few values,
//! and a lemma for each makes the product exact, so the search ends. What is found there is a model as any other;
//! that there is none says nothing. What no values decide, remainders may (`residues`).

use alphorn_sat::Answer;
use alphorn_term::{Op, SortId, Store, TermId};
use std::collections::BTreeSet;

use super::{Reason, Smt};
use crate::settings::{PRODUCTS_SMALL_BITS, PRODUCTS_SMALL_ROUNDS};

impl Smt {
    /// `check`, and where it does not know because of products, whether factors with values that are tried, or small
    /// integers, are a solution.
    pub fn check_small(&mut self, store: &mut Store, assumptions: &[TermId]) -> Answer {
        let answer = self.check(store, assumptions);
        if answer != Answer::Unknown || self.reason_unknown() != Some(Reason::Incomplete) {
            return answer;
        }
        if self.check_at_values(store, assumptions) == Answer::Sat {
            return Answer::Sat;
        }
        if self.reason_unknown() == Some(Reason::Budget) {
            return self.unknown(Reason::Budget);
        }
        let factors = self.integer_factors(store);
        if factors.is_empty() {
            return self.unknown(Reason::Incomplete);
        }
        let rounds = self.options.product_rounds;
        self.options.product_rounds = PRODUCTS_SMALL_ROUNDS.short();
        let mut found = Answer::Unknown;
        for bits in 1..=PRODUCTS_SMALL_BITS.short() {
            let mut assumed = assumptions.to_vec();
            for &factor in &factors {
                let (low, high) = (store.int(-(1i64 << bits)), store.int(1i64 << bits));
                assumed.push(store.le(low, factor));
                assumed.push(store.le(factor, high));
            }
            found = self.check(store, &assumed);
            if found == Answer::Sat || self.reason_unknown() == Some(Reason::Budget) {
                break;
            }
        }
        self.options.product_rounds = rounds;
        if found == Answer::Sat || self.reason_unknown() == Some(Reason::Budget) {
            return found;
        }
        let factors: Vec<TermId> = factors.into_iter().collect();
        match self.check_residues(store, assumptions, &factors) {
            Answer::Unknown => self.unknown(self.reason_unknown().unwrap_or(Reason::Incomplete)),
            found => found,
        }
    }

    /// The integers that products have for factors, products left aside.
    fn integer_factors(&self, store: &Store) -> BTreeSet<TermId> {
        let products = self.theory().products.at_hand();
        let factors = products.iter().flat_map(|product| [&product.left, &product.right]);
        let atoms = factors.flat_map(|factor| factor.terms.iter().map(|(atom, _)| *atom));
        let is_plain =
            |atom: &TermId| store.sort(*atom) == SortId::INT && store.op(*atom) != Op::Mul;
        atoms.filter(is_plain).collect()
    }
}
