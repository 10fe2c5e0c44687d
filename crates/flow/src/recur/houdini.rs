//! Sets guessed from long runs: what all states of a run have in common, as far as a round keeps it.
//!
//! The run goes round with given moves, from a state from which the solver says that it can for a while. The
//! guesses are bounds, differences, sums and equations that hold in the states from some round on, and the
//! guard, also of later rounds. Those that do not follow are dropped until all do (Flanagan, Leino, FME 2001).

use super::chain::Move;
use super::grow::Round;
use super::solve::Premises;
use crate::settings::{
    RECUR_MAX_COMPARED, RECUR_MAX_ROUNDS, RECUR_MIN_ROUNDS, RECUR_SKIPPED_ROUNDS,
};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Flow;
use alphorn_problem::evidence::flow::{Path, PathStep};
use alphorn_term::{Model, Rat, Sort, Store, TermId, Value, eval};
use std::collections::BTreeSet;

/// States after some rounds, and the path to the first of them.
type Rounds = (Vec<Vec<Value>>, Path);

/// Goes round from the end of a path: the states after some rounds, and the path to the first of them; none
/// if there are few.
pub(super) fn run(
    flow: &Flow,
    store: &Store,
    moves: &[Move],
    mut path: Path,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Rounds>, Stop> {
    let mut states: Vec<Vec<Value>> = Vec::new();
    let mut skipped = None;
    for number in 0..RECUR_MAX_ROUNDS.size() {
        ctx.tick(moves.len() as u64)?;
        if number == RECUR_SKIPPED_ROUNDS.size() {
            skipped = Some(path.clone());
        }
        if number >= RECUR_SKIPPED_ROUNDS.size() {
            states.push(path.last().to_vec());
        }
        if go_round(flow, store, moves, &mut path).is_none() {
            break;
        }
    }
    Ok(skipped.filter(|_| states.len() >= RECUR_MIN_ROUNDS.size()).map(|path| (states, path)))
}

/// A set within the guard that the round keeps and that has all of these states.
pub(super) fn common(
    flow: &Flow,
    store: &mut Store,
    round: &Round,
    states: &[Vec<Value>],
    ctx: &mut Ctx<'_>,
) -> Result<Option<Vec<TermId>>, Stop> {
    let mut guesses = guesses(flow, store, round, states);
    loop {
        let mut premises = Premises::new(store, &guesses);
        let mut kept = Vec::with_capacity(guesses.len());
        for &guess in &guesses {
            let needed = round.before(flow, store, guess);
            if premises.imply(store, needed, ctx)? {
                kept.push(guess);
            } else if round.guard.contains(&guess) {
                return Ok(None);
            }
        }
        if kept.len() == guesses.len() {
            break;
        }
        guesses = kept;
    }
    Ok(Some(needed(flow, store, round, guesses, ctx)?))
}

/// Makes all moves from the end of a path; none if one cannot be made.
fn go_round(flow: &Flow, store: &Store, moves: &[Move], path: &mut Path) -> Option<()> {
    let before = path.steps.len();
    for step in moves {
        let mut model = Model::new();
        for (&var, value) in flow.vars.iter().zip(path.last()) {
            model.set(var, value.clone());
        }
        let holds = |&literal: &TermId| eval(store, literal, &model) == Ok(Value::Bool(true));
        let values = |terms: &[TermId]| -> Option<Vec<Value>> {
            terms.iter().map(|&term| eval(store, term, &model).ok()).collect()
        };
        let after = step.guard.iter().all(holds).then(|| values(&step.next)).flatten();
        let (Some(after), Some(inputs)) = (after, values(&step.inputs)) else {
            path.steps.truncate(before);
            return None;
        };
        path.steps.push(PathStep { transition: step.transition, inputs, values: after });
    }
    Some(())
}

/// What all states have in common; the guard comes first.
fn guesses(flow: &Flow, store: &mut Store, round: &Round, states: &[Vec<Value>]) -> Vec<TermId> {
    let mut all = round.guard.clone();
    let mut later = round.guard.clone();
    for _ in 0..2 {
        later = later.iter().map(|&one| round.before(flow, store, one)).collect();
        for &one in &later {
            if store.dag_size(&[one]) < 60 {
                all.push(one);
            }
        }
    }
    let used = relevant(flow, store, &round.guard, &round.next);
    let (mut numbers, mut columns) = (Vec::new(), Vec::new());
    for (place, &var) in flow.vars.iter().enumerate().filter(|(_, var)| used.contains(var)) {
        let column: Option<Vec<Rat>> = states.iter().map(|state| number(&state[place])).collect();
        match column {
            Some(column) if numbers.len() < RECUR_MAX_COMPARED.size() => {
                numbers.push(var);
                columns.push(column);
            }
            Some(_) => {}
            None => {
                let first = &states[0][place];
                if states.iter().all(|state| &state[place] == first)
                    && let Some(value) = store.value_term(first)
                {
                    all.push(store.eq(var, value));
                }
            }
        }
    }
    for one in 0..numbers.len() {
        bounds(store, numbers[one], &columns[one], &mut all);
        for other in 0..one {
            if store.sort(numbers[one]) != store.sort(numbers[other]) {
                continue;
            }
            let pairs = columns[one].iter().zip(&columns[other]);
            let (sums, differences): (Vec<Rat>, Vec<Rat>) =
                pairs.map(|(left, right)| (left + right, left - right)).unzip();
            let sum = store.add(&[numbers[one], numbers[other]]);
            bounds(store, sum, &sums, &mut all);
            let difference = store.sub(numbers[one], numbers[other]);
            bounds(store, difference, &differences, &mut all);
        }
    }
    let mut seen = BTreeSet::from([TermId::TRUE]);
    all.retain(|&guess| seen.insert(guess));
    // What the run itself refutes, of the guards of later rounds.
    let mut model = Model::new();
    for state in states {
        for (&var, value) in flow.vars.iter().zip(state) {
            model.set(var, value.clone());
        }
        all.retain(|&guess| {
            round.guard.contains(&guess) || eval(store, guess, &model) == Ok(Value::Bool(true))
        });
    }
    all
}

/// The least and the greatest value of a term, if they are not those of the last states.
fn bounds(store: &mut Store, term: TermId, values: &[Rat], all: &mut Vec<TermId>) {
    let sort = store.sort(term);
    let (Some(least), Some(greatest)) = (values.iter().min(), values.iter().max()) else { return };
    let mut constant = |value: &Rat| match store.sort_of(sort) {
        Sort::Int => store.int(value.numerator()),
        _ => store.real(value.clone()),
    };
    let (low, high) = (constant(least), constant(greatest));
    let last = &values[values.len() - 1];
    if least == greatest {
        all.push(store.eq(term, low));
        return;
    }
    if least != last {
        all.push(store.ge(term, low));
    }
    if greatest != last {
        all.push(store.le(term, high));
    }
}

fn number(value: &Value) -> Option<Rat> {
    match value {
        Value::Int(value) => Some(Rat::from(value)),
        Value::Real(value) => Some(value.clone()),
        _ => None,
    }
}

/// The variables that guards depend on, in this round or a later one.
pub(super) fn relevant(
    flow: &Flow,
    store: &Store,
    guard: &[TermId],
    next: &[TermId],
) -> BTreeSet<TermId> {
    let mut used: BTreeSet<TermId> = store.free_vars(guard).into_iter().collect();
    loop {
        let terms = flow.vars.iter().zip(next).filter(|(var, _)| used.contains(var));
        let terms: Vec<TermId> = terms.map(|(_, &term)| term).collect();
        let before = used.len();
        used.extend(store.free_vars(&terms));
        if used.len() == before {
            return used;
        }
    }
}

/// Of literals that are kept together some that are kept, the guard among them.
fn needed(
    flow: &Flow,
    store: &mut Store,
    round: &Round,
    mut set: Vec<TermId>,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<TermId>, Stop> {
    let mut place = set.len();
    while place > round.guard.len() {
        place -= 1;
        let mut fewer = set.clone();
        fewer.remove(place);
        let mut premises = Premises::new(store, &fewer);
        let mut is_kept = true;
        for &literal in &fewer {
            let needed = round.before(flow, store, literal);
            if !premises.imply(store, needed, ctx)? {
                is_kept = false;
                break;
            }
        }
        if is_kept {
            set = fewer;
        }
    }
    Ok(set)
}
