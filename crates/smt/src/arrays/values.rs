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
use crate::model::Reading;
use crate::smt::Smt;

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

impl Reading<'_> {
    /// The value of an array, by its term.
    pub(crate) fn array(&self, term: TermId) -> Option<Value> {
        let plan = &self.smt.arrays.plan;
        let node = self.smt.encoder.nodes.get(&term)?;
        let class = *plan.classes.get(&self.smt.search.theory().euf.root(*node))?;
        if let Some(value) = self.arrays.borrow().get(&class) {
            return Some(value.clone());
        }
        let Sort::Array(index, element) = *self.store.sort_of(self.store.sort(term)) else {
            return None;
        };
        let part = plan.parts[class];
        let default = match plan.elsewhere[part] {
            Elsewhere::Value(value) => self.value(value),
            Elsewhere::Free(None) => Value::default_of(self.store, element)?,
            Elsewhere::Free(Some(number)) => self.unused(element, number)?,
        };
        let mut entries: BTreeMap<Value, Value> = BTreeMap::new();
        for (index, value) in plan.shared_cells[part].iter().chain(&plan.cells[class]) {
            entries.insert(self.value(*index), self.value(*value));
        }
        let array = ArrayValue::from_entries(self.store, index, default, entries)?;
        let value = Value::Array(Arc::new(array));
        self.arrays.borrow_mut().insert(class, value.clone());
        Some(value)
    }

    /// The terms on whose values the value of an array rests.
    pub(crate) fn array_parts(&self, term: TermId) -> Vec<TermId> {
        let plan = &self.smt.arrays.plan;
        let node = self.smt.encoder.nodes.get(&term);
        let root = node.map(|node| self.smt.search.theory().euf.root(*node));
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
    fn on_named(&self, value: &Value) -> Value {
        match value {
            Value::Data(data) => {
                let args = data.args.iter().map(|arg| self.on_named(arg)).collect();
                Value::data(data.ctor, args).unwrap_or_else(|| value.clone())
            }
            Value::Array(array) => {
                let index = array.index_sort();
                let is_declared = matches!(self.store.sort_of(index), Sort::Uninterpreted(..));
                let (default, entries) = if is_declared {
                    let count = self.element_counts.get(&index).copied().unwrap_or(0).max(1);
                    let at = |number| self.on_named(array.at(&Value::Element(index, number)));
                    let entries = (1..count).map(|n| (Value::Element(index, n), at(n))).collect();
                    (at(0), entries)
                } else {
                    let entries = array.entries();
                    let entries = entries.map(|(at, v)| (self.on_named(at), self.on_named(v)));
                    (self.on_named(array.default()), entries.collect())
                };
                let array = ArrayValue::from_entries(self.store, index, default, entries);
                array.map_or_else(|| value.clone(), |array| Value::Array(Arc::new(array)))
            }
            _ => value.clone(),
        }
    }

    /// A value that no term of the assignment has, another one for each number, if the sort has any.
    fn unused(&self, sort: SortId, number: u32) -> Option<Value> {
        let count = i64::from(number);
        match *self.store.sort_of(sort) {
            Sort::Int => Some(Value::Int(&self.above_all().floor() + &count.into())),
            Sort::Real => Some(Value::Real(&self.above_all() + &count.into())),
            Sort::Uninterpreted(..) => {
                let used = self.element_counts.get(&sort).copied().unwrap_or(0);
                Some(Value::Element(sort, used + number))
            }
            Sort::Array(index, element) => {
                let default = self.unused(element, number)?;
                let array = ArrayValue::constant(self.store, index, default)?;
                Some(Value::Array(Arc::new(array)))
            }
            _ => Value::default_of(self.store, sort),
        }
    }
}

impl Smt {
    /// Pairs of arrays that have to be different and are not, whatever elements are free.
    pub(super) fn equal_by_chance(&mut self, store: &Store, terms: &[TermId]) -> Vec<[TermId; 2]> {
        let pairs = self.different_arrays(store, terms);
        let places = self.arrays_at_places(store);
        if pairs.is_empty() && places.is_empty() {
            return Vec::new();
        }
        loop {
            let found = self.equal_pairs(store, &pairs, &places);
            let mut is_changed = false;
            for pair in &found {
                let parts = pair.map(|term| self.part_of_array(term));
                if parts[0] == parts[1] {
                    continue;
                }
                for part in parts.into_iter().flatten() {
                    let plan = &mut self.arrays.plan;
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

    fn part_of_array(&self, term: TermId) -> Option<usize> {
        let plan = &self.arrays.plan;
        let root = self.array_root(term)?;
        Some(plan.parts[*plan.classes.get(&root)?])
    }

    fn array_root(&self, term: TermId) -> Option<Node> {
        let node = self.encoder.nodes.get(&term)?;
        Some(self.search.theory().euf.root(*node))
    }

    /// The sides of equations that are false.
    fn different_arrays(&self, store: &Store, terms: &[TermId]) -> Vec<[TermId; 2]> {
        let equations = terms.iter().filter(|term| store.op(**term) == Op::Eq);
        let is_false = |term: &&TermId| self.truth_of(store, **term) == Some(false);
        equations
            .filter(is_false)
            .map(|term| [store.args(*term)[0], store.args(*term)[1]])
            .collect()
    }

    /// Arrays of different classes that stand at the same place below the same operator.
    fn arrays_at_places(&self, store: &Store) -> Vec<Vec<TermId>> {
        let mut places: BTreeMap<(Op, SortId, usize), Vec<TermId>> = BTreeMap::new();
        let mut seen: FxHashSet<(Op, SortId, usize, Node)> = FxHashSet::default();
        let encoder = &self.encoder;
        let terms = encoder.applications.iter().chain(&encoder.data).chain(&encoder.arrays);
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
                let Some(root) = self.array_root(*arg) else { continue };
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
        &self,
        store: &Store,
        pairs: &[[TermId; 2]],
        places: &[Vec<TermId>],
    ) -> Vec<[TermId; 2]> {
        let reading = Reading::new(self, store);
        let is_named = !self.encoder.quantifiers.is_empty();
        let value = |term: TermId| match is_named {
            true => reading.on_named(&reading.value(term)),
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
}
