//! From facts that are cubes to a derivation with values.
//!
//! A fact's cube is a projection: each of its points is concluded by the fact's rule from points of
//! its premises. So values are chosen from the goal downwards, and each choice leaves one that can be
//! made below. Premises are older than what they are for, which ends the descent.
//!
//! Steps are shared where a fact is needed twice at the same point.

use super::search::{FactId, Search};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::horn::{Derivation, Step};
use alphorn_term::{TermId, Value};
use std::collections::BTreeMap;

/// A fact at one of its points.
type Point = (FactId, Vec<Value>);

/// A step without the positions of its premises.
struct Instance {
    values: Vec<Value>,
    premises: Vec<Point>,
}

impl Search<'_> {
    /// The derivation of a fact of the goal.
    pub(super) fn derivation(
        &mut self,
        goal: FactId,
        ctx: &mut Ctx<'_>,
    ) -> Result<Derivation, Stop> {
        let mut steps: Vec<Step> = Vec::new();
        let mut position: BTreeMap<Point, usize> = BTreeMap::new();
        let mut instances: BTreeMap<Point, Instance> = BTreeMap::new();
        let mut stack: Vec<Point> = vec![(goal, Vec::new())];
        while let Some(point) = stack.last().cloned() {
            if position.contains_key(&point) {
                stack.pop();
                continue;
            }
            let Some(instance) = instances.remove(&point) else {
                let instance = self.instance(&point, ctx)?;
                stack.extend(instance.premises.iter().rev().cloned());
                instances.insert(point, instance);
                continue;
            };
            stack.pop();
            let clause = self.system.rules[self.facts[point.0].rule].clause;
            let mut premises = Vec::with_capacity(instance.premises.len());
            for premise in &instance.premises {
                premises.extend(position.get(premise));
            }
            position.insert(point, steps.len());
            steps.push(Step::new(clause, instance.values, premises));
        }
        Ok(Derivation::of(steps))
    }

    /// The instance of a fact's rule that concludes it at a point.
    fn instance(&mut self, (id, values): &Point, ctx: &mut Ctx<'_>) -> Result<Instance, Stop> {
        let stuck = || Stop::Stuck("a fact could not be given values".to_owned());
        let fact = &self.facts[*id];
        let (number, premises) = (fact.rule, fact.premises.clone());
        let mut assumed: Vec<TermId> = Vec::new();
        for (place, value) in values.iter().enumerate() {
            let value = self.store.value_term(value).ok_or_else(stuck)?;
            let arg = self.system.rules[number].on.args[place];
            assumed.push(self.store.eq(arg, value));
        }
        for (atom, premise) in self.system.rules[number].atoms.iter_mut().zip(&premises) {
            match premise {
                Some(premise) => {
                    assumed.push(atom.used);
                    for &literal in &self.facts[*premise].cube {
                        assumed.push(atom.on.of(&mut self.store, literal));
                    }
                }
                None => assumed.push(self.store.not(atom.used)),
            }
        }
        if !self.solvers.check(&mut self.store, ctx, (number, None), &assumed)? {
            return Err(stuck());
        }
        let model = self.solvers.model(&self.store, &self.system.rules[number], number);
        let mut points = Vec::new();
        for (atom, premise) in self.system.rules[number].atoms.iter().zip(&premises) {
            if let Some(premise) = premise {
                let args: Result<Vec<Value>, Stop> =
                    atom.on.args.iter().map(|&arg| self.value(arg, &model)).collect();
                points.push((*premise, args?));
            }
        }
        let vars = &self.horn.clause(self.system.rules[number].clause).vars;
        let values: Result<Vec<Value>, Stop> =
            vars.iter().map(|&var| self.value(var, &model)).collect();
        Ok(Instance { values: values?, premises: points })
    }
}
