//! What the interpolating engines share: steps of a circuit in partitions, and sets of states.
//!
//! `steps` unrolls a circuit in a solver that records proofs and says which clause belongs to which
//! step, `proofs` makes interpolants of what it refuted, `ahead` asks for bad steps soon after a set of
//! states, `sets` holds sets of states as circuits over the latches, `first` treats the first step.

pub(crate) mod ahead;
pub(crate) mod first;
pub(crate) mod proofs;
pub(crate) mod sets;
pub(crate) mod steps;
