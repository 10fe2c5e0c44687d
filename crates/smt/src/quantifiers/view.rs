//! The assignment that the search found, as quantifiers look at it.
//!
//! Terms have *keys*: the truth value, the number, or the class of equal terms. Where theories agree on
//! an assignment, applications of one function to terms with the same keys have one value, so a
//! table by keys has what is known of each function, each case once. Tables are made when they are
//! asked for: most questions are about few functions, and about terms that are there as they are.
//!
//! Invariant: a key is what the model read off the assignment gives to the term; a term without one
//! has nothing to do with the assignment.

use alphorn_term::{Op, Rat, Sort, SortId, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::atomic::Ordering;

use super::matching::Ground;
use crate::euf::Node;
use crate::linear::{Linear, number_of};
use crate::theories::agreement;
use crate::theories::kernel::Kernel;

/// What a term is in the assignment.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Key {
    /// A truth value.
    Truth(bool),
    /// A number.
    Number(Rat),
    /// A class of equal terms, by its root.
    Class(Node),
}

/// What cases of a function are looked up by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// Their value.
    Value,
    /// An argument.
    Argument(usize),
}

/// The sort of cases, and what one of their places is.
type At = (SortId, Option<(Place, Key)>);

/// Cases of a function by these.
type Index = FxHashMap<At, Rc<[TermId]>>;

/// Terms for values, and all of them by sort.
#[derive(Default)]
struct Representatives {
    terms: FxHashMap<(SortId, Key), TermId>,
    by_sort: FxHashMap<SortId, Rc<[TermId]>>,
}

/// An assignment.
pub(super) struct View<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) store: &'a Store,
    numbers: Vec<Rat>,
    /// What is known of the functions that were asked about.
    cases: RefCell<FxHashMap<Op, Rc<Cases>>>,
    indices: OnceCell<FxHashMap<SortId, Vec<TermId>>>,
    representatives: OnceCell<Representatives>,
    /// The work that the tables took, in steps.
    steps: Cell<u64>,
}

/// What is known of a function.
#[derive(Default)]
pub(super) struct Cases {
    /// A term for each case.
    terms: Rc<[TermId]>,
    table: FxHashMap<(SortId, Vec<Key>), TermId>,
    index: OnceCell<Index>,
}

