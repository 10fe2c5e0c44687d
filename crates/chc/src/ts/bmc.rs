//! Bounded model checking: paths of growing length, in one solver.
//!
//! After Biere, Cimatti, Clarke, Zhu (TACAS 1999), with incremental search (Eén and Sörensson 2003):
//! the path is unrolled forward from an initial state, whether its end is bad is a literal that one
//! query assumes, and what the searches learned about shorter paths stays. Now and then it is asked whether
//! there is any path of the length; where there is none, all are looked through (`exhaust`).

use super::exhaust::exhausted;
use super::unroll::Unrolling;
use super::{Decided, Folded, Method, System};
use crate::settings::BMC_ANY_CONFLICTS;
use alphorn_engine::{Ctx, Engine, Stop};
use alphorn_horn::ask::{ask, ask_within};
use alphorn_problem::Horn;
use alphorn_smt::Answer;
use alphorn_term::Value;

/// The engine for linear systems.
pub(crate) fn engine() -> impl Engine<Horn> {
    Folded(Bmc)
}

/// The method.
pub(super) struct Bmc;

impl Method for Bmc {
    fn decide(&mut self, system: &System, ctx: &mut Ctx<'_>) -> Result<Decided, Stop> {
        let mut search = Bounded::new(system);
        loop {
            if let Some(path) = search.deepen(ctx)? {
                return Ok(Decided::Path(path));
            }
            if search.is_exhausted(ctx)? {
                let mut store = system.store.clone();
                let invariant = exhausted(system, &mut store, search.cleared, ctx)?;
                return Ok(Decided::Invariant(store, invariant));
            }
        }
    }
}

/// Paths of growing length.
pub(super) struct Bounded<'a> {
    system: &'a System,
    /// The path.
    pub(super) unrolling: Unrolling<'a>,
    /// How many lengths are cleared.
    pub(super) cleared: usize,
    /// The size of a step.
    size: u64,
}

impl<'a> Bounded<'a> {
    /// Paths of length zero are next.
    pub(super) fn new(system: &'a System) -> Bounded<'a> {
        let size = system.store.dag_size(&[system.trans, system.bad]) as u64;
        Bounded { system, unrolling: Unrolling::from_init(system), cleared: 0, size }
    }

    /// The system.
    pub(super) fn system(&self) -> &'a System {
        self.system
    }

    /// The conflicts so far.
    pub(super) fn conflicts(&self) -> u64 {
        self.unrolling.smt.stats().conflicts
    }

    /// A path of the next length to a bad state, if there is one.
    pub(super) fn deepen(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<Vec<Vec<Value>>>, Stop> {
        // Encoding a step is work, too, and so is carrying what came before.
        ctx.tick(self.size + self.cleared as u64)?;
        let unrolling = &mut self.unrolling;
        if self.cleared > 0 {
            unrolling.add_step();
        }
        let bad = unrolling.bad_at_end();
        match ask(&mut unrolling.smt, &mut unrolling.store, &[bad], ctx)? {
            Answer::Sat => return Ok(Some(unrolling.path())),
            Answer::Unknown => return Err(too_hard()),
            Answer::Unsat => {}
        }
        let good = unrolling.store.not(bad);
        unrolling.smt.assert(&mut unrolling.store, good);
        self.cleared += 1;
        ctx.cleared(self.cleared as u64 - 1)?;
        Ok(None)
    }

    /// Whether no path is longer than those that are cleared; asked about for lengths that double.
    fn is_exhausted(&mut self, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        if !self.cleared.is_power_of_two() {
            return Ok(false);
        }
        let unrolling = &mut self.unrolling;
        let conflicts = BMC_ANY_CONFLICTS.get();
        let answer = ask_within(&mut unrolling.smt, &mut unrolling.store, &[], conflicts, ctx)?;
        Ok(answer == Answer::Unsat)
    }
}

/// The solver cannot tell.
pub(crate) fn too_hard() -> Stop {
    Stop::Stuck("a question about numbers is too hard, such as one about products".to_owned())
}
