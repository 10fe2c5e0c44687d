//! Projection of an integer variable from linear constraints and divisibilities.
//!
//! An equation c*x = t is solved exactly: c divides t, and the other constraints are multiplied by
//! c to have t in them. Without an equation, let D be the period with which the divisibilities
//! repeat as x grows, and r the remainder of the model's x by D; the divisibilities are stated for
//! r. Let b*x >= s be the greatest lower bound in the model. The least x that it admits with
//! remainder r is (s + j)/b for one j below b*D. If even j = b*D - 1 fits all upper bounds in the
//! model, that is stated (an Omega test's dark shadow); otherwise the model's j is taken: that it
//! is the right one is a divisibility, and the point is put into the other bounds. Both are one of
//! finitely many cases. With unit coefficients and no divisibilities this is resolution.
//!
//! After Cooper (1972) and Pugh (1991), guided by a model as in Bjørner and Janota (LPAR 2015).
//! Reals that are not projected may occur next to integer variables: only their integer part
//! matters, which `separate_reals` names.

use super::constraint::{Constraint, Relation};
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
    let (modular, mut bounds): (Vec<Part>, Vec<Part>) =
        parts.into_iter().partition(|part| matches!(part.relation, Relation::Multiple(_)));
    if !from_below(&bounds) {
        // Bounds on -x, in which upper bounds are lower ones.
        bounds.iter_mut().for_each(|part| part.coefficient = -&part.coefficient);
        value = -value;
        let modular: Vec<Part> = modular
            .into_iter()
            .map(|part| Part { coefficient: -&part.coefficient, ..part })
            .collect();
        return test_point(store, constraints, &bounds, &modular, &value, values);
    }
    test_point(store, constraints, &bounds, &modular, &value, values)
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

/// Projects bounds and divisibilities, taking the lower bounds' side.
fn test_point(
    store: &Store,
    constraints: &mut Vec<Constraint>,
    bounds: &[Part],
    modular: &[Part],
    value: &Int,
    values: &mut Valuation,
) -> Option<()> {
    let mut period = Int::ONE;
    for part in modular {
        if let Relation::Multiple(divisor) = &part.relation {
            let common = divisor.gcd(&part.coefficient.numerator());
            period = period.lcm(&divisor.div_exact(&common)?);
        }
    }
    let remainder = Rat::from(value.rem_euclid(&period)?);
    for part in modular {
        let mut form = part.rest.clone();
        form.constant.mul_add_assign(&part.coefficient, &remainder);
        keep(store, constraints, Constraint::new(form, part.relation.clone()));
    }
    let (lower, upper): (Vec<&Part>, Vec<&Part>) =
        bounds.iter().partition(|part| part.coefficient.is_negative());
    if lower.is_empty() || upper.is_empty() {
        return Some(());
    }
    let mut chosen: Option<(Rat, usize)> = None;
    for (place, part) in lower.iter().enumerate() {
        let at = -values.linear(store, &part.rest)?.checked_div(&part.coefficient)?;
        if chosen.as_ref().is_none_or(|(best, _)| at > *best) {
            chosen = Some((at, place));
        }
    }
    let (_, chosen) = chosen?;
    let others: Vec<&Part> =
        lower.iter().enumerate().filter(|(place, _)| *place != chosen).map(|(_, p)| *p).collect();
    let greatest = Lower {
        factor: lower[chosen].coefficient.abs(),
        at: lower[chosen].rest.clone(),
        stride: &lower[chosen].coefficient.abs() * &Rat::from(period),
    };
    greatest.resolve(store, constraints, &others, &upper, &remainder, values)
}

/// The lower bound `factor * x >= at`, in steps of `stride`.
struct Lower {
    factor: Rat,
    at: Linear,
    stride: Rat,
}

impl Lower {
    /// States that a point from this bound upwards satisfies the others.
    fn resolve(
        &self,
        store: &Store,
        constraints: &mut Vec<Constraint>,
        others: &[&Part],
        upper: &[&Part],
        remainder: &Rat,
        values: &mut Valuation,
    ) -> Option<()> {
        let last = &self.stride - &Rat::ONE;
        let wide: Vec<Constraint> = upper.iter().map(|part| self.put(part, &last)).collect();
        let mut fits = true;
        for constraint in &wide {
            fits &= constraint.admits(&values.linear(store, &constraint.form)?);
        }
        if fits {
            others.iter().for_each(|part| keep(store, constraints, self.put(part, &Rat::ZERO)));
            wide.into_iter().for_each(|constraint| keep(store, constraints, constraint));
            return Some(());
        }
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
