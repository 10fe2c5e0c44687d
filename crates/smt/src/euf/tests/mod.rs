//! Tests against naive fixpoints, and of proofs against the checker.

mod closure;
mod formulas;
mod interpolate;
mod naive;
mod proof;
