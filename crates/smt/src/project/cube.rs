//! Model-based projection of conjunctions of literals.
//!
//! Given literals that are true in a model, and variables, the result is literals without the
//! variables that are true in the model and imply that values for the variables exist. For one
//! set of literals and variables there are finitely many results, over all models.
//!
//! Equations that determine a variable are used first, on terms, so that a variable also leaves
//! the arguments of functions. Array variables leave reads behind (`arrays`), and these variables
//! for elements; datatype variables leave variables for fields (`trees`). Words are replaced by terms
//! that they are compared with, or by their values (`words`), truth values by their values. Then
//! arithmetic literals are flattened (`flatten`) and reals (`reals`) and integers (`integers`)
//! are eliminated. A variable that remains below an operator that is none of Booleans or linear
//! arithmetic cannot be projected this way; it is kept, and the result says so.

use super::arrays::project_arrays;
use super::constraint::Constraint;
use super::flatten::{Flattener, interpreted, polynomial};
use super::implicant::implicant_in;
use super::mentions::{Mentions, symbols};
use super::trees::project_trees;
use super::valuation::Valuation;
use super::words::{self, project_words};
use super::{integers, reals};
use crate::linear::Linear;
use alphorn_term::{Model, Op, Sort, SortId, Store, Substitution, TermId, Value};
use rustc_hash::FxHashSet;

/// What is left of a conjunction without some variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Projection {
    /// Literals that hold in the model and imply that values for the variables exist.
    pub literals: Vec<TermId>,
    /// The variables that are still in the literals: they are below operators that projection
    /// does not know.
    pub kept: Vec<TermId>,
}

impl Projection {
    /// The literals with the model's values for the variables that were kept: they imply the
    /// literals, but there may be infinitely many such results. `None` where values have no terms.
    pub fn with_values(&self, store: &mut Store, model: &Model) -> Option<Vec<TermId>> {
        let mut values = Valuation::new(model);
        let mut map = Substitution::default();
        for &variable in &self.kept {
            let value = values.value(store, variable)?;
            map.insert(variable, store.value_term(&value)?);
        }
        let mut literals = store.substitute_all(&self.literals, &map);
        literals.retain(|&literal| literal != TermId::TRUE);
        Some(literals)
    }
}

/// Literals without the variables, true in the model, that imply that there are values for the
/// variables which make the given literals true; `None` if the model does not make them true.
///
/// The literals may be any formulas: their implicant in the model is taken first.
pub fn project(
    store: &mut Store,
    literals: &[TermId],
    variables: &[TermId],
    model: &Model,
) -> Option<Projection> {
    let mut values = Valuation::new(model);
    let mut mentions = Mentions::new(variables);
    let (touched, mut result): (Vec<TermId>, Vec<TermId>) =
        literals.iter().partition(|&&literal| mentions.any(store, literal));
    for &literal in &result {
        if values.holds(store, literal) != Some(true) {
            return None;
        }
    }
    let mut touched = implicant_in(store, &touched, &mut values)?;
    solve_equations(store, &mut touched, variables);
    let mut all = variables.to_vec();
    all.extend(project_trees(store, &mut touched, &all, &mut values)?);
    let elements = project_arrays(store, &mut touched, &all, &mut values)?;
    if !elements.is_empty() {
        all.extend(elements);
        // Elements of arrays may be trees.
        all.extend(project_trees(store, &mut touched, &all, &mut values)?);
    }
    let (asked, fresh) = (variables, &all[variables.len()..]);
    let variables = &all[..];
    project_words(store, &mut touched, variables, &mut values)?;
    substitute_finite(store, &mut touched, variables, &mut values)?;
    substitute_opaque(store, &mut touched, fresh, &mut values)?;
    let mut mentions = Mentions::new(variables);
    let (touched, free): (Vec<TermId>, Vec<TermId>) =
        touched.into_iter().partition(|&literal| mentions.any(store, literal));
    result.extend(free);
    let kept = opaque(store, &touched, &mut mentions);
    let mut active: Vec<TermId> = Vec::new();
    for &variable in variables {
        if !kept.contains(&variable) && !active.contains(&variable) {
            active.push(variable);
        }
    }
    let mut mentions = Mentions::new(&active);
    let (touched, opaque): (Vec<TermId>, Vec<TermId>) =
        touched.into_iter().partition(|&literal| mentions.any(store, literal));
    result.extend(opaque);
    let mut flattener = Flattener::new(&mut values, &active);
    for literal in touched {
        flattener.add(store, literal)?;
    }
    let mut constraints = std::mem::take(&mut flattener.constraints);
    active.append(&mut flattener.fresh);
    eliminate(store, &mut constraints, active, &mut values)?;
    result.extend(constraints.iter().map(|constraint| constraint.to_term(store)));
    let mut seen = FxHashSet::default();
    result.retain(|&literal| literal != TermId::TRUE && seen.insert(literal));
    debug_assert!(
        result.iter().all(|&literal| values.holds(store, literal) == Some(true)),
        "a projection is true in the model"
    );
    let kept = asked.iter().copied().filter(|variable| kept.contains(variable)).collect();
    Some(Projection { literals: result, kept })
}

