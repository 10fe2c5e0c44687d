//! The classes of arrays in an assignment, the writes between them, and reads that contradict each other.
//!
//! Indices are told apart by their values, other than arrays and datatypes, which go by their classes.
//! Per connected part of the graph, reads are grouped by index; where all of a group are equal, nothing
//! has to be looked at. Otherwise a search along writes at other indices finds which reads have
//! to be equal, and the paths that say why.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use alphorn_term::value::{cardinality, elements};
use alphorn_term::{Op, Sort, SortId, Store, TermId, Value};
use rustc_hash::FxHashMap;

use super::values::{Elsewhere, Plan};
use crate::euf::Node;
use crate::theories::kernel::Kernel;
use crate::theories::model::Reading;

/// The terms of a sort that have a name, with their nodes.
type NamedTerms<'a> = dyn Fn(&Store, SortId) -> Vec<(TermId, Node)> + 'a;

/// What tells values apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Value(Value),
    Class(Node),
}

/// A value by its number.
type KeyId = u32;

/// A read: of a term `select`, of a write at its index, or of a constant array anywhere.
#[derive(Clone, Copy)]
struct Read {
    array: TermId,
    class: usize,
    /// The index and its number; none for constant arrays.
    index: Option<(TermId, KeyId)>,
    value: TermId,
    value_key: KeyId,
}

/// A write between two classes.
struct Write {
    term: TermId,
    /// The class of the result and that of the array written.
    classes: [usize; 2],
    key: KeyId,
}

/// A connected part of the graph.
#[derive(Default)]
struct Part {
    classes: Vec<usize>,
    reads: Vec<usize>,
    constants: Vec<usize>,
}

/// Two reads that have to be equal and are not, and the path between their arrays.
pub(super) struct Violation {
    pub(super) start: TermId,
    /// Writes, and whether they lead from the result to the array written.
    pub(super) writes: Vec<(TermId, bool)>,
    pub(super) end: TermId,
    pub(super) indices: [TermId; 2],
    pub(super) values: [TermId; 2],
}

/// How a class was reached: the write, and whether it was gone down.
type Parent = Option<(usize, bool)>;

/// The graph of an assignment.
pub(super) struct Graph {
    keys: FxHashMap<Key, KeyId>,
    key_values: Vec<Key>,
    classes: FxHashMap<Node, usize>,
    sorts: Vec<SortId>,
    reads: Vec<Read>,
    writes: Vec<Write>,
    /// By class: writes at it.
    adjacent: Vec<Vec<usize>>,
    parts: Vec<Part>,
    part_of: Vec<usize>,
    /// By class: elements of its own.
    cells: Vec<Vec<(TermId, TermId)>>,
    /// By part: elements of all its arrays.
    shared_cells: Vec<Vec<(TermId, TermId)>>,
}

impl Graph {
    /// The graph over these terms.
    pub(super) fn new(
        kernel: &Kernel,
        store: &Store,
        reading: &Reading<'_>,
        terms: &[TermId],
    ) -> Graph {
        let mut graph = Graph {
            keys: FxHashMap::default(),
            key_values: Vec::new(),
            classes: FxHashMap::default(),
            sorts: Vec::new(),
            reads: Vec::new(),
            writes: Vec::new(),
            adjacent: Vec::new(),
            parts: Vec::new(),
            part_of: Vec::new(),
            cells: Vec::new(),
            shared_cells: Vec::new(),
        };
        for &term in terms {
            graph.enter(kernel, store, reading, term);
        }
        graph.connect();
        graph
    }

    fn enter(&mut self, kernel: &Kernel, store: &Store, reading: &Reading<'_>, term: TermId) {
        if store.op(term) == Op::Eq || !kernel.theory().equality.nodes.contains_key(&term) {
            return;
        }
        if matches!(store.sort_of(store.sort(term)), Sort::Array(..)) {
            self.class(kernel, store, term);
        }
        match (store.op(term), store.args(term)) {
            (Op::Select, &[array, index]) => {
                let key = self.key(kernel, store, reading, index);
                self.read(kernel, store, reading, array, Some((index, key)), term);
            }
            (Op::Store, &[older, index, value]) => {
                let key = self.key(kernel, store, reading, index);
                self.read(kernel, store, reading, term, Some((index, key)), value);
                let classes = [term, older].map(|array| self.class(kernel, store, array));
                for class in classes {
                    self.adjacent[class].push(self.writes.len());
                }
                self.writes.push(Write { term, classes, key });
            }
            (Op::ConstArray, &[value]) => self.read(kernel, store, reading, term, None, value),
            _ => {}
        }
    }

    fn class(&mut self, kernel: &Kernel, store: &Store, array: TermId) -> usize {
        let root = kernel.theory().equality.closure.root(kernel.theory().equality.nodes[&array]);
        *self.classes.entry(root).or_insert_with(|| {
            self.adjacent.push(Vec::new());
            self.sorts.push(store.sort(array));
            self.adjacent.len() - 1
        })
    }

