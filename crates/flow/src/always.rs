//! Invariants on demand: engines for Horn systems say why runs of a flow do not come to some states.

use crate::horn::{as_horn, with_query};
use alphorn_chc::engines::{DUALITY, FORWARD, PDR};
use alphorn_engine::{Card, Ctx, Stop};
use alphorn_horn::transform::simplify;
use alphorn_problem::evidence::horn::HornClaim;
use alphorn_problem::flow::LocId;
use alphorn_problem::obligation::flow::moved;
use alphorn_problem::{Finding, Flow, Horn};
use alphorn_term::{Store, TermId};

/// The engines that are asked, with the part of the ticks that each has.
static ENGINES: [(&Card<Horn>, u64); 3] = [(&FORWARD, 8), (&PDR, 2), (&DUALITY, 3)];

/// What always holds at each location, if by that no run comes to a location with what is said of it; the
/// formulas are over the flow's variables, in a store that extends the flow's. Nothing if that is not found
/// with so many ticks, or a run comes there.
pub fn always(
    flow: &Flow,
    never: &[(LocId, TermId)],
    ticks: u64,
    ctx: &mut Ctx<'_>,
) -> Result<Option<(Store, Vec<TermId>)>, Stop> {
    let mut horn = as_horn(flow);
    for &(at, formula) in never {
        if formula != TermId::FALSE {
            with_query(&mut horn, flow, at, formula);
        }
    }
    let small = simplify(&horn, &[], ctx)?;
    for (card, part) in ENGINES {
        let found =
            ctx.within(ticks / part, |ctx| ctx.apart(|ctx| (card.build)().run(&small.horn, ctx)));
        // A flag that is raised ends everything; a share that is spent ends this attempt.
        ctx.tick(1)?;
        match found {
            Ok(Finding::Fails(_)) => return Ok(None),
            Ok(finding) => {
                if let Finding::Holds(claim) = small.back.finding(finding, ctx)? {
                    return Ok(Some(formulas(flow, claim)));
                }
            }
            Err(_) => {}
        }
    }
    Ok(None)
}

/// The definitions of the predicates, over the flow's variables.
fn formulas(flow: &Flow, claim: HornClaim) -> (Store, Vec<TermId>) {
    let HornClaim { mut terms, preds, .. } = claim;
    let formula = |definition: &alphorn_problem::evidence::horn::Definition| {
        moved(definition.body, &definition.params, &flow.vars, &mut terms)
    };
    let all = preds.iter().map(formula).collect();
    (terms, all)
}
