//! What several bounds say together about one polynomial.
//!
//! A constraint without divisibility is a *claim* about the polynomial without its constant, signed
//! so that its first coefficient is positive: it is at least, at most, equal to or different from a
//! number. A range is a conjunction of claims about one polynomial. Over integers bounds are not
//! strict, and numbers are integers, because constraints are in normal form.

use crate::linear::Linear;
use crate::project::constraint::{Constraint, Relation};
use alphorn_term::Rat;

/// A claim about a polynomial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// At least, or above if strict.
    Lower(Rat, bool),
    /// At most, or below if strict.
    Upper(Rat, bool),
    /// Equal.
    Is(Rat),
    /// Different.
    IsNot(Rat),
}

/// The polynomial and the claim of a constraint in normal form; `None` for divisibilities.
pub(super) fn claim(constraint: &Constraint) -> Option<(Linear, Claim)> {
    let mut form = constraint.form.clone();
    let is_flipped = form.terms.first()?.1.is_negative();
    if is_flipped {
        form.scale(&Rat::MINUS_ONE);
    }
    let at = -std::mem::take(&mut form.constant);
    let is_strict = constraint.relation == Relation::Below;
    let claim = match constraint.relation {
        Relation::AtMost | Relation::Below if is_flipped => Claim::Lower(at, is_strict),
        Relation::AtMost | Relation::Below => Claim::Upper(at, is_strict),
        Relation::Equal => Claim::Is(at),
        Relation::Different => Claim::IsNot(at),
        Relation::Multiple(_) | Relation::NotMultiple(_) => return None,
    };
    Some((form, claim))
}

/// The constraint of a claim about a polynomial.
pub(super) fn constraint(form: &Linear, claim: &Claim) -> Constraint {
    let mut form = form.clone();
    let (at, relation, is_flipped) = match claim {
        Claim::Lower(at, is_strict) => (at, bound(*is_strict), true),
        Claim::Upper(at, is_strict) => (at, bound(*is_strict), false),
        Claim::Is(at) => (at, Relation::Equal, false),
        Claim::IsNot(at) => (at, Relation::Different, false),
    };
    form.constant = -at;
    if is_flipped {
        form.scale(&Rat::MINUS_ONE);
    }
    Constraint::new(form, relation)
}

fn bound(is_strict: bool) -> Relation {
    if is_strict { Relation::Below } else { Relation::AtMost }
}

/// Claims about one polynomial.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Range {
    /// The greatest lower bound, and whether it is strict.
    lower: Option<(Rat, bool)>,
    /// The least upper bound, and whether it is strict.
    upper: Option<(Rat, bool)>,
    /// Numbers between them that are excluded, ascending.
    excluded: Vec<Rat>,
}

impl Range {
    /// Adds a claim; false if nothing is left.
    pub(super) fn add(&mut self, claim: &Claim, is_integral: bool) -> bool {
        match claim {
            Claim::Lower(at, is_strict) => self.raise(at, *is_strict),
            Claim::Upper(at, is_strict) => self.lower_to(at, *is_strict),
            Claim::Is(at) => {
                self.raise(at, false);
                self.lower_to(at, false);
            }
            Claim::IsNot(at) => {
                if let Err(place) = self.excluded.binary_search(at) {
                    self.excluded.insert(place, at.clone());
                }
            }
        }
        self.tighten(is_integral);
        !self.is_empty()
    }

    fn raise(&mut self, at: &Rat, is_strict: bool) {
        let is_tighter = |(old, strict): &(Rat, bool)| (at, is_strict) > (old, *strict);
        if self.lower.as_ref().is_none_or(is_tighter) {
            self.lower = Some((at.clone(), is_strict));
        }
    }

    fn lower_to(&mut self, at: &Rat, is_strict: bool) {
        let is_tighter = |(old, strict): &(Rat, bool)| (at, !is_strict) < (old, !*strict);
        if self.upper.as_ref().is_none_or(is_tighter) {
            self.upper = Some((at.clone(), is_strict));
        }
    }

    /// Moves bounds off excluded numbers, and forgets those outside.
    fn tighten(&mut self, is_integral: bool) {
        let step =
            |at: &Rat, by: Rat| if is_integral { (at + &by, false) } else { (at.clone(), true) };
        while let Some((at, false)) = &self.lower
            && self.excluded.contains(at)
        {
            self.lower = Some(step(at, Rat::ONE));
        }
        while let Some((at, false)) = &self.upper
            && self.excluded.contains(at)
        {
            self.upper = Some(step(at, Rat::MINUS_ONE));
        }
        let (lower, upper) = (self.lower.clone(), self.upper.clone());
        self.excluded.retain(|at| {
            lower.as_ref().is_none_or(|(low, _)| at > low)
                && upper.as_ref().is_none_or(|(high, _)| at < high)
        });
    }

    fn is_empty(&self) -> bool {
        match (&self.lower, &self.upper) {
            (Some((low, strict_low)), Some((high, strict_high))) => {
                low > high || (low == high && (*strict_low || *strict_high))
            }
            _ => false,
        }
    }

    /// The only number that is left, if there is one.
    pub(super) fn value(&self) -> Option<&Rat> {
        match (&self.lower, &self.upper) {
            (Some((low, _)), Some((high, _))) if low == high => Some(low),
            _ => None,
        }
    }

    /// Whether a claim follows.
    pub(super) fn implies(&self, claim: &Claim) -> bool {
        let above = |at: &Rat, is_strict: bool| {
            let low = self.lower.as_ref();
            low.is_some_and(|(low, strict)| low > at || (low == at && (*strict || !is_strict)))
        };
        let below = |at: &Rat, is_strict: bool| {
            let high = self.upper.as_ref();
            high.is_some_and(|(high, strict)| high < at || (high == at && (*strict || !is_strict)))
        };
        match claim {
            Claim::Lower(at, is_strict) => above(at, *is_strict),
            Claim::Upper(at, is_strict) => below(at, *is_strict),
            Claim::Is(at) => self.value() == Some(at),
            Claim::IsNot(at) => above(at, true) || below(at, true) || self.excluded.contains(at),
        }
    }

    /// The fewest claims that say the same.
    pub(super) fn claims(&self) -> Vec<Claim> {
        if let Some(at) = self.value() {
            return vec![Claim::Is(at.clone())];
        }
        let mut claims = Vec::new();
        claims.extend(self.lower.iter().map(|(at, strict)| Claim::Lower(at.clone(), *strict)));
        claims.extend(self.upper.iter().map(|(at, strict)| Claim::Upper(at.clone(), *strict)));
        claims.extend(self.excluded.iter().map(|at| Claim::IsNot(at.clone())));
        claims
    }
}
