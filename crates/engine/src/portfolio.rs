//! The portfolio: several engines on one problem, the first *accepted* answer wins.
//!
//! Each engine runs in a thread of its own. Its verdict is handed to `accept`, which carries the
//! evidence back to the user's problem and has it checked; only what comes back accepted is an
//! answer. A verdict that is refused, a panic, a stop: each ends one engine's attempt and no more,
//! and is reported. So a bug can cost an answer, never make one.
//!
//! Waiting is bounded: once the flag is raised, engines have a moment to notice, and then the
//! portfolio returns without them. Their threads die with the process.

use crate::budget::{Ctx, Limit, Stopper};
use crate::event::{Event, Note};
use crate::{Card, Stop};
use alphorn_problem::{Problem, Verdict};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

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

/// One engine's attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The engine.
    pub engine: &'static str,
    /// How it ended.
    pub ended: Ended,
    /// How long it took.
    pub time: Duration,
    /// The ticks it spent.
    pub ticks: u64,
}

/// A run of several engines.
pub struct Portfolio<'a, P: Problem> {
    /// The engines, in the order in which they get threads.
    pub cards: &'a [&'static Card<P>],
    /// How many run at a time.
    pub threads: usize,
    /// The tick budget of each engine.
    pub ticks: u64,
    /// The seed.
    pub seed: u64,
    /// The flag that ends the caller's whole job, this run included.
    pub stopper: Stopper,
    /// The flag that ends this run alone.
    pub share: Stopper,
    /// How long to wait for engines after the flag is raised.
    pub grace: Duration,
}

enum Message<A> {
    Note(Note),
    End(Attempt, Option<(&'static str, A)>),
}

/// What `accept` makes of a verdict: an answer, or why not.
pub type Accept<P, A> = dyn Fn(&P, Verdict<P>) -> Result<A, String> + Send + Sync;

impl<P: Problem> Portfolio<'_, P> {
    /// Runs the engines until one's answer is accepted, all have ended, or the flag is raised.
    /// `listen` hears all events while they happen.
    pub fn run<A: Send + 'static>(
        &self,
        problem: Arc<P>,
        accept: Arc<Accept<P, A>>,
        listen: &mut dyn FnMut(Note),
    ) -> (Option<(&'static str, A)>, Vec<Attempt>) {
        let begun = Instant::now();
        let (sender, receiver) = channel::<Message<A>>();
        let queue: Arc<Mutex<VecDeque<&'static Card<P>>>> =
            Arc::new(Mutex::new(self.cards.iter().copied().collect()));
        // One engine's answer stops the others, but must not raise the caller's flag.
        let answered = Stopper::new();
        for _ in 0..self.threads.clamp(1, self.cards.len().max(1)) {
            let job = Job {
                problem: Arc::clone(&problem),
                accept: Arc::clone(&accept),
                sender: sender.clone(),
                stopper: answered.clone(),
                ticks: self.ticks,
                seed: self.seed,
                begun,
            };
            let queue = Arc::clone(&queue);
            let work = move || {
                while let Some(card) = queue.lock().ok().and_then(|mut cards| cards.pop_front()) {
                    if job.stopper.reason().is_some() {
                        return;
                    }
                    job.attempt(card);
                }
            };
            // Engines recurse in places (sorts, values); a roomy stack costs only address space.
            let builder = std::thread::Builder::new().stack_size(64 << 20);
            builder.spawn(work).expect("the system can start a thread");
        }
        drop(sender);

        let mut attempts: Vec<Attempt> = Vec::new();
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
                give_up = answered.reason().map(|_| Instant::now() + self.grace);
            }
            if give_up.is_some_and(|at| Instant::now() >= at) {
                break;
            }
        }
        self.mark_abandoned(&mut attempts, &queue, begun);
        (answer, attempts)
    }

    /// Records the engines that were started and did not come back.
    fn mark_abandoned(
        &self,
        attempts: &mut Vec<Attempt>,
        queue: &Mutex<VecDeque<&'static Card<P>>>,
        begun: Instant,
    ) {
        let waiting: Vec<&str> =
            queue.lock().map(|cards| cards.iter().map(|c| c.name).collect()).unwrap_or_default();
        for card in self.cards {
            let known = attempts.iter().any(|attempt| attempt.engine == card.name);
            if !known && !waiting.contains(&card.name) {
                let time = begun.elapsed();
                let ended = Ended::Abandoned;
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
    seed: u64,
    begun: Instant,
}

impl<P: Problem, A> Job<P, A> {
    fn attempt(&self, card: &'static Card<P>) {
        let started = Instant::now();
        let mut ticks = 0;
        let outcome = catch_unwind(AssertUnwindSafe(|| self.decide(card, &mut ticks)));
        let (ended, answer) = match outcome {
            Ok(Ok(answer)) => (Ended::Answered, Some((card.name, answer))),
            Ok(Err(ended)) => (ended, None),
            Err(panic) => (Ended::Panicked(panic_text(&*panic)), None),
        };
        let attempt = Attempt { engine: card.name, ended, time: started.elapsed(), ticks };
        // Nobody listens any more when the run is over; then the attempt does not matter.
        let _ = self.sender.send(Message::End(attempt, answer));
    }

    fn decide(&self, card: &'static Card<P>, ticks: &mut u64) -> Result<A, Ended> {
        let mut sink = |event: Event| {
            let note = Note { engine: card.name, at: self.begun.elapsed(), event };
            let _ = self.sender.send(Message::Note(note));
        };
        let mut ctx = Ctx::new(self.ticks, self.stopper.clone(), self.seed, &mut sink);
        let verdict = (card.build)().run(&self.problem, &mut ctx);
        *ticks = ctx.ticks_used();
        match verdict {
            Ok(verdict) => (self.accept)(&self.problem, verdict).map_err(Ended::Refused),
            Err(stop) => Err(Ended::Stopped(stop)),
        }
    }
}

/// The message a panic carries.
pub fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_owned())
}
