//! Localisation: constraints that no contradiction has needed are left out.
//!
//! A goal demands only the constraints of its rules that are *in*. With fewer of them more can be
//! derived, so what is learned holds with all of them, and annotations do not speak about what no
//! contradiction was about. When a goal has a model and nothing is left to resolve, it is asked
//! again with all constraints: either it is a derivation, or the contradiction says which constraints
//! come in, at every position of their rules and for good.
//!
//! Constraints that say which atoms of a body are used are always in.
//!
//! Invariant: what comes in was out, so that there are finitely many such questions.
//!
//! After the remarks on localization in McMillan, Rybalchenko, "Solving constrained Horn clauses using
//! interpolation" (2013), and Kurshan's localization reduction.

use super::bounded::Bounded;
use super::goal::Goal;
use super::position::PositionId;
use super::system::{System, conjuncts};
use alphorn_engine::{Ctx, Stop};
use alphorn_smt::Answer;
use alphorn_term::{Store, TermId};
use rustc_hash::FxHashSet;

/// Which constraints are in.
pub(super) struct Locality {
    is_on: bool,
    /// By rule, the numbers of its constraints that are in.
    within: Vec<FxHashSet<usize>>,
}

/// What asking with all constraints came to.
pub(super) enum Local {
    /// Nothing was left out.
    Whole,
    /// More is in; the goal is to be looked at again.
    Wider,
    /// The solver cannot tell.
    Unknown,
}

impl Locality {
    /// Nothing is in but what says which atoms are used; or everything, if it is off.
    pub(super) fn new(store: &Store, system: &System, is_on: bool) -> Locality {
        let mut within = vec![FxHashSet::default(); system.rules.len()];
        for (rule, within) in system.rules.iter().zip(&mut within) {
            let flags: Vec<TermId> = rule.atoms.iter().map(|atom| atom.used).collect();
            for (number, &part) in conjuncts(store, rule.body).iter().enumerate() {
                if store.free_vars(&[part]).iter().any(|var| flags.contains(var)) {
                    within.insert(number);
                }
            }
        }
        Locality { is_on, within }
    }

    fn has(&self, rule: Option<usize>, number: usize) -> bool {
        !self.is_on || rule.is_none_or(|rule| self.within[rule].contains(&number))
    }
}

impl Bounded<'_> {
    /// What a position demands of what is in.
    pub(super) fn local_parts(&self, position: PositionId) -> Vec<TermId> {
        self.parts(position, true).map(|(part, _)| part).collect()
    }

    /// The parts of a position that are in, or those that are out, with their numbers.
    fn parts(&self, id: PositionId, is_in: bool) -> impl Iterator<Item = (TermId, usize)> {
        let position = self.positions.at(id);
        let parts = position.parts.iter().copied().zip(position.numbers.iter().copied());
        parts.filter(move |&(_, number)| self.locality.has(position.rule, number) == is_in)
    }

    /// What the rules of a goal demand that is out.
    pub(super) fn left_out(&self, goal: &Goal) -> Vec<TermId> {
        let positions = goal.vertices.iter().filter_map(|vertex| vertex.position);
        positions.flat_map(|at| self.parts(at, false)).map(|(part, _)| part).collect()
    }

    /// If nothing is left to resolve, asks a goal with all constraints; decisions are taken back
    /// when more comes in. The solver's model is of all constraints if nothing is left out.
    pub(super) fn localise(
        &mut self,
        goal: &mut Goal,
        leaves: &[usize],
        ctx: &mut Ctx<'_>,
    ) -> Result<Local, Stop> {
        if !self.locality.is_on || !leaves.is_empty() {
            return Ok(Local::Whole);
        }
        let mut whole = goal.clone();
        whole.vertices.iter_mut().for_each(|vertex| vertex.decision = None);
        let mut demands = self.left_out(goal);
        for vertex in 0..whole.vertices.len() {
            demands.extend(self.demands(&whole, vertex));
        }
        for leaf in whole.leaves() {
            if let Some((_, flag)) = self.interface(&whole, leaf) {
                demands.push(self.store.not(flag));
            }
        }
        match self.check(&demands, ctx)? {
            Answer::Sat => return Ok(Local::Whole),
            Answer::Unknown => return Ok(Local::Unknown),
            Answer::Unsat => {}
        }
        let core: FxHashSet<TermId> = self.smt.failed().into_iter().collect();
        let mut found: Vec<(usize, usize)> = Vec::new();
        for at in goal.vertices.iter().filter_map(|vertex| vertex.position) {
            let Some(rule) = self.positions.at(at).rule else { continue };
            let needed = self.parts(at, false).filter(|(part, _)| core.contains(part));
            found.extend(needed.map(|(_, number)| (rule, number)));
        }
        if found.is_empty() {
            return Ok(Local::Unknown);
        }
        for (rule, number) in found {
            self.locality.within[rule].insert(number);
        }
        *goal = whole;
        Ok(Local::Wider)
    }
}
