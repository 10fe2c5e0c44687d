//! The closures of a given cycle of clauses, case by case, for whoever wants to know what any number of rounds does.

use super::loops::{Link, links, through};
use super::{Accuracy, Closure, Relation, close};
use crate::settings::{ACCEL_MAX_CASES, ACCEL_MAX_FIRST};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Horn;
use alphorn_problem::horn::ClauseId;
use alphorn_term::{Store, Substitution, TermId};

/// A case of a cycle, and what one round or more of it can do.
#[derive(Clone, Debug)]
pub struct CycleCase {
    /// Variables for the state before.
    pub pre: Vec<TermId>,
    /// Variables for the state after.
    pub post: Vec<TermId>,
    /// What rounds can do, together: formulas over both states and variables of their own.
    pub ways: Vec<TermId>,
}

/// The cases of clauses one after the other, which lead from a predicate back to it; those without closures are
/// left out.
pub fn cycle_cases(
    horn: &Horn,
    store: &mut Store,
    clauses: &[ClauseId],
    ctx: &mut Ctx<'_>,
) -> Result<Vec<CycleCase>, Stop> {
    let mut ways: Vec<Vec<Link>> = vec![Vec::new()];
    for &clause in clauses {
        let own = links(horn, store, clause, ACCEL_MAX_CASES.size());
        ways = ways
            .iter()
            .flat_map(|way| own.iter().map(|link| [&way[..], std::slice::from_ref(link)].concat()))
            .take(ACCEL_MAX_CASES.size())
            .collect();
    }
    let mut cases = Vec::new();
    for way in ways {
        ctx.tick(1)?;
        let all: Vec<&Link> = way.iter().collect();
        let Some(found) = through(store, &all) else { continue };
        let closures = close(store, &found.relation, ctx)?;
        if closures.is_empty() {
            continue;
        }
        let mut ways: Vec<TermId> = closures
            .iter()
            .flat_map(|closure| &closure.pieces)
            .map(|piece| piece.formula)
            .collect();
        let Relation { pre, post, .. } = &found.relation;
        for rounds in closures.iter().flat_map(left_out) {
            ways.push(power(store, &found.relation, rounds));
        }
        cases.push(CycleCase { pre: pre.clone(), post: post.clone(), ways });
    }
    Ok(cases)
}

/// The small numbers of rounds that an exact closure says nothing about.
fn left_out(closure: &Closure) -> Vec<u64> {
    let is_said = |rounds: &u64| {
        let piece = closure.pieces.iter();
        let mut said = piece.map(|piece| (piece.base, *rounds));
        said.any(|(base, rounds)| base <= rounds && (rounds - base).is_multiple_of(closure.period))
    };
    let most = match closure.accuracy {
        Accuracy::Exact => ACCEL_MAX_FIRST.get(),
        Accuracy::Under => 1,
    };
    (1..=most).filter(|rounds| !is_said(rounds)).collect()
}

/// So many rounds, one after the other.
fn power(store: &mut Store, relation: &Relation, rounds: u64) -> TermId {
    let mut parts = Vec::new();
    let mut before = relation.pre.clone();
    for round in 1..=rounds {
        let own = store.free_vars(&relation.parts);
        let mut map = Substitution::default();
        for var in own {
            let name = store.var_name(var).unwrap_or("x").to_owned();
            let sort = store.sort(var);
            map.insert(var, store.fresh_var(&name, sort));
        }
        let mut after = relation.post.clone();
        if round < rounds {
            for var in &mut after {
                let sort = store.sort(*var);
                *var = store.fresh_var("z", sort);
            }
        }
        map.extend(relation.pre.iter().copied().zip(before));
        map.extend(relation.post.iter().copied().zip(after.iter().copied()));
        parts.extend(store.substitute_all(&relation.parts, &map));
        before = after;
    }
    store.and(&parts)
}
