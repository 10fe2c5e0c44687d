//! Cuts of Chvátal and Gomory from rows whose basic variable should be an integer and is not.
//!
//! In terms of the distances sⱼ >= 0 of the nonbasic variables from the bounds they are at, a row
//! reads x − Σ γⱼ·sⱼ = β with β no integer. Adding the fractional parts of −γⱼ times −sⱼ <= 0 gives
//! x + Σ ⌊−γⱼ⌋·sⱼ <= β, with integer coefficients, which rounds to <= ⌊β⌋; likewise for −x. As the row
//! itself is an identity over unknowns, the cut is the sum of bounds with the fractional parts as
//! multipliers, rounded: a line that a certificate can have. Mixed-integer cuts are not, so rows
//! with rational variables are left alone.
//!
//! A cut is a bound on a form of its own, in force in its level only. Forms of cuts that are not in
//! force are used again for other cuts.

use crate::settings::{CUTS_MAX_BITS, CUTS_MAX_CUTS, CUTS_MAX_LENGTH};
use alphorn_term::{Int, Rat};

use super::super::Arith;
use super::super::bound::{Bound, Delta, Fact, Side, Var};
use super::super::certificate::{Derivation, Line};
use super::super::simplex::ratio;
use super::Stop;

/// A bound on a form that is made when the cut is added.
struct Cut {
    form: Vec<(Var, Rat)>,
    side: Side,
    value: Rat,
    derivation: Derivation,
}

impl Arith {
    /// Adds cuts that the assignment violates; `true` if there are any.
    pub(super) fn add_cuts(&mut self) -> Result<bool, Stop> {
        let mut cuts = Vec::new();
        for row in 0..self.tableau.rows() {
            let entries = self.tableau.row(row);
            self.spend(1);
            if entries.len() < 2
                || entries.len() > CUTS_MAX_LENGTH.size()
                || self.values[entries[0].var as usize].is_integer()
                || !entries.iter().all(|entry| self.is_int(Var(entry.var)))
            {
                continue;
            }
            self.spend_on(4 * entries.len(), &entries[0].coefficient);
            let both = [self.cut(row, false), self.cut(row, true)];
            cuts.extend(both.into_iter().flatten().min_by_key(|cut| cut.form.len()));
            if cuts.len() >= 4 * CUTS_MAX_CUTS.size() {
                break;
            }
        }
        cuts.sort_by_key(|cut| cut.form.len());
        let mut is_added = false;
        for cut in cuts.into_iter().take(CUTS_MAX_CUTS.size()) {
            let var = self.cut_form(&cut.form);
            let bound = Bound { var, side: cut.side, value: Delta::from(cut.value) };
            if self.limit_derived(bound, cut.derivation)? {
                self.stats.cuts += 1;
                is_added = true;
            }
        }
        Ok(is_added)
    }

    /// The cut from a row, or from its negation.
    fn cut(&self, row: u32, is_negated: bool) -> Option<Cut> {
        let entries = self.tableau.row(row);
        let mut parts: Vec<(Rat, Fact)> = Vec::new();
        let mut terms = Vec::new();
        let mut constant = Rat::ZERO;
        for entry in &entries[1..] {
            let slope = ratio(&entry.coefficient, &entries[0].coefficient);
            if slope.is_integer() {
                continue;
            }
            let side = self.bound_reached(entry.var)?;
            // −γ is the quotient of the coefficients at a lower bound, its negation at an upper.
            let is_flipped = is_negated != (side == Side::Upper);
            let minus_gamma = if is_flipped { -slope } else { slope };
            let weight = &minus_gamma - &Rat::from(minus_gamma.floor());
            let fact = self.fact(entry.var, side);
            let signed = if side == Side::Upper { weight.clone() } else { -&weight };
            constant.mul_add_assign(&signed, &fact.bound.value.value);
            terms.push((Var(entry.var), signed));
            parts.push((weight, fact));
        }
        let mut form = self.expand(&terms);
        if form.is_empty() || form.len() > CUTS_MAX_LENGTH.size() {
            return None;
        }
        let mut content = Int::ZERO;
        for (_, coefficient) in &form {
            content = content.gcd(&coefficient.to_int()?);
        }
        // The sum is `form <= constant`; forms begin with a positive coefficient.
        let is_upper = form[0].1.is_positive();
        let by = Rat::from(if is_upper { content } else { -content }).recip()?;
        for (_, coefficient) in &mut form {
            *coefficient *= &by;
        }
        let value = constant * &by;
        let is_large = |number: &Rat| number.numerator().bit_len() > CUTS_MAX_BITS.size();
        if is_large(&value) || form.iter().any(|(_, coefficient)| is_large(coefficient)) {
            return None;
        }
        let (side, value) = match is_upper {
            true => (Side::Upper, value.floor()),
            false => (Side::Lower, value.ceil()),
        };
        let mut derivation = Derivation::default();
        let sum = derivation.sum(parts);
        derivation.line(Line::Round(sum));
        Some(Cut { form, side, value: value.into(), derivation })
    }

    /// The side of the bound that a variable is at.
    fn bound_reached(&self, var: u32) -> Option<Side> {
        let sides = [Side::Lower, Side::Upper];
        sides.into_iter().find(|side| !self.has_room(var, *side))
    }
}
