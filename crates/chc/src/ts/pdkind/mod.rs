//! Property-directed k-induction.
//!
//! After Jovanović and Dutertre (FMCAD 2016). An *induction frame* at index n is a set of obligations, each
//! a formula that all states have which are reached in at most n steps, and a counterexample that the
//! formula is there to exclude; the first is that bad states are excluded. A frame is *pushed* to a
//! higher index: each formula must follow after k states of the frame. If it does not, and the
//! counterexample can be, states that lead to it must be excluded, by another obligation, or are
//! reached, and then so is a bad state. If only the formula fails, the states from which it does are
//! excluded with it, or are reached, and the formula is given up for the plain negation of its
//! counterexample. A frame that is pushed without losing a formula is k-inductive.
//!
//! - `reach`: whether cubes can be reached in so many steps
//! - `steps`: whether formulas follow after several states
//! - `cube`: from models to cubes
//!
//! Where we differ: formulas that exclude cubes come from what the refutations need of the cube, and not
//! from interpolants; invariants that are easily guessed (`guess`) are known from the beginning; the result
//! is made inductive by one interpolation sequence (`strengthen`).

mod cube;
mod reach;
mod steps;

use super::bmc::Bounded;
use super::closed::Closed;
use super::path::concrete;
use super::strengthen::strengthen;
use super::{Decided, Folded, Method, System, guess, kind};
use crate::settings::{
    PDKIND_MAX_STATES, PDKIND_PATIENCE, PDKIND_SAMPLED_CONFLICTS, PDKIND_SAMPLED_STEPS,
};
use alphorn_engine::{Card, Ctx, Event, Stop};
use alphorn_problem::Horn;
use alphorn_term::{Store, TermId, Value};
use reach::{Reach, Reached};
use std::collections::VecDeque;
use steps::Steps;

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "pdkind",
    about: "property-directed k-induction on a linear system [JD16]",
    proves: true,
    refutes: true,
    build: || Box::new(Folded(Closed(PdKind { most_states: PDKIND_MAX_STATES.size() }))),
};

struct PdKind {
    /// The most states that induction looks back.
    most_states: usize,
}

impl Method for PdKind {
    fn decide(&mut self, system: &System, ctx: &mut Ctx<'_>) -> Result<Decided, Stop> {
        let mut base = Bounded::new(system);
        while base.cleared <= PDKIND_SAMPLED_STEPS.size()
            && base.conflicts() <= PDKIND_SAMPLED_CONFLICTS.get()
        {
            if let Some(path) = base.deepen(ctx)? {
                return Ok(Decided::Path(path));
            }
        }
        if let Some(finding) = kind::unaided(system, &mut base, ctx)? {
            return Ok(finding);
        }
        let mut store = system.store.clone();
        let invariants = guess::invariants(system, &mut store, &mut base, ctx)?;
        Search::new(system, store, invariants).run(self.most_states, ctx)
    }
}

/// A counterexample, by its position.
type CounterexampleId = usize;

/// States that must be excluded.
struct Counterexample {
    cube: TermId,
    /// In how many steps they lead to which others; none for bad states.
    then: Option<(usize, CounterexampleId)>,
}

/// A formula and what it is there to exclude.
#[derive(Clone)]
struct Obligation {
    /// The conjuncts of the formula.
    parts: Vec<TermId>,
    /// How many of them are known to follow in this round.
    followed: usize,
    against: CounterexampleId,
}

/// What pushing a frame came to.
enum Pushed {
    /// To a frame at this index, and whether nothing was lost.
    To(usize, bool),
    /// To a path.
    Path(Vec<Vec<Value>>),
}

struct Search<'a> {
    system: &'a System,
    store: Store,
    invariants: Vec<TermId>,
    reach: Reach<'a>,
    steps: Steps<'a>,
    counterexamples: Vec<Counterexample>,
    /// The frame, and up to how many steps it holds.
    frame: Vec<Obligation>,
    index: usize,
}

