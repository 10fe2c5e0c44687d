//! The phases of a loop: what its clauses ask of one predicate's numbers alone.
//!
//! A loop that does one thing while `x < 500` and another after it, or that does two things in turn by `x mod 2`, has
//! equations in each *phase* and none in all of them. What a clause that goes on from a predicate to itself asks of the arguments
//! alone tells phases apart: a condition makes two, a remainder by a small number as many as there are remainders.
//!
//! Invariant: the phases of a predicate exclude each other, and together they are everything.
//!
//! After Sharma, Dillig, Dillig, Aiken, "Simplifying loop invariant generation using splitter predicates" (CAV 2011).

use crate::settings::{POLYNOMIALS_MAX_MODULUS, POLYNOMIALS_MAX_PHASES};
use alphorn_horn::transform::System;
use alphorn_problem::horn::{Head, PredId};
use alphorn_term::{Op, Sort, Store, Substitution, TermId};
use std::collections::BTreeSet;

/// The phases of a predicate, over its parameters.
pub(super) struct Phases {
    /// A condition for each; a single one if clauses ask nothing.
    pub(super) conditions: Vec<TermId>,
    /// Remainders that conditions are about and do not tell, which equations may be about too.
    pub(super) remainders: Vec<TermId>,
}

/// The phases of a predicate, over its parameters.
pub(super) fn phases(
    system: &System,
    store: &mut Store,
    pred: PredId,
    params: &[TermId],
) -> Phases {
    let asked = asked(system, store, pred, params);
    let mut splits: Vec<Vec<TermId>> = Vec::new();
    let mut remainders = store.subterms(&asked);
    remainders.retain(|&term| store.op(term) == Op::Mod);
    let (small, remainders): (Vec<TermId>, Vec<TermId>) =
        remainders.into_iter().partition(|&term| modulus(store, term).is_some());
    for &term in &small {
        let modulus = modulus(store, term).unwrap_or(1);
        let is = |rest: i64| {
            let rest = store.int(rest);
            store.eq(term, rest)
        };
        splits.push((0..modulus).map(is).collect());
    }
    for formula in asked {
        // What is asked of a remainder is told by the remainder.
        if !store.subterms(&[formula]).iter().any(|term| small.contains(term)) {
            splits.push(vec![formula, store.not(formula)]);
        }
    }
    let mut all = vec![TermId::TRUE];
    for split in splits {
        if all.len() * split.len() > POLYNOMIALS_MAX_PHASES.size() {
            continue;
        }
        let mut finer = Vec::with_capacity(all.len() * split.len());
        for &one in &all {
            finer.extend(split.iter().map(|&other| store.and(&[one, other])));
        }
        all = finer;
    }
    all.retain(|&phase| phase != TermId::FALSE);
    Phases { conditions: all, remainders }
}

/// The number by which a term is a remainder, if it is small.
fn modulus(store: &Store, term: TermId) -> Option<i64> {
    let (Op::Mod, &[_, by]) = (store.op(term), store.args(term)) else { return None };
    let by = store.int_value(by)?.to_i64()?;
    (2..=POLYNOMIALS_MAX_MODULUS.get() as i64).contains(&by).then_some(by)
}

/// The comparisons of the predicate's arguments alone in clauses that go on from it to itself, each once and over the parameters.
fn asked(system: &System, store: &mut Store, pred: PredId, params: &[TermId]) -> Vec<TermId> {
    let mut found = BTreeSet::new();
    for clause in &system.clauses {
        let mut roots = match &clause.head {
            Head::Atom(head, args) if *head == pred => args.clone(),
            _ => continue,
        };
        roots.push(clause.body);
        let mut atoms = system.atoms(store, clause.body);
        atoms.retain(|&atom| system.atom(store, atom) == Some(pred));
        for atom in atoms {
            let args = store.args(atom).to_vec();
            let map: Substitution = (args.iter().copied().zip(params.iter().copied()))
                .filter(|(arg, _)| matches!(store.op(*arg), Op::Var(_)))
                .collect();
            for term in store.subterms(&roots) {
                let is_comparison = matches!(store.op(term), Op::Le | Op::Lt | Op::Eq)
                    && matches!(
                        store.sort_of(store.sort(store.args(term)[0])),
                        Sort::Int | Sort::Real
                    );
                let is_own = |var: &TermId| map.contains_key(var);
                if is_comparison && store.free_vars(&[term]).iter().all(is_own) {
                    found.insert(store.substitute(term, &map));
                }
            }
        }
    }
    found.into_iter().filter(|&term| !matches!(term, TermId::TRUE | TermId::FALSE)).collect()
}
