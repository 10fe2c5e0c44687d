//! What is assumed while a part of a formula is simplified.
//!
//! Facts are formulas in normal form, and for arithmetic literals the ranges of their polynomials.
//! They are taken back in the reverse order of their coming.

use super::normal::{NormalForms, is_literal};
use super::range::{Claim, Range, claim};
use crate::linear::Linear;
use crate::project::constraint::{Constraint, Relation};
use alphorn_term::{Op, Rat, Store, TermId};
use rustc_hash::FxHashMap;

/// What an assumption changed.
enum Change {
    Known(TermId, Option<bool>),
    Range(Linear, Option<Range>),
    Divisibility,
}

/// Assumptions.
#[derive(Default)]
pub(super) struct Facts {
    known: FxHashMap<TermId, bool>,
    ranges: FxHashMap<Linear, Range>,
    /// Divisibilities that hold.
    divisibilities: Vec<Constraint>,
    trail: Vec<Change>,
    forms: NormalForms,
    /// How many formulas have been assumed.
    pub(super) assumed: usize,
}

/// The constraint in normal form of a literal, if it is about numbers and not constant.
pub(super) fn constraint_of(store: &Store, literal: TermId) -> Option<Constraint> {
    Constraint::of(store, literal)?.normal(store).ok()
}

impl Facts {
    /// The place to go back to.
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back what was assumed after a mark.
    pub(super) fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            match self.trail.pop() {
                Some(Change::Known(term, Some(old))) => drop(self.known.insert(term, old)),
                Some(Change::Known(term, None)) => drop(self.known.remove(&term)),
                Some(Change::Range(form, Some(old))) => drop(self.ranges.insert(form, old)),
                Some(Change::Range(form, None)) => drop(self.ranges.remove(&form)),
                Some(Change::Divisibility) => drop(self.divisibilities.pop()),
                None => {}
            }
        }
    }

    /// Assumes a formula in normal form; false if that contradicts the facts.
    pub(super) fn assume(&mut self, store: &mut Store, formula: TermId) -> bool {
        let mut is_consistent = formula != TermId::FALSE;
        let mut stack = vec![formula];
        while let Some(fact) = stack.pop() {
            if store.op(fact) == Op::And {
                stack.extend(store.args(fact).iter().rev());
            }
            is_consistent &= self.known.get(&fact) != Some(&false);
            self.know(fact, true);
            self.assumed += 1;
            let opposite = self.negation(store, fact);
            self.know(opposite, false);
            if is_literal(store, fact) {
                is_consistent &= self.narrow(store, fact);
            }
        }
        is_consistent
    }

    /// The normal form of a formula's negation.
    pub(super) fn negation(&mut self, store: &mut Store, formula: TermId) -> TermId {
        self.forms.negation(store, formula)
    }

    fn know(&mut self, term: TermId, value: bool) {
        let old = self.known.insert(term, value);
        self.trail.push(Change::Known(term, old));
    }

    fn narrow(&mut self, store: &Store, literal: TermId) -> bool {
        let Some(constraint) = constraint_of(store, literal) else { return true };
        let Some((form, claim)) = claim(&constraint) else {
            if matches!(constraint.relation, Relation::Multiple(_)) {
                self.divisibilities.push(constraint);
                self.trail.push(Change::Divisibility);
            }
            return true;
        };
        let is_integral = form.is_over_integers(store);
        let range = self.ranges.entry(form.clone()).or_default();
        self.trail.push(Change::Range(form, Some(range.clone())));
        range.add(&claim, is_integral)
    }

    /// The truth value of a formula in normal form, if the facts tell.
    pub(super) fn decide(&self, store: &Store, formula: TermId) -> Option<bool> {
        if let Some(&value) = self.known.get(&formula) {
            return Some(value);
        }
        if !is_literal(store, formula) {
            return None;
        }
        let constraint = constraint_of(store, formula)?;
        let Some((form, asked)) = claim(&constraint) else {
            return self.decide_divisibility(store, constraint);
        };
        let range = self.ranges.get(&form)?;
        if range.implies(&asked) {
            return Some(true);
        }
        let (_, opposite) = claim(&constraint.negated().normal(store).ok()?)?;
        range.implies(&opposite).then_some(false)
    }

    /// What divides by ten and leaves three also divides by five and leaves three.
    fn decide_divisibility(&self, store: &Store, asked: Constraint) -> Option<bool> {
        let (asked, sign) = match asked.relation {
            Relation::NotMultiple(_) => (asked.negated(), false),
            _ => (asked, true),
        };
        let Relation::Multiple(divisor) = &asked.relation else { return None };
        for known in &self.divisibilities {
            let Relation::Multiple(multiple) = &known.relation else { continue };
            if !multiple.is_multiple_of(divisor) {
                continue;
            }
            let known = Constraint::new(known.form.clone(), Relation::Multiple(divisor.clone()));
            if let Ok(known) = known.normal(store)
                && known.relation == asked.relation
                && known.form.terms == asked.form.terms
            {
                return Some((known.form.constant == asked.form.constant) == sign);
            }
        }
        None
    }

    /// The number that a term is known to equal.
    pub(super) fn value(&self, term: TermId) -> Option<Rat> {
        self.ranges.get(&Linear::atom(term))?.value().cloned()
    }

    /// A literal with terms replaced by the numbers they are known to equal.
    ///
    /// Bounds on a single term stay: they are where such knowledge comes from.
    pub(super) fn evaluate(&self, store: &mut Store, literal: TermId) -> TermId {
        let Some(mut constraint) = constraint_of(store, literal) else { return literal };
        let is_source = constraint.form.terms.len() == 1 && claim(&constraint).is_some();
        if is_source {
            return literal;
        }
        for (term, coefficient) in std::mem::take(&mut constraint.form.terms) {
            match self.value(term) {
                Some(value) => constraint.form.constant.mul_add_assign(&coefficient, &value),
                None => constraint.form.terms.push((term, coefficient)),
            }
        }
        match constraint.normal(store) {
            Ok(constraint) => constraint.to_term(store),
            Err(truth) => store.bool(truth),
        }
    }
}

/// The fewest literals that say what a conjunction of literals in normal form says; `None` if they
/// contradict one another.
pub(super) fn tightest(store: &mut Store, literals: &[TermId]) -> Option<Vec<TermId>> {
    let mut ranges: Vec<(Linear, Range)> = Vec::new();
    let mut places: FxHashMap<Linear, usize> = FxHashMap::default();
    let mut order: Vec<Result<TermId, usize>> = Vec::new();
    for &literal in literals {
        let Some((form, claim)) = constraint_of(store, literal).as_ref().and_then(claim) else {
            order.push(Ok(literal));
            continue;
        };
        let is_integral = form.is_over_integers(store);
        let place = *places.entry(form.clone()).or_insert(ranges.len());
        if place == ranges.len() {
            ranges.push((form, Range::default()));
            order.push(Err(place));
        }
        if !ranges[place].1.add(&claim, is_integral) {
            return None;
        }
    }
    let mut result = Vec::with_capacity(literals.len());
    for item in order {
        match item {
            Ok(literal) => result.push(literal),
            Err(place) => {
                let (form, range) = &ranges[place];
                for claim in range.claims() {
                    result.push(literal_of(store, form, &claim));
                }
            }
        }
    }
    Some(result)
}

fn literal_of(store: &mut Store, form: &Linear, claim: &Claim) -> TermId {
    super::range::constraint(form, claim).literal(store)
}
