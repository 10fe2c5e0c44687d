//! Sets of states that a run need never leave, and a way into them.

use super::form::{Terms, check_flow};
use super::{may_move, settle};
use crate::horn::values::fits;
use crate::{Refusal, work};
use alphorn_problem::Flow;
use alphorn_problem::evidence::flow::{Choice, Initial, Path, Recurrence};
use alphorn_problem::flow::LocId;
use alphorn_problem::obligation::flow::{RecurrenceGoal, recurrence_assertions, recurrence_goals};
use alphorn_term::eval::bound::{self, Tables};
use alphorn_term::{EvalError, Meter, Model, SortId, Store, TermId, Value, eval};
use std::borrow::Cow;

/// Accepts a recurrence if by it a run of the flow goes on for ever.
pub fn check_recurrence(flow: &Flow, evidence: &Recurrence) -> Result<(), Refusal> {
    let meter = work::of_flow(flow, &evidence.terms, &evidence.proofs, evidence.path.steps.len());
    check_flow(flow, &evidence.terms, &meter)?;
    if flow.is_loose {
        let reason = "it has runs that what it was made from need not have";
        return Err(Refusal::new("the flow", reason));
    }
    let refuse = |reason| Refusal::new("the sets", reason);
    let terms = Terms::over(&evidence.terms, flow.vars.iter().copied(), &meter);
    terms.check_formulas(flow, &evidence.sets).map_err(refuse)?;
    for (position, choice) in evidence.choices.iter().enumerate() {
        check_choice(flow, choice, &terms)
            .map_err(|reason| Refusal::new(format!("choice {position}"), reason))?;
    }
    let goals = recurrence_goals(&evidence.sets, &evidence.choices);
    if goals.len() != evidence.proofs.len() {
        let (given, wanted) = (evidence.proofs.len(), goals.len());
        return Err(refuse(format!("there are {given} proofs for {wanted} obligations")));
    }
    let end = check_path(flow, &evidence.path, &meter)?;
    let set = evidence.sets[end.index()];
    if !holds(flow, &evidence.terms, set, evidence.path.last(), &meter)? {
        return Err(Refusal::new("end of the path", "it is in none of the sets"));
    }
    let mut store = Cow::Borrowed(&evidence.terms);
    for (goal, proof) in goals.into_iter().zip(&evidence.proofs) {
        let place = match goal {
            RecurrenceGoal::Covered(at) => format!("the set at {}", flow.location_name(at)),
            RecurrenceGoal::Stays(choice) => format!("choice {choice}"),
        };
        if let RecurrenceGoal::Stays(choice) = goal {
            let choice = &evidence.choices[choice];
            check_sizes(flow, &evidence.sets, choice, &store, &meter)
                .map_err(|reason| Refusal::new(place.as_str(), reason))?;
        }
        settle(&mut store, &place, proof, &meter, |store| {
            recurrence_assertions(flow, &evidence.sets, &evidence.choices, goal, store)
        })?;
    }
    Ok(())
}

/// Whether a choice names a transition and has a term for all that the transition leaves open.
pub(super) fn check_choice(flow: &Flow, choice: &Choice, terms: &Terms<'_>) -> Result<(), String> {
    let transition = flow.transitions.get(choice.transition);
    let transition = transition.ok_or("it names no transition")?;
    terms.check(choice.when, SortId::BOOL)?;
    if choice.next.len() != flow.vars.len() || choice.inputs.len() != transition.inputs.len() {
        return Err("it has not one term for each variable and each input".to_owned());
    }
    let variables = flow.vars.iter().chain(&transition.inputs);
    let mut given = choice.next.iter().chain(&choice.inputs).zip(variables);
    given.try_for_each(|(&term, &var)| terms.check(term, flow.terms.sort(var)))
}

