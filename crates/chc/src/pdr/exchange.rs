//! What a search tells other engines and later runs, and what it takes from them.
//!
//! Formulas that others say hold are taken over as they are: answers do not depend on that, since the last
//! proof is of every clause. What only may hold is tried: a hint becomes a lemma of the highest level up to
//! which it is inductive with the lemmas there, and goes up with them. Where somebody keeps a record, the
//! lemmas of all levels are remembered, so that a later run may begin with them.

use super::frames::{INFINITY, Lemma};
use super::search::{Search, sorted};
use super::system::Pred;
use crate::settings::{PDR_MAX_HINTS, PDR_MAX_REMEMBERED};
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_problem::Horn;
use alphorn_problem::hint::HintKind;
use alphorn_problem::lemma::HornLemma as Shared;
use alphorn_term::{Op, TermId};

impl Search<'_> {
    /// Tells others of a formula over a predicate's parameters that holds whatever can be derived.
    pub(super) fn publish(&mut self, pred: Pred, formula: TermId, ctx: &mut Ctx<'_>) {
        let Some(id) = self.horn.pred_ids().nth(pred) else { return };
        if let Some(lemma) = Shared::new(&self.store, id, &self.system.params[pred], formula) {
            ctx.publish::<Horn>(lemma);
        }
        let predicate = self.horn.pred_name(id).to_owned();
        let formula = self.shown(id, formula);
        ctx.emit(Event::Proved { predicate, formula });
    }

    /// Takes over what other engines say holds whatever can be derived. Answers do not depend on
    /// that: the last proof is of every clause.
    /// Returned are the formulas that may hold.
    pub(super) fn hear(&mut self, ctx: &mut Ctx<'_>) -> Vec<(Pred, TermId)> {
        let mut hints = Vec::new();
        for lemma in ctx.news::<Horn>().into_iter().filter(|lemma| lemma.is_formula()) {
            let pred = lemma.pred.index();
            let Some(params) = self.system.params.get(pred).cloned() else { continue };
            match lemma.read(&mut self.store, &params) {
                Some(formula) if lemma.is_held() => self.adopt(pred, formula),
                Some(formula) => hints.push((pred, formula)),
                None => {}
            }
        }
        hints
    }

    /// Makes lemmas of those of the hints that hold at the first level.
    pub(super) fn try_hints(
        &mut self,
        hints: Vec<(Pred, TermId)>,
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        let mut left = hints;
        left.truncate(PDR_MAX_HINTS.size());
        left.reverse();
        while let Some((pred, formula)) = left.pop() {
            if self.store.op(formula) == Op::And {
                let parts = self.store.args(formula).iter().rev().map(|&part| (pred, part));
                left.extend(parts.collect::<Vec<_>>());
                continue;
            }
            let cube = self.excluded_by(formula);
            if self.frames.excluded_up_to(pred, &cube) > 0 {
                continue;
            }
            if let Ok(core) = self.inductive(pred, 1, &cube, ctx)? {
                let level = self.raise(pred, 1, &core, ctx)?;
                self.add_lemma(pred, core, level, ctx);
            }
        }
        Ok(())
    }

    /// Remembers the lemmas of all levels, where somebody keeps them for a later run.
    pub(super) fn remember(&self, ctx: &mut Ctx<'_>) {
        if !ctx.is_recorded() {
            return;
        }
        let mut lemmas: Vec<(Shared, u64)> = Vec::new();
        for (pred, id) in self.horn.pred_ids().enumerate() {
            for lemma in self.frames.of(pred).iter().filter(|lemma| lemma.level < INFINITY) {
                let (params, formula) = (&self.system.params[pred], lemma.formula);
                let shared = Shared::of_hint(&self.store, id, params, formula, HintKind::Formula);
                lemmas.extend(shared.map(|shared| (shared, lemma.level as u64)));
            }
        }
        lemmas.sort_by_key(|(_, level)| std::cmp::Reverse(*level));
        lemmas.truncate(PDR_MAX_REMEMBERED.size());
        ctx.remember::<Horn>(lemmas);
    }

    /// The cube that a formula excludes.
    fn excluded_by(&mut self, formula: TermId) -> Vec<TermId> {
        let parts = match self.store.op(formula) {
            Op::Or => self.store.args(formula).to_vec(),
            _ => vec![formula],
        };
        sorted(parts.into_iter().map(|part| self.store.not(part)).collect())
    }

    /// Takes over a formula over a predicate's parameters.
    pub(super) fn adopt(&mut self, pred: Pred, lemma: TermId) {
        if self.store.op(lemma) == Op::And {
            for part in self.store.args(lemma).to_vec() {
                self.adopt(pred, part);
            }
            return;
        }
        let cube = self.excluded_by(lemma);
        if self.frames.add(pred, Lemma { cube, formula: lemma, level: INFINITY }) {
            self.solvers.add_lemma(&mut self.store, &mut self.system, (pred, lemma, INFINITY));
        }
    }
}
