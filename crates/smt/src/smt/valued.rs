//! Factors at values, where products of unknowns leave a question open.
//!
//! A product is exact as soon as one of its factors is a number, so formulas whose factors have values but one each are linear.
//! The factors get theirs one after the other, each out of the assignment that came last or one of a few short numbers, and the
//! question is asked again in between: where it has no solution another value is tried, and where it is still open the next factor
//! gets one. Lemmas about products come nearer to a solution and may never meet it; `4·x·x = 9` is met by the root of what
//! the product is. What is found is a model as any other; that there is none says nothing.
//!
//! After Cimatti et al., Incremental linearization (TOCL 2018), §5, where models of the linear formulas are made models of the others.

use alphorn_sat::Answer;
use alphorn_term::{Int, Op, Rat, SortId, Store, TermId};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

use super::{Reason, Smt};
use crate::linear::Linear;
use crate::settings::{PRODUCTS_MAX_VALUED, PRODUCTS_VALUED_QUESTIONS, PRODUCTS_VALUED_ROUNDS};

/// How small a part of a number is what it may differ by from one that stands for it.
const NEAR: i64 = 16;

impl Smt {
    /// Whether there is a solution where factors have values that are tried; unknown if none is found.
    pub(super) fn check_at_values(&mut self, store: &mut Store, assumptions: &[TermId]) -> Answer {
        let factors = self.factors(store);
        if factors.is_empty() || factors.len() > PRODUCTS_MAX_VALUED.size() {
            return Answer::Unknown;
        }
        let rounds = self.options.product_rounds;
        self.options.product_rounds = PRODUCTS_VALUED_ROUNDS.short();
        let mut left = PRODUCTS_VALUED_QUESTIONS.get();
        let found = self.descend(store, &mut assumptions.to_vec(), (&factors, 0), &mut left);
        self.options.product_rounds = rounds;
        found
    }

    /// Gives values to the factors from this place on.
    fn descend(
        &mut self,
        store: &mut Store,
        assumed: &mut Vec<TermId>,
        (factors, place): (&[TermId], usize),
        left: &mut u64,
    ) -> Answer {
        let Some(&factor) = factors.get(place) else { return Answer::Unknown };
        let mut is_open = false;
        for value in candidates(store, factor, &self.value_of(factor)) {
            if *left == 0 {
                return Answer::Unknown;
            }
            *left -= 1;
            let number = match store.sort(factor) {
                SortId::REAL => store.real(value),
                _ => store.int(value.floor()),
            };
            assumed.push(store.eq(factor, number));
            let mut found = self.check(store, assumed);
            if found == Answer::Unknown {
                if self.reason_unknown() == Some(Reason::Budget) {
                    *left = 0;
                    return Answer::Unknown;
                }
                is_open = true;
                found = self.descend(store, assumed, (factors, place + 1), left);
            }
            assumed.truncate(assumed.len() - 1);
            if found == Answer::Sat {
                return Answer::Sat;
            }
        }
        match is_open {
            true => Answer::Unknown,
            // The others may say what it is.
            false => self.descend(store, assumed, (factors, place + 1), left),
        }
    }

    /// What products have for factors, products left aside, those of most products first.
    fn factors(&self, store: &Store) -> Vec<TermId> {
        let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
        for product in self.theory().products.at_hand() {
            for (atom, _) in product.left.terms.iter().chain(&product.right.terms) {
                if store.op(*atom) != Op::Mul {
                    *uses.entry(*atom).or_insert(0) += 1;
                }
            }
        }
        let mut found: Vec<(TermId, u32)> = uses.into_iter().collect();
        let is_symbol = |atom: TermId| store.args(atom).is_empty();
        found.sort_unstable_by_key(|(atom, uses)| (!is_symbol(*atom), Reverse(*uses), *atom));
        found.into_iter().map(|(atom, _)| atom).collect()
    }

    /// The value of a factor in the assignment that had a product wrong, and the root of its square.
    fn value_of(&self, factor: TermId) -> (Rat, Option<Rat>) {
        let theory = self.theory();
        let numbers = theory.products.wrong();
        let value = |atom| theory.arithmetic.evaluate(&Linear::atom(atom), numbers, |_| Rat::ZERO);
        let own = Linear::atom(factor);
        let square =
            theory.products.at_hand().into_iter().find(|product| {
                product.left == own && product.right == own && product.scale.is_one()
            });
        (value(factor), square.and_then(|square| root(&value(square.term))))
    }
}

/// The numbers that a factor is tried at, those first that are near to where it was.
fn candidates(store: &Store, factor: TermId, (value, root): &(Rat, Option<Rat>)) -> Vec<Rat> {
    let is_whole = store.sort(factor) == SortId::INT;
    let half = &Rat::ONE / &Rat::from(2);
    let rounded = Rat::from((value + &half).floor());
    let near = &value.abs() / &Rat::from(NEAR);
    let mut found: Vec<Rat> = Vec::new();
    found.extend(root.iter().flat_map(|root| [root.clone(), -root.clone()]));
    if !rounded.is_zero() {
        found.push(rounded);
    } else if !value.is_zero() {
        found.push(Rat::from(value.signum()));
    }
    found.extend(Rat::simplest_between(&(value - &near), &(value + &near)));
    found.push(value.clone());
    found.extend([1, 0, -1, 2, -2].map(Rat::from));
    if is_whole {
        found.retain(Rat::is_integer);
    }
    let mut kept: Vec<Rat> = Vec::new();
    for number in found {
        if !kept.contains(&number) {
            kept.push(number);
        }
    }
    kept
}

/// The square root of a number, if it is rational.
fn root(number: &Rat) -> Option<Rat> {
    let upper = whole_root(&number.numerator())?;
    let lower = whole_root(&number.denominator())?;
    Some(&Rat::from(upper) * &Rat::from(lower).recip()?)
}

/// The square root of a whole number that is not negative, if it is whole.
fn whole_root(number: &Int) -> Option<Int> {
    if !number.is_positive() {
        return number.is_zero().then_some(Int::ZERO);
    }
    // Newton's iteration falls from above until it is at the root, rounded down.
    let mut root = Int::from(2).pow(number.bit_len().div_ceil(2) as u32);
    loop {
        let next = (&root + &number.div_floor(&root)?).div_floor(&Int::from(2))?;
        if next >= root {
            return (&root * &root == *number).then_some(root);
        }
        root = next;
    }
}
