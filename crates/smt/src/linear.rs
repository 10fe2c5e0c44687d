//! Polynomials of degree one over terms.
//!
//! A term of sort Int or Real is a rational constant plus rational multiples of *atoms*: terms that
//! are not sums, products with a literal, literals or `to_real`. This is how `check` reads terms as
//! well (PROOFS.md, "Linear arithmetic"), though it does so with code of its own.
//!
//! Invariant: atoms ascend by id, and no coefficient is zero; so equal polynomials are equal data.

use alphorn_term::{Op, Rat, Sort, SortId, Store, TermId};

/// A constant and multiples of atoms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Linear {
    /// The constant part.
    pub constant: Rat,
    /// The atoms with their coefficients.
    pub terms: Vec<(TermId, Rat)>,
}

impl Linear {
    /// The polynomial without atoms.
    pub fn constant(value: Rat) -> Linear {
        Linear { constant: value, terms: Vec::new() }
    }

    /// The polynomial that is one atom.
    pub fn atom(term: TermId) -> Linear {
        Linear { constant: Rat::ZERO, terms: vec![(term, Rat::ONE)] }
    }

    /// The polynomial of a term of sort Int or Real.
    pub fn of(store: &Store, term: TermId) -> Linear {
        let mut sum = Sum::default();
        sum.add(store, term, &Rat::ONE);
        sum.finish()
    }

    /// The polynomial of `left - right`.
    pub fn difference(store: &Store, left: TermId, right: TermId) -> Linear {
        let mut sum = Sum::default();
        sum.add(store, left, &Rat::ONE);
        sum.add(store, right, &-Rat::ONE);
        sum.finish()
    }

    /// Whether there are no atoms.
    pub fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether every atom has sort Int.
    pub fn is_over_integers(&self, store: &Store) -> bool {
        self.terms.iter().all(|(atom, _)| *store.sort_of(store.sort(*atom)) == Sort::Int)
    }

    /// The coefficient of an atom, zero if it does not occur.
    pub fn coefficient(&self, atom: TermId) -> Rat {
        match self.terms.binary_search_by_key(&atom, |(term, _)| *term) {
            Ok(place) => self.terms[place].1.clone(),
            Err(_) => Rat::ZERO,
        }
    }

    /// Adds `factor * other`.
    pub fn add_scaled(&mut self, other: &Linear, factor: &Rat) {
        if factor.is_zero() {
            return;
        }
        self.constant = &self.constant + &(&other.constant * factor);
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let mut mine = std::mem::take(&mut self.terms).into_iter().peekable();
        let mut theirs = other.terms.iter().peekable();
        loop {
            let order = match (mine.peek(), theirs.peek()) {
                (Some(left), Some(right)) => left.0.cmp(&right.0),
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (None, None) => break,
            };
            match order {
                std::cmp::Ordering::Less => terms.extend(mine.next()),
                std::cmp::Ordering::Greater => {
                    terms.extend(theirs.next().map(|(atom, value)| (*atom, value * factor)));
                }
                std::cmp::Ordering::Equal => {
                    if let (Some((atom, left)), Some((_, right))) = (mine.next(), theirs.next()) {
                        let value = &left + &(right * factor);
                        if !value.is_zero() {
                            terms.push((atom, value));
                        }
                    }
                }
            }
        }
        self.terms = terms;
    }

    /// The coefficient of an atom, zero if it does not occur, and the polynomial without the atom.
    pub fn split(&self, atom: TermId) -> (Rat, Linear) {
        let mut rest = self.clone();
        match rest.terms.binary_search_by_key(&atom, |(term, _)| *term) {
            Ok(place) => (rest.terms.remove(place).1, rest),
            Err(_) => (Rat::ZERO, rest),
        }
    }

    /// The negative of the polynomial.
    pub fn negated(&self) -> Linear {
        let mut negative = self.clone();
        negative.scale(&Rat::MINUS_ONE);
        negative
    }

    /// Multiplies by a number.
    pub fn scale(&mut self, factor: &Rat) {
        if factor.is_zero() {
            *self = Linear::default();
            return;
        }
        self.constant = &self.constant * factor;
        self.terms.iter_mut().for_each(|(_, value)| *value = &*value * factor);
    }

    /// The product with another, multiplied out: its atoms are products of atoms, as the store makes them.
    pub fn times(&self, store: &mut Store, other: &Linear) -> Linear {
        let mut whole = Linear::default();
        whole.add_scaled(other, &self.constant);
        whole.add_scaled(self, &other.constant);
        whole.constant = &self.constant * &other.constant;
        for (a, factor) in &self.terms {
            for (b, by) in &other.terms {
                let is_mixed = store.sort(*a) != store.sort(*b);
                let [a, b] =
                    [*a, *b].map(|atom| match is_mixed && store.sort(atom) == SortId::INT {
                        true => store.mk(Op::ToReal, &[atom]),
                        false => atom,
                    });
                let product = store.mk(Op::Mul, &[a, b]);
                whole.add_scaled(&Linear::of(store, product), &(factor * by));
            }
        }
        whole
    }

