//! Variables on which no guard depends go, with the assignments to them.
//!
//! A variable matters if a conjunct that is no assignment mentions it, or if what is assigned to one that
//! matters does. On the way back the others are given the values that their assignments say, or any.

use super::reachable::named;
use super::updates::{Updates, updates};
use super::{Carry, Change, Endless};
use alphorn_engine::Lost;
use alphorn_problem::Flow;
use alphorn_problem::evidence::flow::{Choice, Measure, Ranking};
use alphorn_problem::flow::{Start, Transition};
use alphorn_term::{Model, Store, Substitution, TermId, Value, eval};
use std::collections::{BTreeMap, BTreeSet};

/// Removes such variables, if there are any.
pub(super) fn apply(flow: &Flow) -> Option<Change> {
    let mut terms = flow.terms.clone();
    let position: BTreeMap<TermId, usize> = flow.vars.iter().copied().zip(0..).collect();
    let after: BTreeMap<TermId, usize> = flow.next.iter().copied().zip(0..).collect();
    let steps: Vec<Updates> =
        flow.transitions.iter().map(|step| updates(&mut terms, step.formula, &flow.next)).collect();
    let starts: Vec<Updates> =
        flow.starts.iter().map(|start| updates(&mut terms, start.formula, &flow.vars)).collect();
    let store = &terms;
    let mentioned = |terms: &[TermId]| -> Vec<usize> {
        let vars = store.free_vars(terms).into_iter();
        vars.filter_map(|var| position.get(&var).or(after.get(&var)).copied()).collect()
    };
    let mut matters = vec![false; flow.vars.len()];
    let rests = steps.iter().chain(&starts).flat_map(|updates| mentioned(&updates.rest));
    let mut open: Vec<usize> = rests.collect();
    // A sort without a value of its own cannot be given one on the way back.
    let has_value = |&at: &usize| Value::default_of(store, store.sort(flow.vars[at])).is_some();
    open.extend((0..flow.vars.len()).filter(|at| !has_value(at)));
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut matters[at], true) {
            continue;
        }
        for Updates { assigned, .. } in steps.iter().chain(&starts) {
            if let Some(&(value, _)) = assigned.get(&at) {
                open.extend(mentioned(&[value]));
            }
        }
    }
    if matters.iter().all(|matters| *matters) {
        return None;
    }
    let mut small = Flow { terms, ..flow.clone() };
    small.vars = kept(&flow.vars, &matters);
    small.next = kept(&flow.next, &matters);
    let mut shorter = |found: &Updates, inputs: &[TermId]| {
        let assigned = found.assigned.iter().filter(|(at, _)| matters[**at]);
        let parts: Vec<TermId> =
            assigned.map(|(_, (_, part))| *part).chain(found.rest.iter().copied()).collect();
        let formula = small.terms.and(&parts);
        let used: BTreeSet<TermId> = small.terms.free_vars(&[formula]).into_iter().collect();
        let inputs: Vec<TermId> = inputs.iter().copied().filter(|one| used.contains(one)).collect();
        (formula, inputs)
    };
    let of_starts: Vec<Start> = flow
        .starts
        .iter()
        .zip(&starts)
        .map(|(start, found)| {
            let (formula, inputs) = shorter(found, &start.inputs);
            Start { formula, inputs, ..start.clone() }
        })
        .collect();
    let of_steps: Vec<Transition> = flow
        .transitions
        .iter()
        .zip(&steps)
        .enumerate()
        .map(|(at, (step, found))| {
            let (formula, inputs) = shorter(found, &step.inputs);
            Transition { formula, inputs, ..named(step, at) }
        })
        .collect();
    (small.starts, small.transitions) = (of_starts, of_steps);
    let about = |found: &Updates, all: &[TermId], left: &[TermId]| Dropped {
        inputs: all.to_vec(),
        left: left.to_vec(),
        values: found
            .assigned
            .iter()
            .filter(|(at, _)| !matters[**at])
            .map(|(at, (value, _))| (*at, *value))
            .collect(),
    };
    let of_starts = flow.starts.iter().zip(&small.starts).zip(&starts);
    let of_starts = of_starts.map(|((all, left), found)| about(found, &all.inputs, &left.inputs));
    let of_steps = flow.transitions.iter().zip(&small.transitions).zip(&steps);
    let of_steps = of_steps.map(|((all, left), found)| about(found, &all.inputs, &left.inputs));
    let (starts, steps) = (of_starts.collect(), of_steps.collect());
    let vars = flow.vars.clone();
    Some(Change { flow: small, back: Box::new(Given { vars, matters, starts, steps }) })
}

fn kept(vars: &[TermId], matters: &[bool]) -> Vec<TermId> {
    vars.iter().zip(matters).filter(|(_, matters)| **matters).map(|(var, _)| *var).collect()
}

/// What was left out of a start or a transition.
struct Dropped {
    /// The inputs of the original, and those that are left.
    inputs: Vec<TermId>,
    left: Vec<TermId>,
    /// What is assigned to variables that are gone.
    values: BTreeMap<usize, TermId>,
}

