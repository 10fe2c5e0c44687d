//! Formulas of transitions as assignments: which conjuncts say what a variable is afterwards.

use crate::equation::determined;
use alphorn_problem::Flow;
use alphorn_term::parts::conjuncts;
use alphorn_term::{Store, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// A formula of a transition or a start, taken apart.
pub(super) struct Updates {
    /// For a variable by position: the value that the only conjunct about it gives it, over the variables
    /// before and the inputs, and that conjunct.
    pub(super) assigned: BTreeMap<usize, (TermId, TermId)>,
    /// The other conjuncts.
    pub(super) rest: Vec<TermId>,
}

/// Takes apart a formula in which `targets` are assigned to, by position.
pub(super) fn updates(store: &mut Store, formula: TermId, targets: &[TermId]) -> Updates {
    let position: BTreeMap<TermId, usize> = targets.iter().copied().zip(0..).collect();
    let mut uses = vec![0usize; targets.len()];
    let (mut candidates, mut rest) = (Vec::new(), Vec::new());
    for part in conjuncts(store, &[formula]) {
        let mut used = Vec::new();
        for var in store.free_vars(&[part]) {
            if let Some(&at) = position.get(&var) {
                uses[at] += 1;
                used.push(at);
            }
        }
        let only = match used[..] {
            [at] => determined(store, part, &BTreeSet::from([targets[at]])).map(|it| (at, it.1)),
            _ => None,
        };
        match only {
            Some((at, value)) => candidates.push((at, value, part)),
            None => rest.push(part),
        }
    }
    let (alone, others): (Vec<_>, Vec<_>) =
        candidates.into_iter().partition(|&(at, ..)| uses[at] == 1);
    rest.extend(others.into_iter().map(|(_, _, part)| part));
    let assigned = alone.into_iter().map(|(at, value, part)| (at, (value, part))).collect();
    Updates { assigned, rest }
}

/// The value of every variable afterwards, and the guard, if a transition assigns to each.
pub(super) fn assignment(
    flow: &Flow,
    store: &mut Store,
    formula: TermId,
) -> Option<(Vec<TermId>, Vec<TermId>)> {
    let Updates { assigned, rest } = updates(store, formula, &flow.next);
    (assigned.len() == flow.next.len())
        .then(|| (assigned.into_values().map(|(value, _)| value).collect(), rest))
}
