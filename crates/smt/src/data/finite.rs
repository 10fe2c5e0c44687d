//! Which sorts have finitely many values.
//!
//! Of an infinite sort there is always one more value; of a finite one there may be none left for a
//! class that has no constructor. So terms of finite sorts are expanded when a complete assignment leaves
//! them without one. They are not inside values of their own sort, so this ends.

use alphorn_term::{Op, Sort, SortId, Store};
use rustc_hash::FxHashMap;

use super::encode::expand;
use crate::smt::Smt;
use crate::theories::Theories;

/// Whether a sort has finitely many values, with what is known of others.
pub(crate) fn is_finite(store: &Store, sort: SortId, known: &mut FxHashMap<SortId, bool>) -> bool {
    if let Some(&finite) = known.get(&sort) {
        return finite;
    }
    // A sort that is met inside itself is infinite.
    known.insert(sort, false);
    let finite = match store.sort_of(sort) {
        Sort::Bool | Sort::BitVec(_) => true,
        Sort::Int | Sort::Real | Sort::Uninterpreted(..) => false,
        Sort::Array(index, element) => {
            let (index, element) = (*index, *element);
            is_single(store, element)
                || (is_finite(store, index, known) && is_finite(store, element, known))
        }
        Sort::Data(data) => {
            let fields = store.data(*data).ctors.iter().flat_map(|ctor| &store.ctor(*ctor).fields);
            fields.fold(true, |all, (_, field)| is_finite(store, *field, known) && all)
        }
    };
    known.insert(sort, finite);
    finite
}

/// Whether a sort has one value.
fn is_single(store: &Store, sort: SortId) -> bool {
    alphorn_term::value::cardinality(store, sort) == Some(1)
}

/// Whether values of a sort can be inside values of another that is a datatype: below constructors
/// alone, or also below arrays.
pub(crate) fn is_inside(store: &Store, outer: SortId, inner: SortId, with_arrays: bool) -> bool {
    let mut seen = vec![outer];
    let mut at = 0;
    while let Some(&sort) = seen.get(at) {
        at += 1;
        if sort == inner {
            return true;
        }
        let mut fields: Vec<SortId> = Vec::new();
        match store.sort_of(sort) {
            Sort::Data(data) => {
                let ctors = store.data(*data).ctors.iter();
                fields
                    .extend(ctors.flat_map(|ctor| &store.ctor(*ctor).fields).map(|(_, sort)| sort));
            }
            Sort::Array(index, element) if with_arrays => fields.extend([*index, *element]),
            _ => {}
        }
        for field in fields {
            if !seen.contains(&field) {
                seen.push(field);
            }
        }
    }
    false
}

/// Expands terms of finite datatypes that have no constructor; whether there were any.
pub(super) fn refine(smt: &mut Smt, store: &mut Store) -> bool {
    let Theories { data, equality, .. } = smt.theory_mut();
    let mut open = Vec::new();
    for &term in &data.terms {
        if data.expanded.contains(&term) || matches!(store.op(term), Op::Construct(_)) {
            continue;
        }
        let sort = store.sort(term);
        let is_data = matches!(store.sort_of(sort), Sort::Data(_));
        if !is_data || !is_finite(store, sort, &mut data.finite_sorts) {
            continue;
        }
        let Some(node) = equality.nodes.get(&term) else { continue };
        if equality.closure.value(*node).is_none() {
            open.push(term);
        }
    }
    let is_refined = !open.is_empty();
    let mut cx = smt.encoding(store);
    while let Some(term) = open.pop() {
        let before = cx.theory().data.terms.len();
        expand(&mut cx, term);
        cx.settle();
        // Fields of an only constructor are fields of every value.
        let Sort::Data(sort) = *cx.store.sort_of(cx.store.sort(term)) else { continue };
        if cx.store.data(sort).ctors.len() == 1 {
            let fields = cx.theory().data.terms[before..].iter().copied();
            open.extend(fields.filter(|field| matches!(cx.store.op(*field), Op::Field(..))));
        }
    }
    is_refined
}
