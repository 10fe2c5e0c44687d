//! Tests of the closure against a naive fixpoint.

mod closure;
mod naive;
mod random;
