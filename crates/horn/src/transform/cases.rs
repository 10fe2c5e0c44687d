//! The transforms `cases` and `guards`: disjunctions that say what variables are become several clauses.
//!
//! Front ends write all transitions of a program as one disjunction, in each part of which equations
//! say what the next values are. As long as they stand below a disjunction nothing can be put in for
//! these variables, and an engine sees a relation where there are functions. Here each part becomes a
//! clause of its own, from the outside in, as long as clauses stay few and unless it contradicts the
//! rest of the body in form; the other transforms put the equations in. Disjunctions of comparisons stay: they are conditions and determine nothing.
//!
//! Other front ends name the blocks of a program by truth values, and say in disjunctions what variables are if a run
//! goes through a block: `guards` makes a clause for each path, as long as arrays depend on it.
//!
//! The opposite of `merging`, and `splitting` for constraints instead of atoms.

use super::change::{Applied, Change, Recipe};
use super::system::{System, conjuncts, used_vars};
use crate::exclusion::Said;
use crate::settings::{
    CASES_FEW_CLAUSES, CASES_MAX_CLAUSES, CASES_MAX_PATHS, CASES_MAX_ROUNDS, CASES_MAX_WORK,
};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::horn::Clause;
use alphorn_term::{Op, Sort, SortId, Store, Substitution, TermId};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

pub(super) fn apply(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    let (mut clauses, is_whole) = split(system, store, options, CASES_MAX_CLAUSES.size(), ctx)?;
    if !is_whole {
        clauses = split(system, store, options, CASES_FEW_CLAUSES.size(), ctx)?.0;
    }
    Ok(changed(system, store, clauses))
}

/// The transform `guards`: all paths that arrays depend on, or nothing.
pub(super) fn apply_to_guards(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    let (clauses, is_whole) = split(system, store, truth_values, CASES_MAX_PATHS.size(), ctx)?;
    Ok(if is_whole { changed(system, store, clauses) } else { None })
}

fn changed(system: &System, store: &mut Store, clauses: Vec<(Clause, Recipe)>) -> Option<Change> {
    let is_same = |((part, _), clause): (&(Clause, Recipe), &Clause)| part.body == clause.body;
    let has_changed =
        clauses.len() != system.clauses.len() || !clauses.iter().zip(&system.clauses).all(is_same);
    has_changed.then(|| Change::of_clauses(system, store, clauses))
}

/// How a body is split into bodies, of which there may be so many.
type Splitter = fn(&mut Store, TermId, usize) -> Split;

/// The clauses of all choices, outer ones first, up to `most`; and whether all choices are made.
fn split(
    system: &System,
    store: &mut Store,
    splitter: Splitter,
    most: usize,
    ctx: &mut Ctx<'_>,
) -> Result<(Vec<(Clause, Recipe)>, bool), Stop> {
    let mut open: VecDeque<(usize, TermId)> =
        system.clauses.iter().map(|clause| clause.body).enumerate().collect();
    let (mut done, mut work, mut is_whole) = (Vec::new(), 0, true);
    while let Some((at, body)) = open.pop_front() {
        let size = store.dag_size(&[body]);
        work += size;
        ctx.tick(1 + size as u64 / 64)?;
        let room = if work > CASES_MAX_WORK.size() {
            0
        } else {
            most.saturating_sub(done.len() + open.len())
        };
        match splitter(store, body, room) {
            Split::Options(options) => open.extend(options.into_iter().map(|body| (at, body))),
            choice => {
                is_whole &= matches!(choice, Split::None);
                done.push((at, body));
            }
        }
    }
    // In the order of the clauses that they were made of.
    done.sort_by_key(|&(at, _)| at);
    let clause = |(at, body): (usize, TermId)| {
        let mut part = Clause { body, ..system.clauses[at].clone() };
        part.vars = used_vars(store, &part);
        (part, Recipe::same(at))
    };
    Ok((done.into_iter().map(clause).collect(), is_whole))
}

/// What becomes of a body.
enum Split {
    /// It has no choice.
    None,
    /// It has choices with too many options.
    TooMany,
    /// These bodies.
    Options(Vec<TermId>),
}

/// The ways in which the first choice of a body can be made, of which there may be `room`.
/// Ways that contradict the rest of the body in form are left out.
fn options(store: &mut Store, body: TermId, room: usize) -> Split {
    let parts = conjuncts(store, body);
    let Some(said) = Said::by(store, body) else { return Split::Options(Vec::new()) };
    let mut found = Split::None;
    for (at, &part) in parts.iter().enumerate() {
        if !is_choice(store, part) {
            continue;
        }
        let is_open = |option: &TermId| {
            !conjuncts(store, *option).iter().any(|&part| said.contradicts(store, part))
        };
        let options: Vec<TermId> = store.args(part).iter().copied().filter(is_open).collect();
        if options.len() > room {
            found = Split::TooMany;
            continue;
        }
        let with = |option: TermId| {
            let mut parts = parts.clone();
            parts[at] = option;
            let body = store.and(&parts);
            propagated(store, body)
        };
        let bodies = options.into_iter().map(with).filter(|&body| body != TermId::FALSE);
        return Split::Options(bodies.collect());
    }
    found
}

