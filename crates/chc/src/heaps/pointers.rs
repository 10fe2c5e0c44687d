//! Which numbers are indices of which arrays.
//!
//! Terms of a clause that are equal, stored, read or handed on belong together, and so do the arguments of
//! atoms and predicates: unification of what is equal, after Steensgaard, "Points-to analysis in almost
//! linear time" (POPL 1996). An array has a class of its indices and one of its elements. A number is a
//! *pointer* into arrays if its class is that of their indices, and an array is a *link* if that of its elements
//! is. Literals belong to no class, as zero would make all classes one; which ones a class meets is remembered,
//! because those are the tags that cells can have.
//!
//! The result is what guesses are made of, and nothing depends on its being right.

use crate::settings::HEAPS_MAX_FIXED;
use alphorn_horn::transform::{System, head_args};
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_smt::Linear;
use alphorn_term::{Op, Sort, SortId, Store, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What is said of an argument's place or of a term in a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Thing {
    /// An argument of a predicate.
    Arg(PredId, usize),
    /// A term in the clause of this position.
    Term(usize, TermId),
    /// The indices of what a class has in it.
    Indices(usize),
    /// The elements of what a class has in it.
    Elements(usize),
}

/// A predicate's arguments as parts of a heap; all are positions among its arguments.
#[derive(Clone, Debug, Default)]
pub(super) struct Heap {
    /// Numbers that are indices.
    pub(super) pointers: Vec<usize>,
    /// Arrays of indices.
    pub(super) links: Vec<usize>,
    /// Arrays of other values, with the literals that these meet.
    pub(super) tags: Vec<(usize, Vec<TermId>)>,
    /// Numbers that indices are compared with.
    pub(super) limits: Vec<usize>,
    /// Literals that are indices: where a list begins that was built first, for example.
    pub(super) fixed: Vec<TermId>,
}

/// The heaps of all predicates.
pub(super) fn heaps(system: &System, store: &Store) -> Vec<Heap> {
    let mut classes = Classes::default();
    for (at, clause) in system.clauses.iter().enumerate() {
        classes.clause(system, store, at, clause);
    }
    (0..system.preds.len() as u32).map(|pred| classes.heap(system, store, PredId(pred))).collect()
}

#[derive(Default)]
struct Classes {
    nodes: FxHashMap<Thing, usize>,
    /// What each node was joined to; itself, if it stands for its class.
    up: Vec<usize>,
    /// The classes of indices and elements of classes of arrays.
    parts: FxHashMap<usize, (usize, usize)>,
    /// Literals that members were equal to, by node.
    literals: Vec<(usize, TermId)>,
    /// Members that were compared.
    compared: Vec<(usize, usize)>,
}

impl Classes {
    fn node(&mut self, thing: Thing) -> usize {
        if let Some(&node) = self.nodes.get(&thing) {
            return node;
        }
        let node = self.up.len();
        self.up.push(node);
        self.nodes.insert(thing, node);
        node
    }

    fn find(&mut self, mut node: usize) -> usize {
        while self.up[node] != node {
            self.up[node] = self.up[self.up[node]];
            node = self.up[node];
        }
        node
    }

    /// The classes of the indices and of the elements of an array.
    fn parts(&mut self, array: usize) -> (usize, usize) {
        let array = self.find(array);
        if let Some(&parts) = self.parts.get(&array) {
            return parts;
        }
        let parts = (self.node(Thing::Indices(array)), self.node(Thing::Elements(array)));
        self.parts.insert(array, parts);
        parts
    }

    fn join(&mut self, one: usize, other: usize) {
        let mut todo = vec![(one, other)];
        while let Some((one, other)) = todo.pop() {
            let (one, other) = (self.find(one), self.find(other));
            if one == other {
                continue;
            }
            let (first, second) = (self.parts.get(&one).copied(), self.parts.get(&other).copied());
            self.up[other] = one;
            match (first, second) {
                (Some(first), Some(second)) => {
                    todo.extend([(first.0, second.0), (first.1, second.1)]);
                }
                (None, Some(second)) => {
                    self.parts.insert(one, second);
                }
                _ => {}
            }
        }
    }

    fn clause(&mut self, system: &System, store: &Store, at: usize, clause: &Clause) {
        let mut roots = vec![clause.body];
        roots.extend(head_args(clause));
        for term in store.subterms(&roots) {
            if let Some(pred) = system.atom(store, term) {
                self.args(store, at, pred, store.args(term));
                continue;
            }
            let args = store.args(term);
            match (store.op(term), args) {
                (Op::Eq, &[left, right]) => self.equal(store, at, left, right),
                (Op::Ite, &[_, yes, no]) => {
                    self.equal(store, at, term, yes);
                    self.equal(store, at, term, no);
                }
                (Op::Select, &[array, index]) => {
                    let elements = self.indexed(store, at, array, index);
                    self.member(store, at, elements, term);
                }
                (Op::Store, &[array, index, value]) => {
                    self.equal(store, at, term, array);
                    let elements = self.indexed(store, at, array, index);
                    self.member(store, at, elements, value);
                }
                (Op::ConstArray, &[value]) => {
                    let (_, elements) = self.parts_of(at, term);
                    self.member(store, at, elements, value);
                }
                (Op::Le | Op::Lt, &[left, right]) => self.comparison(store, at, left, right),
                _ => {}
            }
        }
        if let Head::Atom(pred, args) = &clause.head {
            self.args(store, at, *pred, args);
        }
    }

