//! Explicit search, breadth first, over states of words, arrays and whatever has few values.
//!
//! All choices of a step (inputs and what behaves like them) are enumerated in every state; the
//! sorts must be small enough for that. Each state remembers its parent and the choice that led
//! to it, so that the first violation gives a shortest run; when no state is left to expand, the
//! states seen are an inductive invariant and are handed out as they are.
//!
//! Invariant: states are numbered in the order of their distance from the start.

use super::{Machine, cone, first_bad};
use crate::checkable::words_checkable;
use crate::select::select_words;
use crate::settings::{
    WORDS_EXPLICIT_MAX_CHOICES, WORDS_EXPLICIT_MAX_FIRST, WORDS_EXPLICIT_MAX_STATES,
};
use alphorn_engine::{Ctx, Engine, Event, Stop};
use alphorn_problem::evidence::words::{ClaimedInvariant, Rows, WordClaim};
use alphorn_problem::{Finding, Words};
use alphorn_term::value::elements;
use alphorn_term::{SortId, Store, Value};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Search over all states of words.
#[derive(Debug, Default)]
pub struct Explicit;

impl Engine<Words> for Explicit {
    fn run(&mut self, system: &Words, ctx: &mut Ctx<'_>) -> Result<Finding<Words>, Stop> {
        first_bad(system)?;
        let (selected, unselect) = select_words(system, 0);
        let (small, uncone) = cone(&selected);
        let finding = Search::new(&small)?.run(ctx)?;
        let finding = unselect.after(uncone).finding(finding, ctx)?;
        if let Finding::Holds(certificate) = &finding {
            words_checkable(system, certificate)?;
        }
        Ok(finding)
    }
}

/// All combinations of elements of some sorts, numbered.
pub(super) struct Combinations {
    domains: Vec<Vec<Value>>,
    count: u64,
}

impl Combinations {
    /// The combinations, if they are at most `most`.
    pub(super) fn new(store: &Store, sorts: &[SortId], most: u64) -> Option<Combinations> {
        let mut count = 1u64;
        let mut domains = Vec::with_capacity(sorts.len());
        for &sort in sorts {
            let domain = elements(store, sort, most)?;
            count = count.checked_mul(domain.len() as u64).filter(|count| *count <= most)?;
            domains.push(domain);
        }
        Some(Combinations { domains, count })
    }

    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Combination number `index`.
    pub(super) fn at(&self, index: u64) -> Vec<Value> {
        let mut rest = index;
        let mut pick = |domain: &Vec<Value>| {
            let value = domain[(rest % domain.len() as u64) as usize].clone();
            rest /= domain.len() as u64;
            value
        };
        self.domains.iter().map(&mut pick).collect()
    }
}

/// Where a state came from: the state before and the choice in between, or the start.
type Origin = Option<(usize, u64)>;

struct Search<'a> {
    machine: Machine<'a>,
    choices: Combinations,
    first: Combinations,
    known: FxHashSet<Arc<[Value]>>,
    states: Vec<Arc<[Value]>>,
    origins: Vec<Origin>,
}

impl<'a> Search<'a> {
    fn new(system: &'a Words) -> Result<Search<'a>, Stop> {
        let machine = Machine::new(system)?;
        let store = &system.terms;
        let sorts = machine.sorts();
        let choices = Combinations::new(store, &sorts, WORDS_EXPLICIT_MAX_CHOICES.get())
            .ok_or_else(|| {
                Stop::Unsupported("the inputs have too many values to enumerate".into())
            })?;
        let var = |place: usize| system.states[machine.states[place]].var;
        let sorts: Vec<SortId> =
            machine.uninitialised().into_iter().map(|place| store.sort(var(place))).collect();
        let first =
            Combinations::new(store, &sorts, WORDS_EXPLICIT_MAX_FIRST.get()).ok_or_else(|| {
                Stop::Unsupported("the first states are too many to enumerate".into())
            })?;
        let (known, states, origins) = (FxHashSet::default(), Vec::new(), Vec::new());
        Ok(Search { machine, choices, first, known, states, origins })
    }

    fn run(mut self, ctx: &mut Ctx<'_>) -> Result<Finding<Words>, Stop> {
        for index in 0..self.first.count {
            ctx.tick(1)?;
            let state = self.machine.first(&self.first.at(index))?;
            self.insert(state, None)?;
        }
        let (mut next, mut depth) = (0, 0);
        while next < self.states.len() {
            let end = self.states.len();
            for state in next..end {
                if let Some(choice) = self.expand(state, ctx)? {
                    return Ok(self.violation(state, choice));
                }
            }
            next = end;
            let (seen, waiting) = (self.states.len() as u64, (self.states.len() - end) as u64);
            ctx.emit(Event::Explored { seen, waiting });
            ctx.emit(Event::Bound { depth });
            depth += 1;
        }
        let states = self.states.iter().map(|state| state.to_vec()).collect();
        let invariant = ClaimedInvariant::States(Rows { vars: self.machine.states, states });
        Ok(Finding::Holds(WordClaim { property: 0, invariant }))
    }

    /// Expands a state; a choice that is bad in it, if there is one.
    fn expand(&mut self, state: usize, ctx: &mut Ctx<'_>) -> Result<Option<u64>, Stop> {
        let here = Arc::clone(&self.states[state]);
        for index in 0..self.choices.count {
            ctx.tick(1)?;
            let choice = self.choices.at(index);
            let (allowed, bad) = self.machine.step(&here, &choice)?;
            if bad {
                return Ok(Some(index));
            }
            if allowed {
                let next = self.machine.next(&choice)?;
                self.insert(next, Some((state, index)))?;
            }
        }
        Ok(None)
    }

    fn insert(&mut self, state: Vec<Value>, origin: Origin) -> Result<(), Stop> {
        let state: Arc<[Value]> = state.into();
        if self.known.insert(Arc::clone(&state)) {
            self.states.push(state);
            self.origins.push(origin);
            let most = WORDS_EXPLICIT_MAX_STATES.size();
            if self.states.len() > most {
                return Err(Stop::Stuck(format!("more than {most} reachable states")));
            }
        }
        Ok(())
    }

    /// The run to `state` and the choice that is bad there.
    fn violation(&self, state: usize, choice: u64) -> Finding<Words> {
        let mut choices = vec![self.choices.at(choice)];
        let mut state = state;
        while let Some((parent, choice)) = self.origins[state] {
            choices.push(self.choices.at(choice));
            state = parent;
        }
        choices.reverse();
        Finding::Fails(self.machine.trace(&self.states[state], &choices))
    }
}
