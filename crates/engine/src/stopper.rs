//! The flag that ends runs, and why it was raised.
//!
//! Others raise it, mostly the watchdog. Where no thread can watch, the flag looks at the clock itself
//! whenever somebody looks at the flag (`Stopper::watch_itself`): who ticks sees it, as with any other.

use crate::watchdog::resident_bytes;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// What made a run end before it had an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The tick budget.
    Ticks,
    /// The time.
    Time,
    /// The memory.
    Memory,
    /// Nothing: another engine answered first.
    Answered,
    /// Nothing: the user interrupted.
    Interrupted,
    /// Nothing: the depth was searched that the user asked for.
    Bound,
}

impl Limit {
    /// The limit in words: "out of …".
    pub fn describe(self) -> &'static str {
        match self {
            Limit::Ticks => "out of ticks",
            Limit::Time => "out of time",
            Limit::Memory => "out of memory",
            Limit::Answered => "another engine answered first",
            Limit::Interrupted => "interrupted",
            Limit::Bound => "came to the bound",
        }
    }
}

/// A flag that asks running engines to stop, and says why. The first reason stays.
#[derive(Clone, Debug, Default)]
pub struct Stopper(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag {
    code: AtomicU8,
    clock: OnceLock<Clock>,
}

/// What raises a flag that nobody else watches.
#[derive(Debug)]
struct Clock {
    ends: Option<Instant>,
    memory: Option<u64>,
    /// Flags of larger jobs, which end this one, too.
    above: Vec<Stopper>,
    looks: AtomicU32,
}

/// The flag is not raised.
const DOWN: u8 = 0;
/// The flag is not raised, and whoever looks at it looks at the clock, too.
const UNWATCHED: u8 = u8::MAX;
/// At how many looks at the flag the clock is read once: that takes longer than the smallest steps.
const LOOKS: u32 = 8;
/// At how many looks at the clock memory is looked at once: a system tells it by a file.
const LOOKS_AT_MEMORY: u32 = 256;

impl Stopper {
    /// A flag that is not raised.
    pub fn new() -> Stopper {
        Stopper::default()
    }

    /// A flag for a part of larger jobs, which is raised with theirs, or when the time is over. It needs no
    /// thread.
    pub fn within(above: &[&Stopper], ends: Option<Instant>) -> Stopper {
        let stopper = Stopper::new();
        let above = above.iter().map(|&above| above.clone()).collect();
        stopper.keep(Clock { ends, memory: None, above, looks: AtomicU32::new(0) });
        stopper
    }

    /// Has whoever looks at the flag look at the clock and the memory, too, where no thread does.
    pub fn watch_itself(&self, ends: Option<Instant>, memory: Option<u64>) {
        self.keep(Clock { ends, memory, above: Vec::new(), looks: AtomicU32::new(0) });
    }

    fn keep(&self, clock: Clock) {
        // A flag has one clock: the first.
        if self.0.clock.set(clock).is_ok() {
            let code = &self.0.code;
            let _ = code.compare_exchange(DOWN, UNWATCHED, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// Raises the flag for a reason, unless it is up for another one.
    pub fn stop(&self, limit: Limit) {
        let code = match limit {
            Limit::Ticks => 1,
            Limit::Time => 2,
            Limit::Memory => 3,
            Limit::Answered => 4,
            Limit::Interrupted => 5,
            Limit::Bound => 6,
        };
        // Losing the race means somebody else's reason stays: either is true.
        for down in [DOWN, UNWATCHED] {
            let _ = self.0.code.compare_exchange(down, code, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// Why the flag is raised, if it is.
    #[inline]
    pub fn reason(&self) -> Option<Limit> {
        match self.0.code.load(Ordering::Relaxed) {
            DOWN => None,
            1 => Some(Limit::Ticks),
            2 => Some(Limit::Time),
            3 => Some(Limit::Memory),
            4 => Some(Limit::Answered),
            5 => Some(Limit::Interrupted),
            UNWATCHED => self.look(),
            _ => Some(Limit::Bound),
        }
    }

    /// Looks at the clock, now and then.
    #[cold]
    fn look(&self) -> Option<Limit> {
        let clock = self.0.clock.get()?;
        let looks = clock.looks.fetch_add(1, Ordering::Relaxed);
        if !looks.is_multiple_of(LOOKS) {
            return None;
        }
        let limit = clock.reached(looks.is_multiple_of(LOOKS * LOOKS_AT_MEMORY))?;
        self.stop(limit);
        Some(limit)
    }
}

impl Clock {
    /// The limit that was met, if one was.
    fn reached(&self, looks_at_memory: bool) -> Option<Limit> {
        if let Some(limit) = self.above.iter().find_map(Stopper::reason) {
            return Some(limit);
        }
        if self.ends.is_some_and(|ends| Instant::now() >= ends) {
            return Some(Limit::Time);
        }
        let memory = self.memory.filter(|_| looks_at_memory);
        let held = memory.and_then(|most| Some((most, resident_bytes()?)));
        held.filter(|(most, held)| held > most).map(|_| Limit::Memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// The reason after somebody has looked often enough.
    fn seen(stopper: &Stopper) -> Option<Limit> {
        (0..=LOOKS).find_map(|_| stopper.reason())
    }

    #[test]
    fn a_flag_without_a_watchdog_is_raised_by_who_looks_at_it() {
        let (now, later) = (Instant::now(), Instant::now() + Duration::from_secs(600));
        let over = Stopper::new();
        over.watch_itself(Some(now), None);
        assert_eq!(seen(&over), Some(Limit::Time));
        let open = Stopper::new();
        open.watch_itself(Some(later), None);
        assert_eq!(seen(&open), None);
        open.stop(Limit::Interrupted);
        assert_eq!(open.reason(), Some(Limit::Interrupted));
        let full = Stopper::new();
        full.watch_itself(Some(later), Some(1));
        assert_eq!(seen(&full), resident_bytes().map(|_| Limit::Memory));
    }

    #[test]
    fn a_flag_for_a_part_is_raised_with_those_above_and_does_not_raise_them() {
        let (job, other) = (Stopper::new(), Stopper::new());
        let part = Stopper::within(&[&other, &job], None);
        assert_eq!(seen(&part), None);
        job.stop(Limit::Memory);
        assert_eq!(seen(&part), Some(Limit::Memory));
        let slice = Stopper::within(&[&other], Some(Instant::now()));
        assert_eq!(seen(&slice), Some(Limit::Time));
        assert_eq!(other.reason(), None);
    }
}
