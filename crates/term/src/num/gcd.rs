//! Greatest common divisors of machine words.
//!
//! Stein's binary algorithm: strip the factors of two, then replace the larger of two
//! odd numbers by their difference, stripped again. Each round is a handful of
//! instructions without a branch that depends on the data; Euclid's divisions lose to
//! it on the short operands fractions have (bench/notes/numbers.md).
//!
//! After Stein (J. Comput. Phys. 1, 1967). Ones are answered at once: they are the
//! denominators of integers, by far the most frequent operand.

/// The greatest common divisor; `gcd(0, x)` is `x`.
#[inline]
pub(super) fn gcd(a: u64, b: u64) -> u64 {
    if a == 1 || b == 1 {
        return 1;
    }
    if a == 0 || b == 0 {
        return a | b;
    }
    odd_gcd(a >> a.trailing_zeros(), b >> b.trailing_zeros()) << (a | b).trailing_zeros()
}

/// The greatest common divisor of two odd numbers.
#[inline]
fn odd_gcd(mut a: u64, mut b: u64) -> u64 {
    debug_assert!(a & b & 1 == 1, "both operands are odd");
    while a != b {
        let zeros = a.wrapping_sub(b).trailing_zeros();
        (a, b) = (a.abs_diff(b) >> zeros, a.min(b));
    }
    a
}

/// The greatest common divisor of a double word and a word that is not zero.
#[inline]
pub(super) fn gcd_wide(a: u128, b: u64) -> u64 {
    // The first operand is usually the longer one; one division shortens the search.
    let rest = match u64::try_from(a) {
        Ok(a) => a % b,
        Err(_) => u64::try_from(a % u128::from(b)).expect("a remainder is below its divisor"),
    };
    gcd(rest, b)
}
