//! Budgets: ticks that engines count, and a flag that others raise.
//!
//! A tick is a unit of work the engine chooses (a simulated step, a propagated clause), the same
//! on every machine; a run limited by ticks alone ends in the same state everywhere. Time and
//! memory are watched from outside (`watchdog`) and arrive as a raised flag, which the innermost
//! loops see because they tick.

#[cfg(test)]
mod tests;

use crate::Stop;
use crate::event::Event;
use crate::exchange::Exchange;
use crate::rng::Rng;
use crate::stopper::{Limit, Stopper};
use crate::turns::Turn;
use crate::view::{Maker, Seen, Steps, Turned, View, Views};
use alphorn_problem::Problem;
use std::sync::Arc;

/// What an engine is given besides the problem: its budget, its seed, and somebody to talk to.
pub struct Ctx<'a> {
    ticks_left: u64,
    ticks_used: u64,
    stopper: Stopper,
    seed: u64,
    sink: &'a mut dyn FnMut(Event),
    turn: Option<Turn>,
    exchange: Option<Desk>,
    /// How the problem that is worked on relates to the one that listeners know.
    place: Place,
    /// The greatest depth that is wanted.
    bound: Option<u64>,
    /// What has run out when no ticks are left.
    last: Limit,
    /// The views of the run; none for an engine that works on a problem of its own making.
    views: Option<Arc<Views>>,
    /// The views through which the problem is seen that is worked on.
    way: Vec<&'static str>,
}

/// How the problem that is worked on relates to the one that listeners know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// It is the same.
    Same,
    /// It is another one, with counterexamples of the same lengths.
    InStep,
    /// It is another one.
    Apart,
}

/// An engine's desk at the exchange.
struct Desk {
    exchange: Arc<Exchange>,
    who: usize,
    seen: usize,
}

impl<'a> Ctx<'a> {
    /// A context with `ticks` to spend.
    pub fn new(ticks: u64, stopper: Stopper, seed: u64, sink: &'a mut dyn FnMut(Event)) -> Ctx<'a> {
        Ctx {
            ticks_left: ticks,
            ticks_used: 0,
            stopper,
            seed,
            sink,
            turn: None,
            exchange: None,
            place: Place::Same,
            bound: None,
            last: Limit::Ticks,
            views: None,
            way: Vec::new(),
        }
    }

    /// The context of an engine of a run that shares views.
    pub(crate) fn seeing(mut self, views: Arc<Views>) -> Ctx<'a> {
        self.views = Some(views);
        self
    }

