//! Evidence about circuits: witnesses for what happens, certificates for what cannot.

use crate::circuit::{Circuit, Lit};
use crate::monitor::Monitor;

/// A value in a witness; the checker accepts an `X` only if both values are seen to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bit {
    /// False.
    Zero,
    /// True.
    One,
    /// Does not matter.
    X,
}

/// What a witness claims to violate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Property {
    /// The safety property with this position in `Circuit::safety`.
    Bad(usize),
    /// The justice property with this position.
    Justice(usize),
    /// The home property with this position, of a system over words.
    Home(usize),
}

/// A run of a circuit that violates a property: AIGER's witness.
///
/// For justice properties the run is a lasso: the state after the last step equals the state
/// before an earlier one, and everything required happens in between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// What is violated.
    pub property: Property,
    /// The first values of the latches.
    pub start: Vec<Bit>,
    /// The inputs, step by step; the violation shows in the last step.
    pub inputs: Vec<Vec<Bit>>,
}

/// An invariant that is said to prove a property of a circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CircuitClaim {
    /// The property, by its position, as in a certificate.
    pub property: usize,
    /// The invariant, in the form the engine found it.
    pub invariant: Invariant,
}

impl CircuitClaim {
    /// What an engine claims of the first property.
    pub fn of(invariant: Invariant) -> CircuitClaim {
        CircuitClaim { property: 0, invariant }
    }
}

/// Why a property of a circuit holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The safety property, by its position in `Circuit::safety`; with an invariant of a monitor, the
    /// justice property, by its position.
    pub property: usize,
    /// The invariant, in the form the engine found it.
    pub invariant: Invariant,
    /// A proof of each obligation that the invariant gives rise to, in the order of
    /// `obligation::circuit::Obligations`; none for a list of states, which is evaluated.
    pub obligations: Vec<Lrat>,
}

/// An inductive invariant of a circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Invariant {
    /// The listed latches have together one of these rows of values, and all others may have
    /// any. Checked by evaluation.
    States {
        /// The latches spoken about, by their position, ascending.
        latches: Vec<u32>,
        /// The rows: a bit per listed latch.
        states: Vec<Vec<bool>>,
    },
    /// The conjunction of clauses over the circuit's latches (AIGER literals of the circuit).
    Clauses(Vec<Vec<Lit>>),
    /// A circuit without latches whose inputs are the latches of the problem and whose only
    /// output is the invariant.
    Aig(Box<Circuit>),
    /// The property is inductive when it is assumed for `k` steps in a row. With `simple_path`
    /// the steps are also assumed to visit different states, and the lemmas are assumed of all.
    KInductive {
        /// How many good steps are assumed.
        k: usize,
        /// Whether the assumed states are pairwise different.
        simple_path: bool,
        /// Clauses over the circuit's latches that are an inductive invariant by themselves.
        lemmas: Vec<Vec<Lit>>,
    },
    /// An invariant of the circuit with a monitor of the justice property, which proves that the
    /// monitor notices nothing bad; the proofs are those of its obligations.
    Justice {
        /// The monitor.
        monitor: Monitor,
        /// Its invariant, of any other form.
        invariant: Box<Invariant>,
    },
}

impl Certificate {
    /// What the certificate says that holds.
    pub fn holds(&self) -> Property {
        match self.invariant {
            Invariant::Justice { .. } => Property::Justice(self.property),
            _ => Property::Bad(self.property),
        }
    }
}

impl Invariant {
    /// Induction over `k` steps that needs no lemmas.
    pub fn induction(k: usize, simple_path: bool) -> Invariant {
        Invariant::KInductive { k, simple_path, lemmas: Vec::new() }
    }
}

/// A clausal refutation with hints, in LRAT. In a certificate the formula it refutes is the one
/// that `obligation::circuit` makes; PROOFS.md says how clauses and variables are numbered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lrat {
    /// The steps, in order.
    pub steps: Vec<LratStep>,
}

/// One line of an LRAT proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LratStep {
    /// A clause, and the clauses that make it follow by unit propagation. Negative hints (RAT
    /// steps) are kept as the file has them.
    Add {
        /// The clause's number.
        id: u64,
        /// Its literals, in DIMACS' signs.
        clause: Vec<i32>,
        /// The hints.
        hints: Vec<i64>,
    },
    /// Clauses that are not used again.
    Delete(Vec<u64>),
}
