//! Linear programs over rational unknowns, with scopes.
//!
//! Most equations of the programs here say that two unknowns are equal, or nearly so. An equation that is
//! told outside of scopes is solved for an unknown of any sign that the simplex method has not seen yet,
//! and so never gets there.

use alphorn_engine::{Ctx, Stop};
use alphorn_smt::arith::{Arith, Bound, Feasible, Optimum, Side, Tag, Var};
use alphorn_term::Rat;
use std::collections::BTreeMap;

/// The ticks of the simplex method after which the run may be stopped.
const PORTION: u64 = 200_000;

/// An unknown, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Unknown(usize);

/// A constant and multiples of unknowns.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sum {
    pub(super) constant: Rat,
    pub(super) terms: BTreeMap<Unknown, Rat>,
}

impl Sum {
    /// A number.
    pub(super) fn constant(value: Rat) -> Sum {
        Sum { constant: value, terms: BTreeMap::new() }
    }

    /// Adds a multiple of an unknown.
    pub(super) fn add(&mut self, unknown: Unknown, factor: &Rat) {
        if factor.is_zero() {
            return;
        }
        let entry = self.terms.entry(unknown).or_default();
        *entry = &*entry + factor;
        if entry.is_zero() {
            self.terms.remove(&unknown);
        }
    }

    /// Adds a multiple of a sum.
    pub(super) fn add_scaled(&mut self, other: &Sum, factor: &Rat) {
        self.constant = &self.constant + &(&other.constant * factor);
        for (&unknown, value) in &other.terms {
            self.add(unknown, &(value * factor));
        }
    }
}

/// What is known of an unknown.
#[derive(Debug, Default)]
struct Known {
    /// The simplex method's variable, once it has one.
    var: Option<Var>,
    /// What it equals.
    value: Option<Sum>,
}

/// A linear program.
#[derive(Debug, Default)]
pub(super) struct Lp {
    unknowns: Vec<Known>,
    arith: Arith,
    scopes: usize,
    /// How many scopes, from the innermost one whose bounds contradict each other on.
    broken: Option<usize>,
    /// The ticks for one question.
    most_ticks: u64,
}

impl Lp {
    /// A program without unknowns, with so many ticks for each question.
    pub(super) fn new(most_ticks: u64) -> Lp {
        Lp { most_ticks, ..Lp::default() }
    }

    /// An unknown that may have any value.
    pub(super) fn unknown(&mut self) -> Unknown {
        self.unknowns.push(Known::default());
        Unknown(self.unknowns.len() - 1)
    }

    /// An unknown that is not negative, outside of scopes.
    pub(super) fn multiplier(&mut self) -> Unknown {
        debug_assert_eq!(self.scopes, 0, "its bound must stay");
        let unknown = self.unknown();
        let var = self.var(unknown);
        self.limit(var, Side::Lower, Rat::ZERO);
        unknown
    }

    /// Begins a scope.
    pub(super) fn push(&mut self) {
        self.scopes += 1;
        self.arith.push();
    }

    /// Ends the innermost scope.
    pub(super) fn pop(&mut self) {
        self.arith.pop(1);
        self.scopes -= 1;
        if self.broken.is_some_and(|scope| scope > self.scopes) {
            self.broken = None;
        }
    }

    /// Says that a sum is zero.
    pub(super) fn is_zero(&mut self, sum: &Sum) {
        let sum = self.resolved(sum);
        if self.scopes == 0 {
            let is_open = |(unknown, _): &(&Unknown, &Rat)| self.unknowns[unknown.0].var.is_none();
            if let Some((&pivot, factor)) = sum.terms.iter().find(is_open) {
                let inverse = factor.recip().expect("no factor is zero");
                let mut value = Sum::default();
                value.add_scaled(&sum, &-inverse);
                value.terms.remove(&pivot);
                self.unknowns[pivot.0].value = Some(value);
                return;
            }
        }
        self.bound(&sum, &Rat::ZERO, Side::Lower);
        self.bound(&sum, &Rat::ZERO, Side::Upper);
    }

    /// Says that a sum is at least a number.
    pub(super) fn is_at_least(&mut self, sum: &Sum, least: &Rat) {
        let sum = self.resolved(sum);
        self.bound(&sum, least, Side::Lower);
    }

