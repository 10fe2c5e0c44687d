//! Evidence about Horn systems: models, derivations and refutations; and models that are only claimed.

use super::fold::Folds;
pub use super::progression::{Member, Progression};
use super::proof::Proof;
use crate::horn::{ClauseId, Head, Horn};
use alphorn_term::eval::{Choices, Table};
use alphorn_term::{FuncId, Model, SortId, Store, TermId, Value, eval};
use std::collections::BTreeMap;

/// The interpretation of a predicate: a formula over parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// One variable per argument, pairwise different.
    pub params: Vec<TermId>,
    /// The formula: without predicates, and with no other free variables.
    pub body: TermId,
}

/// An interpretation of all predicates that is said to be a model.
#[derive(Clone, Debug)]
pub struct HornClaim {
    /// The terms of the definitions, in a store that extends the system's.
    pub terms: Store,
    /// A definition for every predicate of the system, by position.
    pub preds: Vec<Definition>,
    /// Functions on datatypes that the definitions use.
    pub folds: Folds,
    /// Values of background functions the clauses mention.
    pub funcs: BTreeMap<FuncId, Table>,
    /// The choices made for division by zero and the like.
    pub choices: Choices,
    /// Why the clauses hold, by their positions, where whoever claims it knows; else none at all.
    pub hints: Vec<ClauseProof>,
}

impl HornClaim {
    /// The claim that these definitions are a model, which nobody has proved.
    pub fn of(terms: Store, preds: Vec<Definition>) -> HornClaim {
        HornClaim {
            terms,
            preds,
            folds: Folds::default(),
            funcs: BTreeMap::new(),
            choices: Choices::default(),
            hints: Vec::new(),
        }
    }

    /// The model that the claim is with these proofs.
    pub fn proved(self, proofs: Vec<ClauseProof>) -> HornModel {
        let HornClaim { terms, preds, folds, funcs, choices, .. } = self;
        HornModel { terms, preds, folds, funcs, choices, proofs }
    }
}

/// A model: an interpretation of all predicates under which every clause holds.
#[derive(Clone, Debug)]
pub struct HornModel {
    /// The terms of the definitions, of the obligations that are refuted
    /// (`obligation::horn::assertions`) and of the proofs, in a store that extends the system's.
    pub terms: Store,
    /// A definition for every predicate of the system, by position.
    pub preds: Vec<Definition>,
    /// Functions on datatypes that the definitions use.
    pub folds: Folds,
    /// Values of background functions the clauses mention.
    pub funcs: BTreeMap<FuncId, Table>,
    /// The choices made for division by zero and the like.
    pub choices: Choices,
    /// Why each clause holds under the definitions, by the clause's position.
    pub proofs: Vec<ClauseProof>,
}

impl HornModel {
    /// What the model claims, with its proofs as hints.
    pub fn into_claim(self) -> HornClaim {
        let HornModel { terms, preds, folds, funcs, choices, proofs } = self;
        HornClaim { terms, preds, folds, funcs, choices, hints: proofs }
    }
}

/// Why a clause holds under a model.
#[derive(Clone, Debug, Default)]
pub enum ClauseProof {
    /// By evaluation: the facts of the body's predicates are finitely many and determine (or
    /// leave a small finite choice for) everything else in the clause.
    #[default]
    Evaluate,
    /// By a refutation of the clause's negation.
    Refute(Proof),
    /// By refutations of the negation in each of several cases, the last of which is all that is left.
    Cases(Vec<Case>),
}

/// A case of the negation of a clause, in which equations are put to use before anything is refuted.
#[derive(Clone, Debug)]
pub struct Case {
    /// What holds in this case; the conditions of the cases before it do not.
    pub condition: TermId,
    /// Rounds of equations that hold in the case: variables, and what is put for them.
    pub rounds: Vec<Vec<(TermId, TermId)>>,
    /// A refutation of what is left (`obligation::horn::of_case`).
    pub proof: Proof,
}

/// A ground fact: a predicate on values.
pub type Fact = (FuncId, Vec<Value>);

/// A step of a derivation: an instance of a clause whose body holds by facts derived before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which clause of the system fires.
    pub clause: ClauseId,
    /// A value for each of the clause's variables, in their order.
    pub values: Vec<Value>,
    /// Earlier steps whose conclusions the body uses.
    pub premises: Vec<usize>,
    /// If the step stands for many: what they are. The step is the last of them, and its premises are
    /// what any of them uses that none of them concludes.
    pub progression: Option<Box<Progression>>,
}

