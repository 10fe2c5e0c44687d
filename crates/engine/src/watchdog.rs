//! The watchdog: a thread that raises the flag when time or memory runs out.
//!
//! Engines stop cooperatively, by ticking. The watchdog only raises the flag; whoever waits for
//! the engines decides how long to wait after that.

use crate::budget::{Limit, Stopper};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How often memory is looked at.
const PERIOD: Duration = Duration::from_millis(20);

/// A running watchdog; dropping it ends it.
pub struct Watchdog {
    _alive: Sender<()>,
}

impl Watchdog {
    /// Starts watching: the flag is raised at `deadline`, or when the process holds more than
    /// `memory` bytes.
    pub fn start(stopper: Stopper, deadline: Option<Instant>, memory: Option<u64>) -> Watchdog {
        let (alive, ended) = channel::<()>();
        std::thread::spawn(move || {
            loop {
                let now = Instant::now();
                if deadline.is_some_and(|deadline| now >= deadline) {
                    return stopper.stop(Limit::Time);
                }
                if memory.is_some_and(|most| resident_bytes().is_some_and(|held| held > most)) {
                    return stopper.stop(Limit::Memory);
                }
                let until_deadline = deadline.map_or(PERIOD, |deadline| deadline - now);
                let pause =
                    if memory.is_some() { until_deadline.min(PERIOD) } else { until_deadline };
                let pause = if deadline.is_none() { PERIOD } else { pause };
                match ended.recv_timeout(pause) {
                    Err(RecvTimeoutError::Timeout) => {}
                    _ => return,
                }
            }
        });
        Watchdog { _alive: alive }
    }
}

/// The memory the process holds, where the system tells.
pub fn resident_bytes() -> Option<u64> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    // Pages are 4 KiB on every Linux we build for; the second number counts resident ones.
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}