/// Counts the work of making the terms of a choice.
pub(super) fn check_sizes(
    flow: &Flow,
    sets: &[TermId],
    choice: &Choice,
    store: &Store,
    meter: &Meter,
) -> Result<(), String> {
    let transition = &flow.transitions[choice.transition];
    may_move(store, &[sets[transition.to.index()]], &flow.vars, &choice.next, meter)?;
    let from: Vec<TermId> = flow.next.iter().chain(&transition.inputs).copied().collect();
    let to: Vec<TermId> = choice.next.iter().chain(&choice.inputs).copied().collect();
    may_move(store, &[transition.formula], &from, &to, meter)
}

/// Accepts a state in which a run may begin, and says where it is.
pub(super) fn check_initial(
    flow: &Flow,
    initial: &Initial,
    meter: &Meter,
) -> Result<LocId, Refusal> {
    let refuse = |reason: String| Refusal::new("the first state", reason);
    let start = flow.starts.get(initial.start);
    let start = start.ok_or_else(|| refuse("there is no such start".into()))?;
    let given = [(&flow.vars, &initial.values), (&start.inputs, &initial.inputs)];
    match is_true(flow, start.formula, &given, meter).map_err(refuse)? {
        true => Ok(start.at),
        false => Err(refuse("no run begins there".into())),
    }
}

/// Accepts the beginning of a run, and says where it ends.
pub fn check_path(flow: &Flow, path: &Path, meter: &Meter) -> Result<LocId, Refusal> {
    let mut at = check_initial(flow, &path.first, meter)?;
    let mut values = &path.first.values;
    for (position, step) in path.steps.iter().enumerate() {
        let place = format!("step {position} of the path");
        let refuse = |reason: String| Refusal::new(place.as_str(), reason);
        let transition = flow.transitions.get(step.transition);
        let transition = transition.ok_or_else(|| refuse("there is no such transition".into()))?;
        if transition.from != at {
            return Err(refuse("the transition begins elsewhere".into()));
        }
        let given =
            [(&flow.vars, values), (&flow.next, &step.values), (&transition.inputs, &step.inputs)];
        if !is_true(flow, transition.formula, &given, meter).map_err(refuse)? {
            return Err(refuse("the transition does not lead there".into()));
        }
        (at, values) = (transition.to, &step.values);
    }
    Ok(at)
}

/// Whether a formula over the variables holds of a state that was checked before.
pub(super) fn holds(
    flow: &Flow,
    store: &Store,
    formula: TermId,
    values: &[Value],
    meter: &Meter,
) -> Result<bool, Refusal> {
    let mut model = Model::new();
    for (&var, value) in flow.vars.iter().zip(values) {
        model.set(var, value.clone());
    }
    bound::evaluation(store, &[formula], &model, &Tables::default(), meter)
        .map_err(|reason| Refusal::new("end of the path", reason))?;
    let value = eval(store, formula, &model);
    let value = value.map_err(|error| Refusal::new("end of the path", error.describe(store)))?;
    Ok(value == Value::Bool(true))
}

/// Whether a formula of the flow is true under values that fit the variables.
fn is_true(
    flow: &Flow,
    formula: TermId,
    given: &[(&Vec<TermId>, &Vec<Value>)],
    meter: &Meter,
) -> Result<bool, String> {
    let store = &flow.terms;
    let mut model = Model::new();
    for (vars, values) in given {
        if vars.len() != values.len() {
            return Err("there is not one value for each variable and input".to_owned());
        }
        for (&var, value) in vars.iter().zip(*values) {
            if !fits(store, value, store.sort(var), meter)? {
                let name = store.var_name(var).unwrap_or("?");
                return Err(format!("the value of {name} does not fit its sort"));
            }
            model.set(var, value.clone());
        }
    }
    // No choices for division by zero: what depends on them is not evaluated.
    bound::evaluation(store, &[formula], &model, &Tables::default(), meter)?;
    let value = eval(store, formula, &model);
    Ok(value.map_err(|error: EvalError| error.describe(store))? == Value::Bool(true))
}
