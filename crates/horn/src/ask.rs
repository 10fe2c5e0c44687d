//! Questions to the solver, paid for with an engine's ticks (`Smt::check_paying`).

use alphorn_engine::{Ctx, Stop};
use alphorn_smt::{Answer, Smt};
use alphorn_term::{Store, TermId};

/// Whether the solver's assertions and the assumptions have a model; unknown only for reasons
/// that more time would not mend.
pub fn ask(
    smt: &mut Smt,
    store: &mut Store,
    assumptions: &[TermId],
    ctx: &mut Ctx<'_>,
) -> Result<Answer, Stop> {
    ask_within(smt, store, assumptions, u64::MAX, ctx)
}

/// `ask` with about so many conflicts in all: unknown, too, if they are not enough.
pub fn ask_within(
    smt: &mut Smt,
    store: &mut Store,
    assumptions: &[TermId],
    conflicts: u64,
    ctx: &mut Ctx<'_>,
) -> Result<Answer, Stop> {
    smt.check_paying(store, assumptions, conflicts, |ticks| ctx.tick(ticks))
}
