//! Derivations read off the facts: backwards from a query to what it needs.

use super::facts::{Facts, Instance};
use alphorn_problem::evidence::horn::{Derivation, Step};
use alphorn_problem::horn::PredId;
use rustc_hash::FxHashMap;

/// The derivation that ends in `query`: what it uses, what that uses, and so on, each once.
pub(super) fn derivation(facts: &Facts, query: Instance) -> Derivation {
    let mut steps: Vec<Step> = Vec::new();
    let mut step_of: FxHashMap<(PredId, u32), usize> = FxHashMap::default();
    let step = |instance: &Instance, step_of: &FxHashMap<(PredId, u32), usize>| Step {
        clause: instance.clause,
        values: instance.values.clone(),
        premises: instance.premises.iter().map(|premise| step_of[premise]).collect(),
    };
    let mut stack: Vec<((PredId, u32), bool)> =
        query.premises.iter().rev().map(|&premise| (premise, false)).collect();
    while let Some((fact, ready)) = stack.pop() {
        if step_of.contains_key(&fact) {
            continue;
        }
        let instance = facts.relations[fact.0.index()].instance(fact.1);
        if ready {
            steps.push(step(instance, &step_of));
            step_of.insert(fact, steps.len() - 1);
        } else {
            stack.push((fact, true));
            stack.extend(instance.premises.iter().rev().map(|&premise| (premise, false)));
        }
    }
    steps.push(step(&query, &step_of));
    Derivation { steps }
}
