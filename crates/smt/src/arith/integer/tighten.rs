//! What single rows say about integers: divisibility, and rounded bounds.
//!
//! In a row of integers Σ aᵢ·xᵢ = 0, let the variables whose bounds meet be constants. If the
//! greatest common divisor of the other coefficients does not divide the constant, there is no
//! solution: the bounds of the fixed variables add up to g·q <= c and g·q >= c, which round to a
//! contradiction.

use crate::settings::INTEGERS_MAX_TIGHTENED;
use alphorn_term::{Int, Rat};

use super::super::bound::{Delta, Fact, Side, Var};
use super::super::certificate::{Derivation, Line};
use super::super::propagate::Equation;
use super::super::{Arith, TICK_LENGTH};
use super::Stop;

/// The lines of a derivation that are made in a tick.
const DERIVED_LENGTH: u64 = 4;

impl Arith {
    /// Looks for a row that has no solution because of a common divisor.
    pub(super) fn divisibility(&mut self) -> Result<(), Stop> {
        for row in 0..self.tableau.rows() {
            self.spend(1 + self.tableau.row(row).len() as u64 / TICK_LENGTH);
            if let Some(derivation) = self.indivisible(row) {
                return Err(self.contradiction(derivation));
            }
        }
        Ok(())
    }

    /// The contradiction that a row is by divisibility.
    fn indivisible(&self, row: u32) -> Option<Derivation> {
        let entries = self.tableau.row(row);
        let mut divisor = Int::ZERO;
        for entry in entries {
            if !self.is_int(Var(entry.var)) {
                return None;
            }
            if self.limits[entry.var as usize].fixed().is_none() {
                divisor = divisor.gcd(&entry.coefficient);
                if divisor.is_one() {
                    return None;
                }
            }
        }
        let mut constant = Delta::ZERO;
        let mut weights = Vec::new();
        for entry in entries {
            if let Some(value) = self.limits[entry.var as usize].fixed() {
                let coefficient = Rat::from(&entry.coefficient);
                constant.add_scaled(value, &coefficient);
                weights.push((entry.var, coefficient));
            }
        }
        let constant = constant.value.to_int()?;
        if divisor.is_zero() || constant.is_multiple_of(&divisor) {
            return None;
        }
        Some(self.no_integer(&weights))
    }

    /// The contradiction from a sum of fixed variables, given with their multipliers, whose
    /// coefficients have a common divisor that does not divide the constant.
    pub(super) fn no_integer(&self, weights: &[(u32, Rat)]) -> Derivation {
        let mut derivation = Derivation::default();
        let halves = [Side::Upper, Side::Lower].map(|side| {
            let sum = derivation.sum(self.one_side(weights, side));
            (Rat::ONE, derivation.line(Line::Round(sum)))
        });
        derivation.line(Line::Combine(halves.into()));
        derivation
    }

    /// The bounds that limit a sum of multiples of fixed variables on a side.
    pub(super) fn one_side(
        &self,
        weights: &[(u32, Rat)],
        side: Side,
    ) -> impl Iterator<Item = (Rat, Fact)> {
        weights.iter().map(move |(var, weight)| {
            let side = if weight.is_positive() { side } else { side.opposite() };
            (weight.abs(), self.fact(*var, side))
        })
    }

    /// Puts bounds of integers that equations imply in force; `true` if there are any.
    pub(super) fn tighten_rows(&mut self) -> Result<bool, Stop> {
        let mut count = 0;
        for row in 0..self.tableau.rows() {
            if !self.tableau.row(row).is_empty()
                && count < INTEGERS_MAX_TIGHTENED.get()
                && !self.is_exhausted()
            {
                count += self.tighten(Equation::Row(row))?;
            }
        }
        for position in 0..self.attached.len() {
            let var = self.attached[position];
            let is_free = self.limits[var.index()].is_free();
            if !is_free && count < INTEGERS_MAX_TIGHTENED.get() && !self.is_exhausted() {
                count += self.tighten(Equation::Definition(var.0))?;
            }
        }
        self.stats.tightenings += count;
        Ok(count > 0)
    }

    /// Puts bounds of integers that an equation implies in force, and counts them.
    fn tighten(&mut self, equation: Equation) -> Result<u64, Stop> {
        let mut found = Vec::new();
        let mut count = 0;
        for extreme in [Side::Lower, Side::Upper] {
            found.clear();
            self.implied_by(equation, extreme, false, &mut found);
            // None of these bounds is a premise of another.
            for implied in &found {
                if self.is_int(implied.bound.var) {
                    let derivation = self.derive(implied);
                    self.spend(1 + derivation.lines.len() as u64 / DERIVED_LENGTH);
                    count += u64::from(self.limit_derived(implied.bound.clone(), derivation)?);
                }
            }
        }
        Ok(count)
    }
}
