//! Derivations read off the facts: backwards from a query to what it needs, each fact once.

use super::facts::{Facts, Instance};
use super::unfold::{Premise, Unfolding};
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Derivation, Step};
use alphorn_problem::horn::PredId;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The derivation that ends in `query`, in terms of `horn`: the instances are of its clauses, or
/// of the unfolding's. None if an unfolded instance does not stand for steps.
pub(super) fn derivation(
    horn: &Horn,
    unfolding: Option<&Unfolding>,
    facts: &Facts,
    query: &Instance,
) -> Option<Derivation> {
    let mut steps: Vec<Step> = Vec::new();
    let mut step_of: FxHashMap<(PredId, u32), usize> = FxHashMap::default();
    let mut stack: Vec<((PredId, u32), bool)> =
        query.premises.iter().rev().map(|&premise| (premise, false)).collect();
    while let Some((fact, ready)) = stack.pop() {
        if step_of.contains_key(&fact) {
            continue;
        }
        let instance = facts.relations[fact.0.index()].instance(fact.1);
        if ready {
            let position = add(horn, unfolding, facts, instance, &step_of, &mut steps)?;
            step_of.insert(fact, position);
        } else {
            stack.push((fact, true));
            stack.extend(instance.premises.iter().rev().map(|&premise| (premise, false)));
        }
    }
    add(horn, unfolding, facts, query, &step_of, &mut steps)?;
    Some(Derivation::of(steps))
}

/// Adds what an instance stands for, given the steps of its premises; its position.
fn add(
    horn: &Horn,
    unfolding: Option<&Unfolding>,
    facts: &Facts,
    instance: &Instance,
    step_of: &FxHashMap<(PredId, u32), usize>,
    steps: &mut Vec<Step>,
) -> Option<usize> {
    let Some(unfolding) = unfolding else {
        let premises = instance.premises.iter().map(|premise| step_of[premise]).collect();
        let (clause, values) = (instance.clause, instance.values.clone());
        steps.push(Step::new(clause, values, premises));
        return Some(steps.len() - 1);
    };
    let premise = |premise: &(PredId, u32)| -> Premise {
        let args = facts.relations[premise.0.index()].args(premise.1);
        (premise.0, Arc::clone(args), step_of[premise])
    };
    let premises: Vec<Premise> = instance.premises.iter().map(premise).collect();
    unfolding.steps(horn, instance, &premises, steps)
}
