//! Questions to the solver, paid for with an engine's ticks.
//!
//! A search has its own idea of work and cannot see the engine's budget. So it is run in slices of
//! some conflicts and ticks, arithmetic included; between them the engine pays for what was spent,
//! and a raised flag is seen. What a slice learned stays, so little is lost by cutting. Only a slice
//! that came to neither a conflict nor a decision makes the next one longer than the longest, as the
//! step it is at may need that.

use alphorn_engine::{Ctx, Stop};
use alphorn_smt::{Answer, Budget, Reason, Smt};
use alphorn_term::{Store, TermId};

/// Conflicts in the first slice of a question.
const FIRST_SLICE: u64 = 250;
/// Conflicts in the longest slice.
const LONGEST_SLICE: u64 = 4_000;
/// Ticks of the solver in a slice, which are some hundredths of a second.
const SLICE_TICKS: u64 = 50_000;
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
    let (mut slice, mut ticks) = (FIRST_SLICE, SLICE_TICKS);
    let end = smt.stats().conflicts.saturating_add(conflicts);
    loop {
        let budget = Budget { conflicts: Some(slice), ticks: Some(ticks), ..Budget::default() };
        smt.set_budget(budget);
        let (before, steps) = (work(smt), steps(smt));
        let answer = smt.check(store, assumptions);
        ctx.tick(1 + work(smt) - before)?;
        let is_cut = answer == Answer::Unknown && smt.reason_unknown() == Some(Reason::Budget);
        if !is_cut || smt.stats().conflicts >= end {
            return Ok(answer);
        }
        slice = (2 * slice).min(LONGEST_SLICE);
        let is_stuck = self::steps(smt) - steps <= assumptions.len() as u64;
        ticks = if is_stuck { ticks.saturating_mul(2) } else { SLICE_TICKS };
    }
}

/// What a solver has done, in ticks.
fn work(smt: &Smt) -> u64 {
    let (search, theory) = (smt.stats(), smt.theory_stats());
    let rare = search.conflicts + theory.branches;
    search.decisions + search.propagations + theory.ticks + CONFLICT * rare
}

/// The steps of a solver's search.
fn steps(smt: &Smt) -> u64 {
    smt.stats().conflicts + smt.stats().decisions
}