impl Step {
    /// An instance of a clause by itself.
    pub fn new(clause: ClauseId, values: Vec<Value>, premises: Vec<usize>) -> Step {
        Step { clause, values, premises, progression: None }
    }

    /// The last step of a progression, which stands for all of them; none if nothing is repeated.
    pub fn progress(progression: Progression, premises: Vec<usize>) -> Option<Step> {
        let (clause, values) = progression.last()?;
        Some(Step { clause, values, premises, progression: Some(Box::new(progression)) })
    }

    /// The fact that the step concludes; none for a query, or if it cannot be evaluated.
    pub fn conclusion(&self, horn: &Horn) -> Option<Fact> {
        let clause = horn.clauses.get(self.clause.index())?;
        let Head::Atom(pred, args) = &clause.head else { return None };
        let mut model = Model::new();
        for (&var, value) in clause.vars.iter().zip(&self.values) {
            model.set(var, value.clone());
        }
        let values = args.iter().map(|&arg| eval(&horn.terms, arg, &model).ok());
        Some((horn.pred(*pred).func, values.collect::<Option<Vec<Value>>>()?))
    }
}

/// A derivation of false: a directed acyclic graph of ground instances, the last of which is a
/// query's. Where what can be derived depends on declared functions, a refutation in its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Derivation {
    /// The steps; premises point to smaller positions. None if there is a refutation.
    pub steps: Vec<Step>,
    /// Why the clauses contradict each other, whatever the functions are.
    pub refuted: Option<Box<Refuted>>,
}

impl Derivation {
    /// A derivation by these steps.
    pub fn of(steps: Vec<Step>) -> Derivation {
        Derivation { steps, refuted: None }
    }

    /// The evidence that a refutation is.
    pub fn refutation(terms: Store, proof: Proof) -> Derivation {
        Derivation::refutation_under(Interpretation::default(), terms, proof)
    }

    /// The evidence that a refutation under an interpretation is.
    pub fn refutation_under(chosen: Interpretation, terms: Store, proof: Proof) -> Derivation {
        Derivation { steps: Vec::new(), refuted: Some(Box::new(Refuted { chosen, terms, proof })) }
    }
}

/// A refutation of the clauses as formulas (`obligation::interpretation`): under no interpretation of
/// predicates and functions do they all hold.
#[derive(Clone, Debug)]
pub struct Refuted {
    /// What is chosen of what the clauses leave open, or speak of for all values.
    pub chosen: Interpretation,
    /// The terms of the formulas and of the proof, in a store that extends the system's.
    pub terms: Store,
    /// A refutation whose assertions are those formulas.
    pub proof: Proof,
}

/// What a refutation chooses: the elements of declared sorts, and arrays to have clauses at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interpretation {
    /// Declared sorts, and the sorts of the system whose values are their elements.
    pub sorts: Vec<(SortId, SortId)>,
    /// Arrays that no term need be, by what they are at all indices: variables that no clause has. A definition
    /// is over indices, as many as it has parameters, and may use arrays before it.
    pub arrays: Vec<(TermId, Definition)>,
}

/// What one choice of a derivation is instead (`obligation::derivation`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The step.
    pub step: usize,
    /// The variable, by its position among those of the step's clause.
    pub var: usize,
    /// The value, or any but the one it had.
    pub value: Option<Value>,
}

/// Changes that avoid a derivation together.
#[derive(Clone, Debug)]
pub struct Avoided {
    /// The changes, ascending by step and variable.
    pub changes: Vec<Change>,
    /// A refutation of `obligation::derivation` with them.
    pub proof: Proof,
}

/// Sets of changes, each of which avoids a derivation.
#[derive(Clone, Debug)]
pub struct ChangedChoices {
    /// The terms of the formulas and of the proofs, in a store that extends the system's.
    pub terms: Store,
    /// The sets.
    pub sets: Vec<Avoided>,
}

/// By the proofs: their terms are the same if their ids are, in stores of one problem.
impl PartialEq for Refuted {
    fn eq(&self, other: &Refuted) -> bool {
        self.proof == other.proof && self.chosen == other.chosen
    }
}

impl Eq for Refuted {}
