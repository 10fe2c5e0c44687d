//! A transition system compiled for evaluation, step by step.
//!
//! The machine evaluates, for a given state and given choices (`roles`), the next state, the
//! constraints and the first bad formula, all in one pass.

use super::first_bad;
use super::roles::{Choice, Roles};
use alphorn_engine::Stop;
use alphorn_problem::Words;
use alphorn_problem::evidence::words::{Property, WordTrace};
use alphorn_term::eval::{EvalError, Program};
use alphorn_term::{Model, SortId, Store, TermId, Value};
use rustc_hash::FxHashSet;

/// A compiled system.
pub struct Machine<'a> {
    /// What was compiled.
    pub system: &'a Words,
    /// The states proper, by position in the system.
    pub states: Vec<usize>,
    /// What is chosen in a step.
    pub choices: Vec<Choice>,
    step: Program,
    /// For each state proper, where its next value is found: an output, or a choice.
    nexts: Vec<Result<usize, usize>>,
    constraints: usize,
    /// How many choices the step's program reads.
    plain: usize,
    /// The states proper in an order in which initial values can be evaluated, with the program.
    inits: Vec<(usize, Option<Program>)>,
    model: Model,
}

impl<'a> Machine<'a> {
    /// Compiles a system, or says why it cannot be evaluated.
    pub fn new(system: &'a Words) -> Result<Machine<'a>, Stop> {
        let bad = first_bad(system)?;
        check_closed(system, bad)?;
        let store = &system.terms;
        let Roles { states, choices } = Roles::new(system);
        let plain = choices.iter().take_while(|c| !matches!(c, Choice::Next(_))).count();
        let mut outputs: Vec<TermId> = vec![bad];
        outputs.extend(system.constraints.iter().map(|constraint| constraint.term));
        let constraints = system.constraints.len();
        let mut nexts = Vec::with_capacity(states.len());
        for &index in &states {
            match system.states[index].next {
                Some(next) => {
                    nexts.push(Ok(outputs.len()));
                    outputs.push(next);
                }
                None => {
                    let choice = choices.iter().position(|c| *c == Choice::Next(index));
                    nexts.push(Err(choice.expect("every state without next value is a choice")));
                }
            }
        }
        let mut variables: Vec<TermId> = states.iter().map(|&i| system.states[i].var).collect();
        variables.extend(choices[..plain].iter().map(|choice| Roles::variable(system, *choice)));
        let step = Program::new(store, &variables, &outputs);
        let inits = compile_inits(system, &states)?;
        let model = Model::new();
        Ok(Machine { system, states, choices, step, nexts, constraints, plain, inits, model })
    }

    /// The sorts of the choices.
    pub fn sorts(&self) -> Vec<SortId> {
        self.choices.iter().map(|choice| Roles::sort(self.system, *choice)).collect()
    }

    /// The states proper, by their place here, whose first values are chosen.
    pub fn uninitialised(&self) -> Vec<usize> {
        let place = |place: &usize| self.system.states[self.states[*place]].init.is_none();
        (0..self.states.len()).filter(place).collect()
    }

    /// A first state, from values for the uninitialised ones, in their order.
    pub fn first(&mut self, chosen: &[Value]) -> Result<Vec<Value>, Stop> {
        let mut values: Vec<Option<Value>> = vec![None; self.states.len()];
        for (place, value) in self.uninitialised().into_iter().zip(chosen) {
            values[place] = Some(value.clone());
        }
        for (place, program) in &mut self.inits {
            if let Some(program) = program {
                program.run(&self.system.terms, &[], &self.model);
                let value = program.output(0).map_err(|e| cannot(&self.system.terms, e))?;
                values[*place] = Some(value.clone());
            }
            let value = values[*place].clone().expect("a state is chosen or computed");
            self.model.set(self.system.states[self.states[*place]].var, value);
        }
        self.model.vars.clear();
        Ok(values.into_iter().map(|v| v.expect("a state is chosen or computed")).collect())
    }

    /// Evaluates a step: whether the constraints hold, and whether the first property fails.
    pub fn step(&mut self, state: &[Value], choices: &[Value]) -> Result<(bool, bool), Stop> {
        let values: Vec<Value> = state.iter().chain(&choices[..self.plain]).cloned().collect();
        self.step.run(&self.system.terms, &values, &self.model);
        for index in 1..=self.constraints {
            let holds = self.step.holds(index).map_err(|e| cannot(&self.system.terms, &e))?;
            if !holds {
                return Ok((false, false));
            }
        }
        let bad = self.step.holds(0).map_err(|e| cannot(&self.system.terms, &e))?;
        Ok((true, bad))
    }

    /// The state after the step evaluated last, which `choices` belongs to.
    pub fn next(&self, choices: &[Value]) -> Result<Vec<Value>, Stop> {
        let value = |next: &Result<usize, usize>| match next {
            Ok(output) => {
                let value = self.step.output(*output).map_err(|e| cannot(&self.system.terms, e));
                value.cloned()
            }
            Err(choice) => Ok(choices[*choice].clone()),
        };
        self.nexts.iter().map(value).collect()
    }

    /// The run that starts in `first` and makes these choices.
    pub fn trace(&self, first: &[Value], choices: &[Vec<Value>]) -> WordTrace {
        let system = self.system;
        let (mut states, mut inputs) = (Vec::new(), Vec::new());
        let default = |var: TermId| Value::default_of(&system.terms, system.terms.sort(var));
        let inputs_default: Vec<Option<Value>> =
            system.inputs.iter().map(|v| default(*v)).collect();
        for (time, step) in choices.iter().enumerate() {
            let mut row: Vec<Option<Value>> = vec![None; system.states.len()];
            let mut input_row = inputs_default.clone();
            for (choice, value) in self.choices.iter().zip(step) {
                match *choice {
                    Choice::Input(index) => input_row[index] = Some(value.clone()),
                    Choice::Free(index) => row[index] = Some(value.clone()),
                    Choice::Next(_) => {}
                }
            }
            if let Some(before) = time.checked_sub(1).map(|time| &choices[time]) {
                for (choice, value) in self.choices.iter().zip(before) {
                    if let Choice::Next(index) = *choice {
                        row[index] = Some(value.clone());
                    }
                }
            } else {
                for place in self.uninitialised() {
                    row[self.states[place]] = Some(first[place].clone());
                }
            }
            states.push(row);
            inputs.push(input_row.into_iter().map(|v| v.expect("inputs are chosen")).collect());
        }
        WordTrace { property: Property::Bad(0), states, inputs, trap: None }
    }
}

/// Says why a term has no value.
pub(super) fn cannot(store: &Store, error: &EvalError) -> Stop {
    Stop::Unsupported(error.describe(store))
}

/// Checks that the system's terms mention its states and inputs only.
fn check_closed(system: &Words, bad: TermId) -> Result<(), Stop> {
    let store = &system.terms;
    let mut roots: Vec<TermId> = vec![bad];
    roots.extend(system.constraints.iter().map(|constraint| constraint.term));
    roots.extend(system.states.iter().flat_map(|state| [state.init, state.next]).flatten());
    let mut known: FxHashSet<TermId> = system.inputs.iter().copied().collect();
    known.extend(system.state_vars());
    if let Some(var) = store.free_vars(&roots).into_iter().find(|var| !known.contains(var)) {
        let name = store.var_name(var).unwrap_or("?");
        return Err(Stop::Unsupported(format!("{name} is neither a state nor an input")));
    }
    Ok(())
}

/// The states proper in an order in which initial values can be evaluated.
fn compile_inits(system: &Words, states: &[usize]) -> Result<Vec<(usize, Option<Program>)>, Stop> {
    let store = &system.terms;
    let mut ready: FxHashSet<TermId> = FxHashSet::default();
    let mut order = Vec::with_capacity(states.len());
    let mut waiting: Vec<usize> = (0..states.len()).collect();
    while !waiting.is_empty() {
        let before = waiting.len();
        let mut later = Vec::new();
        for place in waiting {
            let state = &system.states[states[place]];
            let reads = store.free_vars(state.init.as_slice());
            if reads.iter().all(|var| ready.contains(var)) {
                ready.insert(state.var);
                let program = state.init.map(|init| Program::new(store, &[], &[init]));
                order.push((place, program));
            } else {
                later.push(place);
            }
        }
        if later.len() == before {
            let name = store.var_name(system.states[states[later[0]]].var).unwrap_or("?");
            let reason = format!("the initial value of {name} reads an input or itself");
            return Err(Stop::Unsupported(reason));
        }
        waiting = later;
    }
    Ok(order)
}
