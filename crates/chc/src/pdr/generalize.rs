//! Weaker cubes that are excluded as well, and higher levels at which they are.
//!
//! What an unsatisfiable query did not need of a cube is left out first. Then literals are left out
//! one by one as long as the rest is excluded *relative to itself*: with the lemma assumed of the
//! body, no rule concludes the cube. By induction on the height of derivations that is enough.

use super::frames::INFINITY;
use super::rules::Reading;
use super::search::Search;
use super::system::Pred;
use super::witness::Witness;
use crate::settings::PDR_MAX_FAILURES;
use alphorn_engine::{Ctx, Stop};
use alphorn_term::{Model, TermId};

/// The most lemmas that are told of per level because a rule does not keep them.
const MAX_TOLD: usize = 3;

impl Search<'_> {
    /// Literals of the given ones that no rule concludes at a level, relative to their own
    /// exclusion; if there are none, values for which a rule concludes them all.
    pub(super) fn inductive(
        &mut self,
        pred: Pred,
        level: usize,
        literals: &[TermId],
        ctx: &mut Ctx<'_>,
    ) -> Result<Result<Vec<TermId>, Model>, Stop> {
        let conjunction = self.store.and(literals);
        let lemma = self.store.not(conjunction);
        let below = if level == INFINITY { INFINITY } else { level - 1 };
        let reading = Reading { level: below, must: 0 };
        let mut core: Vec<TermId> = Vec::new();
        let rules = self.system.rules_of[pred].clone();
        if self.settings.keeps_witnesses {
            for &rule in &rules {
                let query = (pred, below);
                let known = self.witnesses.find(rule, &self.store, &self.frames, query, literals);
                if let Some(point) = known {
                    self.breaking = Some(rule);
                    return Ok(Err(point));
                }
            }
        }
        for number in rules {
            let mut assumed = Vec::new();
            for atom in &mut self.system.rules[number].atoms {
                if atom.pred == pred {
                    let unused = self.store.not(atom.used);
                    let lemma = atom.on.of(&mut self.store, lemma);
                    assumed.push(self.store.or(&[unused, lemma]));
                }
            }
            let Some(needed) = self.excludes(number, reading, literals, &assumed, ctx)? else {
                let (head, atoms) = self.points(number)?;
                self.breaking = Some(number);
                self.witnesses.add(number, Witness::new(head.clone(), atoms));
                return Ok(Err(head));
            };
            for literal in needed {
                if !core.contains(&literal) {
                    core.push(literal);
                }
            }
        }
        Ok(Ok(core))
    }

    /// Leaves out literals of an excluded cube while it stays excluded.
    pub(super) fn generalize(
        &mut self,
        pred: Pred,
        level: usize,
        mut literals: Vec<TermId>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<TermId>, Stop> {
        let mut failures = 0;
        let mut order: Vec<TermId> = literals.iter().rev().copied().collect();
        if self.settings.is_ordered {
            order.sort_by_key(|literal| self.activity.get(literal).copied().unwrap_or(0));
        }
        for literal in order {
            let Some(place) = literals.iter().position(|&other| other == literal) else { continue };
            let mut fewer = literals.clone();
            fewer.remove(place);
            match self.inductive(pred, level, &fewer, ctx)? {
                Ok(core) => literals = core,
                Err(_) => failures += 1,
            }
            if failures >= PDR_MAX_FAILURES.size() {
                break;
            }
        }
        if self.settings.is_separating {
            literals = self.separate(pred, level, literals, ctx)?;
        }
        self.guide(pred, level, literals, ctx)
    }

    /// The highest level, up to the top or infinite, at which a cube is excluded that is so at `level`.
    pub(super) fn raise(
        &mut self,
        pred: Pred,
        mut level: usize,
        literals: &[TermId],
        ctx: &mut Ctx<'_>,
    ) -> Result<usize, Stop> {
        while level < self.top && self.inductive(pred, level + 1, literals, ctx)?.is_ok() {
            level += 1;
        }
        if level == self.top && self.is_invariant(pred, literals, ctx)? {
            return Ok(INFINITY);
        }
        Ok(level)
    }

    /// Whether a cube is excluded for derivations of any height, given what else is.
    fn is_invariant(
        &mut self,
        pred: Pred,
        literals: &[TermId],
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        Ok(self.settings.has_infinity && self.inductive(pred, INFINITY, literals, ctx)?.is_ok())
    }

    /// Moves lemmas up where they hold; the level whose lemmas are all inductive, if there is one.
    pub(super) fn propagate(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<usize>, Stop> {
        let mut told = 0;
        for level in 1..=self.top {
            for pred in 0..self.frames.preds() {
                let here = self.frames.of(pred).iter().filter(|lemma| lemma.level == level);
                let cubes: Vec<Vec<TermId>> = here.map(|lemma| lemma.cube.clone()).collect();
                for cube in cubes {
                    ctx.tick(1)?;
                    if self.frames.excluded_up_to(pred, &cube) > level {
                        continue;
                    }
                    if let Ok(core) = self.inductive(pred, level + 1, &cube, ctx)? {
                        let is_last = level == self.top && self.is_invariant(pred, &core, ctx)?;
                        let level = if is_last { INFINITY } else { level + 1 };
                        self.add_lemma(pred, core, level, ctx);
                    } else if level == self.top && told < MAX_TOLD {
                        self.tell_candidate(pred, &cube, ctx);
                        told += 1;
                    }
                }
            }
            if self.frames.is_level_empty(level) {
                return Ok(Some(level));
            }
        }
        let is_goal_excluded = self.frames.excluded_up_to(self.system.goal(), &[]) == INFINITY;
        Ok(is_goal_excluded.then_some(INFINITY - 1))
    }
}
