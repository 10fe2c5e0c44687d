//! What to look for in order to find instances of an axiom.
//!
//! A trigger is a list of patterns that have all variables of the axiom together. An equation is matched from its larger side
//! to its smaller one first, like a rewrite rule, and the other way in later rounds; the case of a definition only
//! from what is defined.

use super::closure::tree_size;
use crate::settings::FOLD_LAWS_BACKWARDS;
use alphorn_term::{Op, Store, TermId};
use rustc_hash::FxHashSet;

/// What to look for to find instances of a formula: sides of equations and atoms that have all of its
/// variables, or several that have them together.
pub(super) fn triggers(store: &Store, vars: &[TermId], body: TermId) -> Vec<(Vec<TermId>, usize)> {
    let mut sides: Vec<(TermId, usize)> = Vec::new();
    let mut stack = vec![body];
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    while let Some(term) = stack.pop() {
        match store.op(term) {
            _ if !seen.insert(term) => {}
            Op::Not | Op::And | Op::Or => stack.extend(store.args(term)),
            Op::Eq => {
                let (left, right) = (store.args(term)[0], store.args(term)[1]);
                let (a, b) = (weight(store, left), weight(store, right));
                sides.push((left, if a >= b { 0 } else { FOLD_LAWS_BACKWARDS.size() }));
                sides.push((right, if b >= a { 0 } else { FOLD_LAWS_BACKWARDS.size() }));
            }
            _ => sides.push((term, 0)),
        }
    }
    if let Some(&(defined, _)) = sides.iter().find(|(side, _)| is_defined(store, *side))
        && store.op(body) == Op::Eq
    {
        return vec![(vec![defined], 0)];
    }
    let covers = |list: &[TermId]| {
        let free: FxHashSet<TermId> = store.free_vars(list).into_iter().collect();
        vars.iter().all(|var| free.contains(var))
    };
    let is_usable = |term: TermId| {
        matches!(store.op(term), Op::Apply(_)) || matches!(store.op(term), Op::Construct(_))
    };
    let mut found: Vec<(Vec<TermId>, usize)> = Vec::new();
    for &(side, from) in &sides {
        if is_usable(side) && store.has_apply(side) && covers(&[side]) {
            found.push((vec![side], from));
        }
    }
    if found.iter().any(|(_, from)| *from == 0) {
        return found;
    }
    // Several applications that have the variables together, the large ones first.
    let roots: Vec<TermId> = sides.iter().map(|(side, _)| *side).collect();
    let mut parts: Vec<TermId> = (store.subterms(&roots).into_iter())
        .filter(|&term| matches!(store.op(term), Op::Apply(_)) && !store.is_ground(term))
        .collect();
    parts.sort_by_key(|&term| (usize::MAX - tree_size(store, term), term));
    let (mut chosen, mut known): (Vec<TermId>, FxHashSet<TermId>) = Default::default();
    for part in parts {
        let free = store.free_vars(&[part]);
        let brings = free.iter().any(|var| vars.contains(var) && !known.contains(var));
        if brings {
            chosen.push(part);
            known.extend(free);
        }
    }
    if !chosen.is_empty() && chosen.len() <= 2 && covers(&chosen) {
        found.push((chosen, 0));
    }
    found
}

/// Whether a side of an equation is a function of what a constructor makes of variables, and of other
/// variables: such an equation is a case of a definition.
pub(super) fn is_defined(store: &Store, side: TermId) -> bool {
    let is_var = |term: &TermId| matches!(store.op(*term), Op::Var(_));
    match (store.op(side), store.args(side).split_first()) {
        (Op::Apply(_), Some((first, others))) => {
            matches!(store.op(*first), Op::Construct(_))
                && store.args(*first).iter().all(is_var)
                && others.iter().all(is_var)
        }
        _ => false,
    }
}

/// How large a term is as a side of an equation: functions weigh more than constructors.
fn weight(store: &Store, root: TermId) -> usize {
    let (mut size, mut stack) = (0, vec![root]);
    while let Some(term) = stack.pop() {
        size += match store.op(term) {
            Op::Apply(_) => 3,
            Op::Var(_) => 1,
            _ => 2,
        };
        if size > 1000 {
            break;
        }
        stack.extend(store.args(term));
    }
    size
}
