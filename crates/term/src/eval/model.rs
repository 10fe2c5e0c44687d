//! What evaluation is relative to: values for variables and functions, and the choices that
//! SMT-LIB leaves open.
//!
//! The standard makes division a total function without saying what it is at zero, and a selector
//! total without saying what it gives on other constructors. Each is a *choice* that a model must
//! record; evaluation without one is an error, never a guess.

use crate::store::{CtorId, FuncId, TermId};
use crate::value::Value;
use std::collections::BTreeMap;

/// A function given by cases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The cases.
    pub entries: BTreeMap<Vec<Value>, Value>,
    /// The value in all other cases, if there is one.
    pub default: Option<Value>,
}

impl Table {
    /// The function that is `value` everywhere.
    pub fn constant(value: Value) -> Table {
        Table { entries: BTreeMap::new(), default: Some(value) }
    }

    /// The value at `args`.
    pub fn at(&self, args: &[Value]) -> Option<&Value> {
        self.entries.get(args).or(self.default.as_ref())
    }
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
