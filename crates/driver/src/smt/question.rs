//! Asking whether the assertions hold, and checking the answer.
//!
//! The solver answers about the formulas without quantifiers. That it refutes them settles the
//! question. A model of them settles it if the formulas with quantifiers evaluate to true in it,
//! which they can where they range over few values. Otherwise instances and witnesses decide, which
//! leave a refutation: of the formulas, or of the negation of each quantified one in the model.
//! Without checks, quantifiers over numbers are eliminated instead, and the solver has the result.

use super::Said;
use super::interpolants::Asking;
use super::kernel::{Found, Kernel};
use super::session::Session;
use alphorn_check::proof::refute;
use alphorn_front::smtlib::general::Written;
use alphorn_problem::evidence::proof::{Proof, Rule};
use alphorn_sat::Budget;
use alphorn_smt::project::{Limits, eliminate_all};
use alphorn_smt::quantifiers::{Quantified, QuantifierLimits, decide, interpret};
use alphorn_term::eval::{Choices, Program, Table, eval};
use alphorn_term::{FuncId, Model, Op, Store, TermId, Value};
use std::collections::BTreeSet;

/// The last answer, unless assertions have changed since.
#[derive(Clone, Debug)]
pub(super) enum State {
    /// There is none.
    Fresh,
    /// Satisfiable, in this model.
    Sat(Box<Model>),
    /// Unsatisfiable.
    Unsat(Box<Refuted>),
    /// Undecided, for this reason.
    Unknown(String),
}

/// What is known after `unsat`.
#[derive(Clone, Debug)]
pub(super) struct Refuted {
    /// The assumptions, if there were any.
    pub(super) assumptions: Option<Vec<Written>>,
    /// The refutation of the assertions, followed by the assumptions, if there is one.
    pub(super) proof: Option<Proof>,
    /// Whether quantifiers were eliminated for it.
    pub(super) has_eliminated: bool,
}

/// Why an answer is not given.
enum Doubt {
    /// It cannot be told.
    Unknown(String),
    /// It hangs on quantifiers.
    Quantified(String),
    /// It is wrong.
    Refused(String),
}

