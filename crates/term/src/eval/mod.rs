//! Evaluation of terms: the reference semantics, walked over a term without recursion.
//!
//! Errors travel like values: an argument that cannot be evaluated makes the application
//! unevaluable, except where the operator does not look at it (the branch of an `ite` that is not
//! taken; a conjunction with a false conjunct). So `(ite (= y 0) 0 (div x y))` is defined for
//! every `y`, as it should be.

pub mod bound;
mod code;
mod model;
mod program;
mod semantics;

pub use model::{Choices, Elsewhere, Model, Table};
pub use program::Program;
pub use semantics::apply;

use crate::id::{CtorId, FuncId, TermId};
use crate::op::Op;
use crate::store::Store;
use crate::value::{Value, cardinality, elements};
use code::{Code, Surroundings};
use std::fmt;
use std::sync::Arc;

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

/// The most instances that quantifiers inside each other may come to together.
const MAX_INSTANCES: u64 = 1 << 16;
/// The deepest nesting of quantifiers that are expanded.
const MAX_NESTED: u32 = 16;

/// The value of `term` under `model`.
pub fn eval(store: &Store, term: TermId, model: &Model) -> Result<Value, EvalError> {
    let mut code = Code::new(store, &[], &[term]);
    code.run(store, &mut Surroundings::new(model));
    code.take_output(0)
}

/// The value of a quantifier, by its instances.
fn quantifier(
    store: &Store,
    term: TermId,
    around: &mut Surroundings<'_>,
) -> Result<Value, EvalError> {
    let (body, vars) = store.args(term).split_last().ok_or(EvalError::IllSorted)?;
    let outside = around.instances;
    // Every sort has an element, so a variable that the body does not have needs none in particular. They are looked for where
    // there is no other way.
    let is_listed = |&var: &TermId| cardinality(store, store.sort(var)).is_some();
    let mut vars = vars.to_vec();
    if !vars.iter().all(is_listed) {
        let free = store.free_vars(&[*body]);
        vars.retain(|var| free.contains(var));
    }
    let mut domains = Vec::with_capacity(vars.len());
    let mut total = 1u64;
    for &var in &vars {
        // Before any is listed: many variables of many values each would take all memory.
        let count = cardinality(store, store.sort(var)).ok_or(EvalError::Quantifier)?;
        total = total.saturating_mul(count);
        if total.saturating_mul(outside) > MAX_INSTANCES || around.depth >= MAX_NESTED {
            return Err(EvalError::Quantifier);
        }
        let domain = elements(store, store.sort(var), MAX_INSTANCES);
        domains.push(domain.ok_or(EvalError::Quantifier)?);
    }
    // A forall is settled by a false instance, an exists by a true one.
    let settling = store.op(term) == Op::Exists;
    let mut result = Ok(Value::Bool(!settling));
    let mut code = Code::new(store, &[], &[*body]);
    around.depth += 1;
    around.instances = total * outside;
    for instance in 0..total {
        let mut rest = instance;
        for (&var, domain) in vars.iter().zip(&domains) {
            let size = domain.len() as u64;
            around.bound.push((var, domain[(rest % size) as usize].clone()));
            rest /= size;
        }
        code.run(store, around);
        around.bound.truncate(around.bound.len() - vars.len());
        match code.take_output(0) {
            Ok(Value::Bool(b)) if b == settling => {
                result = Ok(Value::Bool(settling));
                break;
            }
            Ok(Value::Bool(_)) => {}
            Ok(_) => result = Err(EvalError::IllSorted),
            Err(error) => result = Err(error),
        }
    }
    around.depth -= 1;
    around.instances = outside;
    result
}

/// The value of a term that is neither a variable nor a quantifier, from its arguments' values;
/// `scratch` is room to work in.
fn combine(
    store: &Store,
    term: TermId,
    args: impl Iterator<Item = Result<Value, EvalError>>,
    model: &Model,
    scratch: &mut Vec<Value>,
) -> Result<Value, EvalError> {
    let op = store.op(term);
    match op {
        Op::IntVal(_) | Op::RealVal(_) | Op::BvVal(_) => {
            store.literal_value(term).ok_or(EvalError::IllSorted)
        }
        Op::And | Op::Or => {
            let dominant = op == Op::Or;
            let mut failure = None;
            for arg in args {
                match arg {
                    Ok(Value::Bool(value)) if value == dominant => {
                        return Ok(Value::Bool(dominant));
                    }
                    Ok(Value::Bool(_)) => {}
                    Ok(_) => failure = failure.or(Some(EvalError::IllSorted)),
                    Err(error) => failure = failure.or(Some(error)),
                }
            }
            failure.map_or(Ok(Value::Bool(!dominant)), Err)
        }
        Op::Ite => {
            let mut args = args;
            let condition = args.next().ok_or(EvalError::IllSorted)??;
            let skip = usize::from(!condition.as_bool().ok_or(EvalError::IllSorted)?);
            args.nth(skip).ok_or(EvalError::IllSorted)?
        }
        _ => {
            scratch.clear();
            for arg in args {
                scratch.push(arg?);
            }
            match op {
                Op::Apply(func) => {
                    let value = model.funcs.get(&func).and_then(|table| table.at(scratch));
                    value.ok_or(EvalError::Uninterpreted(func))
                }
                Op::Store => write(store, scratch),
                _ => apply(store, op, store.sort(term), scratch, &model.choices),
            }
        }
    }
}

/// `apply` of `Op::Store`; it changes the array in place when nobody else has it.
fn write(store: &Store, args: &mut Vec<Value>) -> Result<Value, EvalError> {
    let (value, index, array) = (args.pop(), args.pop(), args.pop());
    let (Some(Value::Array(mut array)), Some(index), Some(value)) = (array, index, value) else {
        return Err(EvalError::IllSorted);
    };
    let done = Arc::make_mut(&mut array).set(store, index, value);
    done.then_some(Value::Array(array)).ok_or(EvalError::TooLarge)
}
