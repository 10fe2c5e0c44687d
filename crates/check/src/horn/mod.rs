//! Checks evidence about Horn systems: models by replaying and evaluating, derivations by
//! evaluating.
//!
//! A model is checked clause by clause, each by the means its author chose: a refutation of the
//! clause's negation, or evaluation of its finitely many instances. A derivation is checked step by
//! step. Both are checked against the system as it was read; `PROOFS.md` says what is accepted.

mod cases;
mod choices;
mod derivation;
mod finite;
mod fold;
mod interpretation;
mod model;
mod progression;
mod table;
pub(crate) mod values;

pub use choices::{check_choices, check_no_choices};
pub use derivation::{check_derivation, check_derivation_within};
pub use model::{ModelReport, check_model, check_model_within};

use crate::Refusal;
use alphorn_problem::Horn;
use alphorn_term::SortId;

/// Whether the system is one, so that evidence about it means something.
fn check_system(horn: &Horn) -> Result<(), Refusal> {
    for pred in horn.pred_ids() {
        let func = horn.pred(pred).func;
        // Two predicates with one function would have two definitions.
        if horn.pred_of(func) != Some(pred) || horn.terms.func(func).result != SortId::BOOL {
            let place = format!("predicate {}", horn.pred_name(pred));
            return Err(Refusal::new(place, "it is not declared as a predicate of its own"));
        }
    }
    horn.validate().map_err(|(clause, reason)| Refusal::new(clause_name(horn, clause), reason))
}

/// A clause in a refusal's place.
fn clause_name(horn: &Horn, clause: alphorn_problem::horn::ClauseId) -> String {
    match &horn.clause(clause).name {
        Some(name) => format!("clause {} ({name})", clause.0),
        None => format!("clause {}", clause.0),
    }
}
