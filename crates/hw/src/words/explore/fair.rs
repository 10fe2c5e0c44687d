//! Response on a graph: is there a fair run on which from some time on something was asked for and is never answered?
//!
//! A state is *pending* if it is reached from one where `from` holds without meeting `to`. The tag of a pending state has
//! the fair actions that a run into it through pending states can satisfy on its way: taken, or, of weak ones, not
//! enabled. A state at which an action is enabled that is not in its tag is on no fair cycle and is deleted, and so is one
//! that no state leads to; then tags are made anew, until nothing is deleted. If states are left there is a component
//! whose runs are fair, and a loop through all that they need is a violation.
//!
//! After Bingham, Greenstreet, "Response Property Checking via Distributed State Space Exploration" (FMCAD 2014), which
//! stays inside the states that are left, as its text says and its listing does not.

use super::Scene;
use super::graph::Graph;
use alphorn_problem::response::Response;
use alphorn_problem::words::Named;
use alphorn_problem::{Span, Words};
use std::collections::VecDeque;

/// The positions of what is watched: where it begins, where it ends, whether a state counts.
const FROM: u32 = 0;
const TO: u32 = 1;
const COUNTS: u32 = 2;
const ACTIONS: u32 = 3;

/// The system with all that a question is about as something to watch for.
pub fn watched(system: &Words, response: &Response) -> Words {
    let mut watched = system.clone();
    let always = watched.terms.bool(true);
    let mut terms = vec![response.from, response.to, always];
    terms.extend(response.fair.iter().flat_map(|fair| [fair.enabled, fair.taken]));
    let named = |term| Named { term, name: None, span: Span::NONE };
    watched.bads = terms.into_iter().map(named).collect();
    watched.homes.clear();
    watched.justice.clear();
    watched
}

/// What was found on a graph.
#[derive(Clone, Debug, Default)]
pub struct Answered {
    /// How many states are pending.
    pub pending: usize,
    /// How many rounds of tags there were.
    pub rounds: usize,
    /// How many states are left.
    pub left: usize,
    /// A violation, if there is one.
    pub violation: Option<Loop>,
}

/// A run that goes round for ever, by choices.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The first state.
    pub first: usize,
    /// The choices up to the loop.
    pub stem: Vec<usize>,
    /// After how many of them the state comes from which on it is pending.
    pub pending: usize,
    /// The choices of the loop.
    pub round: Vec<usize>,
    /// For each action, whether it is enabled somewhere on the loop.
    pub enabled: Vec<bool>,
}

/// A graph with what is asked about it.
struct Search<'g> {
    graph: &'g Graph,
    response: &'g Response,
    /// How many words a set of actions has.
    size: usize,
    /// For each state the actions that are enabled.
    enabled: Vec<u64>,
    /// For each state a choice that leads back to it, if there is one.
    rests: Vec<Option<u32>>,
    weak: Vec<u64>,
    is_from: Vec<bool>,
    is_to: Vec<bool>,
}

/// Decides a question about the graph of a watched system whose constraints do not depend on inputs.
pub fn answer(scene: &Scene<'_>, graph: &Graph, response: &Response) -> Result<Answered, String> {
    let search = Search::new(scene, graph, response);
    let (pending, origins) = search.pending();
    let mut maybe = pending.clone();
    let mut rounds = 0;
    loop {
        rounds += 1;
        let tags = search.tags(&maybe);
        if !search.delete(&mut maybe, &tags) || !maybe.contains(&true) {
            break;
        }
    }
    let count = |set: &[bool]| set.iter().filter(|is_in| **is_in).count();
    let (pending, left) = (count(&pending), count(&maybe));
    let violation = match left {
        0 => None,
        _ => Some(
            search.violation(&maybe, &origins).ok_or("states are left, and none is on a loop")?,
        ),
    };
    Ok(Answered { pending, rounds, left, violation })
}

