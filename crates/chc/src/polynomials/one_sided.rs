//! Equations of where a loop begins, kept on one side.
//!
//! A loop that takes away what another one added up begins on a parabola and leaves it on one side: `2y = x² + x` where it
//! begins, `2y ≥ x² + x` from then on. So the equations of a predicate in the system *without the clauses that go on from it to
//! itself* are read as two inequalities each, and whichever clauses keep, with the equations that hold throughout, is part of a model.

use super::grow::{Known, grow};
use super::{is_curved, look_at_facts, model_of, unknown};
use crate::forward::{VARIED, some_facts};
use crate::settings::{
    POLYNOMIALS_FACT_TICKS, POLYNOMIALS_MAX_LOOPS, POLYNOMIALS_MAX_ONE_SIDED, POLYNOMIALS_ROUNDS,
};
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::transform::System;
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_problem::{Finding, Horn};
use alphorn_term::{Op, Store};

/// A model of what is known throughout and of inequalities that equations were where loops begin, if these exclude the
/// queries.
pub(super) fn by_one_side(
    horn: &Horn,
    system: &System,
    mut store: Store,
    mut known: Vec<Known>,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Finding<Horn>>, Stop> {
    let goes_on = |pred: PredId, clause: &Clause| {
        matches!(clause.head, Head::Atom(head, _) if head == pred)
            && system.body_preds(&horn.terms, clause.body).contains(&pred)
    };
    let loops: Vec<PredId> =
        horn.pred_ids().filter(|&pred| horn.clauses.iter().any(|it| goes_on(pred, it))).collect();
    if loops.len() > POLYNOMIALS_MAX_LOOPS.size() {
        return Ok(None);
    }
    let mut is_new = false;
    for pred in loops {
        let mut begins = horn.clone();
        begins.clauses.retain(|clause| !goes_on(pred, clause));
        let begins = beginning(&begins, pred, &mut store, ctx)?;
        let Known { params, facts, .. } = &mut known[pred.index()];
        for equation in begins.phases.iter().flat_map(|phase| &phase.equations) {
            let equation = store.rename(*equation, &begins.params, params);
            let (Op::Eq, &[left, right]) = (store.op(equation), store.args(equation)) else {
                continue;
            };
            if is_curved(&store, equation) && facts.len() < POLYNOMIALS_MAX_ONE_SIDED.size() {
                is_new = true;
                facts.push(store.mk(Op::Le, &[left, right]));
                facts.push(store.mk(Op::Le, &[right, left]));
            }
        }
    }
    if !is_new {
        return Ok(None);
    }
    model_of(horn, system, store, &known, ctx)
}

/// What is known of a predicate in a system.
fn beginning(
    horn: &Horn,
    pred: PredId,
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Known, Stop> {
    let (rounds, ticks) = (POLYNOMIALS_ROUNDS.short(), POLYNOMIALS_FACT_TICKS.get());
    let facts = ctx.apart(|ctx| some_facts(horn, VARIED..VARIED + rounds, ticks, ctx))?;
    let mut known = unknown(horn, store);
    look_at_facts(store, &mut known, &facts);
    grow(&System::of(horn), store, &mut known, ctx)?;
    Ok(known.swap_remove(pred.index()))
}
