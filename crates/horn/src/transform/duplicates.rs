//! The transform `duplicates`: clauses that another clause makes superfluous are removed.
//!
//! Variables are renamed in the order in which they occur, the head first. Then a clause is
//! superfluous if another one has the same head and some of its conjuncts: whatever the longer
//! clause derives, the shorter one does. Renaming by occurrence misses clauses that are the same up
//! to order; those stay.

use super::change::{Applied, Change, Recipe};
use super::system::{System, conjuncts, head_args};
use crate::settings::DUPLICATES_MAX_COMPARED;
use alphorn_engine::Ctx;
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_term::{SortId, Store, Substitution, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

type Key = (Option<PredId>, Vec<TermId>);

pub(super) fn apply(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    let mut groups: FxHashMap<Key, Vec<usize>> = FxHashMap::default();
    let mut bodies: Vec<FxHashSet<TermId>> = Vec::with_capacity(system.clauses.len());
    for (at, clause) in system.clauses.iter().enumerate() {
        ctx.tick(1)?;
        let (key, body) = canonical(store, clause);
        groups.entry(key).or_default().push(at);
        bodies.push(body);
    }
    let mut is_superfluous = vec![false; system.clauses.len()];
    for group in groups.values().filter(|group| group.len() > 1) {
        for &at in group.iter().take(DUPLICATES_MAX_COMPARED.size()) {
            for &other in group.iter().take(DUPLICATES_MAX_COMPARED.size()) {
                let is_smaller = bodies[at].len() < bodies[other].len()
                    || (bodies[at].len() == bodies[other].len() && at < other);
                if is_smaller && !is_superfluous[at] && bodies[at].is_subset(&bodies[other]) {
                    is_superfluous[other] = true;
                }
            }
        }
    }
    if !is_superfluous.contains(&true) {
        return Ok(None);
    }
    let left = (0..system.clauses.len()).filter(|&at| !is_superfluous[at]);
    let clauses = left.map(|at| (system.clauses[at].clone(), Recipe::same(at))).collect();
    Ok(Some(Change::of_clauses(system, store, clauses)))
}

/// The head and the conjuncts of a clause with its variables renamed.
fn canonical(store: &mut Store, clause: &Clause) -> (Key, FxHashSet<TermId>) {
    let mut roots = head_args(clause).to_vec();
    let arity = roots.len();
    roots.extend(conjuncts(store, clause.body));
    let mut counts: FxHashMap<SortId, usize> = FxHashMap::default();
    let mut map = Substitution::default();
    for var in store.free_vars(&roots) {
        let sort = store.sort(var);
        let count = counts.entry(sort).or_default();
        map.insert(var, store.var(&format!("canonical!{count}"), sort));
        *count += 1;
    }
    let mut renamed = store.substitute_all(&roots, &map);
    let body = renamed.split_off(arity).into_iter().collect();
    let pred = match clause.head {
        Head::Atom(pred, _) => Some(pred),
        Head::False => None,
    };
    ((pred, renamed), body)
}
