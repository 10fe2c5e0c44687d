//! Questions that are paid for while they are answered.
//!
//! A search has its own idea of work and cannot see a caller's budget. So it is run in slices of
//! some conflicts and ticks, arithmetic included; between them the caller pays for what was spent,
//! and may refuse to. What a slice learned stays, so little is lost by cutting. Only a slice
//! that came to no conflict makes the next one longer than the longest: nothing was learned in it, its decisions are
//! gone, and the next would come as far and no further.

use alphorn_sat::{Answer, Budget};
use alphorn_term::{Store, TermId};

use super::{Reason, Smt};

/// Conflicts in the first slice of a question.
const FIRST_SLICE: u64 = 250;
/// Conflicts in the longest slice.
const LONGEST_SLICE: u64 = 4_000;
/// Ticks of the solver in a slice, which are some hundredths of a second.
const SLICE_TICKS: u64 = 50_000;
/// Ticks for a conflict, and for a branch over the integers.
const CONFLICT: u64 = 20;

impl Smt {
    /// `check` with about so many conflicts in all, in slices that `pay` is asked for; fails as it
    /// does. Unknown only if conflicts are not enough, or for reasons that more time would not mend.
    pub fn check_paying<E>(
        &mut self,
        store: &mut Store,
        assumptions: &[TermId],
        conflicts: u64,
        mut pay: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<Answer, E> {
        let (mut slice, mut ticks) = (FIRST_SLICE, SLICE_TICKS);
        let end = self.stats().conflicts.saturating_add(conflicts);
        loop {
            let budget = Budget { conflicts: Some(slice), ticks: Some(ticks), ..Budget::default() };
            self.set_budget(budget);
            let (before, learned) = (self.paid_work(), self.stats().conflicts);
            let answer = self.check(store, assumptions);
            pay(1 + self.paid_work() - before)?;
            let is_cut = answer == Answer::Unknown && self.reason_unknown() == Some(Reason::Budget);
            if !is_cut || self.stats().conflicts >= end {
                return Ok(answer);
            }
            slice = (2 * slice).min(LONGEST_SLICE);
            let is_stuck = self.stats().conflicts == learned;
            ticks = if is_stuck { ticks.saturating_mul(2) } else { SLICE_TICKS };
        }
    }

    /// What was done, in ticks.
    fn paid_work(&self) -> u64 {
        let (search, theory) = (self.stats(), self.theory_stats());
        let rare = search.conflicts + theory.branches;
        search.decisions + search.propagations + theory.ticks + CONFLICT * rare
    }
}
