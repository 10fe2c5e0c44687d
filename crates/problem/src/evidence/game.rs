//! Evidence about safety games: a strategy of whoever wins, and why it does.
//!
//! A strategy is a circuit without latches. Put in the place of the inputs that it sets it leaves an ordinary
//! circuit (`obligation::game`), whose certificate shows that the other side cannot win.

use super::circuit::{Certificate, Invariant};
use crate::circuit::Circuit;

/// A strategy of the controller that is said to win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControllerClaim {
    /// As in `Controller`.
    pub circuit: Circuit,
    /// Of the controlled circuit.
    pub invariant: Invariant,
}

/// Why the controller wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Controller {
    /// A circuit without latches: its inputs are the game's latches and then the environment's inputs, its
    /// outputs the controllable inputs, each in the order of the game.
    pub circuit: Circuit,
    /// Of the controlled circuit (`obligation::game::controlled`).
    pub certificate: Certificate,
}

/// Why the environment wins: whatever the controller does, an error shows within so many steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoiler {
    /// For each latch the value it starts with, where the circuit leaves that open.
    pub start: Vec<bool>,
    /// A circuit without latches: its inputs are the game's latches and then the bits of
    /// the number of steps before this one, the lowest first; its outputs the environment's inputs.
    pub circuit: Circuit,
    /// The number of steps, the first one and the one that shows the error counted.
    pub steps: u32,
    /// Of the opposed circuit (`obligation::game::opposed`): that so many steps cannot pass without an error.
    pub certificate: Certificate,
}
