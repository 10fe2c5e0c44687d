//! Bounded model checking: paths of growing length, in one solver.
//!
//! After Biere, Cimatti, Clarke, Zhu (TACAS 1999), with incremental search (Eén and Sörensson 2003):
//! the path is unrolled forward from an initial state, whether its end is bad is a literal that one
//! query assumes, and what the searches learned about shorter paths stays. Now and then it is asked whether
//! there is any path of the length; where there is none, all are looked through (`exhaust`).
//!
//! A question about a long path costs what its length costs, even if there is nothing to search. So where questions are easy
//! several lengths are asked about at once, the more the longer paths are; their steps may be missing from the
//! end, since a bad state need not lead anywhere.

use super::exhaust::exhausted;
use super::unroll::Unrolling;
use super::{Decided, Folded, Method, System};
use crate::settings::{BMC_ANY_CONFLICTS, BMC_EASY_CONFLICTS, BMC_LEAP_FROM, BMC_LEAP_SHARE};
use alphorn_engine::{Ctx, Engine, Stop};
use alphorn_horn::ask::{ask, ask_within};
use alphorn_problem::Horn;
use alphorn_smt::Answer;
use alphorn_term::{SortId, TermId, Value, eval};

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
            let lengths = search.easy_lengths(ctx);
            let found = if lengths > 1 { search.leap(lengths, ctx) } else { search.deepen(ctx) };
            if let Some(path) = found? {
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
    /// The conflicts of the last question.
    last_conflicts: u64,
    /// From how many lengths on it is asked whether there is any path.
    next_asked: usize,
}

impl<'a> Bounded<'a> {
    /// Paths of length zero are next.
    pub(super) fn new(system: &'a System) -> Bounded<'a> {
        let size = system.store.dag_size(&[system.trans, system.bad]) as u64;
        let unrolling = Unrolling::from_init(system);
        Bounded { system, unrolling, cleared: 0, size, last_conflicts: 0, next_asked: 1 }
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
        let before = self.conflicts();
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
        self.last_conflicts = self.conflicts() - before;
        self.cleared += 1;
        ctx.cleared(self.cleared as u64 - 1)?;
        Ok(None)
    }

    /// How many lengths are to be asked about at once.
    fn easy_lengths(&self, ctx: &Ctx<'_>) -> usize {
        let is_hard = self.last_conflicts > BMC_EASY_CONFLICTS.get();
        if self.cleared < BMC_LEAP_FROM.size() || is_hard {
            return 1;
        }
        // A path that is wanted is no longer than this.
        let left = ctx.bound().map_or(u64::MAX, |last| last.saturating_sub(self.cleared as u64));
        (self.cleared / BMC_LEAP_SHARE.size()).min(usize::try_from(left).unwrap_or(usize::MAX))
    }

    /// A path of one of the next lengths to a bad state, if there is one.
    fn leap(&mut self, lengths: usize, ctx: &mut Ctx<'_>) -> Result<Option<Vec<Vec<Value>>>, Stop> {
        let before = self.conflicts();
        let unrolling = &mut self.unrolling;
        let mut goes: Vec<TermId> = Vec::with_capacity(lengths);
        let mut ways: Vec<TermId> = Vec::with_capacity(lengths);
        for _ in 0..lengths {
            ctx.tick(self.size + self.cleared as u64)?;
            let go = unrolling.store.fresh_var("go", SortId::BOOL);
            unrolling.add_step_if(go);
            if let Some(&earlier) = goes.last() {
                let in_order = unrolling.store.implies(go, earlier);
                unrolling.smt.assert(&mut unrolling.store, in_order);
            }
            let bad = unrolling.bad_at_end();
            ways.push(unrolling.store.and(&[go, bad]));
            goes.push(go);
        }
        let any = unrolling.store.or(&ways);
        match ask(&mut unrolling.smt, &mut unrolling.store, &[any], ctx)? {
            Answer::Sat => {
                let model = unrolling.smt.model(&unrolling.store);
                let holds =
                    |way: &TermId| eval(&unrolling.store, *way, &model) == Ok(Value::Bool(true));
                let at = ways.iter().position(holds).ok_or_else(too_hard)?;
                let mut path = unrolling.path();
                path.truncate(self.cleared + at + 1);
                return Ok(Some(path));
            }
            Answer::Unknown => return Err(too_hard()),
            Answer::Unsat => {}
        }
        let none = unrolling.store.not(any);
        for formula in goes.into_iter().chain([none]) {
            unrolling.smt.assert(&mut unrolling.store, formula);
        }
        self.last_conflicts = self.conflicts() - before;
        for _ in 0..lengths {
            self.cleared += 1;
            ctx.cleared(self.cleared as u64 - 1)?;
        }
        Ok(None)
    }

    /// Whether no path is longer than those that are cleared; asked about for lengths that double.
    fn is_exhausted(&mut self, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        if self.cleared < self.next_asked {
            return Ok(false);
        }
        self.next_asked = (self.cleared + 1).next_power_of_two();
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
