//! Tests of projection and what is built on it, against enumeration of small boxes.
//!
//! `random` makes formulas, `enumeration` finds models by trying values: neither shares code with
//! what is tested, other than evaluation. `solving` has the SMT solver as the oracle instead.

mod eliminating;
mod enumeration;
mod projecting;
mod random;
mod separating;
mod simplifying;
mod solving;
