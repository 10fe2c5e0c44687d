//! Invariants on demand: engines for Horn systems say why runs of a flow do not come to some states.

use crate::ask::ask_horn;
use crate::horn::{as_horn, with_query};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::horn::{Definition, HornClaim};
use alphorn_problem::flow::LocId;
use alphorn_problem::obligation::flow::moved;
use alphorn_problem::{Finding, Flow};
use alphorn_term::{Store, TermId};

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
    Ok(match ask_horn(&horn, ticks, ctx)? {
        Some(Finding::Holds(claim)) => Some(formulas(flow, claim)),
        Some(Finding::Fails(_)) | None => None,
    })
}

/// The definitions of the predicates, over the flow's variables.
fn formulas(flow: &Flow, claim: HornClaim) -> (Store, Vec<TermId>) {
    let HornClaim { mut terms, preds, .. } = claim;
    let formula = |definition: &Definition| {
        moved(definition.body, &definition.params, &flow.vars, &mut terms)
    };
    let all = preds.iter().map(formula).collect();
    (terms, all)
}
