//! Directions in which few integers fit: splits on sums of unknowns instead of single ones.
//!
//! A thin body may have many values for every unknown and few for some integer combination of them. Let each row of a matrix
//! be a bounded form, divided by the distance of its bounds. Its columns, one for each unknown, generate a lattice, in which
//! integer solutions are points of a body of about unit size. With a reduced basis of the lattice the unknowns become x = U·z
//! for an invertible integer U, the last vectors of the basis are long, and so few values are left for the
//! last z: these, rows of U⁻¹·x, are what is split. (Lenstra 1983; reduction by Lenstra, Lenstra, Lovász 1982 in integers, as in
//! Cohen's book, algorithm 2.6.7; the use of columns after Krishnamoorthy, Pataki 2009.)
//!
//! Invariant: every change of the basis changes `inverse` the other way, so a point with integer coordinates in one has them
//! in the other; a split on such a coordinate loses no integer solution.

use crate::settings::{LATTICE_MAX_BITS, LATTICE_MAX_ROWS, LATTICE_MAX_UNKNOWNS};
use alphorn_term::{Int, Rat};

use super::super::Arith;
use super::super::bound::{Delta, Var};

/// What a variable with one value counts.
const SCALE: i64 = 1 << 40;

/// A basis of a lattice that is being reduced.
pub(in crate::arith) struct Basis {
    vectors: Vec<Vec<Int>>,
    /// The coordinates by the first basis, in terms of this one.
    inverse: Vec<Vec<Int>>,
    /// The determinants of Gram matrices: that of no vectors, of the first, of the first two, ….
    grams: Vec<Int>,
    /// The coefficients of orthogonalisation, each times a determinant.
    lambdas: Vec<Vec<Int>>,
}

impl Basis {
    /// A reduced basis of the lattice that independent vectors generate; none if they are not.
    pub(in crate::arith) fn reduced(vectors: Vec<Vec<Int>>) -> Option<Basis> {
        let count = vectors.len();
        let unit = |at: usize| (0..count).map(|other| Int::from(i64::from(at == other))).collect();
        let mut basis = Basis {
            vectors,
            inverse: (0..count).map(unit).collect(),
            grams: vec![Int::ONE],
            lambdas: vec![Vec::new(); count],
        };
        let mut at = 0;
        while at < count {
            if basis.grams.len() == at + 1 {
                basis.orthogonalize(at)?;
            }
            if at == 0 {
                at = 1;
                continue;
            }
            basis.shorten(at, at - 1);
            if basis.is_out_of_order(at) {
                basis.swap(at)?;
                at = (at - 1).max(1);
            } else {
                for earlier in (0..at - 1).rev() {
                    basis.shorten(at, earlier);
                }
                at += 1;
            }
        }
        Some(basis)
    }

    /// The coordinates by the first basis, in terms of this one, a row for each vector.
    pub(in crate::arith) fn inverse(&self) -> &[Vec<Int>] {
        &self.inverse
    }

    #[cfg(test)]
    pub(in crate::arith) fn vectors(&self) -> &[Vec<Int>] {
        &self.vectors
    }

    fn orthogonalize(&mut self, at: usize) -> Option<()> {
        for other in 0..=at {
            let mut product = Int::ZERO;
            for (one, two) in self.vectors[at].iter().zip(&self.vectors[other]) {
                product.mul_add_assign(one, two);
            }
            for earlier in 0..other {
                let mut next = &self.grams[earlier + 1] * &product;
                let of_other = if other == at { &self.lambdas[at] } else { &self.lambdas[other] };
                next.mul_sub_assign(&self.lambdas[at][earlier], &of_other[earlier]);
                product = next.div_exact(&self.grams[earlier])?;
            }
            if other < at {
                self.lambdas[at].push(product);
            } else {
                self.grams.push(product);
            }
        }
        self.grams[at + 1].is_positive().then_some(())
    }

    /// Takes a multiple of an earlier vector away, so that little of it is left.
    fn shorten(&mut self, at: usize, earlier: usize) {
        let gram = self.grams[earlier + 1].clone();
        let twice = &self.lambdas[at][earlier] + &self.lambdas[at][earlier];
        if twice.abs() <= gram {
            return;
        }
        let Some(by) = (&twice + &gram).div_floor(&(&gram + &gram)) else { return };
        let (before, after) = self.vectors.split_at_mut(at);
        for (entry, other) in after[0].iter_mut().zip(&before[earlier]) {
            entry.mul_sub_assign(&by, other);
        }
        let (before, after) = self.inverse.split_at_mut(at);
        for (entry, other) in before[earlier].iter_mut().zip(&after[0]) {
            entry.mul_add_assign(&by, other);
        }
        let (before, after) = self.lambdas.split_at_mut(at);
        for (entry, other) in after[0].iter_mut().zip(&before[earlier]) {
            entry.mul_sub_assign(&by, other);
        }
        after[0][earlier].mul_sub_assign(&by, &gram);
    }

    /// Whether a vector is shorter than the one before it, by Lovász's condition with 3/4.
    fn is_out_of_order(&self, at: usize) -> bool {
        let lambda = &self.lambdas[at][at - 1];
        let left = &(&self.grams[at + 1] * &self.grams[at - 1]) + &(lambda * lambda);
        let right = &self.grams[at] * &self.grams[at];
        &left * &Int::from(4) < &right * &Int::from(3)
    }

