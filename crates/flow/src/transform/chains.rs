//! A location with one way on, an assignment that can always be taken, is passed through: what leads to it
//! leads to where the assignment leads, which is made part of it.
//!
//! On the way back whatever is said of the location is what is said of the next one after the assignment
//! (its weakest precondition), so that the assignment keeps invariants, ranks and sets by itself.

use super::reachable::named;
use super::updates::{Updates, assignment, updates};
use super::{Carry, Change, Endless};
use alphorn_engine::Lost;
use alphorn_problem::Flow;
use alphorn_problem::evidence::flow::{Choice, Level, Measure, PathStep, Ranking};
use alphorn_problem::flow::{LocId, Transition};
use alphorn_problem::obligation::flow::moved;
use alphorn_term::{Model, Store, Substitution, TermId, Value, eval};
use std::collections::BTreeMap;

/// Passes through one such location, if there is one.
pub(super) fn apply(flow: &Flow) -> Option<Change> {
    flow.location_ids().find_map(|at| passed(flow, at))
}

fn passed(flow: &Flow, at: LocId) -> Option<Change> {
    let mut leaving = (0..flow.transitions.len()).filter(|&step| flow.transitions[step].from == at);
    let (on, None) = (leaving.next()?, leaving.next()) else { return None };
    let to = flow.transitions[on].to;
    if to == at || flow.starts.iter().any(|start| start.at == at) {
        return None;
    }
    if !flow.transitions[on].inputs.is_empty() {
        return None;
    }
    let mut terms = flow.terms.clone();
    let (values, guard) = assignment(flow, &mut terms, flow.transitions[on].formula)?;
    if !guard.is_empty() {
        return None;
    }
    let mut joints = BTreeMap::new();
    let mut transitions = Vec::new();
    let mut origins = Vec::new();
    for (position, step) in flow.transitions.iter().enumerate().filter(|(step, _)| *step != on) {
        origins.push(position);
        let mut step = named(step, position);
        if step.to == at {
            let (formula, join) = joined(flow, &step, &values, &mut terms);
            let inputs = join.inputs.clone();
            joints.insert(transitions.len(), join);
            step = Transition { to, formula, inputs, ..step };
        }
        transitions.push(step);
    }
    let gone = |place: LocId| LocId(place.0 - u32::from(place > at));
    let mut locations = flow.locations.clone();
    locations.remove(at.index());
    for step in &mut transitions {
        (step.from, step.to) = (gone(step.from), gone(step.to));
    }
    let mut starts = flow.starts.clone();
    for start in &mut starts {
        start.at = gone(start.at);
    }
    let vars = flow.vars.clone();
    let back = Passed { vars, at, to, on, values, joints, origins };
    let flow = Flow { terms, locations, starts, transitions, ..flow.clone() };
    Some(Change { flow, back: Box::new(back) })
}

/// Where a transition and the assignment after it were put together.
struct Joint {
    /// The inputs of both: first those of the transition.
    inputs: Vec<TermId>,
    /// How many are the transition's.
    own: usize,
    /// The state between the two, over the variables before and the inputs.
    between: Vec<TermId>,
}

fn joined(flow: &Flow, step: &Transition, values: &[TermId], store: &mut Store) -> (TermId, Joint) {
    let mut inputs = step.inputs.clone();
    let Updates { assigned, rest } = updates(store, step.formula, &flow.next);
    let mut between = Vec::with_capacity(flow.vars.len());
    for (at, &var) in flow.vars.iter().enumerate() {
        between.push(match assigned.get(&at) {
            Some(&(value, _)) => value,
            None => {
                let name = store.var_name(var).unwrap_or("v").to_owned();
                let sort = store.sort(var);
                let fresh = store.fresh_var(&name, sort);
                inputs.push(fresh);
                fresh
            }
        });
    }
    let map: Substitution = flow.next.iter().copied().zip(between.iter().copied()).collect();
    let mut parts = store.substitute_all(&rest, &map);
    for (&next, &value) in flow.next.iter().zip(values) {
        let value = moved(value, &flow.vars, &between, store);
        parts.push(store.eq(next, value));
    }
    (store.and(&parts), Joint { inputs, own: step.inputs.len(), between })
}

