//! The applications that may still give instances of a formula.
//!
//! Where a trigger is one application whose arguments are the variables, an application and an
//! instance are the same thing, and an instance that was stated is true in every assignment: clauses
//! stay. So it is left out for good, and a question is matched with what is new since the last, not
//! with all that there ever was. What was matched and not stated, as the assignment made the instance
//! true, stays, for another assignment may not.
//!
//! Invariant: every application that the search has and that is not here was stated, or is to come.

use alphorn_term::{Op, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Known, Quantifiers, STEPS_PER_TICK};
use crate::theories::Theories;
use crate::theories::kernel::Kernel;

/// The applications that wait for a trigger.
pub(super) struct Waiting {
    op: Op,
    /// Which argument each variable is; nothing if some variable is none.
    places: Option<Vec<usize>>,
    /// How many applications of the function were seen.
    seen: usize,
    /// Those of them whose instances were not stated.
    terms: Vec<TermId>,
}

impl Waiting {
    /// Nothing has been seen yet.
    pub(super) fn new(op: Op, places: Vec<Option<usize>>) -> Waiting {
        let places = places.into_iter().collect();
        Waiting { op, places, seen: 0, terms: Vec::new() }
    }

    /// Sees applications that came since, and forgets those that were stated; the steps of it.
    fn update(
        &mut self,
        store: &Store,
        all: &FxHashMap<Op, Vec<TermId>>,
        is_stated: impl Fn(Vec<TermId>) -> bool,
    ) -> u64 {
        let Some(places) = &self.places else { return 0 };
        let all = all.get(&self.op).map_or(&[][..], Vec::as_slice);
        self.terms.extend(&all[self.seen.min(all.len())..]);
        self.seen = all.len();
        let steps = self.terms.len() as u64;
        self.terms.retain(|case| {
            let args = store.args(*case);
            !is_stated(places.iter().map(|place| args[*place]).collect())
        });
        steps
    }

    /// The cases that the query is about, in the order of their ids; nothing for triggers that are to
    /// be matched with all.
    pub(super) fn cases(&self, quantifiers: &Quantifiers) -> Option<Vec<TermId>> {
        self.places.as_ref()?;
        let is_alive = |term: &TermId| quantifiers.is_alive(*term);
        let mut terms: Vec<TermId> = self.terms.iter().copied().filter(is_alive).collect();
        terms.sort_unstable();
        Some(terms)
    }
}

/// Sees which applications wait for the triggers of these formulas.
pub(super) fn wait(kernel: &mut Kernel, store: &Store, universal: &[TermId]) {
    let Theories { quantifiers, equality, .. } = kernel.theory_mut();
    let Quantifiers { known, stated, ticks, .. } = quantifiers;
    let stated: &FxHashSet<(TermId, Vec<TermId>)> = stated;
    for &quantifier in universal {
        let Some(Known { waiting, .. }) = known.get_mut(&quantifier) else { continue };
        for waiting in waiting {
            let is_stated = |terms| stated.contains(&(quantifier, terms));
            let steps = waiting.update(store, &equality.cases, is_stated);
            *ticks += steps / STEPS_PER_TICK;
        }
    }
}
