//! Quantified formulas, decided with evidence: by instances and witnesses.
//!
//! To the search a quantified formula is a truth value like others. Where a model makes an existential
//! one true (or a universal one false), a witness is named. Where it makes a universal one true, values
//! are looked for, under the model, that make its body false; they become *terms*, bounds of the
//! bound variables in the body where that is as good, and the instance for these terms is stated. When
//! the search finds no model, instances and witnesses together with the formulas are a refutation that
//! `check` replays. When no universal formula can be violated under a model, the model is one.
//!
//! Bounds have finitely many terms, and integers with coefficients are met by values alone, so this
//! need not end: rounds are counted. Quantifiers inside a body are eliminated (`project`) to look for
//! values, and only for that.
//!
//! After Reynolds, King, Kuncak, Solving quantified linear arithmetic by counterexample-guided
//! instantiation (FMSD 2017).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use alphorn_problem::evidence::proof::Literal;
use alphorn_sat::Budget;
use alphorn_term::{Model, Op, Rat, SortId, Store, Substitution, TermId, Value, eval};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::encode::Leaf;
use crate::linear::Linear;
use crate::options::Options;
use crate::project::{Limits, eliminate_all, implicant};
use crate::proof::Refutation;
use crate::proof::linear::{Comparison, Relation};
use crate::smt::{Answer, Smt};

/// What may be spent on quantified formulas.
#[derive(Clone, Debug)]
pub struct QuantifierLimits {
    /// How many models are looked at.
    pub rounds: u32,
    /// Limits each query.
    pub budget: Budget,
    /// Ends the search soon after it becomes true.
    pub interrupt: Arc<AtomicBool>,
}

impl Default for QuantifierLimits {
    fn default() -> QuantifierLimits {
        QuantifierLimits { rounds: 300, budget: Budget::default(), interrupt: Arc::default() }
    }
}

/// What was found about quantified formulas.
#[derive(Clone, Debug)]
pub enum Quantified {
    /// They contradict each other.
    Refuted(Box<Refutation>),
    /// No violation was found in this model; that it is one has to be shown formula by formula.
    Model(Box<Model>),
    /// Neither is known.
    Unknown,
}

/// The value of a bound, and what it is.
type Limit = (Rat, Linear);

/// A quantified formula of the search.
#[derive(Default)]
struct Quantifier {
    /// Variables to look for values with, and the body for them, without quantifiers.
    probe: Option<(Vec<TermId>, TermId)>,
    has_witness: bool,
}

struct Instances<'a> {
    store: &'a mut Store,
    smt: Smt,
    limits: &'a QuantifierLimits,
    known: FxHashMap<TermId, Quantifier>,
    stated: FxHashSet<(TermId, Vec<TermId>)>,
}

/// Decides formulas with quantifiers over numbers and truth values.
pub fn decide(store: &mut Store, formulas: &[TermId], limits: &QuantifierLimits) -> Quantified {
    let options = Options { proofs: true, opaque_quantifiers: true, ..Options::default() };
    let mut smt = Smt::new(options);
    smt.set_budget(limits.budget);
    smt.set_interrupt(Arc::clone(&limits.interrupt));
    for formula in formulas {
        smt.assert(store, *formula);
    }
    let known = FxHashMap::default();
    let stated = FxHashSet::default();
    let mut instances = Instances { store, smt, limits, known, stated };
    for _ in 0..limits.rounds {
        match instances.smt.check(instances.store, &[]) {
            Answer::Unknown => return Quantified::Unknown,
            Answer::Unsat => {
                let refutation = instances.smt.refutation(instances.store);
                return refutation
                    .map_or(Quantified::Unknown, |found| Quantified::Refuted(Box::new(found)));
            }
            Answer::Sat => {}
        }
        let model = instances.smt.model(instances.store);
        match instances.refine(&model) {
            Some(true) => {}
            Some(false) => return Quantified::Model(Box::new(model)),
            None => return Quantified::Unknown,
        }
    }
    Quantified::Unknown
}

