//! Runs that go on for ever: sets of states that need never be left, with what to choose, and a way into them.
//!
//! - `edges`: transitions as conjunctions with their equations solved; `chain`: several in a row, and *moves*,
//!   edges with a choice for what they leave open; `cycles`: where to go round; `explore`: walks that find edges
//! - `stems`: how runs begin; `simulate`: long runs with values; `reach`: by engines for Horn systems
//! - `lasso`: a state that comes again
//! - `options`: what can be chosen; `grow`: the guard made to keep itself; `houdini`: guesses from runs;
//!   `template`: inequalities with unknown numbers
//! - `together`: several cycles at once
//! - `evidence`: terms in a store of their own, and proofs
//!
//! The search proposes; what comes back is proved on the flow as it is, with choices that are exact. So it
//! does not matter that guesses are taken from abstractions or from few states.

mod chain;
mod cycles;
pub(crate) mod edges;
mod evidence;
mod explore;
mod grow;
mod houdini;
mod lasso;
mod options;
mod reach;
mod simulate;
mod solve;
mod stems;
mod template;
mod together;

use crate::settings::{
    RECUR_FOLLOWED_ROUNDS, RECUR_LONG_STEPS, RECUR_MAX_EFFORT, RECUR_MAX_ROWS, RECUR_MAX_UNREACHED,
    RECUR_MAX_WAYS, RECUR_RUN_STEPS,
};
use alphorn_engine::{Card, Ctx, Engine, Stop};
use alphorn_problem::evidence::flow::Recurrence;
use alphorn_problem::{Finding, Flow};
use alphorn_term::{Store, TermId};
use chain::Move;
use edges::Edge;
use evidence::Candidate;
use grow::Round;
use stems::Stems;

/// Registry entry.
pub const LASSO: Card<Flow> = Card {
    name: "lasso",
    about: "looks for a run that comes back to where it was",
    proves: false,
    refutes: true,
    build: || Box::new(Lasso),
};

/// Registry entry.
pub const RECURRENCE: Card<Flow> = Card {
    name: "recurrence",
    about: "looks for sets of states that a run need never leave [CFNO14, FF19]",
    proves: false,
    refutes: true,
    build: || Box::new(Sets),
};

struct Lasso;
struct Sets;

/// What a search knows.
pub(crate) struct Search<'f> {
    flow: &'f Flow,
    store: Store,
    edges: Vec<Edge>,
    /// Whether there are no other edges.
    are_all: bool,
    stems: Stems,
    /// What is a recurrence, but for a way into it.
    unreached: Vec<Candidate>,
}

impl<'f> Search<'f> {
    fn new(flow: &'f Flow, ctx: &mut Ctx<'_>) -> Result<Search<'f>, Stop> {
        let mut store = flow.terms.clone();
        let (edges, are_all) = edges::edges(flow, &mut store, ctx)?;
        let stems = Stems::of(flow, &mut store, &edges, ctx)?;
        Ok(Search { flow, store, edges, are_all, stems, unreached: Vec::new() })
    }
}

impl Engine<Flow> for Lasso {
    fn run(&mut self, flow: &Flow, ctx: &mut Ctx<'_>) -> Result<Finding<Flow>, Stop> {
        let mut search = Search::new(flow, ctx)?;
        if let Some(found) = lasso::in_stems(&mut search, ctx)? {
            return Ok(Finding::Fails(found));
        }
        let steps = RECUR_RUN_STEPS.size();
        if let (_, Some(found)) = simulate::simulate(&mut search, steps, ctx)? {
            return Ok(Finding::Fails(found));
        }
        if !search.are_all {
            let Search { store, edges, .. } = &mut search;
            if let Some(found) = explore::explore(flow, store, edges, ctx)? {
                return Ok(Finding::Fails(found));
            }
        }
        for cycle in cycles::cycles(flow, &search.edges, ctx)? {
            if let Some(found) = lasso::in_cycle(&mut search, &cycle, ctx)? {
                return Ok(Finding::Fails(found));
            }
        }
        Err(Stop::Stuck("no run was found that comes back to where it was".to_owned()))
    }
}

impl Engine<Flow> for Sets {
    fn run(&mut self, flow: &Flow, ctx: &mut Ctx<'_>) -> Result<Finding<Flow>, Stop> {
        let mut search = Search::new(flow, ctx)?;
        match search.recurrence(ctx)? {
            Some(found) => Ok(Finding::Fails(found)),
            None => Err(Stop::Stuck("no set was found that a run need never leave".to_owned())),
        }
    }
}

