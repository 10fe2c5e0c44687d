//! What would have changed a run of a circuit: values that are flipped at some step.

use super::circuit::Lrat;
use crate::circuit::Lit;

/// A value that is the other one than it would be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Flip {
    /// The step, from 0.
    pub step: usize,
    /// The input or latch, by its variable.
    pub var: u32,
}

/// What avoids a violation, and why nothing else does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Avoidance {
    /// How many words each set changes.
    pub size: usize,
    /// Sets of flips, each ascending, each of which avoids the violation; no two change the same words.
    pub sets: Vec<Vec<Flip>>,
    /// Why no other set avoids it; none if that is not claimed.
    pub others: Option<Others>,
}

/// That every set of flips that avoids a violation and changes few words contains a known one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Others {
    /// How many words may change; any number if there is no bound.
    pub most: Option<usize>,
    /// A refutation of `obligation::flips`.
    pub proof: Lrat,
}

/// Which side of a gate sees what a fault did, while the other side sees the fault-free value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The left fan-in.
    Left,
    /// The right fan-in.
    Right,
}

/// A gate at which a fault arrives on one side earlier than on the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Glitch {
    /// The step, from 0.
    pub step: usize,
    /// The gate, by its variable.
    pub gate: u32,
    /// The side that sees the fault.
    pub side: Side,
}

/// A run in which one value was seen to be another than simulation says, and when the fault was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The first values of the latches.
    pub start: Vec<bool>,
    /// The inputs, step by step.
    pub inputs: Vec<Vec<bool>>,
    /// What was seen to be wrong.
    pub watched: Lit,
    /// In which step.
    pub at: usize,
    /// The step in which a latch was flipped.
    pub source: usize,
}
