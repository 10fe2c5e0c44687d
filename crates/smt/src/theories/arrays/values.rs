//! The arrays of a model, and arrays that are equal there by chance.
//!
//! An array has its own elements, those that all arrays of its part of the graph have, and elsewhere
//! what a constant array of the part has, or anything: the same for the whole part. Arrays that have
//! to be different are those of an equation that is false, and those that functions, constructors and
//! reads take for different arguments. Where they come out equal, parts get elements that occur
//! nowhere else, if their sort has such; failing that, the arrays need a witness. Where there are
//! quantifiers a declared sort may have no elements but those that are named, so arrays over it have
//! to differ at one of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use alphorn_term::value::ArrayValue;
use alphorn_term::{Op, Sort, SortId, Store, TermId, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::euf::Node;
use crate::theories::Theories;
use crate::theories::kernel::Kernel;
use crate::theories::model::Reading;

/// What an array is where nothing else says so.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Elsewhere {
    /// The value of a constant array.
    Value(TermId),
    /// Anything; a number if it has to occur nowhere else.
    Free(Option<u32>),
}

/// What the arrays of an assignment are, as terms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// The classes by their roots.
    pub(super) classes: FxHashMap<Node, usize>,
    /// By class: the part it belongs to, and its own elements.
    pub(super) parts: Vec<usize>,
    pub(super) cells: Vec<Vec<(TermId, TermId)>>,
    /// By part: elements of all its arrays, and elements elsewhere.
    pub(super) shared_cells: Vec<Vec<(TermId, TermId)>>,
    pub(super) elsewhere: Vec<Elsewhere>,
    /// Whether there need not be such arrays.
    pub(super) is_beyond: bool,
}

/// The value of an array, by its term.
pub(super) fn array(
    reading: &Reading<'_>,
    term: TermId,
    index: SortId,
    element: SortId,
) -> Option<Value> {
    let theory = reading.kernel.theory();
    let plan = &theory.arrays.plan;
    let class = *plan.classes.get(&theory.equality.root(term)?)?;
    if let Some(value) = reading.arrays.borrow().get(&class) {
        return Some(value.clone());
    }
    let part = plan.parts[class];
    let default = match plan.elsewhere[part] {
        Elsewhere::Value(value) => reading.value(value),
        Elsewhere::Free(None) => Value::default_of(reading.store, element)?,
        Elsewhere::Free(Some(number)) => unused(reading, element, number)?,
    };
    let mut entries: BTreeMap<Value, Value> = BTreeMap::new();
    for (index, value) in plan.shared_cells[part].iter().chain(&plan.cells[class]) {
        entries.insert(reading.value(*index), reading.value(*value));
    }
    let array = ArrayValue::from_entries(reading.store, index, default, entries)?;
    let value = Value::Array(Arc::new(array));
    reading.arrays.borrow_mut().insert(class, value.clone());
    Some(value)
}

/// The terms on whose values the value of an array rests.
pub(crate) fn parts_of(reading: &Reading<'_>, term: TermId) -> Vec<TermId> {
    let theory = reading.kernel.theory();
    let plan = &theory.arrays.plan;
    let root = theory.equality.root(term);
    let Some(&class) = root.and_then(|root| plan.classes.get(&root)) else {
        return Vec::new();
    };
    let part = plan.parts[class];
    let cells = plan.shared_cells[part].iter().chain(&plan.cells[class]);
    let mut parts: Vec<TermId> = cells.flat_map(|(index, value)| [*index, *value]).collect();
    if let Elsewhere::Value(value) = plan.elsewhere[part] {
        parts.push(value);
    }
    parts
}

/// A value in which arrays are the same that agree on all elements that are named.
fn on_named(reading: &Reading<'_>, value: &Value) -> Value {
    match value {
        Value::Data(data) => {
            let args = data.args.iter().map(|arg| on_named(reading, arg)).collect();
            Value::data(data.ctor, args).unwrap_or_else(|| value.clone())
        }
        Value::Array(array) => {
            let index = array.index_sort();
            let is_declared = matches!(reading.store.sort_of(index), Sort::Uninterpreted(..));
            let (default, entries) = if is_declared {
                let count = reading.element_counts.get(&index).copied().unwrap_or(0).max(1);
                let at = |number| on_named(reading, array.at(&Value::Element(index, number)));
                let entries = (1..count).map(|n| (Value::Element(index, n), at(n))).collect();
                (at(0), entries)
            } else {
                let entries = array.entries();
                let entries = entries.map(|(at, v)| (on_named(reading, at), on_named(reading, v)));
                (on_named(reading, array.default()), entries.collect())
            };
            let array = ArrayValue::from_entries(reading.store, index, default, entries);
            array.map_or_else(|| value.clone(), |array| Value::Array(Arc::new(array)))
        }
        _ => value.clone(),
    }
}

