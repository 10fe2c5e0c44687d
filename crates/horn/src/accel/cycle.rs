//! The closures of a given cycle of clauses, case by case, for whoever wants to know what any number of rounds does.

use super::hull::{Hull, hull};
use super::loops::{Link, Loop, links, through};
use super::{Accuracy, Closure, Relation, close};
use crate::settings::{ACCEL_MAX_CASES, ACCEL_MAX_FIRST};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Horn;
use alphorn_problem::horn::ClauseId;
use alphorn_term::{Int, Store, Substitution, TermId};
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// What rounds of a cycle of clauses do.
#[derive(Clone, Debug)]
pub struct Cycle {
    /// Those of its cases that have closures.
    pub cases: Vec<CycleCase>,
    /// Whether there is one case, and its ways are all that rounds of it do.
    pub is_exact: bool,
    /// What any rounds of all cases do at most, where that is less.
    pub hull: Option<Hull>,
}

/// A case of a cycle, and what one round or more of it can do.
#[derive(Clone, Debug)]
pub struct CycleCase {
    /// Variables for the state before.
    pub pre: Vec<TermId>,
    /// Variables for the state after.
    pub post: Vec<TermId>,
    /// What rounds can do, together.
    pub ways: Vec<CycleWay>,
    /// The loop that the case is.
    pub of: Loop,
}

/// Rounds of a case.
#[derive(Clone, Debug)]
pub struct CycleWay {
    /// What they do: a formula over both states and variables of its own.
    pub formula: TermId,
    /// How many they are.
    pub number: TermId,
    /// The closure that tells them.
    pub closure: Arc<Closure>,
}

/// What rounds of clauses do one after the other, which lead from a predicate back to it.
pub fn cycle(
    horn: &Horn,
    store: &mut Store,
    clauses: &[ClauseId],
    ctx: &mut Ctx<'_>,
) -> Result<Cycle, Stop> {
    let mut ways: Vec<Vec<Link>> = vec![Vec::new()];
    let mut is_whole = true;
    for &clause in clauses {
        let own = links(horn, store, clause);
        is_whole = is_whole && ways.len() * own.len() <= ACCEL_MAX_CASES.size();
        ways = ways
            .iter()
            .flat_map(|way| own.iter().map(|link| [&way[..], std::slice::from_ref(link)].concat()))
            .take(ACCEL_MAX_CASES.size())
            .collect();
    }
    is_whole = is_whole && !ways.is_empty();
    let (mut cases, mut relations, mut is_exact) = (Vec::new(), Vec::new(), is_whole);
    for way in ways {
        ctx.tick(1)?;
        let all: Vec<&Link> = way.iter().collect();
        let Some(of) = through(store, &all) else {
            is_whole = false;
            continue;
        };
        relations.push(of.relation.clone());
        let closures = close(store, &of.relation, ctx)?;
        is_exact = is_exact && matches!(&closures[..], [one] if one.accuracy == Accuracy::Exact);
        if closures.is_empty() {
            continue;
        }
        let mut ways = Vec::new();
        for closure in closures {
            let told = rounds_of(store, &of.relation, &closure, &left_out(&closure));
            is_exact = is_exact && left_out(&closure) == unsaid(&closure);
            let closure = Arc::new(closure);
            ways.extend(told.into_iter().map(|(formula, number)| {
                let closure = Arc::clone(&closure);
                CycleWay { formula, number, closure }
            }));
        }
        let Relation { pre, post, .. } = of.relation.clone();
        cases.push(CycleCase { pre, post, ways, of });
    }
    is_exact = is_exact && relations.len() == 1;
    let hull = match is_whole && !is_exact {
        true => hull(store, &relations, ctx)?,
        false => None,
    };
    Ok(Cycle { cases, is_exact, hull })
}

/// The small numbers of rounds that a closure says nothing about, if not too many are told one by one.
fn left_out(closure: &Closure) -> Vec<u64> {
    let most = match closure.accuracy {
        Accuracy::Exact => ACCEL_MAX_FIRST.get(),
        Accuracy::Under => 1,
    };
    unsaid(closure).into_iter().filter(|&rounds| rounds <= most).collect()
}

/// All numbers of rounds below the last piece's fewest that no piece is about.
fn unsaid(closure: &Closure) -> Vec<u64> {
    let is_said = |rounds: &u64| {
        let said = |base: u64| base <= *rounds && (rounds - base).is_multiple_of(closure.period);
        closure.pieces.iter().any(|piece| said(piece.base))
    };
    (1..=closure.last()).filter(|rounds| !is_said(rounds)).collect()
}

/// One round or more of a loop whose closure is exact: the formula over the states before and after, and
/// how many rounds it is about. None if too many numbers of rounds would have to be told one by one.
pub(crate) fn all_rounds(
    store: &mut Store,
    relation: &Relation,
    closure: &Closure,
) -> Option<Vec<(TermId, TermId)>> {
    let single = unsaid(closure);
    if closure.accuracy != Accuracy::Exact || single.len() as u64 > ACCEL_MAX_FIRST.get() {
        return None;
    }
    Some(rounds_of(store, relation, closure, &single))
}

/// The rounds that a closure tells, and some that it does not.
fn rounds_of(
    store: &mut Store,
    relation: &Relation,
    closure: &Closure,
    single: &[u64],
) -> Vec<(TermId, TermId)> {
    let mut all = Vec::with_capacity(closure.pieces.len() + single.len());
    for piece in &closure.pieces {
        let base = store.int(Int::from(piece.base));
        let period = store.int(Int::from(closure.period));
        let more = store.mul(&[period, piece.count]);
        all.push((piece.formula, store.add(&[base, more])));
    }
    for &rounds in single {
        let number = store.int(Int::from(rounds));
        all.push((power(store, relation, rounds), number));
    }
    all
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

/// Fresh variables for a state.
pub fn copies(params: &[TermId], store: &mut Store) -> Vec<TermId> {
    let mut copies = Vec::with_capacity(params.len());
    for &param in params {
        let name = store.var_name(param).unwrap_or("x").to_owned();
        let sort = store.sort(param);
        copies.push(store.fresh_var(&name, sort));
    }
    copies
}

/// A formula between two states in place of those that it is about, with fresh variables of its own, which come
/// with those that they stand for.
pub fn between(
    store: &mut Store,
    (pre, post): (&[TermId], &[TermId]),
    formula: TermId,
    before: &[TermId],
    after: &[TermId],
) -> (TermId, Substitution) {
    let given = pre.iter().chain(post).copied();
    let mut map: Substitution = given.zip(before.iter().chain(after).copied()).collect();
    let mut own = Substitution::default();
    for var in store.free_vars(&[formula]) {
        if let Entry::Vacant(unknown) = map.entry(var) {
            let fresh = *unknown.insert(copies(&[var], store)[0]);
            own.insert(var, fresh);
        }
    }
    (store.substitute(formula, &map), own)
}