/// Eliminates arithmetic variables, which constraints mention as atoms only.
fn eliminate(
    store: &mut Store,
    constraints: &mut Vec<Constraint>,
    active: Vec<TermId>,
    values: &mut Valuation,
) -> Option<()> {
    let (mut real, mut integer): (Vec<TermId>, Vec<TermId>) = active
        .into_iter()
        .filter(|&variable| store.sort(variable).is_arithmetic())
        .partition(|&variable| store.sort(variable) == SortId::REAL);
    while let Some(place) =
        (0..real.len()).min_by_key(|&place| reals::cost(constraints, real[place]))
    {
        reals::project_real(store, constraints, real.remove(place), values)?;
    }
    let mut mixed = Mentions::new(&integer);
    let mut separated = Vec::with_capacity(constraints.len());
    for constraint in constraints.drain(..) {
        if constraint.form.terms.iter().any(|(atom, _)| mixed.any(store, *atom)) {
            separated.extend(integers::separate_reals(store, constraint));
        } else {
            separated.push(constraint);
        }
    }
    *constraints = separated;
    while let Some(place) =
        (0..integer.len()).min_by_key(|&place| integers::cost(constraints, integer[place]))
    {
        integers::project_integer(store, constraints, integer.remove(place), values)?;
    }
    Some(())
}

/// Replaces variables by what equations among the literals say they are.
pub(crate) fn solve_equations(store: &mut Store, literals: &mut Vec<TermId>, variables: &[TermId]) {
    let mut left: FxHashSet<TermId> = variables.iter().copied().collect();
    while let Some((literal, variable, term)) = find_definition(store, literals, &left) {
        left.remove(&variable);
        if !store.width_of(store.sort(variable)).is_some_and(|_| is_partial(store, literal)) {
            literals.retain(|&other| other != literal);
        }
        let map: Substitution = [(variable, term)].into_iter().collect();
        *literals = store.substitute_all(literals, &map);
        literals.retain(|&literal| literal != TermId::TRUE);
    }
}

/// Whether an equation of words says more than what a variable is: operators that widen words leave
/// something to be compared.
fn is_partial(store: &Store, equation: TermId) -> bool {
    let widens = |op| matches!(op, Op::Concat | Op::ZeroExtend(_) | Op::SignExtend(_));
    store.subterms(&[equation]).into_iter().any(|term| widens(store.op(term)))
}

/// An equation among the literals with a variable and a term that it must equal.
fn find_definition(
    store: &mut Store,
    literals: &[TermId],
    variables: &FxHashSet<TermId>,
) -> Option<(TermId, TermId, TermId)> {
    for &literal in literals {
        let (Op::Eq, &[left, right]) = (store.op(literal), store.args(literal)) else { continue };
        if store.sort(left).is_arithmetic() {
            if let Some((variable, term)) = solve_linear(store, left, right, variables) {
                return Some((literal, variable, term));
            }
            continue;
        }
        if store.width_of(store.sort(left)).is_some() {
            if let Some((variable, term)) = words::solve(store, left, right, variables) {
                return Some((literal, variable, term));
            }
            continue;
        }
        for (variable, term) in [(left, right), (right, left)] {
            if variables.contains(&variable) && !Mentions::new(&[variable]).any(store, term) {
                return Some((literal, variable, term));
            }
        }
    }
    None
}

