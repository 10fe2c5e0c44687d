//! Functions on datatypes by structural recursion, and what induction says about them.
//!
//! Invariants of programs over lists and trees speak about lengths, sums, heights: functions that
//! the problem does not have. A model may define them. Each is a *fold*: a term per constructor over
//! its fields and the folds of its fields, so that its value is determined by a value that is a finite
//! tree, and there is exactly one such function. A *law* is a formula that holds of all values of a
//! datatype, with a proof per constructor from the laws of the fields.
//!
//! After Suter, Dotta and Kuncak, "Decision procedures for algebraic data types with abstractions"
//! (POPL 2010), who call folds catamorphisms.

use super::proof::Proof;
use alphorn_term::{FuncId, TermId};

/// Folds, and laws about them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folds {
    /// The functions. They may use one another.
    pub functions: Vec<Fold>,
    /// The laws. They are proved by one induction, so that each may use all of fields.
    pub laws: Vec<Law>,
}

/// A function on a datatype, given by a case per constructor in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The function: declared in the model's store and not by the system, with the datatype as its
    /// one argument.
    pub func: FuncId,
    /// Its cases.
    pub cases: Vec<FoldCase>,
}

/// The value of a fold on what a constructor makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoldCase {
    /// One variable per field, pairwise different.
    pub fields: Vec<TermId>,
    /// A term over the fields; functions in it are folds, and are applied to fields.
    pub value: TermId,
}

/// A formula that holds of all values of a datatype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Law {
    /// A variable for the value.
    pub var: TermId,
    /// The formula, with no other free variable.
    pub formula: TermId,
    /// Why it holds of what each constructor makes, in their order.
    pub cases: Vec<LawCase>,
}

/// Why a law holds of what a constructor makes, if all laws hold of the fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LawCase {
    /// One variable per field, pairwise different.
    pub fields: Vec<TermId>,
    /// A refutation of the opposite (`obligation::fold::induction`).
    pub proof: Proof,
}
