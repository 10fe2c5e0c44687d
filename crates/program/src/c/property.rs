//! What can be asked about a C program, what a violation is, and what a run chooses.
//!
//! A run is determined by its choices: whatever the program does not determine itself is chosen, in the
//! order in which the run asks for it. A list of choices is evidence that a property is violated, and
//! running the program with it is the check.
//!
//! Source: the properties of SV-COMP.

use super::tree::{FuncId, Unit, VarId};
use alphorn_problem::Span;
use std::sync::Arc;

/// A property of all runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Property {
    /// `reach_error` or `__VERIFIER_error` is never called.
    UnreachCall,
    /// No assertion fails.
    Assert,
    /// No signed arithmetic leaves the range of its type.
    NoOverflow,
    /// Nothing is read or written where no object of that kind lives.
    ValidDeref,
    /// Only what was allocated is freed, and once.
    ValidFree,
    /// Whatever is allocated can be reached as long as it is not freed.
    ValidMemtrack,
    /// Everything allocated is freed when the program ends.
    MemCleanup,
    /// Nothing is divided by zero.
    NoDivisionByZero,
    /// Every index lies within its array.
    ArrayBounds,
    /// No two threads are about to use one place in memory, one of them to write it, unless both do so atomically.
    NoDataRace,
}

impl Property {
    /// All properties.
    pub const ALL: [Property; 10] = [
        Property::UnreachCall,
        Property::Assert,
        Property::NoOverflow,
        Property::ValidDeref,
        Property::ValidFree,
        Property::ValidMemtrack,
        Property::MemCleanup,
        Property::NoDivisionByZero,
        Property::ArrayBounds,
        Property::NoDataRace,
    ];

    /// Its name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::Assert => "assert",
            Property::NoOverflow => "no-overflow",
            Property::ValidDeref => "valid-deref",
            Property::ValidFree => "valid-free",
            Property::ValidMemtrack => "valid-memtrack",
            Property::MemCleanup => "valid-memcleanup",
            Property::NoDivisionByZero => "no-division-by-zero",
            Property::ArrayBounds => "array-bounds",
            Property::NoDataRace => "no-data-race",
        }
    }
}

/// What allocation may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Malloc {
    /// It succeeds.
    #[default]
    Succeeds,
    /// It may return a null pointer.
    MayFail,
}

/// A program and what is asked about it: all of the properties must hold.
#[derive(Clone, Debug)]
pub struct Task {
    /// The program.
    pub unit: Arc<Unit>,
    /// The function where runs begin.
    pub entry: FuncId,
    /// The properties, in order and none twice.
    pub properties: Vec<Property>,
    /// What allocation may do.
    pub malloc: Malloc,
}

/// What a run chooses when it is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The value of a call that may return anything (`__VERIFIER_nondet_…`, an unknown function), or the
    /// first value of a scalar that is not initialised.
    Value(i128),
    /// What an object that is not initialised has in it: scalars by their offset in bytes, and what all
    /// others are.
    Contents {
        /// The scalars that are given.
        cells: Vec<(u64, i128)>,
        /// What every other scalar is.
        default: i128,
    },
    /// Whether an allocation succeeds, where it may fail.
    Allocated(bool),
    /// Which thread runs next, by the order of creation, and how many of its visible steps it may take before
    /// somebody is asked again.
    Turn {
        /// The thread; the first is that of the entry.
        thread: u32,
        /// How many visible steps.
        points: u64,
    },
}

/// What a choice was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The result of a call of this function.
    Call(FuncId),
    /// The first value of a variable without initialiser, at its declaration.
    Variable(VarId),
    /// What an allocated object has in it.
    Allocation,
    /// Which thread runs next.
    Schedule,
}

/// The first violation of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What is violated.
    pub property: Property,
    /// Where: the call, the assertion, the operation.
    pub span: Span,
}
