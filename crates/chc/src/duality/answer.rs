//! The model that an unwinding is when no clause leads out of its uncovered instances.
//!
//! Each predicate is the disjunction of the annotations of its uncovered instances. Disjuncts that
//! others imply are dropped, as far as questions about pairs tell, and the rest is simplified.

use super::unwinding::Unwinding;
use crate::la::bounded::Bounded;
use crate::settings::DUALITY_LARGEST_SIMPLIFIED;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::horn::{Definition, HornClaim};
use alphorn_problem::{Finding, Horn};
use alphorn_smt::project::simplify;
use alphorn_term::TermId;

impl Unwinding<'_> {
    /// The model of the uncovered instances.
    pub(super) fn answer(mut self, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        let mut definitions = Vec::with_capacity(self.bounded.system.params.len());
        for pred in 0..self.bounded.system.params.len() {
            let params = self.bounded.system.params[pred].clone();
            let body = self.definition(pred, ctx)?;
            definitions.push(Definition { params, body });
        }
        Ok(Finding::Holds(HornClaim::of(self.bounded.store, definitions)))
    }

    fn definition(&mut self, pred: usize, ctx: &mut Ctx<'_>) -> Result<TermId, Stop> {
        if !self.bounded.system.relevant[pred] {
            return Ok(TermId::TRUE);
        }
        let mut kept: Vec<TermId> = Vec::new();
        for node in self.uncovered_of(pred) {
            let Bounded { entailments, store, nodes, .. } = &mut self.bounded;
            let annotation = store.and(&nodes[node].lemmas);
            let mut is_implied = false;
            for &other in &kept {
                is_implied = is_implied || entailments.implies(store, &[annotation], other, ctx)?;
            }
            if !is_implied {
                let mut rest = Vec::with_capacity(kept.len() + 1);
                for other in kept {
                    if !entailments.implies(store, &[other], annotation, ctx)? {
                        rest.push(other);
                    }
                }
                rest.push(annotation);
                kept = rest;
            }
        }
        let store = &mut self.bounded.store;
        let whole = store.or(&kept);
        let is_small = store.dag_size(&[whole]) <= DUALITY_LARGEST_SIMPLIFIED.size();
        Ok(if is_small { simplify(store, whole, &[], None) } else { whole })
    }
}
