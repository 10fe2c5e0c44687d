//! Somebody who finds models.
//!
//! Elimination, interpolation and semantic simplification ask for models of conjunctions. Who
//! answers is left open: the SMT solver, or a test that enumerates. A solver that has assertions of
//! its own answers relative to them.

use alphorn_term::{Model, Store, TermId};

/// What there is to say about a conjunction.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// A model of it; what the model leaves open may have any value.
    Sat(Box<Model>),
    /// It has no model.
    Unsat,
    /// Not known.
    Unknown,
}

/// Somebody who finds models.
pub trait Oracle {
    /// Whether all formulas can be true together.
    ///
    /// Successive questions often extend one another at the end; an implementation may use that.
    fn check(&mut self, store: &mut Store, formulas: &[TermId]) -> Outcome;

    /// Those of the last question's formulas that contradict each other, after `Outcome::Unsat`;
    /// `None` if the oracle cannot tell.
    fn core(&self) -> Option<Vec<TermId>> {
        None
    }

    /// Whether the formulas are known to be contradictory.
    fn refutes(&mut self, store: &mut Store, formulas: &[TermId]) -> bool {
        matches!(self.check(store, formulas), Outcome::Unsat)
    }
}
