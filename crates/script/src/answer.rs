//! Answers to questions of scripts, as the gate lets them out.
//!
//! `sat` and `unsat` are words of an `Answer`, and there are two ways to one: the gate of `check`, or,
//! where the caller has switched checks off, a claim that says so. Values are those of the accepted
//! interpretation, in which a declared sort has the elements that the model gives it.

use crate::Request;
use alphorn_check::Refusal;
use alphorn_check::accept::{Checked, accept_growing};
use alphorn_problem::evidence::proof::Proof;
use alphorn_problem::obligation::script::Interpretation;
use alphorn_problem::{Question, Verdict};
use alphorn_term::eval::{Choices, Table};
use alphorn_term::{FuncId, Model, Op, SortId, Store, TermId, Value, eval};
use std::collections::BTreeMap;

/// An answer that may be given.
#[derive(Clone, Debug)]
pub(crate) struct Answer(Inner);

#[derive(Clone, Debug)]
enum Inner {
    Checked(Box<Checked<Question>>),
    Unchecked(Claim),
}

/// What a solver says and nobody checks.
#[derive(Clone, Debug)]
pub(crate) enum Claim {
    /// There is a model.
    Sat(Box<Model>),
    /// There is none, for this reason if it gives one.
    Unsat(Option<Proof>),
}

impl Answer {
    /// The answer that a verdict is, if its evidence is accepted. The store of the question may grow.
    pub(crate) fn checked(
        question: &mut Question,
        verdict: Verdict<Question>,
    ) -> Result<Answer, Refusal> {
        accept_growing(question, (), verdict)
            .map(|checked| Answer(Inner::Checked(Box::new(checked))))
    }

    /// A claim as an answer, if the request does without checks.
    pub(crate) fn unchecked(request: &Request, claim: Claim) -> Option<Answer> {
        (!request.check).then_some(Answer(Inner::Unchecked(claim)))
    }

    /// The answer in a word.
    pub(crate) fn word(&self) -> &'static str {
        match self.model() {
            Some(_) => "sat",
            None => "unsat",
        }
    }

    /// The model; nothing if there is none.
    pub(crate) fn model(&self) -> Option<&Model> {
        match &self.0 {
            Inner::Checked(checked) => match checked.verdict() {
                Verdict::Unsafe(found) => Some(&found.model),
                Verdict::Safe(_) => None,
            },
            Inner::Unchecked(Claim::Sat(model)) => Some(model),
            Inner::Unchecked(Claim::Unsat(_)) => None,
        }
    }

    /// The refutation, where there is one.
    pub(crate) fn proof(&self) -> Option<&Proof> {
        match &self.0 {
            Inner::Checked(checked) => match checked.verdict() {
                Verdict::Safe(proof) => Some(proof),
                Verdict::Unsafe(_) => None,
            },
            Inner::Unchecked(Claim::Unsat(proof)) => proof.as_ref(),
            Inner::Unchecked(Claim::Sat(_)) => None,
        }
    }

    /// The sizes of declared sorts that are finite in the model.
    fn universes(&self) -> BTreeMap<SortId, u32> {
        match &self.0 {
            Inner::Checked(checked) => match checked.verdict() {
                Verdict::Unsafe(found) => found.universes.clone(),
                Verdict::Safe(_) => BTreeMap::new(),
            },
            Inner::Unchecked(_) => BTreeMap::new(),
        }
    }

    /// The values of terms in the model, which is completed for what occurs in no assertion.
    pub(crate) fn values(&self, store: &Store, terms: &[TermId]) -> Result<Vec<Value>, String> {
        let mut model = self.model().cloned().unwrap_or_default();
        complete(store, &[], terms, &mut model);
        let missing = |reason: String| format!("there is no value: {reason}");
        let universes = self.universes();
        if universes.is_empty() {
            let value = |term: &TermId| {
                eval(store, *term, &model).map_err(|error| missing(error.describe(store)))
            };
            return terms.iter().map(value).collect();
        }
        let mut own = Interpretation::new(store, &model, &universes).map_err(missing)?;
        let mut values = Vec::with_capacity(terms.len());
        for &term in terms {
            let term = own.formula(store, term).map_err(missing)?;
            let value = eval(own.store(), term, own.model());
            let value = value.map_err(|error| missing(error.describe(own.store())))?;
            let original = own.original(store, &value);
            values.push(original.ok_or_else(|| missing("it is too large".to_owned()))?);
        }
        Ok(values)
    }
}

/// Gives a value to whatever the model leaves open about `funcs` and `terms`.
pub fn complete(store: &Store, funcs: &[FuncId], terms: &[TermId], model: &mut Model) {
    let zero = Choices::zero();
    let choices = &mut model.choices;
    for (choice, zero) in [
        (&mut choices.int_div, zero.int_div),
        (&mut choices.modulo, zero.modulo),
        (&mut choices.real_div, zero.real_div),
    ] {
        let default = zero.and_then(|table| table.default);
        let table = choice.get_or_insert_default();
        table.default = table.default.take().or(default);
    }
    let fill = |table: &mut Table, sort| {
        if table.default.is_none() {
            table.default = Value::default_of(store, sort);
        }
    };
    for &func in funcs {
        fill(model.funcs.entry(func).or_default(), store.func(func).result);
    }
    for term in store.subterms(terms) {
        match store.op(term) {
            Op::Apply(func) => {
                fill(model.funcs.entry(func).or_default(), store.func(func).result);
            }
            Op::Field(ctor, field) => {
                let table = model.choices.fields.entry((ctor, field)).or_default();
                fill(table, store.sort(term));
            }
            _ => {}
        }
    }
}
