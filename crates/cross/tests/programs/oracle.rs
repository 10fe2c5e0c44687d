//! What programs over few numbers do, by trying everything.
//!
//! Calls are looked up in a table from what a procedure is called with to what it may return, which grows
//! until nothing changes.

use alphorn_program::form::{Action, BlockId, Jump, ProcId, Program, VarId};
use alphorn_term::{Model, TermId, Value, eval};
use std::collections::{BTreeMap, BTreeSet};

/// Values of all variables, by position.
type State = Vec<i64>;
/// What a procedure is called with: itself, its inputs, the globals.
type Given = (u32, Vec<i64>, Vec<i64>);
/// What it returns: its outputs and the globals.
type Returned = (Vec<i64>, Vec<i64>);

struct Oracle<'p> {
    program: &'p Program,
    returns: BTreeMap<Given, BTreeSet<Returned>>,
    is_violated: bool,
}

/// Whether some run violates a check.
pub fn is_violated(program: &Program) -> bool {
    let mut oracle = Oracle { program, returns: BTreeMap::new(), is_violated: false };
    let entry = program.entry.expect("an entry");
    oracle.returns.insert((entry.0, Vec::new(), vec![0; program.globals.len()]), BTreeSet::new());
    loop {
        let before: usize = oracle.returns.values().map(|all| all.len() + 1).sum();
        for given in oracle.returns.keys().cloned().collect::<Vec<_>>() {
            oracle.explore(&given);
        }
        let after: usize = oracle.returns.values().map(|all| all.len() + 1).sum();
        if after == before {
            return oracle.is_violated;
        }
    }
}

fn value(program: &Program, state: &State, term: TermId, next: &[(TermId, i64)]) -> Value {
    let mut model = Model::new();
    for (var, &value) in program.vars.iter().zip(state) {
        model.set(var.term, Value::Int(value.into()));
    }
    for &(term, value) in next {
        model.set(term, Value::Int(value.into()));
    }
    eval(&program.terms, term, &model).expect("everything has a value")
}

fn number(program: &Program, state: &State, term: TermId) -> i64 {
    match value(program, state, term, &[]) {
        Value::Int(value) => value.to_i64().expect("a small number"),
        other => panic!("{other:?} is no number"),
    }
}

fn holds(program: &Program, state: &State, term: TermId) -> bool {
    value(program, state, term, &[]) == Value::Bool(true)
}

fn read(state: &State, vars: &[VarId]) -> Vec<i64> {
    vars.iter().map(|var| state[var.0 as usize]).collect()
}

impl Oracle<'_> {
    fn explore(&mut self, given: &Given) {
        let program = self.program;
        let proc = program.proc(ProcId(given.0));
        let mut state = vec![0; program.vars.len()];
        for (var, value) in proc.inputs.iter().zip(&given.1) {
            state[var.0 as usize] = *value;
        }
        for (var, value) in program.globals.iter().zip(&given.2) {
            state[var.0 as usize] = *value;
        }
        let mut todo = vec![(BlockId(0), 0usize, state)];
        let mut seen = BTreeSet::new();
        while let Some((at, step, state)) = todo.pop() {
            if !seen.insert((at, step, state.clone())) {
                continue;
            }
            let block = &proc.blocks[at.0 as usize];
            match block.steps.get(step) {
                Some(found) => {
                    let next = self.next(&found.action, &state);
                    todo.extend(next.into_iter().map(|state| (at, step + 1, state)));
                }
                None => match &block.jump {
                    Jump::Goto(target) => todo.push((*target, 0, state)),
                    Jump::Branch(formula, yes, no) => {
                        let target = if holds(program, &state, *formula) { yes } else { no };
                        todo.push((*target, 0, state));
                    }
                    Jump::Choose(targets) => {
                        todo.extend(targets.iter().map(|&target| (target, 0, state.clone())));
                    }
                    Jump::Return => {
                        let returned =
                            (read(&state, &proc.outputs), read(&state, &program.globals));
                        self.returns.entry(given.clone()).or_default().insert(returned);
                    }
                },
            }
        }
    }

    /// The states after a step.
    fn next(&mut self, action: &Action, state: &State) -> Vec<State> {
        let program = self.program;
        let with = |var: VarId, value: i64| {
            let mut next = state.clone();
            next[var.0 as usize] = value;
            next
        };
        match action {
            Action::Assign(pairs) => {
                let mut next = state.clone();
                for (var, term) in pairs {
                    next[var.0 as usize] = number(program, state, *term);
                }
                vec![next]
            }
            // Values beyond these end the run at once: ranges are assumed.
            Action::Havoc(vars) => (0..3).map(|value| with(vars[0], value)).collect(),
            Action::Relate(pairs, formula) => {
                let (var, next) = pairs[0];
                let fits = |chosen: &i64| {
                    value(program, state, *formula, &[(next, *chosen)]) == Value::Bool(true)
                };
                (0..3).filter(fits).map(|value| with(var, value)).collect()
            }
            Action::Assume(formula) => {
                holds(program, state, *formula).then(|| state.clone()).into_iter().collect()
            }
            Action::Check(check) => {
                let holds = holds(program, state, check.formula);
                self.is_violated |= !holds;
                holds.then(|| state.clone()).into_iter().collect()
            }
            Action::Call { proc, args, results } => {
                let args = args.iter().map(|&arg| number(program, state, arg)).collect();
                let given = (proc.0, args, read(state, &program.globals));
                let returns = self.returns.entry(given).or_default();
                let after = |(outputs, globals): &Returned| {
                    let mut next = state.clone();
                    for (var, &value) in program.globals.iter().zip(globals) {
                        next[var.0 as usize] = value;
                    }
                    for (var, &value) in results.iter().zip(outputs) {
                        next[var.0 as usize] = value;
                    }
                    next
                };
                returns.iter().map(after).collect()
            }
            Action::Observe(_) | Action::Thread(_) => vec![state.clone()],
        }
    }
}

