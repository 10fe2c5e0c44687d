//! Functions on datatypes by structural recursion, and what induction says about them.
//!
//! Invariants of programs over lists and trees speak about lengths, sums, heights: functions that
//! the problem does not have. A model may define them. Each is a *fold*: a term per constructor over
//! its fields, the function's other arguments, folds of its fields, and folds that come before, so that
//! there is exactly one such function on finite trees. A *law* is a formula that holds of all values of a
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
    /// Formulas that hold of them, by induction.
    pub laws: Vec<Law>,
}

/// A function on a datatype, given by a case per constructor in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The function: declared in the model's store and not by the system, with the datatype as its
    /// first argument.
    pub func: FuncId,
    /// How many layers of functions are below: cases apply functions of lower levels to anything, and
    /// those of the same level to fields.
    pub level: u32,
    /// Variables for the other arguments, pairwise different.
    pub params: Vec<TermId>,
    /// A case for each constructor, in the order of the datatype.
    pub cases: Vec<FoldCase>,
}

/// The value of a fold on what a constructor makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoldCase {
    /// One variable per field, pairwise different.
    pub fields: Vec<TermId>,
    /// A term over the fields and the function's parameters.
    pub value: TermId,
}

/// A formula that holds of all values of a datatype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Law {
    /// How many layers of laws are below: those of lower levels are used for all values, and those of the
    /// same level for fields.
    pub level: u32,
    /// A variable for the value.
    pub var: TermId,
    /// The formula, with no other free variable.
    pub formula: TermId,
    /// Why it holds of what each constructor makes, in their order.
    pub cases: Vec<LawCase>,
}

/// Why a law holds of what a constructor makes, if the laws of its level hold of the fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LawCase {
    /// One variable per field, pairwise different.
    pub fields: Vec<TermId>,
    /// A refutation of the opposite (`obligation::fold::induction`).
    pub proof: Proof,
}
