//! Equations that points have in common.
//!
//! A point is given by the values of some numbers. Products of at most so many of them are its coordinates, and the
//! equations are what all points are orthogonal to: `e·f - d` where each point has `d = e·f`. Points are taken one by
//! one, and only those that are independent of the ones before are kept, so that there are at most as many rows
//! as coordinates.
//!
//! After Sharma et al., "A data driven approach for algebraic loop invariants" (ESOP 2013).

use alphorn_smt::{Linear, rows};
use alphorn_term::{Rat, Store, TermId};

/// Products of numbers, as positions, from the number one upwards.
pub(super) struct Coordinates {
    products: Vec<Vec<usize>>,
}

impl Coordinates {
    /// All products of at most `degree` of so many numbers, those of fewer first.
    pub(super) fn new(numbers: usize, degree: usize) -> Coordinates {
        let mut products = vec![Vec::new()];
        let mut last = vec![Vec::new()];
        for _ in 0..degree {
            let mut next = Vec::new();
            for product in &last {
                let from = product.last().copied().unwrap_or(0);
                next.extend((from..numbers).map(|at| [&product[..], &[at]].concat()));
            }
            products.extend(next.iter().cloned());
            last = next;
        }
        Coordinates { products }
    }

    fn of(&self, point: &[Rat]) -> Vec<Rat> {
        let product = |at: &Vec<usize>| at.iter().fold(Rat::ONE, |value, &at| &value * &point[at]);
        self.products.iter().map(product).collect()
    }

    /// A polynomial by its coefficients, over terms for the numbers.
    fn polynomial(&self, store: &mut Store, numbers: &[TermId], coefficients: &[Rat]) -> Linear {
        let mut sum = Linear::default();
        for (product, factor) in self.products.iter().zip(coefficients) {
            let part = product.iter().fold(Linear::constant(Rat::ONE), |part, &at| {
                part.times(store, &Linear::atom(numbers[at]))
            });
            sum.add_scaled(&part, factor);
        }
        sum
    }

    /// Polynomials over the terms that are zero at all points, with integers as coefficients.
    pub(super) fn vanishing(
        &self,
        store: &mut Store,
        numbers: &[TermId],
        points: &[Vec<Rat>],
    ) -> Vec<Linear> {
        let mut matrix = Rows::default();
        for point in points {
            matrix.add(self.of(point));
            if matrix.rows.len() == self.products.len() {
                return Vec::new();
            }
        }
        let mut reduced = matrix.rows;
        let pivots = rows::reduce(&mut reduced);
        let mut found = Vec::new();
        for free in (0..self.products.len()).filter(|column| !pivots.contains(column)) {
            let mut coefficients = vec![Rat::ZERO; self.products.len()];
            coefficients[free] = Rat::ONE;
            for (row, &pivot) in reduced.iter().zip(&pivots) {
                coefficients[pivot] = -row[free].clone();
            }
            let mut polynomial = self.polynomial(store, numbers, &coefficients);
            polynomial.scale(&whole_factor(&polynomial));
            found.push(polynomial);
        }
        found
    }
}

/// The positive number that makes coefficients and the constant integers.
pub(super) fn whole_factor(polynomial: &Linear) -> Rat {
    let factor = polynomial.primitive_factor();
    let constant = &polynomial.constant * &factor;
    &factor * &Rat::from(constant.denominator())
}

/// Rows that are independent, each with the position of its first number other than zero, a one.
#[derive(Default)]
struct Rows {
    rows: Vec<Vec<Rat>>,
    firsts: Vec<usize>,
}

impl Rows {
    /// Adds a row unless those that are there make it up.
    fn add(&mut self, mut row: Vec<Rat>) {
        for (other, &first) in self.rows.iter().zip(&self.firsts) {
            let by = row[first].clone();
            if by.is_zero() {
                continue;
            }
            for (value, other) in row.iter_mut().zip(other) {
                if !other.is_zero() {
                    *value = &*value - &(other * &by);
                }
            }
        }
        let Some(first) = row.iter().position(|value| !value.is_zero()) else { return };
        let pivot = row[first].clone();
        row.iter_mut().for_each(|value| *value = &*value / &pivot);
        self.rows.push(row);
        self.firsts.push(first);
    }
}