impl<'g> Search<'g> {
    fn new(scene: &Scene<'_>, graph: &'g Graph, response: &'g Response) -> Search<'g> {
        let (count, size) = (graph.len(), response.fair.len().div_ceil(64));
        let mut search = Search {
            graph,
            response,
            size,
            enabled: vec![0; count * size],
            rests: vec![None; count],
            weak: vec![0; size],
            is_from: vec![false; count],
            is_to: vec![false; count],
        };
        for (action, fair) in response.fair.iter().enumerate() {
            if !fair.is_strong {
                search.weak[action / 64] |= 1 << (action % 64);
            }
        }
        let mut is_step = vec![false; scene.model.choices()];
        for state in 0..count {
            let mut counts = false;
            for mark in graph.marks(state) {
                match mark.property {
                    FROM => search.is_from[state] = true,
                    TO => search.is_to[state] = true,
                    COUNTS => counts = true,
                    other if (other - ACTIONS).is_multiple_of(2) => {
                        let action = ((other - ACTIONS) / 2) as usize;
                        search.enabled[state * size + action / 64] |= 1 << (action % 64);
                    }
                    _ => {}
                }
            }
            if !counts {
                // No run goes through it.
                search.is_to[state] = true;
                continue;
            }
            is_step.fill(false);
            graph.steps(state).iter().for_each(|step| is_step[step.choice as usize] = true);
            let rest = is_step.iter().position(|is_step| !is_step);
            search.rests[state] = rest.map(|choice| choice as u32);
        }
        search
    }

    /// The actions that a choice takes in a state, added to a set.
    fn take(&self, state: usize, is_taken: impl Fn(u32) -> bool, set: &mut [u64]) {
        for mark in self.graph.marks(state) {
            if mark.property >= ACTIONS
                && !(mark.property - ACTIONS).is_multiple_of(2)
                && is_taken(mark.choice)
            {
                let action = ((mark.property - ACTIONS) / 2) as usize;
                set[action / 64] |= 1 << (action % 64);
            }
        }
    }

    fn is_step(&self, state: usize, choice: u32) -> bool {
        self.graph.steps(state).iter().any(|step| step.choice == choice)
    }

    /// The pending states, and for each where it is come to from, by which choice; those where it begins from
    /// themselves.
    fn pending(&self) -> (Vec<bool>, Vec<(u32, u32)>) {
        let count = self.graph.len();
        let (mut pending, mut origins) = (vec![false; count], vec![(0, 0); count]);
        let mut queue = VecDeque::new();
        for state in (0..count).filter(|state| self.is_from[*state] && !self.is_to[*state]) {
            (pending[state], origins[state]) = (true, (state as u32, 0));
            queue.push_back(state);
        }
        while let Some(state) = queue.pop_front() {
            for step in self.graph.steps(state) {
                let to = step.to as usize;
                if !self.is_to[to] && !std::mem::replace(&mut pending[to], true) {
                    origins[to] = (state as u32, step.choice);
                    queue.push_back(to);
                }
            }
        }
        (pending, origins)
    }

    /// The tags of the states of a set: what of fairness a run into each, inside of the set, can satisfy.
    fn tags(&self, maybe: &[bool]) -> Vec<u64> {
        let size = self.size;
        let mut tags = vec![0; self.graph.len() * size];
        let mut queue: VecDeque<u32> = VecDeque::new();
        let mut is_queued = maybe.to_vec();
        for state in (0..self.graph.len()).filter(|state| maybe[*state]) {
            let own = &mut tags[state * size..(state + 1) * size];
            for (word, own) in own.iter_mut().enumerate() {
                *own |= self.weak[word] & !self.enabled[state * size + word];
            }
            self.take(state, |choice| !self.is_step(state, choice), own);
            queue.push_back(state as u32);
        }
        let mut sent = vec![0; size];
        while let Some(state) = queue.pop_front() {
            let state = state as usize;
            is_queued[state] = false;
            for step in self.graph.steps(state) {
                let to = step.to as usize;
                if !maybe[to] {
                    continue;
                }
                sent.copy_from_slice(&tags[state * size..(state + 1) * size]);
                self.take(state, |choice| choice == step.choice, &mut sent);
                let mut is_new = false;
                for (tag, sent) in tags[to * size..(to + 1) * size].iter_mut().zip(&sent) {
                    is_new |= *sent & !*tag != 0;
                    *tag |= sent;
                }
                if is_new && !std::mem::replace(&mut is_queued[to], true) {
                    queue.push_back(step.to);
                }
            }
        }
        tags
    }

    /// Deletes the states that are on no fair cycle for sure; whether there was one.
    fn delete(&self, maybe: &mut [bool], tags: &[u64]) -> bool {
        let size = self.size;
        let mut is_entered: Vec<bool> = self.rests.iter().map(Option::is_some).collect();
        for state in (0..self.graph.len()).filter(|state| maybe[*state]) {
            self.graph.steps(state).iter().for_each(|step| is_entered[step.to as usize] = true);
        }
        let mut is_less = false;
        for state in 0..self.graph.len() {
            let misses =
                |word: usize| self.enabled[state * size + word] & !tags[state * size + word] != 0;
            if maybe[state] && (!is_entered[state] || (0..size).any(misses)) {
                (maybe[state], is_less) = (false, true);
            }
        }
        is_less
    }

    /// A loop in a fair component of the states that are left.
    fn violation(&self, maybe: &[bool], origins: &[(u32, u32)]) -> Option<Loop> {
        let components = self.graph.components(maybe).into_iter();
        let fair = components.filter(|component| self.is_fair(component));
        let least = |component: &Vec<u32>| (component.len(), component.iter().min().copied());
        let component = fair.min_by_key(least)?;
        let entry = component.iter().copied().min()? as usize;
        // From where it begins to be pending to the loop, and before that.
        let (mut at, mut late) = (entry, Vec::new());
        while origins[at].0 as usize != at {
            late.push(origins[at].1 as usize);
            at = origins[at].0 as usize;
        }
        late.reverse();
        let (first, mut stem) = self.graph.run_to(at);
        let pending = stem.len();
        stem.extend(late);
        let round = self.round(&component, entry);
        let enabled = (0..self.response.fair.len())
            .map(|action| component.iter().any(|state| self.has(*state as usize, action)));
        Some(Loop { first, stem, pending, round, enabled: enabled.collect() })
    }

    fn has(&self, state: usize, action: usize) -> bool {
        self.enabled[state * self.size + action / 64] >> (action % 64) & 1 == 1
    }

    /// Whether the choice of a step inside of a component, or one that leads back, takes an action.
    fn takes(&self, inside: &[bool], state: usize, action: usize) -> Option<(u32, usize)> {
        let property = ACTIONS + 2 * action as u32 + 1;
        let mut marks = self.graph.marks(state).iter().filter(|mark| mark.property == property);
        marks.find_map(|mark| {
            let step = self.graph.steps(state).iter().find(|step| step.choice == mark.choice);
            match step {
                Some(step) => inside[step.to as usize].then_some((mark.choice, step.to as usize)),
                None => Some((mark.choice, state)),
            }
        })
    }

    fn is_fair(&self, component: &[u32]) -> bool {
        let inside = self.inside(component);
        let is_round = component.len() > 1 || self.rests[component[0] as usize].is_some();
        is_round
            && (self.response.fair.iter().enumerate()).all(|(action, fair)| {
                let mut states = component.iter().map(|state| *state as usize);
                let is_enabled = |state: usize| self.has(state, action);
                let is_excused = match fair.is_strong {
                    true => !states.clone().any(is_enabled),
                    false => states.clone().any(|state| !is_enabled(state)),
                };
                is_excused || states.any(|state| self.takes(&inside, state, action).is_some())
            })
    }

    fn inside(&self, component: &[u32]) -> Vec<bool> {
        let mut inside = vec![false; self.graph.len()];
        component.iter().for_each(|state| inside[*state as usize] = true);
        inside
    }

    /// The choices of a walk inside of a fair component from a state back to it, on which all actions are satisfied.
    fn round(&self, component: &[u32], entry: usize) -> Vec<usize> {
        let inside = self.inside(component);
        let (mut at, mut choices) = (entry, Vec::new());
        for (action, fair) in self.response.fair.iter().enumerate() {
            let is_enabled = |state: usize| self.has(state, action);
            let mut states = component.iter().map(|state| *state as usize);
            if fair.is_strong && !states.clone().any(is_enabled) {
                continue;
            }
            let is_taken = states.any(|state| self.takes(&inside, state, action).is_some());
            match is_taken {
                true => {
                    let there = |state: usize| self.takes(&inside, state, action).is_some();
                    at = self.walk(&inside, at, there, &mut choices);
                    if let Some((choice, to)) = self.takes(&inside, at, action) {
                        choices.push(choice as usize);
                        at = to;
                    }
                }
                false => at = self.walk(&inside, at, |state| !is_enabled(state), &mut choices),
            }
        }
        self.walk(&inside, at, |state| state == entry, &mut choices);
        if choices.is_empty() {
            match self.rests[entry] {
                Some(choice) => choices.push(choice as usize),
                None => {
                    let out = self.graph.steps(entry).iter().find(|step| inside[step.to as usize]);
                    if let Some(step) = out {
                        choices.push(step.choice as usize);
                        let to = step.to as usize;
                        self.walk(&inside, to, |state| state == entry, &mut choices);
                    }
                }
            }
        }
        choices
    }

    /// Goes a shortest way inside of a component to a state as wanted, and says where that is.
    fn walk(
        &self,
        inside: &[bool],
        from: usize,
        is_wanted: impl Fn(usize) -> bool,
        choices: &mut Vec<usize>,
    ) -> usize {
        if is_wanted(from) {
            return from;
        }
        let mut origins: Vec<Option<(u32, u32)>> = vec![None; self.graph.len()];
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            for step in self.graph.steps(state) {
                let to = step.to as usize;
                if !inside[to] || to == from || origins[to].is_some() {
                    continue;
                }
                origins[to] = Some((state as u32, step.choice));
                if is_wanted(to) {
                    let (start, mut at) = (choices.len(), to);
                    while let Some((before, choice)) = origins[at] {
                        choices.push(choice as usize);
                        at = before as usize;
                    }
                    choices[start..].reverse();
                    return to;
                }
                queue.push_back(to);
            }
        }
        from
    }
}
