//! Upper bounds, and intervals made of two of them.
//!
//! A bound says "at most" or, strictly, "less than" a rational number; none says nothing. A lower
//! bound of a number is an upper bound of its negative, so that there is one kind of bound, one order
//! (`is_stronger`) and one widening, for intervals and octagons alike. Bounds of integers are
//! tightened to integers, and are then never strict.
//!
//! Every operation returns a superset of the exact result.

#[cfg(test)]
mod tests;

use alphorn_term::{Int, Rat};

/// "At most" or "less than" a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    /// The number that is the limit.
    pub value: Rat,
    /// Whether the number itself is excluded.
    pub is_strict: bool,
}

/// A bound from above; none if there is none.
pub(super) type Upper = Option<Bound>;

impl Bound {
    /// A bound that the value itself keeps.
    pub fn at_most(value: Rat) -> Bound {
        Bound { value, is_strict: false }
    }

    /// The bound of a sum.
    pub fn plus(&self, other: &Bound) -> Bound {
        let value = &self.value + &other.value;
        Bound { value, is_strict: self.is_strict || other.is_strict }
    }

    /// The bound of a multiple by a positive number.
    pub fn times(&self, factor: &Rat) -> Bound {
        Bound { value: &self.value * factor, is_strict: self.is_strict }
    }

    /// The bound of the negative that makes this one an equation.
    pub fn times_minus_one(&self) -> Bound {
        Bound { value: -&self.value, is_strict: self.is_strict }
    }

    /// The same bound for something that is an integer.
    pub fn tightened(&self) -> Bound {
        let floor = Rat::from(self.value.floor());
        let is_short = self.is_strict && self.value.is_integer();
        Bound::at_most(if is_short { &floor - &Rat::ONE } else { floor })
    }

    /// Whether a number that this bounds can be zero or more.
    pub fn allows_zero(&self) -> bool {
        self.value.is_positive() || (self.value.is_zero() && !self.is_strict)
    }
}

/// The bound of a sum of two bounded numbers.
pub(super) fn plus(left: &Upper, right: &Upper) -> Upper {
    Some(left.as_ref()?.plus(right.as_ref()?))
}

/// Whether what meets the first bound meets the second one.
pub(super) fn is_stronger(first: &Upper, second: &Upper) -> bool {
    match (first, second) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(first), Some(second)) => {
            first.value < second.value
                || (first.value == second.value && (first.is_strict || !second.is_strict))
        }
    }
}

/// The stronger of two bounds.
pub(super) fn stronger(first: &Upper, second: &Upper) -> Upper {
    if is_stronger(first, second) { first.clone() } else { second.clone() }
}

/// The weaker of two bounds.
pub(super) fn weaker(first: &Upper, second: &Upper) -> Upper {
    if is_stronger(first, second) { second.clone() } else { first.clone() }
}

/// A bound that gives way to the next threshold, of which there are finitely many, in order.
pub(super) fn widened(before: &Upper, after: &Upper, thresholds: &[Rat]) -> Upper {
    if is_stronger(after, before) {
        return before.clone();
    }
    let value = &after.as_ref()?.value;
    let at = thresholds.partition_point(|threshold| threshold < value);
    thresholds.get(at).cloned().map(Bound::at_most)
}

/// The numbers between two bounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Interval {
    /// Bounds the negatives of the numbers.
    pub down: Upper,
    /// Bounds the numbers.
    pub up: Upper,
}

impl Interval {
    /// All numbers.
    pub const TOP: Interval = Interval { down: None, up: None };

    /// One number.
    pub fn point(value: &Rat) -> Interval {
        let (down, up) = (Bound::at_most(-value), Bound::at_most(value.clone()));
        Interval { down: Some(down), up: Some(up) }
    }

    /// The numbers from one to another, both included.
    pub fn between(low: &Rat, high: &Rat) -> Interval {
        let (down, up) = (Bound::at_most(-low), Bound::at_most(high.clone()));
        Interval { down: Some(down), up: Some(up) }
    }

    /// Whether no number is left.
    pub fn is_empty(&self) -> bool {
        plus(&self.down, &self.up).is_some_and(|width| !width.allows_zero())
    }

    /// The number, if there is only one.
    pub fn value(&self) -> Option<&Rat> {
        let (down, up) = (self.down.as_ref()?, self.up.as_ref()?);
        let is_point = !down.is_strict && !up.is_strict && (&down.value + &up.value).is_zero();
        is_point.then_some(&up.value)
    }

    /// Whether all numbers are zero or more.
    pub fn is_nonnegative(&self) -> bool {
        self.down.as_ref().is_some_and(|down| !down.value.is_positive())
    }

