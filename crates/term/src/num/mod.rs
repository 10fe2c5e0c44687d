//! Exact numbers: [`Int`] and [`Rat`].
//!
//! Almost every number a solver meets is tiny, and almost every long run meets one
//! that is not. Both types therefore have two shapes of the same sixteen bytes: the
//! value itself while it fits in 64 bits, a box around arbitrary precision when it
//! does not. The inline shape never allocates; its operations go through checked or
//! 128-bit arithmetic and fall through to a cold path on overflow.
//!
//! Invariant: a value has exactly one shape. What fits inline is inline, a fraction is
//! in lowest terms, its denominator is positive. Equality and hashing are therefore
//! the derived ones, and every operation ends by restoring the shape.
//!
//! The layout is that of most solvers (`FastRational` in OpenSMT, `mpq` in Z3); the
//! arithmetic on fractions follows Knuth, TAOCP 2, 4.5.1. The long integers are
//! `dashu_int`. We keep our own pair of them instead of its rational type, because
//! our fast paths already know when a fraction is in lowest terms
//! (bench/notes/numbers.md).

#[macro_use]
mod ops;

mod gcd;
mod int;
mod rat;

#[cfg(test)]
mod tests;

pub use int::Int;
pub use rat::Rat;
