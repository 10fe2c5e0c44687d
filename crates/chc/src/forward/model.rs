//! The facts as a model: each predicate is true of its facts and of nothing else.
//!
//! Predicates that no query depends on are true everywhere: the clauses that conclude them hold
//! by their heads, and no other clause mentions them.

use super::facts::Facts;
use crate::vacuous::{evaluated_model, parameters};
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Definition, HornModel};
use alphorn_term::{Store, TermId, Value};

/// The model the facts make; an error in words if a value has no term.
pub(super) fn from_facts(
    horn: &Horn,
    facts: &Facts,
    relevant: &[bool],
) -> Result<HornModel, String> {
    let mut terms = horn.terms.clone();
    let mut preds = Vec::with_capacity(horn.preds.len());
    for pred in horn.pred_ids() {
        let params = parameters(&mut terms, horn, pred);
        let relation = &facts.relations[pred.index()];
        let body = if relevant[pred.index()] {
            let mut cases = Vec::with_capacity(relation.len() as usize);
            for fact in 0..relation.len() {
                let case = conjunction(&mut terms, &params, relation.args(fact));
                let text = "the facts are complete, but some have no name in the language";
                cases.push(case.ok_or(text)?);
            }
            terms.or(&cases)
        } else {
            TermId::TRUE
        };
        preds.push(Definition { params, body });
    }
    Ok(evaluated_model(horn, terms, preds))
}

/// The parameters have these values, as a conjunction.
pub(crate) fn conjunction(
    terms: &mut Store,
    params: &[TermId],
    values: &[Value],
) -> Option<TermId> {
    let mut equations = Vec::with_capacity(params.len());
    for (&param, value) in params.iter().zip(values) {
        let value = terms.value_term(value)?;
        equations.push(terms.eq(param, value));
    }
    Some(terms.and(&equations))
}
