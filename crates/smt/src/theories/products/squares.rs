//! Squares from above: between two numbers, a square is at most what the line through their squares is.
//!
//! Tangents bound a square from below at every number, but from above a model may have it as large as it likes. Where it is too
//! large, the line is drawn between two numbers on both sides of the factor's value, so near that it cuts the model off:
//! `(x - u + d)·(x - u - d)` is not positive between `u - d` and `u + d`, and the line is `d·d` above the tangent at `u`. The distances are
//! powers of two, so that numbers stay short, and lines are few.
//!
//! Invariant: a lemma is an instance of the rule of signs. After Cimatti et al., Incremental linearization (TOCL 2018), §4.

use alphorn_term::{Rat, Store};

use super::{Product, add_signs_of};
use crate::theories::kernel::Kernel;

/// What the middle of a line is a multiple of, as its reciprocal: lines at long numbers make the next numbers longer still.
const GRAIN: Rat = Rat::from_i64(1 << 12);

/// The powers of two that distances are between, by exponent.
const EXPONENTS: std::ops::Range<i32> = -12..40;

/// Adds the line above a square that an assignment has too large; whether it is new.
pub(super) fn add(
    kernel: &mut Kernel,
    store: &mut Store,
    product: &Product,
    factor: &Rat,
    whole: &Rat,
) -> bool {
    if product.left != product.right {
        return false;
    }
    let (Some(scale), Some(mut square)) = (product.scale.recip(), product.factors()) else {
        return false;
    };
    let middle = &Rat::from((factor * &GRAIN).floor()) / &GRAIN;
    // How far the square is above the tangent of the middle, at the factor.
    let tangent = &(&(&middle + &middle) * factor) - &(&middle * &middle);
    let excess = &(whole * &scale) - &tangent;
    let Some(distance) = below_root(&excess) else { return false };
    // (x - u + d)(x - u - d) = x·x - 2u·x + u·u - d·d.
    let ends = [-distance.clone(), distance.clone()].map(|step| {
        let mut shifted = product.left.clone();
        shifted.constant = &shifted.constant - &(&middle + &step);
        shifted
    });
    square.add_scaled(&product.left, &-(&middle + &middle));
    square.constant = &(&square.constant + &(&middle * &middle)) - &(&distance * &distance);
    let [low, high] = ends;
    add_signs_of(kernel, store, product.term, [low, high], &square, &[false])
}

/// The largest power of two whose square is below a number, within limits; none if there is none, or the number is not positive.
fn below_root(number: &Rat) -> Option<Rat> {
    if !number.is_positive() {
        return None;
    }
    let two = Rat::from(2);
    let half = two.recip()?;
    let mut power = Rat::ONE;
    if &Rat::ONE < number {
        for _ in 0..EXPONENTS.end {
            let next = &power * &two;
            if &(&next * &next) >= number {
                break;
            }
            power = next;
        }
        return Some(power);
    }
    for _ in EXPONENTS.start..0 {
        power = &power * &half;
        if &(&power * &power) < number {
            return Some(power);
        }
    }
    None
}
