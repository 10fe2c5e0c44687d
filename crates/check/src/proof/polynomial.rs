//! Linear polynomials over terms.
//!
//! A term of arithmetic is a rational combination of *atoms*: terms that are no sums, products
//! with a literal, literals or conversions from integer to real. Atoms are opaque; a product of
//! two unknowns is one. Conversions disappear, as an integer is the real it is converted to, so
//! polynomials mix atoms of both sorts and remember nothing else.
//!
//! A term is taken apart from the root down. Arguments have smaller ids than applications, so
//! taking the largest id first meets every shared subterm once, with its whole coefficient: the
//! work is linear in the term's size with sharing.

use alphorn_term::{Int, Op, Rat, SortId, Store, TermId};
use std::collections::BTreeMap;

/// A constant plus multiples of atoms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Polynomial {
    /// The coefficients, none of them zero.
    pub(super) terms: BTreeMap<TermId, Rat>,
    /// What is left when all atoms are zero.
    pub(super) constant: Rat,
}

impl Polynomial {
    /// The polynomial of a term of sort Int or Real.
    pub(super) fn of(store: &Store, term: TermId) -> Polynomial {
        let mut result = Polynomial::default();
        result.add_term(store, term, &Rat::from(1i64));
        result
    }

    /// `left - right`.
    pub(super) fn difference(store: &Store, left: TermId, right: TermId) -> Polynomial {
        let mut result = Polynomial::of(store, left);
        result.add_term(store, right, &Rat::from(-1i64));
        result
    }

    /// A constant.
    pub(super) fn constant(value: Rat) -> Polynomial {
        Polynomial { terms: BTreeMap::new(), constant: value }
    }

    /// Adds `factor` times a term.
    pub(super) fn add_term(&mut self, store: &Store, term: TermId, factor: &Rat) {
        let mut open: BTreeMap<TermId, Rat> = BTreeMap::from([(term, factor.clone())]);
        while let Some((term, factor)) = open.pop_last() {
            if factor.is_zero() {
                continue;
            }
            if let Some(value) = store.number_value(term) {
                self.constant.mul_add_assign(&factor, &value);
                continue;
            }
            match (store.op(term), store.args(term)) {
                (Op::Add, args) => {
                    for &arg in args {
                        *open.entry(arg).or_default() += &factor;
                    }
                }
                (Op::ToReal, &[arg]) => *open.entry(arg).or_default() += &factor,
                (Op::Mul, &[literal, rest]) if store.number_value(literal).is_some() => {
                    let value = store.number_value(literal).unwrap_or_default();
                    open.entry(rest).or_default().mul_add_assign(&factor, &value);
                }
                _ => self.add_atom(term, &factor),
            }
        }
    }

    fn add_atom(&mut self, atom: TermId, factor: &Rat) {
        let coefficient = self.terms.entry(atom).or_default();
        *coefficient += factor;
        if coefficient.is_zero() {
            self.terms.remove(&atom);
        }
    }

    /// Adds `factor` times another polynomial.
    pub(super) fn add(&mut self, other: &Polynomial, factor: &Rat) {
        for (&atom, coefficient) in &other.terms {
            self.add_atom(atom, &(coefficient * factor));
        }
        self.constant.mul_add_assign(&other.constant, factor);
    }

    /// The polynomial times a number other than zero.
    pub(super) fn scaled(&self, factor: &Rat) -> Polynomial {
        let mut result = Polynomial::default();
        result.add(self, factor);
        result
    }

    /// The polynomial with the opposite sign.
    pub(super) fn negated(&self) -> Polynomial {
        self.scaled(&Rat::from(-1i64))
    }

    /// Whether no atom occurs.
    pub(super) fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether all atoms are of sort Int.
    pub(super) fn is_over_integers(&self, store: &Store) -> bool {
        self.terms.keys().all(|&atom| store.sort(atom) == SortId::INT)
    }

    /// Whether the value is an integer whatever the atoms are.
    pub(super) fn is_integral(&self, store: &Store) -> bool {
        self.is_over_integers(store)
            && self.constant.is_integer()
            && self.terms.values().all(Rat::is_integer)
    }

    /// The positive number by which the coefficients of the atoms become coprime integers; none
    /// if there are no atoms.
    pub(super) fn primitive_factor(&self) -> Option<Rat> {
        let mut multiple = Int::from(1i64);
        for coefficient in self.terms.values() {
            multiple = multiple.lcm(&coefficient.denominator());
        }
        let scale = Rat::from(multiple);
        let mut divisor = Int::from(0i64);
        for coefficient in self.terms.values() {
            divisor = divisor.gcd(&(coefficient * &scale).numerator());
        }
        scale.checked_div(&Rat::from(divisor))
    }

    /// The coefficient of the first atom.
    pub(super) fn leading(&self) -> Option<&Rat> {
        self.terms.values().next()
    }
}
