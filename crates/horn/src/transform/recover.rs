//! Definitions of inlined predicates by substitution alone.
//!
//! A predicate that was inlined lies between what its clauses derive and what its uses allow. Either
//! bound is a definition, if it can be said over the parameters: if equations determine the variables
//! that are not parameters. From below, "some clause derives it": parameters are the head's arguments
//! and the body holds. From above, "no use is violated by it": parameters are the atom's arguments, the
//! rest of the body holds and the head does not.
//!
//! Whether that will work does not depend on the other predicates' definitions, so `inlining` asks
//! beforehand where nothing else could find a definition: for words.

use super::equations::options;
use super::system::{System, conjuncts, head_args};
use alphorn_problem::evidence::horn::Definition;
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_term::{Op, Store, Substitution, TermId};
use rustc_hash::FxHashSet;

/// The formula with these variables replaced by what its conjuncts say they are; none if some are
/// left.
fn determined(store: &mut Store, formula: TermId, vars: &[TermId]) -> Option<TermId> {
    let mut formula = formula;
    let mut left: FxHashSet<TermId> = vars.iter().copied().collect();
    loop {
        let free: FxHashSet<TermId> = store.free_vars(&[formula]).into_iter().collect();
        left.retain(|var| free.contains(var));
        if left.is_empty() {
            return Some(formula);
        }
        let parts = conjuncts(store, formula);
        let found = parts.iter().find_map(|&part| options(store, part, &left).first().copied());
        let (var, term) = found?;
        let map: Substitution = [(var, term)].into_iter().collect();
        formula = store.substitute(formula, &map);
        left.remove(&var);
    }
}

/// Parameters equal arguments, and a formula.
fn with_arguments(
    store: &mut Store,
    params: &[TermId],
    args: &[TermId],
    formula: TermId,
) -> TermId {
    let mut parts = Vec::with_capacity(params.len() + 1);
    for (&param, &arg) in params.iter().zip(args) {
        parts.push(store.eq(arg, param));
    }
    parts.push(formula);
    store.and(&parts)
}

/// What the clauses of a predicate, by position, derive, from their bodies with all predicates known put in.
pub(super) fn from_below(
    system: &System,
    store: &mut Store,
    pred: PredId,
    clauses: &[usize],
    mut body_of: impl FnMut(&mut Store, &Clause) -> Option<TermId>,
) -> Option<Definition> {
    let params = system.params(store, pred);
    let mut cases = Vec::new();
    for clause in clauses.iter().map(|&at| &system.clauses[at]) {
        let body = body_of(store, clause)?;
        let formula = with_arguments(store, &params, head_args(clause), body);
        cases.push(determined(store, formula, &clause.vars)?);
    }
    Some(Definition { params, body: store.or(&cases) })
}

/// What the uses of a predicate allow, from the violations of the clauses, by position, that use it:
/// their bodies without the predicate's atom, and the negation of their heads.
pub(super) fn from_above(
    system: &System,
    store: &mut Store,
    pred: PredId,
    users: &[usize],
    mut violation_of: impl FnMut(&mut Store, &Clause, TermId) -> Option<TermId>,
) -> Option<Definition> {
    let params = system.params(store, pred);
    let mut cases = Vec::new();
    for clause in users.iter().map(|&at| &system.clauses[at]) {
        let atoms = system.atoms(store, clause.body);
        let atoms: Vec<TermId> =
            atoms.into_iter().filter(|&atom| system.atom(store, atom) == Some(pred)).collect();
        let &[atom] = &atoms[..] else { return None };
        if !conjuncts(store, clause.body).contains(&atom) {
            return None;
        }
        let rest = violation_of(store, clause, atom)?;
        let args = store.args(atom).to_vec();
        let formula = with_arguments(store, &params, &args, rest);
        let formula = determined(store, formula, &clause.vars)?;
        cases.push(store.not(formula));
    }
    Some(Definition { params, body: store.and(&cases) })
}

/// Whether a definition of a predicate can be recovered from those of the others.
pub(super) fn is_recoverable(
    system: &System,
    store: &mut Store,
    pred: PredId,
    clauses: &[usize],
    users: &[usize],
) -> bool {
    // Atoms stay in the place of what their definitions will say.
    from_below(system, store, pred, clauses, |_, clause| Some(clause.body)).is_some()
        || from_above(system, store, pred, users, |store, clause, atom| {
            let map: Substitution = [(atom, TermId::TRUE)].into_iter().collect();
            let rest = store.substitute(clause.body, &map);
            let head = match &clause.head {
                Head::False => TermId::FALSE,
                Head::Atom(head, _) if *head == pred => return None,
                Head::Atom(head, args) => {
                    let func = system.preds[head.index()].func;
                    store.mk(Op::Apply(func), args)
                }
            };
            let otherwise = store.not(head);
            Some(store.and(&[rest, otherwise]))
        })
        .is_some()
}
