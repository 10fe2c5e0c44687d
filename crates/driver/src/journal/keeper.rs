//! Who keeps the record of a run: tells the wires what engines learn, and engines what comes from the wires.
//!
//! It works beside the engines, every now and then, and once more when they have ended. What it tells it
//! tells once: a lemma that is remembered at a level is told again only when it holds for good.

use super::{Holds, Line};
use crate::evidence::AnyEvidence;
use crate::settings::{JOURNAL_MAX_LINES, JOURNAL_PERIOD, JOURNAL_PERIOD_LIVE};
use crate::speech::Speech;
use crate::wire::{Wire, tell};
use alphorn_engine::{Attempt, Ended, Exchange, Limit, Stop, Stopper};
use alphorn_problem::Problem;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Judges the evidence of an answer from elsewhere.
pub(crate) type Judge<'a> = dyn Fn(&str) -> Option<AnyEvidence> + Send + Sync + 'a;

/// The record of one run.
pub(crate) struct Keeper<'a, S: Problem> {
    pub(crate) wires: &'a [Arc<dyn Wire>],
    pub(crate) speech: Option<Arc<dyn Speech<S>>>,
    pub(crate) exchange: Arc<Exchange>,
    /// The engines, by their numbers.
    pub(crate) engines: Vec<&'static str>,
    pub(crate) property: String,
    /// Judges answers about the property that is asked, if answers are taken.
    pub(crate) judge: Option<Box<Judge<'a>>>,
    /// Ends the run when an answer has come.
    pub(crate) share: Stopper,
    /// One more than the greatest depth without a violation, or none.
    pub(crate) bound: Arc<AtomicU64>,
    /// How many lines of each wire were taken.
    pub(crate) taken: Vec<usize>,
    pub(crate) state: State,
}

/// How far the record is.
#[derive(Default)]
pub(crate) struct State {
    seen: usize,
    told: BTreeMap<String, Holds>,
    bound: u64,
    /// The answer that came from elsewhere, with who gave it.
    pub(crate) answer: Option<(String, AnyEvidence)>,
}

impl<S: Problem> Keeper<'_, S> {
    /// Keeps the record until the run is over.
    pub(crate) fn keep(&mut self, is_over: &AtomicBool) {
        let is_live = self.wires.iter().any(|wire| wire.is_live());
        let period = if is_live { JOURNAL_PERIOD_LIVE.get() } else { JOURNAL_PERIOD.get() };
        let mut next = Instant::now() + Duration::from_millis(period);
        while !is_over.load(Ordering::Acquire) {
            std::thread::sleep(Duration::from_millis(5));
            if Instant::now() >= next {
                self.pass();
                next = Instant::now() + Duration::from_millis(period);
            }
        }
    }

    /// The last words about a run.
    pub(crate) fn finish(&mut self, attempts: &[Attempt]) {
        self.tell_lemmas();
        self.tell_bound();
        for attempt in attempts {
            let ended = match &attempt.ended {
                // Who was not needed any more tried nothing to the end.
                Ended::Stopped(Stop::Budget(Limit::Answered)) => continue,
                Ended::Stopped(stop) => stop.describe(),
                Ended::Refused(why) => format!("refused: {why}"),
                Ended::Panicked(why) => format!("a fault: {why}"),
                Ended::Answered | Ended::Abandoned => continue,
            };
            let (tried, property) = (attempt.engine.to_owned(), self.property.clone());
            tell(self.wires, &Line::Tried { tried, property, ticks: attempt.ticks, ended });
        }
    }

    fn pass(&mut self) {
        self.tell_lemmas();
        self.tell_bound();
        self.hear();
    }

    fn tell_lemmas(&mut self) {
        let Some(speech) = self.speech.clone() else { return };
        let (told, seen) = self.exchange.told::<S::Lemma>(self.state.seen);
        self.state.seen = seen;
        let remembered = self.exchange.remembered::<S::Lemma>();
        let name = |who: &usize| self.engines.get(*who).copied().unwrap_or("?");
        let for_good = told.iter().map(|(who, lemma)| (&**lemma, name(who), Holds::Always));
        let so_far = remembered.iter();
        let so_far = so_far.map(|(who, lemma, level)| (&**lemma, name(who), Holds::Level(*level)));
        let lines = speech.say(&for_good.chain(so_far).collect::<Vec<_>>());
        for line in lines {
            let Some((key, holds)) = line.learned() else { continue };
            let known = self.state.told.get(&key);
            let is_new = known.is_none_or(|known| holds == Holds::Always && *known < holds);
            if is_new && self.state.told.len() < JOURNAL_MAX_LINES.size() {
                self.state.told.insert(key, holds);
                tell(self.wires, &line);
            }
        }
    }

    fn tell_bound(&mut self) {
        let bound = self.bound.load(Ordering::Relaxed);
        if bound > self.state.bound {
            self.state.bound = bound;
            let property = self.property.clone();
            tell(self.wires, &Line::Bound { bound: bound - 1, property, by: "run".to_owned() });
        }
    }

    /// Takes what has come in.
    fn hear(&mut self) {
        let mut lines = Vec::new();
        for (wire, taken) in self.wires.iter().zip(&mut self.taken) {
            let news = wire.heard(*taken);
            *taken += news.len();
            lines.extend(news);
        }
        if lines.is_empty() {
            return;
        }
        if let Some(speech) = &self.speech {
            speech.understand(&lines).into_iter().for_each(|lemma| self.exchange.bring(lemma));
        }
        let Some(judge) = &self.judge else { return };
        for line in lines {
            let Line::Answer { property, by, evidence, .. } = line else { continue };
            if property == self.property
                && self.state.answer.is_none()
                && let Some(judged) = judge(&evidence)
            {
                self.state.answer = Some((by, judged));
                self.share.stop(Limit::Answered);
            }
        }
    }
}
