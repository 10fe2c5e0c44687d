//! Relations that are closed under steps, as invariants.
//!
//! A conjunct of a relation for fewer than 2^n steps relates each state to itself. If, together with
//! others, it also holds with a step more at its end, for initial first states, then all pairs of an initial
//! state and one that it reaches are related, and the states related to initial ones are an
//! invariant. With a step more at its front, for bad last states, those related to bad states contain
//! all that reach one, and the others are an invariant. The greatest such set of conjuncts is what is
//! left when those that do not hold are left out, again and again (Flanagan, Leino, FME 2001).
//!
//! Conjuncts of the relation for 2^n steps may be closed under 2^n steps more, from initial states or to
//! states from which fewer steps lead to bad ones. That gives states that are kept by 2^n steps, to
//! which the initial ones belong, and from which fewer steps do not lead to bad ones (`between`).
//!
//! The states related to others are a quantified formula; quantifiers are eliminated within limits.

use super::reach::Reach;
use crate::settings::{
    TPA_CONFLICTS, TPA_ELIMINATION_ROUNDS, TPA_ELIMINATION_WORK, TPA_MAX_CONJUNCTS, TPA_MAX_DOUBLED,
};
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_smt::project::{Limits, eliminate};
use alphorn_smt::{Answer, Budget, Options, Smt};
use alphorn_term::{TermId, eval};

/// Where a step more is made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// At the end, from initial states.
    Right,
    /// At the front, to bad states.
    Left,
}

