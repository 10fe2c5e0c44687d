//! Trees that are as deep as one likes: constructors that lead from a sort back to itself, applied again and again.
//!
//! A model asks for ever deeper trees of a sort, one for each class that must differ from all before. So the last
//! one is kept and built on; a tree shares all but its top with the one before. Infinite trees are as deep as they have
//! different subtrees.

use super::model::{MAX_ELEMENTS, depth_of};
use crate::datatypes::is_forced;
use alphorn_term::value::{ArrayValue, elements};
use alphorn_term::{Bv, CtorId, Sort, SortId, Store, Value};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The deepest trees so far, by sort.
#[derive(Default)]
pub(super) struct Towers {
    towers: BTreeMap<SortId, Tower>,
    /// Sorts that have no tree as deep as one likes.
    flat: BTreeSet<SortId>,
}

struct Tower {
    /// Constructors with a place each, the outermost first.
    way: Vec<(CtorId, usize)>,
    top: Value,
}

impl Towers {
    /// A value of a sort that is at least so deep; depths that are asked for only grow.
    pub(super) fn deeper(&mut self, store: &Store, sort: SortId, depth: u32) -> Option<Value> {
        if is_forced(store, sort) {
            return None;
        }
        if !self.has_tower(store, sort)? {
            return self.around(store, sort, depth);
        }
        let Tower { way, top } = self.towers.get_mut(&sort)?;
        while depth_of(top) < depth {
            *top = raised(store, way, top)?;
        }
        Some(top.clone())
    }

    /// Whether trees of a sort are inside others of it.
    fn has_tower(&mut self, store: &Store, sort: SortId) -> Option<bool> {
        if let Entry::Vacant(place) = self.towers.entry(sort) {
            let Some(way) = way_inside(store, sort) else { return Some(false) };
            let top = foundation(store, sort, &way)?;
            place.insert(Tower { way, top });
        }
        Some(true)
    }

    /// A value of a sort that is not inside itself, around a tree of another that is: a pair of lists.
    fn around(&mut self, store: &Store, sort: SortId, depth: u32) -> Option<Value> {
        let Sort::Data(data) = store.sort_of(sort) else { return None };
        if self.flat.contains(&sort) {
            return None;
        }
        for &ctor in &store.data(*data).ctors {
            for (place, (_, field)) in store.ctor(ctor).fields.iter().enumerate() {
                if let Some(inner) = self.deeper(store, innermost(store, *field), depth) {
                    return applied(store, ctor, place, inner);
                }
            }
        }
        self.flat.insert(sort);
        None
    }
}

/// What a tower stands on. Of a codatatype it is a tree that is not inside itself: it stands on one that is not the
/// same a storey higher, and has more storeys than that one has subtrees.
fn foundation(store: &Store, sort: SortId, way: &[(CtorId, usize)]) -> Option<Value> {
    let mut base = Value::default_of(store, sort)?;
    let Some(data) = store.codata_of(sort) else { return Some(base) };
    if raised(store, way, &base)? == base {
        // Where there is a choice, this one differs from the default.
        let last = |ctors: &[CtorId]| ctors.last().copied();
        base = Value::uniform(store, data, last, |sort| last_of(store, sort))?;
    }
    for _ in 0..=depth_of(&base) {
        base = raised(store, way, &base)?;
    }
    Some(base)
}

/// A tree with a storey more.
fn raised(store: &Store, way: &[(CtorId, usize)], top: &Value) -> Option<Value> {
    let mut value = top.clone();
    for (ctor, place) in way.iter().rev() {
        value = applied(store, *ctor, *place, value)?;
    }
    Some(value)
}

/// Another value of a sort than the default, if it has several.
fn last_of(store: &Store, sort: SortId) -> Option<Value> {
    match store.sort_of(sort) {
        Sort::BitVec(width) => Some(Value::Bv(Bv::from_u64(*width, 1))),
        _ => match elements(store, sort, MAX_ELEMENTS) {
            Some(mut all) => all.pop(),
            None => Value::default_of(store, sort),
        },
    }
}

/// A constructor applied to a value at one place, and to any others.
fn applied(store: &Store, ctor: CtorId, place: usize, value: Value) -> Option<Value> {
    let fields = store.ctor(ctor).fields.iter().enumerate();
    let args = fields.map(|(at, (_, sort))| match at == place {
        true => everywhere(store, *sort, value.clone()),
        false => Value::default_of(store, *sort),
    });
    Value::made(store, ctor, args.collect::<Option<_>>()?)
}

/// What arrays of a sort have as elements, if need be below several indices; other sorts themselves.
fn innermost(store: &Store, mut sort: SortId) -> SortId {
    while let Sort::Array(_, element) = store.sort_of(sort) {
        sort = *element;
    }
    sort
}

/// The array of a sort that has a value everywhere; the value itself for a sort that is no array.
fn everywhere(store: &Store, sort: SortId, value: Value) -> Option<Value> {
    match store.sort_of(sort) {
        Sort::Array(index, element) => {
            let element = everywhere(store, *element, value)?;
            Some(Value::Array(Arc::new(ArrayValue::constant(store, *index, element)?)))
        }
        _ => Some(value),
    }
}

/// Constructors with a place each that lead from a value of a sort to one of the same sort inside it,
/// perhaps below arrays.
fn way_inside(store: &Store, sort: SortId) -> Option<Vec<(CtorId, usize)>> {
    let mut reached: Vec<(SortId, Vec<(CtorId, usize)>)> = vec![(sort, Vec::new())];
    let mut at = 0;
    while let Some((current, way)) = reached.get(at).cloned() {
        at += 1;
        let Sort::Data(data) = store.sort_of(current) else { continue };
        for &ctor in &store.data(*data).ctors {
            for (place, (_, field)) in store.ctor(ctor).fields.iter().enumerate() {
                let field = innermost(store, *field);
                let mut longer = way.clone();
                longer.push((ctor, place));
                if field == sort {
                    return Some(longer);
                }
                if reached.iter().all(|(other, _)| *other != field) {
                    reached.push((field, longer));
                }
            }
        }
    }
    None
}
