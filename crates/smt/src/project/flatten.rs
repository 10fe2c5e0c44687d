//! Arithmetic literals over variables that are to be projected, made linear by the model.
//!
//! A quotient or remainder by a number, and the integer part of a real, are expressed by a fresh
//! integer variable q that the literal's variables determine: 0 <= t - n*q < |n|, or q <= t < q + 1.
//! The fresh variable is projected as well, so nothing is lost. Absolute values, disequalities and
//! divisibilities that fail are split into cases, and the model's case is taken.
//!
//! Invariant: the constraints hold in the model, imply the literal for some values of the fresh
//! variables, and mention the variables as atoms only.

use super::constraint::{Constraint, Relation};
use super::mentions::Mentions;
use super::valuation::Valuation;
use crate::linear::Linear;
use alphorn_term::{Int, Op, Rat, SortId, Store, TermId, Value};
use rustc_hash::FxHashMap;

/// Collects constraints.
pub(crate) struct Flattener<'a> {
    values: &'a mut Valuation,
    /// What mentions none of these variables may stay as it is.
    mentions: Mentions,
    /// The constraints so far, in normal form.
    pub(crate) constraints: Vec<Constraint>,
    /// The fresh variables so far.
    pub(crate) fresh: Vec<TermId>,
    /// The polynomials of atoms that are not linear.
    forms: FxHashMap<TermId, Linear>,
    /// The fresh variables of quotients, by dividend and divisor.
    quotients: FxHashMap<(TermId, Int), TermId>,
}

/// The interpreted operator that an atom of a polynomial has at its root, if any: its argument and,
/// for quotients and remainders, the divisor.
pub(crate) fn interpreted(store: &Store, atom: TermId) -> Option<(TermId, Option<Int>)> {
    match (store.op(atom), store.args(atom)) {
        (Op::Abs | Op::ToInt, &[arg]) => Some((arg, None)),
        (Op::IntDiv | Op::Mod, &[arg, divisor]) => {
            let divisor = store.int_value(divisor).filter(|divisor| !divisor.is_zero())?;
            Some((arg, Some(divisor.clone())))
        }
        _ => None,
    }
}

/// The polynomial of an arithmetic literal, `is_int` included.
pub(crate) fn polynomial(store: &Store, literal: TermId) -> Option<Linear> {
    match (store.op(literal), store.args(literal)) {
        (Op::Not, &[atom]) => polynomial(store, atom),
        (Op::IsInt, &[number]) => Some(Linear::of(store, number)),
        _ => Constraint::of(store, literal).map(|constraint| constraint.form),
    }
}

