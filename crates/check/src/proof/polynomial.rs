//! Linear polynomials over terms.
//!
//! A term of arithmetic is a rational combination of *atoms*: terms that are no sums, products
//! with a literal, literals or conversions from integer to real. Atoms are opaque; a product of
//! two unknowns is one. Conversions disappear, as an integer is the real it is converted to, so
//! polynomials mix atoms of both sorts and remember nothing else.
//!
//! A term is taken apart from the root down. Arguments have smaller ids than applications, so
//! taking the largest id first meets every shared subterm once, with its whole coefficient: the
//! work is linear in the term's size with sharing, but for the lengths of coefficients. It is counted
//! before it is done.

use super::context::Terms;
use alphorn_term::{Exhausted, Int, Meter, Op, Rat, SortId, TermId};
use std::collections::BTreeMap;

/// The ticks of an entry of a polynomial, besides those of its coefficient.
const ENTRY: u64 = 8;

/// Counts an operation on two numbers.
fn spend(meter: &Meter, left: &Rat, right: &Rat) -> Result<(), Exhausted> {
    let words = |number: &Rat| 1 + number.bit_len() / 64;
    meter.spend(ENTRY + words(left).saturating_mul(words(right)))
}

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
    pub(super) fn of(terms: Terms<'_>, term: TermId) -> Result<Polynomial, Exhausted> {
        let mut result = Polynomial::default();
        result.add_term(terms, term, &Rat::from(1i64))?;
        Ok(result)
    }

    /// `left - right`.
    pub(super) fn difference(
        terms: Terms<'_>,
        left: TermId,
        right: TermId,
    ) -> Result<Polynomial, Exhausted> {
        let mut result = Polynomial::of(terms, left)?;
        result.add_term(terms, right, &Rat::from(-1i64))?;
        Ok(result)
    }

    /// The product of two coefficients.
    pub(super) fn product(meter: &Meter, left: &Rat, right: &Rat) -> Result<Rat, Exhausted> {
        spend(meter, left, right)?;
        Ok(left * right)
    }

    /// A constant.
    pub(super) fn constant(value: Rat) -> Polynomial {
        Polynomial { terms: BTreeMap::new(), constant: value }
    }

    /// Adds `factor` times a term.
    pub(super) fn add_term(
        &mut self,
        terms: Terms<'_>,
        term: TermId,
        factor: &Rat,
    ) -> Result<(), Exhausted> {
        let (store, meter) = (terms.store, terms.meter);
        let mut open: BTreeMap<TermId, Rat> = BTreeMap::from([(term, factor.clone())]);
        while let Some((term, factor)) = open.pop_last() {
            if factor.is_zero() {
                continue;
            }
            if let Some(value) = store.number_value(term) {
                spend(meter, &factor, &value)?;
                spend(meter, &self.constant, &factor)?;
                self.constant.mul_add_assign(&factor, &value);
                continue;
            }
            match (store.op(term), store.args(term)) {
                (Op::Add, args) => {
                    for &arg in args {
                        let sum = open.entry(arg).or_default();
                        spend(meter, sum, &factor)?;
                        *sum += &factor;
                    }
                }
                (Op::ToReal, &[arg]) => {
                    let sum = open.entry(arg).or_default();
                    spend(meter, sum, &factor)?;
                    *sum += &factor;
                }
                (Op::Mul, &[literal, rest]) if store.number_value(literal).is_some() => {
                    let value = store.number_value(literal).unwrap_or_default();
                    let sum = open.entry(rest).or_default();
                    spend(meter, &factor, &value)?;
                    spend(meter, sum, &factor)?;
                    sum.mul_add_assign(&factor, &value);
                }
                _ => self.add_atom(meter, term, &factor)?,
            }
        }
        Ok(())
    }

    fn add_atom(&mut self, meter: &Meter, atom: TermId, factor: &Rat) -> Result<(), Exhausted> {
        let coefficient = self.terms.entry(atom).or_default();
        spend(meter, coefficient, factor)?;
        *coefficient += factor;
        if coefficient.is_zero() {
            self.terms.remove(&atom);
        }
        Ok(())
    }

    /// Adds `factor` times another polynomial.
    pub(super) fn add(
        &mut self,
        meter: &Meter,
        other: &Polynomial,
        factor: &Rat,
    ) -> Result<(), Exhausted> {
        for (&atom, coefficient) in &other.terms {
            spend(meter, coefficient, factor)?;
            self.add_atom(meter, atom, &(coefficient * factor))?;
        }
        spend(meter, &other.constant, factor)?;
        spend(meter, &self.constant, factor)?;
        self.constant.mul_add_assign(&other.constant, factor);
        Ok(())
    }

    /// The polynomial times a number other than zero.
    pub(super) fn scaled(&self, meter: &Meter, factor: &Rat) -> Result<Polynomial, Exhausted> {
        let mut result = Polynomial::default();
        result.add(meter, self, factor)?;
        Ok(result)
    }

    /// The polynomial with the opposite sign.
    pub(super) fn negated(&self, meter: &Meter) -> Result<Polynomial, Exhausted> {
        self.scaled(meter, &Rat::from(-1i64))
    }

    /// The polynomial once more.
    pub(super) fn copied(&self, meter: &Meter) -> Result<Polynomial, Exhausted> {
        for coefficient in self.terms.values().chain([&self.constant]) {
            spend(meter, coefficient, &Rat::ONE)?;
        }
        Ok(self.clone())
    }

    /// Whether no atom occurs.
    pub(super) fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether all atoms are of sort Int.
    pub(super) fn is_over_integers(&self, terms: Terms<'_>) -> bool {
        self.terms.keys().all(|&atom| terms.store.sort(atom) == SortId::INT)
    }

    /// Whether the value is an integer whatever the atoms are.
    pub(super) fn is_integral(&self, terms: Terms<'_>) -> bool {
        self.is_over_integers(terms)
            && self.constant.is_integer()
            && self.terms.values().all(Rat::is_integer)
    }

    /// The positive number by which the coefficients of the atoms become coprime integers; none
    /// if there are no atoms.
    pub(super) fn primitive_factor(&self, meter: &Meter) -> Result<Option<Rat>, Exhausted> {
        let words = |bits: u64| 1 + bits / 64;
        let mut multiple = Int::from(1i64);
        for coefficient in self.terms.values() {
            let (long, short) = (words(multiple.bit_len() as u64), words(coefficient.bit_len()));
            meter.spend(ENTRY + long.saturating_mul(short))?;
            multiple = multiple.lcm(&coefficient.denominator());
        }
        let scale = Rat::from(multiple);
        let mut divisor = Int::from(0i64);
        for coefficient in self.terms.values() {
            let long = words(scale.bit_len()) + words(coefficient.bit_len());
            meter.spend(ENTRY + long.saturating_mul(words(divisor.bit_len() as u64)))?;
            spend(meter, coefficient, &scale)?;
            divisor = divisor.gcd(&(coefficient * &scale).numerator());
        }
        spend(meter, &scale, &Rat::from(divisor.clone()))?;
        Ok(scale.checked_div(&Rat::from(divisor)))
    }

    /// The coefficient of the first atom.
    pub(super) fn leading(&self) -> Option<&Rat> {
        self.terms.values().next()
    }
}
