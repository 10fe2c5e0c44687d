//! Where arrays begin: a number that is added to every index.
//!
//! Programs with pointers keep an array in a memory of its own and reach its elements at a base
//! address plus an offset. Two such arrays have their elements of one number at two different indices,
//! and what relates them is no matter of one index. So each array gets the argument of its predicate
//! that is its base, and cells are counted from there: `P(x, b, a)` speaks of `a[b + i]`.
//!
//! A base is an argument that occurs in most indices at which the array is accessed, once and with
//! nothing subtracted, and that a loop hands on unchanged. Predicates whose clauses do not access their
//! arrays have the base that is handed on to them, or by them. Where all distances from bases are
//! multiples of a number, as those of words in a memory of bytes are, it is the *step* from one cell to
//! the next, and what lies between is never spoken of. Any choice is right, since a model may say
//! anything of some cells and nothing of others; a good one makes invariants simple.

use super::strides::{Strides, strides};
use alphorn_horn::transform::System;
use alphorn_horn::transform::flow::{Class, Flow, Place, occurrences};
use alphorn_problem::Horn;
use alphorn_smt::Linear;
use alphorn_term::{Int, Op, Rat, Sort, SortId, Store, TermId};
use std::collections::BTreeMap;

/// Where an array begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Base {
    /// The argument that is added to indices.
    pub(super) at: usize,
    /// The distance from one cell to the next.
    pub(super) step: Int,
}

/// For arguments that are arrays, where they begin.
pub(super) type Bases = BTreeMap<Place, Base>;

/// For arguments that are arrays, the argument that is their base.
type Starts = BTreeMap<Place, usize>;

/// The bases of a system's arrays of one dimension.
pub(super) fn bases(horn: &Horn) -> Bases {
    let (system, store) = (System::of(horn), &horn.terms);
    let strides: Vec<Strides> =
        horn.clauses.iter().map(|clause| strides(store, clause.body)).collect();
    let mut found = Bases::new();
    for class in Flow::of(&system, store).classes() {
        let Some((pred, at)) = class.places().next() else { continue };
        let is_line = match *store.sort_of(horn.pred_args(pred)[at]) {
            Sort::Array(index, element) => {
                index == SortId::INT && !matches!(store.sort_of(element), Sort::Array(..))
            }
            _ => false,
        };
        if !is_line {
            continue;
        }
        let occurrences = occurrences(&system, store, &class);
        let starts = starts(store, &class, &occurrences);
        let step = step(store, &strides, &class, &occurrences, &starts);
        let base = |(place, at)| (place, Base { at, step: step.clone() });
        found.extend(starts.into_iter().map(base));
    }
    found
}

/// For each clause, the atoms in which arguments of a class stand.
type Occurrences = [Vec<(Place, Vec<TermId>)>];

fn starts(store: &Store, class: &Class, occurrences: &Occurrences) -> Starts {
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
    let mut bases = Starts::new();
    for (&(place, at), &count) in &votes {
        let known = bases.get(&place).map_or(0, |&other| votes[&(place, other)]);
        if count > known && 2 * count > most[&place] && is_kept(occurrences, place, at) {
            bases.insert(place, at);
        }
    }
    hand_on(occurrences, &mut bases);
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
fn is_kept(occurrences: &Occurrences, place: Place, at: usize) -> bool {
    occurrences.iter().all(|found| {
        let mut own = found.iter().filter(|(other, _)| *other == place).map(|(_, args)| args[at]);
        let first = own.next();
        own.all(|arg| Some(arg) == first)
    })
}

/// Gives places without a base the one that clauses hand on to or from them.
fn hand_on(occurrences: &Occurrences, bases: &mut Starts) {
    loop {
        let mut more = Starts::new();
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

/// The greatest number of which all distances from bases are multiples, by what clauses say of variables.
fn step(
    store: &Store,
    strides: &[Strides],
    class: &Class,
    occurrences: &Occurrences,
    starts: &Starts,
) -> Int {
    let mut step = Int::ZERO;
    for &(clause, index) in &class.accesses {
        let mut known = occurrences[clause].iter();
        let base = known.find_map(|(place, args)| starts.get(place).map(|&at| args[at]));
        let Some(base) = base else { return Int::ONE };
        let mut distance = Linear::difference(store, index, base);
        for (var, stride) in &strides[clause] {
            distance = stride.put_in(distance, *var, *var);
        }
        let numbers = distance.terms.iter().map(|(_, factor)| factor).chain([&distance.constant]);
        for number in numbers {
            if !number.is_integer() {
                return Int::ONE;
            }
            step = step.gcd(&number.numerator());
        }
    }
    if step.is_zero() { Int::ONE } else { step }
}
