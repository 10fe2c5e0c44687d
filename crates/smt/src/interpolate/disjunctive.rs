//! Disjunctive interpolants: for positions of a formula, below conjunctions and disjunctions.
//!
//! At a position `p` the interpolant follows from the subformula there, with the interpolants of the
//! positions directly below it put for what is there; with those of the topmost positions put in,
//! the formula is contradictory. An interpolant has only symbols that occur both below its position
//! and elsewhere.
//!
//! This is tree interpolation with flags. A position's subformula is replaced by a fresh Boolean
//! `a`, and its own node of the tree says `¬a ∨` the subformula. Only `a` ties it to the rest; with `a`
//! off, everything below can be switched off, so a tree interpolant is valid there, and what it
//! says with `a` on is the interpolant.
//!
//! After Rümmer, Hojjat, Kuncak, "Disjunctive Interpolants for Horn-Clause Verification" (CAV 2013).

use alphorn_term::{Op, SortId, Store, TermId};
use rustc_hash::FxHashMap;

use super::{Cause, Interpolation, InterpolationOptions, tree};

/// A place in a formula: which argument to go to, again and again.
pub type Position = Vec<u32>;

/// The interpolants at positions of a formula; at the root it is false.
pub fn disjunctive(
    store: &mut Store,
    formula: TermId,
    positions: &[Position],
    options: &InterpolationOptions,
) -> Interpolation {
    for (number, position) in positions.iter().enumerate() {
        if !is_place(store, formula, position) {
            return Interpolation::Unknown(Cause::Position(number as u32));
        }
    }
    // The root is a position, and each is in the list once.
    let mut marked: Vec<Position> = positions.to_vec();
    marked.push(Vec::new());
    marked.sort_unstable();
    marked.dedup();
    let flags: Vec<TermId> = marked.iter().map(|_| store.fresh_var("a", SortId::BOOL)).collect();
    let (mut labels, mut parents) = (Vec::new(), Vec::new());
    for (number, position) in marked.iter().enumerate() {
        let is_above = |other: &&Position| position.starts_with(other) && *other != position;
        let parent = marked.iter().rposition(|other| is_above(&other));
        parents.push(parent.map(|parent| parent as u32));
        let below = marked[number + 1..].iter().take_while(|other| other.starts_with(position));
        let flagged: Vec<(&[u32], TermId)> = below
            .zip(&flags[number + 1..])
            .map(|(other, flag)| (&other[position.len()..], *flag))
            .collect();
        let part = subformula(store, formula, position);
        let part = replace(store, part, &flagged);
        labels.push(match parent {
            None => part,
            Some(_) => store.implies(flags[number], part),
        });
    }
    match tree(store, &labels, &parents, options) {
        Interpolation::Interpolants(found) => {
            let interpolant = |position: &Position| {
                let number = marked.binary_search(position).expect("every position is marked");
                let on = FxHashMap::from_iter([(flags[number], TermId::TRUE)]);
                store.substitute(found[number], &on)
            };
            Interpolation::Interpolants(positions.iter().map(interpolant).collect())
        }
        other => other,
    }
}

/// Whether the position exists, below conjunctions and disjunctions only.
fn is_place(store: &Store, formula: TermId, position: &[u32]) -> bool {
    let mut term = formula;
    for step in position {
        if !matches!(store.op(term), Op::And | Op::Or) {
            return false;
        }
        match store.args(term).get(*step as usize) {
            Some(arg) => term = *arg,
            None => return false,
        }
    }
    true
}

fn subformula(store: &Store, formula: TermId, position: &[u32]) -> TermId {
    position.iter().fold(formula, |term, step| store.args(term)[*step as usize])
}

/// The formula with terms put at positions, in order; what is below others is not looked at.
pub(super) fn replace(store: &mut Store, formula: TermId, places: &[(&[u32], TermId)]) -> TermId {
    let Some(((first, term), rest)) = places.split_first() else { return formula };
    let Some(step) = first.first() else { return *term };
    let mut args = store.args(formula).to_vec();
    let mut pending: FxHashMap<u32, Vec<(&[u32], TermId)>> = FxHashMap::default();
    pending.entry(*step).or_default().push((&first[1..], *term));
    for (position, term) in rest {
        if let Some(step) = position.first() {
            pending.entry(*step).or_default().push((&position[1..], *term));
        }
    }
    let mut steps: Vec<u32> = pending.keys().copied().collect();
    steps.sort_unstable();
    for step in steps {
        let below = &pending[&step];
        args[step as usize] = replace(store, args[step as usize], below);
    }
    store.rebuild(formula, &args)
}
