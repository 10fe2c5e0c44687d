//! The predicates' dependencies, read off the clauses without looking at constraints.
//!
//! *Derivable* predicates may have facts: some clause concludes them from derivable ones.
//! *Relevant* predicates may matter: some query needs them, directly or through others. Both are
//! over-approximations, because a constraint may rule out what the graph allows; what they leave
//! out is left out for certain.

use alphorn_problem::Horn;
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_term::{Op, TermId};
use rustc_hash::FxHashMap;

/// Whether `body` can hold when exactly the flagged predicates can have facts.
pub fn can_hold(horn: &Horn, body: TermId, derivable: &[bool]) -> bool {
    if !horn.terms.has_apply(body) {
        return body != TermId::FALSE;
    }
    let mut known: FxHashMap<TermId, bool> = FxHashMap::default();
    for term in horn.terms.subterms(&[body]) {
        let args = horn.terms.args(term);
        let can = match (horn.atom(term), horn.terms.op(term)) {
            (Some(pred), _) => derivable[pred.index()],
            (None, Op::And) => args.iter().all(|arg| known[arg]),
            (None, Op::Or) => args.iter().any(|arg| known[arg]),
            (None, op) => op != Op::False,
        };
        known.insert(term, can);
    }
    known[&body]
}

/// The predicates that some clause may conclude, by position.
pub fn derivable(horn: &Horn) -> Vec<bool> {
    let mut derivable = vec![false; horn.preds.len()];
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); horn.preds.len()];
    for (at, clause) in horn.clauses.iter().enumerate() {
        for pred in body_preds(horn, clause) {
            waiting[pred.index()].push(at);
        }
    }
    let mut todo: Vec<usize> = (0..horn.clauses.len()).rev().collect();
    while let Some(at) = todo.pop() {
        let clause = &horn.clauses[at];
        if let Head::Atom(pred, _) = clause.head
            && !derivable[pred.index()]
            && can_hold(horn, clause.body, &derivable)
        {
            derivable[pred.index()] = true;
            todo.extend(&waiting[pred.index()]);
        }
    }
    derivable
}

/// The predicates a clause's body mentions.
pub fn body_preds(horn: &Horn, clause: &Clause) -> Vec<PredId> {
    let mut preds: Vec<PredId> =
        horn.atoms(clause.body).into_iter().filter_map(|atom| horn.atom(atom)).collect();
    preds.sort_unstable();
    preds.dedup();
    preds
}

/// The predicates that some query depends on, by position.
pub fn relevant(horn: &Horn) -> Vec<bool> {
    let bodies: Vec<Vec<PredId>> =
        horn.clauses.iter().map(|clause| body_preds(horn, clause)).collect();
    let mut clauses_of: Vec<Vec<usize>> = vec![Vec::new(); horn.preds.len()];
    let mut stack: Vec<PredId> = Vec::new();
    for (index, clause) in horn.clauses.iter().enumerate() {
        match &clause.head {
            Head::Atom(pred, _) => clauses_of[pred.index()].push(index),
            Head::False => stack.extend(&bodies[index]),
        }
    }
    let mut relevant = vec![false; horn.preds.len()];
    while let Some(pred) = stack.pop() {
        if !std::mem::replace(&mut relevant[pred.index()], true) {
            stack.extend(clauses_of[pred.index()].iter().flat_map(|&clause| &bodies[clause]));
        }
    }
    relevant
}
