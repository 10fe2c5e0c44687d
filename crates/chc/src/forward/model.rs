//! The facts as a model: each predicate is true of its facts and of nothing else.
//!
//! Predicates that no query depends on are true everywhere: the clauses that conclude them hold
//! by their heads, and no other clause mentions them. The facts are complete when this is called,
//! so the model is one; whether the checker can see it by evaluation is asked of `evaluable`
//! first, because a claim that would be refused is no claim.

use super::evaluable::Evaluable;
use super::facts::Facts;
use alphorn_horn::graph::can_hold;
use alphorn_horn::model::{conjunction, model_of};
use alphorn_horn::readable::Names;
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Definition, HornModel};
use alphorn_problem::horn::Head;
use alphorn_term::TermId;

/// The model the facts make; an error in words if the checker could not evaluate it.
pub(super) fn from_facts(
    horn: &Horn,
    facts: &Facts,
    relevant: &[bool],
) -> Result<HornModel, String> {
    let inhabited: Vec<bool> = horn
        .pred_ids()
        .map(|pred| !relevant[pred.index()] || facts.relations[pred.index()].len() > 0)
        .collect();
    let plain: Vec<bool> = horn
        .clauses
        .iter()
        .map(|clause| {
            let concludes_nothing =
                matches!(clause.head, Head::Atom(pred, _) if !relevant[pred.index()]);
            concludes_nothing || !can_hold(horn, clause.body, &inhabited)
        })
        .collect();
    let mut evaluable = Evaluable::new(horn, facts);
    for (clause, _) in horn.clauses.iter().zip(&plain).filter(|(_, plain)| !**plain) {
        evaluable.check(clause)?;
    }
    let (names, mut terms) = (Names::of(horn), horn.terms.clone());
    let mut preds = Vec::with_capacity(horn.preds.len());
    for pred in horn.pred_ids() {
        let params = names.parameters(&mut terms, pred);
        let relation = &facts.relations[pred.index()];
        let body = if relevant[pred.index()] {
            let mut cases = Vec::with_capacity(relation.len() as usize);
            for fact in 0..relation.len() {
                let case = conjunction(&mut terms, &params, relation.args(fact));
                cases.push(case.ok_or("the facts are complete, but a value has no term")?);
            }
            terms.or(&cases)
        } else {
            TermId::TRUE
        };
        preds.push(Definition { params, body });
    }
    model_of(horn, terms, preds, &plain)
}
