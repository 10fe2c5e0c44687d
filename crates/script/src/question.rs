//! Asking whether the assertions hold, and checking the answer.
//!
//! The solver answers about the formulas without quantifiers. That it refutes them settles the
//! question. A model of them settles it if the formulas with quantifiers evaluate to true in it,
//! which they can where they range over few values. Otherwise instances and witnesses decide, which
//! leave a refutation: of the formulas, or of the negation of each quantified one in the model. They are
//! asked at once where a formula ranges over infinitely many values, and functions that are defined by
//! recursion are evaluated (`defined`).
//! Without checks, quantifiers over numbers are eliminated instead, and the solver has the result.

use crate::Said;
use crate::answer::{Answer, Claim, complete};
use crate::kernel::{Asking, Found, Kernel};
use crate::session::Session;
use crate::state::{Refuted, State};
use alphorn_check::{Refusal, RefusalKind};
use alphorn_front::smtlib::general::Written;
use alphorn_problem::evidence::proof::{Proof, Rule};
use alphorn_problem::{Question, Verdict};
use alphorn_smt::Budget;
use alphorn_smt::project::{Limits, eliminate_all};
use alphorn_smt::quantifiers::{Quantified, QuantifierLimits, evaluated, show};
use alphorn_smt::unconstrained::Unconstrained;
use alphorn_term::eval::Program;
use alphorn_term::value::cardinality;
use alphorn_term::{Model, Op, TermId};
use std::sync::atomic::Ordering;

/// The conflicts that may go into formulas with unknowns for what is free.
const FREED_CONFLICTS: u64 = 2_000;

/// After so many questions in a row about which what formulas leave free said nothing, nobody looks again: looking takes all formulas.
const MAX_NOT_FREED: u32 = 4;

/// The conflicts that may go into showing that a guess is a model.
const GUESS_CONFLICTS: u64 = 2_000;

/// Why an answer is not given.
enum Doubt {
    /// It cannot be told.
    Unknown(String),
    /// It hangs on quantifiers.
    Quantified(String),
    /// It is wrong.
    Refused(String),
}

impl Doubt {
    fn of(refusal: Refusal) -> Doubt {
        match refusal.kind {
            RefusalKind::TooLarge => Doubt::Unknown(refusal.reason),
            _ => Doubt::Refused(refusal.to_string()),
        }
    }
}

