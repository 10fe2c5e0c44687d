//! Projection of an integer variable from linear constraints and divisibilities.
//!
//! An equation c*x = t is solved exactly: c divides t, and the other constraints are multiplied by
//! c to have t in them. Without an equation, the divisibilities are joined into one. It repeats
//! with a period D as x grows. Let b*x >= s be the greatest lower bound in the model. If from there
//! to the upper bounds, in the model, is room for b*D values of b*x, then that is stated, and some
//! x in there has the right remainder if any x has (the Omega test's dark shadow). Otherwise let r
//! be the remainder of the model's x by D: the least x with remainder r that the bound admits is
//! (s + j)/b for one j below b*D, and the model's j is taken. That it is the right one is a
//! divisibility, and the point is put into the other constraints. All are one of finitely many
//! cases. With unit coefficients and no divisibilities this is resolution.
//!
//! After Cooper (1972) and Pugh (1991), guided by a model as in Bjørner and Janota (LPAR 2015).
//! Reals that are not projected may occur next to integer variables: only their integer part
//! matters, which `separate_reals` names.

use super::constraint::{Constraint, Relation, bezout};
use super::reals::{keep, take_touching};
use super::valuation::Valuation;
use crate::linear::Linear;
use alphorn_term::{Int, Op, Rat, Sort, SortId, Store, TermId};

/// How good it is to project a variable first: exact steps before splits, few constraints first.
pub(crate) fn cost(constraints: &[Constraint], variable: TermId) -> (u32, usize) {
    let (mut lower, mut upper, mut kind) = (0usize, 0usize, 1);
    let (mut unit_lower, mut unit_upper, mut has_period) = (true, true, false);
    for constraint in constraints {
        let coefficient = constraint.form.coefficient(variable);
        if coefficient.is_zero() {
            continue;
        }
        let is_unit = coefficient.abs().is_one();
        match constraint.relation {
            Relation::Equal if is_unit => return (0, 0),
            Relation::Equal => kind = kind.max(2),
            Relation::Multiple(_) => has_period = true,
            _ if coefficient.is_positive() => {
                upper += 1;
                unit_upper &= is_unit;
            }
            _ => {
                lower += 1;
                unit_lower &= is_unit;
            }
        }
    }
    let is_bounded = lower > 0 && upper > 0;
    if has_period || (is_bounded && !unit_lower && !unit_upper) {
        kind = 3;
    }
    (kind, lower * upper)
}

/// Replaces a constraint in which integers and reals meet by constraints over integers; the real
/// part becomes an atom, the integer part of a real.
pub(crate) fn separate_reals(store: &mut Store, constraint: Constraint) -> Vec<Constraint> {
    if constraint.form.is_over_integers(store) {
        return vec![constraint];
    }
    let mut scale = Int::ONE;
    let mut form = constraint.form;
    let is_int = |store: &Store, atom: TermId| *store.sort_of(store.sort(atom)) == Sort::Int;
    for (atom, coefficient) in &form.terms {
        if is_int(store, *atom) {
            scale = scale.lcm(&coefficient.denominator());
        }
    }
    form.scale(&Rat::from(scale));
    let mut reals = Linear::constant(std::mem::take(&mut form.constant));
    let (integral, real) = form.terms.into_iter().partition(|(atom, _)| is_int(store, *atom));
    (form.terms, reals.terms) = (integral, real);
    let mut result = Vec::new();
    match constraint.relation {
        // I + R <= 0 if I <= floor(-R).
        Relation::AtMost => {
            let floor = floor_of(store, &reals.negated());
            form.add_scaled(&floor, &Rat::MINUS_ONE);
            result.push(Constraint::new(form, Relation::AtMost));
        }
        // I + R < 0 if I + floor(R) < 0.
        Relation::Below => {
            let floor = floor_of(store, &reals);
            form.add_scaled(&floor, &Rat::ONE);
            result.push(Constraint::new(form, Relation::Below));
        }
        _ => {
            let floor = floor_of(store, &reals);
            let mut rest = reals;
            rest.add_scaled(&floor, &Rat::MINUS_ONE);
            result.push(Constraint::new(rest, Relation::Equal));
            form.add_scaled(&floor, &Rat::ONE);
            result.push(Constraint::new(form, Relation::Equal));
        }
    }
    let normal = result.into_iter().filter_map(|constraint| constraint.normal(store).ok());
    normal.collect()
}

/// The integer part of a polynomial.
fn floor_of(store: &mut Store, form: &Linear) -> Linear {
    let number = form.to_term(store, SortId::REAL);
    let floor = store.mk(Op::ToInt, &[number]);
    Linear::of(store, floor)
}

/// A constraint on x: `coefficient * x + rest` compares with zero.
struct Part {
    coefficient: Rat,
    rest: Linear,
    relation: Relation,
}

