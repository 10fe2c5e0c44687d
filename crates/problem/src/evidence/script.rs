//! Evidence about questions of scripts: a refutation of the formulas, or a model of them.

use super::proof::Proof;
use alphorn_term::{FuncId, Model, SortId, Store};
use std::collections::BTreeMap;

/// A model, with the reason why each formula is true in it.
///
/// It is *one* interpretation: a declared sort has the elements that `universes` says, or is
/// infinite, for everything that is about it (`obligation::script`).
#[derive(Clone, Debug, Default)]
pub struct ScriptModel {
    /// The values of constants and functions, and the choices, about the question's terms.
    pub model: Model,
    /// How many elements the declared sorts have that have finitely many; they are the first ones by
    /// number. All others are infinite.
    pub universes: BTreeMap<SortId, u32>,
    /// The terms of the proofs: a store that extends the one of the interpretation, after it was
    /// asked for the obligations in their order. Of no use without proofs.
    pub terms: Store,
    /// Why each formula is true, by position.
    pub reasons: Vec<Reason>,
}

/// Why a formula is true in a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Reason {
    /// It evaluates to true.
    #[default]
    Evaluate,
    /// Its negation, with the model written out, is refuted.
    Refute(Proof),
    /// It says for all arguments what a function is, which is determined because recursion ends. The
    /// model lists the values of the function that other formulas and its own cases need.
    Define {
        /// The function.
        func: FuncId,
        /// The argument, by its position, that gets smaller in recursive calls, if there are any.
        smaller: Option<usize>,
    },
}
