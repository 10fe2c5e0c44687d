//! From a model of a goal without needed leaves to a derivation.
//!
//! Each resolved vertex that the model needs is a step: its rule's clause with the values that the
//! model gives to the position's terms. Vertices below come first, and equal facts derived by equal
//! steps are one step.

use super::bounded::Bounded;
use super::goal::{Goal, ROOT};
use alphorn_engine::Stop;
use alphorn_problem::evidence::horn::{Derivation, Step};
use alphorn_term::{Model, TermId, Value, eval};
use std::collections::BTreeMap;

impl Bounded<'_> {
    /// The derivation that a model of a goal is.
    pub(crate) fn derivation(&self, goal: &Goal, model: &Model) -> Result<Derivation, Stop> {
        let mut model = model.clone();
        let mut steps: Vec<Step> = Vec::new();
        let mut known: BTreeMap<(u32, Vec<Value>, Vec<usize>), usize> = BTreeMap::new();
        let mut step_of: Vec<Option<usize>> = vec![None; goal.vertices.len()];
        for vertex in (ROOT..goal.vertices.len()).rev() {
            let it = &goal.vertices[vertex];
            let Some(position) = it.position.filter(|_| self.is_needed(goal, vertex, &model))
            else {
                continue;
            };
            let position = self.positions.at(position);
            let Some(rule) = position.rule else { continue };
            let rule = &self.system.rules[rule];
            let count = self.horn.clause(rule.clause).vars.len();
            let mut values = Vec::with_capacity(count);
            for &term in &position.values[..count] {
                values.push(self.value(term, &mut model)?);
            }
            let premises: Vec<usize> =
                it.children.iter().filter_map(|&child| step_of[child]).collect();
            let key = (rule.clause.0, values.clone(), premises.clone());
            let step = *known.entry(key).or_insert_with(|| {
                steps.push(Step { clause: rule.clause, values, premises });
                steps.len() - 1
            });
            step_of[vertex] = Some(step);
        }
        Ok(Derivation { steps })
    }

    /// The value of a term; variables that the model leaves open get some value.
    fn value(&self, term: TermId, model: &mut Model) -> Result<Value, Stop> {
        for var in self.store.free_vars(&[term]) {
            if !model.vars.contains_key(&var)
                && let Some(value) = Value::default_of(&self.store, self.store.sort(var))
            {
                model.set(var, value);
            }
        }
        let stuck = |_| Stop::Stuck("a step of a derivation could not be given values".to_owned());
        eval(&self.store, term, model).map_err(stuck)
    }
}
