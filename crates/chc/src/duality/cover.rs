//! Covering: which instances a proposed model can do without.
//!
//! An instance is covered by an earlier one whose annotation its own implies. What depends on a
//! covered instance is covered as well. Coverings only go from later to earlier instances, which
//! rules out cycles, and only uncovered instances cover others.
//!
//! *Forced* covering makes coverings: what is known of an earlier instance is claimed of the one
//! that is to be expanded, as if it were a query. A claim is given up after few questions, fewer where
//! claims have failed before, and what was learned for it is forgotten.

use super::unwinding::Unwinding;
use crate::la::annotation::NodeId;
use crate::la::bounded::{Bounded, Outcome};
use crate::settings::DUALITY_LEAST_PATIENCE;
use alphorn_engine::{Ctx, Stop};
use alphorn_term::TermId;

impl Unwinding<'_> {
    /// Brings the coverings up to date with the annotations that were strengthened.
    pub(super) fn cover(&mut self, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        let mut changed = std::mem::take(&mut self.bounded.changed);
        changed.sort_unstable();
        if changed.is_empty() {
            return Ok(());
        }
        for id in 0..self.instances.len() {
            if let Some(by) = self.instances[id].covered_by
                && changed.binary_search(&by).is_ok()
                && !self.implies(id, by, ctx)?
            {
                self.instances[id].covered_by = None;
            }
        }
        self.update();
        for &id in &changed {
            if !self.is_covered[id] {
                self.cover_one(id, ctx)?;
            }
        }
        Ok(())
    }

    /// Whether the annotation of an instance implies that of another.
    fn implies(&mut self, id: NodeId, other: NodeId, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let Bounded { entailments, store, nodes, .. } = &mut self.bounded;
        for &lemma in &nodes[other].lemmas {
            if !entailments.implies(store, &nodes[id].lemmas, lemma, ctx)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Covers an instance if an earlier one allows it; whether there is one.
    fn cover_one(&mut self, id: NodeId, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let pred = self.bounded.nodes[id].pred;
        for other in (0..id).rev() {
            if self.bounded.nodes[other].pred == pred
                && !self.is_covered[other]
                && self.implies(id, other, ctx)?
            {
                self.instances[id].covered_by = Some(other);
                self.coverings += 1;
                self.update();
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Removes coverings by covered instances, and computes what is covered.
    fn update(&mut self) {
        for id in 0..self.instances.len() {
            let below = &self.bounded.nodes[id].ways;
            let depends = |&child: &NodeId| self.is_covered[child];
            let is_below = below.iter().flat_map(|way| way.children.iter().flatten()).any(depends);
            let instance = &mut self.instances[id];
            if instance.covered_by.is_some_and(|by| self.is_covered[by]) {
                instance.covered_by = None;
            }
            self.is_covered[id] = is_below || instance.covered_by.is_some();
        }
    }

    /// Tries to cover an instance, by what is known or by force; whether it is covered.
    pub(super) fn force(&mut self, id: NodeId, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        if self.cover_one(id, ctx)? {
            return Ok(true);
        }
        if self.options.forced == 0 {
            return Ok(false);
        }
        let pred = self.bounded.nodes[id].pred;
        let mut earlier = self.uncovered_of(pred);
        earlier.retain(|&other| other < id);
        if !earlier.is_empty() && self.bounded.nodes[id].facts.is_empty() {
            // A fact tells at once which claims are vain.
            self.claim(id, TermId::FALSE, ctx)?;
        }
        let mut left = self.options.forced;
        for other in earlier.into_iter().rev() {
            let Bounded { store, nodes, .. } = &mut self.bounded;
            let claim = store.and(&nodes[other].lemmas);
            if self.is_covered[other] || self.bounded.is_refuted(id, claim) {
                continue;
            }
            if self.claim(id, claim, ctx)? {
                self.cover(ctx)?;
                if self.is_covered[id] || self.cover_one(id, ctx)? {
                    self.forced += 1;
                    return Ok(true);
                }
            }
            left -= 1;
            if left == 0 {
                break;
            }
        }
        Ok(false)
    }

    /// Tries to prove a claim about an instance; if that fails, annotations are as before.
    fn claim(&mut self, id: NodeId, claim: TermId, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let Bounded { positions, store, system, nodes, .. } = &mut self.bounded;
        let pred = nodes[id].pred;
        let root = positions.of_claim(store, system, pred, claim);
        let before: Vec<Vec<TermId>> = nodes.iter().map(|node| node.lemmas.clone()).collect();
        let questions = self.patience[pred];
        let outcome = self.solve(root, &[Some(id)], questions, ctx)?;
        if matches!(outcome, Outcome::Refuted) {
            self.patience[pred] = (2 * questions).min(self.options.forced_questions);
            return Ok(true);
        }
        // What was learned on the way to nothing would only keep instances from covering.
        for node in std::mem::take(&mut self.bounded.changed) {
            self.bounded.nodes[node].lemmas.clone_from(&before[node]);
        }
        if matches!(outcome, Outcome::Open) {
            self.patience[pred] = (questions / 2).max(DUALITY_LEAST_PATIENCE.get());
        }
        Ok(false)
    }
}
