//! Turns: more engines than cores, each with its share of the time.
//!
//! Every engine has a thread, but only so many run at once. An engine gives up its place when its
//! slice is over, which it notices when it ticks, and the engine goes on that has had the least time
//! for its weight. Slices are short at first, so that whoever finds an answer quickly is not kept
//! waiting, and grow with the time spent, so that engines do not push each other out of the caches.
//!
//! An engine that has found something has more than its share from then on: the proof of that is all that is left to
//! be done. It is not left alone with it, since the finding may be one that cannot be proved.
//!
//! An engine that does not tick for long loses its claim: its place is given to another, and it is
//! asked to wait when it next ticks. So one long step cannot starve the rest.
//!
//! Turns by the clock differ from run to run. Where one engine runs at a time and all are limited by
//! ticks, turns go by ticks instead: everybody is in the queue from the beginning, a slice is so many
//! ticks, and a place is held until the answer is handed over. So the same run ends with the same answer.
//! Ticks are not equally long, some engines' a hundred times others', so this is not for speed.

use crate::settings::{
    TURNS_LONGEST, TURNS_PART, TURNS_PATIENCE, TURNS_PROOF, TURNS_PROOF_PATIENCE, TURNS_SHORTEST,
};
use crate::stopper::Stopper;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What counts as a millisecond where turns or rounds go by ticks.
pub(crate) const TICKS_PER_MILLISECOND: u64 = 1_500;
/// How often those who wait look at the stop flag.
const PERIOD: Duration = Duration::from_millis(10);

/// An engine's part in the taking of turns.
#[derive(Clone, Debug, Default)]
struct Share {
    weight: u32,
    /// How much the others have of their time, each by its weight, before this one begins.
    late: Duration,
    /// After how much of that it has another weight, and which.
    later: Option<(Duration, u32)>,
    used: Duration,
    /// The ticks that it has spent, as far as it has given up its place since.
    work: u64,
    /// Since when it runs.
    runs: Option<Instant>,
    waits: bool,
    /// Whether it has found something and goes on to prove it.
    is_favoured: bool,
}

/// The places, and who has them.
#[derive(Debug)]
pub(crate) struct Turns {
    places: usize,
    /// Whether turns go by ticks.
    by_ticks: bool,
    shares: Mutex<Vec<Share>>,
    changed: Condvar,
}

impl Turns {
    /// Places for `places` engines at a time; the weights say how engines share the time, and what
    /// comes with them how late they begin.
    pub(crate) fn new(places: usize, weights: &[(u32, Duration)], by_ticks: bool) -> Turns {
        let share = |&(weight, late): &(u32, Duration)| {
            let weight = weight.max(1);
            Share { weight, late, waits: by_ticks, ..Share::default() }
        };
        let shares = Mutex::new(weights.iter().map(share).collect());
        Turns { places: places.max(1), by_ticks, shares, changed: Condvar::new() }
    }

    /// Gives an engine another weight as soon as it has had so much by its own.
    pub(crate) fn change(&self, who: usize, after: Duration, weight: u32) {
        self.lock()[who].later = Some((after, weight.max(1)));
    }

    /// What an engine has had by its weight, and before it began.
    fn turn_of(&self, share: &Share) -> Duration {
        let had = self.had(share);
        let by_weight = match share.later {
            Some((after, weight)) if had > after * share.weight => {
                after + (had - after * share.weight) / weight
            }
            _ => had / share.weight,
        };
        share.late + by_weight
    }

    /// Whether turns go by ticks; then the place is held until `leave`.
    pub(crate) fn are_by_ticks(&self) -> bool {
        self.by_ticks
    }

