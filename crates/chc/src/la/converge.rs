//! A model of the whole system from the annotations of a bounded one.
//!
//! The lemmas of all instances, those of earlier layers as well, are candidates for invariants: a lemma that
//! the last layer needs in a stronger form may be kept by the clauses as an earlier layer has it. Those
//! that a clause breaks are dropped, which may break others, until none is broken; what is left is the
//! strongest model that is a conjunction of candidates. If it excludes all queries, it answers the system. If
//! not, it holds all the same, and other engines are told.
//!
//! This is the Houdini algorithm (Flanagan, Leino, FME 2001), as McMillan uses it (CAV 2010).

use super::bounded::Bounded;
use crate::houdini::{Guesses, Houdini};
use crate::settings::LA_MAX_CANDIDATES;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::transform::System;
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::Definition;
use alphorn_problem::horn::PredId;
use alphorn_problem::lemma::HornLemma;
use alphorn_term::TermId;

impl Bounded<'_> {
    /// Definitions that satisfy all clauses, made of the lemmas of all instances.
    pub(crate) fn converge(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<Vec<Definition>>, Stop> {
        let guesses = Guesses { params: self.system.params.clone(), of: self.candidates() };
        let system = System::of(self.horn);
        let mut search = Houdini::new(&system, &mut self.store, &guesses);
        let is_model = search.settle(&mut self.store, ctx)?;
        let left: Vec<Vec<TermId>> = (0..guesses.of.len()).map(|pred| search.left(pred)).collect();
        drop(search);
        let mut definitions = Vec::with_capacity(left.len());
        for (pred, (params, lemmas)) in guesses.params.iter().zip(left).enumerate() {
            let is_relevant = self.system.relevant[pred];
            let body = if is_relevant { self.store.and(&lemmas) } else { TermId::TRUE };
            if !is_model {
                self.publish(pred, &lemmas, ctx);
            }
            definitions.push(Definition { params: params.clone(), body });
        }
        Ok(is_model.then_some(definitions))
    }

    /// The lemmas of each predicate's instances, those of the latest first; that there are no facts where
    /// there are no instances.
    fn candidates(&self) -> Vec<Vec<TermId>> {
        let mut found: Vec<Vec<TermId>> = vec![Vec::new(); self.system.params.len()];
        let mut has_instances = vec![false; found.len()];
        for node in self.nodes.iter().rev() {
            has_instances[node.pred] = true;
            let all = &mut found[node.pred];
            for &lemma in &node.lemmas {
                if all.len() < LA_MAX_CANDIDATES.size() && !all.contains(&lemma) {
                    all.push(lemma);
                }
            }
        }
        for (pred, all) in found.iter_mut().enumerate() {
            if !has_instances[pred] && self.system.relevant[pred] {
                all.push(TermId::FALSE);
            }
        }
        found
    }

    /// Tells other engines what holds of a predicate's facts, each formula once.
    fn publish(&mut self, pred: usize, lemmas: &[TermId], ctx: &mut Ctx<'_>) {
        for &lemma in lemmas {
            if self.told.insert((pred, lemma)) {
                let id = PredId(pred as u32);
                let params = &self.system.params[pred];
                if let Some(lemma) = HornLemma::new(&self.store, id, params, lemma) {
                    ctx.publish::<Horn>(lemma);
                }
            }
        }
    }
}
