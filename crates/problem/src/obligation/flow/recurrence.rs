//! What has to hold of a set of states that runs never leave.

use super::{moved, taken};
use crate::evidence::flow::Choice;
use crate::flow::{Flow, LocId};
use alphorn_term::{Store, TermId};

/// Something that a recurrence must prove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecurrenceGoal {
    /// From every state of the set at this location there is a choice.
    Covered(LocId),
    /// A choice, by position, is a step of the flow, and stays in the sets.
    Stays(usize),
}

/// What a recurrence must prove, in order.
pub fn recurrence_goals(sets: &[TermId], choices: &[Choice]) -> Vec<RecurrenceGoal> {
    let covered = (0..sets.len()).filter(|&at| sets[at] != TermId::FALSE);
    let covered = covered.map(|at| RecurrenceGoal::Covered(LocId(at as u32)));
    covered.chain((0..choices.len()).map(RecurrenceGoal::Stays)).collect()
}

/// The assertions of a goal of a recurrence, whose form fits the flow.
pub fn recurrence_assertions(
    flow: &Flow,
    sets: &[TermId],
    choices: &[Choice],
    goal: RecurrenceGoal,
    store: &mut Store,
) -> Vec<TermId> {
    match goal {
        RecurrenceGoal::Covered(location) => {
            let from = |choice: &&Choice| flow.transitions[choice.transition].from == location;
            let when = choices.iter().filter(from).map(|choice| choice.when);
            let mut all = vec![sets[location.index()]];
            all.extend(when.map(|when| store.not(when)).collect::<Vec<TermId>>());
            all
        }
        RecurrenceGoal::Stays(choice) => {
            let choice = &choices[choice];
            let transition = &flow.transitions[choice.transition];
            let step = taken(flow, choice, store);
            let after = moved(sets[transition.to.index()], &flow.vars, &choice.next, store);
            let both = store.and(&[step, after]);
            vec![sets[transition.from.index()], choice.when, store.not(both)]
        }
    }
}
