//! What the interpolating engines share: steps of a circuit in partitions, and sets of states.
//!
//! `steps` unrolls a circuit in a solver that records proofs and says which clause belongs to which
//! step, `sets` holds sets of states as circuits over the latches.

pub(crate) mod sets;
pub(crate) mod steps;
