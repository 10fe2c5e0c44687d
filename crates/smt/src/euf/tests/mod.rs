//! Tests of the closure against a naive fixpoint.

mod closure;
mod formulas;
mod interpolate;
mod naive;
mod proof;
mod random;
