//! Checks proofs by cases: in each case the negation of a clause, with equations put in, is refuted.
//!
//! Whatever an assignment is, it belongs to the first case whose condition it satisfies, and the last
//! condition is true. If it satisfies the negation of the clause, it satisfies the assertions of its case, and
//! what becomes of them when equations that they state are put in (`obligation::horn::put_round`); that is refuted.
//!
//! Invariant: nothing is taken from the evidence but which equations to use, and in what order.

use crate::Refusal;
use crate::proof::replay;
use alphorn_problem::evidence::horn::Case;
use alphorn_problem::obligation::horn::{of_case, put_round};
use alphorn_term::eval::bound;
use alphorn_term::{Meter, SortId, Store, Substitution, TermId};
use std::borrow::Cow;

/// Accepts cases if each is refuted and together they are all there is; the steps of the refutations.
pub(super) fn check_cases(
    store: &mut Cow<Store>,
    assertions: &[TermId],
    cases: &[Case],
    meter: &Meter,
) -> Result<usize, Refusal> {
    let place = |at: usize| format!("case {at}");
    if cases.last().is_none_or(|case| case.condition != TermId::TRUE) {
        return Err(Refusal::new("the cases", "the last condition is not `true`"));
    }
    let is_formula = |term: TermId| term.index() < store.len() && store.sort(term) == SortId::BOOL;
    let conditions: Vec<TermId> = cases.iter().map(|case| case.condition).collect();
    if let Some(at) = conditions.iter().position(|&condition| !is_formula(condition)) {
        return Err(Refusal::new(place(at), "its condition is not a formula"));
    }
    // Bound variables would have to be renamed, and what is put under a binder is no equation of the case.
    if assertions.iter().chain(&conditions).any(|&term| store.has_quantifier(term)) {
        return Err(Refusal::new("the cases", "a clause with quantifiers is proved in them"));
    }
    let mut steps = 0;
    for (at, case) in cases.iter().enumerate() {
        let refuse = |reason: String| Refusal::new(place(at), reason);
        let spend = |ticks| meter.spend(ticks).map_err(|exhausted| refuse(exhausted.into()));
        let effort = store.effort();
        let mut left = of_case(assertions, case.condition, &conditions[..at], store.to_mut());
        for round in &case.rounds {
            spend(round.len() as u64)?;
            let is_known = |&(var, term): &(TermId, TermId)| {
                var.index() < store.len() && term.index() < store.len()
            };
            if !round.iter().all(is_known) {
                return Err(refuse("it puts in a term that is not there".to_owned()));
            }
            let allow = |store: &Store, terms: &[TermId], map: &Substitution| {
                bound::free_vars(store, terms, meter)?;
                bound::substitution(store, terms, map, meter)
            };
            left = put_round(&left, round, store.to_mut(), allow).map_err(refuse)?;
        }
        spend(store.effort() - effort)?;
        replay(store, &left, &case.proof, meter).map_err(|refusal| {
            Refusal::new(format!("{}, {}", place(at), refusal.place), refusal.reason)
        })?;
        steps += case.proof.steps.len();
    }
    Ok(steps)
}
