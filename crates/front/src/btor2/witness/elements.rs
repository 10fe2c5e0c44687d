//! Values of variables under construction: arrays come element by element.

use crate::btor2::lex::Word;
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_term::value::ArrayValue;
use alphorn_term::{Bv, Sort, SortId, Store, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the lines of a part say about one variable.
pub(super) enum Assigned {
    /// A value.
    Whole(Value),
    /// Some elements of an array.
    Array(Elements),
}

/// An array under construction.
#[derive(Default)]
pub(super) struct Elements {
    default: Option<Box<Assigned>>,
    entries: BTreeMap<Value, Assigned>,
}

/// What is wrong with a line.
pub(super) type Wrong = Box<Diagnostic>;

fn wrong<T>(span: Span, message: impl Into<String>) -> Result<T, Wrong> {
    Err(Box::new(Diagnostic::error(Code::BtorWitness, span, message)))
}

/// The value that binary digits stand for; for arrays, in all places.
pub(super) fn whole(store: &Store, word: Word<'_>, sort: SortId) -> Result<Value, Wrong> {
    match *store.sort_of(sort) {
        Sort::Array(index, element) => {
            let default = whole(store, word, element)?;
            match ArrayValue::constant(store, index, default) {
                Some(array) => Ok(Value::Array(Arc::new(array))),
                None => wrong(word.span, "the array is nested too deep"),
            }
        }
        _ => digits(store, word.text, word.span, sort),
    }
}

/// The word of `sort` with these binary digits.
fn digits(store: &Store, text: &[u8], span: Span, sort: SortId) -> Result<Value, Wrong> {
    let width = match *store.sort_of(sort) {
        Sort::Bool => 1,
        Sort::BitVec(width) => width,
        _ => return wrong(span, "only words and arrays of words have values in a witness"),
    };
    let word = Bv::parse_binary(text).filter(|word| word.width() == width);
    match word {
        Some(word) if sort == SortId::BOOL => Ok(Value::Bool(!word.is_zero())),
        Some(word) => Ok(Value::Bv(word)),
        None => wrong(span, format!("a value of {width} binary digits is expected here")),
    }
}

/// Puts a value at the indices that `path` spells out.
pub(super) fn descend(
    store: &Store,
    place: &mut Assigned,
    mut sort: SortId,
    path: Word<'_>,
    value: Word<'_>,
) -> Result<(), Wrong> {
    let mut place = place;
    let mut rest = path.text;
    while !rest.is_empty() {
        let Sort::Array(index, element) = *store.sort_of(sort) else {
            return wrong(path.span, "there are more indices than the array has");
        };
        let inner = rest.strip_prefix(b"[").and_then(|rest| {
            let end = rest.iter().position(|byte| *byte == b']')?;
            Some((&rest[..end], &rest[end + 1..]))
        });
        let Some((text, after)) = inner else {
            return wrong(path.span, "an index stands between `[` and `]`");
        };
        rest = after;
        if let Assigned::Whole(Value::Array(array)) = place {
            *place = Assigned::Array(opened(array));
        }
        let Assigned::Array(elements) = place else {
            return wrong(path.span, "the variable has a value already");
        };
        let fresh = || Assigned::Array(Elements::default());
        place = if text == b"*" {
            elements.entries.clear();
            elements.default = Some(Box::new(fresh()));
            elements.default.as_mut().expect("it was set in the line above")
        } else {
            let key = digits(store, text, path.span, index)?;
            elements.entries.entry(key).or_insert_with(fresh)
        };
        sort = element;
    }
    *place = Assigned::Whole(whole(store, value, sort)?);
    Ok(())
}

/// An array value, open for further elements.
pub(super) fn opened(array: &ArrayValue) -> Elements {
    let whole = |value: &Value| Assigned::Whole(value.clone());
    Elements {
        default: Some(Box::new(whole(array.default()))),
        entries: array.entries().map(|(index, value)| (index.clone(), whole(value))).collect(),
    }
}

/// The value that the assignments come to, zero where they say nothing.
pub(super) fn finish(store: &Store, assigned: Assigned, sort: SortId) -> Option<Value> {
    let elements = match assigned {
        Assigned::Whole(value) => return Some(value),
        Assigned::Array(elements) => elements,
    };
    let Sort::Array(index, element) = *store.sort_of(sort) else { return None };
    let default = match elements.default {
        Some(default) => finish(store, *default, element)?,
        None => Value::default_of(store, element)?,
    };
    let mut entries = BTreeMap::new();
    for (key, assigned) in elements.entries {
        entries.insert(key, finish(store, assigned, element)?);
    }
    let array = ArrayValue::from_entries(store, index, default, entries)?;
    Some(Value::Array(Arc::new(array)))
}
