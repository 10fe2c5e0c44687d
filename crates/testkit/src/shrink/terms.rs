//! Terms made smaller: a part replaced by a constant, or by a part of it of the same sort.

use alphorn_term::{Op, SortId, Store, TermId, Value};
use std::collections::BTreeMap;

/// `root` with the part `from` replaced by `to`, which is of its sort.
pub(super) fn replaced(store: &mut Store, root: TermId, from: TermId, to: TermId) -> TermId {
    let mut done = BTreeMap::from([(from, to)]);
    for term in store.subterms(&[root]) {
        if !done.contains_key(&term) {
            let args: Vec<TermId> = store.args(term).to_vec();
            let new: Vec<TermId> = args.iter().map(|arg| done[arg]).collect();
            let rebuilt = if new == args { term } else { store.rebuild(term, &new) };
            done.insert(term, rebuilt);
        }
    }
    done[&root]
}

/// What may be put in the place of `part`: constants, and parts of it of the same sort.
fn substitutes(store: &mut Store, part: TermId) -> Vec<TermId> {
    let sort = store.sort(part);
    if sort == SortId::BOOL && [TermId::TRUE, TermId::FALSE].contains(&part) {
        return Vec::new();
    }
    let mut found = match sort {
        SortId::BOOL => vec![TermId::TRUE, TermId::FALSE],
        _ => {
            let value = Value::default_of(store, sort);
            value.and_then(|value| store.value_term(&value)).into_iter().collect()
        }
    };
    if found.first() == Some(&part) {
        return Vec::new();
    }
    found.extend(store.args(part).iter().copied().filter(|arg| store.sort(*arg) == sort));
    found
}

/// The terms that `root` becomes by one replacement, those near the root first. Parts below quantifiers
/// stay: their variables are not free.
pub(super) fn smaller(store: &Store, root: TermId) -> Vec<(Store, TermId)> {
    let mut parts: Vec<TermId> = Vec::new();
    let mut next = vec![root];
    while let Some(part) = next.pop() {
        if parts.contains(&part) || matches!(store.op(part), Op::Var(_)) && part != root {
            continue;
        }
        parts.push(part);
        if !matches!(store.op(part), Op::Forall | Op::Exists) {
            next.extend(store.args(part).iter().rev());
        }
    }
    let mut found = Vec::new();
    for part in parts {
        let mut grown = store.clone();
        for substitute in substitutes(&mut grown, part) {
            let mut grown = grown.clone();
            let term = replaced(&mut grown, root, part, substitute);
            if term != root && size(&grown, term) < size(store, root) {
                found.push((grown, term));
            }
        }
    }
    found
}

/// What a replacement makes less: parts, with constants counted for less than others.
fn size(store: &Store, root: TermId) -> usize {
    store.subterms(&[root]).iter().map(|term| 1 + 2 * store.args(*term).len()).sum::<usize>()
        + usize::from(![TermId::TRUE, TermId::FALSE].contains(&root))
}