/// A location that was passed through.
struct Passed {
    vars: Vec<TermId>,
    at: LocId,
    /// Where the assignment leads, in the original.
    to: LocId,
    /// The assignment, by its position in the original.
    on: usize,
    values: Vec<TermId>,
    /// The transitions that led to the location, by their positions in what is left.
    joints: BTreeMap<usize, Joint>,
    /// For each transition that is left, its position in the original.
    origins: Vec<usize>,
}

impl Passed {
    /// What is said at the locations that are left, and at this one what is said at the next.
    fn spread(&self, said: &[TermId], store: &mut Store) -> Vec<TermId> {
        let mut all = said.to_vec();
        all.insert(self.at.index(), TermId::TRUE);
        all[self.at.index()] = moved(all[self.to.index()], &self.vars, &self.values, store);
        all
    }

    fn level(&self, level: &Level, store: &mut Store) -> Level {
        let functions = level.functions.iter().map(|function| self.spread(function, store));
        let functions = functions.collect();
        let mut removed: Vec<usize> =
            level.removed.iter().map(|&edge| self.origins[edge]).collect();
        removed.sort_unstable();
        Level { functions, removed, least: level.least }
    }

    /// The state at the location, on a way from `before` by a transition with these inputs.
    fn state(
        &self,
        store: &Store,
        joint: &Joint,
        before: &[Value],
        inputs: &[Value],
    ) -> Result<Vec<Value>, Lost> {
        let mut model = Model::default();
        let known = self.vars.iter().zip(before).chain(joint.inputs.iter().zip(inputs));
        for (&var, value) in known {
            model.set(var, value.clone());
        }
        let value = |&term: &TermId| {
            eval(store, term, &model).map_err(|error| Lost(format!("a state between: {error:?}")))
        };
        joint.between.iter().map(value).collect()
    }
}

impl Carry for Passed {
    fn ranking(&self, ranking: Ranking) -> Ranking {
        let Ranking { mut terms, invariants, measure } = ranking;
        let invariants = self.spread(&invariants, &mut terms);
        let measure = match measure {
            Measure::Levels(levels) => {
                let levels = levels.iter().map(|level| self.level(level, &mut terms));
                Measure::Levels(levels.collect())
            }
            Measure::Disjunctive(mut union) => {
                for cut in &mut union.cuts {
                    cut.0 += u32::from(*cut >= self.at);
                }
                for relations in &mut union.relations {
                    *relations = self.spread(relations, &mut terms);
                }
                Measure::Disjunctive(union)
            }
        };
        Ranking { terms, invariants, measure }
    }

    fn endless(&self, run: Endless) -> Result<Endless, Lost> {
        let Endless { mut terms, mut path, sets, choices } = run;
        let mut before = path.first.values.clone();
        let mut steps = Vec::with_capacity(path.steps.len());
        for mut step in path.steps {
            let after = step.values.clone();
            let joint = self.joints.get(&step.transition);
            step.transition = self.origins[step.transition];
            match joint {
                None => steps.push(step),
                Some(joint) => {
                    step.values = self.state(&terms, joint, &before, &step.inputs)?;
                    step.inputs.truncate(joint.own);
                    steps.push(step);
                    let on =
                        PathStep { transition: self.on, inputs: vec![], values: after.clone() };
                    steps.push(on);
                }
            }
            before = after;
        }
        path.steps = steps;
        let sets = self.spread(&sets, &mut terms);
        let mut all = Vec::with_capacity(choices.len() + 1);
        for mut choice in choices {
            let joint = self.joints.get(&choice.transition);
            choice.transition = self.origins[choice.transition];
            if let Some(joint) = joint {
                let map: Substitution =
                    joint.inputs.iter().copied().zip(choice.inputs.iter().copied()).collect();
                let there = |&term: &TermId| terms.substitute(term, &map);
                choice.next = joint.between.iter().map(there).collect();
                choice.inputs.truncate(joint.own);
            }
            all.push(choice);
        }
        if sets[self.at.index()] != TermId::FALSE {
            let next = self.values.clone();
            all.push(Choice { when: TermId::TRUE, transition: self.on, next, inputs: Vec::new() });
        }
        Ok(Endless { terms, path, sets, choices: all })
    }
}
