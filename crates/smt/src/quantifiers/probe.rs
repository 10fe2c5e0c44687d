//! Instances out of models: values that violate a quantified body, made into terms.
//!
//! The bound variables become *probes*, and the body, with the model's functions written out
//! (`interpret`), is asked for values of them that violate it. The values become bounds that the
//! probes have in the body, terms that stay right when the model changes; or terms of the search that
//! have the values, and the values themselves where there is none. If there are no such values the
//! model satisfies the formula. Applications that do not depend on the probes are named, so that
//! they can be bounds. Quantifiers inside the body are eliminated (`project`) to look for values, and
//! only for that.
//!
//! Bounds have finitely many terms, and integers with coefficients are met by values alone, so this
//! need not end.
//!
//! After Reynolds, King, Kuncak, Solving quantified linear arithmetic by counterexample-guided
//! instantiation (FMSD 2017), and Ge, de Moura, Complete instantiation for quantified formulas in
//! satisfiability modulo theories (CAV 2009). Functions are constant where nothing is known of them,
//! not stepwise.

use std::sync::Arc;

use alphorn_sat::{Answer, Budget};
use alphorn_term::{Bv, Int, Model, Op, Rat, SortId, Store, Substitution, TermId, Value, eval};
use rustc_hash::FxHashMap;

use super::block::{Block, Found};
use super::bounds::Bounds;
use super::interpret::{Interpreter, divides_by_unknown, is_literal_sort, is_uninterpreted};
use super::trigger::Pattern;
use super::view::Key;
use super::{QuantifierLimits, Violation, fresh_for};
use crate::linear::Linear;
use crate::project::{Limits, eliminate_all};
use crate::smt::Smt;

/// A body without quantifiers, for probes.
#[derive(Clone)]
pub(super) struct Question {
    probes: Vec<TermId>,
    /// What is true of the probes where the body is violated.
    violated: TermId,
    /// The terms that names stand for.
    names: Substitution,
    /// The values of the names.
    values: Vec<(TermId, Value)>,
}

/// It cannot be told whether a formula is violated.
pub(super) struct Unclear;

/// Looks for violations in a model.
pub(super) struct Prober<'a> {
    pub(super) store: &'a mut Store,
    pub(super) limits: &'a QuantifierLimits,
    /// Limits each question about a block.
    pub(super) budget: Budget,
    pub(super) model: &'a Model,
    pub(super) interpreter: &'a Interpreter<'a>,
    /// Terms that have numbers and classes.
    pub(super) terms: &'a FxHashMap<(SortId, Key), TermId>,
    /// The numbers that terms have.
    pub(super) numbers: &'a FxHashMap<TermId, Rat>,
    /// Terms that are elements.
    pub(super) elements: &'a FxHashMap<(SortId, u32), TermId>,
    /// Whether numbers that are not negative are tried first.
    pub(super) is_upwards: bool,
}

