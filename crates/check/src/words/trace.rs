//! Checks traces: runs of a word-level system that violate a property.
//!
//! The run is evaluated step by step. In the first step a state has its initial value, or the
//! trace's where it has none; in later steps its next value, or the trace's. Where the trace gives
//! a value that follows, the two must agree. All constraints must hold in every step, the last
//! included.
//!
//! A justice property is violated by a lasso: the state after the last step equals the state of an
//! earlier step, from which on the inputs repeat for ever, and everything required happens in
//! between. Compared are the states that the property, fairness and constraints depend on, through
//! next values (`Words::loop_states`); what the others do changes nothing. Where several earlier
//! states fit, the first gives the longest loop, in which everything happens that happens in the
//! shorter ones. A state without next value may have any value after the last step, and so the one
//! it had: it does not matter for the comparison.
//!
//! A home property is violated by a run whose last state is in a trap (`home`).
//!
//! After Niemetz, Preiner, Wolf, Biere, "Btor2, BtorMC and Boolector 3.0" (CAV 2018).

use super::home::check_trap;
use super::system::{check_system, name, no_value, pass, shown};
use crate::{Refusal, work};
use alphorn_problem::Words;
use alphorn_problem::evidence::words::{Property, WordTrace};
use alphorn_term::eval::Program;
use alphorn_term::eval::bound::value_ticks;
use alphorn_term::{Exhausted, Meter, Model, TermId, Value, eval};

/// Accepts `trace` if it is a run of `words` that violates the property it names.
pub fn check_trace(words: &Words, trace: &WordTrace) -> Result<(), Refusal> {
    check_trace_within(words, trace, &work::of_word_trace(words, trace))
}

/// `check_trace` with the caller's limit on its work.
pub fn check_trace_within(words: &Words, trace: &WordTrace, meter: &Meter) -> Result<(), Refusal> {
    check_system(words)?;
    spend(words, trace, meter).map_err(|exhausted| Refusal::new("the run", exhausted))?;
    check_shape(words, trace)?;
    match trace.property {
        Property::Bad(index) => match words.bads.get(index) {
            Some(bad) => check_bad(words, trace, bad.term),
            None => Err(missing_property("safety", index)),
        },
        Property::Justice(index) => match words.justice.get(index) {
            Some(justice) => check_justice(words, trace, index, &justice.terms),
            None => Err(missing_property("justice", index)),
        },
        Property::Home(index) => match words.homes.get(index) {
            Some(home) => check_home(words, trace, home.term, meter),
            None => Err(missing_property("home", index)),
        },
    }
}

/// Counts the work of evaluating the run: a pass in each step, the values in it, and for loops the
/// comparison of each state with the last.
fn spend(words: &Words, trace: &WordTrace, meter: &Meter) -> Result<(), Exhausted> {
    let store = &words.terms;
    let states = words.states.iter().flat_map(|state| [state.init, state.next]).flatten();
    let named = words.constraints.iter().chain(&words.bads).chain(&words.fairness);
    let justice = words.justice.iter().flat_map(|justice| justice.terms.iter().copied());
    let roots: Vec<TermId> = states.chain(named.map(|named| named.term)).chain(justice).collect();
    let each = pass(store, &roots) + words.states.len() as u64;
    let steps = trace.inputs.len() as u64 + 1;
    meter.spend(steps.saturating_mul(each).saturating_mul(2))?;
    let given = trace.states.iter().flatten().flatten();
    for value in given.chain(trace.inputs.iter().flatten()) {
        meter.spend(value_ticks(value))?;
    }
    Ok(())
}

fn missing_property(kind: &str, index: usize) -> Refusal {
    Refusal::new("property", format!("the system has no {kind} property {index}"))
}

