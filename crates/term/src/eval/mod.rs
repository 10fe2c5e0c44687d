//! Evaluation of terms: the reference semantics, walked over a term without recursion.
//!
//! Errors travel like values: an argument that cannot be evaluated makes the application
//! unevaluable, except where the operator does not look at it (the branch of an `ite` that is not
//! taken; a conjunction with a false conjunct). So `(ite (= y 0) 0 (div x y))` is defined for
//! every `y`, as it should be.

mod model;
mod program;
mod semantics;

pub use model::{Choices, Model, Table};
pub use program::Program;
pub use semantics::apply;

use crate::op::Op;
use crate::store::{CtorId, FuncId, Store, TermId};
use crate::value::{Value, elements};
use rustc_hash::FxHashMap;
use std::fmt;

/// Why a term has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// A variable without a value.
    Unassigned(TermId),
    /// A declared function without a value at these arguments.
    Uninterpreted(FuncId),
    /// A division by zero, and the model records no choice.
    DivisionByZero,
    /// A selector on another constructor, and the model records no choice.
    WrongField(CtorId, u32),
    /// A quantifier over a sort too large to enumerate.
    Quantifier,
    /// A value nested deeper than values may be, or an array too large.
    TooLarge,
    /// A value of a sort the operator does not take; the model is ill-sorted.
    IllSorted,
}

impl EvalError {
    /// The error in words.
    pub fn describe(&self, store: &Store) -> String {
        match self {
            EvalError::Unassigned(var) => {
                format!("the variable {} has no value", store.var_name(*var).unwrap_or("?"))
            }
            EvalError::Uninterpreted(func) => {
                format!("the function {} has no value here", store.name(store.func(*func).name))
            }
            EvalError::WrongField(ctor, field) => {
                let name = store.ctor(*ctor).fields.get(*field as usize).map(|f| store.name(f.0));
                format!("the selector {} is applied to another constructor", name.unwrap_or("?"))
            }
            other => other.to_string(),
        }
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EvalError::Unassigned(_) => "a variable has no value",
            EvalError::Uninterpreted(_) => "a function has no value",
            EvalError::DivisionByZero => "a division by zero, with no choice recorded for it",
            EvalError::WrongField(..) => "a selector is applied to another constructor",
            EvalError::Quantifier => "a quantifier ranges over too many values to enumerate",
            EvalError::TooLarge => "a value is too large",
            EvalError::IllSorted => "a value has the wrong sort",
        })
    }
}

impl std::error::Error for EvalError {}

/// The most assignments a quantifier may be expanded into.
const MOST_INSTANCES: u64 = 1 << 16;
/// The deepest nesting of quantifiers that are expanded.
const MOST_NESTED: u32 = 16;

/// The value of `term` under `model`.
pub fn eval(store: &Store, term: TermId, model: &Model) -> Result<Value, EvalError> {
    Evaluation { store, model, bound: Vec::new(), depth: 0 }.run(term)
}

struct Evaluation<'a> {
    store: &'a Store,
    model: &'a Model,
    /// Values of bound variables, innermost last.
    bound: Vec<(TermId, Value)>,
    depth: u32,
}

impl Evaluation<'_> {
    fn run(&mut self, root: TermId) -> Result<Value, EvalError> {
        let store = self.store;
        let mut known: FxHashMap<TermId, Result<Value, EvalError>> = FxHashMap::default();
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if !ready && known.contains_key(&term) {
                continue;
            }
            let op = store.op(term);
            let is_quantifier = matches!(op, Op::Forall | Op::Exists);
            if !ready && !is_quantifier && !store.args(term).is_empty() {
                stack.push((term, true));
                stack.extend(store.args(term).iter().map(|&arg| (arg, false)));
                continue;
            }
            let value = match op {
                Op::Var(_) => self.variable(term),
                Op::Forall | Op::Exists => self.quantifier(term),
                _ => {
                    let args = store.args(term).iter().map(|arg| known[arg].clone());
                    combine(store, term, args, self.model)
                }
            };
            known.insert(term, value);
        }
        known.remove(&root).expect("the root was evaluated last")
    }

    fn variable(&self, var: TermId) -> Result<Value, EvalError> {
        let bound = self.bound.iter().rev().find(|(v, _)| *v == var).map(|(_, value)| value);
        let value = bound.or_else(|| self.model.vars.get(&var));
        value.cloned().ok_or(EvalError::Unassigned(var))
    }

    fn quantifier(&mut self, term: TermId) -> Result<Value, EvalError> {
        let store = self.store;
        let (body, vars) = store.args(term).split_last().ok_or(EvalError::IllSorted)?;
        let mut domains = Vec::with_capacity(vars.len());
        let mut total = 1u64;
        for &var in vars {
            let domain = elements(store, store.sort(var), MOST_INSTANCES);
            let domain = domain.ok_or(EvalError::Quantifier)?;
            total = total.saturating_mul(domain.len() as u64);
            domains.push(domain);
        }
        if total > MOST_INSTANCES || self.depth >= MOST_NESTED {
            return Err(EvalError::Quantifier);
        }
        // A forall is settled by a false instance, an exists by a true one.
        let settling = store.op(term) == Op::Exists;
        let mut failure = None;
        self.depth += 1;
        for instance in 0..total {
            let mut rest = instance;
            for (&var, domain) in vars.iter().zip(&domains) {
                let size = domain.len() as u64;
                self.bound.push((var, domain[(rest % size) as usize].clone()));
                rest /= size;
            }
            let value = self.run(*body);
            self.bound.truncate(self.bound.len() - vars.len());
            match value {
                Ok(Value::Bool(b)) if b == settling => {
                    self.depth -= 1;
                    return Ok(Value::Bool(settling));
                }
                Ok(_) => {}
                Err(error) => failure = Some(error),
            }
        }
        self.depth -= 1;
        failure.map_or(Ok(Value::Bool(!settling)), Err)
    }
}

/// The value of a term that is neither a variable nor a quantifier, from its arguments' values.
fn combine(
    store: &Store,
    term: TermId,
    args: impl Iterator<Item = Result<Value, EvalError>> + Clone,
    model: &Model,
) -> Result<Value, EvalError> {
    let op = store.op(term);
    match op {
        Op::IntVal(_) | Op::RealVal(_) | Op::BvVal(_) => {
            store.literal_value(term).ok_or(EvalError::IllSorted)
        }
        Op::And | Op::Or => {
            let dominant = Value::Bool(op == Op::Or);
            let mut failure = None;
            for arg in args {
                match arg {
                    Ok(value) if value == dominant => return Ok(dominant),
                    Ok(_) => {}
                    Err(error) => failure = failure.or(Some(error)),
                }
            }
            failure.map_or(Ok(Value::Bool(op == Op::And)), Err)
        }
        Op::Ite => {
            let mut args = args;
            let condition = args.next().ok_or(EvalError::IllSorted)??;
            let skip = usize::from(condition == Value::Bool(false));
            args.nth(skip).ok_or(EvalError::IllSorted)?
        }
        Op::Apply(func) => {
            let args: Vec<Value> = args.collect::<Result<_, _>>()?;
            let value = model.funcs.get(&func).and_then(|table| table.at(&args));
            value.cloned().ok_or(EvalError::Uninterpreted(func))
        }
        _ => {
            let args: Vec<Value> = args.collect::<Result<_, _>>()?;
            apply(store, op, store.sort(term), &args, &model.choices)
        }
    }
}