impl<K: Kernel> Session<'_, K> {
    /// Decides the assertions under assumptions; the answer as a word.
    pub(super) fn ask(&mut self, assumptions: Option<&[Written]>) -> String {
        self.tell(Said::Asked);
        let is_plain = |term: &TermId| !self.store.has_quantifier(*term);
        let all = assumptions.unwrap_or_default();
        let mut terms: Vec<TermId> = all.iter().map(|written| written.term).collect();
        terms.retain(is_plain);
        let without = self.eliminate(all);
        terms.extend(&without);
        let (kernel, store) = self.solver();
        let answer = match kernel.check(store, &terms) {
            Found::Sat => match self.model(all) {
                Err(Doubt::Quantified(reason)) => self.instances(assumptions, reason),
                other => other.map(State::Sat),
            },
            Found::Unsat => {
                let refuted = self.refutation(assumptions, !without.is_empty());
                refuted.map(State::Unsat)
            }
            Found::Unknown => {
                let reason = kernel.reason();
                let stopped = self.request.stopped_by.get().map(|reason| (*reason).to_owned());
                match stopped {
                    None if self.has_quantifiers(all) => self.instances(assumptions, reason),
                    stopped => Err(Doubt::Unknown(stopped.unwrap_or(reason))),
                }
            }
        };
        self.state = match answer {
            Ok(state) => state,
            Err(Doubt::Unknown(reason) | Doubt::Quantified(reason)) => State::Unknown(reason),
            Err(Doubt::Refused(reason)) => {
                self.summary.refused += 1;
                self.tell(Said::Refused(reason.clone()));
                State::Unknown(format!("the answer was refused: {reason}"))
            }
        };
        match self.state {
            State::Sat(_) => "sat".to_owned(),
            State::Unsat(_) => "unsat".to_owned(),
            State::Fresh | State::Unknown(_) => {
                self.summary.undecided += 1;
                "unknown".to_owned()
            }
        }
    }

    /// What the formulas with quantifiers come to without them, as far as that can be told. With
    /// checks there is nothing: a proof about the result would be none about the formulas.
    fn eliminate(&mut self, assumptions: &[Written]) -> Vec<TermId> {
        if self.request.check {
            return Vec::new();
        }
        let asserted = self.assertions.iter().map(|asserted| asserted.formula.term);
        let terms = asserted.chain(assumptions.iter().map(|written| written.term));
        let quantified: Vec<TermId> =
            terms.filter(|&term| self.store.has_quantifier(term)).collect();
        for &term in &quantified {
            if !self.eliminated.contains_key(&term) {
                let mut oracle = Asking(self.fresh(false));
                let limits = Limits::default();
                let result = eliminate_all(&mut self.store, term, &mut oracle, &limits);
                self.eliminated.insert(term, result.ok());
            }
        }
        quantified.iter().filter_map(|term| self.eliminated.get(term).copied().flatten()).collect()
    }

    /// The solver's model, evaluated on all formulas.
    fn model(&mut self, assumptions: &[Written]) -> Result<Box<Model>, Doubt> {
        let (kernel, store) = self.solver();
        let mut model = kernel.model(store);
        let asserted = self.assertions.iter().map(|asserted| asserted.formula);
        let formulas: Vec<Written> = asserted.chain(assumptions.iter().copied()).collect();
        let terms: Vec<TermId> = formulas.iter().map(|written| written.term).collect();
        complete(&self.store, &self.funcs, &terms, &mut model);
        let is_left_out = |written: &Written| self.store.has_quantifier(written.term);
        let mut to_check = formulas;
        let is_settled = |written: &Written| {
            let without = self.eliminated.get(&written.term);
            !is_left_out(written) || without.copied().flatten().is_some()
        };
        to_check.retain(|written| self.request.check || !is_settled(written));
        // A model that is wrong is reported, whatever else cannot be told.
        to_check.sort_by_key(is_left_out);
        let terms: Vec<TermId> = to_check.iter().map(|written| written.term).collect();
        let mut program = Program::new(&self.store, &[], &terms);
        program.run(&self.store, &[], &model);
        for (position, &written) in to_check.iter().enumerate() {
            match program.holds(position) {
                Ok(true) => {}
                _ if is_left_out(&written) => {
                    return Err(Doubt::Quantified(quantified(self.request.check)));
                }
                Ok(false) => {
                    let text = shorten(&self.text(written));
                    return Err(Doubt::Refused(format!("the model makes {text} false")));
                }
                Err(error) => {
                    let text = shorten(&self.text(written));
                    let why = error.describe(&self.store);
                    return Err(Doubt::Unknown(format!("{text} cannot be evaluated: {why}")));
                }
            }
        }
        Ok(Box::new(model))
    }

    /// Decides formulas with quantifiers by instances; `reason` says why it is unknown if that
    /// cannot be done.
    fn instances(
        &mut self,
        assumptions: Option<&[Written]>,
        reason: String,
    ) -> Result<State, Doubt> {
        let settings = self.options.settings(self.request);
        let limits = QuantifierLimits {
            budget: Budget { conflicts: settings.conflicts, ..Budget::default() },
            interrupt: settings.interrupt,
            ..QuantifierLimits::default()
        };
        let asserted = self.assertions.iter().map(|asserted| asserted.formula.term);
        let assumed = assumptions.unwrap_or_default().iter().map(|written| written.term);
        let formulas: Vec<TermId> = asserted.chain(assumed).collect();
        match decide(&mut self.store, &formulas, &limits) {
            Quantified::Unknown => Err(Doubt::Unknown(reason)),
            Quantified::Refuted(found) => {
                if self.request.check {
                    let result = refute(&self.store, &formulas, &found.proof);
                    result.map_err(|refusal| Doubt::Refused(refusal.to_string()))?;
                }
                let assumptions = assumptions.map(<[Written]>::to_vec);
                let proof = Some(found.proof);
                let refuted = Refuted { assumptions, proof, has_eliminated: false };
                Ok(State::Unsat(Box::new(refuted)))
            }
            Quantified::Model(mut model) => {
                complete(&self.store, &self.funcs, &formulas, &mut model);
                for formula in formulas.into_iter().filter(|_| self.request.check) {
                    self.hold(formula, &model, &limits).ok_or(Doubt::Unknown(reason.clone()))?;
                }
                Ok(State::Sat(model))
            }
        }
    }

    fn has_quantifiers(&self, assumptions: &[Written]) -> bool {
        let asserted = self.assertions.iter().map(|asserted| asserted.formula.term);
        let mut all = asserted.chain(assumptions.iter().map(|written| written.term));
        all.any(|term| self.store.has_quantifier(term))
    }

    /// Shows that a formula is true in a model: by evaluation, or by refuting its negation with the
    /// model's values and functions written out.
    fn hold(&mut self, formula: TermId, model: &Model, limits: &QuantifierLimits) -> Option<()> {
        if eval(&self.store, formula, model) == Ok(Value::Bool(true)) {
            return Some(());
        }
        let closed = interpret(&mut self.store, formula, model)?;
        if closed == TermId::TRUE {
            return Some(());
        }
        let negation = self.store.not(closed);
        let Quantified::Refuted(found) = decide(&mut self.store, &[negation], limits) else {
            return None;
        };
        refute(&self.store, &[negation], &found.proof).ok()
    }

    /// The solver's refutation, about the assertions as the script has them, replayed.
    fn refutation(
        &mut self,
        assumptions: Option<&[Written]>,
        has_eliminated: bool,
    ) -> Result<Box<Refuted>, Doubt> {
        let wants_proof = self.options.settings(self.request).proofs && !has_eliminated;
        let (kernel, store) = self.solver();
        let mut proof = if wants_proof { kernel.refutation(store) } else { None };
        let asserted = self.assertions.iter().map(|asserted| asserted.formula.term);
        let assumed = assumptions.unwrap_or_default().iter().map(|written| written.term);
        let formulas: Vec<TermId> = asserted.chain(assumed).collect();
        if let Some(proof) = &mut proof {
            // The solver counts without the formulas that it was not given.
            let is_plain = |number: &usize| !self.store.has_quantifier(formulas[*number]);
            let numbers: Vec<usize> = (0..formulas.len()).filter(is_plain).collect();
            for step in &mut proof.steps {
                if let Rule::Assert(number) = &mut step.rule {
                    *number = numbers.get(*number).copied().unwrap_or(usize::MAX);
                }
            }
        }
        if self.request.check {
            let Some(proof) = &proof else {
                return Err(Doubt::Unknown("there is no proof to check".to_owned()));
            };
            let result = refute(&self.store, &formulas, proof);
            result.map_err(|refusal| Doubt::Refused(refusal.to_string()))?;
        }
        let assumptions = assumptions.map(<[Written]>::to_vec);
        Ok(Box::new(Refuted { assumptions, proof, has_eliminated }))
    }
}

fn quantified(is_checked: bool) -> String {
    match is_checked {
        true => "answers about these quantifiers cannot be checked",
        false => "quantifiers that cannot be eliminated",
    }
    .to_owned()
}

/// The start of a text that may be long.
fn shorten(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Gives a value to whatever the model leaves open about `funcs` and `terms`.
pub(super) fn complete(store: &Store, funcs: &[FuncId], terms: &[TermId], model: &mut Model) {
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

/// The assertions, by their numbers, that the end of a proof depends on.
pub(super) fn used(proof: &Proof) -> BTreeSet<usize> {
    let mut used = BTreeSet::new();
    let mut reached = vec![false; proof.steps.len()];
    if let Some(last) = reached.last_mut() {
        *last = true;
    }
    for (position, step) in proof.steps.iter().enumerate().rev() {
        if !reached[position] {
            continue;
        }
        match &step.rule {
            Rule::Assert(number) => {
                used.insert(*number);
            }
            Rule::Rup(hints) => hints.iter().for_each(|hint| reached[hint.0 as usize] = true),
            _ => {}
        }
    }
    used
}
