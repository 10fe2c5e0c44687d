//! What an implicant says about numbers, as a polyhedron.
//!
//! The literals of an implicant become equations and inequalities over *dimensions*: numbers, truth values
//! (as 0 and 1) and terms that are no sums, of which only little is known. Equations are solved, for
//! successors first, so that what is left are few inequalities over few dimensions, and the values of the
//! variables before and after the step as sums of dimensions. Over integers strict inequalities and
//! constants are rounded. What is no linear literal is left out: the polyhedron contains every step of the
//! implicant, and may contain more.

use crate::linear::Linear;
use alphorn_term::{Int, Model, Op, Rat, SortId, Store, TermId, Value, eval};
use std::collections::{BTreeMap, BTreeSet};

/// A polyhedron of steps, or of states.
#[derive(Clone, Debug, PartialEq)]
pub struct Polyhedron {
    /// Values, in the order in which they were asked for; over the dimensions.
    pub values: Vec<Linear>,
    /// What is not negative.
    pub rows: Vec<Linear>,
    /// The literals that it was made of.
    pub literals: Vec<TermId>,
}

/// Equations and inequalities before equations are solved.
struct System<'a> {
    store: &'a mut Store,
    /// Forms that are zero.
    equations: Vec<Linear>,
    /// Forms that are not negative, or positive if the flag is set.
    inequalities: Vec<(Linear, bool)>,
    /// Terms whose meaning has been said.
    known: BTreeSet<TermId>,
    /// What was solved, in order.
    solved: Vec<(TermId, Linear)>,
}

impl Polyhedron {
    /// What literals, true in the model, say; with the values of `asked`, which are variables. Equations
    /// are solved for variables of `first` before others.
    pub fn new(
        store: &mut Store,
        literals: &[TermId],
        model: &Model,
        asked: &[TermId],
        first: &BTreeSet<TermId>,
    ) -> Polyhedron {
        let mut system = System {
            store,
            equations: Vec::new(),
            inequalities: Vec::new(),
            known: BTreeSet::new(),
            solved: Vec::new(),
        };
        for &literal in literals {
            system.add(literal, model);
        }
        system.say_meanings(asked);
        let found = system.finish(asked, first);
        Polyhedron { literals: literals.to_vec(), ..found }
    }
}