    fn bound(&mut self, sum: &Sum, limit: &Rat, side: Side) {
        let limit = limit - &sum.constant;
        if sum.terms.is_empty() {
            let is_fine =
                if side == Side::Lower { !limit.is_positive() } else { !limit.is_negative() };
            if !is_fine {
                self.break_here();
            }
            return;
        }
        let form = self.form(sum);
        self.limit(form, side, limit);
    }

    fn limit(&mut self, var: Var, side: Side, value: Rat) {
        if self.arith.assert(Bound { var, side, value: value.into() }, Tag::default()).is_err() {
            self.break_here();
        }
    }

    fn break_here(&mut self) {
        self.broken.get_or_insert(self.scopes);
    }

    /// The simplex method's variable for the unknowns of a sum.
    fn form(&mut self, sum: &Sum) -> Var {
        let mut terms = Vec::with_capacity(sum.terms.len());
        for (unknown, value) in &sum.terms {
            terms.push((self.var(*unknown), value.clone()));
        }
        self.arith.form(&terms)
    }

    fn var(&mut self, unknown: Unknown) -> Var {
        match self.unknowns[unknown.0].var {
            Some(var) => var,
            None => {
                let var = self.arith.new_var(false);
                self.unknowns[unknown.0].var = Some(var);
                var
            }
        }
    }

    /// A sum of unknowns that no equation was solved for.
    fn resolved(&self, sum: &Sum) -> Sum {
        let mut result = Sum::constant(sum.constant.clone());
        let mut open = sum.terms.clone();
        // A value has only unknowns that were not solved before its own.
        while let Some((unknown, factor)) = open.pop_last() {
            match &self.unknowns[unknown.0].value {
                None => result.add(unknown, &factor),
                Some(value) => {
                    let mut rest = Sum { constant: Rat::ZERO, terms: std::mem::take(&mut open) };
                    rest.add_scaled(value, &factor);
                    result.constant = &result.constant + &rest.constant;
                    open = rest.terms;
                }
            }
        }
        result
    }

    /// Whether there are values; not if that takes too long to tell.
    pub(super) fn is_feasible(&mut self, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        if self.broken.is_some() {
            return Ok(false);
        }
        self.pay(ctx, |arith| match arith.check() {
            Ok(Feasible::Yes) => Some(true),
            Ok(Feasible::GaveUp) => None,
            Err(_) => Some(false),
        })
    }

    /// Makes a sum as small as possible; whether there is a least value.
    pub(super) fn minimize(&mut self, sum: &Sum, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        if self.broken.is_some() {
            return Ok(false);
        }
        let sum = self.resolved(sum);
        let form = self.form(&sum);
        self.pay(ctx, |arith| match arith.optimize(form, Side::Lower) {
            Optimum::Bounded { .. } => Some(true),
            Optimum::GaveUp => None,
            Optimum::Unbounded | Optimum::Infeasible(_) => Some(false),
        })
    }

    /// Asks in portions, so that the run can be stopped; each goes on from the basis of the one before.
    fn pay(
        &mut self,
        ctx: &mut Ctx<'_>,
        ask: impl Fn(&mut Arith) -> Option<bool>,
    ) -> Result<bool, Stop> {
        let mut left = self.most_ticks;
        while left > 0 {
            let portion = left.min(PORTION);
            left -= portion;
            self.arith.set_ticks(portion);
            let before = self.arith.ticks_used();
            let answer = ask(&mut self.arith);
            ctx.tick(1 + self.arith.ticks_used() - before)?;
            if let Some(answer) = answer {
                return Ok(answer);
            }
        }
        Ok(false)
    }

    /// The values of unknowns that were found last.
    pub(super) fn values(&self, unknowns: &[Unknown]) -> Vec<Rat> {
        let model = self.arith.model();
        let value = |unknown: &Unknown| {
            let mut sum = Sum::default();
            sum.add(*unknown, &Rat::ONE);
            self.value_in(&sum, &model)
        };
        unknowns.iter().map(value).collect()
    }

    /// The value of a sum that was found last.
    pub(super) fn value(&self, sum: &Sum) -> Rat {
        self.value_in(sum, &self.arith.model())
    }

    fn value_in(&self, sum: &Sum, model: &[Rat]) -> Rat {
        let sum = self.resolved(sum);
        let mut value = sum.constant;
        for (unknown, factor) in sum.terms {
            if let Some(var) = self.unknowns[unknown.0].var {
                value = &value + &(&model[var.index()] * &factor);
            }
        }
        value
    }
}
