//! Evidence about flows: ranks by which every run ends, and sets that a run need never leave.
//!
//! What is said here is turned into formulas by `obligation::flow`, in an order that is part of the form: the
//! proofs are by position.

use super::proof::Proof;
use crate::flow::LocId;
use alphorn_term::{Store, TermId, Value};

/// Why every run ends, said and not proved.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// The terms, in a store that extends the flow's.
    pub terms: Store,
    /// What holds whenever a run is at a location, by position, over the flow's variables.
    pub invariants: Vec<TermId>,
    /// What cannot go on for ever.
    pub measure: Measure,
}

/// What cannot go on for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Levels, one after the other: each removes transitions that cannot be taken for ever, and those that
    /// the last one leaves make no cycle.
    Levels(Vec<Level>),
    /// A finite union of well-founded relations that contains each way from a cut point back to it.
    Disjunctive(Disjunctive),
}

/// A level: numbers that no transition increases, and that the removed ones decrease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// The components f¹ … f^d of a nested rank, each with a number per location over the flow's variables.
    /// All have one sort, integers or reals.
    pub functions: Vec<Vec<TermId>>,
    /// The transitions that are removed, by their positions in what is ranked, in increasing order.
    pub removed: Vec<usize>,
    /// By how much they decrease: a positive constant of that sort.
    pub least: TermId,
}

/// A finite union of well-founded relations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disjunctive {
    /// Locations without which there is no cycle, in increasing order.
    pub cuts: Vec<LocId>,
    /// A copy of each variable of the flow, for the state that is remembered.
    pub saved: Vec<TermId>,
    /// For each cut point, by location: what holds between a state there and any later one, over the copies
    /// and the variables.
    pub relations: Vec<Vec<TermId>>,
    /// Numbers over the flow's variables: from a cut point to itself one of them was not negative and has
    /// decreased.
    pub functions: Vec<TermId>,
    /// By how much, one positive constant for each.
    pub least: Vec<TermId>,
}

/// Why every run ends.
#[derive(Clone, Debug)]
pub struct Termination {
    /// What is said; its store has the terms of the obligations and of the proofs, too.
    pub ranking: Ranking,
    /// A refutation of each obligation (`obligation::flow::of_ranking`).
    pub proofs: Vec<Proof>,
}

/// A step that may be taken: where `when` holds, by a transition, to a state that terms give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Over the flow's variables.
    pub when: TermId,
    /// The transition, by its position in the flow.
    pub transition: usize,
    /// The value of each variable afterwards, over the variables before.
    pub next: Vec<TermId>,
    /// The value of each input of the transition, over the variables before.
    pub inputs: Vec<TermId>,
}

/// A state in which a run may begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Initial {
    /// The start, by its position in the flow.
    pub start: usize,
    /// The values of its inputs.
    pub inputs: Vec<Value>,
    /// The values of the variables.
    pub values: Vec<Value>,
}

/// The beginning of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// Where it begins.
    pub first: Initial,
    /// What follows.
    pub steps: Vec<PathStep>,
}

impl Path {
    /// The values of the variables at the end.
    pub fn last(&self) -> &[Value] {
        self.steps.last().map_or(&self.first.values, |step| &step.values)
    }
}

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// The transition, by its position in the flow.
    pub transition: usize,
    /// The values of its inputs.
    pub inputs: Vec<Value>,
    /// The values of the variables afterwards.
    pub values: Vec<Value>,
}

/// How a run goes on for ever: a path to a state of some sets, and choices that never leave them.
#[derive(Clone, Debug)]
pub struct Recurrence {
    /// The terms, in a store that extends the flow's: those of the sets, of the choices, of the obligations
    /// and of the proofs.
    pub terms: Store,
    /// The way into the sets.
    pub path: Path,
    /// The states at each location, over the flow's variables; false where there are none.
    pub sets: Vec<TermId>,
    /// How to go on from the sets.
    pub choices: Vec<Choice>,
    /// A refutation of each obligation (`obligation::flow::of_recurrence`).
    pub proofs: Vec<Proof>,
}