impl Prober<'_> {
    fn solver(&self) -> Smt {
        let mut smt = Smt::default();
        smt.set_budget(self.limits.budget);
        smt.set_interrupt(Arc::clone(&self.limits.interrupt));
        smt
    }

    /// What violates a formula without functions, if anything does.
    pub(super) fn ask_block(
        &mut self,
        quantifier: TermId,
        block: &mut Option<Block>,
        ticks: &mut u64,
    ) -> Result<Option<Violation>, Unclear> {
        let block = block.get_or_insert_with(|| Block::new(self.store, quantifier, self.limits));
        match block.ask(self.store, self.model, (self.limits, self.budget), ticks) {
            Found::Unknown => Err(Unclear),
            Found::Nothing => Ok(None),
            Found::Violated(terms) => Ok(Some(Violation::Nested(block.nest.clone(), terms))),
        }
    }

    /// Terms for the bound variables that violate the body, the better ones first; none if there
    /// are none. Nothing if it cannot be told.
    pub(super) fn violating(
        &mut self,
        pattern: &Pattern,
        is_positive: bool,
        known: &mut Option<Question>,
    ) -> Option<Option<Vec<Vec<TermId>>>> {
        let subterms = self.store.subterms(&[pattern.body]);
        let mut all = subterms.iter().chain(&pattern.vars);
        let has_functions = all.any(|term| is_function(self.store, *term));
        let question = match known {
            Some(question) => question.clone(),
            None => {
                let question = self.question(pattern, is_positive, has_functions)?;
                if !has_functions {
                    *known = Some(question.clone());
                }
                question
            }
        };
        // Values out of tables come one by one, and might go down for ever where they matter above.
        let above = if has_functions && self.is_upwards { self.above(&question) } else { None };
        let Some(mut violation) = (match above.and_then(|question| self.violation(&question)) {
            Some(Some(violation)) => Some(violation),
            _ => self.violation(&question)?,
        }) else {
            return Some(None);
        };
        self.push_out(&question, &mut violation);
        let valued = self.valued(pattern, &question, &violation);
        let mut candidates = Vec::new();
        if let Some(near) = valued.first() {
            candidates.extend(self.bounded(pattern, &question, &violation, near));
        }
        candidates.extend(valued);
        candidates.dedup();
        Some(Some(candidates))
    }

    /// The same for a body that divides by what may be zero; nothing for others.
    pub(super) fn violating_quotients(
        &mut self,
        pattern: &Pattern,
        is_positive: bool,
        known: &mut Option<Question>,
    ) -> Option<Option<Vec<Vec<TermId>>>> {
        let subterms = self.store.subterms(&[pattern.body]);
        let divides = subterms.iter().any(|term| divides_by_unknown(self.store, *term));
        if divides { self.violating(pattern, is_positive, known) } else { None }
    }

    /// Variables in place of the bound ones, and what is true of them where the body is violated.
    fn question(
        &mut self,
        pattern: &Pattern,
        is_positive: bool,
        has_functions: bool,
    ) -> Option<Question> {
        let mut conditions = Vec::new();
        let (mut names, mut values) = (Substitution::default(), Vec::new());
        let (probes, body) = match has_functions {
            false => {
                let probes = fresh_for(self.store, &pattern.vars);
                let body = self.store.rename(pattern.body, &pattern.vars, &probes);
                (probes, body)
            }
            true => {
                let interpreter = self.interpreter;
                let mut probes = Vec::with_capacity(pattern.vars.len());
                for &var in &pattern.vars {
                    probes.push(self.numbered_probe(var, interpreter, &mut conditions)?);
                }
                let vars = pattern.vars.iter().copied();
                let environment = vars.zip(probes.iter().copied()).collect();
                let body = self.name_fixed(pattern, &mut names, &mut values);
                let body = interpreter.formula(self.store, body, &environment)?;
                (probes, body)
            }
        };
        conditions.push(if is_positive { self.store.not(body) } else { body });
        let violated = self.store.and(&conditions);
        let violated = match self.store.has_quantifier(violated) {
            true => {
                let mut oracle = self.solver();
                eliminate_all(self.store, violated, &mut oracle, &Limits::default()).ok()?
            }
            false => violated,
        };
        Some(Question { probes, violated, names, values })
    }

    /// The body with names for numbers that applications give whatever the probes are.
    fn name_fixed(
        &mut self,
        pattern: &Pattern,
        names: &mut Substitution,
        values: &mut Vec<(TermId, Value)>,
    ) -> TermId {
        let mut map = Substitution::default();
        for &term in &pattern.order {
            let sort = self.store.sort(term);
            if pattern.is_open(term)
                || !sort.is_arithmetic()
                || self.store.args(term).is_empty()
                || !is_function(self.store, term)
            {
                continue;
            }
            let Some(value) = self.numbers.get(&term) else { continue };
            let name = self.store.fresh_var("n", sort);
            let value = match sort {
                SortId::INT => Value::Int(value.floor()),
                _ => Value::Real(value.clone()),
            };
            map.insert(term, name);
            names.insert(name, term);
            values.push((name, value));
        }
        self.store.substitute(pattern.body, &map)
    }

    /// A variable in place of a bound one; of elements it is the number.
    fn numbered_probe(
        &mut self,
        var: TermId,
        interpreter: &Interpreter<'_>,
        conditions: &mut Vec<TermId>,
    ) -> Option<TermId> {
        let sort = self.store.sort(var);
        if !is_uninterpreted(self.store, sort) {
            let is_plain = is_literal_sort(self.store, sort);
            return fresh_for(self.store, &[var]).first().copied().filter(|_| is_plain);
        }
        let term = self.store.fresh_var("e", SortId::INT);
        let (zero, size) = (self.store.int(0), self.store.int(i64::from(interpreter.size(sort))));
        conditions.push(self.store.le(zero, term));
        conditions.push(self.store.lt(term, size));
        Some(term)
    }

    /// The question for numbers that are not negative; none if there are no numbers.
    fn above(&mut self, question: &Question) -> Option<Question> {
        let mut conditions = vec![question.violated];
        for &probe in &question.probes {
            if self.store.sort(probe).is_arithmetic() {
                let zero = self.store.number(self.store.sort(probe), &Int::ZERO);
                conditions.push(self.store.le(zero, probe));
            }
        }
        let violated = self.store.and(&conditions);
        (conditions.len() > 1).then(|| Question { violated, ..question.clone() })
    }

    /// A model that agrees with the given one and violates the body.
    fn violation(&mut self, question: &Question) -> Option<Option<Model>> {
        let Question { probes, violated: body, values, .. } = question;
        let body = *body;
        let known = |symbol: TermId| {
            let named = values.iter().find(|(name, _)| *name == symbol);
            named.map(|(_, value)| value.clone()).or_else(|| self.model.vars.get(&symbol).cloned())
        };
        let mut smt = self.solver();
        smt.assert(self.store, body);
        for symbol in self.store.subterms(&[body]) {
            let value = match self.store.op(symbol) {
                Op::Var(_) if !probes.contains(&symbol) => known(symbol),
                Op::Apply(_) if !self.store.args(symbol).is_empty() => return None,
                Op::Apply(func) => self.model.funcs.get(&func).and_then(|t| t.default.clone()),
                _ => continue,
            };
            let sort = self.store.sort(symbol);
            let value = match value {
                Some(value) => value,
                None => Value::default_of(self.store, sort)?,
            };
            let value = self.store.value_term(&value)?;
            let equation = self.store.eq(symbol, value);
            smt.assert(self.store, equation);
        }
        match smt.check(self.store, &[]) {
            Answer::Unsat => Some(None),
            Answer::Unknown => None,
            Answer::Sat => {
                let mut found = smt.model(self.store);
                for probe in probes {
                    let sort = self.store.sort(*probe);
                    let default = Value::default_of(self.store, sort)?;
                    found.vars.entry(*probe).or_insert(default);
                }
                Some(Some(found))
            }
        }
    }

    /// Lets words be extreme where that violates the body as well: other values would come one by one.
    fn push_out(&mut self, question: &Question, violation: &mut Model) {
        for &probe in &question.probes {
            let width = self.store.width(probe);
            let Some(before) = violation.vars.get(&probe).cloned().filter(|_| width > 0) else {
                continue;
            };
            let (zero, ones) = (Bv::from_u64(width, 0), Bv::ones(width));
            for extreme in [ones, zero] {
                violation.set(probe, Value::Bv(extreme));
                if eval(self.store, question.violated, violation) == Ok(Value::Bool(true)) {
                    break;
                }
                violation.set(probe, before.clone());
            }
        }
    }

    /// Bounds of the probes, if they violate the body as well; in place of literals and elements
    /// the terms that are `near`.
    fn bounded(
        &mut self,
        pattern: &Pattern,
        question: &Question,
        violation: &Model,
        near: &[TermId],
    ) -> Option<Vec<TermId>> {
        let mut fixed = Substitution::default();
        for (var, probe) in pattern.vars.iter().zip(&question.probes) {
            if !self.store.sort(*var).is_arithmetic() {
                let value = violation.vars.get(probe)?;
                fixed.insert(*probe, self.store.value_term(value)?);
            }
        }
        let probes = &question.probes;
        let terms = Bounds::new(self.store, question.violated, probes, violation).terms(&fixed);
        let probes = probes.iter().copied();
        let map: Substitution = probes.zip(terms.iter().copied()).collect();
        let instance = self.store.substitute(question.violated, &map);
        if eval(self.store, instance, violation) != Ok(Value::Bool(true)) {
            return None;
        }
        let mut chosen = Vec::with_capacity(terms.len());
        for ((&var, &near), term) in pattern.vars.iter().zip(near).zip(terms) {
            let is_plain = self.store.sort(var).is_arithmetic() && !self.store.is_literal(term);
            chosen.push(match is_plain {
                true => self.store.substitute(term, &question.names),
                false => near,
            });
        }
        Some(chosen)
    }

    /// Terms that have the values of the probes.
    fn valued(
        &mut self,
        pattern: &Pattern,
        question: &Question,
        violation: &Model,
    ) -> Vec<Vec<TermId>> {
        let (mut named, mut plain) = (Vec::new(), Vec::new());
        for (var, probe) in pattern.vars.iter().zip(&question.probes) {
            let sort = self.store.sort(*var);
            let Some(value) = violation.vars.get(probe).cloned() else { return Vec::new() };
            let known = match &value {
                Value::Int(number) if is_uninterpreted(self.store, sort) => {
                    let number = number.to_i64().and_then(|number| u32::try_from(number).ok());
                    let known = number.and_then(|number| self.elements.get(&(sort, number)));
                    Some(known.copied().unwrap_or_else(|| self.store.fresh_var("e", sort)))
                }
                Value::Int(number) => self.near(&Rat::from(number.clone())),
                Value::Real(number) => {
                    self.terms.get(&(sort, Key::Number(number.clone()))).copied()
                }
                _ => None,
            };
            let literal = match is_uninterpreted(self.store, sort) {
                true => known,
                false => self.store.value_term(&value),
            };
            let Some(literal) = literal else { return Vec::new() };
            named.push(known.unwrap_or(literal));
            plain.push(literal);
        }
        match named == plain {
            true => vec![plain],
            false => vec![named, plain],
        }
    }

    /// A term that is an integer, or the sum of one and 1 or -1.
    fn near(&mut self, number: &Rat) -> Option<TermId> {
        for offset in [0, 1, -1] {
            let key = Key::Number(number - &Rat::from(offset));
            if let Some(&term) = self.terms.get(&(SortId::INT, key)) {
                let mut sum = Linear::of(self.store, term);
                sum.constant = &sum.constant + &Rat::from(offset);
                let is_term = offset == 0;
                return Some(if is_term { term } else { sum.to_term(self.store, SortId::INT) });
            }
        }
        None
    }
}

/// Whether a model's tables are needed for a term.
fn is_function(store: &Store, term: TermId) -> bool {
    let has_args = !store.args(term).is_empty();
    matches!(store.op(term), Op::Apply(_)) && has_args
        || matches!(store.op(term), Op::Select)
        || divides_by_unknown(store, term)
        || is_uninterpreted(store, store.sort(term))
}
