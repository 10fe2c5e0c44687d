//! Bounds that rows imply.
//!
//! In a row Σ aᵢ·xᵢ = 0 each variable is bounded by the bounds of the others: with the least value
//! of every other summand, its own is at most minus their sum, and likewise with the greatest. If
//! one bound is missing only the variable without it learns something; if two are missing nobody
//! does, and the row is left before any arithmetic.
//!
//! Only rows with variables bounded since the last call are looked at, only short ones, and only
//! so many: what is missed here costs a later conflict, not an answer. For integer variables the
//! bound is rounded, and so is the last line of its explanation.

use alphorn_term::Rat;

use super::Arith;
use super::bound::{Bound, Delta, Side, Var};
use super::certificate::{Certificate, Derivation, Line};
use super::simplex::ratio;

/// The length of the rows looked at.
const MAX_LENGTH: usize = 40;

/// The number of rows looked at in one call.
const MAX_ROWS: usize = 60;

/// A bound that follows from others in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Implied {
    /// The bound, tighter than the one in force.
    pub bound: Bound,
    row: u32,
}

impl Arith {
    /// Collects bounds that rows imply and that are tighter than those in force, in rows with
    /// bounds asserted since the last call.
    pub fn implied(&mut self, out: &mut Vec<Implied>) {
        let mut rows = std::mem::take(&mut self.rows);
        for var in self.bounded.drain(..) {
            self.marks[var as usize].is_bounded = false;
            if rows.len() < MAX_ROWS {
                rows.extend(self.tableau.column(var).iter().map(|place| place.row));
            }
        }
        rows.sort_unstable();
        rows.dedup();
        for &row in rows.iter().take(MAX_ROWS) {
            if self.tableau.row(row).len() <= MAX_LENGTH {
                self.implied_by_row(row, Side::Lower, out);
                self.implied_by_row(row, Side::Upper, out);
            }
        }
        rows.clear();
        self.rows = rows;
    }

    /// The bounds that follow from the least (or greatest) values of the summands of a row.
    pub(super) fn implied_by_row(&self, row: u32, extreme: Side, out: &mut Vec<Implied>) {
        let entries = self.tableau.row(row);
        let mut missing = None;
        for (position, entry) in entries.iter().enumerate() {
            let side = extreme_side(extreme, entry.coefficient.is_positive());
            if self.limits[entry.var as usize].on(side).is_none()
                && missing.replace(position).is_some()
            {
                return;
            }
        }
        let mut total = Delta::ZERO;
        for (position, entry) in entries.iter().enumerate() {
            if missing != Some(position) {
                let side = extreme_side(extreme, entry.coefficient.is_positive());
                let limit = self.limits[entry.var as usize].on(side);
                let limit = limit.expect("only one bound is missing");
                total.add_scaled(&limit.value, &Rat::from(&entry.coefficient));
            }
        }
        let learners = match missing {
            Some(position) => position..position + 1,
            None => 0..entries.len(),
        };
        for entry in &entries[learners] {
            let side = extreme_side(extreme, entry.coefficient.is_positive());
            let limits = &self.limits[entry.var as usize];
            let coefficient = Rat::from(&entry.coefficient);
            let mut rest = total.clone();
            if missing.is_none() {
                let own = limits.on(side).expect("no bound is missing");
                rest.sub_scaled(&own.value, &coefficient);
            }
            let inverse = coefficient.recip().expect("coefficients are not zero");
            let value = rest.times(&-inverse);
            let bound = self.rounded(Bound { var: Var(entry.var), side: side.opposite(), value });
            let is_tighter = limits
                .on(bound.side)
                .is_none_or(|limit| bound.side.is_tighter(&bound.value, &limit.value));
            if is_tighter && !self.variables[entry.var as usize].is_cut {
                out.push(Implied { bound, row });
            }
        }
    }

    /// The derivation of an implied bound. Valid until bounds or rows change.
    pub fn explain(&self, implied: &Implied) -> Certificate {
        self.derive(implied).certify(&self.derivations)
    }

    /// The derivation of an implied bound from the bounds in force.
    pub(super) fn derive(&self, implied: &Implied) -> Derivation {
        let entries = self.tableau.row(implied.row);
        let Bound { var, side, .. } = implied.bound;
        let own = entries.iter().find(|entry| entry.var == var.0);
        let own = &own.expect("the row implies a bound on its variable").coefficient;
        // The bound is on the other side of the extreme it was derived from.
        let extreme = extreme_side(side.opposite(), own.is_positive());
        let size = own.abs();
        let mut derivation = Derivation::default();
        let sum = derivation.sum(entries.iter().filter(|entry| entry.var != var.0).map(|entry| {
            let side = extreme_side(extreme, entry.coefficient.is_positive());
            (ratio(&entry.coefficient.abs(), &size), self.fact(entry.var, side))
        }));
        if self.is_int(var) {
            self.round_line(&mut derivation, sum, var);
        }
        derivation
    }

    /// The tightest bound that an integer variable has if it has this one.
    pub(super) fn rounded(&self, bound: Bound) -> Bound {
        if !self.is_int(bound.var) {
            return bound;
        }
        let content = self.content(bound.var);
        let is_whole = content.is_one();
        let value = if is_whole {
            bound.value
        } else {
            let inverse = content.recip().expect("contents are positive");
            bound.value.times(&inverse)
        };
        let rounded = Rat::from(match bound.side {
            Side::Lower => value.ceil(),
            Side::Upper => value.floor(),
        });
        let value = if is_whole { rounded } else { rounded * content };
        Bound { value: value.into(), ..bound }
    }

    /// Rounds a line that bounds an integer variable, and scales the result to the variable.
    pub(super) fn round_line(&self, derivation: &mut Derivation, line: usize, var: Var) {
        let rounded = derivation.line(Line::Round(line));
        let content = self.content(var);
        if !content.is_one() {
            derivation.line(Line::Combine(vec![(content, rounded)]));
        }
    }

    /// The greatest common divisor of an integer variable's coefficients; 1 for an unknown.
    pub(super) fn content(&self, var: Var) -> Rat {
        let Some(definition) = self.definition(var) else { return Rat::ONE };
        let mut content = alphorn_term::Int::ZERO;
        for (_, coefficient) in definition {
            content = content.gcd(&coefficient.numerator());
            if content.is_one() {
                return Rat::ONE;
            }
        }
        if content.is_zero() { Rat::ONE } else { Rat::from(content) }
    }
}

/// The side on which a variable has the bound that makes its summand extreme.
#[inline]
fn extreme_side(extreme: Side, is_positive: bool) -> Side {
    if is_positive { extreme } else { extreme.opposite() }
}
