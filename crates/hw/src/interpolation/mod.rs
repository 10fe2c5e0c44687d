//! What the interpolating engines share: steps of a circuit in partitions, and sets of states.
//!
//! `steps` unrolls a circuit in a solver that records proofs and says which clause belongs to which
//! step, `proofs` makes interpolants of what it refuted, from other proofs of `again` and as `labelling` says, `ahead`
//! asks for bad steps soon after a set of states. Interpolants without proofs come from `image`, by decision diagrams,
//! and from `learn`, by cores. `sets` holds sets of states as circuits over the latches, which `diagrams` makes
//! smaller, and `first` treats the first step.

mod again;
pub(crate) mod ahead;
pub(crate) mod diagrams;
pub(crate) mod first;
pub(crate) mod image;
mod labelling;
pub(crate) mod learn;
pub(crate) mod proofs;
pub(crate) mod sets;
pub(crate) mod steps;