/// Runs a program whose choices are all observed; an error unless it violates a check with just these.
pub fn replay(program: &Program, choices: &[i64]) -> Result<(), String> {
    let mut choices = choices.iter().copied();
    let mut state = vec![0; program.vars.len()];
    // The procedure, the block, the step, and the values of its variables to go back to.
    let mut stack = vec![(program.entry.expect("an entry"), BlockId(0), 0usize)];
    let mut saved: Vec<State> = Vec::new();
    for _ in 0..100_000 {
        let Some((proc, at, step)) = stack.last().copied() else {
            return Err("the run ends".to_owned());
        };
        let block = &program.proc(proc).blocks[at.0 as usize];
        let top = stack.last_mut().expect("there is a procedure");
        top.2 += 1;
        let Some(found) = block.steps.get(step) else {
            match &block.jump {
                Jump::Goto(target) => *top = (proc, *target, 0),
                Jump::Branch(formula, yes, no) => {
                    let target = if holds(program, &state, *formula) { yes } else { no };
                    *top = (proc, *target, 0);
                }
                Jump::Choose(_) => return Err("a choice is not observed".to_owned()),
                Jump::Return => {
                    stack.pop();
                    let Some(before) = saved.pop() else { continue };
                    let outputs = read(&state, &program.proc(proc).outputs);
                    let globals = read(&state, &program.globals);
                    state = before;
                    for (var, value) in program.globals.iter().zip(globals) {
                        state[var.0 as usize] = value;
                    }
                    let (caller, at, step) = *stack.last().expect("there is a caller");
                    let call = &program.proc(caller).blocks[at.0 as usize].steps[step - 1];
                    let Action::Call { results, .. } = &call.action else { panic!("a call") };
                    for (var, value) in results.iter().zip(outputs) {
                        state[var.0 as usize] = value;
                    }
                }
            }
            continue;
        };
        match &found.action {
            Action::Assign(pairs) => {
                let values: Vec<i64> =
                    pairs.iter().map(|(_, term)| number(program, &state, *term)).collect();
                for ((var, _), value) in pairs.iter().zip(values) {
                    state[var.0 as usize] = value;
                }
            }
            Action::Havoc(vars) => {
                state[vars[0].0 as usize] = choices.next().ok_or("there is no further choice")?;
            }
            Action::Assume(formula) if !holds(program, &state, *formula) => {
                return Err("an assumption does not hold".to_owned());
            }
            Action::Check(check) if !holds(program, &state, check.formula) => {
                return match choices.next() {
                    None => Ok(()),
                    Some(_) => Err("choices are left".to_owned()),
                };
            }
            Action::Call { proc, args, .. } => {
                let args: Vec<i64> = args.iter().map(|&arg| number(program, &state, arg)).collect();
                saved.push(state.clone());
                for (var, value) in program.proc(*proc).inputs.iter().zip(args) {
                    state[var.0 as usize] = value;
                }
                stack.push((*proc, BlockId(0), 0));
            }
            Action::Relate(..) => return Err("a relation is not observed".to_owned()),
            Action::Assume(_) | Action::Check(_) | Action::Observe(_) | Action::Thread(_) => {}
        }
    }
    Err("the run does not end".to_owned())
}
