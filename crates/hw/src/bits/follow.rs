//! Which states of a system are worth latches.
//!
//! Followed are the states that the goal depends on, through next and initial values. A state that
//! has neither, and that no initial value reads, behaves exactly like an input: it becomes one.

use alphorn_problem::Words;
use alphorn_problem::evidence::words::Abstraction;
use alphorn_problem::obligation::blast::Goal;
use alphorn_term::TermId;
use rustc_hash::FxHashMap;

/// The abstraction that leaves nothing out that the goal depends on, except in large arrays.
pub fn follow(system: &Words, goal: Goal) -> Abstraction {
    let terms = &system.terms;
    let mut roots: Vec<TermId> = system.constraints.iter().map(|c| c.term).collect();
    match goal {
        Goal::Safety(index) => roots.extend(system.bads.get(index).map(|bad| bad.term)),
        Goal::Justice(index) => {
            roots.extend(system.fairness.iter().map(|fair| fair.term));
            let justice = system.justice.get(index).into_iter();
            roots.extend(justice.flat_map(|justice| &justice.terms));
        }
        Goal::All => {
            roots.extend(system.bads.iter().chain(&system.fairness).map(|named| named.term));
            roots.extend(system.justice.iter().flat_map(|justice| &justice.terms));
            roots.extend(system.states.iter().map(|state| state.var));
        }
    }
    let places = system.states.iter().enumerate().map(|(place, state)| (state.var, place));
    let places: FxHashMap<TermId, usize> = places.collect();
    let mut seen = vec![false; terms.len()];
    let mut states = Vec::new();
    while let Some(term) = roots.pop() {
        if std::mem::replace(&mut seen[term.index()], true) {
            continue;
        }
        roots.extend(terms.args(term));
        if let Some(&place) = places.get(&term) {
            states.push(place);
            roots.extend([system.states[place].init, system.states[place].next].iter().flatten());
        }
    }
    states.sort_unstable();
    let inits: Vec<TermId> = states.iter().filter_map(|&place| system.states[place].init).collect();
    let mut read_first = vec![false; terms.len()];
    terms.free_vars(&inits).into_iter().for_each(|var| read_first[var.index()] = true);
    states.retain(|&place| {
        let state = &system.states[place];
        state.init.is_some() || state.next.is_some() || read_first[state.var.index()]
    });
    Abstraction { states, cells: Vec::new() }
}
