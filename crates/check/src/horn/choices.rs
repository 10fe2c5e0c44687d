//! Checks that choices of a derivation matter: with other values the derivation does not go through.
//!
//! The derivation is checked first. Then the formulas that it is with the other values are made anew
//! (`problem::obligation::derivation`), and the refutation of them is replayed.

use super::check_derivation;
use crate::proof::replay;
use crate::{Refusal, work};
use alphorn_problem::Derived;
use alphorn_problem::evidence::horn::{Avoided, Change, ChangedChoices};
use alphorn_problem::obligation::derivation::{changed, choices};
use alphorn_term::Store;
use std::borrow::Cow;

/// Accepts `changed` if each of its sets shows that no derivation by the same clauses from the same premises, with the
/// same choices otherwise, has the changed ones.
pub fn check_choices(derived: &Derived, changed: &ChangedChoices) -> Result<(), Refusal> {
    check_steps(derived)?;
    if changed.sets.is_empty() {
        return Err(Refusal::new("the changes", "there are none"));
    }
    if !changed.terms.extends(&derived.horn.terms) {
        return Err(Refusal::new("the refutations", "their terms do not extend the system's"));
    }
    let mut store = Cow::Borrowed(&changed.terms);
    for (index, set) in changed.sets.iter().enumerate() {
        check_changes(derived, set, &mut store).map_err(|refusal| Refusal {
            place: format!("set {index}, {}", refusal.place),
            ..refusal
        })?;
    }
    Ok(())
}

/// Accepts that every value of the derivation follows from the clauses.
pub fn check_no_choices(derived: &Derived) -> Result<(), Refusal> {
    check_steps(derived)?;
    let mut steps = derived.derivation.steps.iter();
    match steps.position(|step| !choices(&derived.horn, step.clause).is_empty()) {
        Some(step) => Err(Refusal::new(format!("step {step}"), "it has a choice")),
        None => Ok(()),
    }
}

/// The derivation is one, step by step.
fn check_steps(derived: &Derived) -> Result<(), Refusal> {
    let Derived { horn, derivation } = derived;
    check_derivation(horn, derivation)?;
    match derivation.refuted.is_some() {
        true => Err(Refusal::new("the derivation", "the clauses are refuted as formulas")),
        false => Ok(()),
    }
}

fn check_changes(
    derived: &Derived,
    set: &Avoided,
    store: &mut Cow<'_, Store>,
) -> Result<(), Refusal> {
    let Derived { horn, derivation } = derived;
    let place = |change: &Change| (change.step, change.var);
    let pairs = set.changes.windows(2);
    if set.changes.is_empty() || pairs.into_iter().any(|pair| place(&pair[0]) >= place(&pair[1])) {
        return Err(Refusal::new("the changes", "there is none, or they are not in order"));
    }
    let formulas = changed(horn, derivation, &set.changes, store.to_mut())
        .map_err(|reason| Refusal::new("the changes", reason))?;
    let meter = work::of_refutation(store, &formulas, &set.proof);
    replay(store, &formulas, &set.proof, &meter)
}