/// A value that no term of the assignment has, another one for each number, if the sort has any.
fn unused(reading: &Reading<'_>, sort: SortId, number: u32) -> Option<Value> {
    let count = i64::from(number);
    match *reading.store.sort_of(sort) {
        Sort::Int => Some(Value::Int(&reading.above_all().floor() + &count.into())),
        Sort::Real => Some(Value::Real(&reading.above_all() + &count.into())),
        Sort::Uninterpreted(..) => {
            let used = reading.element_counts.get(&sort).copied().unwrap_or(0);
            Some(Value::Element(sort, used + number))
        }
        Sort::Array(index, element) => {
            let default = unused(reading, element, number)?;
            let array = ArrayValue::constant(reading.store, index, default)?;
            Some(Value::Array(Arc::new(array)))
        }
        _ => Value::default_of(reading.store, sort),
    }
}

/// Pairs of arrays that have to be different and are not, whatever elements are free.
pub(super) fn equal_by_chance(
    kernel: &mut Kernel,
    store: &Store,
    terms: &[TermId],
) -> Vec<[TermId; 2]> {
    let pairs = different_arrays(kernel, store, terms);
    let places = arrays_at_places(kernel, store);
    if pairs.is_empty() && places.is_empty() {
        return Vec::new();
    }
    loop {
        let found = equal_pairs(kernel, store, &pairs, &places);
        let mut is_changed = false;
        for pair in &found {
            let parts = pair.map(|term| part_of_array(kernel, term));
            if parts[0] == parts[1] {
                continue;
            }
            for part in parts.into_iter().flatten() {
                let plan = &mut kernel.theory_mut().arrays.plan;
                if let Elsewhere::Free(number @ None) = &mut plan.elsewhere[part] {
                    *number = Some(part as u32);
                    is_changed = true;
                }
            }
        }
        if !is_changed {
            return found;
        }
    }
}

fn part_of_array(kernel: &Kernel, term: TermId) -> Option<usize> {
    let plan = &kernel.theory().arrays.plan;
    let root = array_root(kernel, term)?;
    Some(plan.parts[*plan.classes.get(&root)?])
}

fn array_root(kernel: &Kernel, term: TermId) -> Option<Node> {
    kernel.theory().equality.root(term)
}

/// The sides of equations that are false.
fn different_arrays(kernel: &Kernel, store: &Store, terms: &[TermId]) -> Vec<[TermId; 2]> {
    let equations = terms.iter().filter(|term| store.op(**term) == Op::Eq);
    let is_false = |term: &&TermId| kernel.truth_of(store, **term) == Some(false);
    equations.filter(is_false).map(|term| [store.args(*term)[0], store.args(*term)[1]]).collect()
}

/// Arrays of different classes that stand at the same place below the same operator.
fn arrays_at_places(kernel: &Kernel, store: &Store) -> Vec<Vec<TermId>> {
    let mut places: BTreeMap<(Op, SortId, usize), Vec<TermId>> = BTreeMap::new();
    let mut seen: FxHashSet<(Op, SortId, usize, Node)> = FxHashSet::default();
    let Theories { equality, data, arrays, .. } = kernel.theory();
    let terms = equality.applications.iter().chain(&data.terms).chain(&arrays.terms);
    for &term in terms {
        let op = store.op(term);
        let first = match op {
            Op::Apply(_) | Op::Construct(_) => 0,
            Op::Select | Op::Store => 1,
            _ => continue,
        };
        let last = if op == Op::Store { 2 } else { store.args(term).len() };
        for (place, arg) in store.args(term)[..last].iter().enumerate().skip(first) {
            if !matches!(store.sort_of(store.sort(*arg)), Sort::Array(..)) {
                continue;
            }
            let Some(root) = array_root(kernel, *arg) else { continue };
            // What is read is compared with what is written: both are indices of arrays.
            let key = match op {
                Op::Select | Op::Store => (Op::Select, store.sort(store.args(term)[0]), place),
                _ => (op, store.sort(term), place),
            };
            if seen.insert((key.0, key.1, key.2, root)) {
                places.entry(key).or_default().push(*arg);
            }
        }
    }
    places.into_values().filter(|terms| terms.len() > 1).collect()
}

fn equal_pairs(
    kernel: &Kernel,
    store: &Store,
    pairs: &[[TermId; 2]],
    places: &[Vec<TermId>],
) -> Vec<[TermId; 2]> {
    let reading = Reading::new(kernel, store);
    let is_named = !kernel.theory().quantifiers.is_empty();
    let value = |term: TermId| match is_named {
        true => on_named(&reading, &reading.value(term)),
        false => reading.value(term),
    };
    let mut found: Vec<[TermId; 2]> =
        pairs.iter().copied().filter(|pair| value(pair[0]) == value(pair[1])).collect();
    for terms in places {
        let mut known: BTreeMap<Value, TermId> = BTreeMap::new();
        for term in terms {
            if let Some(other) = known.insert(value(*term), *term) {
                found.push([other, *term]);
            }
        }
    }
    found
}