/// How the variables that are gone get values.
struct Given {
    vars: Vec<TermId>,
    matters: Vec<bool>,
    starts: Vec<Dropped>,
    steps: Vec<Dropped>,
}

impl Given {
    /// The values of all inputs and of all variables after something that was taken with `inputs`, from the
    /// state `before` if there is one, and that led to the values `after` of what matters.
    fn values(
        &self,
        store: &Store,
        dropped: &Dropped,
        before: Option<&[Value]>,
        inputs: &[Value],
        after: &[Value],
    ) -> Result<(Vec<Value>, Vec<Value>), Lost> {
        let any = |term: TermId| {
            Value::default_of(store, store.sort(term))
                .ok_or_else(|| Lost("a sort has no value".to_owned()))
        };
        let mut model = Model::default();
        let known: BTreeMap<TermId, &Value> = dropped.left.iter().copied().zip(inputs).collect();
        let mut all_inputs = Vec::with_capacity(dropped.inputs.len());
        for &input in &dropped.inputs {
            let value =
                known.get(&input).map_or_else(|| any(input), |value| Ok((*value).clone()))?;
            model.set(input, value.clone());
            all_inputs.push(value);
        }
        // What a start assigns is over its inputs alone.
        for (&var, value) in self.vars.iter().zip(before.unwrap_or_default()) {
            model.set(var, value.clone());
        }
        let mut following = after.iter();
        let mut all = Vec::with_capacity(self.vars.len());
        for (at, &var) in self.vars.iter().enumerate() {
            all.push(match (self.matters[at], dropped.values.get(&at)) {
                (true, _) => following
                    .next()
                    .cloned()
                    .ok_or_else(|| Lost("a value is missing".to_owned()))?,
                (false, Some(&term)) => eval(store, term, &model)
                    .map_err(|error| Lost(format!("an assignment has no value: {error:?}")))?,
                (false, None) => any(var)?,
            });
        }
        Ok((all_inputs, all))
    }

    fn choice(&self, choice: &Choice, store: &mut Store) -> Result<Choice, Lost> {
        let dropped = &self.steps[choice.transition];
        let known: BTreeMap<TermId, TermId> =
            dropped.left.iter().copied().zip(choice.inputs.iter().copied()).collect();
        let mut any = |term: TermId| {
            let value = Value::default_of(store, store.sort(term));
            let value = value.and_then(|value| store.value_term(&value));
            value.ok_or_else(|| Lost("a sort has no value".to_owned()))
        };
        let mut inputs = Vec::with_capacity(dropped.inputs.len());
        for &input in &dropped.inputs {
            inputs.push(known.get(&input).map_or_else(|| any(input), |term| Ok(*term))?);
        }
        let map: Substitution =
            dropped.inputs.iter().copied().zip(inputs.iter().copied()).collect();
        let mut following = choice.next.iter();
        let mut next = Vec::with_capacity(self.vars.len());
        for (at, &var) in self.vars.iter().enumerate() {
            next.push(match (self.matters[at], dropped.values.get(&at)) {
                (true, _) => {
                    *following.next().ok_or_else(|| Lost("a value is missing".to_owned()))?
                }
                (false, Some(&term)) => store.substitute(term, &map),
                (false, None) => var,
            });
        }
        Ok(Choice { when: choice.when, transition: choice.transition, next, inputs })
    }
}

impl Carry for Given {
    fn ranking(&self, ranking: Ranking) -> Ranking {
        let Ranking { mut terms, invariants, mut measure } = ranking;
        if let Measure::Disjunctive(union) = &mut measure {
            let mut saved = union.saved.iter();
            let all = self.vars.iter().zip(&self.matters).map(|(&var, matters)| {
                let sort = terms.sort(var);
                let copy = matters.then(|| saved.next().copied()).flatten();
                copy.unwrap_or_else(|| terms.fresh_var("saved", sort))
            });
            union.saved = all.collect();
        }
        Ranking { terms, invariants, measure }
    }

    fn endless(&self, run: Endless) -> Result<Endless, Lost> {
        let Endless { mut terms, mut path, sets, choices } = run;
        let dropped = &self.starts[path.first.start];
        let (inputs, mut values) =
            self.values(&terms, dropped, None, &path.first.inputs, &path.first.values)?;
        (path.first.inputs, path.first.values) = (inputs, values.clone());
        for step in &mut path.steps {
            let dropped = &self.steps[step.transition];
            let (inputs, after) =
                self.values(&terms, dropped, Some(&values), &step.inputs, &step.values)?;
            (step.inputs, step.values) = (inputs, after.clone());
            values = after;
        }
        let choices: Result<Vec<Choice>, Lost> =
            choices.iter().map(|choice| self.choice(choice, &mut terms)).collect();
        Ok(Endless { terms, path, sets, choices: choices? })
    }
}
