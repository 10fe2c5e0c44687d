//! Levels that were found: their affine functions as terms, and what would violate them.

use super::Coefficients;
use crate::rank::steps::Steps;
use alphorn_problem::evidence::flow::Level;
use alphorn_problem::flow::LocId;
use alphorn_problem::obligation::flow::{Edge, LevelGoal, level_assertions};
use alphorn_smt::Linear;
use alphorn_term::{Int, Rat, SortId, Store, TermId};
use std::collections::BTreeMap;

/// Functions with these coefficients, zero at other locations, as a level; scaled to integers.
pub(in crate::rank) fn level_of(
    steps: &mut Steps<'_>,
    values: &[Coefficients],
    removed: Vec<usize>,
) -> Level {
    let (flow, store) = (steps.flow, &mut steps.store);
    let all = || values.iter().flat_map(|function| function.values());
    let is_real = all().any(|coefficients| {
        let mut pairs = coefficients.iter().zip(&flow.vars);
        pairs.any(|(value, &var)| !value.is_zero() && store.sort(var) == SortId::REAL)
    });
    let sort = if is_real { SortId::REAL } else { SortId::INT };
    let scale = all().flatten().fold(Int::ONE, |scale, value| scale.lcm(&value.denominator()));
    let scale = Rat::from(scale);
    let zero = store.number(sort, &Int::ZERO);
    let mut functions = Vec::new();
    for function in values {
        let mut terms = vec![zero; flow.locations.len()];
        let mut cases: BTreeMap<LocId, Vec<TermId>> = BTreeMap::new();
        for ((at, _), coefficients) in function {
            let scaled: Vec<Rat> = coefficients.iter().map(|value| value * &scale).collect();
            let term = affine_term(store, &flow.vars, &scaled, sort);
            cases.entry(*at).or_default().push(term);
        }
        for (at, mut cases) in cases {
            // The highest bit tells the two halves apart.
            for &atom in steps.atoms.iter().rev() {
                let half = cases.len() / 2;
                let pairs = (0..half).map(|case| (cases[case], cases[case + half]));
                cases = pairs.map(|(no, yes)| store.ite(atom, yes, no)).collect();
            }
            terms[at.index()] = cases[0];
        }
        functions.push(terms);
    }
    let least = store.number(sort, &Int::ONE);
    Level { functions, removed, least }
}

/// The term with a coefficient for each variable and, last, the constant.
pub(in crate::rank) fn affine_term(
    store: &mut Store,
    vars: &[TermId],
    coefficients: &[Rat],
    sort: SortId,
) -> TermId {
    let (constant, coefficients) = coefficients.split_last().expect("there is a constant");
    let mut form = Linear::constant(constant.clone());
    for (&var, value) in vars.iter().zip(coefficients) {
        if value.is_zero() {
            continue;
        }
        let number = match store.sort(var) {
            SortId::BOOL => {
                let (one, zero) = (store.int(1), store.int(0));
                store.ite(var, one, zero)
            }
            _ => var,
        };
        form.add_scaled(&Linear::of(store, number), value);
    }
    form.to_term(store, sort)
}

/// What an edge must not do for a level to hold at it.
pub(in crate::rank) fn violation(steps: &mut Steps<'_>, level: &Level, edge: usize) -> TermId {
    let step = &steps.flow.transitions[edge];
    let goal = match level.removed.contains(&edge) {
        true => LevelGoal::Removed(0, edge),
        false => LevelGoal::Kept(0, edge),
    };
    let next = steps.flow.next.clone();
    let taken = Edge { from: step.from, to: step.to, when: step.formula, next };
    let levels = std::slice::from_ref(level);
    let all = level_assertions(&steps.flow.vars, levels, goal, &taken, &mut steps.store);
    *all.last().expect("a goal has assertions")
}