/// Replaces the constraints on an integer variable by their projection; all are over integers and
/// hold in the model.
pub(crate) fn project_integer(
    store: &Store,
    constraints: &mut Vec<Constraint>,
    variable: TermId,
    values: &mut Valuation,
) -> Option<()> {
    let mut parts: Vec<Part> = take_touching(constraints, variable)
        .into_iter()
        .map(|constraint| {
            let (coefficient, rest) = constraint.form.split(variable);
            Part { coefficient, rest, relation: constraint.relation }
        })
        .collect();
    let equations = parts.iter().enumerate();
    let equation = equations
        .filter(|(_, part)| part.relation == Relation::Equal)
        .min_by_key(|(_, part)| part.coefficient.abs());
    if let Some((place, _)) = equation {
        let equation = parts.remove(place);
        solve(store, constraints, equation, &parts);
        return Some(());
    }
    let mut value = values.number(store, variable)?.to_int()?;
    let mut congruence = Congruence::trivial();
    let mut bounds = Vec::with_capacity(parts.len());
    for part in parts {
        match part.relation {
            Relation::Multiple(divisor) => {
                let other = Congruence {
                    divisor,
                    coefficient: part.coefficient.to_int()?,
                    rest: part.rest,
                };
                congruence = congruence.join(other, store, constraints)?;
            }
            _ => bounds.push(part),
        }
    }
    if !from_below(&bounds) {
        // Bounds on -x, in which upper bounds are lower ones.
        bounds.iter_mut().for_each(|part| part.coefficient = -&part.coefficient);
        congruence.coefficient = -congruence.coefficient;
        value = -value;
    }
    test_point(store, constraints, &bounds, &congruence, &value, values)
}

/// Whether the side of lower bounds gives fewer cases than that of upper bounds.
fn from_below(bounds: &[Part]) -> bool {
    let side = |is_lower: bool| {
        let side = bounds.iter().filter(move |part| part.coefficient.is_negative() == is_lower);
        let cases = side.clone().fold(Rat::ZERO, |sum, part| sum + part.coefficient.abs());
        (cases, side.count())
    };
    side(true) <= side(false)
}

/// Projects with an equation.
fn solve(store: &Store, constraints: &mut Vec<Constraint>, equation: Part, others: &[Part]) {
    // c*x + t = 0 with c > 0, so c times (a*x + w) is c*w - a*t.
    let Part { coefficient, mut rest, .. } = equation;
    if coefficient.is_negative() {
        rest.scale(&Rat::MINUS_ONE);
    }
    let scale = coefficient.abs();
    let divisor = scale.numerator();
    if !divisor.is_one() {
        let divides = Constraint::new(rest.clone(), Relation::Multiple(divisor.clone()));
        keep(store, constraints, divides);
    }
    for part in others {
        let mut form = part.rest.clone();
        form.scale(&scale);
        form.add_scaled(&rest, &-&part.coefficient);
        let relation = match &part.relation {
            Relation::Multiple(other) => Relation::Multiple(other * &divisor),
            relation => relation.clone(),
        };
        keep(store, constraints, Constraint::new(form, relation));
    }
}

/// The claim that `divisor` divides `coefficient * x + rest`.
struct Congruence {
    divisor: Int,
    coefficient: Int,
    rest: Linear,
}

impl Congruence {
    fn trivial() -> Congruence {
        Congruence { divisor: Int::ONE, coefficient: Int::ONE, rest: Linear::default() }
    }

    /// After how many steps of x the claim repeats.
    fn period(&self) -> Int {
        let common = self.divisor.gcd(&self.coefficient);
        self.divisor.div_exact(&common).unwrap_or(Int::ONE)
    }

    /// One claim for two, and a constraint without x: for g = p*a*n + q*b*m, the greatest common
    /// divisor of a*n and b*m, that m divides a*x + s and n divides b*x + t says the same as that
    /// m*n divides g*x + p*n*s + q*m*t and g divides b*s - a*t.
    fn join(
        self,
        other: Congruence,
        store: &Store,
        constraints: &mut Vec<Constraint>,
    ) -> Option<Congruence> {
        if self.divisor.is_one() {
            return Some(other);
        }
        let (m, n) = (&self.divisor, &other.divisor);
        let (a, b) = (self.coefficient.rem_euclid(m)?, other.coefficient.rem_euclid(n)?);
        let (common, p, q) = bezout(&(&a * n), &(&b * m));
        let mut difference = self.rest.clone();
        difference.scale(&Rat::from(&b));
        difference.add_scaled(&other.rest, &-Rat::from(&a));
        keep(store, constraints, Constraint::new(difference, Relation::Multiple(common.clone())));
        let mut rest = self.rest.clone();
        rest.scale(&Rat::from(&p * n));
        rest.add_scaled(&other.rest, &Rat::from(&q * m));
        let mut divisor = m * n;
        // Numbers stay small where everything has a common divisor.
        let mut shared = divisor.gcd(&common).gcd(&rest.constant.numerator());
        for (_, coefficient) in &rest.terms {
            shared = shared.gcd(&coefficient.numerator());
        }
        divisor = divisor.div_exact(&shared)?;
        rest.scale(&Rat::from(&shared).recip()?);
        Some(Congruence { divisor, coefficient: common.div_exact(&shared)?, rest })
    }

