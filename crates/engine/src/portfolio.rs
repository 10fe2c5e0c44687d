//! The portfolio: several engines on one problem, the first *accepted* answer wins.
//!
//! Each engine has a thread of its own, and they take turns (`turns`) where there are more engines
//! than places; where there are no threads, they run in rounds (`rounds`). What an engine finds is handed to `accept`, which carries
//! it back to the user's problem and has it proved and checked; only what comes back accepted is an
//! answer. A finding that is refused, a panic, a stop: each ends one engine's attempt and no more,
//! and is reported. So a bug can cost an answer, never make one.
//!
//! Waiting is bounded: once the flag is raised, engines have a moment to notice, and then the
//! portfolio returns without them. Their threads die with the process.

use crate::budget::Ctx;
use crate::event::{Event, Note};
use crate::exchange::Exchange;
use crate::plan::Entry;
use crate::stopper::{Limit, Stopper};
use crate::turns::{Turn, Turns};
use crate::view::Views;
use crate::{Card, Stop};
use alphorn_problem::{Finding, Problem};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How many times as long engines may take to stop after an interrupt.
const PATIENT: u32 = 5;

/// How one engine's attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// With the answer that was accepted.
    Answered,
    /// Without a verdict.
    Stopped(Stop),
    /// With a verdict whose evidence was refused: a bug of ours, with the reason.
    Refused(String),
    /// With a panic: a bug of ours, with its message.
    Panicked(String),
    /// It did not stop in time when asked.
    Abandoned,
}

/// What became of one engine of a portfolio, for reports and for whoever sets shares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The name of the engine that tried.
    pub engine: &'static str,
    /// What came of it.
    pub ended: Ended,
    /// How long it ran, without the time it waited for its turn.
    pub time: Duration,
    /// The ticks it spent.
    pub ticks: u64,
}

/// A run of several engines.
pub struct Portfolio<'a, P: Problem> {
    /// The engines, in the order in which they get their first turns.
    pub entries: &'a [Entry<P>],
    /// How many run at a time.
    pub threads: usize,
    /// Whether they run one after the other in the caller's thread (`rounds`), not in threads of their own.
    pub in_rounds: bool,
    /// The tick budget of each engine.
    pub ticks: u64,
    /// The greatest depth that is wanted, if there is one.
    pub bound: Option<u64>,
    /// What everything random in the run is drawn from.
    pub seed: u64,
    /// The flag that ends the caller's whole job, this run included.
    pub stopper: Stopper,
    /// The flag that ends this run alone.
    pub share: Stopper,
    /// How long to wait for engines after the flag is raised; after an interrupt, which names no time, some times as
    /// long.
    pub grace: Duration,
    /// Where engines tell each other what they know, with what they are told at the beginning.
    pub exchange: Arc<Exchange>,
}

