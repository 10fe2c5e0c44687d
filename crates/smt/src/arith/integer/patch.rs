//! Moving nonbasic variables so that basic ones become integers.
//!
//! In a row, the basic variable changes by p/q when a nonbasic integer changes by 1. The changes
//! that make it an integer are a residue class modulo q, if there are any; the two of the smallest
//! size are tried. A nonbasic variable that need not be an integer can move by whatever is missing.
//! A move is made if all bounds still hold and no integer is lost elsewhere.

use crate::settings::INTEGERS_MAX_PATCHES;
use alphorn_term::{Int, Rat};

use super::super::bound::{Delta, Var};
use super::super::simplex::ratio;
use super::super::{Arith, TICK_LENGTH};

impl Arith {
    /// Tries to make the basic integers integers, one by one.
    pub(super) fn patch(&mut self) {
        for position in 0..self.vars_in_play() {
            let var = self.var_in_play(position);
            if self.is_exhausted() {
                break;
            }
            if self.values[var.index()].is_integer() || !self.is_int(var) {
                continue;
            }
            if let Some(row) = self.tableau.row_of(var.0)
                && let Some((var, step)) = self.find_patch(row)
            {
                self.shift(var, &step);
            }
        }
        self.accept();
    }

    /// A move of a nonbasic variable that makes the basic variable of a row an integer.
    fn find_patch(&self, row: u32) -> Option<(u32, Delta)> {
        let entries = self.tableau.row(row);
        let value = &self.values[entries[0].var as usize];
        for entry in entries[1..].iter().take(INTEGERS_MAX_PATCHES.size()) {
            let slope = -ratio(&entry.coefficient, &entries[0].coefficient);
            let steps = if self.is_int(Var(entry.var)) {
                integer_steps(value, &slope)
            } else {
                any_steps(value, &slope)
            };
            for step in steps.into_iter().flatten() {
                if self.allows(entry.var, &step) {
                    return Some((entry.var, step));
                }
            }
        }
        None
    }

    /// Whether a move of a nonbasic variable keeps all bounds, and all integers that there are.
    fn allows(&self, var: u32, step: &Delta) -> bool {
        self.spend(1 + self.tableau.column(var).len() as u64 / TICK_LENGTH);
        let mut value = self.values[var as usize].clone();
        value.add_scaled(step, &Rat::ONE);
        if self.limits[var as usize].violated(&value).is_some() {
            return false;
        }
        self.tableau.column(var).iter().all(|place| {
            let row = self.tableau.row(place.row);
            let base = row[0].var;
            let before = &self.values[base as usize];
            let mut after = before.clone();
            let factor = ratio(&row[place.entry as usize].coefficient, &row[0].coefficient);
            after.sub_scaled(step, &factor);
            let keeps_integer =
                !self.is_int(Var(base)) || after.is_integer() || !before.is_integer();
            keeps_integer && self.limits[base as usize].violated(&after).is_none()
        })
    }
}

/// The integers of smallest size, one not negative and one negative, that make
/// `value + slope·step` an integer.
fn integer_steps(value: &Delta, slope: &Rat) -> [Option<Delta>; 2] {
    residue(value, slope).map_or([None, None], |(step, modulus)| {
        let other = &step - &modulus;
        [Some(step.into()), Some(other.into())]
    })
}

/// The class of integers `step` with integer `value + slope·step`: the least member and the
/// modulus.
fn residue(value: &Delta, slope: &Rat) -> Option<(Int, Int)> {
    if !value.epsilon.is_zero() {
        return None;
    }
    let modulus = slope.denominator();
    let scaled = &value.value * Rat::from(&modulus);
    let target = scaled.to_int()?;
    let inverse = inverse(slope.numerator().to_i64()?, modulus.to_i64()?)?;
    let step = (-target * Int::from(inverse)).rem_euclid(&modulus)?;
    Some((step, modulus))
}

/// The inverse of a number modulo another to which it is coprime.
fn inverse(number: i64, modulus: i64) -> Option<i64> {
    let (mut a, mut b) = (i128::from(modulus), i128::from(number).rem_euclid(modulus.into()));
    let (mut x, mut y) = (0_i128, 1_i128);
    while b != 0 {
        let quotient = a / b;
        (a, b) = (b, a - quotient * b);
        (x, y) = (y, x - quotient * y);
    }
    i64::try_from(x.rem_euclid(modulus.into())).ok()
}

/// The numbers that move a value to the integers next to it.
fn any_steps(value: &Delta, slope: &Rat) -> [Option<Delta>; 2] {
    let Some(inverse) = slope.recip() else { return [None, None] };
    [value.floor(), value.ceil()]
        .map(|target| Some(Delta::from(target).minus(value).times(&inverse)))
}