impl<'a> Flattener<'a> {
    /// Makes literals linear in these variables.
    pub(crate) fn new(values: &'a mut Valuation, variables: &[TermId]) -> Flattener<'a> {
        Flattener {
            values,
            mentions: Mentions::new(variables),
            constraints: Vec::new(),
            fresh: Vec::new(),
            forms: FxHashMap::default(),
            quotients: FxHashMap::default(),
        }
    }

    /// Adds a literal that is true in the model; `None` if it is no arithmetic literal.
    pub(crate) fn add(&mut self, store: &mut Store, literal: TermId) -> Option<()> {
        let (atom, value) = match store.op(literal) {
            Op::Not => (store.args(literal)[0], false),
            _ => (literal, true),
        };
        let constraint = match Constraint::of(store, literal) {
            Some(constraint) => constraint,
            None if store.op(atom) == Op::IsInt => {
                return self.add_is_int(store, store.args(atom)[0], value);
            }
            None => return None,
        };
        let form = self.resolve(store, constraint.form)?;
        self.push(store, Constraint::new(form, constraint.relation))
    }

    /// A real is an integer if it equals its integer part.
    fn add_is_int(&mut self, store: &mut Store, number: TermId, value: bool) -> Option<()> {
        let part = store.mk(Op::ToInt, &[number]);
        let part = self.resolve(store, Linear::atom(part))?;
        let mut form = self.resolve(store, Linear::of(store, number))?;
        form.add_scaled(&part, &Rat::MINUS_ONE);
        if value {
            self.push(store, Constraint::new(form, Relation::Equal))
        } else {
            self.push(store, Constraint::new(form.negated(), Relation::Below))
        }
    }

    /// Adds a constraint, of which the model's case is taken where it is a disjunction.
    fn push(&mut self, store: &Store, constraint: Constraint) -> Option<()> {
        let Constraint { mut form, mut relation } = constraint;
        let value = self.values.linear(store, &form)?;
        match relation {
            Relation::Different => {
                if value.is_positive() {
                    form.scale(&Rat::MINUS_ONE);
                }
                relation = Relation::Below;
            }
            Relation::NotMultiple(divisor) => {
                let rest = value.to_int()?.rem_euclid(&divisor)?;
                form.constant = &form.constant - &Rat::from(rest);
                relation = Relation::Multiple(divisor);
            }
            _ => {}
        }
        match Constraint::new(form, relation).normal(store) {
            Ok(constraint) => self.constraints.push(constraint),
            Err(truth) => debug_assert!(truth, "the literals are true in the model"),
        }
        Some(())
    }

    /// The polynomial with its atoms that are not linear in the variables replaced.
    fn resolve(&mut self, store: &mut Store, form: Linear) -> Option<Linear> {
        let mut stack: Vec<(TermId, bool)> =
            form.terms.iter().rev().map(|(atom, _)| (*atom, false)).collect();
        while let Some((atom, ready)) = stack.pop() {
            if self.forms.contains_key(&atom) || !self.mentions.any(store, atom) {
                continue;
            }
            let Some((arg, divisor)) = interpreted(store, atom) else { continue };
            if ready {
                let form = self.define(store, atom, arg, divisor)?;
                self.forms.insert(atom, form);
            } else {
                stack.push((atom, true));
                let below = Linear::of(store, arg);
                stack.extend(below.terms.iter().rev().map(|(atom, _)| (*atom, false)));
            }
        }
        Some(self.replace(&form))
    }

    /// The polynomial with the atoms replaced that have a polynomial of their own.
    fn replace(&self, form: &Linear) -> Linear {
        let mut result = Linear::constant(form.constant.clone());
        for (atom, coefficient) in &form.terms {
            match self.forms.get(atom) {
                Some(other) => result.add_scaled(other, coefficient),
                None => result.add_scaled(&Linear::atom(*atom), coefficient),
            }
        }
        result
    }

    /// The polynomial of an atom whose argument has one.
    fn define(
        &mut self,
        store: &mut Store,
        atom: TermId,
        arg: TermId,
        divisor: Option<Int>,
    ) -> Option<Linear> {
        let below = self.replace(&Linear::of(store, arg));
        if store.op(atom) == Op::Abs {
            let is_negative = self.values.linear(store, &below)?.is_negative();
            let absolute = if is_negative { below.negated() } else { below };
            self.push(store, Constraint::new(absolute.negated(), Relation::AtMost))?;
            return Some(absolute);
        }
        let divisor = divisor.unwrap_or(Int::ONE);
        let quotient = self.quotient(store, arg, &below, &divisor)?;
        if store.op(atom) != Op::Mod {
            return Some(Linear::atom(quotient));
        }
        let mut remainder = below;
        remainder.add_scaled(&Linear::atom(quotient), &-Rat::from(divisor));
        Some(remainder)
    }

    /// The variable for the quotient of a term, which has a polynomial.
    fn quotient(
        &mut self,
        store: &mut Store,
        arg: TermId,
        below: &Linear,
        divisor: &Int,
    ) -> Option<TermId> {
        let key = (arg, divisor.clone());
        if let Some(&quotient) = self.quotients.get(&key) {
            return Some(quotient);
        }
        let scaled = self.values.linear(store, below)?.checked_div(&Rat::from(divisor))?;
        // The remainder is never negative, so quotients by negative numbers are rounded up.
        let value = if divisor.is_negative() { scaled.ceil() } else { scaled.floor() };
        let quotient = store.fresh_var("quotient", SortId::INT);
        self.values.set(quotient, Value::Int(value));
        self.fresh.push(quotient);
        self.quotients.insert(key, quotient);
        let mut remainder = below.clone();
        remainder.add_scaled(&Linear::atom(quotient), &-Rat::from(divisor));
        self.push(store, Constraint::new(remainder.negated(), Relation::AtMost))?;
        remainder.constant = &remainder.constant - &Rat::from(divisor.abs());
        self.push(store, Constraint::new(remainder, Relation::Below))?;
        Some(quotient)
    }
}
