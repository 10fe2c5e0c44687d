//! Equations between sums of words that the facts of a predicate have in common, modulo 2ⁿ.
//!
//! Facts are points, and clauses are maps of points as far as their heads' arguments are sums of words.
//! So from facts that are known others follow until nothing is added: one point and the directions in which there
//! are others, closed under sums and multiples. What is no sum may be anything, and constraints are not
//! looked at, so no fact is missed. An argument that no direction changes freely is a sum of others.
//!
//! Invariant: rows have their first coefficients in different places, each a power of two; where it is
//! not one, the multiple of the row that makes it zero is a sum of the rows below.
//!
//! After Müller-Olm, Seidl, "Analysis of Modular Arithmetic" (ESOP 2005), without their inference from
//! guards. It is about guesses, so it ends early on systems that take long.

use crate::settings::{AFFINE_MAX_ROUNDS, AFFINE_WIDEST};
use alphorn_horn::model::parameters;
use alphorn_horn::transform::conjuncts;
use alphorn_horn::word_sum::WordSum;
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::Definition;
use alphorn_problem::horn::{Clause, Head};
use alphorn_term::odd::inverse_u64;
use alphorn_term::{Bv, Store, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// For each predicate, the equations that its facts have in common, with its parameters.
pub(super) fn equations(horn: &Horn, terms: &mut Store) -> Vec<Definition> {
    let params: Vec<Vec<TermId>> =
        horn.pred_ids().map(|pred| parameters(terms, horn, pred)).collect();
    let mut found: Vec<Vec<TermId>> = vec![Vec::new(); params.len()];
    let widths: BTreeSet<u32> = params.iter().flatten().map(|&param| terms.width(param)).collect();
    for width in widths.into_iter().filter(|width| (2..=AFFINE_WIDEST.short()).contains(width)) {
        let spaces = spaces(horn, width);
        for (space, (params, found)) in spaces.iter().zip(params.iter().zip(&mut found)) {
            let words = params.iter().filter(|&&param| terms.width(param) == width);
            let words: Vec<TermId> = words.copied().collect();
            found.extend(space.iter().flat_map(|space| space.equations(&words, width, terms)));
        }
    }
    let all = params.into_iter().zip(found);
    all.map(|(params, found)| Definition { params, body: terms.and(&found) }).collect()
}

/// The facts of each predicate, none for one that has none, in their words of this width.
fn spaces(horn: &Horn, width: u32) -> Vec<Option<Space>> {
    let mut spaces: Vec<Option<Space>> = vec![None; horn.preds.len()];
    for _ in 0..AFFINE_MAX_ROUNDS.size() {
        let mut is_changed = false;
        for clause in &horn.clauses {
            is_changed |= fire(horn, clause, width, &mut spaces);
        }
        if !is_changed {
            break;
        }
    }
    spaces
}

/// Adds what a clause derives to the facts of its head; whether there was something to add.
fn fire(horn: &Horn, clause: &Clause, width: u32, spaces: &mut [Option<Space>]) -> bool {
    let Head::Atom(head, args) = &clause.head else { return false };
    let store = &horn.terms;
    let is_word = |arg: &&TermId| store.width(**arg) == width;
    // What a variable is at the point of each atom, and in each direction of each atom.
    let mut place_of: FxHashMap<TermId, (usize, usize)> = FxHashMap::default();
    let mut given: Vec<&Space> = Vec::new();
    for part in conjuncts(store, clause.body) {
        let Some(pred) = horn.atom(part) else { continue };
        let Some(space) = &spaces[pred.index()] else { return false };
        for (at, &arg) in store.args(part).iter().filter(is_word).enumerate() {
            place_of.entry(arg).or_insert((given.len(), at));
        }
        given.push(space);
    }
    let mask = mask(width);
    let sums: Vec<WordSum> =
        args.iter().filter(is_word).map(|&arg| WordSum::of(store, arg)).collect();
    let mut free: Vec<TermId> = Vec::new();
    let mut point = Vec::with_capacity(sums.len());
    for sum in &sums {
        let mut value = number(&sum.constant);
        for (term, factor) in &sum.terms {
            match place_of.get(term) {
                Some(&(atom, at)) => {
                    value = value.wrapping_add(number(factor).wrapping_mul(given[atom].point[at]));
                }
                None if !free.contains(term) => free.push(*term),
                None => {}
            }
        }
        point.push(value & mask);
    }
    let image = |of: &dyn Fn(TermId) -> u64| -> Vec<u64> {
        let part = |(term, factor): &(TermId, Bv)| number(factor).wrapping_mul(of(*term));
        let sum = |sum: &WordSum| sum.terms.iter().map(part).fold(0, u64::wrapping_add) & mask;
        sums.iter().map(sum).collect()
    };
    let mut directions: Vec<Vec<u64>> = Vec::new();
    for (atom, space) in given.iter().enumerate() {
        for row in &space.rows {
            directions.push(image(&|term| match place_of.get(&term) {
                Some(&(place, at)) if place == atom => row[at],
                _ => 0,
            }));
        }
    }
    directions.extend(free.iter().map(|&free| image(&|term| u64::from(term == free))));
    let before = spaces[head.index()].is_some();
    let space = spaces[head.index()].get_or_insert_with(|| Space::at(point.clone(), width));
    let apart = point.iter().zip(&space.point).map(|(a, b)| a.wrapping_sub(*b) & mask).collect();
    let mut is_changed = !before | space.add(apart);
    for direction in directions {
        is_changed |= space.add(direction);
    }
    is_changed
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

fn number(word: &Bv) -> u64 {
    word.to_u64().unwrap_or(0)
}

/// A point, and the directions in which there are others.
#[derive(Clone, Debug)]
struct Space {
    width: u32,
    point: Vec<u64>,
    /// In the order of their first coefficients.
    rows: Vec<Vec<u64>>,
}

/// The place of the first coefficient.
fn lead(row: &[u64]) -> Option<usize> {
    row.iter().position(|&value| value != 0)
}

impl Space {
    fn at(point: Vec<u64>, width: u32) -> Space {
        Space { width, point, rows: Vec::new() }
    }

    /// The row, plus a multiple of another.
    fn plus(&self, row: &mut [u64], by: u64, other: &[u64]) {
        let mask = mask(self.width);
        for (value, other) in row.iter_mut().zip(other) {
            *value = value.wrapping_add(by.wrapping_mul(*other)) & mask;
        }
    }

    /// Adds a direction; whether it was not there.
    fn add(&mut self, direction: Vec<u64>) -> bool {
        let (mut open, mut is_changed) = (vec![direction], false);
        while let Some(mut row) = open.pop() {
            while let Some(at) = lead(&row) {
                let power = row[at].trailing_zeros();
                let place = self.rows.iter().position(|other| lead(other) >= Some(at));
                let place = place.unwrap_or(self.rows.len());
                let known = self.rows.get(place).filter(|other| lead(other) == Some(at)).cloned();
                if let Some(known) =
                    known.as_ref().filter(|known| known[at].trailing_zeros() <= power)
                {
                    let by = (row[at] >> known[at].trailing_zeros()).wrapping_neg();
                    self.plus(&mut row, by, known);
                    continue;
                }
                let by = inverse_u64(row[at] >> power);
                let scaled = row.iter().map(|value| value.wrapping_mul(by) & mask(self.width));
                let scaled: Vec<u64> = scaled.collect();
                if power > 0 {
                    let mut rest = vec![0; row.len()];
                    self.plus(&mut rest, 1 << (self.width - power), &scaled);
                    open.push(rest);
                }
                match known {
                    Some(known) => {
                        self.rows[place] = scaled;
                        open.push(known);
                    }
                    None => self.rows.insert(place, scaled),
                }
                is_changed = true;
                break;
            }
        }
        is_changed
    }

    /// The arguments that are sums of others.
    fn equations(&self, words: &[TermId], width: u32, store: &mut Store) -> Vec<TermId> {
        let mut rows = self.rows.clone();
        for place in (0..rows.len()).rev() {
            let row = rows[place].clone();
            let Some(at) = lead(&row).filter(|&at| row[at] == 1) else { continue };
            for other in &mut rows[..place] {
                let by = other[at].wrapping_neg();
                self.plus(other, by, &row);
            }
        }
        let leads: Vec<usize> = rows.iter().filter_map(|row| lead(row)).collect();
        let is_free = |at: usize| {
            let is_partial = |row: &Vec<u64>| lead(row).is_some_and(|lead| row[lead] != 1);
            leads.contains(&at) || rows.iter().any(|row| is_partial(row) && row[at] != 0)
        };
        let mut found = Vec::new();
        for (at, &word) in words.iter().enumerate().filter(|(at, _)| !is_free(*at)) {
            let mut constant = self.point[at];
            let mut terms = Vec::new();
            for row in rows.iter().filter(|row| row[at] != 0) {
                let Some(lead) = lead(row) else { continue };
                constant = constant.wrapping_sub(row[at].wrapping_mul(self.point[lead]));
                terms.push((words[lead], Bv::from_u64(width, row[at])));
            }
            let constant = Bv::from_u64(width, constant & mask(width));
            let sum = WordSum { constant, terms }.to_term(store);
            found.push(store.eq(word, sum));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All points that a space has, by brute force over the multiples of its rows.
    fn points(space: &Space) -> BTreeSet<Vec<u64>> {
        let mut all = BTreeSet::from([space.point.clone()]);
        for row in &space.rows {
            for point in all.clone() {
                for by in 0..1 << space.width {
                    let mut moved = point.clone();
                    space.plus(&mut moved, by, row);
                    all.insert(moved);
                }
            }
        }
        all
    }

    #[test]
    fn directions_are_closed_under_multiples() {
        let mut space = Space::at(vec![1, 2, 3], 3);
        assert!(space.add(vec![2, 0, 1]));
        assert!(space.add(vec![6, 4, 1]));
        assert!(!space.add(vec![4, 0, 2]), "twice the first");
        let before = points(&space);
        for point in &before {
            let apart: Vec<u64> =
                point.iter().zip(&space.point).map(|(a, b)| a.wrapping_sub(*b) & 7).collect();
            assert!(!space.clone().add(apart), "{point:?}");
        }
        // Whatever is not a point is a direction more.
        let other = (0..512u64).map(|at| vec![at & 7, at >> 3 & 7, at >> 6]);
        for point in other.filter(|point| !before.contains(point)) {
            let apart: Vec<u64> =
                point.iter().zip(&space.point).map(|(a, b)| a.wrapping_sub(*b) & 7).collect();
            assert!(space.clone().add(apart), "{point:?}");
        }
    }

    #[test]
    fn an_argument_that_others_determine_has_an_equation() {
        // (1, 3, 5) and onwards by (1, 2, 4): the second is 2x + 1, the third 4x + 1.
        let mut space = Space::at(vec![1, 3, 5], 8);
        space.add(vec![1, 2, 4]);
        let mut store = Store::new();
        let sort = store.bv_sort(8);
        let words = ["x", "y", "z"].map(|name| store.var(name, sort));
        let found = space.equations(&words, 8, &mut store);
        let shown: Vec<String> = found.iter().map(|&found| store.show(found).to_string()).collect();
        assert_eq!(shown.len(), 2, "{shown:?}");
        for point in points(&space) {
            let mut model = alphorn_term::Model::new();
            for (&word, &value) in words.iter().zip(&point) {
                model.set(word, alphorn_term::Value::Bv(Bv::from_u64(8, value)));
            }
            for &equation in &found {
                let value = alphorn_term::eval(&store, equation, &model);
                assert_eq!(value, Ok(alphorn_term::Value::Bool(true)), "{shown:?} at {point:?}");
            }
        }
    }
}
