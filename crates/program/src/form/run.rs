//! Programs of the common form, run step by step with given values.
//!
//! Whatever a program leaves open (values given by `Havoc`, the first values of variables, which block
//! `Choose` takes) is asked of an oracle, which also hears what is observed and may then settle values that
//! it had left open until that moment. Terms are evaluated by the reference semantics.
//!
//! Invariant: a run is one of the program's, if the oracle changes nothing that was used already.

use super::{Action, BlockId, Jump, Observation, ProcId, Program, VarId};
use alphorn_problem::Span;
use alphorn_term::{Model, Op, TermId, Value, eval};

/// Who decides what a program leaves open.
pub trait Oracle {
    /// The value of a variable that may have any.
    fn any(&mut self, program: &Program, var: VarId) -> Option<Value> {
        Value::default_of(&program.terms, program.var(var).sort)
    }

    /// Values for variables such that a formula holds.
    fn relate(
        &mut self,
        program: &Program,
        vars: &[(VarId, TermId)],
        formula: TermId,
        state: &State<'_>,
    ) -> Option<Vec<Value>> {
        let _ = (program, vars, formula, state);
        None
    }

    /// Which of several blocks is next.
    fn choose(&mut self, blocks: &[BlockId]) -> usize {
        let _ = blocks;
        0
    }

    /// Something is observed; what was left open may be settled now.
    fn observe(&mut self, observation: &Observation, span: Span, state: &mut State<'_>) {
        let _ = (observation, span, state);
    }

    /// A block is entered.
    fn enter(&mut self, proc: ProcId, block: BlockId, state: &State<'_>) {
        let _ = (proc, block, state);
    }
}

/// The values of variables.
pub struct State<'p> {
    /// Whose variables they are.
    pub program: &'p Program,
    model: Model,
}

impl State<'_> {
    /// The value of a term; none if it has none.
    pub fn value(&self, term: TermId) -> Option<Value> {
        eval(&self.program.terms, term, &self.model).ok()
    }

    /// The value of a variable.
    pub fn var(&self, var: VarId) -> Option<Value> {
        self.value(self.program.term(var))
    }

    /// Gives a variable a value.
    pub fn set(&mut self, var: VarId, value: Value) {
        self.model.set(self.program.term(var), value);
    }

    /// Settles a term to be a value: a variable, the negative of one, or an element of an array that is
    /// such a term. Says whether it is.
    pub fn settle(&mut self, term: TermId, value: Value) -> bool {
        let terms = &self.program.terms;
        match (terms.op(term), terms.args(term)) {
            (Op::Var(_), _) => {
                self.model.set(term, value);
                true
            }
            (Op::Mul, &[factor, inner]) if terms.int_value(factor).is_some_and(is_minus_one) => {
                match value {
                    Value::Int(number) => self.settle(inner, Value::Int(-number)),
                    _ => false,
                }
            }
            (Op::BvNeg, &[inner]) => match value {
                Value::Bv(word) => self.settle(inner, Value::Bv(word.neg())),
                _ => false,
            },
            (Op::Select, &[array, index]) => {
                let (Some(Value::Array(old)), Some(index)) = (self.value(array), self.value(index))
                else {
                    return false;
                };
                match old.with(terms, index, value) {
                    Some(new) => self.settle(array, Value::Array(new.into())),
                    None => false,
                }
            }
            _ => self.value(term) == Some(value),
        }
    }
}

fn is_minus_one(number: &alphorn_term::Int) -> bool {
    *number == alphorn_term::Int::MINUS_ONE
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The entry returned.
    Returned,
    /// A check failed.
    Violated {
        /// What was checked.
        property: String,
        /// Where.
        span: Span,
    },
    /// An assumption does not hold, or there is no block to go on at.
    Stopped(Span),
    /// It took as many steps as it may.
    Limit,
    /// Something has no value.
    Unknown(Span),
}

/// A call that goes on later.
struct Frame {
    proc: ProcId,
    block: BlockId,
    step: usize,
    results: Vec<VarId>,
    saved: Vec<(VarId, Option<Value>)>,
}

/// Runs a program for so many steps at most.
pub fn run(program: &Program, oracle: &mut dyn Oracle, steps: u64) -> Ended {
    let Some(entry) = program.entry else { return Ended::Unknown(Span::NONE) };
    let mut runner = Runner {
        program,
        oracle,
        state: State { program, model: Model::new() },
        frames: Vec::new(),
        left: steps,
    };
    match runner.go(entry) {
        Ok(()) => Ended::Returned,
        Err(ended) => ended,
    }
}

struct Runner<'p, 'o> {
    program: &'p Program,
    oracle: &'o mut dyn Oracle,
    state: State<'p>,
    frames: Vec<Frame>,
    left: u64,
}

