//! Quantifiers over finitely many values: every instance is evaluated in the model.
//!
//! Truth values, short words, enumerations and the elements that a model gives an uninterpreted sort are
//! few. Where the values of all bound variables together are, the body is compiled once and
//! evaluated for each combination: what is false, or has no value, is a violation, and several are
//! stated at once. If there is none, the model satisfies the formula, whatever theories it mentions.
//!
//! After the finite model finding of Reynolds, Tinelli, Goel, Krstić (CAV 2013).

use crate::project::symbols;
use crate::settings::{FINITE_MAX_COMBINATIONS, FINITE_MAX_VALUES, FINITE_MAX_VIOLATIONS};
use alphorn_term::eval::{Program, Table};
use alphorn_term::value::elements;
use alphorn_term::{EvalError, Model, Op, TermId, Value};

use super::interpret::is_uninterpreted;
use super::probe::Prober;
use super::trigger::Pattern;

impl Prober<'_> {
    /// Terms for the bound variables that violate the body, by evaluation; nothing if there are too
    /// many values, values that are no terms, or other quantifiers inside.
    pub(super) fn violating_finite(
        &mut self,
        pattern: &Pattern,
        is_positive: bool,
    ) -> Option<Vec<Vec<TermId>>> {
        let interpreter = self.interpreter;
        let mut domains: Vec<Vec<Value>> = Vec::with_capacity(pattern.vars.len());
        let mut total = 1u64;
        for &var in &pattern.vars {
            let sort = self.store.sort(var);
            let domain = match is_uninterpreted(self.store, sort) {
                true => (0..interpreter.size(sort)).map(|n| Value::Element(sort, n)).collect(),
                false => elements(self.store, sort, FINITE_MAX_VALUES.get())?,
            };
            total = total.saturating_mul(domain.len() as u64);
            domains.push(domain);
        }
        if total > FINITE_MAX_COMBINATIONS.get() {
            return None;
        }
        let completed = self.completed(pattern);
        let model = completed.as_ref().unwrap_or(self.model);
        let mut program = Program::new(self.store, &pattern.vars, &[pattern.body]);
        let mut found = Vec::new();
        for number in 0..total {
            let mut rest = number;
            let values: Vec<Value> = (domains.iter())
                .map(|domain| {
                    let value = domain[(rest % domain.len() as u64) as usize].clone();
                    rest /= domain.len() as u64;
                    value
                })
                .collect();
            program.run(self.store, &values, model);
            match program.holds(0) {
                Ok(holds) if holds == is_positive => continue,
                // An instance would not help: what is inside ranges over more.
                Err(EvalError::Quantifier) => return None,
                _ => {}
            }
            let terms: Option<Vec<TermId>> = values.iter().map(|value| self.named(value)).collect();
            found.push(terms?);
            if found.len() >= FINITE_MAX_VIOLATIONS.size() {
                break;
            }
        }
        Some(found)
    }

    /// The model with some value for symbols that it says nothing about, if there are any: without one
    /// each instance would be a violation, stated or not.
    fn completed(&self, pattern: &Pattern) -> Option<Model> {
        let mut completed: Option<Model> = None;
        for symbol in symbols(self.store, pattern.body) {
            let is_known = match self.store.op(symbol) {
                Op::Apply(func) => self.model.funcs.contains_key(&func),
                _ => self.model.vars.contains_key(&symbol) || pattern.vars.contains(&symbol),
            };
            let sort = self.store.sort(symbol);
            if let Some(value) = Value::default_of(self.store, sort).filter(|_| !is_known) {
                let model = completed.get_or_insert_with(|| self.model.clone());
                match self.store.op(symbol) {
                    Op::Apply(func) => {
                        model.funcs.insert(func, Table::constant(value));
                    }
                    _ => model.set(symbol, value),
                }
            }
        }
        completed
    }

    /// A term that has a value in the model.
    fn named(&mut self, value: &Value) -> Option<TermId> {
        match value {
            Value::Element(sort, number) => {
                let known = self.elements.get(&(*sort, *number)).copied();
                Some(known.unwrap_or_else(|| self.store.fresh_var("e", *sort)))
            }
            value => self.store.value_term(value),
        }
    }
}
