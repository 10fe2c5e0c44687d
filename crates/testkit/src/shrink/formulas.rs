//! Formulas that are asserted together, made smaller: fewer of them, then simpler ones.

use super::{Shrink, shorter};
use alphorn_reduce::terms;
use alphorn_term::{Store, TermId};

/// Formulas that are asserted together, with the store their terms are in.
#[derive(Clone, Debug)]
pub struct Assertions {
    /// The terms.
    pub store: Store,
    /// The formulas.
    pub formulas: Vec<TermId>,
}

impl Shrink for Assertions {
    fn smaller(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        let fewer = shorter(&self.formulas)
            .map(|formulas| Assertions { store: self.store.clone(), formulas });
        let simpler = (0..self.formulas.len()).flat_map(move |at| {
            let found = terms::smaller(&self.store, self.formulas[at]);
            found.into_iter().map(move |(store, formula)| {
                let mut formulas = self.formulas.clone();
                formulas[at] = formula;
                Assertions { store, formulas }
            })
        });
        Box::new(fewer.chain(simpler))
    }

    fn show(&self) -> String {
        let mut text = crate::formulas::declarations(&self.store, &self.formulas);
        for formula in &self.formulas {
            text.push_str(&format!("(assert {})\n", self.store.show(*formula)));
        }
        text
    }
}
