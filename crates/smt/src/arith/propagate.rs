//! Bounds that equations imply.
//!
//! In an equation Σ aᵢ·xᵢ = 0 each variable is bounded by the bounds of the others: with the least
//! value of every other summand, its own is at most minus their sum, and likewise with the greatest.
//! If one bound is missing only the variable without it learns something; if two are missing nobody
//! does, and the equation is left before any arithmetic. The equations are the rows of the tableau
//! and the definitions of forms, which are short, and are there for forms without a row too.
//!
//! Only equations of variables bounded since the last call are looked at, only short ones and those that are
//! wanted in spite of their length, and only so many: what is missed here costs a later conflict, not an answer. For integer variables the
//! bound is rounded, and so is the last line of its explanation.

use crate::settings::{BOUNDS_MAX_EQUATIONS, BOUNDS_MAX_FORMS, BOUNDS_MAX_LENGTH};
use alphorn_term::{Int, Rat};

use super::Arith;
use super::bound::{Bound, Delta, Reason, Side, Tag, Var};
use super::certificate::{Certificate, Derivation, Line, tags_of};

/// A bound that follows from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Implied {
    /// The bound, tighter than the one in force.
    pub bound: Bound,
    source: Equation,
}

/// An equation that holds whatever the bounds are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Equation {
    /// A row of the tableau.
    Row(u32),
    /// A form equals its definition.
    Definition(u32),
}

impl Arith {
    /// Says whether implied bounds of a variable are wanted, as they are at first.
    pub fn watch(&mut self, var: Var, is_wanted: bool) {
        self.marks[var.index()].is_ignored = !is_wanted;
    }

    /// Has bounds derived from the definition of a form, however long it is.
    pub fn bound_by_long(&mut self, form: Var) {
        self.marks[form.index()].is_long = true;
    }

    /// Collects bounds that are tighter than those in force and follow from bounds asserted since
    /// the last call, of variables for which they are wanted.
    pub fn implied(&mut self, out: &mut Vec<Implied>) {
        let mut equations = std::mem::take(&mut self.equations);
        for var in self.bounded.drain(..) {
            self.marks[var as usize].is_bounded = false;
            if equations.len() < BOUNDS_MAX_EQUATIONS.size() {
                let rows = self.tableau.column(var).iter();
                equations.extend(rows.map(|place| Equation::Row(place.row)));
                // Forms made last are the likeliest to be of interest.
                let forms =
                    self.variables[var as usize].forms.iter().rev().take(BOUNDS_MAX_FORMS.size());
                equations.extend(forms.map(|form| Equation::Definition(form.0)));
                if self.variables[var as usize].definition.is_some() {
                    equations.push(Equation::Definition(var));
                }
            }
        }
        equations.sort_unstable();
        equations.dedup();
        for &equation in equations.iter().take(BOUNDS_MAX_EQUATIONS.size()) {
            if self.is_exhausted() {
                break;
            }
            self.implied_by(equation, Side::Lower, true, out);
            self.implied_by(equation, Side::Upper, true, out);
        }
        equations.clear();
        self.equations = equations;
    }

    /// The bounds that follow from the least (or greatest) values of the summands of an equation,
    /// unless it is long; if so wanted, only those that the caller wants.
    pub(super) fn implied_by(
        &self,
        equation: Equation,
        extreme: Side,
        only_wanted: bool,
        out: &mut Vec<Implied>,
    ) {
        match equation {
            Equation::Row(row) => {
                let entries = self.tableau.row(row);
                if entries.len() <= BOUNDS_MAX_LENGTH.size() {
                    let summands = entries.iter().map(|entry| (entry.var, &entry.coefficient));
                    self.implied_by_summands(equation, extreme, only_wanted, summands, out);
                }
            }
            Equation::Definition(form) => {
                let Some(definition) = self.definition(Var(form)) else { return };
                let is_long = definition.len() >= BOUNDS_MAX_LENGTH.size();
                if !is_long || self.marks[form as usize].is_long {
                    let minus_one = Rat::MINUS_ONE;
                    let parts = definition.iter().map(|(var, by)| (var.0, by));
                    let summands = parts.chain(std::iter::once((form, &minus_one)));
                    self.implied_by_summands(equation, extreme, only_wanted, summands, out);
                }
            }
        }
    }