    /// What an engine has had.
    fn had(&self, share: &Share) -> Duration {
        match self.by_ticks {
            true => Duration::from_millis(share.work / TICKS_PER_MILLISECOND),
            false => share.used,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Share>> {
        // A panic elsewhere cannot leave the numbers in a state that matters.
        self.shares.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives free places to those who wait.
    fn grant(&self, shares: &mut [Share]) {
        let now = Instant::now();
        let patience = Duration::from_millis(TURNS_LONGEST.get()) * TURNS_PATIENCE.short();
        let is_active = |share: &&Share| {
            // The writing of a proof is one long step, and nobody gains if others take the time for it; but what was
            // found soon is to be proved soon.
            let longest = patience * TURNS_PROOF_PATIENCE.short();
            let patience = match share.is_favoured {
                true => (share.used * TURNS_PROOF.short()).clamp(patience, longest),
                false => patience,
            };
            share.runs.is_some_and(|since| self.by_ticks || now - since <= patience)
        };
        let mut active = shares.iter().filter(is_active).count();
        let mut is_granted = false;
        while active < self.places {
            let waiting = shares.iter_mut().filter(|share| share.waits);
            let Some(next) = waiting.min_by_key(|share| self.turn_of(share)) else { break };
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

    /// Gives up a place after so many ticks, and waits for another.
    fn take(&self, who: usize, ticks: u64, stopper: &Stopper) -> Duration {
        let mut shares = self.lock();
        Turns::give_up(&mut shares[who]);
        shares[who].waits = true;
        shares[who].work += ticks;
        self.wait(who, shares, stopper)
    }

    /// Waits for a place; returns early when the flag is raised.
    fn wait(
        &self,
        who: usize,
        mut shares: MutexGuard<'_, Vec<Share>>,
        stopper: &Stopper,
    ) -> Duration {
        loop {
            self.grant(&mut shares);
            if shares[who].runs.is_some() || stopper.reason().is_some() {
                shares[who].waits = false;
                let [shortest, longest] = [&TURNS_SHORTEST, &TURNS_LONGEST]
                    .map(|slice| Duration::from_millis(slice.get()));
                let slice = self.had(&shares[who]) / TURNS_PART.short();
                return slice.max(shortest).min(longest);
            }
            let waited = self.changed.wait_timeout(shares, PERIOD);
            shares = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Gives an engine more than its share, as it has found something and goes on to prove it.
    pub(crate) fn favour(&self, who: usize) {
        if !self.by_ticks {
            let share = &mut self.lock()[who];
            share.weight = share.weight.saturating_mul(TURNS_PROOF.short());
            share.is_favoured = true;
        }
    }

    /// Leaves the places to the others for good.
    pub(crate) fn leave(&self, who: usize) {
        let mut shares = self.lock();
        Turns::give_up(&mut shares[who]);
        shares[who].waits = false;
        self.grant(&mut shares);
    }
}

/// One engine's hold on the places; dropping it leaves them to the others, unless turns go by ticks.
#[derive(Debug)]
pub(crate) struct Turn {
    turns: Arc<Turns>,
    who: usize,
    ends: Instant,
    calls: u32,
    /// The ticks since the slice began, and how many it has.
    spent: u64,
    slice: u64,
}

impl Turn {
    /// Waits for the first turn.
    pub(crate) fn begin(turns: Arc<Turns>, who: usize, stopper: &Stopper) -> Turn {
        let slice = match turns.by_ticks {
            true => turns.wait(who, turns.lock(), stopper),
            false => turns.take(who, 0, stopper),
        };
        let ends = Instant::now() + slice;
        Turn { turns, who, ends, calls: 0, spent: 0, slice: in_ticks(slice) }
    }

    /// Gives way to others if the slice is over.
    #[inline]
    pub(crate) fn look(&mut self, ticks: u64, stopper: &Stopper) {
        if self.turns.by_ticks {
            self.spent = self.spent.saturating_add(ticks);
            if self.spent >= self.slice {
                self.slice = in_ticks(self.turns.take(self.who, self.spent, stopper));
                self.spent = 0;
            }
            return;
        }
        self.calls = self.calls.wrapping_add(1);
        // Reading the clock costs more than the smallest steps.
        if (ticks >= 32 || self.calls.is_multiple_of(8)) && Instant::now() >= self.ends {
            let slice = self.turns.take(self.who, 0, stopper);
            self.ends = Instant::now() + slice;
        }
    }

    /// Leaves the place to others while `wait` waits for one of them. Where turns go by ticks that is a slice
    /// spent on waiting, since who wakes when must not matter.
    pub(crate) fn aside(&mut self, stopper: &Stopper, wait: impl FnOnce()) {
        if self.turns.by_ticks {
            self.slice = in_ticks(self.turns.take(self.who, self.slice, stopper));
            self.spent = 0;
            return;
        }
        self.turns.leave(self.who);
        wait();
        let slice = self.turns.take(self.who, 0, stopper);
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
        if !self.turns.by_ticks {
            self.turns.leave(self.who);
        }
    }
}

/// A slice in ticks.
fn in_ticks(slice: Duration) -> u64 {
    u64::try_from(slice.as_millis()).unwrap_or(u64::MAX).saturating_mul(TICKS_PER_MILLISECOND)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stopper::Limit;

    #[test]
    fn the_place_goes_to_who_had_least_for_its_weight() {
        let turns = Turns::new(1, &[1, 3, 1].map(|weight| (weight, Duration::ZERO)), false);
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
        let turns = Turns::new(1, &[(2, Duration::ZERO), (1, late)], false);
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
    fn another_share_counts_from_when_it_begins() {
        let turns = Turns::new(1, &[(2, Duration::ZERO), (1, Duration::ZERO)], false);
        turns.change(1, Duration::from_millis(20), 10);
        let next = |used: [u64; 2]| {
            let mut shares = turns.lock();
            for (share, used) in shares.iter_mut().zip(used) {
                (share.waits, share.runs) = (true, None);
                share.used = Duration::from_millis(used);
            }
            turns.grant(&mut shares);
            shares.iter().position(|share| share.runs.is_some())
        };
        assert_eq!(next([30, 16]), Some(0));
        assert_eq!(next([42, 100]), Some(0));
        assert_eq!(next([60, 100]), Some(1));
    }

    #[test]
    fn who_has_found_something_goes_first_for_a_while() {
        let next = |found: bool, used: u64| {
            let turns = Turns::new(1, &[(1, Duration::ZERO); 2], false);
            if found {
                turns.favour(1);
            }
            let mut shares = turns.lock();
            for (share, used) in shares.iter_mut().zip([100, used]) {
                (share.waits, share.used) = (true, Duration::from_millis(used));
            }
            turns.grant(&mut shares);
            shares.iter().position(|share| share.runs.is_some())
        };
        assert_eq!(next(false, 200), Some(0));
        assert_eq!(next(true, 200), Some(1));
        let much = 100 * TURNS_PROOF.get() + 100;
        assert_eq!(next(true, much), Some(0));
    }

    #[test]
    fn a_proof_keeps_its_place_without_ticking_where_a_search_does_not() {
        let next = |found: bool, used: Duration| {
            let turns = Turns::new(1, &[(1, Duration::ZERO); 2], false);
            if found {
                turns.favour(1);
            }
            let mut shares = turns.lock();
            let long = Duration::from_millis(TURNS_LONGEST.get()) * (TURNS_PATIENCE.short() + 1);
            shares[1].runs = Instant::now().checked_sub(long);
            shares[1].used = used;
            shares[0].waits = true;
            turns.grant(&mut shares);
            shares[0].runs.is_some()
        };
        let long = Duration::from_secs(2);
        assert!(next(false, long));
        assert!(!next(true, long));
        // What took no time to find is given up as soon as any other.
        assert!(next(true, Duration::ZERO));
    }

    #[test]
    fn a_raised_flag_ends_the_waiting() {
        let turns = Arc::new(Turns::new(1, &[(1, Duration::ZERO); 2], false));
        let stopper = Stopper::new();
        let _first = Turn::begin(Arc::clone(&turns), 0, &stopper);
        stopper.stop(Limit::Time);
        let second = Turn::begin(turns, 1, &stopper);
        assert_eq!(second.used(), Duration::ZERO);
    }

    #[test]
    fn who_does_not_tick_loses_its_place() {
        let turns = Arc::new(Turns::new(1, &[(1, Duration::ZERO); 2], false));
        let stopper = Stopper::new();
        let _stuck = Turn::begin(Arc::clone(&turns), 0, &stopper);
        // Would wait for ever if the first place stayed taken.
        let other = Turn::begin(turns, 1, &stopper);
        assert!(other.used() < Duration::from_secs(5));
    }

    #[test]
    fn turns_by_ticks_come_in_one_order_whoever_arrives_first() {
        let order = |delays: [u64; 3]| {
            let turns = Arc::new(Turns::new(1, &[1, 2, 1].map(|w| (w, Duration::ZERO)), true));
            let seen = Mutex::new(Vec::new());
            std::thread::scope(|scope| {
                for (who, delay) in delays.into_iter().enumerate() {
                    let (turns, seen) = (&turns, &seen);
                    scope.spawn(move || {
                        std::thread::sleep(Duration::from_millis(delay));
                        let stopper = Stopper::new();
                        let mut turn = Turn::begin(Arc::clone(turns), who, &stopper);
                        for _ in 0..40 {
                            seen.lock().expect("nobody panics").push(who);
                            turn.look(1_000, &stopper);
                        }
                        drop(turn);
                        turns.leave(who);
                    });
                }
            });
            seen.into_inner().expect("nobody panics")
        };
        let first = order([0, 0, 0]);
        assert_eq!(first.len(), 120);
        assert!(first.windows(2).filter(|pair| pair[0] != pair[1]).count() > 2, "{first:?}");
        for delays in [[20, 0, 10], [0, 20, 5], [10, 5, 0]] {
            assert_eq!(order(delays), first);
        }
    }
}
