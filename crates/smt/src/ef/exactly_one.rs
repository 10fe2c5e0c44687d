//! Truth values of which exactly one in a group is true: rows and columns of permutations.
//!
//! Such a value that is tried as true decides its whole group; tried as false it decides nothing. A group is
//! a disjunction of constants or variables any two of which exclude each other, among the conjuncts of the formulas.

use alphorn_term::{Op, SortId, Store, TermId};
use rustc_hash::FxHashSet;

/// The most conjuncts that are looked at, and the most values of one group.
const MAX_CONJUNCTS: usize = 1 << 18;
const MAX_GROUP: usize = 256;

/// The truth values that stand in a group of which exactly one is true, in the order of the groups.
pub fn exactly_one(store: &Store, formulas: &[TermId]) -> Vec<TermId> {
    let mut groups: Vec<&[TermId]> = Vec::new();
    let mut excluded: FxHashSet<(TermId, TermId)> = FxHashSet::default();
    let mut stack: Vec<TermId> = formulas.to_vec();
    let mut count = 0;
    while let Some(formula) = stack.pop() {
        count += 1;
        if count > MAX_CONJUNCTS {
            return Vec::new();
        }
        let args = store.args(formula);
        match store.op(formula) {
            Op::And => stack.extend(args),
            Op::Or => {
                if args.len() <= MAX_GROUP && args.iter().all(|arg| is_symbol(store, *arg)) {
                    groups.push(args);
                }
                if let &[first, second] = args
                    && let (Some(first), Some(second)) =
                        (negated(store, first), negated(store, second))
                {
                    excluded.insert((first.min(second), first.max(second)));
                }
            }
            Op::Not if store.op(args[0]) == Op::And => {
                if let &[first, second] = store.args(args[0]) {
                    excluded.insert((first.min(second), first.max(second)));
                }
            }
            _ => {}
        }
    }
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    for group in groups.into_iter().rev() {
        let mut pairs = group.iter().enumerate().flat_map(|(place, first)| {
            group[place + 1..].iter().map(|second| (*first.min(second), *first.max(second)))
        });
        if pairs.all(|pair| excluded.contains(&pair)) {
            found.extend(group.iter().copied().filter(|value| seen.insert(*value)));
        }
    }
    found
}

fn is_symbol(store: &Store, term: TermId) -> bool {
    store.sort(term) == SortId::BOOL
        && store.args(term).is_empty()
        && matches!(store.op(term), Op::Var(_) | Op::Apply(_))
}

fn negated(store: &Store, term: TermId) -> Option<TermId> {
    match store.op(term) {
        Op::Not => Some(store.args(term)[0]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disjunction_with_all_exclusions_is_a_group() {
        let mut store = Store::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| store.var(name, SortId::BOOL));
        let some = store.or(&[a, b, c]);
        let mut formulas = vec![some];
        for [first, second] in [[a, b], [b, c]] {
            let both = store.and(&[first, second]);
            formulas.push(store.not(both));
        }
        assert_eq!(exactly_one(&store, &formulas), vec![]);
        let [no_a, no_c] = [a, c].map(|value| store.not(value));
        formulas.push(store.or(&[no_a, no_c]));
        let whole = store.and(&formulas);
        assert_eq!(exactly_one(&store, &[whole]).len(), 3);
    }
}
