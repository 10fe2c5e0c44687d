//! What is known of the abstract system, as evidence about the system.
//!
//! A model becomes one with folds of the parameters in the place of the abstract parameters; the laws
//! that were used are proved by induction, and every clause is proved.

use super::family::Family;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::evidence::{Outcome, prove_with};
use alphorn_horn::folds::with_laws;
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Definition, HornClaim, HornModel};
use alphorn_term::{Op, Substitution};

/// A model of the abstract system as one of the system.
pub(super) fn model(
    horn: &Horn,
    family: &Family,
    claim: HornClaim,
    ctx: &mut Ctx<'_>,
) -> Result<HornModel, Stop> {
    let HornClaim { mut terms, preds, .. } = claim;
    let mut definitions = Vec::with_capacity(preds.len());
    for (pred, definition) in horn.pred_ids().zip(&preds) {
        let (mut params, mut map) = (Vec::new(), Substitution::default());
        let mut abstract_params = definition.params.iter().copied();
        for &sort in horn.pred_args(pred) {
            let param = terms.fresh_var("x", sort);
            params.push(param);
            match family.of.get(&sort) {
                None => map.extend(abstract_params.next().map(|old| (old, param))),
                Some(list) => {
                    for &func in list {
                        let value = terms.mk(Op::Apply(func), &[param]);
                        map.extend(abstract_params.next().map(|old| (old, value)));
                    }
                }
            }
        }
        let body = terms.substitute(definition.body, &map);
        definitions.push(Definition { params, body });
    }
    let folds = with_laws(family.folds.clone(), &mut terms, ctx)?;
    match prove_with(horn, terms, definitions, folds, ctx)? {
        Outcome::Proved(model) => Ok(*model),
        failed => Err(failed.model(horn).err().unwrap_or(Stop::Stuck(String::new()))),
    }
}
