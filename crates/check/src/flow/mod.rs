//! Checks evidence about flows: that ranks let no run go on for ever, or that choices let one; and labels of
//! temporal formulas, which are made of both.
//!
//! All are formulas with a refutation each, listed by `alphorn_problem::obligation::flow`; the graph is
//! looked at there. A path is evaluated. `PROOFS.md` has the theorems.

mod form;
mod ranking;
mod recurrence;
mod temporal;

pub use ranking::check_termination;
pub use recurrence::{check_path, check_recurrence};
pub use temporal::{check_fails, check_holds};

use crate::Refusal;
use crate::proof::replay;
use alphorn_problem::evidence::proof::Proof;
use alphorn_term::{Meter, Store, Substitution, TermId};
use std::borrow::Cow;

/// Replays the proof of an obligation, whose terms may be made for what they take.
pub(crate) fn settle(
    store: &mut Cow<'_, Store>,
    place: &str,
    proof: &Proof,
    meter: &Meter,
    assertions: impl FnOnce(&mut Store) -> Vec<TermId>,
) -> Result<(), Refusal> {
    let effort = store.effort();
    let all = assertions(store.to_mut());
    let made = store.effort() - effort;
    meter.spend(made).map_err(|exhausted| Refusal::new(place, exhausted))?;
    replay(store, &all, proof, meter).map_err(|refusal| {
        let at = format!("{place}, {}", refusal.place);
        Refusal { place: at, ..refusal }
    })
}

/// Counts the work of putting terms in the place of variables.
pub(crate) fn may_move(
    store: &Store,
    roots: &[TermId],
    from: &[TermId],
    to: &[TermId],
    meter: &Meter,
) -> Result<(), String> {
    let map: Substitution = from.iter().copied().zip(to.iter().copied()).collect();
    alphorn_term::eval::bound::substitution(store, roots, &map, meter)
}
