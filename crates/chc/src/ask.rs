//! Questions to the solver, paid for with an engine's ticks.
//!
//! A search has its own idea of work and cannot see the engine's budget. So it is run in slices of
//! some conflicts; between them the engine pays for what was spent, and a raised flag is seen. What
//! a slice learned stays, so nothing is lost by cutting.

use alphorn_engine::{Ctx, Stop};
use alphorn_smt::{Answer, Budget, Reason, Smt};
use alphorn_term::{Store, TermId};

/// Conflicts in the first slice of a question.
const FIRST_SLICE: u64 = 250;
/// Conflicts in the longest slice.
const LONGEST_SLICE: u64 = 4_000;
/// Ticks for a conflict, and for a branch over the integers.
const CONFLICT: u64 = 20;

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
    let mut slice = FIRST_SLICE;
    let end = smt.stats().conflicts.saturating_add(conflicts);
    loop {
        smt.set_budget(Budget { conflicts: Some(slice), ..Budget::default() });
        let before = work(smt);
        let answer = smt.check(store, assumptions);
        ctx.tick(1 + work(smt) - before)?;
        let is_cut = answer == Answer::Unknown && smt.reason_unknown() == Some(Reason::Budget);
        if !is_cut || smt.stats().conflicts >= end {
            return Ok(answer);
        }
        slice = (2 * slice).min(LONGEST_SLICE);
    }
}

/// What a solver has done, in ticks.
fn work(smt: &Smt) -> u64 {
    let (search, theory) = (smt.stats(), smt.theory_stats());
    search.decisions + search.propagations + CONFLICT * (search.conflicts + theory.branches)
}