/// The ways in which a truth value that guards equations of arrays can be, both of which there must be room for. Ways
/// that contradict the rest of the body in form are left out.
fn truth_values(store: &mut Store, body: TermId, room: usize) -> Split {
    if Said::by(store, body).is_none() {
        return Split::Options(Vec::new());
    }
    let Some(guard) = guard(store, body) else { return Split::None };
    let negation = store.not(guard);
    let mut bodies = Vec::with_capacity(2);
    for option in [guard, negation] {
        let mut body = store.and(&[option, body]);
        // What follows from a choice says more, until nothing does.
        for _ in 0..CASES_MAX_ROUNDS.size() {
            let next = propagated(store, body);
            if next == body {
                break;
            }
            body = next;
        }
        if Said::by(store, body).is_some() {
            bodies.push(body);
        }
    }
    if bodies.len() > room { Split::TooMany } else { Split::Options(bodies) }
}

/// A variable of which a disjunction says that an array, an element or an index is this or that if it is true, or if it
/// is false.
fn guard(store: &Store, body: TermId) -> Option<TermId> {
    let is_var = |term: TermId| matches!(store.op(term), Op::Var(_));
    let is_access = |term: TermId| matches!(store.op(term), Op::Select | Op::Store);
    let accesses = store.subterms(&[body]).into_iter().filter(|&term| is_access(term));
    let indices: FxHashSet<TermId> = accesses.map(|term| store.args(term)[1]).collect();
    let is_of_arrays = |&part: &TermId| {
        let args = store.args(part);
        store.op(part) == Op::Eq
            && args.iter().any(|&arg| is_var(arg))
            && (matches!(store.sort_of(store.sort(args[0])), Sort::Array(..))
                || args.iter().any(|arg| is_access(*arg) || indices.contains(arg)))
    };
    let variable = |&part: &TermId| match (store.op(part), store.args(part)) {
        (Op::Var(_), _) => Some(part),
        (Op::Not, &[arg]) if is_var(arg) => Some(arg),
        _ => None,
    };
    conjuncts(store, body).into_iter().find_map(|part| {
        let parts = store.args(part);
        let is_guarded = store.op(part) == Op::Or && parts.iter().any(is_of_arrays);
        if is_guarded { parts.iter().find_map(variable) } else { None }
    })
}

/// A body with what its conjuncts say of variables, that they are true, false, a literal or another
/// variable, put into the other conjuncts.
fn propagated(store: &mut Store, body: TermId) -> TermId {
    let parts = conjuncts(store, body);
    let mut map = Substitution::default();
    let mut used: FxHashSet<TermId> = FxHashSet::default();
    for &part in &parts {
        let Some((var, value)) = said_of_variable(store, part) else { continue };
        let value = end(&map, value);
        if var != value && !map.contains_key(&var) {
            map.insert(var, value);
            used.insert(part);
        }
    }
    let vars: Vec<TermId> = map.keys().copied().collect();
    let ends: Vec<(TermId, TermId)> = vars.into_iter().map(|var| (var, end(&map, var))).collect();
    map.extend(ends);
    // Atoms keep their variables, which engines like.
    let is_kept = |store: &Store, part: TermId| used.contains(&part) || store.has_apply(part);
    let mut changed = Vec::with_capacity(parts.len());
    for part in parts {
        changed.push(if is_kept(store, part) { part } else { store.substitute(part, &map) });
    }
    store.and(&changed)
}

/// What a term is in the end.
fn end(map: &Substitution, mut term: TermId) -> TermId {
    while let Some(&next) = map.get(&term) {
        term = next;
    }
    term
}

/// The variable that a conjunct says is a literal or another variable.
fn said_of_variable(store: &Store, part: TermId) -> Option<(TermId, TermId)> {
    let is_var = |term: TermId| matches!(store.op(term), Op::Var(_));
    match (store.op(part), store.args(part)) {
        (Op::Var(_), _) => Some((part, TermId::TRUE)),
        (Op::Not, &[arg]) if is_var(arg) => Some((arg, TermId::FALSE)),
        (Op::Eq, &[left, right]) if is_var(left) && (store.is_literal(right) || is_var(right)) => {
            Some((left, right))
        }
        (Op::Eq, &[left, right]) if is_var(right) && store.is_literal(left) => Some((right, left)),
        _ => None,
    }
}

/// Whether a formula is a disjunction of which at least half of the parts determine a variable.
fn is_choice(store: &Store, formula: TermId) -> bool {
    if store.op(formula) != Op::Or {
        return false;
    }
    let determines = |part: &&TermId| {
        store.op(**part) == Op::And
            && conjuncts(store, **part).iter().any(|&conjunct| determined(store, conjunct))
    };
    let parts = store.args(formula);
    2 * parts.iter().filter(determines).count() >= parts.len()
}

/// Whether a conjunct is an equation of a word or number variable.
fn determined(store: &Store, conjunct: TermId) -> bool {
    let is_var =
        |&arg: &TermId| matches!(store.op(arg), Op::Var(_)) && store.sort(arg) != SortId::BOOL;
    store.op(conjunct) == Op::Eq && store.args(conjunct).iter().any(is_var)
}
