//! Definitions that people can read, with the same meaning.
//!
//! Engines find formulas in the form that suits their search: negated conjunctions, bounds that
//! later bounds have made superfluous, variables called `x!17`. What a user sees should have none
//! of that, and what a user sees should be what was checked; so definitions are tidied *before*
//! their clauses are proved, and the proofs are about the tidy ones.
//!
//! Negations go down to the literals, literals are written as `x <= 5` with positive numbers on
//! both sides (`literal`), and junctions lose what their other parts say already (`junction`).
//! Parameters are called as the file calls the predicate's arguments, and bound variables have short
//! names (`bound`).
//!
//! Invariant: a tidy definition has the same value as the original for all values of all
//! variables. Terms inside other theories are left as they are.

mod bound;
mod junction;
mod literal;
#[cfg(test)]
mod tests;

use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Definition, HornClaim};
use alphorn_problem::horn::PredId;
use alphorn_term::{Op, SortId, Store, TermId};
use junction::Junctions;
use rustc_hash::FxHashMap;

/// What the clauses call the arguments of each predicate. They are collected once: to look through all
/// clauses for each of many predicates is not linear.
pub struct Names<'h> {
    horn: &'h Horn,
    of: Vec<Vec<Option<&'h str>>>,
}

impl<'h> Names<'h> {
    /// The names in a system's clauses.
    pub fn of(horn: &'h Horn) -> Names<'h> {
        Names { horn, of: horn.all_argument_names() }
    }

    /// The definition of a predicate with the same meaning in a form for people, with parameters named
    /// as in the clauses.
    pub fn tidied(&self, store: &mut Store, pred: PredId, definition: &Definition) -> Definition {
        let tidied = tidy(store, definition.body);
        // Pushing negations down can double what is shared.
        let (before, after) = (store.dag_size(&[definition.body]), store.dag_size(&[tidied]));
        let body = if 2 * after <= 3 * before + 16 { tidied } else { definition.body };
        self.named(store, pred, &Definition { params: definition.params.clone(), body })
    }

    /// The definition of a predicate with parameters named as in the clauses.
    pub fn named(&self, store: &mut Store, pred: PredId, definition: &Definition) -> Definition {
        if definition.params.len() != self.horn.pred_args(pred).len() {
            return definition.clone();
        }
        let params = self.parameters(store, pred);
        let mut body = store.rename(definition.body, &definition.params, &params);
        if store.has_quantifier(body) {
            let taken = bound::taken(self.horn, store, &params);
            body = bound::shorten(store, body, taken);
        }
        Definition { params, body }
    }

    /// Variables for the arguments of a predicate, with the names that a clause has for them.
    pub fn parameters(&self, store: &mut Store, pred: PredId) -> Vec<TermId> {
        let parameter = |(name, &sort): (&Option<&str>, &SortId)| match name {
            Some(name) => store.var(name, sort),
            None => store.fresh_var("x", sort),
        };
        self.of[pred.index()].iter().zip(self.horn.pred_args(pred)).map(parameter).collect()
    }
}

/// A formula with the same meaning in a form for people.
pub fn tidy(store: &mut Store, formula: TermId) -> TermId {
    let mut junctions = Junctions::default();
    let mut done: FxHashMap<(TermId, bool), TermId> = FxHashMap::default();
    let mut stack = vec![(formula, true, false)];
    while let Some((term, wanted, ready)) = stack.pop() {
        if done.contains_key(&(term, wanted)) {
            continue;
        }
        let needed = parts(store, term, wanted);
        if !ready {
            stack.push((term, wanted, true));
            stack.extend(needed.iter().rev().map(|&(part, wanted)| (part, wanted, false)));
            continue;
        }
        let parts: Vec<TermId> = needed.iter().map(|part| done[part]).collect();
        let result = rebuild(store, &mut junctions, term, wanted, &parts);
        done.insert((term, wanted), result);
    }
    done[&(formula, true)]
}

/// Whether equality is between truth values.
fn is_equivalence(store: &Store, term: TermId) -> bool {
    store.op(term) == Op::Eq && store.sort(store.args(term)[0]) == SortId::BOOL
}

/// What a formula, or its negation if it is not `wanted` true, is made from.
fn parts(store: &Store, term: TermId, wanted: bool) -> Vec<(TermId, bool)> {
    let args = store.args(term);
    match store.op(term) {
        Op::And | Op::Or => args.iter().map(|&arg| (arg, wanted)).collect(),
        Op::Not => vec![(args[0], !wanted)],
        Op::Ite => vec![(args[0], true), (args[1], wanted), (args[2], wanted)],
        Op::Eq if is_equivalence(store, term) => vec![(args[0], true), (args[1], wanted)],
        _ => Vec::new(),
    }
}

fn rebuild(
    store: &mut Store,
    junctions: &mut Junctions,
    term: TermId,
    wanted: bool,
    parts: &[TermId],
) -> TermId {
    match (store.op(term), parts) {
        (Op::And, _) => junctions.simplify(store, if wanted { Op::And } else { Op::Or }, parts),
        (Op::Or, _) => junctions.simplify(store, if wanted { Op::Or } else { Op::And }, parts),
        (Op::Not, &[part]) => part,
        (Op::Ite, &[condition, then, otherwise]) => store.ite(condition, then, otherwise),
        (Op::Eq, &[left, right]) => store.eq(left, right),
        _ => {
            let literal = if wanted { term } else { store.not(term) };
            junctions.literal(store, literal)
        }
    }
}

/// A claim with its definitions in a form for people, before it is said in other words: what is short
/// here stays short there.
pub fn tidied(horn: &Horn, mut claim: HornClaim) -> HornClaim {
    let names = Names::of(horn);
    for (pred, definition) in horn.pred_ids().zip(&mut claim.preds) {
        *definition = names.tidied(&mut claim.terms, pred, definition);
    }
    claim.hints.clear();
    claim
}