/// What it means for conjuncts to be closed.
struct Closure {
    /// What there is besides the conjuncts.
    context: Vec<TermId>,
    /// The conjuncts, each before and after it is extended.
    pairs: Vec<(TermId, TermId)>,
    /// What the conjuncts, after they are extended, are to exclude.
    ends: Vec<TermId>,
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
                if !conjuncts.contains(&conjunct) && conjuncts.len() < TPA_MAX_CONJUNCTS.size() {
                    conjuncts.push(conjunct);
                }
            }
        }
        for side in [Side::Right, Side::Left] {
            let closure = self.one_more(&conjuncts, side);
            let Some(closed) = self.closed(closure, ctx)? else { continue };
            if let Some(invariant) = self.states_of(&closed, side, ctx)? {
                return Ok(Some(invariant));
            }
        }
        Ok(None)
    }

    /// An invariant, if the relation for 2^n steps of a level below, or a part of it, is closed under
    /// as many steps more.
    pub(super) fn doubled_invariant(
        &mut self,
        level: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<TermId>, Stop> {
        for below in 1..level.min(TPA_MAX_DOUBLED.size() + 1) {
            let here = &self.relations.levels[below];
            let known = here.exact.len() + here.within.len();
            self.tried.resize(self.tried.len().max(below + 1), 0);
            if self.tried[below] == known {
                continue;
            }
            self.tried[below] = known;
            for side in [Side::Right, Side::Left] {
                let closure = self.as_many_more(below, side);
                let Some(closed) = self.closed(closure, ctx)? else { continue };
                let Some(kept) = self.kept(&closed, below, side, ctx)? else { continue };
                if let Some(invariant) = self.between(kept, 1 << below, ctx)? {
                    return Ok(Some(invariant));
                }
            }
        }
        Ok(None)
    }

    /// With one step more on a side.
    fn one_more(&mut self, conjuncts: &[TermId], side: Side) -> Closure {
        let (system, store) = (self.system, &mut self.store);
        let middle = &self.relations.middle;
        let bad = system.bad_at(store, &system.next);
        let (step, end, from, to) = match side {
            Side::Right => {
                let step = system.trans_at(store, middle, &system.next);
                (step, system.init, &system.state, middle)
            }
            Side::Left => {
                let step = system.trans_at(store, &system.state, middle);
                (step, bad, middle, &system.next)
            }
        };
        let pair = |&conjunct: &TermId| (self.relations.at(store, conjunct, from, to), conjunct);
        let pairs = conjuncts.iter().map(pair).collect();
        Closure { context: vec![step, end], pairs, ends: vec![system.init, bad] }
    }

    /// With as many steps more on a side as the exact relation of a level is about.
    fn as_many_more(&mut self, level: usize, side: Side) -> Closure {
        let danger = self.danger(level);
        let (system, store) = (self.system, &mut self.store);
        let (state, next, middle) = (&system.state, &system.next, &self.relations.middle);
        let (step, rest) = match side {
            Side::Right => ([middle, next], [state, middle]),
            Side::Left => ([state, middle], [middle, next]),
        };
        let mut context = match side {
            Side::Right => vec![system.init],
            Side::Left => danger.clone(),
        };
        let mut pairs = Vec::new();
        for &conjunct in &self.relations.levels[level].exact {
            context.push(self.relations.at(store, conjunct, step[0], step[1]));
            pairs.push((self.relations.at(store, conjunct, rest[0], rest[1]), conjunct));
        }
        let ends = [system.init].into_iter().chain(danger).collect();
        Closure { context, pairs, ends }
    }

    /// That fewer than 2^level steps may lead from the next state to a bad one.
    fn danger(&mut self, level: usize) -> Vec<TermId> {
        let (system, store) = (self.system, &mut self.store);
        let last = system.copy_of_state(store, "e");
        let mut parts = vec![system.bad_at(store, &last)];
        for &conjunct in &self.relations.levels[level].within {
            parts.push(self.relations.at(store, conjunct, &system.next, &last));
        }
        parts
    }

    /// The states that are kept by 2^level steps, because of conjuncts that are closed.
    fn kept(
        &mut self,
        closed: &[TermId],
        level: usize,
        side: Side,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<TermId>, Stop> {
        ctx.tick(1)?;
        let system = self.system;
        match side {
            Side::Right => {
                let Some(states) = self.states_of(closed, side, ctx)? else { return Ok(None) };
                let start = self.without(system.init, &system.init_inputs);
                Ok(start.map(|start| self.store.or(&[start, states])))
            }
            Side::Left => {
                let danger = self.danger(level);
                let near = self.store.and(&danger);
                let parts: Vec<TermId> = danger.iter().chain(closed).copied().collect();
                let far = self.store.and(&parts);
                let near = self.only(near, &system.next);
                let far = self.only(far, &system.state);
                let (Some(near), Some(far)) = (near, far) else { return Ok(None) };
                let near = self.store.rename(near, &system.next, &system.state);
                let dangerous = self.store.or(&[near, far]);
                Ok(Some(self.store.not(dangerous)))
            }
        }
    }

    /// The greatest set of conjuncts that is closed, if it excludes the ends.
    fn closed(&mut self, closure: Closure, ctx: &mut Ctx<'_>) -> Result<Option<Vec<TermId>>, Stop> {
        let store = &mut self.store;
        let mut ends = Smt::new(Options::default());
        for &end in &closure.ends {
            ends.assert(store, end);
        }
        let mut smt = Smt::new(Options::default());
        for &formula in &closure.context {
            smt.assert(store, formula);
        }
        let mut open = closure.pairs;
        // Whatever a model makes false when it is extended is left out.
        loop {
            let after: Vec<TermId> = open.iter().map(|(_, after)| *after).collect();
            if ask_within(&mut ends, store, &after, TPA_CONFLICTS.get(), ctx)? != Answer::Unsat {
                return Ok(None);
            }
            let mut assumptions: Vec<TermId> = open.iter().map(|(before, _)| *before).collect();
            let all = store.and(&after);
            assumptions.push(store.not(all));
            match ask_within(&mut smt, store, &assumptions, TPA_CONFLICTS.get(), ctx)? {
                Answer::Unsat => return Ok(Some(after)),
                Answer::Unknown => return Ok(None),
                Answer::Sat => {}
            }
            let model = smt.model(store);
            let count = open.len();
            open.retain(|(_, after)| {
                eval(store, *after, &model).is_ok_and(|value| value.as_bool() == Some(true))
            });
            if open.len() == count {
                return Ok(None);
            }
        }
    }

    /// The states that a closed relation leaves: those that initial states are related to, or those
    /// that are not related to bad ones.
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
        let Some(states) = self.only(formula, kept) else { return Ok(None) };
        let store = &mut self.store;
        Ok(Some(match side {
            Side::Right => store.rename(states, &system.next, &system.state),
            Side::Left => store.not(states),
        }))
    }

    /// What a formula says about some variables.
    fn only(&mut self, formula: TermId, kept: &[TermId]) -> Option<TermId> {
        let mut hidden = self.store.free_vars(&[formula]);
        hidden.retain(|variable| !kept.contains(variable));
        self.without(formula, &hidden)
    }

    /// What a formula says about the other variables.
    fn without(&mut self, formula: TermId, hidden: &[TermId]) -> Option<TermId> {
        if hidden.is_empty() {
            return Some(formula);
        }
        let mut models = Smt::new(Options::default());
        models.set_budget(Budget { ticks: Some(TPA_ELIMINATION_WORK.get()), ..Budget::default() });
        let limits = Limits { rounds: TPA_ELIMINATION_ROUNDS.size() };
        eliminate(&mut self.store, formula, hidden, &mut models, &limits).ok()
    }
}
