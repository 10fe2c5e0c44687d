//! Relations that are closed under steps, as invariants.
//!
//! A conjunct of a relation for fewer than 2^n steps relates each state to itself. If, together with
//! others, it also holds with a step more at its end, for initial first states, then all pairs of an initial
//! state and one that it reaches are related, and the states related to initial ones are an
//! invariant. With a step more at its front, for bad last states, those related to bad states contain
//! all that reach one, and the others are an invariant. The greatest such set of conjuncts is what is
//! left when those that do not hold are left out, again and again (Flanagan, Leino, FME 2001).
//!
//! The invariant of either is a quantified formula; its quantifiers are eliminated within limits.

use super::reach::Reach;
use crate::ask::ask_within;
use alphorn_engine::{Ctx, Stop};
use alphorn_smt::project::{Limits, eliminate};
use alphorn_smt::{Answer, Budget, Options, Smt};
use alphorn_term::{TermId, eval};

/// The most conjuncts that are looked at.
const MOST_CONJUNCTS: usize = 300;
/// Conflicts for one question.
const CONFLICTS: u64 = 5_000;
/// Models for the elimination of quantifiers.
const ROUNDS: usize = 300;

/// Where a step more is made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// At the end, from initial states.
    Right,
    /// At the front, to bad states.
    Left,
}

impl Reach<'_> {
    /// An invariant, if a level's relation for fewer steps, or a part of it, is closed under steps.
    pub(super) fn invariant(
        &mut self,
        level: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<TermId>, Stop> {
        if level == 0 {
            return Ok(None);
        }
        let mut conjuncts: Vec<TermId> = Vec::new();
        for level in self.relations.levels[1..=level].iter().rev() {
            for &conjunct in &level.within {
                if !conjuncts.contains(&conjunct) && conjuncts.len() < MOST_CONJUNCTS {
                    conjuncts.push(conjunct);
                }
            }
        }
        for side in [Side::Right, Side::Left] {
            let Some(closed) = self.closed(&conjuncts, side, ctx)? else { continue };
            if let Some(invariant) = self.states_of(&closed, side, ctx)? {
                return Ok(Some(invariant));
            }
        }
        Ok(None)
    }

    /// The greatest set of conjuncts that is closed, if it excludes the bad states.
    fn closed(
        &mut self,
        conjuncts: &[TermId],
        side: Side,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<TermId>>, Stop> {
        let system = self.system;
        let bad = system.bad_at(&mut self.store, &system.next);
        let mut ends = Smt::new(Options::default());
        ends.assert(&mut self.store, system.init);
        ends.assert(&mut self.store, bad);
        if ask_within(&mut ends, &mut self.store, conjuncts, CONFLICTS, ctx)? != Answer::Unsat {
            return Ok(None);
        }
        let mut smt = Smt::new(Options::default());
        let middle = self.relations.middle.clone();
        let (step, end) = match side {
            Side::Right => (system.trans_at(&mut self.store, &middle, &system.next), system.init),
            Side::Left => (system.trans_at(&mut self.store, &system.state, &middle), bad),
        };
        smt.assert(&mut self.store, step);
        smt.assert(&mut self.store, end);
        let mut open: Vec<(TermId, TermId)> = Vec::with_capacity(conjuncts.len());
        for &conjunct in conjuncts {
            let (from, to) = match side {
                Side::Right => (&system.state, &middle),
                Side::Left => (&middle, &system.next),
            };
            let before = self.relations.at(&mut self.store, conjunct, from, to);
            open.push((conjunct, before));
        }
        // Whatever the model makes false after the step is left out.
        loop {
            let mut assumptions: Vec<TermId> = open.iter().map(|(_, before)| *before).collect();
            let after: Vec<TermId> = open.iter().map(|(after, _)| *after).collect();
            let all = self.store.and(&after);
            assumptions.push(self.store.not(all));
            match ask_within(&mut smt, &mut self.store, &assumptions, CONFLICTS, ctx)? {
                Answer::Unsat => break,
                Answer::Unknown => return Ok(None),
                Answer::Sat => {}
            }
            let model = smt.model(&self.store);
            let count = open.len();
            open.retain(|(after, _)| {
                eval(&self.store, *after, &model).is_ok_and(|value| value.as_bool() == Some(true))
            });
            if open.len() == count || open.is_empty() {
                return Ok(None);
            }
        }
        let closed: Vec<TermId> = open.into_iter().map(|(after, _)| after).collect();
        let answer = ask_within(&mut ends, &mut self.store, &closed, CONFLICTS, ctx)?;
        if answer != Answer::Unsat {
            return Ok(None);
        }
        let failed = ends.failed();
        debug_assert!(failed.iter().all(|term| closed.contains(term)), "a reason is a part");
        Ok(Some(closed))
    }

    /// The states that a closed relation leaves.
    fn states_of(
        &mut self,
        closed: &[TermId],
        side: Side,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<TermId>, Stop> {
        ctx.tick(1)?;
        let system = self.system;
        let end = match side {
            Side::Right => system.init,
            Side::Left => system.bad_at(&mut self.store, &system.next),
        };
        let parts: Vec<TermId> = closed.iter().copied().chain([end]).collect();
        let formula = self.store.and(&parts);
        let kept = match side {
            Side::Right => &system.next,
            Side::Left => &system.state,
        };
        let mut hidden = self.store.free_vars(&[formula]);
        hidden.retain(|variable| !kept.contains(variable));
        let mut models = Smt::new(Options::default());
        models.set_budget(Budget { conflicts: Some(CONFLICTS), ..Budget::default() });
        let limits = Limits { rounds: ROUNDS };
        let Ok(states) = eliminate(&mut self.store, formula, &hidden, &mut models, &limits) else {
            return Ok(None);
        };
        let store = &mut self.store;
        Ok(Some(match side {
            Side::Right => store.rename(states, &system.next, &system.state),
            Side::Left => store.not(states),
        }))
    }
}
