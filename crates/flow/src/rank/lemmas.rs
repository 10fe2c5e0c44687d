//! What other engines have told: formulas that are said to hold at locations.
//!
//! A lemma is a hint. Those that are inductive together with the invariants join them: the ones that a start or
//! a step does not keep are dropped until all are kept (Houdini).

use super::steps::Steps;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_problem::Flow;
use alphorn_problem::flow::LocId;
use alphorn_problem::obligation::flow::moved;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::TermId;

/// The most lemmas that are looked at together.
const MAX_LEMMAS: usize = 64;
/// Conflicts for the question whether a step keeps one.
const MAX_CONFLICTS: u64 = 2_000;

/// Takes what others have told since; whether some of it joins the invariants.
pub(super) fn take(steps: &mut Steps<'_>, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
    let flow = steps.flow;
    let mut told: Vec<(LocId, TermId)> = Vec::new();
    for lemma in ctx.news::<Flow>().into_iter().filter(|lemma| lemma.is_held()) {
        let at = LocId(lemma.pred.0);
        let Some(formula) = lemma.read(&mut steps.store, &flow.vars) else { continue };
        let is_known = at.index() >= flow.locations.len()
            || steps.invariants[at.index()].contains(&formula)
            || told.contains(&(at, formula));
        if !is_known && told.len() < MAX_LEMMAS {
            told.push((at, formula));
        }
    }
    keep_inductive(steps, &mut told, ctx)?;
    for &(at, formula) in &told {
        steps.strengthen(at, formula);
    }
    Ok(!told.is_empty())
}

/// Drops what is not inductive together with the rest and the invariants.
fn keep_inductive(
    steps: &mut Steps<'_>,
    told: &mut Vec<(LocId, TermId)>,
    ctx: &mut Ctx<'_>,
) -> Result<(), Stop> {
    let flow = steps.flow;
    for start in &flow.starts {
        let mut failed = Vec::new();
        for (position, &(at, formula)) in told.iter().enumerate() {
            if at == start.at && !follows(steps, &[start.formula], formula, ctx)? {
                failed.push(position);
            }
        }
        remove(told, &failed);
    }
    loop {
        let mut failed = Vec::new();
        for step in &flow.transitions {
            let known = told.iter().filter(|(at, _)| *at == step.from).map(|(_, formula)| *formula);
            let mut premises: Vec<TermId> = known.collect();
            premises.extend(&steps.invariants[step.from.index()]);
            premises.push(step.formula);
            for (position, &(at, formula)) in told.iter().enumerate() {
                if at != step.to || failed.contains(&position) {
                    continue;
                }
                let after = moved(formula, &flow.vars, &flow.next, &mut steps.store);
                if !follows(steps, &premises, after, ctx)? {
                    failed.push(position);
                }
            }
        }
        if failed.is_empty() {
            return Ok(());
        }
        failed.sort_unstable();
        remove(told, &failed);
    }
}

fn remove(told: &mut Vec<(LocId, TermId)>, failed: &[usize]) {
    for &position in failed.iter().rev() {
        told.remove(position);
    }
}

fn follows(
    steps: &mut Steps<'_>,
    premises: &[TermId],
    conclusion: TermId,
    ctx: &mut Ctx<'_>,
) -> Result<bool, Stop> {
    let store = &mut steps.store;
    let mut smt = Smt::new(Options::default());
    for &premise in premises {
        smt.assert(store, premise);
    }
    let opposite = store.not(conclusion);
    let answer = ask_within(&mut smt, store, &[opposite], MAX_CONFLICTS, ctx)?;
    Ok(answer == Answer::Unsat)
}