impl Search<'_> {
    /// All methods that look for sets, cheap ones first.
    fn recurrence(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<Recurrence>, Stop> {
        let flow = self.flow;
        let cycles = cycles::cycles(flow, &self.edges, ctx)?;
        let mut ways: Vec<Vec<Move>> = Vec::new();
        for cycle in &cycles {
            let store = &mut self.store;
            let round =
                options::ways_round(flow, store, &self.edges, cycle, RECUR_MAX_WAYS.size(), ctx)?;
            for moves in round {
                if let Some(found) = self.grow(&moves, ctx)? {
                    return Ok(Some(found));
                }
                ways.push(moves);
            }
        }
        let components = together::components(self);
        for component in &components {
            if let Some(found) = component.greatest(self, ctx)? {
                return Ok(Some(found));
            }
        }
        for moves in &ways {
            if let Some(found) = self.follow(moves, ctx)? {
                return Ok(Some(found));
            }
        }
        let unreached = std::mem::take(&mut self.unreached);
        let steps = if unreached.is_empty() { &RECUR_RUN_STEPS } else { &RECUR_LONG_STEPS };
        let (runs, found) = simulate::simulate(self, steps.size(), ctx)?;
        if found.is_some() {
            return Ok(found);
        }
        for candidate in &unreached {
            let path = simulate::find_in(flow, &self.store, &runs, candidate, ctx)?;
            if let Some(path) = path {
                let found = candidate.prove(flow, &self.store, path, ctx)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        for round in 0..RECUR_MAX_EFFORT.short() {
            for candidate in &unreached {
                if let Some(path) = reach::reach(flow, &self.store, candidate, round, ctx)? {
                    let found = candidate.prove(flow, &self.store, path, ctx)?;
                    if found.is_some() {
                        return Ok(found);
                    }
                }
            }
            for component in &components {
                if let Some(found) = component.by_safety(self, round, ctx)? {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    /// Sets that moves round a cycle keep, grown from the guard.
    fn grow(&mut self, moves: &[Move], ctx: &mut Ctx<'_>) -> Result<Option<Recurrence>, Stop> {
        let flow = self.flow;
        let round = Round::of(flow, &mut self.store, moves);
        for set in grow::kept_sets(flow, &mut self.store, &round, ctx)? {
            let candidate = Candidate::round(flow, &mut self.store, moves, set, ctx)?;
            if let Some(found) = self.enter(candidate, ctx)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// A set from what runs have in common that go round by moves, or of a form that has a state of theirs.
    fn follow(&mut self, moves: &[Move], ctx: &mut Ctx<'_>) -> Result<Option<Recurrence>, Stop> {
        let (flow, store) = (self.flow, &mut self.store);
        let round = Round::of(flow, store, moves);
        let (mut guard, mut later) = (round.guard.clone(), round.guard.clone());
        for _ in 0..RECUR_FOLLOWED_ROUNDS.size() {
            later = later.iter().map(|&one| round.before(flow, store, one)).collect();
            guard.extend(later.iter().copied());
        }
        let head = moves[0].from;
        let reached = self.stems.reach(flow, store, &self.edges, head, &guard, ctx)?;
        let Some((path, _)) = reached else { return Ok(None) };
        let Some((states, path)) = houdini::run(flow, store, moves, path, ctx)? else {
            return Ok(None);
        };
        let mut sets = Vec::new();
        sets.extend(houdini::common(flow, store, &round, &states, ctx)?);
        if sets.is_empty() {
            for rows in 1..=RECUR_MAX_ROWS.size() {
                sets.extend(template::fit(flow, store, &round, path.last(), rows, ctx)?);
            }
        }
        for set in sets {
            let candidate = Candidate::round(flow, store, moves, set, ctx)?;
            let found = candidate.prove(flow, store, path.clone(), ctx)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The evidence that a candidate is, if a stem comes to one of its sets; else it is kept for later.
    fn enter(
        &mut self,
        candidate: Candidate,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Recurrence>, Stop> {
        for at in self.flow.location_ids() {
            let set = candidate.sets[at.index()];
            if set == TermId::FALSE {
                continue;
            }
            let (flow, store) = (self.flow, &mut self.store);
            let reached = self.stems.reach(flow, store, &self.edges, at, &[set], ctx)?;
            if let Some((path, _)) = reached {
                let found = candidate.prove(flow, store, path, ctx)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        if self.unreached.len() < RECUR_MAX_UNREACHED.size() && !self.stems.is_whole {
            self.unreached.push(candidate);
        }
        Ok(None)
    }
}
