//! Evidence about word-level transition systems.

use super::circuit::{Invariant, Lrat};
use super::proof::Proof;
use crate::circuit::Circuit;
use crate::obligation::blast::Goal;
use alphorn_term::{Bv, Store, TermId, Value};
use std::sync::Arc;

/// What a trace claims to violate.
pub use super::circuit::Property;

/// A run of a transition system that violates a property. For justice properties it is a lasso:
/// the state after the last step equals an earlier one, as far as it matters to the property
/// (`Words::loop_states`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordTrace {
    /// What is violated.
    pub property: Property,
    /// The states' values step by step, in the order of `Words::states`; `None` where a value
    /// follows from the step before (or, in the first step, from the initial value). A state
    /// without a next value needs one in every step.
    pub states: Vec<Vec<Option<Value>>>,
    /// The inputs' values step by step, in the order of `Words::inputs`.
    pub inputs: Vec<Vec<Value>>,
    /// For a home property: rows that the last state is one of, that no step leaves, and in none of which the
    /// formula is true.
    pub trap: Option<Rows>,
}

/// An invariant that is said to prove a property of a transition system.
#[derive(Clone, Debug)]
pub struct WordClaim {
    /// The property, by its position, as in a certificate.
    pub property: usize,
    /// What is said to hold in every reachable state.
    pub invariant: ClaimedInvariant,
}

/// An invariant without proofs: the forms are those of `WordInvariant`.
#[derive(Clone, Debug)]
pub enum ClaimedInvariant {
    /// The listed state variables have together one of these rows of values.
    States(Rows),
    /// A formula over the state variables, in a store that extends the system's.
    Formula {
        /// A store that extends the system's.
        terms: Box<Store>,
        /// The formula.
        formula: TermId,
    },
    /// Ways home from all reachable states, for a home property.
    Home(Homing),
    /// An invariant of the circuit that the system is, bit by bit.
    Bits {
        /// What of the system is in the circuit.
        abstraction: Abstraction,
        /// The invariant, about the circuit.
        invariant: Invariant,
        /// The circuit, for whoever proves it; the checker makes its own.
        circuit: Arc<Circuit>,
    },
}

/// Why from every reachable state one with a formula can be reached: all of them, and for each the inputs of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Homing {
    /// What the listed states are in reachable states. Nothing that matters depends on others.
    pub rows: Rows,
    /// For each row, in their order, values of the system's inputs with which the formula is true in it, or with
    /// which a row further ahead in the list follows; none if the constraints hold in it with no inputs.
    pub inputs: Vec<Option<Vec<Value>>>,
}

/// Values that some state variables have together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// The state variables spoken about, by their position in `Words::states`, ascending.
    pub vars: Vec<usize>,
    /// The rows: a value per listed variable.
    pub states: Vec<Vec<Value>>,
}

/// Why a property of a transition system holds.
#[derive(Clone, Debug)]
pub struct WordCertificate {
    /// The safety property, by its position; with an invariant of a monitor on bits, the justice
    /// property, by its position, and with ways home the home property.
    pub property: usize,
    /// What holds in every reachable state, with why.
    pub invariant: WordInvariant,
}

/// An inductive invariant of a transition system.
#[derive(Clone, Debug)]
pub enum WordInvariant {
    /// The listed state variables have together one of these rows of values, and all others may
    /// have any. Checked by evaluation.
    States(Rows),
    /// A formula over the state variables, in a store that extends the system's, and the proofs
    /// of its three obligations (initial, step, property).
    Formula {
        /// A store that extends the system's.
        terms: Box<Store>,
        /// The formula.
        formula: TermId,
        /// One proof per obligation, in order.
        proofs: Vec<Proof>,
    },
    /// Ways home from all reachable states, for a home property. Checked by evaluation.
    Home(Homing),
    /// An invariant of the circuit that the system is, bit by bit.
    Bits(Box<BitInvariant>),
}

impl WordCertificate {
    /// What the certificate says that holds.
    pub fn holds(&self) -> Property {
        match &self.invariant {
            WordInvariant::Bits(bits) if bits.is_about_justice() => {
                Property::Justice(self.property)
            }
            WordInvariant::Home(_) => Property::Home(self.property),
            _ => Property::Bad(self.property),
        }
    }
}

impl BitInvariant {
    /// Whether it is an invariant of a monitor, and so about a justice property.
    pub fn is_about_justice(&self) -> bool {
        matches!(self.invariant, Invariant::Justice { .. })
    }

    /// What the circuit is made for, if the certificate is about the property with this position.
    pub fn goal(&self, property: usize) -> Goal {
        match self.is_about_justice() {
            true => Goal::Justice(property),
            false => Goal::Safety(property),
        }
    }
}

/// An invariant of the circuit that `obligation::blast` makes of a system, for one of its
/// properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitInvariant {
    /// What of the system is in the circuit.
    pub abstraction: Abstraction,
    /// The invariant, about the circuit.
    pub invariant: Invariant,
    /// One proof per obligation of the circuit's invariant, in order.
    pub proofs: Vec<Lrat>,
}

/// What of a system a circuit follows; whatever it does not follow may be anything in every step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Abstraction {
    /// The states that are followed, by their position in `Words::states`, ascending.
    pub states: Vec<usize>,
    /// The cells that are followed in every array that has this sort of index and is too large to
    /// be written out.
    pub cells: Vec<Address>,
}

/// Where a cell is: at the same place in all steps of a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Address {
    /// At this index.
    Word(Bv),
    /// Where the state with this position points to; it is followed and its next value is itself.
    State(usize),
}
