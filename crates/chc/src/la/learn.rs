//! What is learned from a conflict: an interpolant, made as simple as the rule allows.
//!
//! Interpolants from proofs tend to be disjunctions, since most cases are distinguished in the rule
//! and not in the suffix, whose atoms are decided. Disjuncts are dropped as long as the rule, with
//! the annotations below it, implies the rest. Where that leaves much, models of the rule are
//! sampled: each gives an implicant, conjunctions have simple interpolants, and their disjunction
//! is the interpolant.

use super::bounded::Bounded;
use super::interpolants::interpolants;
use super::system::{Pred, conjuncts, disjuncts};
use super::templates::Separated;
use crate::settings::{LA_LARGEST, LA_MAX_CONFLICTS, LA_MAX_SAMPLES};
use alphorn_engine::{Ctx, Stop};
use alphorn_smt::Answer;
use alphorn_smt::interpolate::binary;
use alphorn_smt::project::implicant;
use alphorn_term::{TermId, Value};

impl Bounded<'_> {
    /// A formula that a rule's demands imply, and what it excludes of everything else that is
    /// demanded; the core is what the contradiction needed. Nothing if none was found.
    pub(super) fn separate(
        &mut self,
        at: (Pred, &[TermId]),
        own: &[TermId],
        others: &[TermId],
        (prefix, suffix): (&[TermId], &[TermId]),
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Separated>, Stop> {
        if suffix.is_empty() {
            return Ok(Some(Separated { formula: TermId::FALSE, suffix: Vec::new() }));
        }
        if self.switches.templates
            && let Some(mut found) = self.by_templates(at, own, others, (prefix, suffix), ctx)?
        {
            if self.switches.generalization {
                found.formula = self.drop_disjuncts(own, found.formula, ctx)?;
            }
            return Ok(Some(found));
        }
        let Some(found) = self.interpolant(prefix, suffix, ctx)? else { return Ok(None) };
        let mut formula = found;
        if self.switches.generalization {
            formula = self.drop_disjuncts(own, found, ctx)?;
            if self.store.dag_size(&[formula]) > LA_LARGEST.size()
                && let Some(sampled) = self.sample(own, suffix, ctx)?
                && self.store.tree_size(sampled) < self.store.tree_size(formula)
            {
                formula = sampled;
            }
        }
        Ok(Some(Separated { formula, suffix: suffix.to_vec() }))
    }

    fn interpolant(
        &mut self,
        prefix: &[TermId],
        suffix: &[TermId],
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<TermId>, Stop> {
        self.counts.interpolants += 1;
        let store = &mut self.store;
        let (inside, outside) = (store.and(prefix), store.and(suffix));
        let found = interpolants(ctx, LA_MAX_CONFLICTS.get(), |options| {
            binary(store, inside, outside, options)
        })?;
        Ok(found.and_then(|mut found| found.pop()))
    }

    /// A formula without the disjuncts of its conjuncts that the demands do not need.
    fn drop_disjuncts(
        &mut self,
        own: &[TermId],
        formula: TermId,
        ctx: &mut Ctx<'_>,
    ) -> Result<TermId, Stop> {
        let mut result = Vec::new();
        for part in conjuncts(&self.store, formula) {
            let mut kept = disjuncts(&self.store, part);
            if kept.len() > 1 {
                let mut place = 0;
                while place < kept.len() {
                    let mut fewer = kept.clone();
                    fewer.remove(place);
                    match self.needed_disjuncts(own, &fewer, ctx)? {
                        Some(needed) => kept = needed,
                        None => place += 1,
                    }
                }
            }
            result.push(self.store.or(&kept));
        }
        Ok(self.store.and(&result))
    }

    /// Of disjuncts whose disjunction the demands imply those that matter; nothing if they do not.
    fn needed_disjuncts(
        &mut self,
        own: &[TermId],
        kept: &[TermId],
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<TermId>>, Stop> {
        let denied: Vec<TermId> = kept.iter().map(|&part| self.store.not(part)).collect();
        let mut demands = own.to_vec();
        demands.extend(&denied);
        if self.check(&demands, ctx)? != Answer::Unsat {
            return Ok(None);
        }
        let core = self.smt.failed();
        let is_needed = |place: &usize| core.contains(&denied[*place]);
        Ok(Some((0..kept.len()).filter(is_needed).map(|place| kept[place]).collect()))
    }

    /// The disjunction of interpolants for implicants of the demands; nothing if it takes many.
    fn sample(
        &mut self,
        own: &[TermId],
        suffix: &[TermId],
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<TermId>, Stop> {
        let mut found: Vec<TermId> = Vec::new();
        for _ in 0..LA_MAX_SAMPLES.size() {
            let mut demands = own.to_vec();
            demands.extend(found.iter().map(|&part| self.store.not(part)));
            match self.check(&demands, ctx)? {
                Answer::Unsat => return Ok(Some(self.store.or(&found))),
                Answer::Unknown => return Ok(None),
                Answer::Sat => {}
            }
            let mut model = self.model();
            for var in self.store.free_vars(&demands) {
                if !model.vars.contains_key(&var)
                    && let Some(value) = Value::default_of(&self.store, self.store.sort(var))
                {
                    model.set(var, value);
                }
            }
            let Some(cube) = implicant(&mut self.store, own, &model) else { return Ok(None) };
            match self.interpolant(&cube, suffix, ctx)? {
                Some(part) => found.push(part),
                None => return Ok(None),
            }
        }
        Ok(None)
    }
}
