//! Guesses of what predicates without recursion on data may mean.
//!
//! An argument that says whether two others are equal, or which of two numbers is less; a number that is a sum or difference
//! of others. Programs compare built-in numbers by counting both down, with nothing said of those below zero: a guess may
//! make an exception of numbers that are not positive.

use super::recognize::{Body, Meaning};
use crate::settings::INDUCTION_MAX_NUMBERS;
use alphorn_problem::Horn;
use alphorn_problem::horn::PredId;
use alphorn_problem::obligation::fold::constructors;
use alphorn_term::{Op, SortId, Store, TermId};

/// That an argument says whether two others are equal.
pub(super) fn comparisons(horn: &Horn, store: &mut Store, pred: PredId) -> Vec<Meaning> {
    let sorts = horn.pred_args(pred).to_vec();
    let mut found = Vec::new();
    if sorts.len() != 3 {
        return found;
    }
    for output in 0..3 {
        let inputs: Vec<SortId> = (0..3).filter(|&at| at != output).map(|at| sorts[at]).collect();
        if inputs[0] != inputs[1] {
            continue;
        }
        let values = truths(store, sorts[output]);
        let &[one, two] = &values[..] else { continue };
        let vars: Vec<TermId> = inputs.iter().map(|&sort| store.fresh_var("a", sort)).collect();
        let same = store.eq(vars[0], vars[1]);
        for (yes, no) in [(one, two), (two, one)] {
            let term = store.ite(same, yes, no);
            let body = Body::Term(vars.clone(), term);
            found.push(Meaning::Call { output: Some(output), body });
        }
    }
    found
}

/// The values of a sort that has two and no parts.
fn truths(store: &mut Store, sort: SortId) -> Vec<TermId> {
    if sort == SortId::BOOL {
        return vec![TermId::TRUE, TermId::FALSE];
    }
    let all = constructors(store, sort);
    match all.iter().all(|&ctor| store.ctor(ctor).fields.is_empty()) {
        true => all.iter().map(|&ctor| store.mk(Op::Construct(ctor), &[])).collect(),
        false => Vec::new(),
    }
}

/// That two numbers are in order, or that an argument says whether they are, perhaps with an exception of numbers
/// that are not positive.
pub(super) fn orders(horn: &Horn, store: &mut Store, pred: PredId) -> Vec<Meaning> {
    let sorts = horn.pred_args(pred).to_vec();
    let output = sorts.iter().position(|&sort| sort != SortId::INT);
    let numbers = sorts.iter().filter(|&&sort| sort == SortId::INT).count();
    if numbers != 2 || sorts.len() != 2 + usize::from(output.is_some()) {
        return Vec::new();
    }
    let values = match output {
        Some(at) => truths(store, sorts[at]),
        None => vec![TermId::TRUE, TermId::FALSE],
    };
    let &[one, two] = &values[..] else { return Vec::new() };
    let vars: Vec<TermId> = (0..2).map(|_| store.fresh_var("a", SortId::INT)).collect();
    let zero = store.int(0);
    let exceptions = [TermId::FALSE, store.le(vars[0], zero), store.le(vars[1], zero)];
    let mut found = Vec::new();
    for (small, large) in [(vars[0], vars[1]), (vars[1], vars[0])] {
        let ordered = store.le(small, large);
        for exception in exceptions {
            let test = store.or(&[ordered, exception]);
            for (yes, no) in [(one, two), (two, one)] {
                let term = store.ite(test, yes, no);
                found.push(Meaning::Call { output, body: Body::Term(vars.clone(), term) });
            }
        }
    }
    found
}

/// That a number is a sum or difference of others, or one more or less.
pub(super) fn sums(horn: &Horn, store: &mut Store, pred: PredId) -> Vec<Meaning> {
    let sorts = horn.pred_args(pred).to_vec();
    let mut found = Vec::new();
    let numbers = sorts.iter().filter(|&&sort| sort == SortId::INT).count();
    if !(2..=INDUCTION_MAX_NUMBERS.size()).contains(&numbers) {
        return found;
    }
    for output in (0..sorts.len()).filter(|&at| sorts[at] == SortId::INT) {
        let vars: Vec<TermId> = (0..sorts.len())
            .filter(|&at| at != output)
            .map(|at| store.fresh_var("a", sorts[at]))
            .collect();
        let mut choices: Vec<Vec<TermId>> = vec![Vec::new()];
        for &var in &vars {
            if store.sort(var) != SortId::INT {
                continue;
            }
            let minus = store.neg(var);
            let longer = |list: Vec<TermId>| {
                [None, Some(var), Some(minus)]
                    .map(|part| list.iter().copied().chain(part).collect::<Vec<_>>())
            };
            choices = choices.into_iter().flat_map(longer).collect();
        }
        for list in choices {
            for constant in [0, 1, -1] {
                let constant = store.int(constant);
                let term = store.add(&[&list[..], &[constant]].concat());
                let body = Body::Term(vars.clone(), term);
                found.push(Meaning::Call { output: Some(output), body });
            }
        }
    }
    found
}
