//! Interpolants held against their definition, by solvers of their own.
//!
//! A node's interpolant must follow from the node's formula and the interpolants of its children,
//! and have only symbols that occur both in the node's subtree and outside of it. That the roots'
//! interpolants are contradictory, or false, completes the chain to the contradiction.

use alphorn_sat::interpolate::CutError;
use alphorn_sat::{Answer, Budget};
use alphorn_term::{Store, TermId};

use super::problem::Problem;
use crate::options::Options;
use crate::project::symbols_of;
use crate::smt::Smt;
use crate::theories::proof::Refutation;

/// What is wrong with interpolants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Violation {
    /// The shape is none.
    Shape(CutError),
    /// The node's interpolant does not follow; for none, those of the roots are not contradictory.
    NotImplied(Option<u32>),
    /// The node's interpolant has a symbol that does not occur on both sides.
    Vocabulary(u32),
    /// It is not known whether the node's interpolant follows.
    Unknown(Option<u32>),
}

/// Checks the interpolants of a tree.
pub fn verify(
    store: &mut Store,
    formulas: &[TermId],
    parents: &[Option<u32>],
    interpolants: &[TermId],
    budget: Budget,
) -> Result<(), Violation> {
    for node in 0..formulas.len() as u32 {
        vocabulary(store, formulas, parents, node, interpolants[node as usize])?;
    }
    certify_within(store, formulas, parents, interpolants, budget, false).map(drop)
}

/// For each node a refutation of what would contradict its interpolant: the interpolants of its
/// children, its formula, and the negation of its interpolant; then one of the roots' interpolants.
pub fn certify(
    store: &mut Store,
    formulas: &[TermId],
    parents: &[Option<u32>],
    interpolants: &[TermId],
    budget: Budget,
) -> Result<Vec<Refutation>, Violation> {
    certify_within(store, formulas, parents, interpolants, budget, true)
}

fn vocabulary(
    store: &Store,
    formulas: &[TermId],
    parents: &[Option<u32>],
    node: u32,
    interpolant: TermId,
) -> Result<(), Violation> {
    let is_inside = |other: usize| {
        let mut above = Some(other as u32);
        let mut steps = 0;
        while let Some(at) = above {
            if at == node {
                return true;
            }
            steps += 1;
            above = parents.get(at as usize).copied().flatten().filter(|_| steps <= parents.len());
        }
        false
    };
    let occurs = |symbol, inside: bool| {
        let formulas = formulas.iter().enumerate().filter(|(other, _)| is_inside(*other) == inside);
        formulas.into_iter().any(|(_, formula)| symbols_of(store, *formula).contains(&symbol))
    };
    let symbols = symbols_of(store, interpolant);
    match symbols.into_iter().all(|symbol| occurs(symbol, true) && occurs(symbol, false)) {
        true => Ok(()),
        false => Err(Violation::Vocabulary(node)),
    }
}

fn certify_within(
    store: &mut Store,
    formulas: &[TermId],
    parents: &[Option<u32>],
    interpolants: &[TermId],
    budget: Budget,
    proofs: bool,
) -> Result<Vec<Refutation>, Violation> {
    Problem::tree(store, formulas, parents).map_err(Violation::Shape)?;
    let children = |node: Option<u32>| {
        let all = parents.iter().zip(interpolants);
        all.filter(move |(parent, _)| **parent == node).map(|(_, interpolant)| *interpolant)
    };
    let mut found = Vec::new();
    for node in (0..formulas.len() as u32).map(Some).chain([None]) {
        let mut smt = Smt::new(Options { proofs, ..Options::default() });
        smt.set_budget(budget);
        for interpolant in children(node) {
            smt.assert(store, interpolant);
        }
        if let Some(node) = node {
            smt.assert(store, formulas[node as usize]);
            let negation = store.not(interpolants[node as usize]);
            smt.assert(store, negation);
        }
        match smt.check(store, &[]) {
            Answer::Unsat => {}
            Answer::Sat => return Err(Violation::NotImplied(node)),
            Answer::Unknown => return Err(Violation::Unknown(node)),
        }
        if proofs {
            found.push(smt.refutation(store).ok_or(Violation::Unknown(node))?);
        }
    }
    Ok(found)
}

/// Checks interpolants by the numbers of a problem.
pub(super) fn check(
    store: &mut Store,
    problem: &Problem,
    interpolants: &[TermId],
    budget: Budget,
) -> Result<(), Violation> {
    verify(store, &problem.formulas, &problem.parents, interpolants, budget)
}
