//! Terms made smaller: a part replaced by a constant, by a part of it of the same sort, or a number by its half.

use alphorn_term::{Int, Op, SortId, Store, TermId, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A replacement of a part of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    part: TermId,
    by: By,
}

/// What stands in the place of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    True,
    False,
    /// The default value of its sort.
    Default,
    /// Its argument at this position.
    Argument(usize),
    /// Half of the number that it is.
    Half,
}

/// `root` with the part `from` replaced by `to`, which is of its sort.
pub fn replaced(store: &mut Store, root: TermId, from: TermId, to: TermId) -> TermId {
    mapped(store, root, |_, term, _| (term == from).then_some(to))
}

/// `root` with other terms for its parts: `map` is given each with its new arguments, and says nothing where the
/// part stays what it is, on these arguments.
pub fn mapped(
    store: &mut Store,
    root: TermId,
    mut map: impl FnMut(&mut Store, TermId, &[TermId]) -> Option<TermId>,
) -> TermId {
    let mut done: BTreeMap<TermId, TermId> = BTreeMap::new();
    for term in store.subterms(&[root]) {
        let args: Vec<TermId> = store.args(term).to_vec();
        let new: Vec<TermId> = args.iter().map(|arg| done[arg]).collect();
        let made = match map(store, term, &new) {
            Some(made) => made,
            None if new == args => term,
            None => store.rebuild(term, &new),
        };
        done.insert(term, made);
    }
    done[&root]
}

/// What may be put in the place of `part`: constants, and parts of it of the same sort.
fn substitutes(store: &Store, part: TermId) -> Vec<By> {
    let sort = store.sort(part);
    if [TermId::TRUE, TermId::FALSE].contains(&part) {
        return Vec::new();
    }
    if let Some(value) = store.int_value(part) {
        return match value.bit_len() {
            0 => Vec::new(),
            1 => vec![By::Default],
            _ => vec![By::Default, By::Half],
        };
    }
    let mut found = match sort {
        SortId::BOOL => vec![By::True, By::False],
        _ => vec![By::Default],
    };
    let of_sort = |(_, arg): &(usize, &TermId)| store.sort(**arg) == sort;
    let args = store.args(part).iter().enumerate().filter(of_sort);
    found.extend(args.map(|(at, _)| By::Argument(at)));
    found
}

/// The replacements in a term, those near the root first. Parts below quantifiers stay: their variables are not
/// free.
pub fn changes(store: &Store, root: TermId) -> Vec<Change> {
    let mut seen: BTreeSet<TermId> = BTreeSet::new();
    let mut next = vec![root];
    let mut found = Vec::new();
    while let Some(part) = next.pop() {
        if matches!(store.op(part), Op::Var(_)) && part != root || !seen.insert(part) {
            continue;
        }
        found.extend(substitutes(store, part).into_iter().map(|by| Change { part, by }));
        if !matches!(store.op(part), Op::Forall | Op::Exists) {
            next.extend(store.args(part).iter().rev());
        }
    }
    found
}

/// The term after a replacement, if it is smaller.
pub fn changed(store: &mut Store, root: TermId, change: &Change) -> Option<TermId> {
    let Change { part, by } = *change;
    let before = size(store, root);
    let to = match by {
        By::True => TermId::TRUE,
        By::False => TermId::FALSE,
        By::Default => {
            let value = Value::default_of(store, store.sort(part))?;
            store.value_term(&value)?
        }
        By::Argument(at) => *store.args(part).get(at)?,
        By::Half => {
            let half = store.int_value(part)?.div_euclid(&Int::from(2))?;
            store.int(half)
        }
    };
    let term = replaced(store, root, part, to);
    (term != root && size(store, term) < before).then_some(term)
}

/// The terms that `root` becomes by one replacement, each with a store of its own.
pub fn smaller(store: &Store, root: TermId) -> Vec<(Store, TermId)> {
    let one = |change: &Change| {
        let mut store = store.clone();
        let term = changed(&mut store, root, change)?;
        Some((store, term))
    };
    changes(store, root).iter().filter_map(one).collect()
}

/// What a replacement makes less: parts, with constants counted for less than others, and the bits of numbers.
fn size(store: &Store, root: TermId) -> usize {
    let one = |term: &TermId| {
        let bits = store.int_value(*term).map_or(0, Int::bit_len);
        1 + 2 * store.args(*term).len() + bits
    };
    store.subterms(&[root]).iter().map(one).sum::<usize>()
        + usize::from(![TermId::TRUE, TermId::FALSE].contains(&root))
}
