//! The way forward: a term about a predicate as read, about the predicates that transforms left.
//!
//! A predicate means cases over its parameters, each a condition and a predicate of the changed system on
//! terms. Where the parameters that a term has are such terms, or the condition says what they are, it is a
//! term about that predicate. Otherwise it is lost: what goes forward are hints.

use super::change::{Case, Meaning};
use super::system::conjuncts;
use alphorn_problem::hint::Hint;
use alphorn_problem::horn::PredId;
use alphorn_term::{Op, SortId, Store, Substitution, TermId};

/// A hint about a predicate before a change, about those after it.
pub(super) fn carry(store: &mut Store, meaning: &Meaning, hint: &Hint) -> Vec<Hint> {
    let term = store.rename(hint.term, &hint.params, &meaning.params);
    let mut carried = Vec::new();
    for case in &meaning.cases {
        carried.extend(in_case(store, meaning, case, hint, term));
    }
    carried
}

/// A term over the parameters of a meaning, over the arguments of the predicate of a case.
fn in_case(
    store: &mut Store,
    meaning: &Meaning,
    case: &Case,
    hint: &Hint,
    term: TermId,
) -> Option<Hint> {
    let (pred, args) = case.part.as_ref().filter(|_| !case.is_negated)?;
    let mut known = Substitution::default();
    let mut params = Vec::with_capacity(args.len());
    for &arg in args {
        let param = store.fresh_var("x", store.sort(arg));
        params.push(param);
        if meaning.params.contains(&arg) {
            known.entry(arg).or_insert(param);
        }
    }
    solve(store, &meaning.params, case.condition, &mut known);
    let term = store.substitute(term, &known);
    let is_own = store.free_vars(&[term]).iter().all(|var| params.contains(var));
    let pred: PredId = *pred;
    is_own.then_some(Hint { pred, params, term, kind: hint.kind, span: hint.span })
}

/// Adds what a condition says of parameters by terms that are known.
fn solve(store: &mut Store, params: &[TermId], condition: TermId, known: &mut Substitution) {
    let parts = conjuncts(store, condition);
    loop {
        let before = known.len();
        for &part in &parts {
            let sides = match (store.op(part), store.args(part)) {
                (Op::Eq, &[left, right]) => vec![(left, right), (right, left)],
                (Op::Not, &[inner]) => vec![(inner, TermId::FALSE)],
                _ if store.sort(part) == SortId::BOOL => vec![(part, TermId::TRUE)],
                _ => Vec::new(),
            };
            for (param, term) in sides {
                let is_known = store.free_vars(&[term]).iter().all(|var| known.contains_key(var));
                if params.contains(&param) && !known.contains_key(&param) && is_known {
                    let term = store.substitute(term, known);
                    known.insert(param, term);
                }
            }
        }
        if known.len() == before {
            return;
        }
    }
}
