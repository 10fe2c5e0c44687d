//! The portfolio without threads: engines one after the other, for a slice of time each, in rounds.
//!
//! An engine cannot be left in the middle and taken up again without a thread of its own, so it begins anew
//! in each round, and slices double: what is done twice is at most as much as what is done once. What was
//! said at the exchange and the views that were made stay. An engine has a new number in each round, so that it
//! hears there what it said itself in the last one. Who is alone in the end has no slice and goes on.
//!
//! For browsers, which have no threads, and for whoever wants one thread; turns (`turns`) are better where
//! there are threads. With a limit on ticks, slices go by ticks, so that the same run ends with the same
//! answer. The invariant is that of the portfolio: only what `accept` accepts is an answer.
//!
//! Doubling slices are after Luby, Sinclair, Zuckerman, "Optimal Speedup of Las Vegas Algorithms" (IPL 1993),
//! without their small slices in between, for which the exchange stands in.

use crate::budget::Ctx;
use crate::event::{Event, Note};
use crate::exchange::Exchange;
use crate::plan::Entry;
use crate::portfolio::{Accept, Attempt, Ended, Portfolio, panic_text};
use crate::settings::{ROUNDS_PROOF, ROUNDS_SHORTEST};
use crate::stopper::{Limit, Stopper};
use crate::turns::TICKS_PER_MILLISECOND;
use crate::view::Views;
use crate::{Card, Stop};
use alphorn_problem::Problem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// After so many rounds slices do not grow any more; they are years long.
const MAX_DOUBLINGS: u32 = 40;

/// How a run in rounds ends: with an answer and who gave it, if there is one, and with what became of each engine.
type Outcome<A> = (Option<(&'static str, A)>, Vec<Attempt>);

/// What became of an engine so far.
struct Track<P: Problem> {
    entry: Entry<P>,
    time: Duration,
    ticks: u64,
    /// The greatest depth that was told.
    depth: Option<u64>,
    ended: Option<Ended>,
}

/// The work of one engine in one round.
struct Slice<'a, P: Problem> {
    run: &'a Portfolio<'a, P>,
    begun: Instant,
    who: usize,
    /// How long it is, in milliseconds; without an end for who is alone.
    milliseconds: Option<u64>,
    exchange: &'a Arc<Exchange>,
    views: &'a Arc<Views>,
}

/// How a slice ends without an answer.
enum Over {
    /// In the middle: there may be more in a longer one.
    Slice,
    /// For good.
    Engine(Ended),
}

impl<P: Problem> Portfolio<'_, P> {
    /// `run`, in this thread and in rounds.
    pub(crate) fn run_in_rounds<A>(
        &self,
        problem: &P,
        accept: &Accept<P, A>,
        listen: &mut dyn FnMut(Note),
    ) -> Outcome<A> {
        let begun = Instant::now();
        let views = Arc::new(Views::default());
        let track = |&entry: &Entry<P>| Track {
            entry,
            time: Duration::ZERO,
            ticks: 0,
            depth: None,
            ended: None,
        };
        let mut tracks: Vec<Track<P>> = self.entries.iter().map(track).collect();
        let shortest = ROUNDS_SHORTEST.get();
        for round in 0.. {
            // What everybody has had so far, by weight one.
            let had = shortest * ((1 << round.min(MAX_DOUBLINGS)) - 1);
            for at in 0..tracks.len() {
                if let Some(limit) = self.stopper.reason().or(self.share.reason()) {
                    return (None, attempts(tracks, limit));
                }
                let open = tracks.iter().filter(|track| track.ended.is_none()).count();
                let track = &mut tracks[at];
                if track.ended.is_some() || track.entry.late > had {
                    continue;
                }
                let length = (had + shortest) * u64::from(track.entry.weight_after(had));
                let milliseconds = (open > 1).then_some(length);
                let who = round as usize * self.entries.len() + at;
                let (exchange, views) = (&self.exchange, &views);
                let slice = Slice { run: self, begun, who, milliseconds, exchange, views };
                match slice.attempt(problem, track, accept, listen) {
                    Ok(answer) => {
                        track.ended = Some(Ended::Answered);
                        let answer = Some((track.entry.card.name, answer));
                        return (answer, attempts(tracks, Limit::Answered));
                    }
                    Err(Over::Engine(ended)) => track.ended = Some(ended),
                    Err(Over::Slice) => {}
                }
            }
            if tracks.iter().all(|track| track.ended.is_some()) {
                break;
            }
        }
        (None, attempts(tracks, Limit::Ticks))
    }
}

