//! Where arrays begin: a number that is added to every index.
//!
//! Programs with pointers keep an array in a memory of its own and reach its elements at a base
//! address plus an offset. Two such arrays have their elements of one number at two different indices,
//! and what relates them is no matter of one index. So each array gets the argument of its predicate
//! that is its base, and cells are counted from there: `P(x, b, a)` speaks of `a[b + i]`.
//!
//! A base is an argument that occurs in most indices at which the array is accessed, once and with
//! nothing subtracted, and that a loop hands on unchanged. Predicates whose clauses do not access their
//! arrays have the base that is handed on to them, or by them. Any choice is right, since whatever the
//! base, the cells are all of them; a good one makes invariants simple.

use crate::transform::System;
use crate::transform::flow::{Class, Flow, Place, occurrences};
use alphorn_problem::Horn;
use alphorn_smt::Linear;
use alphorn_term::{Op, Rat, Sort, SortId, Store, TermId};
use std::collections::BTreeMap;

/// For arguments that are arrays, the argument that is their base.
pub(super) type Bases = BTreeMap<Place, usize>;

/// The bases of a system's arrays of one dimension.
pub(super) fn bases(horn: &Horn) -> Bases {
    let (system, store) = (System::of(horn), &horn.terms);
    let mut found = Bases::new();
    for class in Flow::of(&system, store).classes() {
        let Some((pred, at)) = class.places().next() else { continue };
        let is_line = match *store.sort_of(horn.pred_args(pred)[at]) {
            Sort::Array(index, element) => {
                index == SortId::INT && !matches!(store.sort_of(element), Sort::Array(..))
            }
            _ => false,
        };
        if is_line {
            found.extend(of_class(&system, store, &class));
        }
    }
    found
}

fn of_class(system: &System, store: &Store, class: &Class) -> Bases {
    let occurrences = occurrences(system, store, class);
    let mut votes: BTreeMap<(Place, usize), usize> = BTreeMap::new();
    let mut most: BTreeMap<Place, usize> = BTreeMap::new();
    for &(clause, index) in &class.accesses {
        let form = Linear::of(store, index);
        for (place, args) in &occurrences[clause] {
            *most.entry(*place).or_default() += 1;
            for (at, &arg) in args.iter().enumerate() {
                if is_base_in(store, &form, arg) {
                    *votes.entry((*place, at)).or_default() += 1;
                }
            }
        }
    }
    let mut bases = Bases::new();
    for (&(place, at), &count) in &votes {
        let known = bases.get(&place).map_or(0, |&other| votes[&(place, other)]);
        if count > known && 2 * count > most[&place] && is_kept(&occurrences, place, at) {
            bases.insert(place, at);
        }
    }
    hand_on(&occurrences, &mut bases);
    bases
}

/// Whether an index is a variable with something added to it.
fn is_base_in(store: &Store, index: &Linear, arg: TermId) -> bool {
    matches!(store.op(arg), Op::Var(_))
        && store.sort(arg) == SortId::INT
        && index.coefficient(arg).is_one()
        && index.terms.iter().all(|(_, factor)| *factor > Rat::ZERO)
}

/// Whether clauses hand an argument on unchanged from a predicate to itself.
fn is_kept(occurrences: &[Vec<(Place, Vec<TermId>)>], place: Place, at: usize) -> bool {
    occurrences.iter().all(|found| {
        let mut own = found.iter().filter(|(other, _)| *other == place).map(|(_, args)| args[at]);
        let first = own.next();
        own.all(|arg| Some(arg) == first)
    })
}

/// Gives places without a base the one that clauses hand on to or from them.
fn hand_on(occurrences: &[Vec<(Place, Vec<TermId>)>], bases: &mut Bases) {
    loop {
        let mut more = Bases::new();
        for found in occurrences {
            let known = found.iter().find_map(|(place, args)| bases.get(place).map(|&at| args[at]));
            let Some(base) = known else { continue };
            for (place, args) in found.iter().filter(|(place, _)| !bases.contains_key(place)) {
                if let Some(at) = args.iter().position(|&arg| arg == base) {
                    more.entry(*place).or_insert(at);
                }
            }
        }
        if more.is_empty() {
            return;
        }
        bases.extend(more);
    }
}
