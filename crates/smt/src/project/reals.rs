//! Projection of a real variable from linear constraints.
//!
//! An equation is solved for the variable. Without one, the constraints are lower and upper bounds,
//! and a value exists exactly if each lower bound fits each upper one. The greatest lower bound in
//! the model is taken: that it is the greatest one, and fits all upper bounds, says the same in
//! one of finitely many cases. (From the side of upper bounds if there are fewer of them.)
//!
//! After Loos and Weispfenning (Computer Journal 1993), guided by a model as in Komuravelli,
//! Gurfinkel, Chaki (CAV 2014); stated as resolution, so no infinitesimals appear.

use super::constraint::{Constraint, Relation};
use super::valuation::Valuation;
use crate::linear::Linear;
use alphorn_term::{Rat, Store, TermId};

/// A bound: the polynomial it is at, and whether it is strict.
struct Bound {
    at: Linear,
    value: Rat,
    is_strict: bool,
}

/// How many constraints the projection of a variable leaves, about; less for equations.
pub(crate) fn cost(constraints: &[Constraint], variable: TermId) -> usize {
    let (mut lower, mut upper) = (0, 0);
    for constraint in constraints {
        let coefficient = constraint.form.coefficient(variable);
        if coefficient.is_zero() {
            continue;
        }
        match constraint.relation {
            Relation::Equal => return 0,
            _ if coefficient.is_positive() => upper += 1,
            _ => lower += 1,
        }
    }
    1 + lower * upper
}

/// Replaces the constraints on a real variable by their projection; all hold in the model.
pub(crate) fn project_real(
    store: &Store,
    constraints: &mut Vec<Constraint>,
    variable: TermId,
    values: &mut Valuation,
) -> Option<()> {
    let touching = take_touching(constraints, variable);
    let equation = touching.iter().find(|constraint| constraint.relation == Relation::Equal);
    if let Some(equation) = equation {
        let (coefficient, rest) = equation.form.split(variable);
        let factor = -coefficient.recip()?;
        for constraint in &touching {
            let (coefficient, mut form) = constraint.form.split(variable);
            form.add_scaled(&rest, &(&coefficient * &factor));
            keep(store, constraints, Constraint::new(form, constraint.relation.clone()));
        }
        return Some(());
    }
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    for constraint in touching {
        let (coefficient, mut at) = constraint.form.split(variable);
        at.scale(&-coefficient.recip()?);
        let value = values.linear(store, &at)?;
        let is_strict = constraint.relation == Relation::Below;
        let side = if coefficient.is_negative() { &mut lower } else { &mut upper };
        side.push(Bound { at, value, is_strict });
    }
    if lower.is_empty() || upper.is_empty() {
        return Some(());
    }
    let from_below = lower.len() <= upper.len();
    let (mine, theirs) = if from_below { (lower, upper) } else { (upper, lower) };
    resolve(store, constraints, &mine, &theirs, from_below);
    Some(())
}

/// States that the model's tightest bound of one side is the tightest, and fits the other side.
fn resolve(
    store: &Store,
    constraints: &mut Vec<Constraint>,
    mine: &[Bound],
    theirs: &[Bound],
    from_below: bool,
) {
    let tightness = |bound: &Bound| {
        let value = if from_below { bound.value.clone() } else { -&bound.value };
        (value, bound.is_strict)
    };
    let mut chosen = 0;
    for (place, bound) in mine.iter().enumerate() {
        if tightness(bound) > tightness(&mine[chosen]) {
            chosen = place;
        }
    }
    let tightest = &mine[chosen];
    let mut state = |least: &Linear, greatest: &Linear, is_strict: bool| {
        let mut form = least.clone();
        form.add_scaled(greatest, &Rat::MINUS_ONE);
        let relation = if is_strict { Relation::Below } else { Relation::AtMost };
        keep(store, constraints, Constraint::new(form, relation));
    };
    for (place, bound) in mine.iter().enumerate() {
        if place != chosen {
            // A bound that is not strict must not coincide with a strict one and stand for it.
            let is_strict = bound.is_strict && !tightest.is_strict;
            let (least, greatest) =
                if from_below { (&bound.at, &tightest.at) } else { (&tightest.at, &bound.at) };
            state(least, greatest, is_strict);
        }
    }
    for bound in theirs {
        let is_strict = bound.is_strict || tightest.is_strict;
        let (least, greatest) =
            if from_below { (&tightest.at, &bound.at) } else { (&bound.at, &tightest.at) };
        state(least, greatest, is_strict);
    }
}

/// Takes the constraints that mention a variable as an atom.
pub(crate) fn take_touching(
    constraints: &mut Vec<Constraint>,
    variable: TermId,
) -> Vec<Constraint> {
    let (touching, others) = std::mem::take(constraints)
        .into_iter()
        .partition(|constraint| !constraint.form.coefficient(variable).is_zero());
    *constraints = others;
    touching
}

/// Adds a constraint that holds in the model, in normal form, unless it is there or always holds.
pub(crate) fn keep(store: &Store, constraints: &mut Vec<Constraint>, constraint: Constraint) {
    match constraint.normal(store) {
        Ok(constraint) if constraints.contains(&constraint) => {}
        Ok(constraint) => constraints.push(constraint),
        Err(truth) => debug_assert!(truth, "projections hold in the model"),
    }
}
