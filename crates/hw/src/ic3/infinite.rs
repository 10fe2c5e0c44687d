//! The infinite frame: lemmas that need no level.
//!
//! A lemma of the last level that is inductive relative to the infinite frame belongs there. If a
//! state stands in its way that another lemma of the last level excludes, that one is tried first.
//! Clauses that others know are tried together: those that some step violates go, until none does,
//! and what is left holds for good. What is learned for good is told to the other engines.
//!
//! After Ivrii, Gurfinkel, "Pushing to the Top" (FMCAD 2015); the trial of clauses is Houdini's (Flanagan,
//! Leino, FME 2001).

use super::trace::Trace;
use crate::ask::{bit, same};
use crate::frames::{Consecution, Cube, LemmaId};
use crate::settings::{IC3_MAX_NESTED, IC3_MAX_REMEMBERED};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::lemma::LatchClause;

impl Trace<'_> {
    /// Moves lemmas of the last level to the infinite frame.
    pub(crate) fn push_to_infinity(&mut self, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        let mut waiting: Vec<LemmaId> = self.frames.ids(self.frames.last()).collect();
        let size = |id: &LemmaId| self.frames.lemma(*id).map_or(0, |(cube, _)| cube.len());
        waiting.sort_by_key(|id| std::cmp::Reverse(size(id)));
        while let Some(id) = waiting.pop() {
            self.raise(id, &mut waiting, 0, ctx)?;
        }
        Ok(())
    }

    /// Tries to move a lemma to the infinite frame, and before it those of `waiting` that it needs.
    fn raise(
        &mut self,
        id: LemmaId,
        waiting: &mut Vec<LemmaId>,
        nested: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let Some((cube, _)) = self.frames.lemma(id) else { return Ok(true) };
        let cube = cube.clone();
        let forever = self.frames.last() + 1;
        loop {
            if let Some(core) = self.queries.unreachable_from(&cube, forever, ctx)? {
                self.keep_forever(core, ctx);
                return Ok(true);
            }
            if nested == IC3_MAX_NESTED.size() {
                return Ok(false);
            }
            let target = self.queries.successor(&cube);
            let state = self.queries.predecessor(&target, ctx)?;
            let excludes = |id: &LemmaId| {
                self.frames.lemma(*id).is_some_and(|(lemma, _)| lemma.subsumes(&state))
            };
            let Some(position) = waiting.iter().rposition(excludes) else { return Ok(false) };
            let other = waiting.remove(position);
            if !self.raise(other, waiting, nested + 1, ctx)? {
                return Ok(false);
            }
        }
    }

    /// Adds a lemma to the infinite frame and tells the others.
    pub(super) fn keep_forever(&mut self, cube: Cube, ctx: &mut Ctx<'_>) {
        if let Some(clause) = self.told(&cube) {
            ctx.publish::<Circuit>(clause);
        }
        self.frames.learn_forever(cube, &mut self.queries);
    }

    /// The clause of the circuit asked about that excludes a cube, if it is one over latches.
    pub(super) fn told(&self, cube: &Cube) -> Option<LatchClause> {
        if cube.lits().iter().any(|lit| self.reduced.signals.is_gate(lit.var())) {
            return None;
        }
        let clause: Vec<_> = cube.negation().into_iter().map(bit).collect();
        Some(self.reduced.widen(&clause).into_boxed_slice())
    }

    /// Remembers the lemmas of the highest levels, where somebody keeps them for a later run.
    pub(super) fn remember(&self, ctx: &mut Ctx<'_>) {
        if !ctx.is_recorded() {
            return;
        }
        let mut lemmas = Vec::new();
        for level in (1..=self.frames.last()).rev() {
            let room = IC3_MAX_REMEMBERED.size().saturating_sub(lemmas.len());
            let clauses = self.frames.level(level).filter_map(|cube| self.told(cube));
            lemmas.extend(clauses.take(room).map(|clause| (clause, level as u64)));
        }
        ctx.remember::<Circuit>(lemmas);
    }

    /// Takes in the clauses of others that hold for good; returns the others that exclude the start.
    pub(crate) fn take_news(&mut self, ctx: &mut Ctx<'_>) -> Result<Vec<Cube>, Stop> {
        let news = ctx.news::<Circuit>();
        if news.is_empty() {
            return Ok(Vec::new());
        }
        let cubes = news.iter().filter_map(|clause| self.cube_against(clause)).collect();
        self.adopt(cubes, ctx)
    }

    /// The cube that a clause of the circuit asked about excludes.
    pub(super) fn cube_against(&self, clause: &[alphorn_problem::circuit::Lit]) -> Option<Cube> {
        let clause = self.reduced.shrink(clause)?;
        Some(Cube::new(clause.into_iter().map(|lit| !same(lit)).collect()))
    }

    /// Keeps forever the largest part of the cubes that, with the infinite frame, is inductive;
    /// returns the others that exclude the start.
    pub(super) fn adopt(&mut self, cubes: Vec<Cube>, ctx: &mut Ctx<'_>) -> Result<Vec<Cube>, Stop> {
        let forever = self.frames.last() + 1;
        let mut tried = Vec::new();
        for cube in cubes {
            let is_known = self.frames.blocked(&cube, forever).is_some();
            if !is_known && !self.queries.is_initial(&cube, ctx)? {
                tried.push(cube);
            }
        }
        let mut left_out = Vec::new();
        loop {
            self.queries.try_clauses(&tried);
            let mut kept = Vec::with_capacity(tried.len());
            let before = left_out.len();
            for cube in tried {
                if self.queries.has_predecessor(&cube, forever, ctx)? {
                    left_out.push(cube);
                } else {
                    kept.push(cube);
                }
            }
            tried = kept;
            if left_out.len() == before {
                break;
            }
        }
        self.queries.try_clauses(&[]);
        for cube in tried {
            if self.frames.blocked(&cube, forever).is_none() {
                self.keep_forever(cube, ctx);
            }
        }
        Ok(left_out)
    }
}
