//! Facts about datatypes that need no search: which sorts are finite, which values are inside which.
//!
//! The theory of datatypes rests on them, and so do congruence closure and projection.

mod cycle;

use alphorn_term::{CtorId, Op, Sort, SortId, Store, TermId};
use rustc_hash::FxHashMap;

pub(crate) use cycle::find_cycle;

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
        Sort::Data(_) if is_forced(store, sort) => true,
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

/// Whether a sort is a codatatype with one value, which may be inside itself.
pub(crate) fn is_forced(store: &Store, sort: SortId) -> bool {
    store.codata_of(sort).is_some() && is_single(store, sort)
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

/// The application of a constructor to the fields of a term.
pub(crate) fn made_of_fields(store: &mut Store, ctor: CtorId, of: TermId) -> TermId {
    let count = store.ctor(ctor).fields.len() as u32;
    let fields: Vec<TermId> =
        (0..count).map(|field| store.mk(Op::Field(ctor, field), &[of])).collect();
    store.mk(Op::Construct(ctor), &fields)
}