/// What became of all; those that are still open ended because of `limit`.
fn attempts<P: Problem>(tracks: Vec<Track<P>>, limit: Limit) -> Vec<Attempt> {
    let attempt = |Track { entry, time, ticks, ended, .. }: Track<P>| {
        let ended = ended.unwrap_or(Ended::Stopped(Stop::Budget(limit)));
        Attempt { engine: entry.card.name, ended, time, ticks }
    };
    tracks.into_iter().map(attempt).collect()
}

impl<P: Problem> Slice<'_, P> {
    fn attempt<A>(
        &self,
        problem: &P,
        track: &mut Track<P>,
        accept: &Accept<P, A>,
        listen: &mut dyn FnMut(Note),
    ) -> Result<A, Over> {
        let (started, mut ticks) = (Instant::now(), 0);
        let (card, depth) = (track.entry.card, &mut track.depth);
        let mut sink = |event: Event| {
            if let Event::Bound { depth: reached } = event
                && depth.replace((*depth).map_or(reached, |last| last.max(reached)))
                    >= Some(reached)
            {
                // It was told in an earlier round.
                return;
            }
            listen(Note { engine: card.name, at: self.begun.elapsed(), event });
        };
        let work = AssertUnwindSafe(|| self.decide(card, problem, accept, &mut ticks, &mut sink));
        let outcome = catch_unwind(work);
        track.time += started.elapsed();
        track.ticks = track.ticks.saturating_add(ticks);
        outcome.unwrap_or_else(|panic| Err(Over::Engine(Ended::Panicked(panic_text(&*panic)))))
    }

    fn decide<A>(
        &self,
        card: &'static Card<P>,
        problem: &P,
        accept: &Accept<P, A>,
        ticks: &mut u64,
        sink: &mut dyn FnMut(Event),
    ) -> Result<A, Over> {
        let finding = {
            let (budget, mut ctx) = self.context(1, sink);
            let finding = (card.build)().run(problem, &mut ctx);
            *ticks += ctx.ticks_used();
            finding.map_err(|stop| budget.over(Ended::Stopped(stop), &ctx))?
        };
        // What was found is worth more time than the search for it.
        let (budget, mut ctx) = self.context(ROUNDS_PROOF.get(), sink);
        let answer = accept(problem, finding, &mut ctx);
        *ticks += ctx.ticks_used();
        answer.map_err(|ended| budget.over(ended, &ctx))
    }

    /// The budget for some slices.
    fn context<'s>(&self, slices: u64, sink: &'s mut dyn FnMut(Event)) -> (Budget, Ctx<'s>) {
        let Portfolio { ticks: most, stopper, share, seed, bound, .. } = self.run;
        let length = self.milliseconds.map(|length| length.saturating_mul(slices));
        let is_by_ticks = *most != u64::MAX;
        let ends = length.filter(|_| !is_by_ticks).and_then(|milliseconds| {
            Instant::now().checked_add(Duration::from_millis(milliseconds))
        });
        let ticks = length.filter(|_| is_by_ticks).map_or(*most, |milliseconds| {
            milliseconds.saturating_mul(TICKS_PER_MILLISECOND).min(*most)
        });
        let own = Stopper::within(&[stopper, share], ends);
        let ctx = Ctx::new(ticks, own.clone(), *seed, sink).bounded(*bound);
        let ctx = ctx.seeing(Arc::clone(self.views)).trading(self.who, Arc::clone(self.exchange));
        (Budget { stopper: own, has_all_ticks: ticks == *most }, ctx)
    }
}

/// What a slice may use.
struct Budget {
    stopper: Stopper,
    /// Whether it has all the ticks that the engine may spend, so that a longer one has no more.
    has_all_ticks: bool,
}

impl Budget {
    /// Whether an attempt ended with the slice, or for good.
    fn over(&self, ended: Ended, ctx: &Ctx<'_>) -> Over {
        let Ended::Stopped(_) = ended else { return Over::Engine(ended) };
        let is_out_of_ticks = ctx.is_spent() && !self.has_all_ticks;
        let is_stopped = self.stopper.reason().is_some();
        if is_stopped || is_out_of_ticks { Over::Slice } else { Over::Engine(ended) }
    }
}