fn check_shape(words: &Words, trace: &WordTrace) -> Result<(), Refusal> {
    if trace.inputs.is_empty() {
        return Err(Refusal::new("inputs", "a violation takes at least one step"));
    }
    if trace.states.len() != trace.inputs.len() {
        let (states, inputs) = (trace.states.len(), trace.inputs.len());
        return Err(Refusal::new(
            "states",
            format!("{states} steps of states, {inputs} of inputs"),
        ));
    }
    if trace.trap.is_some() && !matches!(trace.property, Property::Home(_)) {
        return Err(Refusal::new("trap", "only a home property is violated by a trap"));
    }
    let store = &words.terms;
    for (step, (states, inputs)) in trace.states.iter().zip(&trace.inputs).enumerate() {
        if states.len() != words.states.len() {
            let (found, expected) = (states.len(), words.states.len());
            return Err(Refusal::new(place(step), format!("{found} values for {expected} states")));
        }
        if inputs.len() != words.inputs.len() {
            let (found, expected) = (inputs.len(), words.inputs.len());
            return Err(Refusal::new(place(step), format!("{found} values for {expected} inputs")));
        }
        let states = words.states.iter().zip(states);
        let states = states.filter_map(|(state, value)| Some((state.var, value.as_ref()?)));
        for (var, value) in states.chain(words.inputs.iter().copied().zip(inputs)) {
            if !value.has_sort(store, store.sort(var)) {
                let reason = format!("the value of {} has another sort", name(store, var));
                return Err(Refusal::new(place(step), reason));
            }
        }
    }
    Ok(())
}

fn check_bad(words: &Words, trace: &WordTrace, bad: TermId) -> Result<(), Refusal> {
    let mut last = false;
    replay(words, trace, &[bad], |_, holds| last = holds[0])?;
    if !last {
        let reason = "the property is not violated in the last step";
        return Err(Refusal::new(place(trace.inputs.len() - 1), reason));
    }
    Ok(())
}

/// The run's last state is in a trap.
fn check_home(
    words: &Words,
    trace: &WordTrace,
    home: TermId,
    meter: &Meter,
) -> Result<(), Refusal> {
    let Some(trap) = &trace.trap else {
        return Err(Refusal::new(
            "trap",
            "a run alone does not show that something is out of reach",
        ));
    };
    let mut last = Vec::new();
    replay(words, trace, &[], |state, _| last = state.to_vec())?;
    check_trap(words, home, trap, &last, meter)
}

fn check_justice(
    words: &Words,
    trace: &WordTrace,
    index: usize,
    justice: &[TermId],
) -> Result<(), Refusal> {
    let required: Vec<TermId> =
        justice.iter().copied().chain(words.fairness.iter().map(|fair| fair.term)).collect();
    let mut steps: Vec<(Vec<Value>, Vec<bool>)> = Vec::with_capacity(trace.inputs.len());
    let end = replay(words, trace, &required, |state, holds| {
        steps.push((state.to_vec(), holds.to_vec()));
    })?;
    let watched = words.loop_states(index);
    let returns = |place: &usize, state: &[Value]| {
        end[*place].as_ref().is_none_or(|after| *after == state[*place])
    };
    let closes = |state: &[Value]| watched.iter().all(|place| returns(place, state));
    let Some(start) = steps.iter().position(|(state, _)| closes(state)) else {
        return Err(Refusal::new("end of the trace", "the state differs from all before it"));
    };
    for index in 0..required.len() {
        if !steps[start..].iter().any(|(_, holds)| holds[index]) {
            let (kind, index) = match index.checked_sub(justice.len()) {
                Some(index) => ("fairness", index),
                None => ("justice", index),
            };
            let reason = format!("{kind} condition {index} is never true in it");
            return Err(Refusal::new("loop", reason));
        }
    }
    Ok(())
}

