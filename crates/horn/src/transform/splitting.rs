//! The transform `splitting`: disjunctions of atoms become several clauses.
//!
//! A body is a formula over atoms and constraints; its *ways* are the conjunctions of the disjunctive
//! normal form in which formulas without predicates stay whole. A clause with several ways becomes a
//! clause for each, if they are not too many. The inverse of `merging`, for engines that want
//! conjunctive bodies.

use super::change::{Applied, Change, Recipe};
use super::system::{System, used_vars};
use crate::settings::SPLITTING_MAX_WAYS;
use alphorn_engine::Ctx;
use alphorn_problem::horn::Clause;
use alphorn_term::{Op, Store, TermId};
use rustc_hash::FxHashMap;

pub(super) fn apply(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    let mut clauses = Vec::with_capacity(system.clauses.len());
    for (at, clause) in system.clauses.iter().enumerate() {
        ctx.tick(1)?;
        let ways = ways(system, store, clause.body).unwrap_or_else(|| vec![clause.body]);
        for body in ways {
            let mut part = Clause { body, ..clause.clone() };
            part.vars = used_vars(store, &part);
            clauses.push((part, Recipe::same(at)));
        }
    }
    let has_changed = clauses.len() > system.clauses.len();
    Ok(has_changed.then(|| Change::of_clauses(system, store, clauses)))
}

/// The ways in which a body can hold; none if they are too many.
fn ways(system: &System, store: &mut Store, body: TermId) -> Option<Vec<TermId>> {
    let mut ways: FxHashMap<TermId, Vec<TermId>> = FxHashMap::default();
    for part in system.parts(store, body) {
        let args = store.args(part).to_vec();
        let is_inner = system.is_inner(store, part) && !system.atoms(store, part).is_empty();
        let of_part = if !is_inner {
            vec![part]
        } else if store.op(part) == Op::Or {
            args.iter().flat_map(|arg| ways[arg].iter().copied()).collect()
        } else {
            let count = args.iter().map(|arg| ways[arg].len());
            if count.fold(1usize, usize::saturating_mul) > SPLITTING_MAX_WAYS.size() {
                return None;
            }
            let mut all: Vec<Vec<TermId>> = vec![Vec::new()];
            for arg in &args {
                let longer = |way: &Vec<TermId>| {
                    let way = way.clone();
                    ways[arg].iter().map(move |&next| [&way[..], &[next]].concat())
                };
                all = all.iter().flat_map(longer).collect();
            }
            all.iter().map(|way| store.and(way)).collect()
        };
        if of_part.len() > SPLITTING_MAX_WAYS.size() {
            return None;
        }
        ways.insert(part, of_part);
    }
    ways.remove(&body)
}