    /// The numbers in both.
    pub fn meet(&self, other: &Interval) -> Interval {
        Interval { down: stronger(&self.down, &other.down), up: stronger(&self.up, &other.up) }
    }

    /// The numbers in either, and those between them.
    pub fn join(&self, other: &Interval) -> Interval {
        Interval { down: weaker(&self.down, &other.down), up: weaker(&self.up, &other.up) }
    }

    /// Whether the other has all the numbers.
    pub fn is_within(&self, other: &Interval) -> bool {
        is_stronger(&self.down, &other.down) && is_stronger(&self.up, &other.up)
    }

    /// The interval for what comes after, with bounds that moved set to the next threshold, so that
    /// chains end.
    pub fn widened(&self, after: &Interval, thresholds: &[Rat]) -> Interval {
        Interval {
            down: widened(&self.down, &after.down, thresholds),
            up: widened(&self.up, &after.up, thresholds),
        }
    }

    /// The integers among the numbers.
    pub fn integers(&self) -> Interval {
        let tight = |bound: &Upper| bound.as_ref().map(Bound::tightened);
        Interval { down: tight(&self.down), up: tight(&self.up) }
    }

    /// The sums of a number of each.
    pub fn plus(&self, other: &Interval) -> Interval {
        Interval { down: plus(&self.down, &other.down), up: plus(&self.up, &other.up) }
    }

    /// The numbers with the other sign.
    pub fn negated(&self) -> Interval {
        Interval { down: self.up.clone(), up: self.down.clone() }
    }

    /// The multiples by a number other than zero.
    pub fn times(&self, factor: &Rat) -> Interval {
        let size = factor.abs();
        let times = |bound: &Upper| bound.as_ref().map(|bound| bound.times(&size));
        let scaled = Interval { down: times(&self.down), up: times(&self.up) };
        if factor.is_negative() { scaled.negated() } else { scaled }
    }

    /// An interval that has all products of numbers of the two.
    pub fn product(&self, other: &Interval) -> Interval {
        if let (Some(down), Some(up), Some(other_down), Some(other_up)) =
            (&self.down, &self.up, &other.down, &other.up)
        {
            let mut ends = Vec::with_capacity(4);
            for left in [-&down.value, up.value.clone()] {
                for right in [-&other_down.value, other_up.value.clone()] {
                    ends.push(&left * &right);
                }
            }
            ends.sort();
            return Interval::between(&ends[0], &ends[3]);
        }
        let is_sure = self.is_nonnegative() && other.is_nonnegative();
        if !is_sure {
            return Interval::TOP;
        }
        let low = |interval: &Interval| interval.down.as_ref().map(|down| -&down.value);
        let product = low(self).zip(low(other)).map(|(left, right)| -(&left * &right));
        Interval { down: product.map(Bound::at_most), up: None }
    }

    /// The quotients of integers by a positive integer, rounded down.
    pub fn quotients(&self, divisor: &Int) -> Interval {
        let divisor = Rat::from(divisor.clone());
        let floor = |value: &Rat| Rat::from((value / &divisor).floor());
        let tight = self.integers();
        Interval {
            down: tight.down.map(|down| Bound::at_most(-floor(&-&down.value))),
            up: tight.up.map(|up| Bound::at_most(floor(&up.value))),
        }
    }

    /// The remainders of integers by a positive integer.
    pub fn remainders(&self, divisor: &Int) -> Interval {
        let whole = Rat::from(divisor.clone());
        let all = Interval::between(&Rat::ZERO, &(&whole - &Rat::ONE));
        // Within one period the remainder is the number shifted.
        let quotient = self.quotients(divisor);
        match quotient.value() {
            Some(quotient) => self.integers().plus(&Interval::point(&-(quotient * &whole))),
            None => all,
        }
    }

    /// The absolute values.
    pub fn sizes(&self) -> Interval {
        if self.is_nonnegative() {
            return self.clone();
        }
        let negated = self.negated();
        if negated.is_nonnegative() {
            return negated;
        }
        let most = weaker(&self.up, &self.down);
        Interval { down: Some(Bound::at_most(Rat::ZERO)), up: most }
    }

    /// The numbers rounded down to integers.
    pub fn floors(&self) -> Interval {
        let floor = |value: &Rat| Rat::from(value.floor());
        Interval {
            down: self.down.as_ref().map(|down| Bound::at_most(-floor(&-&down.value))),
            up: self.up.as_ref().map(|up| Bound::at_most(floor(&up.value))),
        }
    }
}
