//! An alarm: the time that one of many questions may take.
//!
//! A thread sleeps until the question's time is over and then raises the flag that ends searches.
//! The flag is the run's own, which others raise for good; what the alarm has raised it lowers
//! again when the question is answered. So whoever runs questions needs no clock of its own.
//!
//! Invariant: the alarm raises the flag only between `ring_in` and `quiet`, under its lock.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

#[derive(Debug, Default)]
struct Clock {
    until: Option<Instant>,
    has_rung: bool,
    is_over: bool,
}

#[derive(Debug, Default)]
struct Shared {
    clock: Mutex<Clock>,
    changed: Condvar,
}

impl Shared {
    /// A thread that panicked while it held the lock has left no half-made state behind.
    fn lock(&self) -> MutexGuard<'_, Clock> {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn watch(&self, flag: &AtomicBool) {
        let mut clock = self.lock();
        while !clock.is_over {
            let now = Instant::now();
            clock = match clock.until {
                Some(until) if until <= now => {
                    clock.until = None;
                    clock.has_rung = true;
                    flag.store(true, Ordering::Relaxed);
                    clock
                }
                Some(until) => {
                    let waited = self.changed.wait_timeout(clock, until - now);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.changed.wait(clock).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }
}

/// An alarm; its thread is started when it is first set, and ends with it.
#[derive(Debug)]
pub struct Alarm {
    flag: Arc<AtomicBool>,
    shared: Option<Arc<Shared>>,
}

impl Alarm {
    /// An alarm that is not set; `flag` is what it raises.
    pub fn new(flag: Arc<AtomicBool>) -> Alarm {
        Alarm { flag, shared: None }
    }

    /// Raises the flag after so many milliseconds, unless it is quiet by then.
    pub fn ring_in(&mut self, milliseconds: u64) {
        if self.shared.is_none() {
            let shared: Arc<Shared> = Arc::default();
            let (own, flag) = (Arc::clone(&shared), Arc::clone(&self.flag));
            // Without a thread there is no limit on the question; that on the run remains.
            if std::thread::Builder::new().spawn(move || own.watch(&flag)).is_err() {
                return;
            }
            self.shared = Some(shared);
        }
        if let Some(shared) = &self.shared {
            shared.lock().until = Instant::now().checked_add(Duration::from_millis(milliseconds));
            shared.changed.notify_one();
        }
    }

    /// Switches the alarm off, and lowers the flag if it has rung; whether it has. Whoever raises the
    /// flag for good looks after this whether that has happened meanwhile.
    pub fn quiet(&mut self) -> bool {
        let Some(shared) = &self.shared else { return false };
        let mut clock = shared.lock();
        clock.until = None;
        let has_rung = std::mem::take(&mut clock.has_rung);
        if has_rung {
            self.flag.store(false, Ordering::Relaxed);
        }
        has_rung
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        if let Some(shared) = &self.shared {
            shared.lock().is_over = true;
            shared.changed.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_once_its_time_is_over_and_lowers_the_flag_when_quiet() {
        let flag: Arc<AtomicBool> = Arc::default();
        let mut alarm = Alarm::new(Arc::clone(&flag));
        for _ in 0..3 {
            alarm.ring_in(1);
            while !flag.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            assert!(alarm.quiet());
            assert!(!flag.load(Ordering::Relaxed));
            assert!(!alarm.quiet());
        }
    }

    #[test]
    fn leaves_the_flag_alone_where_it_has_not_rung() {
        let flag: Arc<AtomicBool> = Arc::new(AtomicBool::new(true));
        let mut alarm = Alarm::new(Arc::clone(&flag));
        alarm.ring_in(600_000);
        assert!(!alarm.quiet());
        assert!(flag.load(Ordering::Relaxed));
    }
}
