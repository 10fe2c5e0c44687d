//! Who decides what in a step: the system its state, the outside its choices.
//!
//! In every step the outside chooses something: the inputs, and the states that have neither an
//! initial nor a next value and that no initial value reads; these behave exactly like inputs.
//! What remains is the state proper. A state with an initial but no next value (or one that
//! initial values read) stays a state; its next value is one more choice.

use alphorn_problem::Words;
use alphorn_term::{SortId, TermId};
use rustc_hash::FxHashSet;

/// Something that is chosen in every step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The input with this position.
    Input(usize),
    /// The state with this position, which behaves like an input.
    Free(usize),
    /// The next value of the state with this position.
    Next(usize),
}

/// The states proper and the choices of a system.
#[derive(Clone, Debug)]
pub struct Roles {
    /// The states proper, by position in the system.
    pub states: Vec<usize>,
    /// What is chosen in a step: inputs, free states, and then next values.
    pub choices: Vec<Choice>,
}

impl Roles {
    /// The roles of a system's variables.
    pub fn new(system: &Words) -> Roles {
        let inits: Vec<TermId> = system.states.iter().filter_map(|state| state.init).collect();
        let read_first: FxHashSet<TermId> = system.terms.free_vars(&inits).into_iter().collect();
        let is_free = |index: &usize| {
            let state = &system.states[*index];
            state.init.is_none() && state.next.is_none() && !read_first.contains(&state.var)
        };
        let (free, states): (Vec<usize>, Vec<usize>) =
            (0..system.states.len()).partition(|index| is_free(index));
        let open = states.iter().copied().filter(|&index| system.states[index].next.is_none());
        let mut choices: Vec<Choice> = (0..system.inputs.len()).map(Choice::Input).collect();
        choices.extend(free.into_iter().map(Choice::Free));
        choices.extend(open.map(Choice::Next));
        Roles { states, choices }
    }

    /// The variable a choice is about.
    pub fn variable(system: &Words, choice: Choice) -> TermId {
        match choice {
            Choice::Input(index) => system.inputs[index],
            Choice::Free(index) | Choice::Next(index) => system.states[index].var,
        }
    }

    /// The sort of a choice.
    pub fn sort(system: &Words, choice: Choice) -> SortId {
        system.terms.sort(Roles::variable(system, choice))
    }
}
