//! Turns: more engines than cores, each with its share of the time.
//!
//! Every engine has a thread, but only so many run at once. An engine gives up its place when its
//! slice is over, which it notices when it ticks, and the engine goes on that has had the least time
//! for its weight. Slices are short at first, so that whoever finds an answer quickly is not kept
//! waiting, and grow with the time spent, so that engines do not push each other out of the caches.
//!
//! An engine that does not tick for long loses its claim: its place is given to another, and it is
//! asked to wait when it next ticks. So one long step cannot starve the rest.

use crate::stopper::Stopper;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The first slice.
const SHORTEST: Duration = Duration::from_millis(10);
/// The longest slice.
const LONGEST: Duration = Duration::from_millis(200);
/// A slice is the time spent so far, divided by this.
const PART: u32 = 8;
/// How long an engine may go without ticking before its place is given away, in longest slices.
const PATIENCE: u32 = 2;
/// How often those who wait look at the stop flag.
const PERIOD: Duration = Duration::from_millis(10);

/// An engine's part in the taking of turns.
#[derive(Clone, Debug, Default)]
struct Share {
    weight: u32,
    /// How much the others have of their time, each by its weight, before this one begins.
    late: Duration,
    used: Duration,
    /// Since when it runs.
    runs: Option<Instant>,
    waits: bool,
}

/// The places, and who has them.
#[derive(Debug)]
pub(crate) struct Turns {
    places: usize,
    shares: Mutex<Vec<Share>>,
    changed: Condvar,
}

impl Turns {
    /// Places for `places` engines at a time; the weights say how engines share the time, and what
    /// comes with them how late they begin.
    pub(crate) fn new(places: usize, weights: &[(u32, Duration)]) -> Turns {
        let share = |&(weight, late): &(u32, Duration)| {
            let weight = weight.max(1);
            Share { weight, late, ..Share::default() }
        };
        let shares = Mutex::new(weights.iter().map(share).collect());
        Turns { places: places.max(1), shares, changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Share>> {
        // A panic elsewhere cannot leave the numbers in a state that matters.
        self.shares.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives free places to those who wait.
    fn grant(&self, shares: &mut [Share]) {
        let now = Instant::now();
        let patience = LONGEST * PATIENCE;
        let is_active = |share: &&Share| share.runs.is_some_and(|since| now - since <= patience);
        let mut active = shares.iter().filter(is_active).count();
        let mut is_granted = false;
        while active < self.places {
            let waiting = shares.iter_mut().filter(|share| share.waits);
            let had = |share: &&mut Share| share.late + share.used / share.weight;
            let Some(next) = waiting.min_by_key(had) else { break };
            (next.waits, next.runs) = (false, Some(now));
            active += 1;
            is_granted = true;
        }
        // Those who wake come here, too: to wake them for nothing would never end.
        if is_granted {
            self.changed.notify_all();
        }
    }

    /// Gives up a place, if there is one, and how long it was held.
    fn give_up(share: &mut Share) {
        if let Some(since) = share.runs.take() {
            share.used += since.elapsed();
        }
    }

    /// Waits for a place; returns early when the flag is raised.
    fn take(&self, who: usize, stopper: &Stopper) -> Duration {
        let mut shares = self.lock();
        Turns::give_up(&mut shares[who]);
        shares[who].waits = true;
        loop {
            self.grant(&mut shares);
            if shares[who].runs.is_some() || stopper.reason().is_some() {
                shares[who].waits = false;
                return (shares[who].used / PART).clamp(SHORTEST, LONGEST);
            }
            let waited = self.changed.wait_timeout(shares, PERIOD);
            shares = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn leave(&self, who: usize) -> Duration {
        let mut shares = self.lock();
        Turns::give_up(&mut shares[who]);
        self.grant(&mut shares);
        shares[who].used
    }
}

/// One engine's hold on the places; dropping it leaves them to the others.
#[derive(Debug)]
pub(crate) struct Turn {
    turns: Arc<Turns>,
    who: usize,
    ends: Instant,
    calls: u32,
}

impl Turn {
    /// Waits for the first turn.
    pub(crate) fn begin(turns: Arc<Turns>, who: usize, stopper: &Stopper) -> Turn {
        let slice = turns.take(who, stopper);
        Turn { turns, who, ends: Instant::now() + slice, calls: 0 }
    }

    /// Gives way to others if the slice is over.
    #[inline]
    pub(crate) fn look(&mut self, ticks: u64, stopper: &Stopper) {
        self.calls = self.calls.wrapping_add(1);
        // Reading the clock costs more than the smallest steps.
        if (ticks >= 32 || self.calls.is_multiple_of(8)) && Instant::now() >= self.ends {
            let slice = self.turns.take(self.who, stopper);
            self.ends = Instant::now() + slice;
        }
    }

    /// Leaves the place to others while `wait` waits for one of them.
    pub(crate) fn aside(&mut self, stopper: &Stopper, wait: impl FnOnce()) {
        self.turns.leave(self.who);
        wait();
        let slice = self.turns.take(self.who, stopper);
        self.ends = Instant::now() + slice;
    }

    /// How long the engine has had a place.
    pub(crate) fn used(&self) -> Duration {
        let shares = self.turns.lock();
        let share = &shares[self.who];
        share.used + share.runs.map_or(Duration::ZERO, |since| since.elapsed())
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.leave(self.who);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stopper::Limit;

    #[test]
    fn the_place_goes_to_who_had_least_for_its_weight() {
        let turns = Turns::new(1, &[1, 3, 1].map(|weight| (weight, Duration::ZERO)));
        let mut shares = turns.lock();
        for (share, used) in shares.iter_mut().zip([100, 200, 50]) {
            (share.used, share.waits) = (Duration::from_millis(used), true);
        }
        shares[2].waits = false;
        turns.grant(&mut shares);
        let runs: Vec<bool> = shares.iter().map(|share| share.runs.is_some()).collect();
        assert_eq!(runs, [false, true, false]);
        // The place is taken, so nobody else gets one.
        turns.grant(&mut shares);
        assert!(shares[0].runs.is_none());
    }

    #[test]
    fn who_is_late_waits_until_the_others_have_had_their_time() {
        let late = Duration::from_millis(30);
        let turns = Turns::new(1, &[(2, Duration::ZERO), (1, late)]);
        let next = |used: u64| {
            let mut shares = turns.lock();
            for share in shares.iter_mut() {
                (share.waits, share.runs) = (true, None);
            }
            shares[0].used = Duration::from_millis(used);
            turns.grant(&mut shares);
            shares.iter().position(|share| share.runs.is_some())
        };
        assert_eq!(next(50), Some(0));
        assert_eq!(next(70), Some(1));
    }

    #[test]
    fn a_raised_flag_ends_the_waiting() {
        let turns = Arc::new(Turns::new(1, &[(1, Duration::ZERO); 2]));
        let stopper = Stopper::new();
        let _first = Turn::begin(Arc::clone(&turns), 0, &stopper);
        stopper.stop(Limit::Time);
        let second = Turn::begin(turns, 1, &stopper);
        assert_eq!(second.used(), Duration::ZERO);
    }

    #[test]
    fn who_does_not_tick_loses_its_place() {
        let turns = Arc::new(Turns::new(1, &[(1, Duration::ZERO); 2]));
        let stopper = Stopper::new();
        let _stuck = Turn::begin(Arc::clone(&turns), 0, &stopper);
        // Would wait for ever if the first place stayed taken.
        let other = Turn::begin(turns, 1, &stopper);
        assert!(other.used() < Duration::from_secs(5));
    }
}
