//! Conjectures out of inductions that fail.
//!
//! What is left of a case of an induction, after functions are unfolded, often is an instance of something
//! that has a proof: subterms on both sides of it, or of the hypothesis and of it, become variables. An
//! equation as hypothesis is used first, one side for the other. Conjectures that samples refute are
//! dropped.
//!
//! After Boyer and Moore, "A Computational Logic" (1979): cross-fertilisation and generalization.

use super::evaluate::Evaluator;
use super::prove::Theory;
use crate::settings::{INDUCTION_LARGEST_CONJECTURE, INDUCTION_MAX_CONJECTURES};
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::folds::tree_size;
use alphorn_problem::obligation::fold::constructors;
use alphorn_term::{Op, SortId, Store, Substitution, TermId};
use std::collections::BTreeSet;

impl Theory {
    /// What would help with a goal, small formulas first.
    pub(super) fn conjectures(
        &mut self,
        goal: TermId,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<TermId>, Stop> {
        let mut found: BTreeSet<TermId> = BTreeSet::new();
        let functions = self.folds.functions.clone();
        let mut evaluator = Evaluator::new(&functions);
        let free = self.store.free_vars(&[goal]);
        for var in recursed(&self.store, goal) {
            let sort = self.store.sort(var);
            let others: Vec<TermId> = free.iter().copied().filter(|&other| other != var).collect();
            for ctor in constructors(&self.store, sort) {
                ctx.tick(10)?;
                let store = &mut self.store;
                let sorts: Vec<SortId> =
                    store.ctor(ctor).fields.iter().map(|(_, sort)| *sort).collect();
                let fields: Vec<TermId> =
                    sorts.iter().map(|&sort| store.fresh_var("z", sort)).collect();
                let made = store.mk(Op::Construct(ctor), &fields);
                let conclusion = replaced(store, goal, var, made);
                let conclusion = evaluator.simplified(store, conclusion);
                // Each hypothesis is used on what those before it left.
                let mut candidates: BTreeSet<TermId> = [conclusion].into();
                let mut has_rules = false;
                for field in fields {
                    if store.sort(field) != sort {
                        continue;
                    }
                    let hypothesis = replaced(store, goal, var, field);
                    let hypothesis = evaluator.simplified(store, hypothesis);
                    if is_rule(store, hypothesis) {
                        has_rules = true;
                        for candidate in candidates.clone() {
                            candidates.extend(fertilised(store, hypothesis, candidate, &others));
                        }
                    } else {
                        found.extend(generalized(store, &[conclusion]));
                        found.extend(generalized(store, &[hypothesis, conclusion]));
                    }
                }
                for candidate in candidates.into_iter().filter(|_| has_rules) {
                    found.extend(generalized(store, &[candidate]));
                }
            }
        }
        found.extend(generalized(&mut self.store, &[goal]));
        let own = named(&mut self.store, goal);
        let found: BTreeSet<TermId> =
            found.into_iter().map(|candidate| named(&mut self.store, candidate)).collect();
        let mut holding = Vec::new();
        for candidate in found.into_iter().filter(|&candidate| candidate != own) {
            if tree_size(&self.store, candidate) > INDUCTION_LARGEST_CONJECTURE.size() {
                continue;
            }
            if evaluator.on_samples(&mut self.store, candidate, ctx)? == Some(true) {
                holding.push((tree_size(&self.store, candidate), candidate));
            }
        }
        holding.sort();
        Ok(holding
            .into_iter()
            .map(|(_, candidate)| candidate)
            .take(INDUCTION_MAX_CONJECTURES.size())
            .collect())
    }
}

fn replaced(store: &mut Store, term: TermId, from: TermId, to: TermId) -> TermId {
    let map: Substitution = [(from, to)].into_iter().collect();
    store.substitute(term, &map)
}

/// The variables that some function is recursive on.
pub(super) fn recursed(store: &Store, goal: TermId) -> Vec<TermId> {
    let mut found = BTreeSet::new();
    for term in store.subterms(&[goal]) {
        if let (Op::Apply(_), Some(&first)) = (store.op(term), store.args(term).first())
            && matches!(store.op(first), Op::Var(_))
        {
            found.insert(first);
        }
    }
    store.free_vars(&[goal]).into_iter().filter(|var| found.contains(var)).collect()
}

/// Whether a hypothesis is an equation of which each side can stand for the other.
fn is_rule(store: &Store, hypothesis: TermId) -> bool {
    store.op(hypothesis) == Op::Eq
        && store.args(hypothesis).iter().all(|&side| !store.is_ground(side))
}

/// The formula with variables that depend on their places alone, so that formulas are compared up to names.
pub(super) fn named(store: &mut Store, formula: TermId) -> TermId {
    let mut map = Substitution::default();
    for (at, var) in store.free_vars(&[formula]).into_iter().enumerate() {
        let sort = store.sort(var);
        let name = format!("u{at}-{}", store.show_sort(sort));
        let fresh = store.var(&name, sort);
        map.insert(var, fresh);
    }
    store.substitute(formula, &map)
}

/// A conclusion with one side of the hypothesis for the other, for any values of `others`.
fn fertilised(
    store: &mut Store,
    hypothesis: TermId,
    conclusion: TermId,
    others: &[TermId],
) -> Vec<TermId> {
    let mut found = vec![conclusion];
    if store.op(conclusion) != Op::Eq {
        return found;
    }
    let (left, right) = (store.args(hypothesis)[0], store.args(hypothesis)[1]);
    let (one, other) = (store.args(conclusion)[0], store.args(conclusion)[1]);
    for (from, to) in [(left, right), (right, left)] {
        let (new_one, new_other) =
            (rewritten(store, one, from, to, others), rewritten(store, other, from, to, others));
        for (a, b) in [(new_one, other), (one, new_other), (new_one, new_other)] {
            if store.sort(a) == store.sort(b) {
                found.push(store.eq(a, b));
            }
        }
    }
    found.retain(|&term| term != TermId::TRUE);
    found
}

/// A term with instances of one side of an equation replaced by the other.
fn rewritten(store: &mut Store, term: TermId, from: TermId, to: TermId, vars: &[TermId]) -> TermId {
    for sub in store.subterms(&[term]) {
        let mut map = Substitution::default();
        let is_bare = matches!(store.op(from), Op::Var(_)) && vars.contains(&from);
        if !is_bare && matched(store, from, sub, vars, &mut map) {
            let missing = store.free_vars(&[to]).into_iter();
            let mut missing = missing.filter(|var| vars.contains(var));
            if missing.all(|var| map.contains_key(&var)) {
                let new = store.substitute(to, &map);
                return replaced(store, term, sub, new);
            }
        }
    }
    term
}

/// Whether a term is an instance of a pattern, and for what values of its variables.
fn matched(
    store: &Store,
    pattern: TermId,
    term: TermId,
    vars: &[TermId],
    map: &mut Substitution,
) -> bool {
    if store.sort(pattern) != store.sort(term) {
        return false;
    }
    if vars.contains(&pattern) {
        return *map.entry(pattern).or_insert(term) == term;
    }
    if pattern == term {
        // What is equal as it stands binds its variables to themselves.
        return store
            .free_vars(&[pattern])
            .into_iter()
            .filter(|var| vars.contains(var))
            .all(|var| *map.entry(var).or_insert(var) == var);
    }
    let (patterns, terms) = (store.args(pattern), store.args(term));
    store.op(pattern) == store.op(term)
        && patterns.len() == terms.len()
        && !patterns.is_empty()
        && patterns.iter().zip(terms).all(|(&p, &t)| matched(store, p, t, vars, map))
}

/// An equation without constructors that are on both sides, where one pair of arguments differs.
fn stripped(store: &mut Store, mut formula: TermId) -> TermId {
    while store.op(formula) == Op::Eq {
        let (left, right) = (store.args(formula)[0], store.args(formula)[1]);
        if store.op(left) != store.op(right) || !matches!(store.op(left), Op::Construct(_)) {
            break;
        }
        let pairs = store.args(left).iter().zip(store.args(right)).filter(|(a, b)| a != b);
        let pairs: Vec<(TermId, TermId)> = pairs.map(|(&a, &b)| (a, b)).collect();
        let &[(a, b)] = &pairs[..] else { break };
        formula = store.eq(a, b);
    }
    formula
}

/// A formula, or an implication of two, with variables for what occurs on both sides: for all such
/// terms at once, and for each alone.
fn generalized(store: &mut Store, parts: &[TermId]) -> Vec<TermId> {
    let parts: Vec<TermId> = parts.iter().map(|&part| stripped(store, part)).collect();
    let sides: Vec<TermId> = match parts[..] {
        [only] if store.op(only) == Op::Eq => store.args(only).to_vec(),
        _ => parts.clone(),
    };
    let whole = match parts[..] {
        [hypothesis, conclusion] => store.implies(hypothesis, conclusion),
        _ => parts[0],
    };
    let mut common: Option<BTreeSet<TermId>> = None;
    for &side in &sides {
        let own: BTreeSet<TermId> = (store.subterms(&[side]).into_iter())
            .filter(|&term| {
                let is_value = store.sort(term) == SortId::INT
                    || !constructors(store, store.sort(term)).is_empty();
                is_value && matches!(store.op(term), Op::Apply(_)) && !store.is_ground(term)
            })
            .collect();
        common = Some(match common {
            None => own,
            Some(before) => before.intersection(&own).copied().collect(),
        });
    }
    let common = common.unwrap_or_default();
    let mut found = if parts.len() == 1 { vec![whole] } else { Vec::new() };
    let mut all = whole;
    let mut order: Vec<TermId> = common.into_iter().collect();
    order.sort_by_key(|&term| usize::MAX - tree_size(store, term));
    for term in order {
        let var = store.fresh_var("g", store.sort(term));
        found.push(replaced(store, whole, term, var));
        all = replaced(store, all, term, var);
    }
    found.push(all);
    found.retain(|&term| term != TermId::TRUE && term != TermId::FALSE);
    found
}
