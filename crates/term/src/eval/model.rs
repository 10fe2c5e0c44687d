//! What evaluation is relative to: values for variables and functions, and the choices that
//! SMT-LIB leaves open.
//!
//! The standard makes division a total function without saying what it is at zero, and a selector
//! total without saying what it gives on other constructors. Each is a *choice* that a model must
//! record; evaluation without one is an error, never a guess.

use crate::id::{CtorId, FuncId, TermId};
use crate::value::Value;
use std::collections::BTreeMap;

/// A function given by cases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Values by arguments.
    pub entries: BTreeMap<Vec<Value>, Value>,
    /// The value in all other cases, if there is one.
    pub default: Option<Value>,
    /// How the other cases come to their values.
    pub elsewhere: Elsewhere,
}

/// What a table says where it has no case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Elsewhere {
    /// The default.
    #[default]
    Same,
    /// The default plus the arguments times these factors, each -1, 0 or 1.
    Sum(Vec<i8>),
    /// What it says at the nearest case: each number among the arguments is replaced by the largest
    /// one of the cases, at its position, that is not larger, or the least if there is none.
    Steps,
}

impl Table {
    /// The function that is `value` everywhere.
    pub fn constant(value: Value) -> Table {
        Table { default: Some(value), ..Table::default() }
    }

    /// The value at `args`.
    pub fn at(&self, args: &[Value]) -> Option<Value> {
        if let Some(value) = self.entries.get(args) {
            return Some(value.clone());
        }
        match &self.elsewhere {
            Elsewhere::Same => self.default.clone(),
            Elsewhere::Sum(factors) => sum(self.default.as_ref()?, factors, args),
            Elsewhere::Steps => {
                let nearest: Vec<Value> =
                    args.iter().enumerate().map(|(at, arg)| self.nearest(at, arg)).collect();
                self.entries.get(&nearest).or(self.default.as_ref()).cloned()
            }
        }
    }

    /// The numbers of the cases at a position, in order; none if that is no place for numbers.
    pub fn steps(&self, position: usize) -> Vec<&Value> {
        let values = self.entries.keys().filter_map(|args| args.get(position));
        let mut numbers: Vec<&Value> =
            values.filter(|value| matches!(value, Value::Int(_) | Value::Real(_))).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    fn nearest(&self, position: usize, arg: &Value) -> Value {
        let steps = self.steps(position);
        let below = steps.partition_point(|step| *step <= arg);
        steps.get(below.saturating_sub(1)).map_or_else(|| arg.clone(), |step| (*step).clone())
    }
}

/// A number plus others times factors.
fn sum(first: &Value, factors: &[i8], args: &[Value]) -> Option<Value> {
    let mut sum = first.clone();
    for (factor, arg) in factors.iter().zip(args).filter(|(factor, _)| **factor != 0) {
        sum = match (&sum, arg) {
            (Value::Int(sum), Value::Int(arg)) if *factor > 0 => Value::Int(sum + arg),
            (Value::Int(sum), Value::Int(arg)) => Value::Int(sum - arg),
            (Value::Real(sum), Value::Real(arg)) if *factor > 0 => Value::Real(sum + arg),
            (Value::Real(sum), Value::Real(arg)) => Value::Real(sum - arg),
            _ => return None,
        };
    }
    Some(sum)
}

/// The choices SMT-LIB leaves open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// `(div x 0)` as a function of `x`.
    pub int_div: Option<Table>,
    /// `(mod x 0)` as a function of `x`.
    pub modulo: Option<Table>,
    /// `(/ x 0.0)` as a function of `x`.
    pub real_div: Option<Table>,
    /// A selector's value on values of other constructors.
    pub fields: BTreeMap<(CtorId, u32), Table>,
}

impl Choices {
    /// Every quotient and remainder by zero is zero; selectors stay open.
    pub fn zero() -> Choices {
        let int = || Some(Table::constant(Value::Int(0.into())));
        Choices {
            int_div: int(),
            modulo: int(),
            real_div: Some(Table::constant(Value::Real(0.into()))),
            fields: BTreeMap::new(),
        }
    }
}

/// An interpretation of what a term leaves open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// The values of variables.
    pub vars: BTreeMap<TermId, Value>,
    /// The values of declared functions.
    pub funcs: BTreeMap<FuncId, Table>,
    /// The choices made.
    pub choices: Choices,
}

impl Model {
    /// The model that interprets nothing.
    pub fn new() -> Model {
        Model::default()
    }

    /// Gives a variable a value.
    pub fn set(&mut self, var: TermId, value: Value) {
        self.vars.insert(var, value);
    }
}
