//! Unknowns, bounds on them, and numbers with an infinitesimal part.
//!
//! A strict bound `x < 3` is the bound `x <= 3 - ε` for an ε that is positive and smaller than any
//! number that matters; values and bounds are therefore pairs `value + epsilon·ε`, compared
//! lexicographically (Dutertre and de Moura, CAV 2006, section 4). Which ε will do is settled when
//! a model is asked for.

use alphorn_term::{Int, Rat};

/// An unknown, or a linear form of unknowns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(pub u32);

impl Var {
    /// The position in tables by variable.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The side on which a bound limits a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The variable is at least the bound.
    Lower,
    /// The variable is at most the bound.
    Upper,
}

impl Side {
    /// The other side.
    #[inline]
    pub fn opposite(self) -> Side {
        match self {
            Side::Lower => Side::Upper,
            Side::Upper => Side::Lower,
        }
    }

    /// Whether the value `left` is a tighter bound on this side than `right`.
    #[inline]
    pub(super) fn is_tighter(self, left: &Delta, right: &Delta) -> bool {
        match self {
            Side::Lower => left > right,
            Side::Upper => left < right,
        }
    }
}

/// The number `value + epsilon·ε` for an infinitesimal ε.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Delta {
    /// The rational part.
    pub value: Rat,
    /// The multiple of the infinitesimal; strict bounds have 1 or −1.
    pub epsilon: Rat,
}

impl Delta {
    /// The number 0.
    pub const ZERO: Delta = Delta { value: Rat::ZERO, epsilon: Rat::ZERO };

    /// A number with its infinitesimal part.
    #[inline]
    pub fn new(value: Rat, epsilon: Rat) -> Delta {
        Delta { value, epsilon }
    }

    /// Whether the infinitesimal part is zero and the rest an integer.
    #[inline]
    pub fn is_integer(&self) -> bool {
        self.value.is_integer() && self.epsilon.is_zero()
    }

    /// Whether both parts are zero.
    #[inline]
    pub fn is_zero(&self) -> bool {
        self.value.is_zero() && self.epsilon.is_zero()
    }

    /// The greatest integer that is not above.
    pub fn floor(&self) -> Int {
        let floor = self.value.floor();
        let is_below = self.value.is_integer() && self.epsilon.is_negative();
        if is_below { floor - Int::ONE } else { floor }
    }

    /// The least integer that is not below.
    pub fn ceil(&self) -> Int {
        let ceil = self.value.ceil();
        let is_above = self.value.is_integer() && self.epsilon.is_positive();
        if is_above { ceil + Int::ONE } else { ceil }
    }

    /// Adds `factor * other`.
    #[inline]
    pub(super) fn add_scaled(&mut self, other: &Delta, factor: &Rat) {
        self.value.mul_add_assign(&other.value, factor);
        if !other.epsilon.is_zero() {
            self.epsilon.mul_add_assign(&other.epsilon, factor);
        }
    }

    /// Subtracts `factor * other`.
    #[inline]
    pub(super) fn sub_scaled(&mut self, other: &Delta, factor: &Rat) {
        self.value.mul_sub_assign(&other.value, factor);
        if !other.epsilon.is_zero() {
            self.epsilon.mul_sub_assign(&other.epsilon, factor);
        }
    }

    /// The difference.
    #[inline]
    pub(crate) fn minus(&self, other: &Delta) -> Delta {
        let epsilon = if other.epsilon.is_zero() {
            self.epsilon.clone()
        } else {
            &self.epsilon - &other.epsilon
        };
        Delta { value: &self.value - &other.value, epsilon }
    }

    /// The product with a rational.
    #[inline]
    pub(crate) fn times(&self, factor: &Rat) -> Delta {
        let epsilon = if self.epsilon.is_zero() { Rat::ZERO } else { &self.epsilon * factor };
        Delta { value: &self.value * factor, epsilon }
    }
}

impl From<Rat> for Delta {
    #[inline]
    fn from(value: Rat) -> Delta {
        Delta { value, epsilon: Rat::ZERO }
    }
}

impl From<Int> for Delta {
    #[inline]
    fn from(value: Int) -> Delta {
        Delta::from(Rat::from(value))
    }
}

/// What the caller asserted, for example a literal; handed back in certificates.
pub type Tag = u32;

/// `var >= value` or `var <= value`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bound {
    /// The variable bounded.
    pub var: Var,
    /// On which side.
    pub side: Side,
    /// The bound itself, with an infinitesimal part where it is strict.
    pub value: Delta,
}

/// Where a bound comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Reason {
    /// The caller asserted it.
    Asserted(Tag),
    /// It follows from others, over the integers: a position among the derivations.
    Derived(u32),
}

/// The bound in force on one side of a variable.
#[derive(Clone, Debug)]
pub(super) struct Limit {
    pub(super) value: Delta,
    pub(super) reason: Reason,
}

/// The bounds in force on a variable.
#[derive(Clone, Debug, Default)]
pub(super) struct Limits {
    pub(super) lower: Option<Limit>,
    pub(super) upper: Option<Limit>,
}

impl Limits {
    #[inline]
    pub(super) fn on(&self, side: Side) -> Option<&Limit> {
        match side {
            Side::Lower => self.lower.as_ref(),
            Side::Upper => self.upper.as_ref(),
        }
    }

    #[inline]
    pub(super) fn on_mut(&mut self, side: Side) -> &mut Option<Limit> {
        match side {
            Side::Lower => &mut self.lower,
            Side::Upper => &mut self.upper,
        }
    }

    /// The side on which a value is out of bounds.
    #[inline]
    pub(super) fn violated(&self, value: &Delta) -> Option<Side> {
        if self.lower.as_ref().is_some_and(|lower| *value < lower.value) {
            return Some(Side::Lower);
        }
        if self.upper.as_ref().is_some_and(|upper| *value > upper.value) {
            return Some(Side::Upper);
        }
        None
    }

    #[inline]
    pub(super) fn is_free(&self) -> bool {
        self.lower.is_none() && self.upper.is_none()
    }

    /// The value if the bounds leave only one.
    #[inline]
    pub(super) fn fixed(&self) -> Option<&Delta> {
        match (&self.lower, &self.upper) {
            (Some(lower), Some(upper)) if lower.value == upper.value => Some(&lower.value),
            _ => None,
        }
    }
}

/// A bound with where it comes from, as it was when something was derived from it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Fact {
    pub(super) bound: Bound,
    pub(super) reason: Reason,
}
