//! Checks models of scripts: every formula is true in the one interpretation that the model is.
//!
//! With no finite universe the question's own store is the interpretation: evaluation takes declared
//! sorts as infinite throughout. Otherwise all formulas are evaluated in the interpretation's store,
//! where finite declared sorts are enumerations. What is refuted is refuted there in either case. The
//! walk over the formulas is the prover's, so that obligations have the ids that the proofs mean.
//!
//! Work is bounded by what is read: values before they are looked at, numbers before they are made
//! (`numbers`), instances of quantifiers before they are evaluated, and the terms of obligations.

use super::{definitions, numbers};
use crate::horn::values::{choices_fit, fits, table_fits};
use crate::proof::replay;
use crate::{Refusal, work};
use alphorn_problem::Question;
use alphorn_problem::evidence::proof::Proof;
use alphorn_problem::evidence::script::{Reason, ScriptModel};
use alphorn_problem::obligation::script::Interpretation;
use alphorn_term::eval::{Program, bound};
use alphorn_term::{Exhausted, Meter, Model, Op, Store, TermId};
use std::borrow::Cow;

/// Accepts a model if every formula of the question is true in it.
pub fn check_model(question: &Question, evidence: &ScriptModel) -> Result<(), Refusal> {
    let meter = &work::of_script_model(question, evidence);
    let position = question.validate();
    position.map_err(|position| Refusal::new(place(position), "it is not a formula"))?;
    let form = check_form(question, evidence, meter);
    form.map_err(|exhausted| Refusal::too_large("the model", exhausted))?
        .map_err(|reason| Refusal::new("the model", reason))?;
    check_definitions(question, evidence, meter)?;
    let is_finite = !evidence.universes.is_empty();
    let is_refuted = |reason: &Reason| matches!(reason, Reason::Refute(_));
    let mut interpretation = match is_finite || evidence.reasons.iter().any(is_refuted) {
        false => None,
        true => {
            let model = &evidence.model;
            let made = Interpretation::new(&question.terms, model, &evidence.universes);
            Some(made.map_err(|reason| Refusal::new("the model", reason))?)
        }
    };
    let mut evaluated: Vec<(usize, TermId)> = Vec::new();
    let mut refuted: Vec<(usize, TermId, &Proof)> = Vec::new();
    for (position, (&formula, reason)) in
        question.formulas.iter().zip(&evidence.reasons).enumerate()
    {
        if let Reason::Define { .. } = reason {
            continue;
        }
        let refuse = |reason: String| Refusal::new(place(position), reason);
        let mut own = formula;
        if let Some(interpretation) = interpretation.as_mut().filter(|_| is_finite) {
            own = interpretation.formula(&question.terms, formula).map_err(refuse)?;
        }
        match (reason, interpretation.as_mut()) {
            (Reason::Refute(proof), Some(interpretation)) => {
                let negation = interpretation.obligation(&question.terms, formula);
                refuted.push((position, negation.map_err(refuse)?, proof));
            }
            _ => evaluated.push((position, own)),
        }
    }
    match interpretation.as_ref().filter(|_| is_finite) {
        Some(own) => evaluate(own.store(), own.model(), &evaluated, meter)?,
        None => evaluate(&question.terms, &evidence.model, &evaluated, meter)?,
    }
    let base = interpretation.map(Interpretation::into_store);
    replay_all(base.as_ref(), &evidence.terms, &refuted, meter)
}

/// Accepts if the formulas that are said to define functions do, and the model lists values of those.
fn check_definitions(
    question: &Question,
    evidence: &ScriptModel,
    meter: &Meter,
) -> Result<(), Refusal> {
    let is_definition = |reason: &Reason| matches!(reason, Reason::Define { .. });
    if !evidence.reasons.iter().any(is_definition) {
        return Ok(());
    }
    // A refutation has the tables written out, and these are not the whole functions.
    let is_refuted = |reason: &Reason| matches!(reason, Reason::Refute(_));
    if !evidence.universes.is_empty() || evidence.reasons.iter().any(is_refuted) {
        let reason = "beside definitions, formulas are evaluated, and declared sorts are infinite";
        return Err(Refusal::new("the model", reason));
    }
    let found = definitions::read(question, evidence, meter);
    let found = found.map_err(|(position, reason)| Refusal::new(place(position), reason))?;
    definitions::evaluate(&question.terms, &evidence.model, &found, meter)
        .map_err(|reason| Refusal::new("the model", reason))
}

/// A formula in a refusal's place.
fn place(position: usize) -> String {
    format!("formula {position}")
}

/// Whether the parts of a model fit the question.
fn check_form(
    question: &Question,
    evidence: &ScriptModel,
    meter: &Meter,
) -> Result<Result<(), &'static str>, Exhausted> {
    let (store, model) = (&question.terms, &evidence.model);
    if evidence.reasons.len() != question.formulas.len() {
        return Ok(Err("it does not have one reason for each formula"));
    }
    for (&var, value) in &model.vars {
        let is_var = var.index() < store.len() && matches!(store.op(var), Op::Var(_));
        if !is_var || !fits(store, value, store.sort(var), meter)? {
            return Ok(Err("a value does not fit its variable"));
        }
    }
    let declared = store.funcs().count();
    for (&func, table) in &model.funcs {
        if func.index() >= declared {
            return Ok(Err("it has a table for something that is not a function"));
        }
        let decl = store.func(func);
        if !table_fits(store, table, &decl.args, decl.result, meter)? {
            return Ok(Err("a table does not fit the declaration of its function"));
        }
    }
    if !choices_fit(store, &model.choices, meter)? {
        return Ok(Err("a choice does not fit its operator"));
    }
    Ok(Ok(()))
}

/// Accepts if all formulas evaluate to true.
fn evaluate(
    store: &Store,
    model: &Model,
    formulas: &[(usize, TermId)],
    meter: &Meter,
) -> Result<(), Refusal> {
    let terms: Vec<TermId> = formulas.iter().map(|(_, term)| *term).collect();
    numbers::check(store, &terms, model)
        .and_then(|()| bound::expansion(store, &terms, meter))
        .map_err(|reason| Refusal::too_large("the formulas", reason))?;
    let mut program = Program::new(store, &[], &terms);
    program.run(store, &[], model);
    for (index, &(position, _)) in formulas.iter().enumerate() {
        match program.holds(index) {
            Ok(true) => {}
            Ok(false) => return Err(Refusal::new(place(position), "the model makes it false")),
            Err(error) => {
                let why = error.describe(store);
                return Err(Refusal::new(place(position), format!("it has no value: {why}")));
            }
        }
    }
    Ok(())
}

/// Accepts if all negations, which are in `base`, are refuted by proofs with terms in `terms`.
fn replay_all(
    base: Option<&Store>,
    terms: &Store,
    refuted: &[(usize, TermId, &Proof)],
    meter: &Meter,
) -> Result<(), Refusal> {
    let Some(base) = base.filter(|_| !refuted.is_empty()) else { return Ok(()) };
    if !terms.extends(base) {
        let reason = "its terms do not extend those of the interpretation";
        return Err(Refusal::new("the model", reason));
    }
    let mut store = Cow::Borrowed(terms);
    for (position, negation, proof) in refuted {
        replay(&mut store, &[*negation], proof, meter).map_err(|refusal| {
            Refusal::new(format!("{}, {}", place(*position), refusal.place), refusal.reason)
        })?;
    }
    Ok(())
}