    /// States the claim for an x with this remainder, or that there is such an x at all.
    fn state(&self, store: &Store, constraints: &mut Vec<Constraint>, remainder: Option<&Rat>) {
        let mut form = self.rest.clone();
        let divisor = match remainder {
            Some(remainder) => {
                form.constant.mul_add_assign(&Rat::from(&self.coefficient), remainder);
                self.divisor.clone()
            }
            None => self.divisor.gcd(&self.coefficient),
        };
        keep(store, constraints, Constraint::new(form, Relation::Multiple(divisor)));
    }
}

/// Projects bounds and a congruence, taking the lower bounds' side.
fn test_point(
    store: &Store,
    constraints: &mut Vec<Constraint>,
    bounds: &[Part],
    congruence: &Congruence,
    value: &Int,
    values: &mut Valuation,
) -> Option<()> {
    let (lower, upper): (Vec<&Part>, Vec<&Part>) =
        bounds.iter().partition(|part| part.coefficient.is_negative());
    let mut chosen: Option<(Rat, usize)> = None;
    for (place, part) in lower.iter().enumerate() {
        let at = -values.linear(store, &part.rest)?.checked_div(&part.coefficient)?;
        if chosen.as_ref().is_none_or(|(best, _)| at > *best) {
            chosen = Some((at, place));
        }
    }
    let (Some((_, chosen)), false) = (chosen, upper.is_empty()) else {
        congruence.state(store, constraints, None);
        return Some(());
    };
    let others: Vec<&Part> =
        lower.iter().enumerate().filter(|(place, _)| *place != chosen).map(|(_, p)| *p).collect();
    let period = congruence.period();
    let factor = lower[chosen].coefficient.abs();
    let stride = &factor * &Rat::from(&period);
    let greatest = Lower { factor, at: lower[chosen].rest.clone(), stride };
    if greatest.leave_room(store, constraints, &others, &upper, values)? {
        congruence.state(store, constraints, None);
        return Some(());
    }
    let remainder = Rat::from(value.rem_euclid(&period)?);
    congruence.state(store, constraints, Some(&remainder));
    greatest.put_point(store, constraints, &others, &upper, &remainder, values)
}

/// The lower bound `factor * x >= at`, in steps of `stride`.
struct Lower {
    factor: Rat,
    at: Linear,
    stride: Rat,
}

impl Lower {
    /// States, if the model agrees, that between this bound and the upper ones there is room for
    /// an x with any remainder.
    fn leave_room(
        &self,
        store: &Store,
        constraints: &mut Vec<Constraint>,
        others: &[&Part],
        upper: &[&Part],
        values: &mut Valuation,
    ) -> Option<bool> {
        let last = &self.stride - &Rat::ONE;
        let wide: Vec<Constraint> = upper.iter().map(|part| self.put(part, &last)).collect();
        for constraint in &wide {
            if !constraint.admits(&values.linear(store, &constraint.form)?) {
                return Some(false);
            }
        }
        others.iter().for_each(|part| keep(store, constraints, self.put(part, &Rat::ZERO)));
        wide.into_iter().for_each(|constraint| keep(store, constraints, constraint));
        Some(true)
    }

    /// States that the model's point from this bound upwards satisfies the others.
    fn put_point(
        &self,
        store: &Store,
        constraints: &mut Vec<Constraint>,
        others: &[&Part],
        upper: &[&Part],
        remainder: &Rat,
        values: &mut Valuation,
    ) -> Option<()> {
        let base = &self.factor * remainder;
        let at = values.linear(store, &self.at)?;
        let stride = self.stride.numerator();
        let offset = Rat::from((&base - &at).to_int()?.rem_euclid(&stride)?);
        let mut position = self.at.clone();
        position.constant = &(&position.constant + &offset) - &base;
        keep(store, constraints, Constraint::new(position, Relation::Multiple(stride)));
        for part in others.iter().chain(upper) {
            keep(store, constraints, self.put(part, &offset));
        }
        Some(())
    }

    /// A bound at the point x = (at + offset) / factor, multiplied by `factor`.
    fn put(&self, part: &Part, offset: &Rat) -> Constraint {
        let mut form = part.rest.clone();
        form.scale(&self.factor);
        form.add_scaled(&self.at, &part.coefficient);
        form.constant.mul_add_assign(&part.coefficient, offset);
        Constraint::new(form, part.relation.clone())
    }
}