enum Message<A> {
    Note(Note),
    End(Attempt, Option<(&'static str, A)>),
}

/// What `accept` makes of a finding: an answer, or how the attempt ends instead.
pub type Accept<P, A> = dyn Fn(&P, Finding<P>, &mut Ctx<'_>) -> Result<A, Ended> + Send + Sync;

impl<P: Problem> Portfolio<'_, P> {
    /// Runs the engines until one's answer is accepted, all have ended, or the flag is raised.
    /// `listen` hears all events while they happen.
    pub fn run<A: Send + 'static>(
        &self,
        problem: Arc<P>,
        accept: Arc<Accept<P, A>>,
        listen: &mut dyn FnMut(Note),
    ) -> (Option<(&'static str, A)>, Vec<Attempt>) {
        if self.in_rounds {
            return self.run_in_rounds(&problem, &*accept, listen);
        }
        let begun = Instant::now();
        let (sender, receiver) = channel::<Message<A>>();
        let views = Arc::new(Views::default());
        let weights: Vec<(u32, Duration)> =
            self.entries.iter().map(|e| (e.weight, Duration::from_millis(e.late))).collect();
        let by_ticks = self.threads == 1 && self.ticks != u64::MAX;
        let turns = Arc::new(Turns::new(self.threads, &weights, by_ticks));
        for (who, entry) in self.entries.iter().enumerate() {
            if let Some((after, weight)) = entry.later {
                turns.change(who, Duration::from_millis(after), weight);
            }
        }
        // One engine's answer stops the others, but must not raise the caller's flag.
        let answered = Stopper::new();
        let mut attempts: Vec<Attempt> = Vec::new();
        for (who, &Entry { card, .. }) in self.entries.iter().enumerate() {
            let job = Job {
                problem: Arc::clone(&problem),
                accept: Arc::clone(&accept),
                sender: sender.clone(),
                stopper: answered.clone(),
                ticks: self.ticks,
                bound: self.bound,
                seed: self.seed,
                begun,
                who,
                turns: (self.threads < self.entries.len()).then(|| Arc::clone(&turns)),
                exchange: Arc::clone(&self.exchange),
                views: Arc::clone(&views),
            };
            // Engines recurse in places (sorts, values); a roomy stack costs only address space.
            let builder = std::thread::Builder::new().stack_size(64 << 20);
            if builder.spawn(move || job.attempt(card)).is_err() {
                // No room for its stack: the others go on without it.
                turns.leave(who);
                let ended = Ended::Stopped(Stop::Budget(Limit::Memory));
                let time = Duration::ZERO;
                attempts.push(Attempt { engine: card.name, ended, time, ticks: 0 });
            }
        }
        drop(sender);

        let mut answer = None;
        let mut give_up: Option<Instant> = None;
        loop {
            match receiver.recv_timeout(Duration::from_millis(5)) {
                Ok(Message::Note(note)) => listen(note),
                Ok(Message::End(attempt, found)) => {
                    attempts.push(attempt);
                    if answer.is_none() && found.is_some() {
                        answer = found;
                        answered.stop(Limit::Answered);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if give_up.is_none() {
                if let Some(limit) = self.stopper.reason().or(self.share.reason()) {
                    answered.stop(limit);
                }
                let grace = |limit| match limit {
                    Limit::Interrupted => self.grace * PATIENT,
                    _ => self.grace,
                };
                give_up = answered.reason().map(|limit| Instant::now() + grace(limit));
            }
            if give_up.is_some_and(|at| Instant::now() >= at) {
                break;
            }
        }
        self.mark_abandoned(&mut attempts, begun);
        (answer, attempts)
    }

    /// Records the engines that did not come back.
    fn mark_abandoned(&self, attempts: &mut Vec<Attempt>, begun: Instant) {
        for &Entry { card, .. } in self.entries {
            if !attempts.iter().any(|attempt| attempt.engine == card.name) {
                let (time, ended) = (begun.elapsed(), Ended::Abandoned);
                attempts.push(Attempt { engine: card.name, ended, time, ticks: 0 });
            }
        }
    }
}

struct Job<P: Problem, A> {
    problem: Arc<P>,
    accept: Arc<Accept<P, A>>,
    sender: Sender<Message<A>>,
    stopper: Stopper,
    ticks: u64,
    bound: Option<u64>,
    seed: u64,
    begun: Instant,
    who: usize,
    turns: Option<Arc<Turns>>,
    exchange: Arc<Exchange>,
    views: Arc<Views>,
}

impl<P: Problem, A> Job<P, A> {
    fn attempt(&self, card: &'static Card<P>) {
        self.attempt_in_turn(card);
        if let Some(turns) = self.turns.as_ref().filter(|turns| turns.are_by_ticks()) {
            turns.leave(self.who);
        }
    }

    fn attempt_in_turn(&self, card: &'static Card<P>) {
        let turns = self.turns.as_ref();
        let turn = turns.map(|turns| Turn::begin(Arc::clone(turns), self.who, &self.stopper));
        if self.stopper.reason().is_some() && turn.is_some() {
            // Never had a turn: it ended before it began.
            let ended = Ended::Stopped(Stop::Budget(self.stopper.reason().unwrap_or(Limit::Time)));
            let attempt = Attempt { engine: card.name, ended, time: Duration::ZERO, ticks: 0 };
            let _ = self.sender.send(Message::End(attempt, None));
            return;
        }
        let started = Instant::now();
        let mut spent = (0, None);
        let outcome = catch_unwind(AssertUnwindSafe(|| self.decide(card, turn, &mut spent)));
        let (ended, answer) = match outcome {
            Ok(Ok(answer)) => (Ended::Answered, Some((card.name, answer))),
            Ok(Err(ended)) => (ended, None),
            Err(panic) => (Ended::Panicked(panic_text(&*panic)), None),
        };
        let (ticks, time) = (spent.0, spent.1.unwrap_or(started.elapsed()));
        let attempt = Attempt { engine: card.name, ended, time, ticks };
        // Nobody listens any more when the run is over; then the attempt does not matter.
        let _ = self.sender.send(Message::End(attempt, answer));
    }

    fn decide(
        &self,
        card: &'static Card<P>,
        turn: Option<Turn>,
        spent: &mut (u64, Option<Duration>),
    ) -> Result<A, Ended> {
        let mut sink = |event: Event| {
            let note = Note { engine: card.name, at: self.begun.elapsed(), event };
            let _ = self.sender.send(Message::Note(note));
        };
        let ctx = Ctx::new(self.ticks, self.stopper.clone(), self.seed, &mut sink);
        let ctx = ctx.bounded(self.bound).taking(turn).seeing(Arc::clone(&self.views));
        let mut ctx = ctx.trading(self.who, Arc::clone(&self.exchange));
        let finding = (card.build)().run(&self.problem, &mut ctx);
        *spent = (ctx.ticks_used(), ctx.time_used());
        let answer = match finding {
            Ok(finding) => {
                self.turns.iter().for_each(|turns| turns.favour(self.who));
                (self.accept)(&self.problem, finding, &mut ctx)
            }
            Err(stop) => Err(Ended::Stopped(stop)),
        };
        *spent = (ctx.ticks_used(), ctx.time_used());
        answer
    }
}

/// The message a panic carries.
pub fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_owned())
}
