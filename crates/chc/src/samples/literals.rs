//! The literals that small clauses are made of.
//!
//! Where an argument has values that clauses name, it is mostly a place in a program or a flag, and which value it has is
//! a literal; so is that it has one of those values that go with a value of another argument. Arguments
//! between which values move may be equal or in order, and clauses have comparisons of their own. Each comes with its negation.
//! Cells of arrays (`cells`) count as arguments, after the others.

use super::cells;
use crate::settings::{
    SAMPLES_FEW_VALUES, SAMPLES_MAX_COMPARED, SAMPLES_MAX_LITERALS, SAMPLES_MAX_PLACES,
};
use alphorn_horn::transform::{System, head_args};
use alphorn_problem::horn::{Head, PredId};
use alphorn_term::{Int, Op, Sort, SortId, Store, TermId, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The most values of an argument that sets are made of.
const MAX_VALUES: usize = 64;
/// The most sets of values of one argument.
const MAX_SETS: usize = 10;
/// A value of an argument that has many counts if one fact in so many has it.
const RARE: usize = 50;

/// Literals about a predicate's arguments.
pub(super) fn about(
    store: &mut Store,
    params: &[TermId],
    facts: &[Arc<[Value]>],
    written: &[TermId],
    (constants, named, related): (&FxHashSet<Value>, &[BTreeSet<Value>], &[usize]),
) -> Vec<TermId> {
    let none = BTreeSet::new();
    let named = |at: usize| named.get(at).unwrap_or(&none);
    let usual = |(at, &param)| usual(store, param, facts, at, (constants, named(at)));
    let values: Vec<Vec<Value>> = params.iter().enumerate().map(usual).collect();
    let mut all = Collection { found: Vec::new(), seen: FxHashSet::default() };
    for (at, &param) in params.iter().enumerate() {
        for value in &values[at] {
            let is_value = equation(store, param, value);
            all.add(store, is_value);
        }
    }
    for (at, &param) in params.iter().enumerate() {
        for set in sets(facts, at, &values) {
            let of = |value: &Value| equation(store, param, value);
            let cases: Option<Vec<TermId>> = set.iter().map(of).collect();
            let is_one = cases.map(|cases| store.or(&cases));
            all.add(store, is_one);
        }
    }
    let many: Vec<bool> = (0..params.len()).map(|at| has_many(facts, at)).collect();
    comparisons(store, params, &many, related, &mut all);
    written.iter().for_each(|&formula| all.add(store, Some(formula)));
    all.found
}

struct Collection {
    found: Vec<TermId>,
    seen: FxHashSet<TermId>,
}

impl Collection {
    /// Adds a formula and its negation.
    fn add(&mut self, store: &mut Store, formula: Option<TermId>) {
        let Some(formula) = formula else { return };
        let negation = store.not(formula);
        for literal in [negation, formula] {
            let has_room = self.found.len() < SAMPLES_MAX_LITERALS.size();
            if has_room && !store.is_literal(literal) && self.seen.insert(literal) {
                self.found.push(literal);
            }
        }
    }
}

/// That an argument has a value.
fn equation(store: &mut Store, param: TermId, value: &Value) -> Option<TermId> {
    if let Value::Bool(value) = value {
        return Some(if *value { param } else { store.not(param) });
    }
    let value = store.value_term(value)?;
    Some(store.eq(param, value))
}

/// The values of an argument that are no accident: those that clauses name, or all if they are few and next to one another.
/// What was sampled is neither, and says nothing. Where all values are named, those that no fact has count as well: that it
/// is never there is what a proof may need.
fn usual(
    store: &Store,
    param: TermId,
    facts: &[Arc<[Value]>],
    at: usize,
    (constants, named): (&FxHashSet<Value>, &BTreeSet<Value>),
) -> Vec<Value> {
    if !matches!(
        store.sort_of(store.sort(param)),
        Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_)
    ) {
        return Vec::new();
    }
    let mut counts: BTreeMap<&Value, usize> = BTreeMap::new();
    for fact in facts {
        *counts.entry(&fact[at]).or_default() += 1;
    }
    let (are_few, total) = (counts.len() <= SAMPLES_FEW_VALUES.size(), facts.len());
    let is_range = are_few && is_range(counts.keys());
    // Places of a program are named one and all.
    let unnamed = counts.keys().filter(|value| !named.contains(**value)).count();
    let are_places = unnamed + named.len() <= SAMPLES_MAX_PLACES.size()
        && counts.keys().all(|value| constants.contains(*value));
    if are_places {
        named.iter().for_each(|value| _ = counts.entry(value).or_default());
    }
    let is_usual = |&(value, count): &(&Value, usize)| {
        let is_frequent = are_few || are_places || count * RARE >= total;
        is_range || (constants.contains(value) && is_frequent)
    };
    counts.into_iter().filter(is_usual).map(|(value, _)| value.clone()).collect()
}

