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
use alphorn_term::{SortId, Store, Substitution, TermId};

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
        let watched = family.watched.and_then(|_| abstract_params.next());
        if let (Some(own), Some(watched)) = (watched, family.watched) {
            map.insert(own, watched);
        }
        for &sort in horn.pred_args(pred) {
            let param = terms.fresh_var("x", sort);
            params.push(param);
            match family.of.get(&sort) {
                None => map.extend(abstract_params.next().map(|old| (old, param))),
                Some(list) => {
                    for &func in list {
                        let value = family.applied(&mut terms, func, param);
                        map.extend(abstract_params.next().map(|old| (old, value)));
                    }
                }
            }
        }
        let mut body = terms.substitute(definition.body, &map);
        if let Some(watched) = family.watched {
            body = watched_by_all(&mut terms, family, watched, &params, body);
        }
        definitions.push(Definition { params, body });
    }
    let folds = with_laws(family.folds.clone(), &mut terms, ctx)?;
    match prove_with(horn, terms, definitions, folds, ctx)? {
        Outcome::Proved(model) => Ok(*model),
        failed => Err(failed.model(horn).err().unwrap_or(Stop::Stuck(String::new()))),
    }
}

/// That something holds of whatever number is watched. The numbers among the parameters are named, so that instances
/// are found by what is written.
fn watched_by_all(
    terms: &mut Store,
    family: &Family,
    watched: TermId,
    params: &[TermId],
    body: TermId,
) -> TermId {
    if !terms.free_vars(&[body]).contains(&watched) {
        return body;
    }
    let mut parts = vec![terms.forall(&[watched], body)];
    for &param in params {
        let sort = terms.sort(param);
        let number = match family.of.get(&sort).map(Vec::as_slice) {
            None if sort == SortId::INT => param,
            Some(&[only]) if terms.func(only).result == SortId::INT => {
                family.applied(terms, only, param)
            }
            _ => continue,
        };
        let map: Substitution = [(watched, number)].into_iter().collect();
        parts.push(terms.substitute(body, &map));
    }
    terms.and(&parts)
}
