//! Whether runs come to a set of states, asked of engines for Horn systems: a derivation is a run.

use super::evidence::{Candidate, Copy};
use crate::settings::RECUR_REACH_TICKS;
use crate::{as_horn, with_query};
use alphorn_chc::engines::{BMC, FORWARD, PDR};
use alphorn_engine::{Card, Ctx, Stop};
use alphorn_problem::evidence::flow::{Initial, Path, PathStep};
use alphorn_problem::evidence::horn::Derivation;
use alphorn_problem::{Finding, Flow, Horn};
use alphorn_term::{Store, TermId};

/// Who is asked, in this order.
const ENGINES: [Card<Horn>; 3] = [BMC, FORWARD, PDR];

/// A path to one of a candidate's sets; the effort grows with `round`.
pub(super) fn reach(
    flow: &Flow,
    store: &Store,
    candidate: &Candidate,
    round: u32,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Path>, Stop> {
    let mut horn = as_horn(flow);
    let mut copy = Copy::new(store, flow.terms.len());
    for at in flow.location_ids() {
        let set = candidate.sets[at.index()];
        if set == TermId::FALSE {
            continue;
        }
        let Some(set) = copy.term(&mut horn.terms, set) else { return Ok(None) };
        with_query(&mut horn, flow, at, set);
    }
    for card in ENGINES {
        ctx.tick(1)?;
        let ticks = RECUR_REACH_TICKS.get();
        let found = ctx
            .within(ticks << round.min(20), |ctx| ctx.apart(|ctx| (card.build)().run(&horn, ctx)));
        match found {
            Ok(Finding::Fails(derivation)) => return Ok(path(flow, &derivation)),
            Ok(Finding::Holds(_)) => return Ok(None),
            Err(_) => {}
        }
    }
    Ok(None)
}

/// The run that a derivation is, by clauses at the positions of starts and transitions.
fn path(flow: &Flow, derivation: &Derivation) -> Option<Path> {
    let mut chain = Vec::new();
    let mut next = derivation.steps.last()?.premises.first().copied();
    while let Some(position) = next {
        let step = derivation.steps.get(position)?;
        next = step.premises.first().copied();
        chain.push(step);
    }
    chain.reverse();
    let (first, rest) = chain.split_first()?;
    let count = flow.vars.len();
    let start = first.clause.index();
    flow.starts.get(start)?;
    let mut path = Path {
        first: Initial {
            start,
            values: first.values.get(..count)?.to_vec(),
            inputs: first.values.get(count..)?.to_vec(),
        },
        steps: Vec::new(),
    };
    for step in rest {
        let transition = step.clause.index().checked_sub(flow.starts.len())?;
        flow.transitions.get(transition)?;
        path.steps.push(PathStep {
            transition,
            values: step.values.get(count..2 * count)?.to_vec(),
            inputs: step.values.get(2 * count..)?.to_vec(),
        });
    }
    Some(path)
}
