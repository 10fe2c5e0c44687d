//! Products of unknowns: lemmas about those that a model has wrong.
//!
//! To the theories a product is an unknown like others. When a complete assignment gives it a value
//! other than the product of its factors' values, the query stops, clauses that the assignment
//! violates are added, and it is asked again. With factors `a`, `b` of values `u`, `v`:
//!
//! - the product of factors with known signs has a sign, and is zero exactly when a factor is;
//! - tangent planes: `(a - u)(b - v)` has the sign that the signs of its factors give it;
//! - where a factor has its value, the product is the other factor's multiple.
//!
//! All of these are instances of one fact: where `p` and `q` have known signs, so has `p·q`. The search
//! may go on for ever, so rounds are counted; the answer is then unknown.
//!
//! After Cimatti et al., Incremental linearization (TOCL 2018).

use alphorn_sat::Lit;
use alphorn_term::{Rat, Store, TermId};

use crate::encode::Leaf;
use crate::linear::Linear;
use crate::smt::Smt;

/// A product of two factors, both polynomials.
#[derive(Clone, Debug)]
pub(crate) struct Product {
    pub(crate) term: TermId,
    /// What the factors' product is multiplied with.
    pub(crate) scale: Rat,
    pub(crate) left: Linear,
    pub(crate) right: Linear,
}

/// Two factors with their signs, 1 or -1, and whether neither is zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signs {
    /// The product that this is about.
    pub(crate) product: TermId,
    pub(crate) factors: [(Linear, Rat); 2],
    pub(crate) is_strict: bool,
}

/// A number nearby that is short, where the number is long: tangent planes at long numbers make
/// the next numbers longer still.
fn simple(number: &Rat) -> Rat {
    const SHORT: usize = 24;
    if number.numerator().bit_len().max(number.denominator().bit_len()) <= SHORT {
        return number.clone();
    }
    let scale = Rat::from(16);
    &Rat::from((number * &scale).floor()) / &scale
}

impl Smt {
    fn number_in(&self, linear: &Linear, numbers: &[Rat]) -> Rat {
        let mut sum = linear.constant.clone();
        for (atom, factor) in &linear.terms {
            let form = self.encoder.numbers.get(atom);
            let value = form.and_then(|form| numbers.get(form.0 as usize));
            sum = &sum + &(value.unwrap_or(&Rat::ZERO) * factor);
        }
        sum
    }

    /// Adds lemmas that the assignment at which the search stopped violates; whether there are any.
    pub(crate) fn refine_products(&mut self, store: &mut Store) -> bool {
        let numbers = std::mem::take(&mut self.search.theory_mut().snapshot);
        let mut is_refined = false;
        for index in 0..self.encoder.products.len() {
            let product = self.encoder.products[index].clone();
            let left = self.number_in(&product.left, &numbers);
            let right = self.number_in(&product.right, &numbers);
            let whole = self.number_in(&Linear::atom(product.term), &numbers);
            if &(&left * &right) * &product.scale == whole {
                continue;
            }
            let (left, right) = (simple(&left), simple(&right));
            for (left, right) in [(Rat::ZERO, Rat::ZERO), (left, right)] {
                is_refined |= self.add_signs(store, &product, &left, &right);
            }
        }
        is_refined
    }

    /// Adds that `(a - u)(b - v)` has the sign of its factors, for all signs, and is zero if one is.
    fn add_signs(&mut self, store: &mut Store, product: &Product, u: &Rat, v: &Rat) -> bool {
        let mut left = product.left.clone();
        left.constant = &left.constant - u;
        let mut right = product.right.clone();
        right.constant = &right.constant - v;
        // (a - u)(b - v) = ab - ub - va + uv, where ab is a multiple of the term.
        let Some(inverse) = product.scale.recip() else { return false };
        let mut whole = Linear::atom(product.term);
        whole.scale(&inverse);
        whole.add_scaled(&product.right, &-u.clone());
        whole.add_scaled(&product.left, &-v.clone());
        whole.constant = &whole.constant + &(u * v);
        let mut is_refined = false;
        for left_sign in [Rat::ONE, -Rat::ONE] {
            for right_sign in [Rat::ONE, -Rat::ONE] {
                let sign = &left_sign * &right_sign;
                for is_strict in [false, true] {
                    let premises = [
                        !self.sign(store, &left, &left_sign, is_strict),
                        !self.sign(store, &right, &right_sign, is_strict),
                    ];
                    let conclusion = self.sign(store, &whole, &sign, is_strict);
                    let clause = [premises[0], premises[1], conclusion];
                    let factors =
                        [(left.clone(), left_sign.clone()), (right.clone(), right_sign.clone())];
                    is_refined |= self
                        .add_lemma(&clause, Signs { product: product.term, factors, is_strict });
                }
            }
        }
        is_refined
    }

    /// The literal that `sign * linear` is at least zero, or above it.
    fn sign(&mut self, store: &mut Store, linear: &Linear, sign: &Rat, is_strict: bool) -> Lit {
        let mut linear = linear.clone();
        linear.scale(&-sign.clone());
        let Smt { encoder, search, .. } = self;
        encoder.at_most_zero(search, store, &linear, is_strict, None)
    }

    /// Adds a lemma unless it was added before.
    fn add_lemma(&mut self, clause: &[Lit], signs: Signs) -> bool {
        let mut key = clause.to_vec();
        key.sort_unstable();
        if !self.product_lemmas.insert(key) {
            return false;
        }
        let Smt { encoder, search, .. } = self;
        encoder.clause(search, clause, Leaf::Product(Box::new(signs)));
        true
    }
}
