//! Sums of inequalities split into several, each without what only one side knows.
//!
//! Our part of a contradiction is a sum of our literals with positive multipliers in which our
//! local unknowns cancel. The multiplier vectors in which they cancel are the non-negative vectors of
//! a linear space, and ours is a sum of *elementary* ones, whose support is smallest. The conjunction
//! of the sums that belong to these is stronger than the one sum, and says more to whoever
//! generalises it.
//!
//! After Blicha, Hyvärinen, Kofroň, Sharygina, "Decomposing Farkas Interpolants" (TACAS 2019); there
//! the parts come from a basis of the space, here from moving along its vectors until a
//! multiplier vanishes, which always ends with elementary ones.

use alphorn_term::{Rat, TermId};

use super::farkas::add;
use crate::linear::Linear;
use crate::rows;
use crate::theories::arithmetic::proof::{Comparison, Relation};

/// Comparisons that follow from the given ones, each without terms that are not shared, whose sum is
/// the sum of the given ones with their multipliers; `None` if there is more than inequalities.
pub(super) fn decompose(
    parts: &[(Comparison, Rat)],
    is_shared: &mut dyn FnMut(TermId) -> bool,
) -> Option<Vec<Comparison>> {
    if parts.iter().any(|(part, factor)| part.relation == Relation::Zero || !factor.is_positive()) {
        return None;
    }
    let mut locals: Vec<TermId> = parts
        .iter()
        .flat_map(|(part, _)| part.linear.terms.iter().map(|term| term.0))
        .filter(|term| !is_shared(*term))
        .collect();
    locals.sort_unstable();
    locals.dedup();
    let column = |(part, _): &(Comparison, Rat)| -> Vec<Rat> {
        locals.iter().map(|local| part.linear.coefficient(*local)).collect()
    };
    let columns: Vec<Vec<Rat>> = parts.iter().map(column).collect();
    let mut rest: Vec<Rat> = parts.iter().map(|(_, factor)| factor.clone()).collect();
    let mut found = Vec::new();
    while rest.iter().any(|factor| !factor.is_zero()) {
        let vector = elementary(&columns, rest.clone());
        subtract(&mut rest, &vector);
        let mut sum = Comparison { linear: Linear::default(), relation: Relation::Zero };
        for ((part, _), factor) in parts.iter().zip(&vector) {
            add(&mut sum, part, factor);
        }
        found.push(sum);
    }
    Some(found)
}

/// An elementary vector inside the support of a non-negative vector of the space.
fn elementary(columns: &[Vec<Rat>], mut vector: Vec<Rat>) -> Vec<Rat> {
    while let Some(direction) = another(columns, &vector) {
        subtract(&mut vector, &direction);
    }
    vector
}

/// Subtracts the largest multiple of a vector that leaves no negative component; some component
/// vanishes.
fn subtract(from: &mut [Rat], vector: &[Rat]) {
    let ratios = from.iter().zip(vector).filter(|(_, by)| by.is_positive());
    let Some(most) = ratios.map(|(value, by)| value / by).min() else { return };
    for (value, by) in from.iter_mut().zip(vector) {
        *value = &*value - &(&most * by);
    }
}

/// A vector of the space inside the support of the given one that is no multiple of it and has a
/// positive component.
fn another(columns: &[Vec<Rat>], vector: &[Rat]) -> Option<Vec<Rat>> {
    let support: Vec<usize> = (0..vector.len()).filter(|index| !vector[*index].is_zero()).collect();
    let mut rows: Vec<Vec<Rat>> = (0..columns.first()?.len())
        .map(|row| support.iter().map(|index| columns[*index][row].clone()).collect())
        .collect();
    let pivots = rows::reduce(&mut rows);
    let free: Vec<usize> = (0..support.len()).filter(|place| !pivots.contains(place)).collect();
    // One free component: the space is that of the vector itself.
    if free.len() < 2 {
        return None;
    }
    let mut direction = vec![Rat::ZERO; vector.len()];
    direction[support[free[0]]] = Rat::ONE;
    for (row, pivot) in rows.iter().zip(&pivots) {
        direction[support[*pivot]] = -row[free[0]].clone();
    }
    Some(direction)
}
