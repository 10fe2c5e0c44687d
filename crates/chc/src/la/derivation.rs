//! Facts: what models of goals have derived.
//!
//! A model of a goal whose leaves are all derived is a derivation. Each of its vertices is a *fact*,
//! an instance with values for its parameters and the step that derives them, and facts are kept: a
//! leaf that is a known fact need not be resolved again, and a claim that a known fact refutes need
//! not be looked into. Facts are made after their premises, so a derivation is read off the facts
//! that its last step needs.

use super::annotation::NodeId;
use super::bounded::Bounded;
use super::goal::{Goal, ROOT};
use crate::settings::LA_MAX_FACTS;
use alphorn_engine::Stop;
use alphorn_problem::evidence::horn::{Derivation, Step};
use alphorn_problem::horn::ClauseId;
use alphorn_term::{Model, TermId, Value, eval};

/// A fact, by its number.
pub(crate) type FactId = usize;

/// A fact of an instance.
pub(crate) struct Fact {
    /// The values of the parameters.
    pub(crate) args: Vec<Value>,
    clause: ClauseId,
    values: Vec<Value>,
    premises: Vec<FactId>,
}

impl Bounded<'_> {
    /// The derivation that a model of a goal without open leaves is; its facts are kept.
    pub(crate) fn derivation(&mut self, goal: &Goal, mut model: Model) -> Result<Derivation, Stop> {
        let mut fact_of: Vec<Option<FactId>> = vec![None; goal.vertices.len()];
        let mut last = None;
        for vertex in (ROOT..goal.vertices.len()).rev() {
            if !self.is_needed(goal, vertex, &model) {
                continue;
            }
            let it = &goal.vertices[vertex];
            let mut args = Vec::new();
            if let Some((params, _)) = self.interface(goal, vertex) {
                for param in params {
                    args.push(self.value(param, &mut model)?);
                }
            }
            let Some(position) = it.position else {
                fact_of[vertex] = it.node.and_then(|node| self.fact_with(node, &args));
                continue;
            };
            let Some(rule) = self.positions.at(position).rule else { continue };
            let clause = self.system.rules[rule].clause;
            let count = self.horn.clause(clause).vars.len();
            let mut values = Vec::with_capacity(count);
            for place in 0..count {
                let term = self.positions.at(position).values[place];
                values.push(self.value(term, &mut model)?);
            }
            let premises = it.children.iter().filter_map(|&child| fact_of[child]).collect();
            let fact = Fact { args, clause, values, premises };
            match it.node {
                Some(node) => fact_of[vertex] = Some(self.keep(node, fact)),
                None => last = Some(fact),
            }
        }
        Ok(self.steps(last))
    }

    /// The fact of an instance with these values.
    fn fact_with(&self, node: NodeId, args: &[Value]) -> Option<FactId> {
        self.nodes[node].facts.iter().copied().find(|&fact| self.facts[fact].args == args)
    }

    /// Keeps a fact of an instance, unless it is known.
    fn keep(&mut self, node: NodeId, fact: Fact) -> FactId {
        if let Some(known) = self.fact_with(node, &fact.args) {
            return known;
        }
        let id = self.facts.len();
        self.facts.push(fact);
        let facts = &mut self.nodes[node].facts;
        facts.push(id);
        if facts.len() > LA_MAX_FACTS.size() {
            facts.remove(0);
        }
        id
    }

    /// What says that the parameters of an instance's predicate are those of a known fact.
    pub(crate) fn known_facts(&mut self, node: NodeId) -> Option<TermId> {
        let params = &self.system.params[self.nodes[node].pred];
        let mut known = Vec::new();
        for &fact in &self.nodes[node].facts {
            known.push(alphorn_horn::model::conjunction(
                &mut self.store,
                params,
                &self.facts[fact].args,
            )?);
        }
        (!known.is_empty()).then(|| self.store.or(&known))
    }

    /// Whether a known fact of an instance makes a formula over its predicate's parameters false.
    pub(crate) fn is_refuted(&self, node: NodeId, formula: TermId) -> bool {
        let params = &self.system.params[self.nodes[node].pred];
        self.nodes[node].facts.iter().any(|&fact| {
            let mut model = Model::new();
            for (&param, value) in params.iter().zip(&self.facts[fact].args) {
                model.set(param, value.clone());
            }
            eval(&self.store, formula, &model) == Ok(Value::Bool(false))
        })
    }

    /// The steps that a last one needs, and that one.
    fn steps(&self, last: Option<Fact>) -> Derivation {
        let Some(last) = last else { return Derivation::of(Vec::new()) };
        let mut needed: Vec<FactId> = Vec::new();
        let mut stack = last.premises.clone();
        while let Some(fact) = stack.pop() {
            if !needed.contains(&fact) {
                needed.push(fact);
                stack.extend(&self.facts[fact].premises);
            }
        }
        needed.sort_unstable();
        let place = |premises: &[FactId]| -> Vec<usize> {
            premises.iter().filter_map(|fact| needed.binary_search(fact).ok()).collect()
        };
        let step = |fact: &Fact| Step::new(fact.clause, fact.values.clone(), place(&fact.premises));
        let mut steps: Vec<Step> = needed.iter().map(|&fact| step(&self.facts[fact])).collect();
        steps.push(step(&last));
        Derivation::of(steps)
    }

    /// The value of a term; variables that the model leaves open get some value.
    fn value(&self, term: TermId, model: &mut Model) -> Result<Value, Stop> {
        if let Some(value) = model.vars.get(&term) {
            return Ok(value.clone());
        }
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
