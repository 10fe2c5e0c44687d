//! Paths of states through places that are known to be reachable one from the other.
//!
//! A search that goes backward knows where a path goes, but not by which values. The path is made
//! forward, leg by leg, each from the state in which the one before ended. Where projection was not
//! exact a leg may fail; then the whole path is asked for by its length.

use super::System;
use super::bmc::too_hard;
use super::unroll::{Unrolling, equations};
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask;
use alphorn_smt::Answer;
use alphorn_term::{Store, TermId, Value};

/// A path that begins initially in `first` and gets, by so many steps each, from one formula to the
/// next; the last one says that a state is bad. Terms are in `store`, which extends the system's.
pub(super) fn concrete(
    system: &System,
    store: &Store,
    first: TermId,
    legs: &[(usize, TermId)],
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Vec<Value>>, Stop> {
    let mut system = system.clone();
    system.store = store.clone();
    let mut path: Vec<Vec<Value>> = Vec::new();
    let start = Unrolling::from_init(&system);
    let Some(states) = leg(start, 0, first, ctx)? else { return by_length(&system, legs, ctx) };
    path.extend(states);
    for &(steps, target) in legs {
        let mut unrolling = Unrolling::from_anywhere(&system);
        let from = path.last().cloned().unwrap_or_default();
        let state = unrolling.states[0].clone();
        for equation in equations(&mut unrolling.store, &state, &from) {
            unrolling.smt.assert(&mut unrolling.store, equation);
        }
        let Some(states) = leg(unrolling, steps, target, ctx)? else {
            return by_length(&system, legs, ctx);
        };
        path.extend(states.into_iter().skip(1));
    }
    Ok(path)
}

/// The states of one leg.
fn leg(
    mut unrolling: Unrolling<'_>,
    steps: usize,
    target: TermId,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Vec<Vec<Value>>>, Stop> {
    for _ in 0..steps {
        unrolling.add_step();
    }
    let target = unrolling.at(target, steps);
    let answer = ask(&mut unrolling.smt, &mut unrolling.store, &[target], ctx)?;
    Ok((answer == Answer::Sat).then(|| unrolling.path()))
}

/// A path of the length of all legs together.
fn by_length(
    system: &System,
    legs: &[(usize, TermId)],
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Vec<Value>>, Stop> {
    let mut unrolling = Unrolling::from_init(system);
    let length: usize = legs.iter().map(|(steps, _)| steps).sum();
    for _ in 0..length {
        unrolling.add_step();
    }
    let bad = unrolling.bad_at_end();
    match ask(&mut unrolling.smt, &mut unrolling.store, &[bad], ctx)? {
        Answer::Sat => Ok(unrolling.path()),
        Answer::Unsat => Err(Stop::Stuck("a counterexample could not be made concrete".to_owned())),
        Answer::Unknown => Err(too_hard()),
    }
}
