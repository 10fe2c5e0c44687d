//! A run that violates a safety property, and what of it may be flipped: what would have avoided it?
//!
//! A *flip* is the other value of an input or of a latch at a step. Bits that are one word count once: what is
//! looked for are the smallest sets of words, each at a step, that avoid the violation if some of their bits are
//! flipped. A set *avoids* it if the run with them satisfies all constraints and violates the property in no
//! step, up to the length of the run; an unknown value of the run is 0.
//!
//! Invariant (`Violation::validate`): the run fits the circuit and is about safety, and every input and latch has a
//! word.

use crate::circuit::{Circuit, Lit};
use crate::evidence::circuit::{Property, Trace};
use crate::evidence::flips::Flip;
use std::collections::BTreeSet;

/// A word at a step: what counts as one change.
pub type Place = (usize, usize);

/// A run that violates a property, and what of it may be flipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The circuit.
    pub circuit: Circuit,
    /// The run.
    pub trace: Trace,
    /// By input and latch, from variable 1 on: the word that it is a bit of.
    pub words: Vec<usize>,
    /// Whether inputs may be flipped.
    pub inputs: bool,
    /// Whether latches may be flipped.
    pub latches: bool,
}

/// Why a run of another kind of property is not explained.
pub const OF_JUSTICE: &str = "runs that violate justice are not explained";
/// Why a run into a trap is not.
pub const OF_HOMES: &str = "runs into a trap, from where no way leads home, are not explained";

impl Violation {
    /// A run of a circuit any of whose inputs and latches may be flipped, each for itself.
    pub fn of(circuit: Circuit, trace: Trace) -> Violation {
        let words = (0..circuit.inputs as usize + circuit.latches.len()).collect();
        Violation { circuit, trace, words, inputs: true, latches: true }
    }

    /// Checks the type's invariant; whether the run is a violation is not looked at.
    pub fn validate(&self) -> Result<(), String> {
        let Violation { circuit, trace, words, .. } = self;
        circuit.validate()?;
        match trace.property {
            Property::Bad(index) if index < circuit.safety().len() => {}
            Property::Bad(index) => return Err(format!("there is no safety property {index}")),
            Property::Justice(_) => return Err(OF_JUSTICE.into()),
            Property::Home(_) => return Err(OF_HOMES.into()),
        }
        if words.len() != circuit.inputs as usize + circuit.latches.len() {
            return Err("not every input and latch has a word".into());
        }
        let is_fit = trace.start.len() == circuit.latches.len()
            && trace.inputs.iter().all(|row| row.len() == circuit.inputs as usize);
        if is_fit { Ok(()) } else { Err("the run does not fit the circuit".into()) }
    }

    /// What is violated; the violation must be valid.
    pub fn bad(&self) -> Lit {
        match self.trace.property {
            Property::Bad(index) => self.circuit.safety()[index],
            Property::Justice(_) | Property::Home(_) => Lit::FALSE,
        }
    }

    /// Whether an input or a latch may be flipped, by its variable.
    pub fn may_flip(&self, var: u32) -> bool {
        if var <= self.circuit.inputs { self.inputs } else { self.latches }
    }

    /// What flips change; their variables must be inputs and latches.
    pub fn places(&self, flips: &[Flip]) -> BTreeSet<Place> {
        flips.iter().map(|flip| (flip.step, self.words[flip.var as usize - 1])).collect()
    }
}