impl<'a> Search<'a> {
    fn new(system: &'a System, mut store: Store, invariants: Vec<TermId>) -> Search<'a> {
        let reach = Reach::new(system, &mut store, &invariants);
        let steps = Steps::new(system, &mut store, &invariants);
        let bad = Counterexample { cube: system.bad, then: None };
        let good = store.not(system.bad);
        let first = Obligation { parts: vec![good], followed: 0, against: 0 };
        let counterexamples = vec![bad];
        Search {
            system,
            store,
            invariants,
            reach,
            steps,
            counterexamples,
            frame: vec![first],
            index: 0,
        }
    }

    /// Pushes frames until the system is decided.
    fn run(mut self, most_states: usize, ctx: &mut Ctx<'_>) -> Result<Decided, Stop> {
        let bad = vec![self.system.bad];
        if let Reached::By(cubes) = self.reach.reach(&mut self.store, bad, 0, ctx)? {
            return Ok(Decided::Path(self.path(cubes, 0, ctx)?));
        }
        let mut most = most_states;
        loop {
            let depth = (1 + self.index / PDKIND_PATIENCE.size()).min(most);
            match self.push(self.index, depth, ctx)? {
                Pushed::Path(path) => return Ok(Decided::Path(path)),
                Pushed::To(_, true) => {
                    if let Some(invariant) = self.invariant(depth, ctx)? {
                        return Ok(Decided::Invariant(self.store, invariant));
                    }
                    most = depth - 1;
                }
                Pushed::To(higher, false) => self.index = higher,
            }
            self.tell(ctx);
        }
    }

    /// Says how far the search is.
    fn tell(&self, ctx: &mut Ctx<'_>) {
        ctx.emit(Event::Bound { depth: self.index as u64 });
        ctx.emit(Event::Remark(format!(
            "index {}: {} obligations, {} counterexamples, {} lemmas, {} + {} questions",
            self.index,
            self.frame.len(),
            self.counterexamples.len(),
            self.reach.lemmas,
            self.reach.questions,
            self.steps.questions
        )));
    }

    /// The invariant that a frame is which is inductive with `depth` states; none if it cannot be had from
    /// more than one state.
    fn invariant(&mut self, depth: usize, ctx: &mut Ctx<'_>) -> Result<Option<TermId>, Stop> {
        let formulas = Self::formulas(&self.frame);
        let store = &mut self.store;
        let whole = store.and(&formulas);
        let fails = store.not(whole);
        let mut least = depth;
        for fewer in 1..depth {
            if !self.steps.lead_to(store, &formulas, fewer, fails, ctx)? {
                least = fewer;
                break;
            }
        }
        let count = formulas.len();
        ctx.emit(Event::Remark(format!("{count} formulas follow after {least} of {depth} states")));
        match strengthen(self.system, store, &formulas, &self.invariants, least, ctx) {
            Ok(invariant) => Ok(Some(invariant)),
            Err(Stop::Stuck(_)) if depth > 1 => Ok(None),
            Err(stop) => Err(stop),
        }
    }

    /// The formulas of the frame and of what waits, of which the frame is made.
    fn formulas(all: &[Obligation]) -> Vec<TermId> {
        let mut formulas: Vec<TermId> =
            all.iter().flat_map(|obligation| obligation.parts.iter().copied()).collect();
        formulas.sort_unstable();
        formulas.dedup();
        formulas
    }

    /// Pushes the frame at `index` with `depth` states.
    fn push(&mut self, index: usize, depth: usize, ctx: &mut Ctx<'_>) -> Result<Pushed, Stop> {
        let mut all = std::mem::take(&mut self.frame);
        all.iter_mut().for_each(|obligation| obligation.followed = 0);
        let mut queue: VecDeque<usize> = (0..all.len()).collect();
        let (mut kept, mut given_up) = (Vec::new(), Vec::new());
        let mut higher = index + depth;
        while let Some(number) = queue.pop_front() {
            ctx.tick(1)?;
            let frame = Self::formulas(&all);
            let obligation = all[number].clone();
            let open = self.store.and(&obligation.parts[obligation.followed..]);
            let fails = self.store.not(open);
            let store = &mut self.store;
            if !self.steps.lead_to(store, &frame, depth, fails, ctx)? {
                all[number].followed = obligation.parts.len();
                kept.push(number);
                continue;
            }
            let cause = self.steps.before(store, depth, fails)?;
            let against = self.counterexamples[obligation.against].cube;
            let is_whole = fails == against;
            if is_whole || self.steps.lead_to(store, &frame, depth, against, ctx)? {
                let before = match is_whole {
                    true => cause,
                    false => self.steps.before(store, depth, against)?,
                };
                let cube = self.store.and(&before);
                match self.reach.reach(&mut self.store, before, index, ctx)? {
                    Reached::By(cubes) => {
                        let last = (depth, obligation.against);
                        return Ok(Pushed::Path(self.path_through(cubes, last, ctx)?));
                    }
                    Reached::Excluded(lemma) => {
                        let then = Some((depth, obligation.against));
                        self.counterexamples.push(Counterexample { cube, then });
                        let against = self.counterexamples.len() - 1;
                        all.push(Obligation { parts: vec![lemma], followed: 0, against });
                        queue.push_front(number);
                        queue.push_front(all.len() - 1);
                    }
                }
                continue;
            }
            match self.reach.reach(&mut self.store, cause, index, ctx)? {
                Reached::Excluded(lemma) => {
                    all[number].parts.push(lemma);
                    queue.push_front(number);
                }
                Reached::By(cubes) => {
                    let longest = cubes.len() - 1 + depth;
                    higher = higher.min(self.reached_at(fails, index, longest, ctx)?);
                    let weaker = self.store.not(against);
                    given_up.push(number);
                    // The formula stays in the frame that is pushed, and is not in the next.
                    let against = obligation.against;
                    all.push(Obligation { parts: vec![weaker], followed: 1, against });
                    kept.push(all.len() - 1);
                }
            }
        }
        let is_inductive = given_up.is_empty();
        self.frame = kept.into_iter().map(|number| all[number].clone()).collect();
        Ok(Pushed::To(higher, is_inductive))
    }

    /// The first index above `index` at which a formula is reached that is after `longest` steps.
    ///
    /// What was pushed follows from the frame, which holds below that index, and so holds up to it.
    fn reached_at(
        &mut self,
        formula: TermId,
        index: usize,
        longest: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<usize, Stop> {
        for level in index + 1..longest {
            if let Reached::By(_) = self.reach.reach(&mut self.store, vec![formula], level, ctx)? {
                return Ok(level);
            }
        }
        Ok(longest.max(index + 1))
    }

    /// A path through cubes and then on from the last.
    fn path_through(
        &mut self,
        cubes: Vec<Vec<TermId>>,
        (steps, next): (usize, CounterexampleId),
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<Vec<Value>>, Stop> {
        let cube = self.store.and(cubes.last().map_or(&[], Vec::as_slice));
        self.counterexamples.push(Counterexample { cube, then: Some((steps, next)) });
        self.path(cubes, self.counterexamples.len() - 1, ctx)
    }

    /// A path through cubes, of which the last is a counterexample's.
    fn path(
        &mut self,
        cubes: Vec<Vec<TermId>>,
        last: CounterexampleId,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<Vec<Value>>, Stop> {
        let mut cubes = cubes.into_iter().map(|cube| self.store.and(&cube)).collect::<Vec<_>>();
        let first = cubes.remove(0);
        let mut legs: Vec<(usize, TermId)> = cubes.into_iter().map(|cube| (1, cube)).collect();
        let mut next = self.counterexamples[last].then;
        while let Some((steps, number)) = next {
            legs.push((steps, self.counterexamples[number].cube));
            next = self.counterexamples[number].then;
        }
        concrete(self.system, &self.store, first, &legs, ctx)
    }
}
