//! Clauses with their equations solved: patterns in the head, calls in the body, guards.
//!
//! Equations between a variable and a term are put in, one after the other, until none is left; those
//! between constructors the term constructors have taken apart. What remains of the body are atoms and
//! conditions.

use alphorn_horn::transform::conjuncts;
use alphorn_problem::Horn;
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_term::{Op, Store, Substitution, TermId};

/// A clause whose equations are solved as far as unification goes.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    /// The head's predicate and arguments; none for a query.
    pub(super) head: Option<(PredId, Vec<TermId>)>,
    /// The atoms of the body.
    pub(super) calls: Vec<(PredId, Vec<TermId>)>,
    /// What else the body says.
    pub(super) guards: Vec<TermId>,
}

/// The clause as a rule; an error if the body has atoms below disjunctions, nothing if it cannot hold.
pub(super) fn rule(
    horn: &Horn,
    clause: &Clause,
    store: &mut Store,
) -> Result<Option<Rule>, String> {
    let mut body = clause.body;
    let mut head: Vec<TermId> = match &clause.head {
        Head::Atom(_, args) => args.clone(),
        Head::False => Vec::new(),
    };
    // Each round solves one equation.
    loop {
        let parts = conjuncts(store, body);
        if parts.contains(&TermId::FALSE) {
            return Ok(None);
        }
        let Some((var, term)) = parts.iter().find_map(|&part| solved(store, part)) else { break };
        let map: Substitution = [(var, term)].into_iter().collect();
        body = store.substitute(body, &map);
        head = store.substitute_all(&head, &map);
    }
    let (mut calls, mut guards) = (Vec::new(), Vec::new());
    let pred_of = |store: &Store, term: TermId| match store.op(term) {
        Op::Apply(func) => horn.pred_of(func),
        _ => None,
    };
    for part in conjuncts(store, body) {
        match pred_of(store, part) {
            Some(pred) => calls.push((pred, store.args(part).to_vec())),
            None if store.has_apply(part) => {
                return Err("a body has atoms below disjunctions".to_owned());
            }
            None => guards.push(part),
        }
    }
    let head = match &clause.head {
        Head::Atom(pred, _) => Some((*pred, head)),
        Head::False => None,
    };
    Ok(Some(Rule { head, calls, guards }))
}

/// The variable that an equation defines, and its term.
fn solved(store: &Store, part: TermId) -> Option<(TermId, TermId)> {
    let is_var = |term: TermId| matches!(store.op(term), Op::Var(_));
    match store.op(part) {
        Op::Var(_) => Some((part, TermId::TRUE)),
        Op::Not if is_var(store.args(part)[0]) => Some((store.args(part)[0], TermId::FALSE)),
        Op::Eq => {
            let (left, right) = (store.args(part)[0], store.args(part)[1]);
            let fits = |var, term| is_var(var) && !store.free_vars(&[term]).contains(&var);
            if fits(left, right) {
                Some((left, right))
            } else if fits(right, left) {
                Some((right, left))
            } else {
                None
            }
        }
        _ => None,
    }
}