/// A variable that an equation of numbers determines, and its value as a term.
fn solve_linear(
    store: &mut Store,
    left: TermId,
    right: TermId,
    variables: &FxHashSet<TermId>,
) -> Option<(TermId, TermId)> {
    let mut form = Linear::difference(store, left, right);
    form.scale(&form.primitive_factor());
    let is_integral = form.is_over_integers(store) && form.constant.is_integer();
    for (atom, coefficient) in form.terms.clone() {
        let sort = store.sort(atom);
        let is_solvable = match store.sort_of(sort) {
            Sort::Real => true,
            _ => is_integral && coefficient.abs().is_one(),
        };
        if !is_solvable || !variables.contains(&atom) {
            continue;
        }
        let (_, mut rest) = form.split(atom);
        let mut mentions = Mentions::new(&[atom]);
        if rest.terms.iter().any(|(other, _)| mentions.any(store, *other)) {
            continue;
        }
        rest.scale(&-coefficient.recip()?);
        return Some((atom, rest.to_term(store, sort)));
    }
    None
}

/// Replaces truth values, and words that other variables stood for, by their values.
fn substitute_finite(
    store: &mut Store,
    literals: &mut Vec<TermId>,
    variables: &[TermId],
    values: &mut Valuation,
) -> Option<()> {
    let mut map = Substitution::default();
    for &variable in variables {
        if matches!(store.sort_of(store.sort(variable)), Sort::Bool | Sort::BitVec(_)) {
            let value: Value = values.value(store, variable)?;
            map.insert(variable, store.value_term(&value)?);
        }
    }
    *literals = store.substitute_all(literals, &map);
    literals.retain(|&literal| literal != TermId::TRUE);
    Some(())
}

/// Replaces variables for elements and indices by their values where projection does not reach.
fn substitute_opaque(
    store: &mut Store,
    literals: &mut Vec<TermId>,
    fresh: &[TermId],
    values: &mut Valuation,
) -> Option<()> {
    let mut mentions = Mentions::new(fresh);
    let touched: Vec<TermId> =
        literals.iter().copied().filter(|&literal| mentions.any(store, literal)).collect();
    let hidden = opaque(store, &touched, &mut mentions);
    let mut map = Substitution::default();
    for &variable in fresh.iter().filter(|variable| hidden.contains(variable)) {
        let value = values.value(store, variable)?;
        map.insert(variable, store.value_term(&value)?);
    }
    *literals = store.substitute_all(literals, &map);
    literals.retain(|&literal| literal != TermId::TRUE);
    Some(())
}

/// The variables that occur where projection does not reach.
fn opaque(store: &Store, literals: &[TermId], mentions: &mut Mentions) -> FxHashSet<TermId> {
    let mut found = FxHashSet::default();
    let mut seen = FxHashSet::default();
    let mut hide = |mentions: &Mentions, term: TermId| {
        found.extend(symbols(store, term).into_iter().filter(|&s| mentions.is_variable(s)));
    };
    for &literal in literals {
        let Some(form) = polynomial(store, literal) else {
            hide(mentions, literal);
            continue;
        };
        let mut stack: Vec<TermId> = form.terms.iter().map(|(atom, _)| *atom).collect();
        while let Some(atom) = stack.pop() {
            if mentions.is_variable(atom) || !seen.insert(atom) || !mentions.any(store, atom) {
                continue;
            }
            match interpreted(store, atom) {
                Some((arg, _)) => {
                    stack.extend(Linear::of(store, arg).terms.iter().map(|(atom, _)| *atom));
                }
                None => hide(mentions, atom),
            }
        }
    }
    found
}
