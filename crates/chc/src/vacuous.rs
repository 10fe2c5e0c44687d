//! Systems that are safe by their shape: no query's predicates can all have facts.
//!
//! A predicate without a clause that starts a chain of conclusions has no facts, whatever the
//! constraints say. If every query needs such a predicate, then "false for these, true for the
//! others" is a model: a clause that concludes a derivable predicate has a true head, and every
//! other clause has a body that needs an underivable one.

use crate::graph::{can_hold, derivable};
use alphorn_engine::{Card, Ctx, Engine, Stop};
use alphorn_problem::evidence::horn::{ClauseProof, Definition, HornModel};
use alphorn_problem::horn::Head;
use alphorn_problem::{Horn, Verdict};
use alphorn_term::Store;
use alphorn_term::TermId;
use alphorn_term::eval::Choices;
use std::collections::BTreeMap;

/// Registry entry.
pub(crate) const CARD: Card<Horn> = Card {
    name: "vacuous",
    about: "systems that are safe because no query's predicates can all have facts",
    proves: true,
    refutes: false,
    build: || Box::new(Vacuous),
};

struct Vacuous;

impl Engine<Horn> for Vacuous {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Verdict<Horn>, Stop> {
        ctx.tick(horn.clauses.len() as u64)?;
        let derivable = derivable(horn);
        let fires = |body| can_hold(horn, body, &derivable);
        if horn.clauses.iter().any(|clause| clause.head == Head::False && fires(clause.body)) {
            let text = "the predicates of some query can be derived, if constraints allow it";
            return Err(Stop::Stuck(text.to_owned()));
        }
        let mut terms = horn.terms.clone();
        let preds = horn.pred_ids().map(|pred| Definition {
            params: parameters(&mut terms, horn, pred),
            body: terms.bool(derivable[pred.index()]),
        });
        let preds = preds.collect();
        Ok(Verdict::Safe(evaluated_model(horn, terms, preds)))
    }
}

/// Fresh variables for the arguments of a predicate.
pub(crate) fn parameters(
    terms: &mut Store,
    horn: &Horn,
    pred: alphorn_problem::horn::PredId,
) -> Vec<TermId> {
    horn.pred_args(pred).iter().map(|&sort| terms.fresh_var("x", sort)).collect()
}

/// The model with these definitions, every clause of which holds by evaluation.
pub(crate) fn evaluated_model(horn: &Horn, terms: Store, preds: Vec<Definition>) -> HornModel {
    HornModel {
        terms,
        preds,
        funcs: BTreeMap::new(),
        choices: Choices::default(),
        proofs: vec![ClauseProof::Evaluate; horn.clauses.len()],
    }
}
