//! The arrays that are accessed at few fixed indices.
//!
//! A class of arrays that flow into one another is fit if every access to it has an index that is a
//! literal, or a literal distance from a *base*: in each clause one term, and for every predicate one
//! argument, which therefore is handed on with the arrays. Which arguments are bases is found by
//! leaving out those that some clause contradicts.

use super::super::flow::{self, Flow, Node, Place, occurrences};
use super::super::system::System;
use crate::settings::FIXED_CELLS_MAX_CELLS;
use alphorn_smt::Linear;
use alphorn_term::{Int, Op, Sort, SortId, Store, TermId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Arrays that are accessed at fixed indices.
#[derive(Default)]
pub(super) struct Class {
    /// The distances from the base, or indices, of the elements, in ascending order; with `has_rest`
    /// the last one stands for all others.
    pub(super) cells: Vec<TermId>,
    /// Whether the last cell stands for all others.
    pub(super) has_rest: bool,
    /// The arguments that are the bases of arguments.
    pub(super) base_of: BTreeMap<Place, usize>,
    base_in: BTreeMap<usize, TermId>,
}

impl Class {
    /// The base in a clause.
    pub(super) fn base_in(&self, clause: usize) -> Option<TermId> {
        self.base_in.get(&clause).copied()
    }

    /// Which element is accessed at an index.
    pub(super) fn cell_at(&self, store: &mut Store, index: TermId) -> usize {
        let cell = access(store, index).map(|(_, cell)| cell);
        let position = self.cells.iter().position(|&known| Some(known) == cell);
        position.expect("the indices of all accesses were collected")
    }
}

/// The classes that are fit.
pub(super) struct Classes {
    fit: Vec<Class>,
    of: FxHashMap<Node, usize>,
}

impl Classes {
    /// Whether no class is fit, so that the transform has nothing to do.
    pub(super) fn is_empty(&self) -> bool {
        self.fit.is_empty()
    }

    /// The class of an argument.
    pub(super) fn of_place(&self, place: Place) -> Option<&Class> {
        self.of.get(&Node::Place(place)).map(|&class| &self.fit[class])
    }

    /// The class of a term of a clause.
    pub(super) fn of_term(&self, clause: usize, term: TermId) -> Option<&Class> {
        self.of.get(&Node::Term(clause, term)).map(|&class| &self.fit[class])
    }
}

/// The fit classes of a system.
pub(super) fn find(system: &System, store: &mut Store) -> Classes {
    let mut classes = Classes { fit: Vec::new(), of: FxHashMap::default() };
    for class in Flow::of(system, store).classes() {
        if let Some(fit) = fit(system, store, &class) {
            classes.of.extend(class.nodes.into_iter().map(|node| (node, classes.fit.len())));
            classes.fit.push(fit);
        }
    }
    classes
}

/// The base and the distance of an index, if it is a literal or a literal distance from a variable.
fn access(store: &mut Store, index: TermId) -> Option<(Option<TermId>, TermId)> {
    if store.is_literal(index) {
        return Some((None, index));
    }
    let sort = store.sort(index);
    if sort != SortId::INT {
        return None;
    }
    let form = Linear::of(store, index);
    let [(base, factor)] = &form.terms[..] else { return None };
    let is_plain = matches!(store.op(*base), Op::Var(_)) && store.sort(*base) == sort;
    if !is_plain || !factor.is_one() || !form.constant.is_integer() {
        return None;
    }
    let distance = Linear::constant(form.constant.clone()).to_term(store, sort);
    Some((Some(*base), distance))
}

/// The class as one of fixed indices, if it is fit.
fn fit(system: &System, store: &mut Store, class: &flow::Class) -> Option<Class> {
    let (pred, at) = class.places().next().filter(|_| !class.is_unfit)?;
    let Sort::Array(index_sort, element) = *store.sort_of(system.sorts(store, pred)[at]) else {
        return None;
    };
    if !matches!(store.sort_of(element), Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_)) {
        return None;
    }
    let mut cells: BTreeSet<Int> = BTreeSet::new();
    let mut others: BTreeSet<TermId> = BTreeSet::new();
    let mut required: BTreeMap<usize, Option<TermId>> = BTreeMap::new();
    for &(clause, index) in &class.accesses {
        let (base, cell) = access(store, index)?;
        match store.int_value(cell) {
            Some(value) => cells.insert(value.clone()),
            None => others.insert(cell),
        };
        if *required.entry(clause).or_insert(base) != base {
            return None;
        }
    }
    let mut fixed = Class { has_rest: class.is_compared, ..Class::default() };
    if fixed.has_rest {
        let last = cells.last().filter(|_| index_sort == SortId::INT)?.clone();
        cells.insert(&last + &Int::ONE);
    }
    fixed.cells = cells.into_iter().map(|value| store.int(value)).chain(others).collect();
    if fixed.cells.is_empty() || fixed.cells.len() > FIXED_CELLS_MAX_CELLS.size() {
        return None;
    }
    if required.values().any(Option::is_some) {
        let required: Option<BTreeMap<usize, TermId>> =
            required.into_iter().map(|(clause, base)| Some((clause, base?))).collect();
        bases(system, store, class, index_sort, &required?, &mut fixed)?;
    }
    Some(fixed)
}

/// Finds the bases of a class's arguments and clauses; none if there are no such arguments.
fn bases(
    system: &System,
    store: &Store,
    class: &flow::Class,
    index_sort: SortId,
    required: &BTreeMap<usize, TermId>,
    fixed: &mut Class,
) -> Option<()> {
    let mut left: BTreeMap<Place, Vec<usize>> = BTreeMap::new();
    for (pred, at) in class.places() {
        let sorts = system.sorts(store, pred);
        let fit = (0..sorts.len()).filter(|&other| sorts[other] == index_sort);
        left.insert((pred, at), fit.collect());
    }
    let occurrences = occurrences(system, store, class);
    loop {
        let mut has_changed = false;
        for (clause, found) in occurrences.iter().enumerate() {
            let mut shared: Option<BTreeSet<TermId>> =
                required.get(&clause).map(|&base| BTreeSet::from([base]));
            for (place, args) in found {
                let own: BTreeSet<TermId> = left[place].iter().map(|&at| args[at]).collect();
                shared = Some(match shared {
                    Some(shared) => shared.intersection(&own).copied().collect(),
                    None => own,
                });
            }
            let Some(shared) = shared else { continue };
            for (place, args) in found {
                let options = left.get_mut(place)?;
                let before = options.len();
                options.retain(|&at| shared.contains(&args[at]));
                has_changed |= options.len() < before;
                if options.is_empty() {
                    return None;
                }
            }
            if let Some(&base) = shared.iter().next() {
                fixed.base_in.insert(clause, base);
            }
        }
        if has_changed {
            continue;
        }
        // Several arguments always are the same: the first is as good as any.
        match left.values_mut().find(|options| options.len() > 1) {
            Some(options) => options.truncate(1),
            None => break,
        }
    }
    fixed.base_of = left.into_iter().map(|(place, options)| (place, options[0])).collect();
    Some(())
}
