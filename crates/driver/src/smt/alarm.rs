//! The time that one question may take.
//!
//! A thread sleeps until the question's time is over and then raises the flag that ends searches.
//! The flag is the run's own, which others raise for good; what the alarm has raised it lowers
//! again when the question is answered.
//!
//! Invariant: the alarm raises the flag only between `ring_in` and `quiet`, under its lock.

use super::Request;
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
#[derive(Debug, Default)]
pub(super) struct Alarm {
    shared: Option<Arc<Shared>>,
}

impl Alarm {
    /// Raises the request's flag after `time`, unless it is quiet by then.
    pub(super) fn ring_in(&mut self, time: Duration, request: &Request) {
        if self.shared.is_none() {
            let shared: Arc<Shared> = Arc::default();
            let (own, flag) = (Arc::clone(&shared), Arc::clone(&request.interrupt));
            // Without a thread there is no limit on the question; that on the run remains.
            if std::thread::Builder::new().spawn(move || own.watch(&flag)).is_err() {
                return;
            }
            self.shared = Some(shared);
        }
        if let Some(shared) = &self.shared {
            shared.lock().until = Instant::now().checked_add(time);
            shared.changed.notify_one();
        }
    }

    /// Switches the alarm off; whether it has rung.
    pub(super) fn quiet(&mut self, request: &Request) -> bool {
        let Some(shared) = &self.shared else { return false };
        let mut clock = shared.lock();
        clock.until = None;
        let has_rung = std::mem::take(&mut clock.has_rung);
        if has_rung {
            request.interrupt.store(false, Ordering::Relaxed);
            if request.stopped_by.get().is_some() {
                request.interrupt.store(true, Ordering::Relaxed);
            }
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