impl<'a> View<'a> {
    /// What the search has found.
    pub(super) fn new(kernel: &'a Kernel, store: &'a Store) -> View<'a> {
        let numbers = agreement::numbers(kernel.theory());
        let (cases, indices, representatives, steps) = Default::default();
        View { kernel, store, numbers, cases, indices, representatives, steps }
    }

    /// The work that tables took so far.
    pub(super) fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// The applications of a function that the query is about, in the order of their ids.
    fn applications_of(&self, op: Op) -> Vec<TermId> {
        let all = self.kernel.theory().equality.cases.get(&op).map_or(&[][..], Vec::as_slice);
        let is_alive = |term: &TermId| self.kernel.theory().quantifiers.is_alive(*term);
        let mut terms: Vec<TermId> = all.iter().copied().filter(is_alive).collect();
        self.steps.set(self.steps.get() + all.len() as u64);
        // Most are in order already, which this way of sorting makes use of.
        terms.sort();
        terms
    }

    /// What is known of a function.
    fn cases(&self, op: Op) -> Rc<Cases> {
        if let Some(known) = self.cases.borrow().get(&op) {
            return Rc::clone(known);
        }
        let (mut known, mut terms) = (Cases::default(), Vec::new());
        for term in self.applications_of(op) {
            let args: Option<Vec<Key>> =
                self.store.args(term).iter().map(|arg| self.key(*arg)).collect();
            if let Some(args) = args {
                known.table.entry((self.store.sort(term), args)).or_insert_with(|| {
                    terms.push(term);
                    term
                });
            }
        }
        known.terms = terms.into();
        let known = Rc::new(known);
        self.cases.borrow_mut().insert(op, Rc::clone(&known));
        known
    }

    /// The terms that arrays of a sort are read and written at.
    fn indices_of(&self, sort: SortId) -> &[TermId] {
        let all = self.indices.get_or_init(|| {
            let mut terms = self.applications_of(Op::Select);
            terms.extend(self.applications_of(Op::Store));
            terms.sort();
            let mut seen: FxHashSet<(SortId, Key)> = FxHashSet::default();
            let mut indices: FxHashMap<SortId, Vec<TermId>> = FxHashMap::default();
            for term in terms {
                let args = self.store.args(term);
                let sort = self.store.sort(args[0]);
                if let Some(key) = self.key(args[1])
                    && seen.insert((sort, key))
                {
                    indices.entry(sort).or_default().push(args[1]);
                }
            }
            indices
        });
        all.get(&sort).map_or(&[], Vec::as_slice)
    }

    /// The application of a function to arguments with these keys.
    pub(super) fn find(&self, op: Op, sort: SortId, args: Vec<Key>) -> Option<TermId> {
        self.cases(op).table.get(&(sort, args)).copied()
    }

    /// The applications of a function, of which one place may have to be something, with values of a sort.
    pub(super) fn applications_at(
        &self,
        op: Op,
        sort: SortId,
        at: Option<(Place, Key)>,
    ) -> Rc<[TermId]> {
        let cases = self.cases(op);
        let index = cases.index.get_or_init(|| {
            let mut lists: FxHashMap<At, Vec<TermId>> = FxHashMap::default();
            for &term in cases.terms.iter() {
                let (sort, args) = (self.store.sort(term), self.store.args(term));
                let places = (0..args.len()).map(Place::Argument).zip(args.iter().copied());
                lists.entry((sort, None)).or_default().push(term);
                for (place, part) in places.chain([(Place::Value, term)]) {
                    if let Some(key) = self.key(part) {
                        lists.entry((sort, Some((place, key)))).or_default().push(term);
                    }
                }
                self.steps.set(self.steps.get() + args.len() as u64);
            }
            lists.into_iter().map(|(at, terms)| (at, terms.into())).collect()
        });
        index.get(&(sort, at)).cloned().unwrap_or_default()
    }

    /// A term that is something.
    pub(super) fn representative(&self, sort: SortId, key: &Key) -> Option<TermId> {
        self.all_representatives().terms.get(&(sort, key.clone())).copied()
    }

    /// A term for each thing of a sort that the query is about.
    pub(super) fn elements(&self, sort: SortId) -> Rc<[TermId]> {
        self.all_representatives().by_sort.get(&sort).cloned().unwrap_or_default()
    }

    fn all_representatives(&self) -> &Representatives {
        self.representatives.get_or_init(|| {
            let terms = self.representatives();
            self.steps.set(self.steps.get() + terms.len() as u64);
            let mut lists: FxHashMap<SortId, Vec<TermId>> = FxHashMap::default();
            for ((sort, _), term) in &terms {
                lists.entry(*sort).or_default().push(*term);
            }
            let sorted = |(sort, mut terms): (SortId, Vec<TermId>)| {
                terms.sort_unstable();
                (sort, terms.into())
            };
            Representatives { terms, by_sort: lists.into_iter().map(sorted).collect() }
        })
    }

    /// The application of a function to these very terms, if the query is about it.
    pub(super) fn find_same(&self, op: Op, sort: SortId, args: &[TermId]) -> Option<TermId> {
        let term = self.store.find_raw(op, sort, args)?;
        let is_there = self.kernel.theory().equality.nodes.contains_key(&term);
        (is_there && self.kernel.theory().quantifiers.is_alive(term)).then_some(term)
    }

    /// The node of a term.
    pub(super) fn node(&self, term: TermId) -> Option<Node> {
        self.kernel.theory().equality.nodes.get(&term).copied()
    }

    /// What a term is.
    pub(super) fn key(&self, term: TermId) -> Option<Key> {
        match self.store.sort(term) {
            SortId::BOOL => self.truth(term).map(Key::Truth),
            sort if sort.is_arithmetic() => {
                if let Op::Var(_) | Op::Apply(_) = self.store.op(term)
                    && let Some(form) = self.kernel.theory().arithmetic.numbers.get(&term)
                {
                    return self.numbers.get(form.0 as usize).cloned().map(Key::Number);
                }
                self.number(&Linear::of(self.store, term)).map(Key::Number)
            }
            _ => self
                .node(term)
                .map(|node| Key::Class(self.kernel.theory().equality.closure.root(node))),
        }
    }

    fn truth(&self, term: TermId) -> Option<bool> {
        match term {
            TermId::TRUE => Some(true),
            TermId::FALSE => Some(false),
            _ => self.kernel.truth_of(self.store, term),
        }
    }

    /// The value of a polynomial over terms that have numbers.
    pub(super) fn number(&self, linear: &Linear) -> Option<Rat> {
        let mut sum = linear.constant.clone();
        for (atom, factor) in &linear.terms {
            let value = match self.kernel.theory().arithmetic.numbers.get(atom) {
                Some(form) => self.numbers.get(form.0 as usize)?.clone(),
                None => number_of(self.store, *atom)?,
            };
            sum = &sum + &(&value * factor);
        }
        Some(sum)
    }

    /// The terms that the query is about.
    fn terms(&self) -> impl Iterator<Item = TermId> {
        let nodes = self.kernel.theory().equality.nodes.keys().copied();
        nodes.filter(|term| self.kernel.theory().quantifiers.is_alive(*term))
    }

    /// The numbers that applications are.
    pub(super) fn numbers_of_terms(&self) -> FxHashMap<TermId, Rat> {
        let numbers = self.terms().filter_map(|term| match self.key(term) {
            Some(Key::Number(number)) => Some((term, number)),
            _ => None,
        });
        numbers.collect()
    }

    /// Terms for values: the first of each number and class that is an argument or a value.
    pub(super) fn representatives(&self) -> FxHashMap<(SortId, Key), TermId> {
        let mut terms: Vec<TermId> = self.terms().collect();
        terms.sort_unstable_by_key(|term| {
            (self.kernel.theory().quantifiers.generation(*term), *term)
        });
        let mut found = FxHashMap::default();
        for term in terms {
            let sort = self.store.sort(term);
            let is_useful =
                sort.is_arithmetic() || matches!(self.store.sort_of(sort), Sort::Uninterpreted(..));
            if let Some(key) = self.key(term).filter(|_| is_useful) {
                found.entry((sort, key)).or_insert(term);
            }
        }
        found
    }
}

impl Ground for View<'_> {
    type Key = Key;

    const SOLVES_SUMS: bool = true;

    fn store(&self) -> &Store {
        self.store
    }

    fn key(&self, term: TermId) -> Option<Key> {
        View::key(self, term)
    }

    fn applications(&self, op: Op) -> Rc<[TermId]> {
        Rc::clone(&self.cases(op).terms)
    }

    fn equal(&self, term: TermId, op: Op) -> Vec<TermId> {
        let Some(node) = self.node(term) else { return Vec::new() };
        let equality = &self.kernel.theory().equality;
        let members = equality.closure.class(node);
        let terms = members.filter_map(|member| equality.node_terms.get(&member).copied());
        terms.filter(|member| self.store.op(*member) == op).collect()
    }

    fn indices(&self, sort: SortId) -> Option<&[TermId]> {
        Some(self.indices_of(sort))
    }

    fn number(&self, sum: &Linear) -> Option<(Rat, Key)> {
        let value = View::number(self, sum)?;
        Some((value.clone(), Key::Number(value)))
    }

    fn is_interrupted(&self) -> bool {
        self.kernel.theory().quantifiers.interrupt.load(Ordering::Relaxed)
    }
}
