//! The transform `infeasible`: clauses whose constraints contradict each other are removed.
//!
//! The solver is asked about each body with its atoms taken to be true, with few conflicts to spend:
//! what it cannot tell quickly stays. Any definitions satisfy such a clause, and no derivation uses it.

use super::change::{Applied, Change, Recipe};
use super::system::System;
use crate::ask::ask_within;
use crate::settings::{INFEASIBLE_CONFLICTS, INFEASIBLE_LARGEST};
use alphorn_engine::{Ctx, Stop};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Store, TermId};

/// How many bits of a word count as much as a term.
const BITS_PER_TERM: usize = 4;

pub(super) fn apply(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    let mut clauses = Vec::with_capacity(system.clauses.len());
    for (at, clause) in system.clauses.iter().enumerate() {
        let body = system.map_atoms(store, clause.body, |_, _, _| TermId::TRUE);
        if !contradicts(store, body, ctx)? {
            clauses.push((clause.clone(), Recipe::same(at)));
        }
    }
    let has_changed = clauses.len() < system.clauses.len();
    Ok(has_changed.then(|| Change::of_clauses(system, store, clauses)))
}

/// The size of a formula: words count by their bits, of which the solver makes formulas.
fn size(store: &Store, formula: TermId) -> usize {
    let bits = |&term: &TermId| match store.width_of(store.sort(term)) {
        Some(width) => 1 + width as usize / BITS_PER_TERM,
        None => 1,
    };
    store.subterms(&[formula]).iter().map(bits).sum()
}

/// Whether a formula is quickly seen to be unsatisfiable.
fn contradicts(store: &mut Store, formula: TermId, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
    if store.is_literal(formula) || size(store, formula) > INFEASIBLE_LARGEST.size() {
        return Ok(formula == TermId::FALSE);
    }
    let mut smt = Smt::new(Options::default());
    smt.assert(store, formula);
    Ok(ask_within(&mut smt, store, &[], INFEASIBLE_CONFLICTS.get(), ctx)? == Answer::Unsat)
}
