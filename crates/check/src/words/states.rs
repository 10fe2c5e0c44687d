//! Checks an invariant that is a list of rows of values for some states, by evaluation.
//!
//! Every first state in which the constraints can hold must have its row in the list; from every
//! row, whatever the other states and the inputs are, if the constraints hold then every next row
//! must be in the list and the property must not be violated. Only variables that anything
//! evaluated depends on are enumerated. A state without next value takes all values of its sort.
//!
//! The work is known beforehand; up to `MAX_WORK` it is never too much.

use super::domains::Domains;
use super::system::{name, no_value, pass, shown};
use crate::Refusal;
use crate::work::FLOOR;
use alphorn_problem::Words;
use alphorn_problem::evidence::words::Rows;
use alphorn_problem::words::State;
use alphorn_term::eval::Program;
use alphorn_term::eval::bound::value_ticks;
use alphorn_term::{EvalError, Meter, Model, TermId, Value, eval};
use std::collections::BTreeSet;

/// The ticks of evaluating a subterm.
const PER_SUBTERM: u64 = 2;

/// The work that is spent on any list of rows: for each valuation that is enumerated, a unit for each
/// subterm that is evaluated under it. Wide words count more.
pub const MAX_WORK: u64 = FLOOR / PER_SUBTERM;

/// Accepts the rows `states` for the states at the positions `vars` if they are an inductive
/// invariant of `words` without bad states.
pub(super) fn check_states(
    words: &Words,
    bad: TermId,
    rows: &Rows,
    meter: &Meter,
) -> Result<(), Refusal> {
    check_shape(words, rows, meter)?;
    let (listed, work) = (Listed::new(words, rows), Work(meter));
    listed.check_first(&work)?;
    listed.check_steps(Some(bad), &work)
}

/// Refuses rows that are not ones of the system's states.
pub(super) fn check_shape(words: &Words, rows: &Rows, meter: &Meter) -> Result<(), Refusal> {
    let (store, Rows { vars, states }) = (&words.terms, rows);
    if !vars.is_sorted_by(|a, b| a < b) || vars.last() >= Some(&words.states.len()) {
        let reason = "the positions of states do not ascend, or there is no such state";
        return Err(Refusal::new("states", reason));
    }
    for (index, state) in states.iter().enumerate() {
        let refused = |reason| Err(Refusal::new(format!("row {index}"), reason));
        if state.len() != vars.len() {
            return refused(format!("{} values for {} states", state.len(), vars.len()));
        }
        for (position, value) in vars.iter().zip(state) {
            let var = words.states[*position].var;
            meter
                .spend(value_ticks(value))
                .map_err(|exhausted| Refusal::new(format!("row {index}"), exhausted))?;
            if !value.has_sort(store, store.sort(var)) {
                return refused(format!("the value of {} has another sort", name(store, var)));
            }
        }
    }
    Ok(())
}

/// A list of rows for some states.
pub(super) struct Listed<'a> {
    words: &'a Words,
    /// The states that the rows are about.
    pub states: Vec<&'a State>,
    pub rows: BTreeSet<&'a [Value]>,
}