impl Instances<'_> {
    fn solver(&self) -> Smt {
        let mut smt = Smt::default();
        smt.set_budget(self.limits.budget);
        smt.set_interrupt(Arc::clone(&self.limits.interrupt));
        smt
    }

    /// States instances and witnesses that the model lacks; whether there were any.
    fn refine(&mut self, model: &Model) -> Option<bool> {
        let (mut is_refined, mut is_stuck) = (false, false);
        for term in self.smt.encoder.quantifiers.clone() {
            if self.limits.interrupt.load(Ordering::Relaxed) {
                return None;
            }
            let Some(value) = self.smt.truth_of(self.store, term) else { continue };
            let is_universal = (self.store.op(term) == Op::Forall) == value;
            match is_universal {
                true => match self.instantiate(term, model) {
                    Some(is_new) => is_refined |= is_new,
                    // Others may still say more about what its instances mention.
                    None => is_stuck = true,
                },
                false => is_refined |= self.name_witness(term),
            }
        }
        (is_refined || !is_stuck).then_some(is_refined)
    }

    fn quantifier(&mut self, term: TermId) -> &mut Quantifier {
        self.known.entry(term).or_default()
    }

    fn parts(&self, term: TermId) -> (Vec<TermId>, TermId) {
        let args = self.store.args(term);
        (self.store.bound_vars(term).to_vec(), args[args.len() - 1])
    }

    fn fresh_for(&mut self, vars: &[TermId]) -> Vec<TermId> {
        let mut fresh = Vec::with_capacity(vars.len());
        for var in vars {
            let hint = self.store.var_name(*var).unwrap_or("k").to_owned();
            fresh.push(self.store.fresh_var(&hint, self.store.sort(*var)));
        }
        fresh
    }

    /// The body for some terms, as a literal with the sign that follows from the quantifier.
    fn follows(&mut self, term: TermId, terms: &[TermId], is_instance: bool) -> (Literal, TermId) {
        let (vars, body) = self.parts(term);
        let body = self.store.rename(body, &vars, terms);
        // An instance of what holds for all, or the witness of what holds for some.
        let is_positive = (self.store.op(term) == Op::Forall) == is_instance;
        let conclusion = if is_positive { body } else { self.store.not(body) };
        let quantifier = Literal { atom: term, negated: is_positive };
        (quantifier, conclusion)
    }

    fn state(&mut self, quantifier: Literal, conclusion: TermId, leaf: Leaf) {
        let Smt { encoder, search, .. } = &mut self.smt;
        let lit = encoder.literal(search, self.store, conclusion);
        let own = encoder.literal(search, self.store, quantifier.atom).xor(quantifier.negated);
        encoder.clause(search, &[own, lit], leaf);
    }

    fn name_witness(&mut self, term: TermId) -> bool {
        if std::mem::replace(&mut self.quantifier(term).has_witness, true) {
            return false;
        }
        let (vars, _) = self.parts(term);
        let witnesses = self.fresh_for(&vars);
        let (quantifier, conclusion) = self.follows(term, &witnesses, false);
        let clause = vec![quantifier, Literal::of(self.store, conclusion)];
        self.state(quantifier, conclusion, Leaf::Witness(clause, witnesses));
        true
    }

    /// States an instance that the model violates, if there is one.
    fn instantiate(&mut self, term: TermId, model: &Model) -> Option<bool> {
        let (probes, body) = self.probe(term)?;
        let Some(violation) = self.violation(&probes, body, model)? else { return Some(false) };
        let mut candidates = vec![self.bounds(&probes, body, &violation)];
        let values: Option<Vec<TermId>> = probes
            .iter()
            .map(|probe| violation.vars.get(probe).and_then(|v| self.store.value_term(v)))
            .collect();
        candidates.extend(values);
        for terms in candidates {
            let map: Substitution = probes.iter().copied().zip(terms.iter().copied()).collect();
            let instance = self.store.substitute(body, &map);
            let is_violated = eval(self.store, instance, &violation) == Ok(Value::Bool(true));
            if is_violated && self.stated.insert((term, terms.clone())) {
                let (quantifier, conclusion) = self.follows(term, &terms, true);
                let clause = vec![quantifier, Literal::of(self.store, conclusion)];
                self.state(quantifier, conclusion, Leaf::Instance(clause, terms));
                return Some(true);
            }
        }
        None
    }

    /// Variables in place of the bound ones, and what is true of them where the body is violated.
    fn probe(&mut self, term: TermId) -> Option<(Vec<TermId>, TermId)> {
        if let Some(probe) = &self.quantifier(term).probe {
            return Some(probe.clone());
        }
        let (vars, body) = self.parts(term);
        let probes = self.fresh_for(&vars);
        let body = self.store.rename(body, &vars, &probes);
        let violated = if self.store.op(term) == Op::Forall { self.store.not(body) } else { body };
        let plain = match self.store.has_quantifier(violated) {
            true => {
                let mut oracle = self.solver();
                eliminate_all(self.store, violated, &mut oracle, &Limits::default()).ok()?
            }
            false => violated,
        };
        self.quantifier(term).probe = Some((probes.clone(), plain));
        Some((probes, plain))
    }

    /// A model that agrees with the given one and violates the body.
    fn violation(
        &mut self,
        probes: &[TermId],
        body: TermId,
        model: &Model,
    ) -> Option<Option<Model>> {
        let mut smt = self.solver();
        smt.assert(self.store, body);
        for symbol in self.store.subterms(&[body]) {
            let value = match self.store.op(symbol) {
                Op::Var(_) if !probes.contains(&symbol) => model.vars.get(&symbol).cloned(),
                Op::Apply(_) if !self.store.args(symbol).is_empty() => return None,
                Op::Apply(func) => model.funcs.get(&func).and_then(|t| t.default.clone()),
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

    /// A term for each probe: a bound that it has in the body where there is one, else its value.
    fn bounds(&mut self, probes: &[TermId], body: TermId, violation: &Model) -> Vec<TermId> {
        let literals = implicant(self.store, &[body], violation).unwrap_or_default();
        let comparisons: Vec<Comparison> = literals
            .iter()
            .filter_map(|term| Comparison::of(self.store, Literal::of(self.store, *term)))
            .map(|found| found.tighten(self.store))
            .collect();
        let mut chosen: Substitution = FxHashMap::default();
        for probe in probes {
            let value = violation.vars.get(probe).and_then(|value| self.store.value_term(value));
            let bound = self.bound(*probe, probes, &chosen, &comparisons, violation);
            chosen.insert(*probe, bound.or(value).unwrap_or(*probe));
        }
        probes.iter().map(|probe| chosen[probe]).collect()
    }

    /// A term between the bounds of a probe, over other symbols and probes that have terms.
    fn bound(
        &mut self,
        probe: TermId,
        probes: &[TermId],
        chosen: &Substitution,
        comparisons: &[Comparison],
        violation: &Model,
    ) -> Option<TermId> {
        let sort = self.store.sort(probe);
        let (mut lower, mut upper): (Option<Limit>, Option<Limit>) = (None, None);
        for comparison in comparisons {
            let factor = comparison.linear.coefficient(probe);
            let Some(inverse) = factor.recip() else { continue };
            // factor * probe + rest is zero at the bound.
            let mut rest = comparison.linear.clone();
            rest.terms.retain(|(atom, _)| *atom != probe);
            rest.scale(&-inverse);
            let is_open = |atom: &TermId| {
                let inside = self.store.subterms(&[*atom]);
                inside.iter().any(|t| probes.contains(t) && !chosen.contains_key(t))
            };
            let is_whole = rest.constant.is_integer()
                && rest.terms.iter().all(|(_, value)| value.is_integer())
                && rest.is_over_integers(self.store);
            if rest.terms.iter().any(|(atom, _)| is_open(atom))
                || (sort == SortId::INT && !is_whole)
            {
                continue;
            }
            let term = rest.to_term(self.store, sort);
            let value = match eval(self.store, term, violation) {
                Ok(Value::Int(value)) => Rat::from(value),
                Ok(Value::Real(value)) => value,
                _ => continue,
            };
            let is_equation = comparison.relation == Relation::Zero;
            if (factor.is_negative() || is_equation)
                && lower.as_ref().is_none_or(|(best, _)| value > *best)
            {
                lower = Some((value.clone(), rest.clone()));
            }
            if (factor.is_positive() || is_equation)
                && upper.as_ref().is_none_or(|(best, _)| value < *best)
            {
                upper = Some((value, rest));
            }
        }
        let term = between(lower, upper, sort)?.to_term(self.store, sort);
        Some(self.store.substitute(term, chosen))
    }
}

/// Over the reals the middle, as bounds may be strict; over the integers a bound itself.
fn between(lower: Option<Limit>, upper: Option<Limit>, sort: SortId) -> Option<Linear> {
    let is_real = sort == SortId::REAL;
    match (lower, upper) {
        (Some((_, mut low)), Some((_, high))) if is_real => {
            low.add_scaled(&high, &Rat::ONE);
            low.scale(&(&Rat::ONE / &Rat::from(2)));
            Some(low)
        }
        (Some((_, mut low)), _) => {
            low.constant = &low.constant + &Rat::from(i64::from(is_real));
            Some(low)
        }
        (None, Some((_, mut high))) => {
            high.constant = &high.constant - &Rat::from(i64::from(is_real));
            Some(high)
        }
        (None, None) => None,
    }
}