/// Evaluates the run and checks values and constraints; `visit` sees the state of each step and
/// the truth values of `watched` in it. The result is the state after the last step, `None` where
/// any value will do.
fn replay(
    words: &Words,
    trace: &WordTrace,
    watched: &[TermId],
    mut visit: impl FnMut(&[Value], &[bool]),
) -> Result<Vec<Option<Value>>, Refusal> {
    let store = &words.terms;
    let mut vars = words.state_vars();
    vars.extend(&words.inputs);
    let mut outputs: Vec<TermId> = words.constraints.iter().map(|c| c.term).collect();
    outputs.extend(watched);
    let nexts = outputs.len();
    outputs.extend(words.states.iter().filter_map(|state| state.next));
    let mut program = Program::new(store, &vars, &outputs);
    let mut values = first_state(words, &trace.states[0])?;
    let mut end = Vec::new();
    for (step, inputs) in trace.inputs.iter().enumerate() {
        if step > 0 {
            values = later_state(words, &trace.states[step], std::mem::take(&mut end), step)?;
        }
        let count = values.len();
        values.extend(inputs.iter().cloned());
        program.run(store, &values, &Model::default());
        values.truncate(count);
        for index in 0..words.constraints.len() {
            let what = format!("constraint {index}");
            if !holds(words, &program, index, step, &what)? {
                return Err(Refusal::new(place(step), format!("{what} is false")));
            }
        }
        let truths: Vec<bool> = (0..watched.len())
            .map(|index| {
                holds(words, &program, words.constraints.len() + index, step, "the property")
            })
            .collect::<Result<_, _>>()?;
        visit(&values, &truths);
        let mut index = nexts;
        for state in &words.states {
            end.push(match state.next {
                Some(_) => {
                    let value = program.output(index).map_err(|error| {
                        let what = format!("the next value of {}", name(store, state.var));
                        no_value(store, place(step), &what, error)
                    });
                    index += 1;
                    // What happens after the last step matters for loops alone.
                    match value {
                        Err(_) if is_over(trace, step) => None,
                        value => Some(value?.clone()),
                    }
                }
                None => None,
            });
        }
    }
    Ok(end)
}

/// Whether nobody looks at the state after `step`.
fn is_over(trace: &WordTrace, step: usize) -> bool {
    matches!(trace.property, Property::Bad(_) | Property::Home(_)) && step + 1 == trace.inputs.len()
}

fn holds(
    words: &Words,
    program: &Program,
    index: usize,
    step: usize,
    what: &str,
) -> Result<bool, Refusal> {
    program.holds(index).map_err(|error| no_value(&words.terms, place(step), what, &error))
}

/// The state of the first step: initial values may look at the states before their own.
fn first_state(words: &Words, given: &[Option<Value>]) -> Result<Vec<Value>, Refusal> {
    let store = &words.terms;
    let mut model = Model::new();
    let mut values = Vec::with_capacity(given.len());
    for (state, given) in words.states.iter().zip(given) {
        let value = match state.init {
            Some(init) => Some(eval(store, init, &model).map_err(|error| {
                let what = format!("the initial value of {}", name(store, state.var));
                no_value(store, place(0), &what, &error)
            })?),
            None => None,
        };
        let value = settle(words, state.var, value, given.as_ref(), 0)?;
        model.set(state.var, value.clone());
        values.push(value);
    }
    Ok(values)
}

/// The state of a later step, from the values that follow and the given ones.
fn later_state(
    words: &Words,
    given: &[Option<Value>],
    follows: Vec<Option<Value>>,
    step: usize,
) -> Result<Vec<Value>, Refusal> {
    let states = words.states.iter().zip(given).zip(follows);
    states
        .map(|((state, given), value)| settle(words, state.var, value, given.as_ref(), step))
        .collect()
}

/// The value of a state, which follows, or is given, or both.
fn settle(
    words: &Words,
    var: TermId,
    follows: Option<Value>,
    given: Option<&Value>,
    step: usize,
) -> Result<Value, Refusal> {
    let name = name(&words.terms, var);
    match (follows, given) {
        (Some(value), Some(given)) if value != *given => {
            let (value, given) = (shown(&value), shown(given));
            Err(Refusal::new(place(step), format!("{name} is {value}, not {given}")))
        }
        (Some(value), _) => Ok(value),
        (None, Some(given)) => Ok(given.clone()),
        (None, None) => {
            Err(Refusal::new(place(step), format!("{name} needs a value here, and has none")))
        }
    }
}

fn place(step: usize) -> String {
    format!("step {step}")
}
