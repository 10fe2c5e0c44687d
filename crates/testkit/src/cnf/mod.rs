//! Formulas of clauses for tests: random ones, whether small ones have models, refutations of them, and random
//! calls to the solver.

pub mod calls;
pub mod interpolants;
pub mod prove;
pub mod random;