impl<K: Kernel> Session<'_, K> {
    /// Decides the assertions under assumptions; the answer as a word.
    pub(crate) fn ask(&mut self, assumptions: Option<&[Written]>) -> String {
        self.tell(Said::Asked);
        if self.not_freed < MAX_NOT_FREED {
            match self.freed(assumptions.unwrap_or_default()) {
                Some(state) => {
                    (self.state, self.not_freed) = (state, 0);
                    return "sat".to_owned();
                }
                None => self.not_freed += 1,
            }
        }
        let is_plain = |term: &TermId| !self.store.has_quantifier(*term);
        let all = assumptions.unwrap_or_default();
        let mut terms: Vec<TermId> = all.iter().map(|written| written.term).collect();
        terms.retain(is_plain);
        let without = self.eliminate(all);
        terms.extend(&without);
        let found = match self.has_endless_quantifier(all) {
            true => None,
            false => Some(self.ask_solver(&terms)),
        };
        let answer = match found {
            None => {
                let answer = self.instances(assumptions, quantified(true));
                answer.map_err(|doubt| match (doubt, self.request.stopped_by.get()) {
                    (Doubt::Unknown(_), Some(reason)) => Doubt::Unknown((*reason).to_owned()),
                    (doubt, _) => doubt,
                })
            }
            Some(Found::Sat) => match self.model(all) {
                Err(Doubt::Quantified(reason)) => self.instances(assumptions, reason),
                other => other.map(|answer| State::Sat(Box::new(answer))),
            },
            Some(Found::Unsat) => {
                let refuted = self.refutation(assumptions, !without.is_empty());
                refuted.map(|refuted| State::Unsat(Box::new(refuted)))
            }
            Some(Found::Unknown) => {
                let reason = self.asked_solver().map_or(String::new(), |solver| solver.0.reason());
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
        match &self.state {
            State::Sat(answer) => answer.word().to_owned(),
            State::Unsat(refuted) => refuted.answer.word().to_owned(),
            State::Fresh | State::Unknown(_) => {
                self.summary.undecided += 1;
                "unknown".to_owned()
            }
        }
    }

    /// A model that is found without looking at what formulas leave free, through the gate.
    fn freed(&mut self, assumptions: &[Written]) -> Option<State> {
        if self.has_quantifiers(assumptions) {
            return None;
        }
        let formulas = self.formulas(assumptions);
        let terms: Vec<TermId> = formulas.iter().map(|written| written.term).collect();
        let freed = Unconstrained::of(&mut self.store, &terms)?;
        let mut kernel = self.fresh(false);
        let mut settings = self.options.settings(self.request);
        settings.conflicts = Some(settings.conflicts.unwrap_or(u64::MAX).min(FREED_CONFLICTS));
        kernel.limit(&settings);
        for formula in &freed.formulas {
            kernel.assert(&mut self.store, *formula);
        }
        if kernel.check(&mut self.store, &[]) != Found::Sat {
            return None;
        }
        let mut model = kernel.model(&self.store);
        freed.extend(&mut self.store, &mut model)?;
        complete(&self.store, &self.in_force.funcs, &terms, &mut model);
        let verdict = Verdict::Unsafe(evaluated(&terms, model));
        let answer = self.gate(&terms, verdict).ok()?;
        Some(State::Sat(Box::new(answer)))
    }

    /// What the formulas with quantifiers come to without them, as far as that can be told. With
    /// checks there is nothing: a proof about the result would be none about the formulas.
    fn eliminate(&mut self, assumptions: &[Written]) -> Vec<TermId> {
        if self.request.check {
            return Vec::new();
        }
        let asserted = self.in_force.assertions.iter().map(|asserted| asserted.formula.term);
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

    /// Lets an answer about the formulas out through the gate.
    fn gate(&mut self, formulas: &[TermId], verdict: Verdict<Question>) -> Result<Answer, Refusal> {
        let terms = std::mem::take(&mut self.store);
        let mut question = Question { terms, formulas: formulas.to_vec() };
        let answer = Answer::checked(&mut question, verdict);
        self.store = question.terms;
        answer
    }

    /// The formulas in force, followed by the assumptions.
    fn formulas(&self, assumptions: &[Written]) -> Vec<Written> {
        let asserted = self.in_force.assertions.iter().map(|asserted| asserted.formula);
        asserted.chain(assumptions.iter().copied()).collect()
    }

    /// The solver's model as an answer.
    fn model(&mut self, assumptions: &[Written]) -> Result<Answer, Doubt> {
        let model = self.asked_solver().map(|(kernel, store)| kernel.model(store));
        let mut model = model.unwrap_or_default();
        let formulas = self.formulas(assumptions);
        let terms: Vec<TermId> = formulas.iter().map(|written| written.term).collect();
        complete(&self.store, &self.in_force.funcs, &terms, &mut model);
        let is_left_out = |written: &Written| self.store.has_quantifier(written.term);
        let is_settled = |written: &Written| {
            let without = self.eliminated.get(&written.term);
            !is_left_out(written) || without.copied().flatten().is_some()
        };
        if !self.request.check {
            let open: Vec<Written> =
                formulas.iter().filter(|written| !is_settled(written)).copied().collect();
            self.evaluate(&open, &model)?;
            let claim = || Claim::Sat(Box::new(model));
            return self.claim(claim).ok_or_else(|| Doubt::Unknown("not checked".to_owned()));
        }
        if formulas.iter().any(is_left_out) {
            self.evaluate(&formulas, &model)?;
        }
        let verdict = Verdict::Unsafe(evaluated(&terms, model.clone()));
        let has_quantifiers = terms.iter().any(|term| self.store.has_quantifier(*term));
        self.gate(&terms, verdict).map_err(|refusal| match self.evaluate(&formulas, &model) {
            Err(doubt) => doubt,
            // There may be less to look at in a proof.
            Ok(()) if has_quantifiers && refusal.kind == RefusalKind::TooLarge => {
                Doubt::Quantified(refusal.reason)
            }
            Ok(()) => Doubt::of(refusal),
        })
    }

    /// Which formula is not true in a model, and why, if there is one.
    fn evaluate(&self, formulas: &[Written], model: &Model) -> Result<(), Doubt> {
        let is_left_out = |written: &Written| self.store.has_quantifier(written.term);
        let mut formulas = formulas.to_vec();
        // A model that is wrong is reported, whatever else cannot be told.
        formulas.sort_by_key(is_left_out);
        let terms: Vec<TermId> = formulas.iter().map(|written| written.term).collect();
        let mut program = Program::new(&self.store, &[], &terms);
        program.run(&self.store, &[], model);
        for (position, &written) in formulas.iter().enumerate() {
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
        Ok(())
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
            budget: settings.budget(),
            interrupt: settings.interrupt,
            ..QuantifierLimits::default()
        };
        let asserted = self.in_force.assertions.iter().map(|asserted| asserted.formula.term);
        let assumed = assumptions.unwrap_or_default().iter().map(|written| written.term);
        let formulas: Vec<TermId> = asserted.chain(assumed).collect();
        let assumed: Vec<TermId> = formulas[self.in_force.assertions.len()..].to_vec();
        let most = self.unfoldings();
        // Functions that are defined by themselves are unfolded a few times, then more often: a model
        // in which they are what they are defined to be may need few.
        let mut rounds = most.map(|_| 1);
        let mut found;
        loop {
            found = self.by_instances(&formulas, &assumed, assumptions, (&limits, rounds))?;
            let is_over = limits.interrupt.load(Ordering::Relaxed);
            if found.is_some() || is_over || rounds >= most {
                break;
            }
            rounds = rounds.map(|rounds| rounds * 2);
        }
        // What is no longer in force may stand in the way of a model: once more without it.
        let is_over = limits.interrupt.load(Ordering::Relaxed);
        if found.is_none() && !is_over && self.forget_dead_instances() {
            found = self.by_instances(&formulas, &assumed, assumptions, (&limits, most))?;
        }
        found.ok_or(Doubt::Unknown(reason))
    }

    /// What the solver for quantifiers finds, through the gate.
    fn by_instances(
        &mut self,
        formulas: &[TermId],
        assumed: &[TermId],
        assumptions: Option<&[Written]>,
        (limits, rounds): (&QuantifierLimits, Option<u32>),
    ) -> Result<Option<State>, Doubt> {
        match self.decide_by_instances(assumed, rounds) {
            Quantified::Unknown => {
                let candidate = self.candidate().filter(|_| rounds.is_some());
                let found = candidate.and_then(|model| self.defined_answer(formulas, model));
                Ok(found.or_else(|| self.guessed(formulas, limits)))
            }
            Quantified::Refuted(found) => {
                let refuted = self.refuted(formulas, Some(found.proof), assumptions)?;
                Ok(Some(State::Unsat(Box::new(refuted))))
            }
            Quantified::Model(mut model) => {
                complete(&self.store, &self.in_force.funcs, formulas, &mut model);
                if let Some(answer) = self.claim(|| Claim::Sat(model.clone())) {
                    return Ok(Some(State::Sat(Box::new(answer))));
                }
                if let Some(state) = self.defined_answer(formulas, (*model).clone()) {
                    return Ok(Some(state));
                }
                let Some(found) = show(&self.store, formulas, &model, limits) else {
                    return Ok(None);
                };
                let answer = self.gate(formulas, Verdict::Unsafe(found));
                let answer = answer.map_err(Doubt::of)?;
                Ok(Some(State::Sat(Box::new(answer))))
            }
        }
    }

    /// The assignment that the search did not object to as an answer, if it can be shown to be a model.
    fn guessed(&mut self, formulas: &[TermId], limits: &QuantifierLimits) -> Option<State> {
        let mut model = self.guess().filter(|_| self.request.check)?;
        complete(&self.store, &self.in_force.funcs, formulas, &mut model);
        let conflicts =
            Some(limits.budget.conflicts.map_or(GUESS_CONFLICTS, |own| own.min(GUESS_CONFLICTS)));
        let limits =
            QuantifierLimits { budget: Budget { conflicts, ..limits.budget }, ..limits.clone() };
        let found = show(&self.store, formulas, &model, &limits)?;
        let answer = self.gate(formulas, Verdict::Unsafe(found)).ok()?;
        Some(State::Sat(Box::new(answer)))
    }

    /// A model in which functions are what they are defined to be, through the gate. That recursion
    /// does not end, as far as `check` sees, is no fault of the solver.
    fn defined_answer(&mut self, formulas: &[TermId], mut model: Model) -> Option<State> {
        if !self.request.check || self.unfoldings().is_none() {
            return None;
        }
        complete(&self.store, &self.in_force.funcs, formulas, &mut model);
        let found = self.by_definitions(formulas, &model)?;
        let answer = self.gate(formulas, Verdict::Unsafe(found)).ok()?;
        Some(State::Sat(Box::new(answer)))
    }

    /// A claim as an answer, where nothing is checked.
    fn claim(&self, claim: impl FnOnce() -> Claim) -> Option<Answer> {
        if self.request.check {
            return None;
        }
        Answer::unchecked(self.request, claim())
    }

    /// That formulas were refuted, as an answer.
    fn refuted(
        &mut self,
        formulas: &[TermId],
        proof: Option<Proof>,
        assumptions: Option<&[Written]>,
    ) -> Result<Refuted, Doubt> {
        let assumptions = assumptions.map(<[Written]>::to_vec);
        let answer = match self.claim(|| Claim::Unsat(proof.clone())) {
            Some(answer) => answer,
            None => {
                let missing = || Doubt::Unknown("there is no proof to check".to_owned());
                let verdict = Verdict::Safe(proof.ok_or_else(missing)?);
                let answer = self.gate(formulas, verdict);
                answer.map_err(Doubt::of)?
            }
        };
        Ok(Refuted { assumptions, answer, has_eliminated: false })
    }

    fn has_quantifiers(&self, assumptions: &[Written]) -> bool {
        let asserted = self.in_force.assertions.iter().map(|asserted| asserted.formula.term);
        let mut all = asserted.chain(assumptions.iter().map(|written| written.term));
        all.any(|term| self.store.has_quantifier(term))
    }

    /// Whether a formula in force is a quantifier over infinitely many values. No model of the others
    /// could be shown to be one of it by evaluation, so that finding one first would be of no use.
    fn has_endless_quantifier(&self, assumptions: &[Written]) -> bool {
        if !self.request.check {
            return false;
        }
        let is_endless = |written: &Written| {
            let (op, args) = (self.store.op(written.term), self.store.args(written.term));
            let is_infinite =
                |var: &TermId| cardinality(&self.store, self.store.sort(*var)).is_none();
            matches!(op, Op::Forall | Op::Exists)
                && args.split_last().is_some_and(|(_, vars)| vars.iter().any(is_infinite))
        };
        let asserted = self.in_force.assertions.iter().map(|asserted| &asserted.formula);
        asserted.chain(assumptions).any(is_endless)
    }

    /// The solver's refutation, about the assertions as the script has them, replayed.
    fn refutation(
        &mut self,
        assumptions: Option<&[Written]>,
        has_eliminated: bool,
    ) -> Result<Refuted, Doubt> {
        let wants_proof = self.options.settings(self.request).proofs && !has_eliminated;
        let solver = self.asked_solver().filter(|_| wants_proof);
        let mut proof = solver.and_then(|(kernel, store)| kernel.refutation(store));
        let asserted = self.in_force.assertions.iter().map(|asserted| asserted.formula.term);
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
        let refuted = self.refuted(&formulas, proof, assumptions)?;
        Ok(Refuted { has_eliminated, ..refuted })
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
    const MAX_SHOWN: usize = 60;
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
