//! Evidence about circuits with parameters: valid valuations, runs at invalid ones, and why there is no
//! other point.

use super::circuit::{Certificate, Lrat, Trace};

/// A valid valuation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// A value for each parameter.
    pub valuation: Vec<bool>,
    /// Why the property holds in the circuit at the valuation.
    pub certificate: Certificate,
}

/// Why what lies below an invalid valuation is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Monotony {
    /// It is not said to be: a run speaks for the valuations that it names alone.
    Unused,
    /// The twin circuit is safe.
    Proved(Box<Certificate>),
    /// The user says so.
    Asserted,
}

/// A front, or points of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Front {
    /// Valid valuations whose costs do not undercut each other.
    pub points: Vec<Point>,
    /// Runs that violate the property. An `x` for a parameter stands for both values.
    pub failed: Vec<Trace>,
    /// What a run says about valuations below its own.
    pub monotony: Monotony,
    /// Why every other valuation is invalid or costs at least what a point costs in all respects: a
    /// refutation of `obligation::front`; none if that is not claimed.
    pub coverage: Option<Lrat>,
}