    fn args(&mut self, store: &Store, at: usize, pred: PredId, args: &[TermId]) {
        for (position, &arg) in args.iter().enumerate() {
            let node = self.node(Thing::Arg(pred, position));
            self.member(store, at, node, arg);
        }
    }

    fn parts_of(&mut self, at: usize, array: TermId) -> (usize, usize) {
        let node = self.node(Thing::Term(at, array));
        self.parts(node)
    }

    /// An array has such an index; the class of its elements. A number from which the index is at a distance counts
    /// as compared with it: where cells are handed out, that is the last one.
    fn indexed(&mut self, store: &Store, at: usize, array: TermId, index: TermId) -> usize {
        let (indices, elements) = self.parts_of(at, array);
        self.member(store, at, indices, index);
        let form = Linear::of(store, index);
        if let [(atom, _)] = &form.terms[..]
            && *atom != index
        {
            let near = self.node(Thing::Term(at, *atom));
            self.compared.push((indices, near));
        }
        elements
    }

    /// A term is in the class of a node.
    fn member(&mut self, store: &Store, at: usize, node: usize, term: TermId) {
        if store.is_literal(term) {
            self.literals.push((node, term));
            return;
        }
        let own = self.node(Thing::Term(at, term));
        self.join(node, own);
    }

    fn equal(&mut self, store: &Store, at: usize, left: TermId, right: TermId) {
        let (left, right) = if store.is_literal(left) { (right, left) } else { (left, right) };
        if !store.is_literal(left) {
            let node = self.node(Thing::Term(at, left));
            self.member(store, at, node, right);
        }
    }

    /// All numbers of an inequality are compared with each other.
    fn comparison(&mut self, store: &Store, at: usize, left: TermId, right: TermId) {
        let mut nodes: Vec<usize> = Vec::new();
        for side in [left, right] {
            for (atom, _) in &Linear::of(store, side).terms {
                nodes.push(self.node(Thing::Term(at, *atom)));
            }
        }
        for (position, &one) in nodes.iter().enumerate() {
            self.compared.extend(nodes[position + 1..].iter().map(|&other| (one, other)));
        }
    }

    fn heap(&mut self, system: &System, store: &Store, pred: PredId) -> Heap {
        let sorts = system.sorts(store, pred);
        let mut arrays = Vec::new();
        for (position, &sort) in sorts.iter().enumerate() {
            if let Sort::Array(SortId::INT, element) = store.sort_of(sort)
                && [SortId::INT, SortId::BOOL].contains(element)
            {
                let node = self.node(Thing::Arg(pred, position));
                let (indices, elements) = self.parts(node);
                arrays.push((position, self.find(indices), self.find(elements), *element));
            }
        }
        let indices: BTreeSet<usize> = arrays.iter().map(|&(_, indices, ..)| indices).collect();
        let mut heap = Heap::default();
        for (position, _, elements, element) in arrays {
            if indices.contains(&elements) {
                heap.links.push(position);
            }
            // A column may hold a tag in one kind of cell and an index in another; zero says nothing then.
            let mut literals = match element {
                SortId::BOOL => vec![TermId::FALSE, TermId::TRUE],
                _ => self.literals_of(elements),
            };
            if indices.contains(&elements) {
                literals.retain(|&literal| store.int_value(literal).is_some_and(|n| !n.is_zero()));
            }
            if !literals.is_empty() {
                heap.tags.push((position, literals));
            }
        }
        let near = self.compared_with(&indices);
        for &class in &indices {
            heap.fixed.extend(self.literals_of(class));
        }
        heap.fixed.retain(|&literal| store.int_value(literal).is_some_and(|n| n.is_positive()));
        heap.fixed.sort_by_key(|&literal| store.int_value(literal).cloned());
        heap.fixed.dedup();
        heap.fixed.truncate(HEAPS_MAX_FIXED.size());
        for (position, &sort) in sorts.iter().enumerate() {
            if sort != SortId::INT {
                continue;
            }
            let node = self.node(Thing::Arg(pred, position));
            let class = self.find(node);
            if indices.contains(&class) {
                heap.pointers.push(position);
            }
            // Where the last cell is handed out, too, what limits a heap is a pointer itself.
            if near.contains(&class) {
                heap.limits.push(position);
            }
        }
        heap
    }

    /// The literals that members of a class meet, without repetition.
    fn literals_of(&mut self, class: usize) -> Vec<TermId> {
        let mut found = Vec::new();
        for at in 0..self.literals.len() {
            let (node, literal) = self.literals[at];
            if self.find(node) == class && !found.contains(&literal) {
                found.push(literal);
            }
        }
        found.sort();
        found
    }

    /// The classes of what members of these classes are compared with.
    fn compared_with(&mut self, classes: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        for at in 0..self.compared.len() {
            let (one, other) = self.compared[at];
            let (one, other) = (self.find(one), self.find(other));
            for (pointer, limit) in [(one, other), (other, one)] {
                if classes.contains(&pointer) {
                    found.insert(limit);
                }
            }
        }
        found
    }
}
