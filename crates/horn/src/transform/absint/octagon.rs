//! Octagons: bounds on sums and differences of two numbers.
//!
//! A *signed* dimension is a number or its negative. The entry at two of them bounds their sum, so a
//! difference is the sum with a negative, and the entry at the same one twice is twice a bound of
//! the number. From `a + k <= c` and `b - k <= d` follows `a + b <= c + d`: an octagon is closed if
//! no such step finds a stronger bound. Each constraint that is added closes it again, in time
//! quadratic in the number of dimensions.
//!
//! Miné, "The octagon abstract domain" (2006), with sums in place of his differences; the tightening
//! for integers is Bagnara, Hill and Zaffanella's. Bounds may be strict where reals are involved.

#[cfg(test)]
mod tests;

use super::bound::{Bound, Interval, Upper, is_stronger, plus, stronger, weaker, widened};
use alphorn_term::Rat;

/// A dimension's number, or its negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Signed(u32);

impl Signed {
    /// A dimension with its own sign.
    pub fn plus(dimension: usize) -> Signed {
        Signed(2 * dimension as u32)
    }

    /// The number or its negative.
    pub fn of(dimension: usize, is_negative: bool) -> Signed {
        Signed(2 * dimension as u32 + u32::from(is_negative))
    }

    /// The number that it is, or is the negative of.
    pub fn dimension(self) -> usize {
        self.0 as usize / 2
    }

    /// Whether it is the negative of the number.
    pub fn is_negative(self) -> bool {
        self.0 % 2 == 1
    }

    /// The dimension with the other sign.
    pub fn negated(self) -> Signed {
        Signed(self.0 ^ 1)
    }
}

/// Bounds on sums and differences; without dimensions if it should say nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Octagon {
    /// For each dimension, whether its numbers are integers.
    is_integral: Vec<bool>,
    /// The entries with the first signed dimension not below the second.
    entries: Vec<Upper>,
}

/// The octagon would be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Empty;

impl Octagon {
    /// The octagon of all points, of which some coordinates are integers.
    pub fn top(is_integral: Vec<bool>) -> Octagon {
        let signed = 2 * is_integral.len();
        let mut octagon = Octagon { is_integral, entries: vec![None; signed * (signed + 1) / 2] };
        for dimension in 0..octagon.dimensions() {
            let number = Signed::plus(dimension);
            octagon.set(number, number.negated(), Some(Bound::at_most(Rat::ZERO)));
        }
        octagon
    }

    /// How many numbers a point has.
    pub fn dimensions(&self) -> usize {
        self.is_integral.len()
    }

    fn signed(&self) -> impl Iterator<Item = Signed> + use<> {
        (0..2 * self.is_integral.len() as u32).map(Signed)
    }

    fn place(first: Signed, second: Signed) -> usize {
        let (high, low) = (first.0.max(second.0) as usize, first.0.min(second.0) as usize);
        high * (high + 1) / 2 + low
    }

    fn set(&mut self, first: Signed, second: Signed, bound: Upper) {
        self.entries[Octagon::place(first, second)] = bound;
    }

    /// The bound of a sum.
    pub fn bound(&self, first: Signed, second: Signed) -> &Upper {
        &self.entries[Octagon::place(first, second)]
    }

    /// The bounds of one number.
    pub fn interval(&self, dimension: usize) -> Interval {
        let number = Signed::plus(dimension);
        let half = &Rat::ONE / &Rat::from(2);
        let halved =
            |number: Signed| self.bound(number, number).as_ref().map(|bound| bound.times(&half));
        Interval { down: halved(number.negated()), up: halved(number) }
    }

    /// The sums of different dimensions that have a bound, each once, with it.
    pub fn sums(&self) -> Vec<(Signed, Signed, &Bound)> {
        let mut found = Vec::new();
        for first in self.signed() {
            for second in (0..first.0).map(Signed) {
                if first.dimension() != second.dimension()
                    && let Some(bound) = self.bound(first, second)
                {
                    found.push((first, second, bound));
                }
            }
        }
        found
    }

    /// Adds the bounds of one number; says whether anything got stronger.
    pub fn restrict(&mut self, dimension: usize, to: &Interval) -> Result<bool, Empty> {
        let two = Rat::from(2);
        let mut has_changed = false;
        for (signed, bound) in [(false, &to.up), (true, &to.down)] {
            if let Some(bound) = bound {
                let signed = Signed::of(dimension, signed);
                has_changed |= self.add(signed, signed, bound.times(&two))?;
            }
        }
        Ok(has_changed)
    }

