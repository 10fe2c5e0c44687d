//! Sums over words: what a term is modulo 2ⁿ, as coefficients of the terms it adds up.
//!
//! Sums, differences, negations and products with literals are taken apart; everything else counts as
//! a whole. Since words are a ring, equations between sums are solved as over integers for whatever
//! has a coefficient of one or minus one.

use alphorn_term::{Bv, Op, Store, TermId};
use rustc_hash::FxHashMap;

/// A constant and terms with coefficients, none of which is zero, in the order of occurrence.
#[derive(Clone, Debug)]
pub struct WordSum {
    /// What is added to the multiples.
    pub constant: Bv,
    /// The terms with their factors.
    pub terms: Vec<(TermId, Bv)>,
}

impl WordSum {
    /// The difference of two words.
    pub fn difference(store: &Store, left: TermId, right: TermId) -> WordSum {
        let width = store.width(left);
        let one = Bv::from_u64(width, 1);
        WordSum::collect(store, width, vec![(left, one.clone()), (right, one.neg())])
    }

    /// A word as a sum: products with constants, sums and negations are taken apart.
    pub fn of(store: &Store, word: TermId) -> WordSum {
        let width = store.width(word);
        WordSum::collect(store, width, vec![(word, Bv::from_u64(width, 1))])
    }

    fn collect(store: &Store, width: u32, mut open: Vec<(TermId, Bv)>) -> WordSum {
        let mut constant = Bv::from_u64(width, 0);
        let mut places: FxHashMap<TermId, usize> = FxHashMap::default();
        let mut terms: Vec<(TermId, Bv)> = Vec::new();
        open.reverse();
        while let Some((term, factor)) = open.pop() {
            let args = store.args(term);
            match (store.op(term), args) {
                (Op::BvAdd, _) => {
                    open.extend(args.iter().rev().map(|&arg| (arg, factor.clone())));
                }
                (Op::BvSub, &[left, right]) => {
                    open.push((right, factor.neg()));
                    open.push((left, factor));
                }
                (Op::BvNeg, &[arg]) => open.push((arg, factor.neg())),
                (Op::BvNot, &[arg]) => {
                    constant = constant.sub(&factor);
                    open.push((arg, factor.neg()));
                }
                (Op::BvMul, &[left, right]) if store.is_literal(left) => {
                    open.extend(store.bv_value(left).map(|by| (right, factor.mul(by))));
                }
                (Op::BvMul, &[left, right]) if store.is_literal(right) => {
                    open.extend(store.bv_value(right).map(|by| (left, factor.mul(by))));
                }
                (Op::BvVal(_), _) => {
                    if let Some(value) = store.bv_value(term) {
                        constant = constant.add(&factor.mul(value));
                    }
                }
                _ => {
                    let place = *places.entry(term).or_insert(terms.len());
                    if place == terms.len() {
                        terms.push((term, factor));
                    } else {
                        terms[place].1 = terms[place].1.add(&factor);
                    }
                }
            }
        }
        terms.retain(|(_, factor)| !factor.is_zero());
        WordSum { constant, terms }
    }

    /// Solutions of "the sum is zero" for terms that may be solved for, with what they are.
    pub fn solutions(
        &self,
        store: &mut Store,
        may: impl Fn(TermId) -> bool,
    ) -> Vec<(TermId, TermId)> {
        let one = Bv::from_u64(self.constant.width(), 1);
        let mut found = Vec::new();
        for (place, (term, factor)) in self.terms.iter().enumerate() {
            let is_plain = *factor == one || *factor == one.neg();
            if !is_plain || !may(*term) {
                continue;
            }
            let others = self.terms.iter().enumerate().filter(|(at, _)| *at != place);
            let others: Vec<(TermId, Bv)> = others.map(|(_, other)| other.clone()).collect();
            let is_inside = |(other, _): &(TermId, Bv)| store.free_vars(&[*other]).contains(term);
            if others.iter().any(is_inside) {
                continue;
            }
            let sign = factor.neg();
            let scaled = others.into_iter().map(|(other, by)| (other, by.mul(&sign)));
            let rest = WordSum { constant: self.constant.mul(&sign), terms: scaled.collect() };
            found.push((*term, rest.to_term(store)));
        }
        found
    }

    /// The sum as a term.
    pub fn to_term(&self, store: &mut Store) -> TermId {
        let one = Bv::from_u64(self.constant.width(), 1);
        let mut sum: Option<TermId> = None;
        for (term, factor) in &self.terms {
            let part = if *factor == one {
                *term
            } else if *factor == one.neg() {
                store.mk(Op::BvNeg, &[*term])
            } else {
                let factor = store.bv(factor.clone());
                store.mk(Op::BvMul, &[factor, *term])
            };
            sum = Some(sum.map_or(part, |sum| store.mk(Op::BvAdd, &[sum, part])));
        }
        match sum {
            Some(sum) if self.constant.is_zero() => sum,
            Some(sum) => {
                let constant = store.bv(self.constant.clone());
                store.mk(Op::BvAdd, &[sum, constant])
            }
            None => store.bv(self.constant.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_term::{Model, Value, eval};

    #[test]
    fn a_solution_makes_the_sum_zero_for_all_values() {
        let mut store = Store::new();
        let sort = store.bv_sort(3);
        let (x, y) = (store.var("x", sort), store.var("y", sort));
        let three = store.bv(Bv::from_u64(3, 3));
        let double = store.mk(Op::BvMul, &[three, y]);
        let not_x = store.mk(Op::BvNot, &[x]);
        let left = store.mk(Op::BvSub, &[double, not_x]);
        let right = store.mk(Op::BvNeg, &[three]);
        let sum = WordSum::difference(&store, left, right);
        let solutions = sum.solutions(&mut store, |_| true);
        assert_eq!(solutions.len(), 1);
        let (solved, term) = solutions[0];
        assert_eq!(solved, x);
        for value in 0..8 {
            let mut model = Model::new();
            model.set(y, Value::Bv(Bv::from_u64(3, value)));
            let found = eval(&store, term, &model).unwrap();
            model.set(x, found);
            assert_eq!(eval(&store, left, &model), eval(&store, right, &model));
        }
    }
}
