//! Terms and values from parts, and into parts.
//!
//! A term of a datatype has as parts its fields, a number by testers, and for each slot the field that
//! its constructor has there; an array has its columns, which are no terms and so stand for themselves
//! (`columns`). The other way round a term is made by constructors; arrays cannot be put together from
//! columns by terms, but values of arrays can.

use super::{Choice, Columns, Layout};
use alphorn_term::value::{ArrayValue, elements};
use alphorn_term::{CtorId, Op, SortId, Store, TermId, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The most indices that are gone through where most of them are exceptions.
const MAX_LISTED: u64 = 256;

/// What slots hold that are not used; none if no term says it.
pub(super) fn default_term(store: &mut Store, sort: SortId) -> Option<TermId> {
    let value = Value::default_of(store, sort)?;
    store.value_term(&value)
}

impl Choice {
    /// The tag of a constructor.
    pub(super) fn tag(&self, store: &mut Store, place: usize) -> TermId {
        match self.ctors.len() {
            2 => store.bool(place == 1),
            _ => store.int(place as i64),
        }
    }

    /// That a tag is a constructor's.
    pub(super) fn is_at(&self, store: &mut Store, tag: TermId, place: usize) -> TermId {
        let own = self.tag(store, place);
        store.eq(tag, own)
    }

    /// The parts of what a constructor makes of fields given by their parts.
    pub(super) fn made(
        &self,
        store: &mut Store,
        place: usize,
        fields: &[Vec<TermId>],
    ) -> Option<Vec<TermId>> {
        let mut parts = vec![self.tag(store, place)];
        for &sort in &self.slots {
            parts.push(default_term(store, sort)?);
        }
        for ((_, slots), field) in self.fields[place].iter().zip(fields) {
            for (&slot, &part) in slots.iter().zip(field) {
                parts[1 + slot] = part;
            }
        }
        Some(parts)
    }

    /// The parts of a constructor's field, if a value with these parts was made by it.
    pub(super) fn field(&self, parts: &[TermId], place: usize, field: usize) -> Vec<TermId> {
        self.fields[place][field].1.iter().map(|&slot| parts[1 + slot]).collect()
    }
}

/// A field of a term.
fn field_term(store: &mut Store, ctor: CtorId, field: usize, term: TermId) -> TermId {
    store.mk(Op::Field(ctor, field as u32), &[term])
}

/// The parts of a term; none if one is no term, unless it may be a column.
pub(super) fn parts_of(
    store: &mut Store,
    layout: &Arc<Layout>,
    term: TermId,
    mut columns: Option<&mut Columns>,
) -> Option<Vec<TermId>> {
    match &**layout {
        Layout::Same(_) => Some(vec![term]),
        Layout::Record(ctor, fields) => {
            let mut parts = Vec::new();
            for (at, field) in fields.iter().enumerate() {
                let of = field_term(store, *ctor, at, term);
                parts.extend(parts_of(store, field, of, columns.as_deref_mut())?);
            }
            Some(parts)
        }
        Layout::Choice(choice) => parts_of_choice(store, choice, term, columns),
        Layout::Array { columns: sorts, .. } => {
            let columns = columns?;
            Some((0..sorts.len()).map(|at| columns.column(store, layout, at, term)).collect())
        }
    }
}

fn parts_of_choice(
    store: &mut Store,
    choice: &Choice,
    term: TermId,
    mut columns: Option<&mut Columns>,
) -> Option<Vec<TermId>> {
    let mut of_ctors = Vec::with_capacity(choice.ctors.len());
    for (place, &ctor) in choice.ctors.iter().enumerate() {
        let mut fields = Vec::new();
        for (at, (layout, _)) in choice.fields[place].iter().enumerate() {
            let of = field_term(store, ctor, at, term);
            fields.push(parts_of(store, layout, of, columns.as_deref_mut())?);
        }
        let parts = choice.made(store, place, &fields)?;
        of_ctors.push((store.mk(Op::Is(ctor), &[term]), parts));
    }
    // Slots that the last constructors do not use are the default, so the chain is short.
    let (_, mut parts) = of_ctors.pop()?;
    for (is_made, own) in of_ctors.into_iter().rev() {
        for (part, of) in parts.iter_mut().zip(own) {
            *part = store.ite(is_made, of, *part);
        }
    }
    Some(parts)
}

/// A term with these parts; none for arrays that have columns.
pub(super) fn term_of_parts(
    store: &mut Store,
    layout: &Layout,
    parts: &[TermId],
) -> Option<TermId> {
    match layout {
        Layout::Same(_) => parts.first().copied(),
        Layout::Record(ctor, fields) => {
            let (mut args, mut rest) = (Vec::with_capacity(fields.len()), parts);
            for field in fields {
                let (own, others) = rest.split_at_checked(field.width())?;
                args.push(term_of_parts(store, field, own)?);
                rest = others;
            }
            Some(store.mk(Op::Construct(*ctor), &args))
        }
        Layout::Choice(choice) => {
            let mut made = Vec::with_capacity(choice.ctors.len());
            for (place, &ctor) in choice.ctors.iter().enumerate() {
                let mut args = Vec::new();
                for (at, (layout, _)) in choice.fields[place].iter().enumerate() {
                    let own = choice.field(parts, place, at);
                    args.push(term_of_parts(store, layout, &own)?);
                }
                made.push(store.mk(Op::Construct(ctor), &args));
            }
            let mut term = made.pop()?;
            for (place, other) in made.into_iter().enumerate().rev() {
                let is_made = choice.is_at(store, parts[0], place);
                term = store.ite(is_made, other, term);
            }
            Some(term)
        }
        Layout::Array { .. } => None,
    }
}

/// The value with these parts. A tag that is none counts as the first: elements of arrays that no clause
/// reads may have any.
pub(in crate::transform) fn value_of_parts(
    store: &Store,
    layout: &Layout,
    parts: &[Value],
) -> Option<Value> {
    match layout {
        Layout::Same(_) => parts.first().cloned(),
        Layout::Record(ctor, fields) => {
            let (mut args, mut rest) = (Vec::with_capacity(fields.len()), parts);
            for field in fields {
                let (own, others) = rest.split_at_checked(field.width())?;
                args.push(value_of_parts(store, field, own)?);
                rest = others;
            }
            Value::data(*ctor, args)
        }
        Layout::Choice(choice) => {
            let place = match parts.first()? {
                Value::Bool(tag) => usize::from(*tag),
                Value::Int(tag) => tag.to_u64().map_or(0, |tag| tag as usize),
                _ => return None,
            };
            let place = if place < choice.ctors.len() { place } else { 0 };
            let mut args = Vec::new();
            for (layout, slots) in &choice.fields[place] {
                let own: Option<Vec<Value>> =
                    slots.iter().map(|&slot| parts.get(1 + slot).cloned()).collect();
                args.push(value_of_parts(store, layout, &own?)?);
            }
            Value::data(choice.ctors[place], args)
        }
        Layout::Array { sort, index, element, .. } => {
            let depth = index.width();
            array_of_columns(store, (*sort, depth), index, element, parts)
        }
    }
}

/// The array with these columns; none if it has more than finitely many exceptions.
fn array_of_columns(
    store: &Store,
    (sort, depth): (SortId, usize),
    index: &Layout,
    element: &Layout,
    columns: &[Value],
) -> Option<Value> {
    let alphorn_term::Sort::Array(index_sort, _) = store.sort_of(sort) else { return None };
    let (mut defaults, mut exceptions) = (Vec::with_capacity(columns.len()), BTreeSet::new());
    for column in columns {
        let default = default_at(column, depth)?;
        collect(store, column, depth, &default, &mut Vec::new(), &mut exceptions)?;
        defaults.push(default);
    }
    let default = value_of_parts(store, element, &defaults)?;
    let mut entries: BTreeMap<Value, Value> = BTreeMap::new();
    for path in exceptions {
        let parts: Option<Vec<Value>> = columns.iter().map(|column| at(column, &path)).collect();
        let value = value_of_parts(store, element, &parts?)?;
        entries.insert(value_of_parts(store, index, &path)?, value);
    }
    let array = ArrayValue::from_entries(store, *index_sort, default, entries)?;
    Some(Value::Array(Arc::new(array)))
}

/// The default of arrays nested so deep.
fn default_at(value: &Value, depth: usize) -> Option<Value> {
    match (depth, value) {
        (0, _) => Some(value.clone()),
        (_, Value::Array(array)) => default_at(array.default(), depth - 1),
        _ => None,
    }
}

/// The value at some indices, one after the other.
fn at(value: &Value, path: &[Value]) -> Option<Value> {
    match (path, value) {
        ([], _) => Some(value.clone()),
        ([first, rest @ ..], Value::Array(array)) => at(array.at(first), rest),
        _ => None,
    }
}

/// Collects the paths to all values that are not the default; none if they are not finitely many.
fn collect(
    store: &Store,
    value: &Value,
    depth: usize,
    default: &Value,
    path: &mut Vec<Value>,
    found: &mut BTreeSet<Vec<Value>>,
) -> Option<()> {
    if depth == 0 {
        if value != default {
            found.insert(path.clone());
        }
        return Some(());
    }
    let Value::Array(array) = value else { return None };
    let mut listed: Vec<(Value, &Value)> =
        array.entries().map(|(at, of)| (at.clone(), of)).collect();
    if !is_everywhere(array.default(), depth - 1, default) {
        let all = elements(store, array.index_sort(), MAX_LISTED)?;
        listed = all.into_iter().map(|at| (at.clone(), array.at(&at))).collect();
    }
    for (index, of) in listed {
        path.push(index);
        collect(store, of, depth - 1, default, path, found)?;
        path.pop();
    }
    Some(())
}

/// Whether arrays nested so deep have the same value everywhere.
fn is_everywhere(value: &Value, depth: usize, default: &Value) -> bool {
    match (depth, value) {
        (0, _) => value == default,
        (_, Value::Array(array)) => {
            array.entries().next().is_none() && is_everywhere(array.default(), depth - 1, default)
        }
        _ => false,
    }
}