/// Whether values, in ascending order, are next to one another.
fn is_range<'a>(values: impl Iterator<Item = &'a &'a Value> + Clone) -> bool {
    let number = |value: &&&Value| match value {
        Value::Int(number) => Some(number.clone()),
        Value::Bv(word) => Some(word.to_unsigned()),
        _ => None,
    };
    let numbers: Option<Vec<Int>> = values.clone().map(|value| number(&value)).collect();
    match numbers {
        Some(numbers) => numbers.windows(2).all(|pair| &pair[1] - &pair[0] == Int::from(1)),
        None => values.take(3).count() < 3,
    }
}

/// The values that clauses name.
pub(super) fn constants(system: &System, store: &Store) -> FxHashSet<Value> {
    let roots: Vec<TermId> = system
        .clauses
        .iter()
        .flat_map(|clause| [&[clause.body], head_args(clause)].concat())
        .collect();
    store.subterms(&roots).iter().filter_map(|&term| store.literal_value(term)).collect()
}

/// For each argument of a predicate, the values that clauses give to it or ask for.
pub(super) fn named(system: &System, store: &Store, pred: PredId) -> Vec<BTreeSet<Value>> {
    let mut found = vec![BTreeSet::new(); system.sorts(store, pred).len()];
    for clause in &system.clauses {
        let mut places: FxHashMap<TermId, Vec<usize>> = FxHashMap::default();
        let mut note = |args: &[TermId]| {
            for (at, &arg) in args.iter().enumerate() {
                match store.literal_value(arg) {
                    Some(value) => _ = found[at].insert(value),
                    None => places.entry(arg).or_default().push(at),
                }
            }
        };
        for atom in system.atoms(store, clause.body) {
            if system.atom(store, atom) == Some(pred) {
                note(store.args(atom));
            }
        }
        if matches!(clause.head, Head::Atom(own, _) if own == pred) {
            note(head_args(clause));
        }
        for part in store.subterms(&[clause.body]) {
            let (Op::Eq, &[one, two]) = (store.op(part), store.args(part)) else { continue };
            for (side, other) in [(one, two), (two, one)] {
                if let (Some(at), Some(value)) = (places.get(&side), store.literal_value(other)) {
                    at.iter().for_each(|&at| _ = found[at].insert(value.clone()));
                }
            }
        }
    }
    found
}

/// Whether an argument has many values.
fn has_many(facts: &[Arc<[Value]>], at: usize) -> bool {
    let mut values: FxHashSet<&Value> = FxHashSet::default();
    let few = SAMPLES_FEW_VALUES.size();
    facts.iter().any(|fact| values.insert(&fact[at]) && values.len() > few)
}