    fn implied_by_summands<'a, Number: Coefficient + 'a>(
        &self,
        equation: Equation,
        extreme: Side,
        only_wanted: bool,
        summands: impl Iterator<Item = (u32, &'a Number)> + Clone,
        out: &mut Vec<Implied>,
    ) {
        let mut missing = None;
        for (var, by) in summands.clone() {
            let side = extreme_side(extreme, by.is_positive());
            if self.limits[var as usize].on(side).is_none() && missing.replace(var).is_some() {
                return;
            }
        }
        let is_wanted = |var: u32| {
            missing.is_none_or(|missing| missing == var)
                && (!only_wanted || !self.marks[var as usize].is_ignored)
        };
        if !summands.clone().any(|(var, _)| is_wanted(var)) {
            return;
        }
        let mut length = 0;
        let mut total = Delta::ZERO;
        for (var, by) in summands.clone() {
            let side = extreme_side(extreme, by.is_positive());
            if let Some(limit) = self.limits[var as usize].on(side) {
                total.add_scaled(&limit.value, &by.rational());
            }
            length += 1;
        }
        self.spend_on(length, &total.value.numerator());
        for (var, by) in summands {
            if is_wanted(var) {
                let side = extreme_side(extreme, by.is_positive());
                let bound = self.implied_bound(Var(var), side, by.rational(), &total);
                out.extend(bound.map(|bound| Implied { bound, source: equation }));
            }
        }
    }

    /// The bound of a variable given the extreme sum of all summands, its own for the bound on
    /// `side` included if there is one; `None` if there is a bound as tight.
    fn implied_bound(&self, var: Var, side: Side, by: Rat, total: &Delta) -> Option<Bound> {
        let limits = &self.limits[var.index()];
        let mut rest = total.clone();
        if let Some(own) = limits.on(side) {
            rest.sub_scaled(&own.value, &by);
        }
        let value = rest.times(&-by.recip()?);
        let bound = self.rounded(Bound { var, side: side.opposite(), value });
        let is_tighter = limits
            .on(bound.side)
            .is_none_or(|limit| bound.side.is_tighter(&bound.value, &limit.value));
        (is_tighter && !self.variables[var.index()].is_cut).then_some(bound)
    }

    /// The derivation of an implied bound. Valid until bounds or rows change.
    pub fn explain(&self, implied: &Implied) -> Certificate {
        self.derive(implied).certify(&self.derivations)
    }

    /// The tags of an implied bound's explanation, without the derivation; some may be repeated.
    pub fn explain_tags(&self, implied: &Implied, out: &mut Vec<Tag>) {
        let Bound { var, side, .. } = implied.bound;
        let mut collect = |extreme: Side, other: u32, is_positive: bool| {
            let limit = self.limits[other as usize].on(extreme_side(extreme, is_positive));
            match limit.map(|limit| limit.reason) {
                Some(Reason::Asserted(tag)) if other != var.0 => out.push(tag),
                Some(Reason::Derived(derived)) if other != var.0 => {
                    tags_of(derived, &self.derivations, out);
                }
                _ => {}
            }
        };
        match implied.source {
            Equation::Row(row) => {
                let entries = self.tableau.row(row);
                let own = entries.iter().find(|entry| entry.var == var.0);
                let own = own.expect("the row implies a bound on its variable");
                let extreme = extreme_side(side.opposite(), own.coefficient.is_positive());
                for entry in entries {
                    collect(extreme, entry.var, entry.coefficient.is_positive());
                }
            }
            Equation::Definition(form) => {
                let definition = self.definition(Var(form)).unwrap_or_default();
                // A form stands in its equation with the coefficient −1.
                let own = definition.iter().find(|(unknown, _)| *unknown == var);
                let is_positive = own.is_some_and(|(_, by)| by.is_positive());
                let extreme = extreme_side(side.opposite(), is_positive);
                for (unknown, by) in definition {
                    collect(extreme, unknown.0, by.is_positive());
                }
                collect(extreme, form, false);
            }
        }
    }

    /// The derivation of an implied bound from the bounds in force.
    pub(super) fn derive(&self, implied: &Implied) -> Derivation {
        let summands: Vec<(u32, Rat)> = match implied.source {
            Equation::Row(row) => {
                let entries = self.tableau.row(row).iter();
                entries.map(|entry| (entry.var, Rat::from(&entry.coefficient))).collect()
            }
            Equation::Definition(form) => {
                let parts = self.definition(Var(form)).unwrap_or_default().iter();
                let own = std::iter::once((form, Rat::MINUS_ONE));
                parts.map(|(var, by)| (var.0, by.clone())).chain(own).collect()
            }
        };
        let Bound { var, side, .. } = implied.bound;
        let own = summands.iter().find(|(other, _)| *other == var.0);
        let own = &own.expect("the equation implies a bound on its variable").1;
        // The bound is on the other side of the extreme it was derived from.
        let extreme = extreme_side(side.opposite(), own.is_positive());
        let scale = own.abs().recip().expect("coefficients are not zero");
        let mut derivation = Derivation::default();
        let others = summands.iter().filter(|(other, _)| *other != var.0);
        let sum = derivation.sum(others.map(|(other, by)| {
            let side = extreme_side(extreme, by.is_positive());
            (by.abs() * &scale, self.fact(*other, side))
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
        let mut content = Int::ZERO;
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
pub(super) fn extreme_side(extreme: Side, is_positive: bool) -> Side {
    if is_positive { extreme } else { extreme.opposite() }
}

/// A number that a variable is multiplied by.
trait Coefficient {
    fn is_positive(&self) -> bool;
    fn rational(&self) -> Rat;
}

impl Coefficient for Int {
    #[inline]
    fn is_positive(&self) -> bool {
        Int::is_positive(self)
    }

    #[inline]
    fn rational(&self) -> Rat {
        Rat::from(self)
    }
}

impl Coefficient for Rat {
    #[inline]
    fn is_positive(&self) -> bool {
        Rat::is_positive(self)
    }

    #[inline]
    fn rational(&self) -> Rat {
        self.clone()
    }
}
