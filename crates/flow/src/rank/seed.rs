//! Invariants to begin with: bounds, octagons and congruences of the flow as Horn clauses.
//!
//! The transforms that add such facts to clauses say in their way back what they have added: a model that
//! says nothing comes back as the facts. They are inductive, which the obligations of a ranking show again.

use super::steps::Steps;
use crate::horn::as_horn;
use crate::settings::RANK_SEED_TICKS;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::transform::{TRANSFORMS, TransformCard, conjuncts, simplify_with};
use alphorn_problem::evidence::horn::{Definition, HornClaim};
use alphorn_problem::flow::LocId;
use alphorn_problem::horn::Horn;
use alphorn_term::{Store, TermId};

/// The transforms whose facts are taken, each after equations were solved.
const NAMES: [&str; 2] = ["octagons", "congruences"];

/// Adds what abstract interpretation knows to the invariants.
pub(super) fn add(steps: &mut Steps<'_>, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
    let horn = as_horn(steps.flow);
    let (vars, count) = (steps.flow.vars.clone(), steps.flow.locations.len());
    for name in NAMES {
        let is_one = |card: &&TransformCard| [name, "equations"].contains(&card.name);
        let cards: Vec<&TransformCard> = TRANSFORMS.iter().filter(is_one).collect();
        let most = RANK_SEED_TICKS.get();
        let claim = match ctx.within(most, |ctx| ctx.apart(|ctx| facts(&horn, &cards, ctx))) {
            Ok(claim) => claim,
            Err(Stop::Budget(_)) => {
                ctx.tick(0)?;
                continue;
            }
            Err(_) => continue,
        };
        let mut store = claim.terms;
        for (at, definition) in claim.preds.into_iter().enumerate().take(count) {
            let map = definition.params.iter().copied().zip(vars.iter().copied()).collect();
            let fact = store.substitute(definition.body, &map);
            for part in conjuncts(&store, fact) {
                if let Some(part) = moved(&store, part, &mut steps.store, &vars) {
                    steps.strengthen(LocId(at as u32), part);
                }
            }
        }
    }
    Ok(())
}

/// What transforms add to the clauses.
fn facts(horn: &Horn, cards: &[&TransformCard], ctx: &mut Ctx<'_>) -> Result<HornClaim, Stop> {
    let simplified = simplify_with(horn, cards, ctx)?;
    let mut store = simplified.horn.terms.clone();
    let mut preds = Vec::new();
    for pred in simplified.horn.pred_ids() {
        let sorts = simplified.horn.pred_args(pred).to_vec();
        let params = sorts.iter().map(|&sort| store.fresh_var("a", sort)).collect();
        preds.push(Definition { params, body: TermId::TRUE });
    }
    simplified.back.claim(HornClaim::of(store, preds), ctx)
}

/// A formula over the flow's variables in another store that extends the flow's; none if it cannot travel.
pub(super) fn moved(
    from: &Store,
    formula: TermId,
    to: &mut Store,
    vars: &[TermId],
) -> Option<TermId> {
    let lemma = alphorn_problem::lemma::FlowLemma::new(
        from,
        alphorn_problem::horn::PredId(0),
        vars,
        formula,
    )?;
    lemma.read(to, vars)
}
