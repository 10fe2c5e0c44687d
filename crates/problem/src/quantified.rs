//! Bodies that ask for a predicate at all values of a variable, and their instances.
//!
//! `∀x. P(x, y)` in a body is beyond Horn clauses: no finite derivation shows it. A clause of a system has
//! instances in its place, `P(t, y) ∧ P(u, y)`, and the system keeps the body *as read* beside it. What
//! holds for all values holds for some, so the body as read implies the one with instances, and whoever
//! satisfies the clause with instances satisfies the clause as read: a model is one of both. The converse
//! is not true, so a derivation may not use such a clause.
//!
//! Invariant (`Quantified::validate`): replacing quantified parts, which stand below conjunctions and
//! disjunctions only, by the instances listed makes the clause's body of the body as read.
//!
//! After Bjørner, McMillan, Rybalchenko, "On Solving Universally Quantified Horn Clauses" (SAS 2013), where
//! instances are chosen before solving.

use alphorn_term::{Op, Store, Substitution, TermId};
use std::collections::BTreeMap;

/// A body as read, and which instances of its quantified parts stand for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantified {
    /// The body as read.
    pub body: TermId,
    /// For each quantified part the instances: a term for each variable that it binds.
    pub instances: BTreeMap<TermId, Vec<Vec<TermId>>>,
}

impl Quantified {
    /// The body with instances in place of quantified parts; an error if they do not fit.
    pub fn instantiate(&self, store: &mut Store) -> Result<TermId, String> {
        for (&part, instances) in &self.instances {
            if store.op(part) != Op::Forall {
                return Err("there are instances of something without a quantifier".to_owned());
            }
            let vars = store.bound_vars(part);
            let fits = |terms: &Vec<TermId>| {
                let pairs = || vars.iter().zip(terms);
                vars.len() == terms.len()
                    && pairs().all(|(&var, &term)| store.sort(var) == store.sort(term))
            };
            if !instances.iter().all(fits) {
                return Err("an instance does not fit the variables of its quantifier".to_owned());
            }
        }
        let mut done: BTreeMap<TermId, TermId> = BTreeMap::new();
        let mut stack = vec![(self.body, false)];
        while let Some((term, is_ready)) = stack.pop() {
            if done.contains_key(&term) {
                continue;
            }
            let op = store.op(term);
            let result = if let Some(instances) = self.instances.get(&term) {
                conjunction(store, term, instances)
            } else if !matches!(op, Op::And | Op::Or) {
                term
            } else if !is_ready {
                stack.push((term, true));
                stack.extend(store.args(term).iter().rev().map(|&arg| (arg, false)));
                continue;
            } else {
                let parts: Vec<TermId> = store.args(term).iter().map(|part| done[part]).collect();
                if op == Op::And { store.and(&parts) } else { store.or(&parts) }
            };
            done.insert(term, result);
        }
        Ok(done[&self.body])
    }

    /// The terms of all instances.
    pub(crate) fn terms(&self) -> impl Iterator<Item = TermId> {
        self.instances.values().flatten().flatten().copied()
    }

    /// Whether `body` is the body with instances; the store is left as it is.
    pub(crate) fn validate(&self, store: &Store, body: TermId) -> Result<(), String> {
        match self.instantiate(&mut store.clone())? == body {
            true => Ok(()),
            false => Err("the body does not have the instances of the one as read".to_owned()),
        }
    }
}

fn conjunction(store: &mut Store, part: TermId, instances: &[Vec<TermId>]) -> TermId {
    let vars = store.bound_vars(part).to_vec();
    let body = store.args(part)[vars.len()];
    let mut all = Vec::new();
    for terms in instances {
        let map: Substitution = vars.iter().copied().zip(terms.iter().copied()).collect();
        all.push(store.substitute(body, &map));
    }
    store.and(&all)
}
