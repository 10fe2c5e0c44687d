//! The simplest rational of an interval.
//!
//! Of two rationals the one with the smaller denominator is simpler, then the one
//! closer to 0. An interval has exactly one simplest member: its first one met on the
//! way down the Stern–Brocot tree. Going down one branch at a time would take as many
//! steps as the numbers are large; continued fractions take a run of equal branches
//! in one step. While the interval holds no integer, all its members share their
//! integer part: subtract it, invert, and look at the interval of the inverses.
//!
//! Models use this: between the bounds that a solver has found, `1/2` reads better
//! than `4503599627370497/9007199254740992`.
//!
//! After Graham, Knuth, Patashnik, Concrete Mathematics, 4.5 and 6.7. We allow open,
//! closed and missing ends, since the bounds of a variable come in all three forms.

use std::cmp::Ordering;
use std::ops::Bound::{self, Excluded, Included, Unbounded};

use super::{Int, Rat};

impl Rat {
    /// The simplest rational `x` with `lo <= x <= hi`; `None` when `lo > hi`.
    pub fn simplest_between(lo: &Rat, hi: &Rat) -> Option<Rat> {
        Rat::simplest_in(Included(lo), Included(hi))
    }

    /// The simplest rational between two bounds; `None` when nothing is between them.
    pub fn simplest_in(lo: Bound<&Rat>, hi: Bound<&Rat>) -> Option<Rat> {
        if let (Included(a) | Excluded(a), Included(b) | Excluded(b)) = (lo, hi) {
            match a.cmp(b) {
                Ordering::Less => {}
                Ordering::Equal if matches!((lo, hi), (Included(_), Included(_))) => {}
                Ordering::Equal | Ordering::Greater => return None,
            }
        }
        if above(&Rat::ZERO, lo) && below(&Rat::ZERO, hi) {
            return Some(Rat::ZERO);
        }
        if above(&Rat::ZERO, lo) {
            // All members are negative: mirror the interval.
            let (lo, hi) = (hi.map(|hi| -hi), lo.map(|lo| -lo));
            return Some(-simplest_positive(lo, hi));
        }
        Some(simplest_positive(lo.cloned(), hi.cloned()))
    }
}

/// The simplest member of a non-empty interval of positive numbers; a missing lower
/// end stands for 0.
fn simplest_positive(mut lo: Bound<Rat>, mut hi: Bound<Rat>) -> Rat {
    let mut parts = Vec::new();
    let last = loop {
        let integer = first_integer(lo.as_ref());
        if below(&Rat::from(&integer), hi.as_ref()) {
            break integer;
        }
        // No integer is inside, so the members lie between two neighbours and the
        // lower end of their inverses is the inverse of the upper end.
        let part = match &lo {
            Included(lo) | Excluded(lo) => lo.floor(),
            Unbounded => Int::ZERO,
        };
        let shift = Rat::from(&part);
        let inverse = |bound: Bound<Rat>| match bound {
            Included(end) => (end - &shift).recip().map_or(Unbounded, Included),
            Excluded(end) => (end - &shift).recip().map_or(Unbounded, Excluded),
            Unbounded => Unbounded,
        };
        (lo, hi) = (inverse(hi), inverse(lo));
        parts.push(part);
    };
    let (mut num, mut den) = (last, Int::ONE);
    for part in parts.into_iter().rev() {
        den.mul_add_assign(&part, &num);
        std::mem::swap(&mut num, &mut den);
    }
    Rat::new(num, den).expect("a continued fraction of positive parts is positive")
}

/// The least positive integer that the lower end allows.
fn first_integer(lo: Bound<&Rat>) -> Int {
    match lo {
        Included(lo) => lo.ceil(),
        Excluded(lo) => lo.floor() + Int::ONE,
        Unbounded => Int::ONE,
    }
}

/// Whether a lower end allows the value.
fn above(value: &Rat, lo: Bound<&Rat>) -> bool {
    match lo {
        Included(lo) => value >= lo,
        Excluded(lo) => value > lo,
        Unbounded => true,
    }
}

/// Whether an upper end allows the value.
fn below(value: &Rat, hi: Bound<&Rat>) -> bool {
    match hi {
        Included(hi) => value <= hi,
        Excluded(hi) => value < hi,
        Unbounded => true,
    }
}
