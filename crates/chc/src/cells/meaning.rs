//! What a solution about cells says about arrays.
//!
//! Each lemma holds for all indices that it is about. Where a lemma says of two arrays only that they
//! agree at every index, it says that they are equal, which needs no quantifier.
//!
//! Lemmas count from where arrays begin, but instances are found by the indices at which arrays are
//! read. So the index of one array is the bound variable, and others are at a distance from it. Which
//! array that is decides which instances are found; a lemma may be said in two ways.

use super::abstraction::Abstraction;
use alphorn_horn::transform::conjuncts;
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::Definition;
use alphorn_problem::horn::PredId;
use alphorn_smt::Linear;
use alphorn_term::{Op, Rat, SortId, Store, Substitution, TermId};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// What a predicate means if its cells mean this: each lemma for all indices that it is about, in one
/// way or in two.
pub(super) fn quantified(
    horn: &Horn,
    cells: &Abstraction,
    terms: &mut Store,
    pred: PredId,
    definition: &Definition,
    is_twofold: bool,
) -> Definition {
    let shape = &cells.shapes[pred.index()];
    let sorts = horn.pred_args(pred).to_vec();
    let params: Vec<TermId> = sorts.into_iter().map(|sort| terms.fresh_var("p", sort)).collect();
    let plain: Vec<TermId> = shape.plain.iter().map(|&at| params[at]).collect();
    let mut indices = Vec::with_capacity(cells.copies);
    for _ in 0..cells.copies {
        let own = shape.slots.iter().map(|&(_, sort)| terms.fresh_var("i", sort));
        indices.push(own.collect::<Vec<_>>());
    }
    let args = shape.args(terms, &plain, &indices, |terms, at, path| {
        path.iter().fold(params[at], |array, &index| terms.select(array, index))
    });
    let map: Substitution = definition.params.iter().copied().zip(args).collect();
    let bound: Vec<TermId> = indices.concat();
    let mut parts = Vec::new();
    for lemma in conjuncts(terms, definition.body) {
        let lemma = terms.substitute(lemma, &map);
        let free: FxHashSet<TermId> = terms.free_vars(&[lemma]).into_iter().collect();
        let own: Vec<TermId> = bound.iter().copied().filter(|var| free.contains(var)).collect();
        let (first, last) = plain_reads(terms, lemma, &own);
        for lemma in
            [Some(first), (is_twofold && last != first).then_some(last)].into_iter().flatten()
        {
            parts.push(match whole(terms, lemma, &own) {
                _ if own.is_empty() => lemma,
                Some(lemma) => lemma,
                None => terms.forall(&own, lemma),
            });
        }
    }
    let body = terms.and(&parts);
    Definition { params, body }
}

/// A lemma about all values of some variables as one about all indices of the first, and one about all
/// indices of the last, read that each variable is in.
pub(super) fn plain_reads(terms: &mut Store, lemma: TermId, bound: &[TermId]) -> (TermId, TermId) {
    let mut reads: Vec<(TermId, TermId, Rat, Linear)> = Vec::new();
    for part in terms.subterms(&[lemma]) {
        let (Op::Select, &[_, index]) = (terms.op(part), terms.args(part)) else { continue };
        if terms.sort(index) != SortId::INT {
            continue;
        }
        let form = Linear::of(terms, index);
        let inside: Vec<TermId> =
            form.terms.iter().map(|(atom, _)| *atom).filter(|atom| bound.contains(atom)).collect();
        if let [var] = inside[..]
            && form.is_over_integers(terms)
        {
            let (factor, distance) = form.split(var);
            if factor > Rat::ZERO && factor.is_integer() || factor == Rat::MINUS_ONE {
                reads.push((var, index, factor, distance));
            }
        }
    }
    let first = at_reads(terms, lemma, &reads);
    reads.reverse();
    (first, at_reads(terms, lemma, &reads))
}

/// A lemma in which each variable stands for the index of the first of the reads that it is in.
fn at_reads(terms: &mut Store, lemma: TermId, reads: &[(TermId, TermId, Rat, Linear)]) -> TermId {
    let mut pivots: BTreeMap<TermId, (TermId, &Rat, &Linear)> = BTreeMap::new();
    let mut indices = Substitution::default();
    for (var, index, factor, distance) in reads {
        let (name, step, start) = *pivots
            .entry(*var)
            .or_insert_with(|| (terms.fresh_var("j", SortId::INT), factor, distance));
        if step == factor {
            let mut form = Linear::atom(name);
            form.add_scaled(distance, &Rat::ONE);
            form.add_scaled(start, &Rat::MINUS_ONE);
            indices.insert(*index, form.to_term(terms, SortId::INT));
        }
    }
    let mut lemma = terms.substitute(lemma, &indices);
    for (var, (name, step, start)) in pivots {
        let mut distance = Linear::atom(var);
        distance.add_scaled(start, &Rat::MINUS_ONE);
        let distance = distance.to_term(terms, SortId::INT);
        let (mut cell, mut is_none) = (distance, TermId::FALSE);
        if *step == Rat::MINUS_ONE {
            cell = terms.neg(distance);
        } else if !step.is_one() {
            let step = terms.int(step.numerator());
            cell = terms.mk(Op::IntDiv, &[distance, step]);
            let rest = terms.mk(Op::Mod, &[distance, step]);
            let zero = terms.int(0);
            let is_cell = terms.eq(rest, zero);
            is_none = terms.not(is_cell);
        }
        let cells: Substitution = [(var, cell)].into_iter().collect();
        lemma = terms.substitute(lemma, &cells);
        let names: Substitution = [(name, var)].into_iter().collect();
        lemma = terms.substitute(lemma, &names);
        lemma = terms.or(&[is_none, lemma]);
    }
    lemma
}

/// A lemma for all values of some variables without quantifiers, if it says that two arrays are equal
/// unless something else is the case.
pub(super) fn whole(terms: &mut Store, lemma: TermId, bound: &[TermId]) -> Option<TermId> {
    let parts = match terms.op(lemma) {
        Op::Or => terms.args(lemma).to_vec(),
        _ => vec![lemma],
    };
    let mentions = |terms: &Store, term: TermId| {
        terms.free_vars(&[term]).iter().any(|var| bound.contains(var))
    };
    let about = parts.iter().position(|&part| mentions(terms, part))?;
    let (left, right) = match (terms.op(parts[about]), terms.args(parts[about])) {
        (Op::Eq, &[left, right]) => (left, right),
        _ => return None,
    };
    let (mut arrays, mut path) = ([left, right], Vec::new());
    while let (Op::Select, Op::Select) = (terms.op(arrays[0]), terms.op(arrays[1])) {
        let [index, other] = arrays.map(|array| terms.args(array)[1]);
        if index != other || !bound.contains(&index) || path.contains(&index) {
            return None;
        }
        path.push(index);
        arrays = arrays.map(|array| terms.args(array)[0]);
    }
    let is_whole = path.len() == bound.len() && arrays.iter().all(|&array| !mentions(terms, array));
    let mut rest = parts.clone();
    rest.remove(about);
    if !is_whole || rest.iter().any(|&part| mentions(terms, part)) {
        return None;
    }
    rest.push(terms.eq(arrays[0], arrays[1]));
    Some(terms.or(&rest))
}
