//! Questions to the solver, paid for with an engine's ticks (`Smt::check_paying`).

use alphorn_engine::{Ctx, Stop};
use alphorn_smt::project::{Limits, Oracle, Outcome, eliminate};
use alphorn_smt::{Answer, Options, Smt};
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

/// A formula without some variables; none if that takes more conflicts for a model or more models than so many.
pub fn eliminate_within(
    store: &mut Store,
    formula: TermId,
    hidden: &[TermId],
    (conflicts, rounds): (u64, usize),
    ctx: &mut Ctx<'_>,
) -> Result<Option<TermId>, Stop> {
    let smt = Smt::new(Options::default());
    let mut models = Models { smt, conflicts, ctx, stop: None };
    let found = eliminate(store, formula, hidden, &mut models, &Limits { rounds }).ok();
    match models.stop {
        Some(stop) => Err(stop),
        None => Ok(found),
    }
}

/// Models that are paid for. What is done with a model grows with what was asked, so that is paid for as well.
struct Models<'a, 'c> {
    smt: Smt,
    conflicts: u64,
    ctx: &'a mut Ctx<'c>,
    /// Why there are no more.
    stop: Option<Stop>,
}

impl Oracle for Models<'_, '_> {
    fn check(&mut self, store: &mut Store, formulas: &[TermId]) -> Outcome {
        let size = store.subterms(formulas).len() as u64;
        let asked = match self.ctx.tick(size) {
            Ok(()) => ask_within(&mut self.smt, store, formulas, self.conflicts, self.ctx),
            Err(stop) => Err(stop),
        };
        match asked {
            Ok(Answer::Sat) => Outcome::Sat(Box::new(self.smt.model(store))),
            Ok(Answer::Unsat) => Outcome::Unsat,
            Ok(Answer::Unknown) => Outcome::Unknown,
            Err(stop) => {
                self.stop = Some(stop);
                Outcome::Unknown
            }
        }
    }

    fn core(&self) -> Option<Vec<TermId>> {
        Some(self.smt.failed())
    }
}
