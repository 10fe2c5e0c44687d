//! Evidence about C programs: runs that violate a property, and models of the clauses of a program.
//!
//! A run is its choices, in the order in which the program asks for them; whoever runs the program with
//! them sees the same run. A proof is a model of the Horn clauses that the program stands for, and says
//! how those clauses speak about integers, since there are two ways that both are exact, and about threads, which are
//! looked at together or one by one.

use super::lower::{Lowered, Untreated, lower, lower_apart};
use super::property::{Choice, Task, Violation};
pub use crate::clauses::modular::Sight;
use crate::clauses::modular::modular;
use crate::clauses::{Clauses, clauses};
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

/// Which clauses a program stands for, where there are several ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Encoding {
    /// How they speak about integers.
    pub numbers: Numbers,
    /// What threads see of each other, if clauses are about them one by one; none if they are about their product, and
    /// where there is one thread.
    pub sight: Option<Sight>,
}

impl From<Numbers> for Encoding {
    fn from(numbers: Numbers) -> Encoding {
        Encoding { numbers, sight: None }
    }
}

/// The clauses that a program stands for, with the form that they are made from; or what is not treated so. A program
/// without threads has none about threads one by one.
pub fn clauses_of(task: &Task, encoding: Encoding) -> Result<(Lowered, Clauses), Vec<Untreated>> {
    let Some(sight) = encoding.sight else {
        let lowered = lower(task, encoding.numbers)?;
        let made = clauses(&lowered.program);
        return Ok((lowered, made));
    };
    let mut lowered = lower_apart(task, encoding.numbers)?;
    let is_words = encoding.numbers == Numbers::Words;
    let made = modular(std::mem::take(&mut lowered.program), sight, is_words)?;
    lowered.program = made.program.clone();
    Ok((lowered, made))
}

/// An interpretation of the predicates of a program's clauses that is said to be a model.
#[derive(Clone, Debug)]
pub struct ProgramClaim {
    /// Which clauses.
    pub encoding: Encoding,
    /// The interpretation.
    pub model: HornClaim,
}

/// A model of a program's clauses.
#[derive(Clone, Debug)]
pub struct ProgramProof {
    /// Which clauses.
    pub encoding: Encoding,
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
