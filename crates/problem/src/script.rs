//! Questions of SMT-LIB scripts: whether formulas have a model together.
//!
//! What is asked are the assertions in force and the assumptions of the question, in this order. What
//! is bad, in the words of `Verdict`, is that there is a model.

use alphorn_term::{SortId, Store, TermId};

/// Formulas of which it is asked whether all can hold.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// The terms of the formulas, and of what is said about them.
    pub terms: Store,
    /// Boolean terms, in the order in which they were asserted.
    pub formulas: Vec<TermId>,
}

impl Question {
    /// Whether these are formulas; the position of the first that is none.
    pub fn validate(&self) -> Result<(), usize> {
        let is_formula = |&term: &TermId| {
            term.index() < self.terms.len() && self.terms.sort(term) == SortId::BOOL
        };
        let wrong = self.formulas.iter().position(|formula| !is_formula(formula));
        wrong.map_or(Ok(()), Err)
    }
}
