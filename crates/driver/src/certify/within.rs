//! Limits on work that does not look at a clock itself: it is done in a thread of its own, which is
//! left behind when time or memory is over.

use alphorn_engine::portfolio::panic_text;
use alphorn_engine::watchdog::Watchdog;
use alphorn_engine::{Limit, Stopper};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Why work has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// It was not done when a limit was met.
    Limit(Limit),
    /// It panicked: a fault of ours.
    Failed(String),
}

/// Does `work` in a thread of its own, and waits for it no longer than the limits and the user allow.
///
/// Checking counts its work, so that it ends by itself; these are for those who want it to end
/// sooner. A thread that does not end in time is left behind.
pub fn within<T: Send + 'static>(
    time: Option<Duration>,
    memory: Option<u64>,
    is_interrupted: impl Fn() -> bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Unfinished> {
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
    let Ok(thread) = thread else { return Err(Unfinished::Limit(Limit::Memory)) };
    loop {
        match wait.recv_timeout(PERIOD) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) if is_interrupted() => {
                return Err(Unfinished::Limit(Limit::Interrupted));
            }
            Err(RecvTimeoutError::Timeout) => match stopper.reason() {
                Some(limit) => return Err(Unfinished::Limit(limit)),
                None => continue,
            },
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Unfinished::Failed(match thread.join() {
                    Err(panic) => panic_text(&*panic),
                    Ok(()) => "the work ended without a word".to_owned(),
                }));
            }
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
        let ended = |limit| Err(Unfinished::Limit(limit));
        let short = Some(Duration::from_millis(1));
        assert_eq!(within(short, None, || false, wait), ended(Limit::Time));
        assert_eq!(within(None, None, || true, wait), ended(Limit::Interrupted));
        if cfg!(target_os = "linux") {
            assert_eq!(within(None, Some(1), || false, wait), ended(Limit::Memory));
        }
        assert_eq!(within(None, None, || false, || 7), Ok(7));
    }

    #[test]
    fn a_panic_is_a_failure_and_no_result() {
        let failed: Result<(), Unfinished> = within(None, None, || false, || panic!("as told"));
        assert_eq!(failed, Err(Unfinished::Failed("as told".to_owned())));
    }
}
