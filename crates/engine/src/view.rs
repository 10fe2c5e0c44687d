//! Views: a problem seen as one of another kind, with the way back.
//!
//! A Horn system over words can be seen as a circuit, a memory as some of its cells, liveness as safety.
//! Whoever wants to see a problem so asks its context, and a run makes each view once: the first to ask
//! makes it, within its own budget, and those who ask meanwhile give their places to others and wait. A
//! `Road` is a view and an engine behind it, and an engine itself, so that a portfolio runs roads
//! without knowing. Views compose: behind a view the context remembers the way, and what is made there
//! is shared by all who come the same way.
//!
//! Invariant: views of one name on one way are of one type, and are about the problem that the run began
//! with. An engine that works on a problem of its own making (`Ctx::apart`) shares nothing.

use crate::back::Back;
use crate::exchange::Exchange;
use crate::stopper::Stopper;
use crate::{Card, Ctx, Engine, Stop};
use alphorn_problem::{Finding, Problem};
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often those who wait for a view look at the stop flag.
const PERIOD: Duration = Duration::from_millis(5);

/// Whether counterexamples of what is seen have the lengths of those of the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    /// They have: depths count for the problem, too, and a bound is kept.
    Kept,
    /// They need not have.
    Changed,
}

/// Makes what is seen of a problem.
pub type Make<P, S> = fn(&P, &mut Ctx<'_>) -> Result<Seen<P, S>, Stop>;

/// A way to see problems of type `P` as problems of type `S`.
pub struct View<P: Problem, S: Problem> {
    /// What it is called; no two views of one kind of problem are called the same.
    pub name: &'static str,
    /// What becomes of the lengths of counterexamples.
    pub steps: Steps,
    /// What makes it, within the budget of who asks first.
    pub make: Make<P, S>,
}

/// A problem as it is seen, and the way back of what is found there.
pub struct Seen<P: Problem, S: Problem> {
    /// The problem of the other kind, which all who take the view share.
    pub problem: Arc<S>,
    /// How claims and traces of it become those of the problem that is seen.
    pub back: Arc<Back<P, S>>,
}

impl<P: Problem, S: Problem> Clone for Seen<P, S> {
    fn clone(&self) -> Seen<P, S> {
        Seen { problem: Arc::clone(&self.problem), back: Arc::clone(&self.back) }
    }
}

impl<P: Problem, S: Problem> Seen<P, S> {
    /// What is seen, with its way back.
    pub fn new(problem: S, back: Back<P, S>) -> Seen<P, S> {
        Seen { problem: Arc::new(problem), back: Arc::new(back) }
    }

    /// What an engine finds of what is seen, carried back. For those who look at a problem in ways that they
    /// find as they go, so that no run can share them; whoever knows the way before takes a `Road`.
    pub fn decide(
        &self,
        engine: &mut dyn Engine<S>,
        steps: Steps,
        ctx: &mut Ctx<'_>,
    ) -> Result<Finding<P>, Stop> {
        let run = |ctx: &mut Ctx<'_>| engine.run(&self.problem, ctx);
        let finding = match steps {
            Steps::Kept => ctx.in_step(run),
            Steps::Changed => ctx.apart(run),
        }?;
        self.back.finding(finding, ctx)
    }

    /// What is seen through this and then through a second view.
    pub fn then<T: Problem>(self, second: Seen<S, T>) -> Seen<P, T> {
        let Seen { problem, back: far } = second;
        let (near, near_trace) = (Arc::clone(&self.back), self.back);
        let far_trace = Arc::clone(&far);
        let back = Back::searching(
            move |claim, ctx| near.claim(far.claim(claim, ctx)?, ctx),
            move |trace, ctx| near_trace.trace(far_trace.trace(trace, ctx)?, ctx),
        );
        Seen { problem, back: Arc::new(back) }
    }
}

/// An engine behind a view, which is an engine.
pub struct Road<P: Problem, S: Problem> {
    /// What the engine is shown.
    pub view: &'static View<P, S>,
    /// Who works on what is seen.
    pub engine: &'static Card<S>,
}

impl<P: Problem, S: Problem> Road<P, S> {
    /// The road as an engine.
    pub fn build(view: &'static View<P, S>, engine: &'static Card<S>) -> Box<dyn Engine<P>> {
        Box::new(Road { view, engine })
    }
}

impl<P: Problem, S: Problem> Engine<P> for Road<P, S> {
    fn run(&mut self, problem: &P, ctx: &mut Ctx<'_>) -> Result<Finding<P>, Stop> {
        let seen = ctx.see(self.view, problem)?;
        let mut engine = (self.engine.build)();
        let finding =
            ctx.behind(self.view.name, self.view.steps, |ctx| engine.run(&seen.problem, ctx))?;
        seen.back.finding(finding, ctx)
    }

    fn searches_by_depth(&self) -> bool {
        self.view.steps == Steps::Kept && (self.engine.build)().searches_by_depth()
    }
}

/// What a run has made of views.
#[derive(Default)]
pub(crate) struct Views {
    slots: Mutex<BTreeMap<Vec<&'static str>, Slot>>,
    changed: Condvar,
    /// Where those meet who work on what is seen on one way.
    exchanges: Mutex<BTreeMap<Vec<&'static str>, Arc<Exchange>>>,
}

/// What became of one view.
enum Slot {
    /// Somebody makes it.
    Making,
    /// It is there.
    Made(Arc<dyn Any + Send + Sync>),
    /// There is none, whoever asks.
    Missing(Stop),
}

/// What somebody who asks for a view gets.
pub(crate) enum Turned {
    /// The view, or that there is none.
    Done(Result<Arc<dyn Any + Send + Sync>, Stop>),
    /// Nothing: it is for them to make it.
    Make,
    /// Nothing yet: somebody makes it.
    Wait,
}

impl Views {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<Vec<&'static str>, Slot>> {
        // A panic elsewhere leaves at most a slot that nobody fills, which is then emptied.
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where those meet who came this way.
    pub(crate) fn exchange(&self, way: &[&'static str]) -> Arc<Exchange> {
        let mut exchanges = self.exchanges.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(exchanges.entry(way.to_vec()).or_default())
    }

    /// Asks for a view; whoever is told to make it must fill the slot or empty it.
    pub(crate) fn ask(&self, key: &[&'static str]) -> Turned {
        let mut slots = self.lock();
        match slots.get(key) {
            Some(Slot::Made(made)) => Turned::Done(Ok(Arc::clone(made))),
            Some(Slot::Missing(stop)) => Turned::Done(Err(stop.clone())),
            Some(Slot::Making) => Turned::Wait,
            None => {
                slots.insert(key.to_vec(), Slot::Making);
                Turned::Make
            }
        }
    }

    /// Waits a while for a view that somebody makes.
    pub(crate) fn wait(&self, key: &[&'static str], stopper: &Stopper) {
        let mut slots = self.lock();
        while matches!(slots.get(key), Some(Slot::Making)) && stopper.reason().is_none() {
            let waited = self.changed.wait_timeout(slots, PERIOD);
            slots = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Fills a slot, unless it failed for a reason of the maker's own.
    fn settle(&self, key: &[&'static str], outcome: Result<Arc<dyn Any + Send + Sync>, Stop>) {
        let mut slots = self.lock();
        match outcome {
            Ok(made) => slots.insert(key.to_vec(), Slot::Made(made)),
            Err(Stop::Budget(_)) => slots.remove(key),
            Err(stop) => slots.insert(key.to_vec(), Slot::Missing(stop)),
        };
        drop(slots);
        self.changed.notify_all();
    }
}

/// Empties the slot of a maker that does not come back.
pub(crate) struct Maker {
    views: Arc<Views>,
    key: Vec<&'static str>,
    is_settled: bool,
}

impl Maker {
    /// Takes over the making of a view.
    pub(crate) fn new(views: Arc<Views>, key: Vec<&'static str>) -> Maker {
        Maker { views, key, is_settled: false }
    }

    /// Says what came of it.
    pub(crate) fn settle(mut self, outcome: Result<Arc<dyn Any + Send + Sync>, Stop>) {
        self.is_settled = true;
        self.views.settle(&self.key, outcome);
    }
}

impl Drop for Maker {
    fn drop(&mut self) {
        if !self.is_settled {
            self.views.lock().remove(&self.key);
            self.views.changed.notify_all();
        }
    }
}
