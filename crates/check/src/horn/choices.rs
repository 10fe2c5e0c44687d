//! Checks that a choice of a derivation matters: with another value the derivation does not go through.
//!
//! The derivation is checked first. Then the formulas that it is with the other value are made anew
//! (`problem::obligation::derivation`), and the refutation of them is replayed.

use super::check_derivation;
use crate::proof::replay;
use crate::{Refusal, work};
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Derivation, Refuted};
use alphorn_problem::obligation::derivation::{Change, changed};
use std::borrow::Cow;

/// A change that was seen to avoid a derivation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matters {
    change: Change,
}

impl Matters {
    /// The change.
    pub fn change(&self) -> &Change {
        &self.change
    }
}

/// Accepts `refuted` if it shows that no derivation by the same clauses from the same premises, with the
/// same choices otherwise, has the changed one.
pub fn check_choice(
    horn: &Horn,
    derivation: &Derivation,
    change: Change,
    refuted: &Refuted,
) -> Result<Matters, Refusal> {
    check_derivation(horn, derivation)?;
    if derivation.refuted.is_some() || change.step >= derivation.steps.len() {
        return Err(Refusal::new("the change", "there is no such step"));
    }
    if !refuted.terms.extends(&horn.terms) {
        return Err(Refusal::new("the refutation", "its terms do not extend those of the system"));
    }
    let mut store = Cow::Borrowed(&refuted.terms);
    let formulas = changed(horn, derivation, &change, store.to_mut())
        .map_err(|reason| Refusal::new("the change", reason))?;
    let meter = work::of_refutation(&store, &formulas, &refuted.proof);
    replay(&mut store, &formulas, &refuted.proof, &meter)?;
    Ok(Matters { change })
}
