//! Hints: what somebody thinks of the predicates of a Horn system.
//!
//! A hint is tried, and never believed: what follows from it is proved like all else.

use crate::Span;
use crate::horn::PredId;
use alphorn_term::{Store, TermId};

/// What a hint is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HintKind {
    /// A formula that may hold of all facts, or of some that belong together.
    Formula,
    /// A term in which formulas may be said.
    Term {
        /// How dear it is; cheaper ones come first.
        cost: u32,
    },
    /// A term of which formulas may say bounds, and not what it is.
    Bound {
        /// How dear it is; cheaper ones come first.
        cost: u32,
    },
    /// A formula whose truth is such a term.
    Truth {
        /// How dear it is; cheaper ones come first.
        cost: u32,
    },
}

/// A term about the arguments of a predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The predicate.
    pub pred: PredId,
    /// Variables for its arguments.
    pub params: Vec<TermId>,
    /// The term.
    pub term: TermId,
    /// What it is for.
    pub kind: HintKind,
    /// Where it stands in its text.
    pub span: Span,
}

/// Hints about a system.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// Their terms, in a store that extends the system's.
    pub terms: Store,
    /// The hints, in the order of the file.
    pub all: Vec<Hint>,
}