    /// Adds the bound of a sum, and what follows; says whether anything got stronger.
    pub fn add(&mut self, first: Signed, second: Signed, bound: Bound) -> Result<bool, Empty> {
        let bound = Some(self.fitted(first, second, bound));
        if is_stronger(self.bound(first, second), &bound) {
            return Ok(false);
        }
        // The bounds of a sum of any number with either side, by way of the added bound.
        let (no_first, no_second) = (first.negated(), second.negated());
        let twice_first = plus(&plus(&bound, self.bound(no_first, no_first)), &bound);
        let twice_second = plus(&plus(&bound, self.bound(no_second, no_second)), &bound);
        let mut to_second = Vec::with_capacity(2 * self.dimensions());
        let mut to_first = Vec::with_capacity(2 * self.dimensions());
        for signed in self.signed() {
            let by_first = self.bound(signed, no_first);
            let by_second = self.bound(signed, no_second);
            to_second.push(stronger(&plus(by_first, &bound), &plus(by_second, &twice_first)));
            to_first.push(stronger(&plus(by_second, &bound), &plus(by_first, &twice_second)));
        }
        let from_second: Vec<Upper> =
            self.signed().map(|signed| self.bound(no_second, signed).clone()).collect();
        let from_first: Vec<Upper> =
            self.signed().map(|signed| self.bound(no_first, signed).clone()).collect();
        for left in self.signed() {
            let (by_second, by_first) = (&to_second[left.0 as usize], &to_first[left.0 as usize]);
            if by_second.is_none() && by_first.is_none() {
                continue;
            }
            for right in self.signed() {
                let found = stronger(
                    &plus(by_second, &from_second[right.0 as usize]),
                    &plus(by_first, &from_first[right.0 as usize]),
                );
                self.improve(left, right, found);
            }
        }
        self.improve(first, second, bound);
        self.strengthen();
        self.consistent()?;
        Ok(true)
    }

    /// A bound of a sum that takes integers into account.
    fn fitted(&self, first: Signed, second: Signed, bound: Bound) -> Bound {
        let integral = |signed: Signed| self.is_integral[signed.dimension()];
        if first == second && integral(first) {
            let half = bound.times(&(&Rat::ONE / &Rat::from(2)));
            return half.tightened().times(&Rat::from(2));
        }
        if integral(first) && integral(second) { bound.tightened() } else { bound }
    }

    fn improve(&mut self, first: Signed, second: Signed, bound: Upper) {
        let Some(bound) = bound else { return };
        let bound = Some(self.fitted(first, second, bound));
        if !is_stronger(self.bound(first, second), &bound) {
            self.set(first, second, bound);
        }
    }

    /// Adds the bounds of sums that the bounds of the two numbers give.
    fn strengthen(&mut self) {
        let half = &Rat::ONE / &Rat::from(2);
        let numbers: Vec<(Signed, Bound)> = self
            .signed()
            .filter_map(|signed| {
                self.bound(signed, signed).as_ref().map(|bound| (signed, bound.times(&half)))
            })
            .collect();
        for (at, (first, left)) in numbers.iter().enumerate() {
            for (second, right) in &numbers[..at] {
                self.improve(*first, *second, Some(left.plus(right)));
            }
        }
    }

    fn consistent(&self) -> Result<(), Empty> {
        let holds = |dimension: usize| {
            let number = Signed::plus(dimension);
            self.bound(number, number.negated()).as_ref().is_none_or(Bound::allows_zero)
        };
        if (0..self.dimensions()).all(holds) { Ok(()) } else { Err(Empty) }
    }

    /// The least octagon around both.
    pub fn join(&self, other: &Octagon) -> Octagon {
        self.with(other, weaker)
    }

    /// The widening with thresholds; what comes of it is not closed, or it might not end.
    pub fn widened(&self, after: &Octagon, thresholds: &[Rat]) -> Octagon {
        let doubled: Vec<Rat> = thresholds.iter().map(|value| value * &Rat::from(2)).collect();
        let mut result = self.with(after, |before, after| widened(before, after, thresholds));
        for signed in self.signed() {
            let (before, after) = (self.bound(signed, signed), after.bound(signed, signed));
            result.set(signed, signed, widened(before, after, &doubled));
        }
        result
    }

    fn with(&self, other: &Octagon, combine: impl Fn(&Upper, &Upper) -> Upper) -> Octagon {
        let pairs = self.entries.iter().zip(&other.entries);
        let entries = pairs.map(|(left, right)| combine(left, right)).collect();
        Octagon { is_integral: self.is_integral.clone(), entries }
    }

    /// Whether every bound of the other follows from one here.
    pub fn is_within(&self, other: &Octagon) -> bool {
        self.entries.iter().zip(&other.entries).all(|(left, right)| is_stronger(left, right))
    }

    /// The octagon of some dimensions, in this order.
    pub fn projected(&self, kept: &[usize]) -> Octagon {
        let mut result = Octagon::top(kept.iter().map(|&at| self.is_integral[at]).collect());
        let inner = |signed: Signed| Signed::of(kept[signed.dimension()], signed.is_negative());
        for first in result.signed() {
            for second in (0..=first.0).map(Signed) {
                let bound = self.bound(inner(first), inner(second)).clone();
                result.set(first, second, bound);
            }
        }
        result
    }
}
