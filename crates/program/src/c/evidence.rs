//! Evidence about C programs: runs that violate a property, and models of the clauses of a program.
//!
//! A run is its choices, in the order in which the program asks for them; whoever runs the program with
//! them sees the same run. A proof is a model of the Horn clauses that the program stands for, and says
//! how those clauses speak about integers, since there are two ways that both are exact.

use super::property::{Choice, Task, Violation};
use alphorn_problem::Problem;
use alphorn_problem::evidence::horn::{HornClaim, HornModel};

/// How the clauses of a program speak about its integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Numbers {
    /// As unbounded integers that are wrapped around explicitly.
    Integers,
    /// As words of the width of their types.
    Words,
}

/// An interpretation of the predicates of a program's clauses that is said to be a model.
#[derive(Clone, Debug)]
pub struct ProgramClaim {
    /// Which clauses.
    pub numbers: Numbers,
    /// The interpretation.
    pub model: HornClaim,
}

/// A model of a program's clauses.
#[derive(Clone, Debug)]
pub struct ProgramProof {
    /// Which clauses.
    pub numbers: Numbers,
    /// A model of them, with why each clause holds.
    pub model: HornModel,
}

/// A run that ends with a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// What is chosen, in the order in which it is asked for.
    pub choices: Vec<Choice>,
    /// How many steps the run takes at most.
    pub steps: u64,
    /// The violation it ends with.
    pub violation: Violation,
}

impl Problem for Task {
    type Claim = ProgramClaim;
    type Lemma = ();
    type Proof = ProgramProof;
    type Trace = Run;
}