impl<'a> Listed<'a> {
    /// Rows whose shape was checked.
    pub fn new(words: &'a Words, rows: &'a Rows) -> Listed<'a> {
        Listed {
            words,
            states: rows.vars.iter().map(|position| &words.states[*position]).collect(),
            rows: rows.states.iter().map(Vec::as_slice).collect(),
        }
    }

    /// Every first state under which the constraints can hold is in the list.
    pub fn check_first(&self, work: &Work<'_>) -> Result<(), Refusal> {
        let words = self.words;
        let store = &words.terms;
        let constraints: Vec<TermId> = words.constraints.iter().map(|c| c.term).collect();
        let needed = self.needed_at_first(&constraints);
        let open = needed.iter().filter(|state| state.init.is_none()).map(|state| state.var);
        let open = Domains::of(store, open.collect(), work.0)?;
        let inputs = Domains::of(store, free_among(words, &constraints, &words.inputs), work.0)?;
        let inits: Vec<TermId> = needed.iter().filter_map(|state| state.init).collect();
        work.add(open.count(), pass(store, &inits) + needed.len() as u64)?;
        let tests = open.count().saturating_mul(inputs.count());
        work.add(tests, pass(store, &constraints) + needed.len() as u64)?;

        let mut vars: Vec<TermId> = needed.iter().map(|state| state.var).collect();
        vars.extend(inputs.vars());
        let mut program = Program::new(store, &vars, &constraints);
        let mut place = open.first();
        loop {
            let model = first_state(words, &needed, open.values(&place))?;
            let row: Vec<Value> =
                self.states.iter().map(|state| model.vars[&state.var].clone()).collect();
            if !self.rows.contains(row.as_slice()) {
                let state: Vec<Value> =
                    needed.iter().map(|state| model.vars[&state.var].clone()).collect();
                if self.is_allowed(&mut program, &state, &inputs)? {
                    let reason = format!("the first state {} is missing", self.shown(&row));
                    return Err(Refusal::new("states", reason));
                }
            }
            if !open.advance(&mut place) {
                return Ok(());
            }
        }
    }

    /// The states that the first rows and the constraints depend on, in order.
    fn needed_at_first(&self, constraints: &[TermId]) -> Vec<&State> {
        let words = self.words;
        let mut needed: BTreeSet<TermId> = words.terms.free_vars(constraints).into_iter().collect();
        needed.extend(self.states.iter().map(|state| state.var));
        // Initial values look at earlier states alone, so one pass from the last to the first
        // finds all.
        for state in words.states.iter().rev() {
            if needed.contains(&state.var)
                && let Some(init) = state.init
            {
                needed.extend(words.terms.free_vars(&[init]));
            }
        }
        words.states.iter().filter(|state| needed.contains(&state.var)).collect()
    }

    /// Whether the constraints hold in `state` under some inputs.
    fn is_allowed(
        &self,
        program: &mut Program,
        state: &[Value],
        inputs: &Domains,
    ) -> Result<bool, Refusal> {
        let mut place = inputs.first();
        loop {
            let values: Vec<Value> = state.iter().cloned().chain(inputs.values(&place)).collect();
            program.run(&self.words.terms, &values, &Model::default());
            if self.constraints_hold(program)? {
                return Ok(true);
            }
            if !inputs.advance(&mut place) {
                return Ok(false);
            }
        }
    }

    /// Whether the constraints, which depend on listed states and inputs alone, hold in a row under some inputs.
    pub fn is_allowed_in(
        &self,
        row: &[Value],
        constraints: &[TermId],
        work: &Work<'_>,
    ) -> Result<bool, Refusal> {
        let store = &self.words.terms;
        let inputs = free_among(self.words, constraints, &self.words.inputs);
        let inputs = Domains::of(store, inputs, work.0)?;
        work.add(inputs.count(), pass(store, constraints) + row.len() as u64)?;
        let vars = self.states.iter().map(|state| state.var).chain(inputs.vars());
        let mut program = Program::new(store, &vars.collect::<Vec<_>>(), constraints);
        self.is_allowed(&mut program, row, &inputs)
    }

    /// No row is bad, and none leads out of the list.
    pub fn check_steps(&self, bad: Option<TermId>, work: &Work<'_>) -> Result<(), Refusal> {
        let words = self.words;
        let store = &words.terms;
        let mut outputs: Vec<TermId> = words.constraints.iter().map(|c| c.term).collect();
        outputs.extend(bad);
        let nexts = outputs.len();
        outputs.extend(self.states.iter().filter_map(|state| state.next));
        let mut vars: Vec<TermId> = self.states.iter().map(|state| state.var).collect();
        let listed: BTreeSet<TermId> = vars.iter().copied().collect();
        let mut others = words.state_vars();
        others.retain(|var| !listed.contains(var));
        others.extend(&words.inputs);
        let others = Domains::of(store, free_among(words, &outputs, &others), work.0)?;
        let open = self.states.iter().filter(|state| state.next.is_none()).map(|state| state.var);
        let open = Domains::of(store, open.collect(), work.0)?;
        let steps = others.count().saturating_mul(self.rows.len() as u64);
        work.add(steps, pass(store, &outputs))?;
        work.add(steps.saturating_mul(open.count()), self.states.len() as u64)?;

        vars.extend(others.vars());
        let mut program = Program::new(store, &vars, &outputs);
        for &row in &self.rows {
            let refused = |reason| Refusal::new(format!("state {}", self.shown(row)), reason);
            let mut place = others.first();
            loop {
                let values: Vec<Value> = row.iter().cloned().chain(others.values(&place)).collect();
                program.run(store, &values, &Model::default());
                if self.constraints_hold(&program)? {
                    let is_bad = match bad {
                        Some(_) => program.holds(words.constraints.len()),
                        None => Ok(false),
                    };
                    if is_bad.map_err(|error| self.no_value("the property", &error))? {
                        return Err(refused("the property is violated in it".into()));
                    }
                    if let Some(next) = self.leaves(&program, nexts, &open)? {
                        return Err(refused(format!("it leads to {}", self.shown(&next))));
                    }
                }
                if !others.advance(&mut place) {
                    break;
                }
            }
        }
        Ok(())
    }

    /// A row that follows in the last run of the program, whose outputs from `nexts` on are next values, and is not in
    /// the list.
    fn leaves(
        &self,
        program: &Program,
        nexts: usize,
        open: &Domains,
    ) -> Result<Option<Vec<Value>>, Refusal> {
        let mut place = open.first();
        loop {
            let mut chosen = open.values(&place);
            let mut index = nexts;
            let mut next = Vec::with_capacity(self.states.len());
            for state in &self.states {
                if state.next.is_some() {
                    let value = program.output(index).map_err(|error| {
                        let name = name(&self.words.terms, state.var);
                        self.no_value(&format!("the next value of {name}"), error)
                    })?;
                    index += 1;
                    next.push(value.clone());
                } else {
                    next.push(chosen.next().expect("every state without next has a domain"));
                }
            }
            drop(chosen);
            if !self.rows.contains(next.as_slice()) {
                return Ok(Some(next));
            }
            if !open.advance(&mut place) {
                return Ok(None);
            }
        }
    }

    /// Whether all constraints hold in the last run of a program that begins with them.
    pub fn constraints_hold(&self, program: &Program) -> Result<bool, Refusal> {
        for index in 0..self.words.constraints.len() {
            let holds = program.holds(index);
            let what = || format!("constraint {index}");
            if !holds.map_err(|error| self.no_value(&what(), &error))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn no_value(&self, what: &str, error: &EvalError) -> Refusal {
        no_value(&self.words.terms, "states", what, error)
    }

    /// A row as messages show it.
    pub fn shown(&self, row: &[Value]) -> String {
        const MAX_SHOWN: usize = 8;
        let pairs = self.states.iter().zip(row).take(MAX_SHOWN);
        let pairs = pairs.map(|(state, value)| {
            format!("{} = {}", name(&self.words.terms, state.var), shown(value))
        });
        let pairs: Vec<String> = pairs.collect();
        let more = if row.len() > MAX_SHOWN { ", …" } else { "" };
        format!("({}{more})", pairs.join(", "))
    }
}

/// The values of `needed` in the first step, those without initial value being `chosen`.
fn first_state(
    words: &Words,
    needed: &[&State],
    mut chosen: impl Iterator<Item = Value>,
) -> Result<Model, Refusal> {
    let store = &words.terms;
    let mut model = Model::new();
    for state in needed {
        let value = match state.init {
            Some(init) => eval(store, init, &model).map_err(|error| {
                let what = format!("the initial value of {}", name(store, state.var));
                no_value(store, "first state", &what, &error)
            })?,
            None => chosen.next().expect("every state without initial value has a domain"),
        };
        model.set(state.var, value);
    }
    Ok(model)
}

/// Those of `vars` that occur in `terms`.
fn free_among(words: &Words, terms: &[TermId], vars: &[TermId]) -> Vec<TermId> {
    let free: BTreeSet<TermId> = words.terms.free_vars(terms).into_iter().collect();
    vars.iter().copied().filter(|var| free.contains(var)).collect()
}

/// Counts work, and refuses too much of it.
pub(super) struct Work<'a>(pub &'a Meter);

impl Work<'_> {
    pub fn add(&self, times: u64, each: u64) -> Result<(), Refusal> {
        let ticks = times.saturating_mul(each.max(1)).saturating_mul(PER_SUBTERM);
        let refused = |exhausted| {
            Refusal::new("states", format!("too large to check by evaluation: {exhausted}"))
        };
        self.0.spend(ticks).map_err(refused)
    }
}
