//! Limits on work that does not look at a clock itself: it is done in a thread of its own, which is
//! left behind when time or memory is over.

use alphorn_engine::budget::{Limit, Stopper};
use alphorn_engine::watchdog::Watchdog;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Does `work` in a thread of its own, and waits for it no longer than the limits allow.
///
/// Checking counts its work, so that it ends by itself; these are for those who want it to end
/// sooner. A thread that does not end in time is left behind.
pub fn within<T: Send + 'static>(
    time: Option<Duration>,
    memory: Option<u64>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Limit> {
    const PERIOD: Duration = Duration::from_millis(5);
    const STACK: usize = 1 << 26;
    let deadline = time.and_then(|time| Instant::now().checked_add(time));
    let stopper = Stopper::new();
    let _watchdog = Watchdog::start(stopper.clone(), deadline, memory);
    let (done, wait) = channel();
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        // Nobody may be waiting any more.
        let _ = done.send(work());
    });
    let Ok(thread) = thread else { return Err(Limit::Memory) };
    loop {
        match wait.recv_timeout(PERIOD) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => match stopper.reason() {
                Some(limit) => return Err(limit),
                None => continue,
            },
            // The work ended without a result: it panicked, and so does whoever asked for it.
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => return Err(Limit::Interrupted),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Work that never ends.
    fn wait() {
        loop {
            std::thread::park();
        }
    }

    #[test]
    fn what_does_not_end_is_left_behind_at_the_limit() {
        assert_eq!(within(Some(Duration::from_millis(1)), None, wait), Err(Limit::Time));
        if cfg!(target_os = "linux") {
            assert_eq!(within(None, Some(1), wait), Err(Limit::Memory));
        }
        assert_eq!(within(None, None, || 7), Ok(7));
    }
}
