//! Questions to engines for Horn systems: whether clauses have a model, within a share of the ticks.
//!
//! The clauses are simplified first, and what comes of them is carried back; a model then says something of
//! each predicate, a derivation is a run.

use crate::settings::RANK_SEED_TICKS;
use alphorn_chc::engines::{BMC, HOUDINI, IC3, PDR};
use alphorn_engine::{Card, Ctx, Stop};
use alphorn_horn::simplify;
use alphorn_problem::{Finding, Horn};

/// The engines that are asked, in this order, with the part of the ticks that each gets, in hundredths.
const ASKED: [(&Card<Horn>, u64); 4] = [(&HOUDINI, 10), (&PDR, 60), (&IC3, 20), (&BMC, 10)];

/// What is found of clauses within some ticks; nothing if nobody knows.
pub(crate) fn ask_horn(
    horn: &Horn,
    ticks: u64,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Finding<Horn>>, Stop> {
    let most = RANK_SEED_TICKS.get();
    let simplified = match ctx.within(most, |ctx| ctx.apart(|ctx| simplify(horn, &[], ctx))) {
        Ok(simplified) => simplified,
        Err(stop) => {
            pass(&stop, ctx)?;
            return Ok(None);
        }
    };
    for (card, part) in ASKED {
        let mut engine = (card.build)();
        let found = ctx.within(ticks / 100 * part, |ctx| {
            ctx.apart(|ctx| {
                let found = engine.run(&simplified.horn, ctx)?;
                simplified.back.finding(found, ctx)
            })
        });
        match found {
            Ok(finding) => return Ok(Some(finding)),
            Err(stop) => pass(&stop, ctx)?,
        }
    }
    Ok(None)
}

/// Goes on after a share of the ticks was not enough, unless the whole run is to stop.
fn pass(stop: &Stop, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
    match stop {
        Stop::Budget(_) => ctx.tick(1),
        _ => Ok(()),
    }
}
