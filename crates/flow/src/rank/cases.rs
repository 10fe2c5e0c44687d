//! Functions by cases: what tells cases apart, taken from guards.
//!
//! A run may pass a loop in phases, or enter it where a guard was not tested: then no function is affine that
//! does not increase, but one that is affine where the guard holds, and where it does not, may be. Levels
//! with cases are found like others (`level`): an implicant is in one case before the step and in one
//! after it. They do what splitting locations by guards does (control-flow refinement) as long as a
//! transition is removed in all its cases at once.

use super::level;
use super::steps::Steps;
use crate::settings::RANK_MAX_CASES;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::flow::Level;
use alphorn_smt::Linear;
use alphorn_term::{Int, Op, Rat, SortId, TermId};
use std::collections::BTreeSet;

/// A level that removes transitions of a component, with so many formulas that tell cases apart.
pub(super) fn find(
    steps: &mut Steps<'_>,
    edges: &[usize],
    count: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Level>, Stop> {
    steps.split(Vec::new());
    for &edge in edges {
        steps.begin(edge, ctx)?;
    }
    let atoms = atoms(steps, edges);
    let most = RANK_MAX_CASES.get() as usize;
    for choice in choices(atoms.len(), count).into_iter().take(most) {
        steps.split(choice.iter().map(|&at| atoms[at]).collect());
        let found = level::find(steps, edges, 1, ctx)?;
        if found.is_some() {
            steps.split(Vec::new());
            return Ok(found);
        }
    }
    steps.split(Vec::new());
    Ok(None)
}

/// The sets of so many numbers below a number, small numbers first.
fn choices(below: usize, count: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..count {
        let longer = all.iter().flat_map(|choice| {
            let begin = choice.last().map_or(0, |last| last + 1);
            (begin..below).map(move |next| [&choice[..], &[next]].concat())
        });
        all = longer.collect();
    }
    all.sort_by_key(|choice| choice.last().copied());
    all
}

/// What guards say of the variables before a step: flags and constants, and then inequalities, those that
/// most transitions have first.
fn atoms(steps: &mut Steps<'_>, edges: &[usize]) -> Vec<TermId> {
    let mut atoms = constants(steps, edges);
    let vars: BTreeSet<TermId> = steps.flow.vars.iter().copied().collect();
    let mut counts: Vec<(Linear, usize)> = Vec::new();
    for &edge in edges {
        for row in steps.polyhedra[edge].iter().flat_map(|piece| &piece.polyhedron.rows) {
            if !row.terms.iter().all(|(dimension, _)| vars.contains(dimension)) {
                continue;
            }
            // The opposite of an inequality of integers tells the same cases apart.
            let mut opposite = row.negated();
            opposite.constant = &opposite.constant - &Rat::ONE;
            match counts.iter_mut().find(|(form, _)| form == row || *form == opposite) {
                Some((_, count)) => *count += 1,
                None => counts.push((row.clone(), 1)),
            }
        }
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let store = &mut steps.store;
    for (form, _) in counts {
        let is_flag = |&(dimension, _): &(TermId, Rat)| store.sort(dimension) == SortId::BOOL;
        let atom = match &form.terms[..] {
            [only] if is_flag(only) => only.0,
            terms if terms.iter().any(is_flag) => continue,
            terms => {
                let is_real = terms.iter().any(|(atom, _)| store.sort(*atom) == SortId::REAL);
                let sort = if is_real { SortId::REAL } else { SortId::INT };
                let scale = form.constant.denominator();
                let mut form = form.clone();
                form.scale(&Rat::from(scale));
                let zero = store.number(sort, &Int::ZERO);
                let term = form.to_term(store, sort);
                store.ge(term, zero)
            }
        };
        if !atoms.contains(&atom) {
            atoms.push(atom);
        }
    }
    atoms.extend(others(steps, edges, &vars));
    atoms
}

/// Literals over the variables that are no inequalities, such as remainders.
fn others(steps: &mut Steps<'_>, edges: &[usize], vars: &BTreeSet<TermId>) -> Vec<TermId> {
    let mut found = Vec::new();
    let all = edges.iter().flat_map(|&edge| &steps.polyhedra[edge]);
    for &literal in all.flat_map(|piece| &piece.polyhedron.literals) {
        let store = &steps.store;
        let atom = match (store.op(literal), store.args(literal)) {
            (Op::Not, &[atom]) => atom,
            _ => literal,
        };
        let is_plain = matches!(store.op(atom), Op::Le | Op::Lt | Op::Var(_));
        if !is_plain
            && !found.contains(&atom)
            && store.free_vars(&[atom]).iter().all(|var| vars.contains(var))
        {
            found.push(atom);
        }
    }
    found
}

/// That a variable is what it is before some transition, and not before another.
fn constants(steps: &mut Steps<'_>, edges: &[usize]) -> Vec<TermId> {
    let mut atoms = Vec::new();
    for (at, &var) in steps.flow.vars.iter().enumerate() {
        let sort = steps.store.sort(var);
        if sort != SortId::BOOL && sort != SortId::INT {
            continue;
        }
        let all = edges.iter().flat_map(|&edge| &steps.polyhedra[edge]);
        let before: BTreeSet<Option<Rat>> = all
            .map(|piece| &piece.polyhedron.values[at])
            .map(|value| value.is_constant().then(|| value.constant.clone()))
            .collect();
        if before.len() < 2 {
            continue;
        }
        for value in before.into_iter().flatten().filter(Rat::is_integer) {
            let atom = match sort {
                SortId::BOOL => var,
                _ => {
                    let value = steps.store.int(value.numerator());
                    steps.store.eq(var, value)
                }
            };
            if !atoms.contains(&atom) {
                atoms.push(atom);
            }
        }
    }
    atoms
}