/// Sets of values that an argument has where another one has a value, or has it not: those that occur most often.
fn sets(facts: &[Arc<[Value]>], at: usize, values: &[Vec<Value>]) -> Vec<Vec<Value>> {
    let usual = &values[at];
    if !(3..=MAX_VALUES).contains(&usual.len()) {
        return Vec::new();
    }
    let own: Vec<Option<u64>> = facts
        .iter()
        .map(|fact| usual.binary_search(&fact[at]).ok().map(|position| 1 << position))
        .collect();
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    for (other, values) in values.iter().enumerate().filter(|(other, _)| *other != at) {
        // The last one is for values that are not usual.
        let mut with: Vec<Option<u64>> = vec![Some(0); values.len() + 1];
        for (fact, own) in facts.iter().zip(&own) {
            let position = values.binary_search(&fact[other]).unwrap_or(values.len());
            with[position] = with[position].zip(*own).map(|(set, own)| set | own);
        }
        for position in 0..values.len() {
            let mut rest = with.iter().enumerate().filter(|(other, _)| *other != position);
            let rest = rest.try_fold(0, |all, (_, set)| set.map(|set| all | set));
            for set in [with[position], rest].into_iter().flatten() {
                *counts.entry(set).or_default() += 1;
            }
        }
    }
    counts.retain(|set, _| (2..usual.len() as u32).contains(&set.count_ones()));
    let mut sets: Vec<(u64, usize)> = counts.into_iter().collect();
    sets.sort_by_key(|&(set, count)| (usize::MAX - count, set));
    sets.truncate(MAX_SETS);
    let is_in = |set: u64| move |position: &usize| set >> position & 1 == 1;
    let of = |set| (0..usual.len()).filter(is_in(set)).map(|position| usual[position].clone());
    sets.into_iter().map(|(set, _)| of(set).collect()).collect()
}

/// That related arguments are equal, and that they are in order where they are numbers and have many values.
fn comparisons(
    store: &mut Store,
    params: &[TermId],
    many: &[bool],
    related: &[usize],
    all: &mut Collection,
) {
    let mut left = SAMPLES_MAX_COMPARED.size();
    for (at, &one) in params.iter().enumerate() {
        for (other, &two) in params.iter().enumerate().skip(at + 1) {
            let sort = store.sort(one);
            let is_array = matches!(store.sort_of(sort), Sort::Array(..));
            let is_alike = sort == store.sort(two) && related[at] == related[other];
            if !is_alike || sort == SortId::BOOL || is_array || left == 0 {
                continue;
            }
            left -= 1;
            let is_equal = store.eq(one, two);
            all.add(store, Some(is_equal));
            if (many[at] || many[other]) && (sort == SortId::INT || sort == SortId::REAL) {
                let is_less = store.le(one, two);
                all.add(store, Some(is_less));
            }
        }
    }
}

/// For each argument of a predicate, and each cell, the first of those between which values move from one fact to another, or
/// that clauses compare, or that point into the same array: what such arguments hold is of one kind.
pub(super) fn related(
    system: &System,
    store: &mut Store,
    pred: PredId,
    (params, cells): (&[TermId], &[TermId]),
) -> Vec<usize> {
    let mut first: Vec<usize> = (0..params.len() + cells.len()).collect();
    for (one, other) in cells::alike(store, params, cells) {
        merge(&mut first, one, other);
    }
    for clause in &system.clauses {
        let mut places: FxHashMap<TermId, usize> = FxHashMap::default();
        let atoms = system.atoms(store, clause.body).into_iter();
        let atoms = atoms.filter(|&atom| system.atom(store, atom) == Some(pred));
        let mut facts: Vec<Vec<TermId>> = atoms.map(|atom| store.args(atom).to_vec()).collect();
        if matches!(clause.head, Head::Atom(own, _) if own == pred) {
            facts.push(head_args(clause).to_vec());
        }
        for args in facts {
            let map = params.iter().copied().zip(args.iter().copied()).collect();
            let cells = store.substitute_all(cells, &map);
            for (at, value) in args.into_iter().chain(cells).enumerate() {
                // Places in a program that have the same number have nothing else in common.
                if store.is_literal(value) {
                    continue;
                }
                merge(&mut first, *places.entry(value).or_insert(at), at);
            }
        }
        for part in store.subterms(&[clause.body]) {
            if let (Op::Eq | Op::Le | Op::Lt, &[one, two]) = (store.op(part), store.args(part))
                && let (Some(&at), Some(&other)) = (places.get(&one), places.get(&two))
            {
                merge(&mut first, at, other);
            }
        }
    }
    first
}

/// Puts the classes of two arguments together.
fn merge(first: &mut [usize], one: usize, two: usize) {
    let (least, other) = (first[one].min(first[two]), first[one].max(first[two]));
    first.iter_mut().filter(|own| **own == other).for_each(|own| *own = least);
}