    /// The positive number that makes the coefficients of the atoms coprime integers; 1 if there
    /// are none.
    pub fn primitive_factor(&self) -> Rat {
        let mut numerators = alphorn_term::Int::ZERO;
        let mut denominators = alphorn_term::Int::ONE;
        for (_, value) in &self.terms {
            numerators = numerators.gcd(&value.numerator());
            denominators = denominators.lcm(&value.denominator());
        }
        if numerators.is_zero() {
            return Rat::ONE;
        }
        // The gcd of reduced fractions is gcd of the numerators over lcm of the denominators.
        &Rat::from(denominators) / &Rat::from(numerators)
    }

    /// The term of a sort, Int or Real, that says this; integer polynomials need integer numbers.
    pub fn to_term(&self, store: &mut Store, sort: SortId) -> TermId {
        let is_real = *store.sort_of(sort) == Sort::Real;
        let mut parts = Vec::with_capacity(self.terms.len() + 1);
        for (atom, value) in &self.terms {
            let mut atom = *atom;
            if is_real && *store.sort_of(store.sort(atom)) == Sort::Int {
                atom = store.mk(Op::ToReal, &[atom]);
            }
            parts.push(if value.is_one() {
                atom
            } else {
                let number = number(store, is_real, value);
                store.mk(Op::Mul, &[number, atom])
            });
        }
        if !self.constant.is_zero() || parts.is_empty() {
            parts.push(number(store, is_real, &self.constant));
        }
        match parts[..] {
            [only] => only,
            _ => store.mk(Op::Add, &parts),
        }
    }
}

/// A literal of sort Real, or Int, for which the value is an integer.
fn number(store: &mut Store, is_real: bool, value: &Rat) -> TermId {
    if is_real {
        store.real(value.clone())
    } else {
        debug_assert!(value.is_integer(), "integer terms have integer numbers");
        store.int(value.numerator())
    }
}

/// A polynomial in the making: atoms in any order, possibly repeated.
#[derive(Default)]
struct Sum {
    constant: Rat,
    terms: Vec<(TermId, Rat)>,
}

impl Sum {
    fn add(&mut self, store: &Store, term: TermId, factor: &Rat) {
        let mut stack = vec![(term, factor.clone())];
        while let Some((term, factor)) = stack.pop() {
            match store.op(term) {
                Op::Add => stack.extend(store.args(term).iter().map(|arg| (*arg, factor.clone()))),
                Op::ToReal => stack.push((store.args(term)[0], factor)),
                _ => match number_of(store, term) {
                    Some(value) => self.constant = &self.constant + &(&value * &factor),
                    None => match product(store, term) {
                        Some((value, atom)) => stack.push((atom, &factor * &value)),
                        None => self.terms.push((term, factor)),
                    },
                },
            }
        }
    }

    fn finish(mut self) -> Linear {
        self.terms.sort_by_key(|(atom, _)| *atom);
        let mut terms: Vec<(TermId, Rat)> = Vec::with_capacity(self.terms.len());
        for (atom, value) in self.terms {
            match terms.last_mut() {
                Some((last, sum)) if *last == atom => *sum = &*sum + &value,
                _ => terms.push((atom, value)),
            }
        }
        terms.retain(|(_, value)| !value.is_zero());
        Linear { constant: self.constant, terms }
    }
}

/// The value of a numeric literal.
pub(crate) fn number_of(store: &Store, term: TermId) -> Option<Rat> {
    match store.op(term) {
        Op::IntVal(_) => store.int_value(term).map(|value| Rat::from(value.clone())),
        Op::RealVal(_) => store.real_value(term).cloned(),
        _ => None,
    }
}

/// A product of a literal and one other factor.
fn product(store: &Store, term: TermId) -> Option<(Rat, TermId)> {
    match (store.op(term), store.args(term)) {
        (Op::Mul, &[first, second]) => number_of(store, first).map(|value| (value, second)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_become_polynomials_and_back() {
        let mut store = Store::new();
        let int = store.sort_id(Sort::Int);
        let (x, y) = (store.var("x", int), store.var("y", int));
        let three = store.int(3);
        let scaled = store.mk(Op::Mul, &[three, x]);
        let sum = store.mk(Op::Add, &[scaled, y, three]);
        let linear = Linear::of(&store, sum);
        assert_eq!(linear.constant, Rat::from(3));
        assert_eq!(linear.coefficient(x), Rat::from(3));
        assert_eq!(linear.to_term(&mut store, int), sum);
        assert!(Linear::difference(&store, sum, sum).is_constant());
    }

    #[test]
    fn the_primitive_factor_makes_coefficients_coprime() {
        let mut store = Store::new();
        let int = store.sort_id(Sort::Int);
        let (x, y) = (store.var("x", int), store.var("y", int));
        let ratio = |n: i64, d: i64| &Rat::from(n) / &Rat::from(d);
        let mut linear =
            Linear { constant: Rat::ONE, terms: vec![(x, ratio(2, 3)), (y, ratio(-4, 5))] };
        let factor = linear.primitive_factor();
        linear.scale(&factor);
        assert_eq!(linear.coefficient(x), Rat::from(5));
        assert_eq!(linear.coefficient(y), Rat::from(-6));
    }
}