impl System<'_> {
    fn add(&mut self, literal: TermId, model: &Model) {
        let (atom, is_true) = match (self.store.op(literal), self.store.args(literal)) {
            (Op::Not, &[atom]) => (atom, false),
            _ => (literal, true),
        };
        let args = self.store.args(atom).to_vec();
        match (self.store.op(atom), &args[..]) {
            (Op::Le, &[left, right]) if is_true => self.at_most(left, right, false),
            (Op::Le, &[left, right]) => self.at_most(right, left, true),
            (Op::Lt, &[left, right]) if is_true => self.at_most(left, right, true),
            (Op::Lt, &[left, right]) => self.at_most(right, left, false),
            (Op::Eq, &[left, right]) if self.store.sort(left).is_arithmetic() => {
                if is_true {
                    self.equations.push(Linear::difference(self.store, left, right));
                    return;
                }
                // The model says on which side of the equation the step is.
                let is_less = self.store.lt(left, right);
                match eval(self.store, is_less, model) {
                    Ok(Value::Bool(true)) => self.at_most(left, right, true),
                    Ok(Value::Bool(false)) => self.at_most(right, left, true),
                    _ => {}
                }
            }
            (Op::Distinct, args) if is_true && self.store.sort(args[0]).is_arithmetic() => {
                for (at, &left) in args.iter().enumerate() {
                    for &right in &args[at + 1..] {
                        let same = self.store.eq(left, right);
                        let differs = self.store.not(same);
                        self.add(differs, model);
                    }
                }
            }
            (Op::Var(_), _) => {
                let mut form = Linear::atom(atom);
                form.constant = if is_true { Rat::MINUS_ONE } else { Rat::ZERO };
                self.equations.push(form);
            }
            _ => {}
        }
    }

    fn at_most(&mut self, left: TermId, right: TermId, is_strict: bool) {
        let form = Linear::difference(self.store, right, left);
        self.inequalities.push((form, is_strict));
    }

    /// Says what is known of the dimensions that are no numbers of their own.
    fn say_meanings(&mut self, asked: &[TermId]) {
        let forms = self.equations.iter().chain(self.inequalities.iter().map(|(form, _)| form));
        let mut open: Vec<TermId> =
            forms.flat_map(|form| form.terms.iter().map(|(atom, _)| *atom)).collect();
        open.extend(asked.iter().filter(|&&var| self.store.sort(var) == SortId::BOOL));
        while let Some(atom) = open.pop() {
            if !self.known.insert(atom) {
                continue;
            }
            let args = self.store.args(atom).to_vec();
            let one = Linear::constant(Rat::ONE);
            match (self.store.op(atom), &args[..]) {
                (Op::Var(_), _) if self.store.sort(atom) == SortId::BOOL => {
                    self.inequalities.push((Linear::atom(atom), false));
                    let mut most = one;
                    most.add_scaled(&Linear::atom(atom), &Rat::MINUS_ONE);
                    self.inequalities.push((most, false));
                }
                (Op::IntDiv | Op::Mod, &[number, divisor]) => {
                    let Some(by) = self.store.int_value(divisor).cloned() else { continue };
                    if by.is_zero() {
                        continue;
                    }
                    let quotient = self.store.mk(Op::IntDiv, &[number, divisor]);
                    let rest = self.store.mk(Op::Mod, &[number, divisor]);
                    self.known.extend([quotient, rest]);
                    let mut form = Linear::of(self.store, number);
                    open.extend(form.terms.iter().map(|(atom, _)| *atom));
                    form.add_scaled(&Linear::of(self.store, quotient), &-Rat::from(&by));
                    form.add_scaled(&Linear::of(self.store, rest), &Rat::MINUS_ONE);
                    self.equations.push(form);
                    let rest = Linear::of(self.store, rest);
                    let mut most = Linear::constant(Rat::from(by.abs() - Int::ONE));
                    most.add_scaled(&rest, &Rat::MINUS_ONE);
                    self.inequalities.extend([(rest, false), (most, false)]);
                }
                (Op::Abs, &[number]) => {
                    let form = Linear::of(self.store, number);
                    open.extend(form.terms.iter().map(|(atom, _)| *atom));
                    for sign in [Rat::ONE, Rat::MINUS_ONE] {
                        let mut most = Linear::atom(atom);
                        most.add_scaled(&form, &sign);
                        self.inequalities.push((most, false));
                    }
                }
                (Op::ToInt, &[number]) => {
                    let mut above = Linear::of(self.store, number);
                    open.extend(above.terms.iter().map(|(atom, _)| *atom));
                    above.add_scaled(&Linear::atom(atom), &Rat::MINUS_ONE);
                    let mut below = one;
                    below.add_scaled(&above, &Rat::MINUS_ONE);
                    self.inequalities.extend([(above, false), (below, true)]);
                }
                (Op::Mul, &[left, right]) if left == right => {
                    self.inequalities.push((Linear::atom(atom), false));
                }
                (Op::UbvToInt, _) => self.inequalities.push((Linear::atom(atom), false)),
                _ => {}
            }
        }
    }

    fn finish(mut self, asked: &[TermId], first: &BTreeSet<TermId>) -> Polyhedron {
        let mut rows: BTreeMap<Vec<(TermId, Rat)>, Rat> = BTreeMap::new();
        loop {
            self.solve(first);
            rows.clear();
            for (form, is_strict) in std::mem::take(&mut self.inequalities) {
                let form = self.substituted(form);
                let Some(form) = self.rounded(form, is_strict) else { continue };
                let least = rows.entry(form.terms).or_insert_with(|| form.constant.clone());
                if form.constant < *least {
                    *least = form.constant;
                }
            }
            // Two inequalities may say that a form is zero.
            for (terms, constant) in &rows {
                let form = Linear { constant: constant.clone(), terms: terms.clone() };
                let opposite = form.negated();
                if terms[0].1.is_positive() && rows.get(&opposite.terms) == Some(&opposite.constant)
                {
                    self.equations.push(form);
                }
            }
            if self.equations.is_empty() {
                break;
            }
            let form = |(terms, constant)| (Linear { constant, terms }, false);
            self.inequalities = std::mem::take(&mut rows).into_iter().map(form).collect();
        }
        let value = |&var: &TermId| {
            let is_number = self.store.sort(var).is_arithmetic();
            let is_dimension = is_number || self.store.sort(var) == SortId::BOOL;
            match is_dimension {
                true => self.substituted(Linear::atom(var)),
                false => Linear::default(),
            }
        };
        let values = asked.iter().map(value).collect();
        let rows = rows.into_iter().map(|(terms, constant)| Linear { constant, terms });
        Polyhedron { values, rows: rows.collect(), literals: Vec::new() }
    }

    /// Solves the equations, each for the dimension that suits best.
    fn solve(&mut self, first: &BTreeSet<TermId>) {
        let mut open = std::mem::take(&mut self.equations);
        open.reverse();
        while let Some(form) = open.pop() {
            let form = self.substituted(form);
            let suits = |(atom, value): &(TermId, Rat)| {
                let is_exact = value.abs().is_one() || self.store.sort(*atom) == SortId::REAL;
                let is_var = matches!(self.store.op(*atom), Op::Var(_));
                (!is_exact, !first.contains(atom), is_var, *atom)
            };
            let factor = form.primitive_factor();
            let mut scaled = form.clone();
            scaled.scale(&factor);
            let Some(&(atom, _)) = scaled.terms.iter().min_by_key(|term| suits(term)) else {
                continue;
            };
            let (factor, mut rest) = form.split(atom);
            let Some(inverse) = factor.recip() else { continue };
            rest.scale(&-inverse);
            for (_, value) in &mut self.solved {
                let (factor, mut other) = value.split(atom);
                other.add_scaled(&rest, &factor);
                *value = other;
            }
            self.solved.push((atom, rest));
        }
    }

    fn substituted(&self, mut form: Linear) -> Linear {
        for (atom, value) in &self.solved {
            let (factor, mut rest) = form.split(*atom);
            if !factor.is_zero() {
                rest.add_scaled(value, &factor);
                form = rest;
            }
        }
        form
    }

    /// An inequality with coprime coefficients, and for integers with a constant as small as possible; none
    /// if it has no dimension.
    fn rounded(&self, mut form: Linear, is_strict: bool) -> Option<Linear> {
        if form.is_constant() {
            return None;
        }
        let factor = form.primitive_factor();
        form.scale(&factor);
        let is_integer = |atom: TermId| self.store.sort(atom) != SortId::REAL;
        if form.terms.iter().all(|(atom, _)| is_integer(*atom)) {
            form.constant = Rat::from(match is_strict {
                true => form.constant.ceil() - Int::ONE,
                false => form.constant.floor(),
            });
        }
        Some(form)
    }
}
