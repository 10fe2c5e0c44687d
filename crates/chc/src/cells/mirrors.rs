//! Indices that mirror each other: programs that go through an array from both ends.
//!
//! A reversal exchanges `a[i]` and `a[n - 1 - i]`, or writes `b[j - 1]` from `a[i]` while `i` goes up and `j` down. The sum of both
//! indices stays the same, and what holds of such arrays relates an element to the one at its mirror image. Two cells
//! say that too, but then that their indices mirror each other is something to be found, in every lemma. So where two
//! indices of a clause have a sum that loops keep, a predicate speaks of one cell and its image at the sum less the index.
//!
//! Any sum is right, since a model may say anything of some cells and nothing of others.

use super::reading::dimensions;
use alphorn_horn::transform::head_args;
use alphorn_problem::Horn;
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_smt::Linear;
use alphorn_term::{Op, Rat, SortId, Store, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// The most indices of a clause that are paired.
const MAX_INDICES: usize = 12;

/// The sum of an index and its image, over the arguments of a predicate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Sum {
    /// Arguments and their factors.
    terms: Vec<(usize, Rat)>,
    constant: Rat,
}

impl Sum {
    /// The image of an index, for arguments of the predicate.
    pub(super) fn image(
        &self,
        store: &mut Store,
        arg: impl Fn(usize) -> TermId,
        index: TermId,
    ) -> TermId {
        let mut form = self.of(store, arg);
        form.add_scaled(&Linear::of(store, index), &Rat::MINUS_ONE);
        form.to_term(store, SortId::INT)
    }

    /// The sum, for arguments of the predicate.
    fn of(&self, store: &Store, arg: impl Fn(usize) -> TermId) -> Linear {
        let mut form = Linear::constant(self.constant.clone());
        for (at, factor) in &self.terms {
            form.add_scaled(&Linear::of(store, arg(*at)), factor);
        }
        form
    }

    /// The same by positions among some of the arguments.
    pub(super) fn among(&self, some: &[usize]) -> Option<Sum> {
        let mut terms = Vec::with_capacity(self.terms.len());
        for (at, factor) in &self.terms {
            terms.push((some.iter().position(|other| other == at)?, factor.clone()));
        }
        Some(Sum { terms, constant: self.constant.clone() })
    }

    /// A sum of variables as one of the arguments of an atom.
    fn said(store: &Store, form: &Linear, args: &[TermId]) -> Option<Sum> {
        let mut terms = Vec::with_capacity(form.terms.len());
        for (var, factor) in &form.terms {
            let at = args.iter().position(|arg| arg == var)?;
            if !factor.is_integer() || store.sort(*var) != SortId::INT {
                return None;
            }
            terms.push((at, factor.clone()));
        }
        terms.sort_unstable();
        Some(Sum { terms, constant: form.constant.clone() })
    }
}

/// For each predicate the sum of mirrored indices, where there is one.
pub(super) fn mirrors(horn: &Horn) -> BTreeMap<PredId, Sum> {
    let mut votes: BTreeMap<PredId, BTreeMap<Sum, usize>> = BTreeMap::new();
    for clause in &horn.clauses {
        let sums = sums(horn, clause);
        for (pred, args) in atoms(horn, clause) {
            for sum in &sums {
                if let Some(sum) = Sum::said(&horn.terms, sum, &args) {
                    *votes.entry(pred).or_default().entry(sum).or_default() += 1;
                }
            }
        }
    }
    let mut found = BTreeMap::new();
    for (pred, votes) in votes {
        let kept = votes.into_iter().filter(|(sum, _)| is_kept(horn, pred, sum));
        // Of those with as many votes the first.
        if let Some((sum, _)) = kept.rev().max_by_key(|(_, count)| *count) {
            found.insert(pred, sum);
        }
    }
    hand_on(horn, &mut found);
    found
}

/// The atoms of a clause, the head's first.
fn atoms(horn: &Horn, clause: &Clause) -> Vec<(PredId, Vec<TermId>)> {
    let mut found = Vec::new();
    if let Head::Atom(pred, args) = &clause.head {
        found.push((*pred, args.clone()));
    }
    for atom in horn.atoms(clause.body) {
        found.extend(horn.atom(atom).map(|pred| (pred, horn.terms.args(atom).to_vec())));
    }
    found
}

/// The sums of two indices at which a clause accesses arrays.
fn sums(horn: &Horn, clause: &Clause) -> Vec<Linear> {
    let store = &horn.terms;
    let mut roots = vec![clause.body];
    roots.extend(head_args(clause));
    let mut indices: BTreeSet<TermId> = BTreeSet::new();
    for term in store.subterms(&roots) {
        if let (Op::Select | Op::Store, &[array, index, ..]) = (store.op(term), store.args(term))
            && store.sort(index) == SortId::INT
            && dimensions(store, store.sort(array)).is_some_and(|(of, _)| of.len() == 1)
        {
            indices.insert(index);
        }
    }
    let forms: Vec<Linear> =
        indices.into_iter().take(MAX_INDICES).map(|index| Linear::of(store, index)).collect();
    let mut found = Vec::new();
    for (at, one) in forms.iter().enumerate() {
        for other in &forms[..at] {
            let mut sum = one.clone();
            sum.add_scaled(other, &Rat::ONE);
            // Two places near by have a sum that is no one's middle.
            if !sum.terms.is_empty() && sum.is_over_integers(store) {
                found.push(sum);
            }
        }
    }
    found
}

/// Whether clauses from a predicate to itself keep a sum.
fn is_kept(horn: &Horn, pred: PredId, sum: &Sum) -> bool {
    horn.clauses.iter().all(|clause| {
        let own = atoms(horn, clause).into_iter().filter(|(other, _)| *other == pred);
        let mut values = own.map(|(_, args)| sum.of(&horn.terms, |at| args[at]));
        let Some(first) = values.next() else { return true };
        values.all(|mut value| {
            value.add_scaled(&first, &Rat::MINUS_ONE);
            value.terms.is_empty() && value.constant.is_zero()
        })
    })
}

/// Gives predicates without a sum the one that clauses hand on to or from them.
fn hand_on(horn: &Horn, found: &mut BTreeMap<PredId, Sum>) {
    loop {
        let mut more: BTreeMap<PredId, Sum> = BTreeMap::new();
        for clause in &horn.clauses {
            let atoms = atoms(horn, clause);
            let known = atoms.iter().find_map(|(pred, args)| {
                found.get(pred).map(|sum| sum.of(&horn.terms, |at| args[at]))
            });
            let Some(known) = known else { continue };
            for (pred, args) in atoms.iter().filter(|(pred, _)| !found.contains_key(pred)) {
                let sum = Sum::said(&horn.terms, &known, args);
                if let Some(sum) = sum.filter(|sum| is_kept(horn, *pred, sum)) {
                    more.entry(*pred).or_insert(sum);
                }
            }
        }
        if more.is_empty() {
            return;
        }
        found.extend(more);
    }
}
