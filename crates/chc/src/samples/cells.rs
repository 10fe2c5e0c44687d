//! Cells of arrays as if they were arguments.
//!
//! What a thread owns, and whether it still does, is said by arrays where variables of the thread point: that a cell is
//! taken, that what it holds is not null, that two threads point to different ones. Clauses read and write such cells, and
//! a read or write whose place is made of arguments alone names a cell that a predicate can speak of. Its value is then
//! one more number about a fact, and literals are made of it like those of an argument.
//!
//! Invariant: a cell is a term over a predicate's parameters, of a sort that is no array.

use crate::settings::SAMPLES_MAX_CELLS;
use alphorn_horn::transform::{System, head_args};
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_term::{Op, Sort, Store, Substitution, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// In how many ways a term of a clause may be one over parameters.
const MAX_READINGS: usize = 4;

/// The cells that clauses name of a predicate's arguments; those at places that change first.
pub(super) fn cells(
    system: &System,
    store: &mut Store,
    pred: PredId,
    params: &[TermId],
) -> Vec<TermId> {
    let mut found: BTreeSet<TermId> = BTreeSet::new();
    if !params.iter().any(|&param| is_array(store, param)) {
        return Vec::new();
    }
    for clause in &system.clauses {
        let reading = Reading { params, places: places(system, store, pred, clause) };
        let roots = [&[clause.body], head_args(clause)].concat();
        for term in store.subterms(&roots) {
            if let (Op::Select | Op::Store, &[array, index, ..]) =
                (store.op(term), store.args(term))
            {
                found.extend(reading.cells(store, array, index));
            }
        }
    }
    found.retain(|&cell| !is_array(store, cell));
    let mut found: Vec<TermId> = found.into_iter().collect();
    found.sort_by_key(|&cell| is_fixed(store, cell));
    found.truncate(SAMPLES_MAX_CELLS.size());
    found
}

/// The array of a cell, and where it is in that.
pub(super) fn parts(store: &Store, cell: TermId) -> Option<(TermId, TermId)> {
    match (store.op(cell), store.args(cell)) {
        (Op::Select, &[array, index]) => Some((array, index)),
        _ => None,
    }
}

fn is_array(store: &Store, term: TermId) -> bool {
    matches!(store.sort_of(store.sort(term)), Sort::Array(..))
}

/// Whether a cell is at the same place of its array always.
fn is_fixed(store: &Store, mut cell: TermId) -> bool {
    while let Some((array, index)) = parts(store, cell) {
        if !store.is_ground(index) {
            return false;
        }
        cell = array;
    }
    true
}

/// The positions at which variables of a clause are arguments of a predicate. An array that is written counts
/// as the one that is there after it.
fn places(
    system: &System,
    store: &Store,
    pred: PredId,
    clause: &Clause,
) -> FxHashMap<TermId, Vec<usize>> {
    let mut found: FxHashMap<TermId, Vec<usize>> = FxHashMap::default();
    let mut add = |args: &[TermId]| {
        for (at, &arg) in args.iter().enumerate() {
            let mut var = arg;
            while let (Op::Store, &[array, ..]) = (store.op(var), store.args(var)) {
                var = array;
            }
            if matches!(store.op(var), Op::Var(_)) {
                let places = found.entry(var).or_default();
                if !places.contains(&at) {
                    places.push(at);
                }
            }
        }
    };
    for atom in system.atoms(store, clause.body) {
        if system.atom(store, atom) == Some(pred) {
            add(store.args(atom));
        }
    }
    if matches!(clause.head, Head::Atom(own, _) if own == pred) {
        add(head_args(clause));
    }
    found
}

/// How terms of a clause are read as terms over parameters.
struct Reading<'a> {
    params: &'a [TermId],
    places: FxHashMap<TermId, Vec<usize>>,
}

impl Reading<'_> {
    /// What a place of an array is in terms of parameters.
    fn cells(&self, store: &mut Store, array: TermId, index: TermId) -> Vec<TermId> {
        let (arrays, indices) = (self.arrays(store, array), self.indices(store, index));
        let mut found = Vec::new();
        for &array in &arrays {
            for &index in &indices {
                found.push(store.select(array, index));
            }
        }
        found
    }

    /// The arrays that a term was made of by writing.
    fn arrays(&self, store: &mut Store, term: TermId) -> Vec<TermId> {
        match (store.op(term), store.args(term)) {
            (Op::Var(_), _) => self.at(term),
            (Op::Store, &[array, ..]) => self.arrays(store, array),
            (Op::Select, &[array, index]) => {
                let mut found = self.cells(store, array, index);
                found.truncate(MAX_READINGS);
                found
            }
            _ => Vec::new(),
        }
    }

    /// The parameters that a variable stands for.
    fn at(&self, var: TermId) -> Vec<TermId> {
        let places = self.places.get(&var).map_or(&[][..], Vec::as_slice);
        places.iter().take(MAX_READINGS).map(|&at| self.params[at]).collect()
    }

    /// A place in terms of parameters: of its variables the first may stand for several.
    fn indices(&self, store: &mut Store, term: TermId) -> Vec<TermId> {
        let vars = store.free_vars(&[term]);
        let Some(&first) = vars.first() else { return vec![term] };
        let mut map = Substitution::default();
        for &var in &vars {
            let Some(&param) = self.at(var).first() else { return Vec::new() };
            map.insert(var, param);
        }
        let mut found = Vec::new();
        for param in self.at(first) {
            map.insert(first, param);
            found.push(store.substitute(term, &map));
        }
        found
    }
}

/// Positions of parameters that are places of the same arrays, as pairs.
pub(super) fn alike(store: &Store, params: &[TermId], cells: &[TermId]) -> Vec<(usize, usize)> {
    let mut first: FxHashMap<TermId, usize> = FxHashMap::default();
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    for &cell in cells {
        let mut inner = Some(cell);
        while let Some((array, index)) = inner.and_then(|cell| parts(store, cell)) {
            if let Some(at) = params.iter().position(|&param| param == index) {
                let other = *first.entry(array).or_insert(at);
                if seen.insert((other, at)) {
                    found.push((other, at));
                }
            }
            inner = Some(array);
        }
    }
    found
}