impl Runner<'_, '_> {
    fn go(&mut self, entry: ProcId) -> Result<(), Ended> {
        let first: Vec<VarId> =
            self.program.globals.iter().chain(&self.program.proc(entry).inputs).copied().collect();
        self.open(&first)?;
        if let Some(start) = self.program.start {
            self.assume(start, Span::NONE)?;
        }
        let own = &self.program.proc(entry);
        let own: Vec<VarId> = own.outputs.iter().chain(&own.locals).copied().collect();
        self.open(&own)?;
        let (mut proc, mut block, mut step) = (entry, BlockId(0), 0);
        self.oracle.enter(proc, block, &self.state);
        loop {
            self.left = self.left.checked_sub(1).ok_or(Ended::Limit)?;
            let here = &self.program.proc(proc).blocks[block.0 as usize];
            if let Some(found) = here.steps.get(step) {
                step += 1;
                if let Action::Call { proc: callee, args, results } = &found.action {
                    let values = self.values(args, found.span)?;
                    let results = results.clone();
                    let saved = self.enter(*callee, values)?;
                    self.frames.push(Frame { proc, block, step, results, saved });
                    (proc, block, step) = (*callee, BlockId(0), 0);
                    self.oracle.enter(proc, block, &self.state);
                } else {
                    self.act(&found.action, found.span)?;
                }
                continue;
            }
            let next =
                match &here.jump {
                    Jump::Goto(next) => *next,
                    Jump::Branch(condition, then, otherwise) => {
                        if self.truth(*condition, here.span)? { *then } else { *otherwise }
                    }
                    Jump::Choose(blocks) => {
                        let chosen = self.oracle.choose(blocks);
                        *blocks.get(chosen).ok_or(Ended::Stopped(here.span))?
                    }
                    Jump::Return => {
                        let Some(frame) = self.frames.pop() else { return Ok(()) };
                        let outputs = self.program.proc(proc).outputs.clone();
                        let values: Vec<Option<Value>> =
                            outputs.iter().map(|var| self.state.var(*var)).collect();
                        for (var, value) in frame.saved {
                            if let Some(value) = value {
                                self.state.set(var, value);
                            }
                        }
                        for (&var, value) in frame.results.iter().zip(values) {
                            self.state.set(var, value.ok_or(Ended::Unknown(here.span))?);
                        }
                        (proc, block, step) = (frame.proc, frame.block, frame.step);
                        continue;
                    }
                };
            (block, step) = (next, 0);
            self.oracle.enter(proc, block, &self.state);
        }
    }

    /// Gives variables any values.
    fn open(&mut self, vars: &[VarId]) -> Result<(), Ended> {
        for &var in vars {
            let value = self.oracle.any(self.program, var);
            let span = self.program.var(var).span;
            self.state.set(var, value.ok_or(Ended::Unknown(span))?);
        }
        Ok(())
    }

    /// Enters a procedure; what its variables were is kept.
    fn enter(
        &mut self,
        proc: ProcId,
        args: Vec<Value>,
    ) -> Result<Vec<(VarId, Option<Value>)>, Ended> {
        let data = self.program.proc(proc);
        let others: Vec<VarId> = data.outputs.iter().chain(&data.locals).copied().collect();
        let all = data.inputs.iter().chain(&others);
        let saved = all.map(|&var| (var, self.state.var(var))).collect();
        for (&var, value) in data.inputs.iter().zip(args) {
            self.state.set(var, value);
        }
        self.open(&others)?;
        Ok(saved)
    }

    fn values(&self, terms: &[TermId], span: Span) -> Result<Vec<Value>, Ended> {
        let values = terms.iter().map(|&term| self.state.value(term));
        values.collect::<Option<Vec<Value>>>().ok_or(Ended::Unknown(span))
    }

    fn truth(&self, formula: TermId, span: Span) -> Result<bool, Ended> {
        match self.state.value(formula) {
            Some(Value::Bool(truth)) => Ok(truth),
            _ => Err(Ended::Unknown(span)),
        }
    }

    fn assume(&self, formula: TermId, span: Span) -> Result<(), Ended> {
        if self.truth(formula, span)? { Ok(()) } else { Err(Ended::Stopped(span)) }
    }

    fn act(&mut self, action: &Action, span: Span) -> Result<(), Ended> {
        match action {
            Action::Assign(pairs) => {
                let terms: Vec<TermId> = pairs.iter().map(|(_, term)| *term).collect();
                let values = self.values(&terms, span)?;
                for (&(var, _), value) in pairs.iter().zip(values) {
                    self.state.set(var, value);
                }
            }
            Action::Havoc(vars) => self.open(vars)?,
            Action::Relate(vars, formula) => {
                let found = self.oracle.relate(self.program, vars, *formula, &self.state);
                let values = found.ok_or(Ended::Stopped(span))?;
                for (&(_, next), value) in vars.iter().zip(&values) {
                    self.state.model.set(next, value.clone());
                }
                self.assume(*formula, span)?;
                for (&(var, _), value) in vars.iter().zip(values) {
                    self.state.set(var, value);
                }
            }
            Action::Assume(formula) => self.assume(*formula, span)?,
            Action::Check(check) => {
                if !self.truth(check.formula, span)? {
                    let property = check.property.clone();
                    return Err(Ended::Violated { property, span });
                }
            }
            Action::Call { .. } => unreachable!("calls are entered where blocks are walked"),
            Action::Thread(_) => return Err(Ended::Unknown(span)),
            Action::Observe(observation) => {
                self.oracle.observe(observation, span, &mut self.state);
            }
        }
        Ok(())
    }
}