    /// The context with the greatest depth that is wanted, if there is one.
    pub fn bounded(mut self, bound: Option<u64>) -> Ctx<'a> {
        self.bound = bound;
        self
    }

    /// The greatest depth that is wanted, if there is one.
    pub fn bound(&self) -> Option<u64> {
        self.bound
    }

    /// The context of an engine that takes turns with others.
    pub(crate) fn taking(mut self, turn: Option<Turn>) -> Ctx<'a> {
        self.turn = turn;
        self
    }

    /// The context of the engine number `who` of those that meet at an exchange.
    pub fn trading(mut self, who: usize, exchange: Arc<Exchange>) -> Ctx<'a> {
        self.exchange = Some(Desk { exchange, who, seen: 0 });
        self
    }

    /// Spends `ticks`; fails when they are more than what is left, or when the run must stop.
    #[inline]
    pub fn tick(&mut self, ticks: u64) -> Result<(), Stop> {
        if let Some(limit) = self.stopper.reason() {
            return Err(Stop::Budget(limit));
        }
        if ticks > self.ticks_left {
            self.ticks_left = 0;
            return Err(Stop::Budget(self.last));
        }
        self.ticks_left -= ticks;
        self.ticks_used += ticks;
        if let Some(turn) = &mut self.turn {
            turn.look(ticks, &self.stopper);
        }
        Ok(())
    }

    /// The flag that asks to stop, for what runs on the engine's behalf and cannot tick.
    pub fn stopper(&self) -> &Stopper {
        &self.stopper
    }

    /// Tells the other engines on a problem of type `P` something about it.
    pub fn publish<P: Problem>(&mut self, lemma: P::Lemma) {
        if let Some(desk) = &self.exchange {
            desk.exchange.publish(desk.who, lemma);
        }
    }

    /// Whether somebody keeps what engines remember, beyond what they tell each other.
    pub fn is_recorded(&self) -> bool {
        self.exchange.as_ref().is_some_and(|desk| desk.exchange.is_recorded())
    }

    /// Remembers lemmas that hold up to levels, for a later run, in the place of what was remembered.
    pub fn remember<P: Problem>(&mut self, lemmas: Vec<(P::Lemma, u64)>) {
        if let Some(desk) = &self.exchange {
            desk.exchange.remember(desk.who, lemmas);
        }
    }

    /// What other engines on a problem of type `P` have told since this was last called.
    pub fn news<P: Problem>(&mut self) -> Vec<Arc<P::Lemma>> {
        let Some(desk) = &mut self.exchange else { return Vec::new() };
        let (news, seen) = desk.exchange.news(desk.who, desk.seen);
        desk.seen = seen;
        news
    }

    /// The problem through a view, which a run makes once for all who want it.
    pub fn see<P: Problem, S: Problem>(
        &mut self,
        view: &View<P, S>,
        problem: &P,
    ) -> Result<Seen<P, S>, Stop> {
        let Some(views) = self.views.clone() else { return (view.make)(problem, self) };
        let key = [&self.way[..], &[view.name]].concat();
        loop {
            match views.ask(&key) {
                Turned::Done(made) => {
                    let made = made?.downcast::<Seen<P, S>>();
                    return made.map(|seen| Seen::clone(&seen)).map_err(|_| {
                        Stop::Stuck(format!(
                            "two views of different kinds are called {}",
                            view.name
                        ))
                    });
                }
                Turned::Make => {
                    let maker = Maker::new(Arc::clone(&views), key);
                    let made = (view.make)(problem, self);
                    maker.settle(match &made {
                        Ok(seen) => Ok(Arc::new(seen.clone())),
                        Err(stop) => Err(stop.clone()),
                    });
                    return made;
                }
                Turned::Wait => {
                    let stopper = self.stopper.clone();
                    match &mut self.turn {
                        Some(turn) => turn.aside(&stopper, || views.wait(&key, &stopper)),
                        None => views.wait(&key, &stopper),
                    }
                    self.tick(1)?;
                }
            }
        }
    }

    /// Works on what a view shows: views and lemmas are shared with those who came the same way.
    pub fn behind<R>(
        &mut self,
        view: &'static str,
        steps: Steps,
        work: impl FnOnce(&mut Ctx<'a>) -> R,
    ) -> R {
        self.way.push(view);
        let (views, who) = (self.views.clone(), self.exchange.as_ref().map(|desk| desk.who));
        let place = match steps {
            Steps::Kept => Place::InStep,
            Steps::Changed => Place::Apart,
        };
        let way = self.way.clone();
        let result = self.at(place, |ctx| {
            if let Some(views) = views {
                let exchange = views.exchange(&way);
                ctx.exchange = who.map(|who| Desk { exchange, who, seen: 0 });
                ctx.views = Some(views);
            }
            work(ctx)
        });
        self.way.pop();
        result
    }

    /// How long the engine has had a place, if it takes turns.
    pub fn time_used(&self) -> Option<std::time::Duration> {
        self.turn.as_ref().map(Turn::used)
    }

    /// Whether no ticks are left.
    pub(crate) fn is_spent(&self) -> bool {
        self.ticks_left == 0 && self.last == Limit::Ticks
    }

    /// How many ticks have been spent.
    pub fn ticks_used(&self) -> u64 {
        self.ticks_used
    }

    /// Hands an event to whoever listens to the run; no verdict may depend on its being heard.
    pub fn emit(&mut self, event: Event) {
        let is_for_listeners = match (&event, self.place) {
            (_, Place::Same) | (Event::Remark(_), _) => true,
            (Event::Bound { .. }, Place::InStep) => true,
            (_, Place::InStep | Place::Apart) => false,
        };
        if !is_for_listeners {
            return;
        }
        if let Event::Bound { depth } = event
            && self.bound.is_some_and(|bound| depth >= bound)
        {
            // Whoever goes on is stopped at the next tick.
            (self.ticks_left, self.last) = (0, Limit::Bound);
        }
        (self.sink)(event);
    }

    /// Says that there is no counterexample up to a depth; fails when that is as deep as is wanted.
    pub fn cleared(&mut self, depth: u64) -> Result<(), Stop> {
        self.emit(Event::Bound { depth });
        match self.last {
            Limit::Bound => Err(Stop::Budget(Limit::Bound)),
            _ => Ok(()),
        }
    }

    /// Works on a problem of the engine's own making with the same budget: nothing is exchanged with
    /// others, and of the events only remarks are passed on.
    pub fn apart<R>(&mut self, work: impl FnOnce(&mut Ctx<'a>) -> R) -> R {
        self.at(Place::Apart, work)
    }

    /// `apart` on a problem whose counterexamples have the same lengths: depths are passed on, too, and
    /// the bound is kept.
    pub fn in_step<R>(&mut self, work: impl FnOnce(&mut Ctx<'a>) -> R) -> R {
        self.at(Place::InStep, work)
    }

    fn at<R>(&mut self, place: Place, work: impl FnOnce(&mut Ctx<'a>) -> R) -> R {
        let (exchange, views) = (self.exchange.take(), self.views.take());
        let before = self.place;
        // What is in step with something apart is apart.
        self.place = before.max(place);
        let result = work(self);
        (self.exchange, self.views) = (exchange, views);
        self.place = before;
        result
    }

    /// Works with at most `ticks` of the budget.
    pub fn within<R>(&mut self, ticks: u64, work: impl FnOnce(&mut Ctx<'a>) -> R) -> R {
        let rest = self.ticks_left.saturating_sub(ticks);
        self.ticks_left -= rest;
        let result = work(self);
        self.ticks_left += rest;
        result
    }

    /// A random number generator; `stream` tells apart several of one run.
    pub fn rng(&self, stream: u64) -> Rng {
        Rng::new(self.seed ^ stream.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}