    fn read(
        &mut self,
        kernel: &Kernel,
        store: &Store,
        reading: &Reading<'_>,
        array: TermId,
        index: Option<(TermId, KeyId)>,
        value: TermId,
    ) {
        let class = self.class(kernel, store, array);
        let value_key = self.key(kernel, store, reading, value);
        self.reads.push(Read { array, class, index, value, value_key });
    }

    fn key(
        &mut self,
        kernel: &Kernel,
        store: &Store,
        reading: &Reading<'_>,
        term: TermId,
    ) -> KeyId {
        let key = match store.sort_of(store.sort(term)) {
            Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) => {
                Key::Value(reading.value(term))
            }
            _ => Key::Class(
                kernel.theory().equality.closure.root(kernel.theory().equality.nodes[&term]),
            ),
        };
        let next = self.key_values.len() as KeyId;
        let id = *self.keys.entry(key.clone()).or_insert(next);
        if id == next {
            self.key_values.push(key);
        }
        id
    }

    /// Finds the connected parts.
    fn connect(&mut self) {
        let count = self.adjacent.len();
        self.part_of = vec![usize::MAX; count];
        for start in 0..count {
            if self.part_of[start] != usize::MAX {
                continue;
            }
            let number = self.parts.len();
            let mut part = Part::default();
            let mut stack = vec![start];
            self.part_of[start] = number;
            while let Some(class) = stack.pop() {
                part.classes.push(class);
                for write in &self.adjacent[class] {
                    for next in self.writes[*write].classes {
                        if self.part_of[next] == usize::MAX {
                            self.part_of[next] = number;
                            stack.push(next);
                        }
                    }
                }
            }
            self.parts.push(part);
        }
        for (number, read) in self.reads.iter().enumerate() {
            let part = &mut self.parts[self.part_of[read.class]];
            match read.index {
                Some(_) => part.reads.push(number),
                None => part.constants.push(number),
            }
        }
        self.cells = vec![Vec::new(); count];
        self.shared_cells = vec![Vec::new(); self.parts.len()];
    }

    /// Reads that have to be equal and are not. If there are none, the cells are known.
    ///
    /// `named` gives the terms of a sort, with their classes.
    pub(super) fn violations(
        &mut self,
        store: &mut Store,
        named: &NamedTerms<'_>,
    ) -> Vec<Violation> {
        let mut found = Vec::new();
        for number in 0..self.parts.len() {
            let part = std::mem::take(&mut self.parts[number]);
            let mut groups: FxHashMap<KeyId, usize> = FxHashMap::default();
            let mut by_index: Vec<(KeyId, Vec<usize>)> = Vec::new();
            for &read in &part.reads {
                let Some((_, key)) = self.reads[read].index else { continue };
                let group = *groups.entry(key).or_insert_with(|| {
                    by_index.push((key, Vec::new()));
                    by_index.len() - 1
                });
                by_index[group].1.push(read);
            }
            for (key, mut reads) in by_index {
                reads.extend_from_slice(&part.constants);
                let first = self.reads[reads[0]];
                if reads.iter().all(|read| self.reads[*read].value_key == first.value_key) {
                    let Some((index, _)) = first.index else { continue };
                    self.shared_cells[number].push((index, first.value));
                } else {
                    self.search_at(key, &reads, &mut found);
                }
            }
            self.compare_constants(store, &part, named, &mut found);
            self.parts[number] = part;
        }
        found
    }

    /// Compares reads of a group along writes at other indices.
    fn search_at(&mut self, key: KeyId, reads: &[usize], found: &mut Vec<Violation>) {
        let Some((index, _)) = self.reads[reads[0]].index else { return };
        let mut reached: FxHashMap<usize, (usize, Parent)> = FxHashMap::default();
        for &start in reads {
            let first = self.reads[start];
            match reached.get(&first.class) {
                Some(&(other, _)) => {
                    if self.reads[other].value_key != first.value_key {
                        found.push(self.violation(other, start, index, &reached));
                    }
                }
                None => self.reach(start, Some(key), &mut reached),
            }
        }
        let mut classes: Vec<usize> = reached.keys().copied().collect();
        classes.sort_unstable();
        for class in classes {
            let read = &self.reads[reached[&class].0];
            self.cells[class].push((index, read.value));
        }
    }

    /// Walks from a read along writes that are not at an index.
    fn reach(
        &self,
        start: usize,
        key: Option<KeyId>,
        reached: &mut FxHashMap<usize, (usize, Parent)>,
    ) {
        let class = self.reads[start].class;
        reached.insert(class, (start, None));
        let mut queue = VecDeque::from([class]);
        while let Some(class) = queue.pop_front() {
            for &number in &self.adjacent[class] {
                let write = &self.writes[number];
                if Some(write.key) == key {
                    continue;
                }
                for (side, next) in write.classes.into_iter().enumerate() {
                    if let Entry::Vacant(place) = reached.entry(next) {
                        place.insert((start, Some((number, side == 1))));
                        queue.push_back(next);
                    }
                }
            }
        }
    }

    /// The path from the read that reached the other's class to it.
    fn violation(
        &self,
        first: usize,
        second: usize,
        index: TermId,
        reached: &FxHashMap<usize, (usize, Parent)>,
    ) -> Violation {
        let (first, second) = (self.reads[first], self.reads[second]);
        let mut writes = Vec::new();
        let mut class = second.class;
        while let Some((number, is_down)) = reached[&class].1 {
            let write = &self.writes[number];
            writes.push((write.term, is_down));
            class = write.classes[usize::from(!is_down)];
        }
        writes.reverse();
        let own = |read: &Read| read.index.map(|(index, _)| index);
        let start = own(&first).or(own(&second)).unwrap_or(index);
        let indices = [start, own(&second).unwrap_or(start)];
        let values = [first.value, second.value];
        Violation { start: first.array, writes, end: second.array, indices, values }
    }

    /// Compares the constant arrays of a part at an index that no write is at.
    fn compare_constants(
        &self,
        store: &mut Store,
        part: &Part,
        named: &NamedTerms<'_>,
        found: &mut Vec<Violation>,
    ) {
        let Some((&first, others)) = part.constants.split_first() else { return };
        let value = self.reads[first].value_key;
        let others: Vec<usize> =
            others.iter().copied().filter(|read| self.reads[*read].value_key != value).collect();
        if others.is_empty() {
            return;
        }
        let Some(index) = self.other_index(store, part, named) else { return };
        let mut reached = FxHashMap::default();
        self.reach(first, None, &mut reached);
        for other in others {
            found.push(self.violation(first, other, index, &reached));
        }
    }

    /// A literal that no write of a part is at; of other sorts a term.
    fn other_index(
        &self,
        store: &mut Store,
        part: &Part,
        named: &NamedTerms<'_>,
    ) -> Option<TermId> {
        let Sort::Array(sort, _) = *store.sort_of(self.sorts[part.classes[0]]) else { return None };
        let writes = part.classes.iter().flat_map(|class| &self.adjacent[*class]);
        let taken: Vec<&Key> =
            writes.map(|write| &self.key_values[self.writes[*write].key as usize]).collect();
        let is_free = |value: &Value| !taken.iter().any(|key| **key == Key::Value(value.clone()));
        let most = taken.len() as u64 + 1;
        let candidates: Vec<Value> = match store.sort_of(sort) {
            Sort::Int => (0..most).map(|n| Value::Int((n as i64).into())).collect(),
            Sort::Real => (0..most).map(|n| Value::Real((n as i64).into())).collect(),
            Sort::BitVec(width) => {
                let count = cardinality(store, sort).map_or(most, |count| count.min(most));
                let word = |bits| Value::Bv(alphorn_term::Bv::from_u64(*width, bits));
                (0..count).map(word).collect()
            }
            Sort::Bool => elements(store, sort, 2)?,
            _ => {
                let is_free = |class: Node| !taken.iter().any(|key| **key == Key::Class(class));
                let mut terms = named(store, sort).into_iter();
                return terms.find(|(_, class)| is_free(*class)).map(|(term, _)| term);
            }
        };
        let value = candidates.into_iter().find(is_free)?;
        store.value_term(&value)
    }

    /// What the arrays are, where nothing is violated.
    pub(super) fn plan(self, store: &Store) -> Plan {
        let mut plan = Plan { classes: self.classes, ..Plan::default() };
        for (number, part) in self.parts.iter().enumerate() {
            let values: Vec<TermId> =
                part.constants.iter().map(|read| self.reads[*read].value).collect();
            let keys = part.constants.iter().map(|read| self.reads[*read].value_key);
            let is_one = keys.collect::<rustc_hash::FxHashSet<_>>().len() <= 1;
            let is_open = match *store.sort_of(self.sorts[part.classes[0]]) {
                Sort::Array(index, _) => !matches!(
                    store.sort_of(index),
                    Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_)
                ),
                _ => true,
            };
            // Over other sorts there need not be an index that is different from those of all writes.
            plan.is_beyond |= !is_one && is_open;
            let elsewhere = values.first().map_or(Elsewhere::Free(None), |v| Elsewhere::Value(*v));
            plan.elsewhere.push(elsewhere);
            plan.shared_cells.push(self.shared_cells[number].clone());
        }
        plan.parts = self.part_of;
        plan.cells = self.cells;
        plan
    }
}
