//! Which clauses can fire in the same turn: those whose bodies exclude each other.
//!
//! Whether they do is seen from their form (`exclusion`). Each clause takes the first turn in which it
//! disturbs nobody (greedy colouring).

use crate::settings::BITS_MAX_PAIRS;
use alphorn_horn::exclusion::Said;
use alphorn_term::{Store, TermId};

/// A turn for each of these conditions, such that those of one turn exclude each other, and how many
/// turns there are.
pub(super) fn turns(store: &Store, bodies: &[TermId]) -> (Vec<usize>, usize) {
    // A body that contradicts itself fires in no turn, so that any will do.
    let said: Vec<Option<Said>> = bodies.iter().map(|&body| Said::by(store, body)).collect();
    let mut members: Vec<Vec<&Said>> = vec![Vec::new()];
    let mut turns = Vec::with_capacity(bodies.len());
    let mut compared = 0;
    for said in &said {
        let Some(said) = said else {
            turns.push(0);
            continue;
        };
        let mut fits = |turn: &Vec<&Said>| {
            turn.iter().all(|other| {
                compared += 1;
                compared <= BITS_MAX_PAIRS.size() && other.excludes(said)
            })
        };
        let turn = members.iter().position(&mut fits).unwrap_or(members.len());
        if turn == members.len() {
            members.push(Vec::new());
        }
        members[turn].push(said);
        turns.push(turn);
    }
    (turns, members.len())
}
