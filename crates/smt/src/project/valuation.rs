//! Values of terms in a model, remembered.
//!
//! A model of a formula may leave open what the formula's value does not depend on. Such variables
//! and functions get a default value when they are first met, so each term has one value from then
//! on; the formula stays true. Terms below quantifiers have no value of their own.

use crate::linear::Linear;
use alphorn_term::eval::{Choices, Program};
use alphorn_term::{Model, Op, Rat, Store, TermId, Value};
use rustc_hash::FxHashMap;

/// A model, completed as terms are met, with the values seen so far.
pub(crate) struct Valuation {
    model: Model,
    known: FxHashMap<TermId, Option<Value>>,
}

impl Valuation {
    /// The values of a model.
    pub(crate) fn new(model: &Model) -> Valuation {
        let mut model = model.clone();
        let Choices { int_div, modulo, real_div, .. } = Choices::zero();
        let choices = &mut model.choices;
        choices.int_div = choices.int_div.take().or(int_div);
        choices.modulo = choices.modulo.take().or(modulo);
        choices.real_div = choices.real_div.take().or(real_div);
        Valuation { model, known: FxHashMap::default() }
    }

    /// Gives a variable that has not been met its value.
    pub(crate) fn set(&mut self, var: TermId, value: Value) {
        self.model.set(var, value.clone());
        self.known.insert(var, Some(value));
    }

    /// The value of a term, if it has one.
    pub(crate) fn value(&mut self, store: &Store, term: TermId) -> Option<Value> {
        if !self.known.contains_key(&term) {
            self.learn(store, term);
        }
        self.known.get(&term).cloned().flatten()
    }

    /// The truth value of a term, if it has one.
    pub(crate) fn holds(&mut self, store: &Store, term: TermId) -> Option<bool> {
        match term {
            TermId::TRUE => Some(true),
            TermId::FALSE => Some(false),
            _ => self.value(store, term)?.as_bool(),
        }
    }

    /// The number that a term of sort Int or Real stands for, if it has a value.
    pub(crate) fn number(&mut self, store: &Store, term: TermId) -> Option<Rat> {
        match self.value(store, term)? {
            Value::Int(value) => Some(Rat::from(value)),
            Value::Real(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a polynomial, if its atoms have values.
    pub(crate) fn linear(&mut self, store: &Store, form: &Linear) -> Option<Rat> {
        let mut sum = form.constant.clone();
        for (atom, coefficient) in &form.terms {
            sum.mul_add_assign(coefficient, &self.number(store, *atom)?);
        }
        Some(sum)
    }

    /// Evaluates a term and all that is below it, save for bodies of quantifiers.
    fn learn(&mut self, store: &Store, root: TermId) {
        let (mut inputs, mut values, mut outputs) = (Vec::new(), Vec::new(), Vec::new());
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let Some(Some(value)) = self.known.get(&term) {
                inputs.push(term);
                values.push(value.clone());
                continue;
            }
            outputs.push(term);
            self.complete(store, term);
            match store.op(term) {
                Op::Forall | Op::Exists => {
                    let below = store.subterms(&[term]);
                    below.into_iter().for_each(|term| self.complete(store, term));
                }
                _ => stack.extend(store.args(term)),
            }
        }
        let mut program = Program::new(store, &inputs, &outputs);
        program.run(store, &values, &self.model);
        for (place, term) in outputs.into_iter().enumerate() {
            self.known.insert(term, program.output(place).ok().cloned());
        }
    }

    /// Gives the root of a term an interpretation if it needs one and has none.
    fn complete(&mut self, store: &Store, term: TermId) {
        match store.op(term) {
            Op::Var(_) if !self.model.vars.contains_key(&term) => {
                if let Some(value) = Value::default_of(store, store.sort(term)) {
                    self.model.set(term, value);
                }
            }
            Op::Apply(func) => {
                let table = self.model.funcs.entry(func).or_default();
                if table.default.is_none() {
                    table.default = Value::default_of(store, store.sort(term));
                }
            }
            Op::Field(ctor, field) => {
                let table = self.model.choices.fields.entry((ctor, field)).or_default();
                if table.default.is_none() {
                    table.default = Value::default_of(store, store.sort(term));
                }
            }
            _ => {}
        }
    }
}
