//! Evidence about formulas of computation tree logic: a label for each subformula.
//!
//! A label is a set of states that satisfy the subformula, and says why they do: which steps to take, and what
//! decreases until what is to come has come. It need not have all such states. The formula holds if the label
//! of the whole has all states in which runs may begin; it fails if that of its negation has one of them.

use super::flow::{Choice, Initial, Level};
use super::proof::Proof;
use alphorn_term::{Store, TermId};

/// States that satisfy a subformula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The states at each location, over the flow's variables.
    pub sets: Vec<TermId>,
    /// Steps to take, where one must be or may be chosen.
    pub choices: Vec<Choice>,
    /// States at each location from which no transition leads anywhere, where that matters.
    pub stopped: Vec<TermId>,
    /// What decreases until what is to come has come: ranks of the flow's transitions for universal
    /// formulas, and of the choices for existential ones. Under fairness each of these is three edges.
    pub levels: Vec<Level>,
}

/// What is said of a formula, and not proved.
#[derive(Clone, Debug)]
pub struct Labelling {
    /// The terms, in a store that extends the flow's.
    pub terms: Store,
    /// A label for each node (`Temporal::labelled`), of the formula or of its negation.
    pub labels: Vec<Label>,
    /// A state that satisfies the negation, if the formula is said to fail.
    pub initial: Option<Initial>,
}

/// Why a formula holds or fails.
#[derive(Clone, Debug)]
pub struct Labels {
    /// What is said; its store has the terms of the obligations and of the proofs, too.
    pub labelling: Labelling,
    /// A refutation of each obligation (`obligation::temporal`).
    pub proofs: Vec<Proof>,
}
