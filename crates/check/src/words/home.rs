//! Checks what is said about home properties, by evaluation.
//!
//! That the formula is always within reach is shown by rows that have all reachable states (`states`), each with the
//! inputs of a step. In the order of the list, a row's inputs make the formula true, or lead to a row before it that has
//! inputs, too; so from each row the formula is reached in finitely many steps, by induction on its place. Inputs must be
//! such that the constraints hold. A row without inputs is no state of a run: the constraints hold in it with no inputs.
//! What is evaluated may depend on listed states and inputs alone, so that a row says enough about a state.
//!
//! That it is out of reach is shown by a run (`trace`) and rows, of which the run's last state has one: no step leaves
//! them, whatever the inputs and all other states are, and the formula is true in none.

use super::states::{Listed, Work, check_shape};
use super::system::{name, no_value, pass};
use crate::Refusal;
use alphorn_problem::Words;
use alphorn_problem::evidence::words::{Homing, Rows};
use alphorn_term::eval::Program;
use alphorn_term::eval::bound::value_ticks;
use alphorn_term::{Meter, Model, TermId, Value};
use std::collections::BTreeSet;

/// Accepts ways home from all reachable states.
pub(super) fn check_homing(
    words: &Words,
    home: TermId,
    homing: &Homing,
    meter: &Meter,
) -> Result<(), Refusal> {
    let Homing { rows, inputs } = homing;
    check_shape(words, rows, meter)?;
    let listed = Listed::new(words, rows);
    let work = Work(meter);
    listed.check_first(&work)?;
    listed.check_steps(None, &work)?;
    if inputs.len() != rows.states.len() {
        let (found, expected) = (inputs.len(), rows.states.len());
        return Err(Refusal::new("ways", format!("{found} lists of inputs for {expected} rows")));
    }
    let store = &words.terms;
    let constraints: Vec<TermId> = words.constraints.iter().map(|c| c.term).collect();
    let mut outputs = constraints.clone();
    outputs.push(home);
    for state in &listed.states {
        let Some(next) = state.next else {
            let reason = format!("{} may have any value in every step", name(store, state.var));
            return Err(Refusal::new("ways", reason));
        };
        outputs.push(next);
    }
    let mut vars: Vec<TermId> = listed.states.iter().map(|state| state.var).collect();
    vars.extend(&words.inputs);
    let known: BTreeSet<TermId> = vars.iter().copied().collect();
    if let Some(other) = store.free_vars(&outputs).into_iter().find(|var| !known.contains(var)) {
        let reason = format!("it depends on {}, which is not listed", name(store, other));
        return Err(Refusal::new("ways", reason));
    }
    work.add(inputs.len() as u64, pass(store, &outputs) + vars.len() as u64)?;
    let mut program = Program::new(store, &vars, &outputs);
    let mut ahead: BTreeSet<&[Value]> = BTreeSet::new();
    for (row, inputs) in rows.states.iter().zip(inputs) {
        let refused = |reason: &str| Refusal::new(format!("state {}", listed.shown(row)), reason);
        let Some(inputs) = inputs else {
            if listed.is_allowed_in(row, &constraints, &work)? {
                return Err(refused("it has no way, and the constraints can hold in it"));
            }
            continue;
        };
        check_inputs(words, inputs, meter)?;
        let values: Vec<Value> = row.iter().chain(inputs).cloned().collect();
        program.run(store, &values, &Model::default());
        if !listed.constraints_hold(&program)? {
            return Err(refused("its inputs are not allowed"));
        }
        let is_there = program.holds(constraints.len());
        let is_there = is_there.map_err(|error| no_value(store, "ways", "the property", &error))?;
        if !is_there {
            let next = listed.states.iter().enumerate().map(|(index, state)| {
                let value = program.output(constraints.len() + 1 + index);
                let what = || format!("the next value of {}", name(store, state.var));
                value.cloned().map_err(|error| no_value(store, "ways", &what(), error))
            });
            let next: Vec<Value> = next.collect::<Result<_, _>>()?;
            if !ahead.contains(next.as_slice()) {
                let reason =
                    format!("its way leads to {}, which is not ahead", listed.shown(&next));
                return Err(refused(&reason));
            }
        }
        ahead.insert(row);
    }
    Ok(())
}

fn check_inputs(words: &Words, inputs: &[Value], meter: &Meter) -> Result<(), Refusal> {
    let store = &words.terms;
    if inputs.len() != words.inputs.len() {
        let (found, expected) = (inputs.len(), words.inputs.len());
        return Err(Refusal::new("ways", format!("{found} values for {expected} inputs")));
    }
    for (var, value) in words.inputs.iter().zip(inputs) {
        meter.spend(value_ticks(value)).map_err(|exhausted| Refusal::new("ways", exhausted))?;
        if !value.has_sort(store, store.sort(*var)) {
            let reason = format!("the value of {} has another sort", name(store, *var));
            return Err(Refusal::new("ways", reason));
        }
    }
    Ok(())
}

/// Accepts rows that a state has one of, that are never left, and in which the formula is never true.
pub(super) fn check_trap(
    words: &Words,
    home: TermId,
    trap: &Rows,
    last: &[Value],
    meter: &Meter,
) -> Result<(), Refusal> {
    check_shape(words, trap, meter)?;
    let listed = Listed::new(words, trap);
    let row: Vec<Value> = trap.vars.iter().map(|position| last[*position].clone()).collect();
    if !listed.rows.contains(row.as_slice()) {
        let reason = format!("the last state {} is not in it", listed.shown(&row));
        return Err(Refusal::new("trap", reason));
    }
    listed.check_steps(Some(home), &Work(meter))
}
