//! What the environment plays, from where a game begins and not from everywhere.
//!
//! Layers of states that lose say a good deal about states that no play ever sees. Here the environment's inputs
//! are followed from a first state: if the controller has a response that leads to a state of which it is not
//! known yet that it loses, that state is followed first; if it has none, the state loses, and with it all states
//! that lose for the same reason. What is found is a list of cubes, as `region` has it, and most often a short
//! one, so that a proof of it is short as well.
//!
//! Invariant: the states that are followed lose sooner and sooner.

use super::arena::{Arena, in_model};
use super::region::Lost;
use super::stay::Stay;
use alphorn_engine::{Ctx, Event, Stop};

/// Cubes that lose, the last of which has the state `start`; `play` says what the environment does in a state
/// that loses.
pub(super) fn pursue(
    arena: &Arena,
    start: Vec<bool>,
    mut play: impl FnMut(&[bool], &mut Ctx<'_>) -> Result<Vec<bool>, Stop>,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Lost>, Stop> {
    let mut stay = Stay::new(arena);
    let mut found = Vec::new();
    let inputs = play(&start, ctx)?;
    let mut way = vec![(start, inputs)];
    while let Some((state, inputs)) = way.last() {
        if stay.response(state, inputs, ctx)? {
            let lits = &stay.step.next;
            let values = in_model(&stay.step.solver, lits);
            let next: Vec<bool> =
                values.iter().zip(lits).map(|(value, lit)| value == lit).collect();
            let inputs = play(&next, ctx)?;
            if way.iter().any(|(state, _)| *state == next) {
                return Err(Stop::Stuck("the environment's inputs lead round in a circle".into()));
            }
            way.push((next, inputs));
            continue;
        }
        let inputs = inputs.clone();
        let lost = Lost { cube: stay.lost(&inputs, ctx)?, inputs };
        stay.take_away(&lost);
        found.push(lost);
        way.pop();
    }
    ctx.emit(Event::Remark(format!("{} cubes lose on the way from the first state", found.len())));
    Ok(found)
}
