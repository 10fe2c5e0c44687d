//! Tests of the closure against a naive fixpoint.

mod closure;
mod formulas;
mod naive;
mod proof;
mod random;