    fn swap(&mut self, at: usize) -> Option<()> {
        self.vectors.swap(at, at - 1);
        self.inverse.swap(at, at - 1);
        let lambda = self.lambdas[at][at - 1].clone();
        for earlier in 0..at - 1 {
            let one = self.lambdas[at][earlier].clone();
            self.lambdas[at][earlier] = std::mem::replace(&mut self.lambdas[at - 1][earlier], one);
        }
        let (low, middle, high) = (&self.grams[at - 1], &self.grams[at], &self.grams[at + 1]);
        let mut gram = low * high;
        gram.mul_add_assign(&lambda, &lambda);
        let gram = gram.div_exact(middle)?;
        for later in at + 1..self.grams.len() - 1 {
            let old = self.lambdas[later][at].clone();
            let mut next = high * &self.lambdas[later][at - 1];
            next.mul_sub_assign(&lambda, &old);
            let next = next.div_exact(middle)?;
            let mut before = &gram * &old;
            before.mul_add_assign(&lambda, &next);
            self.lambdas[later][at - 1] = before.div_exact(high)?;
            self.lambdas[later][at] = next;
        }
        self.grams[at] = gram;
        Some(())
    }
}

impl Arith {
    /// A sum of unknowns that should be an integer and is not, of as few values as a reduced basis tells, and the
    /// greatest integer below it.
    pub(super) fn direction(&mut self) -> Option<(Var, Int)> {
        let unknowns: Vec<Var> =
            self.unknowns.iter().copied().filter(|&var| self.is_used(var)).collect();
        let is_small = unknowns.len() > 1 && unknowns.len() <= LATTICE_MAX_UNKNOWNS.size();
        if !is_small || !unknowns.iter().all(|&var| self.is_int(var)) {
            return None;
        }
        let columns = self.columns(&unknowns)?;
        let length = columns[0].len();
        let bits = columns.iter().flatten().map(Int::bit_len).max().unwrap_or(0);
        // A swap goes through all vectors, and there are about as many as unknowns, twice, times bits.
        let swaps = (unknowns.len() * unknowns.len()) as u64 * (1 + bits as u64 / 32);
        self.spend(swaps * (unknowns.len() + length) as u64 / 16);
        let basis = Basis::reduced(columns)?;
        for row in basis.inverse().iter().rev() {
            let terms = unknowns.iter().copied().zip(row);
            let terms = terms.filter(|(_, factor)| !factor.is_zero());
            let terms: Vec<(Var, Rat)> =
                terms.map(|(var, factor)| (var, Rat::from(factor))).collect();
            let mut value = Delta::ZERO;
            for (var, factor) in &terms {
                value.add_scaled(&self.values[var.index()], factor);
            }
            let is_large =
                terms.iter().any(|(_, by)| by.numerator().bit_len() > LATTICE_MAX_BITS.size());
            if !value.is_integer() && !is_large {
                return Some((self.form(&terms), value.floor()));
            }
        }
        None
    }

    /// Whether an unknown is bounded or occurs in a form that is.
    fn is_used(&self, var: Var) -> bool {
        let is_bounded = |var: Var| {
            let limits = &self.limits[var.index()];
            limits.lower.is_some() || limits.upper.is_some()
        };
        is_bounded(var) || self.variables[var.index()].forms.iter().any(|&form| is_bounded(form))
    }

    /// The columns of the matrix of bounded forms, each row scaled by the distance of its bounds; unknowns count a little by
    /// themselves, so that columns are independent.
    fn columns(&self, unknowns: &[Var]) -> Option<Vec<Vec<Int>>> {
        let mut columns: Vec<Vec<Int>> = vec![Vec::new(); unknowns.len()];
        for position in 0..self.vars_in_play() {
            let var = self.var_in_play(position);
            let Some(definition) = self.definition(var).filter(|_| self.is_int(var)) else {
                continue;
            };
            let Some(weight) = self.weight(var) else { continue };
            columns.iter_mut().for_each(|column| column.push(Int::ZERO));
            for (unknown, factor) in definition {
                let at = unknowns.iter().position(|known| known == unknown)?;
                *columns[at].last_mut()? = &weight * &factor.to_int()?;
            }
            if columns[0].len() > LATTICE_MAX_ROWS.size() {
                return None;
            }
        }
        for (at, &unknown) in unknowns.iter().enumerate() {
            let weight = self.weight(unknown).unwrap_or(Int::ONE);
            for (other, column) in columns.iter_mut().enumerate() {
                column.push(if other == at { weight.clone() } else { Int::ZERO });
            }
        }
        Some(columns)
    }

    /// What a step of a variable counts: the more, the nearer its bounds are; none if it does not have both.
    fn weight(&self, var: Var) -> Option<Int> {
        let limits = &self.limits[var.index()];
        let (lower, upper) = (limits.lower.as_ref()?, limits.upper.as_ref()?);
        let width = &upper.value.value.floor() - &lower.value.value.floor();
        let weight = Int::from(SCALE).div_floor(&(&width + &Int::ONE))?;
        Some(if weight.is_zero() { Int::ONE } else { weight })
    }
}
