//! The watchdog: a thread that raises the flag when time or memory runs out.
//!
//! Engines stop cooperatively, by ticking. The watchdog only raises the flag; whoever waits for
//! the engines decides how long to wait after that.
//!
//! Memory is judged by where it is going: if it grows as it did since the last look, and would be over
//! the limit before engines can have noticed the flag, the flag is raised now. An allocation that fails
//! ends a Rust program, so that a limit which the system itself keeps (`ulimit -v`) must be seen from
//! afar: it counts with a margin. What cannot be seen coming is one allocation larger than the margin.
//!
//! Where nobody named a limit there is one all the same (`memory_limit`): half of what is free when the
//! run begins, in the machine or in the control group the process is in.
//!
//! Where no thread can be started, as in a browser, the flag watches itself.

use crate::stopper::{Limit, Stopper};
use std::sync::OnceLock;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How often memory is looked at.
const PERIOD: Duration = Duration::from_millis(5);

/// For how many further looks growth must leave room: engines need a moment to notice the flag.
const LOOKS_AHEAD: u64 = 8;

/// The part of the address space that is kept free where the system limits it.
const ADDRESS_MARGIN: u64 = 8;

/// A running watchdog; dropping it ends it.
pub struct Watchdog {
    _alive: Sender<()>,
}

impl Watchdog {
    /// Starts watching: the flag is raised at `deadline`, or when the process holds more than
    /// `memory` bytes, or soon will.
    pub fn start(stopper: Stopper, deadline: Option<Instant>, memory: Option<u64>) -> Watchdog {
        let (alive, ended) = channel::<()>();
        let watched = stopper.clone();
        let thread = std::thread::Builder::new().spawn(move || {
            let mut held = memory.map(|most| Growth::new(most, resident_bytes));
            let space = memory.and(address_limit());
            let mut space =
                space.map(|most| Growth::new(most - most / ADDRESS_MARGIN, mapped_bytes));
            loop {
                let now = Instant::now();
                if deadline.is_some_and(|deadline| now >= deadline) {
                    return watched.stop(Limit::Time);
                }
                if [&mut held, &mut space].into_iter().flatten().any(Growth::is_over) {
                    return watched.stop(Limit::Memory);
                }
                let until_deadline = deadline.map_or(PERIOD, |deadline| deadline - now);
                let pause =
                    if memory.is_some() { until_deadline.min(PERIOD) } else { until_deadline };
                match ended.recv_timeout(pause) {
                    Err(RecvTimeoutError::Timeout) => {}
                    _ => return,
                }
            }
        });
        if thread.is_err() {
            stopper.watch_itself(deadline, memory);
        }
        Watchdog { _alive: alive }
    }
}

/// A quantity that must stay below a limit.
struct Growth {
    most: u64,
    measure: fn() -> Option<u64>,
    last: Option<u64>,
}

impl Growth {
    fn new(most: u64, measure: fn() -> Option<u64>) -> Growth {
        Growth { most, measure, last: None }
    }

    /// Whether it is over the limit, or will be if it goes on as it did since the last look.
    fn is_over(&mut self) -> bool {
        let Some(now) = (self.measure)() else { return false };
        let last = self.last.replace(now).unwrap_or(now);
        will_exceed(last, now, self.most)
    }
}

/// Whether something that was `last` a look ago and is `now` is over `most` within the looks ahead.
/// What is far below is left alone, however fast it grows: one step may be large and the last.
fn will_exceed(last: u64, now: u64, most: u64) -> bool {
    let soon = now.saturating_add(now.saturating_sub(last).saturating_mul(LOOKS_AHEAD));
    now > most || (now > most / 2 && soon > most)
}

/// The memory a run may hold: what was asked for, or half of what was free when this was first called.
pub fn memory_limit(asked: Option<u64>) -> Option<u64> {
    static FREE: OnceLock<Option<u64>> = OnceLock::new();
    asked.or_else(|| Some((*FREE.get_or_init(free_bytes))? / 2))
}

/// The memory that is free in the machine, or in the control group if that is less.
fn free_bytes() -> Option<u64> {
    let machine = available(&read("/proc/meminfo")?)?;
    let in_group = |most: &str, held: &str| {
        let most: u64 = read(most)?.trim().parse().ok()?;
        let held: u64 = read(held)?.trim().parse().ok()?;
        Some(most.saturating_sub(held))
    };
    let group = in_group("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current");
    Some(group.map_or(machine, |group| group.min(machine)))
}

/// What `/proc/meminfo` says is available, in bytes.
fn available(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

/// The most address space the process may map, if the system limits it.
fn address_limit() -> Option<u64> {
    soft_address_limit(&read("/proc/self/limits")?)
}

/// What `/proc/self/limits` says of the address space; none if it is unlimited.
fn soft_address_limit(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The memory the process holds, where the system tells.
#[cfg(not(target_family = "wasm"))]
pub fn resident_bytes() -> Option<u64> {
    pages(1)
}

/// The memory the module has, in pages of 64 KiB; it never gives any back.
#[cfg(target_family = "wasm")]
pub fn resident_bytes() -> Option<u64> {
    u64::try_from(core::arch::wasm32::memory_size(0)).ok()?.checked_mul(1 << 16)
}

/// The address space the process has mapped, where the system tells.
fn mapped_bytes() -> Option<u64> {
    pages(0)
}

/// The most memory the process has held so far, where the system tells.
pub fn peak_bytes() -> Option<u64> {
    let text = read("/proc/self/status")?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

/// A number of `/proc/self/statm`, in bytes. Pages are 4 KiB on every Linux we build for.
fn pages(column: usize) -> Option<u64> {
    let pages: u64 = read("/proc/self/statm")?.split_whitespace().nth(column)?.parse().ok()?;
    Some(pages * 4096)
}

fn read(path: &str) -> Option<String> {
    if cfg!(target_os = "linux") { std::fs::read_to_string(path).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_that_will_pass_the_limit_is_seen_before_it_does() {
        assert!(will_exceed(100, 101, 100));
        assert!(will_exceed(60, 70, 100), "70 and 80 more in the looks ahead");
        assert!(!will_exceed(69, 70, 100), "70 and 8 more");
        assert!(!will_exceed(0, 40, 100), "far below, however fast");
        assert!(!will_exceed(80, 60, 100), "it shrinks");
    }

    #[test]
    fn what_the_system_says_of_memory_is_read_in_bytes() {
        let info = "MemTotal: 100 kB\nMemFree:  1 kB\nMemAvailable:   2048 kB\n";
        assert_eq!(available(info), Some(2048 * 1024));
        assert_eq!(available("MemTotal: 100 kB\n"), None);
        let limits = "Limit    Soft   Hard  Units\nMax address space  6144000000 unlimited bytes\n";
        assert_eq!(soft_address_limit(limits), Some(6_144_000_000));
        assert_eq!(soft_address_limit("Max address space  unlimited unlimited bytes\n"), None);
    }

    #[test]
    fn a_run_without_a_limit_is_kept_below_half_of_what_is_free() {
        assert_eq!(memory_limit(Some(7)), Some(7));
        if let Some(free) = free_bytes() {
            let most = memory_limit(None).expect("where free memory is known there is a limit");
            // Other processes come and go between the two looks.
            assert!(most <= free / 2 + free / 4, "{most} of {free}");
        }
    }

    #[test]
    fn the_flag_is_raised_when_too_much_is_held() {
        let stopper = Stopper::new();
        let _watchdog = Watchdog::start(stopper.clone(), None, Some(1));
        let begun = Instant::now();
        while resident_bytes().is_some()
            && stopper.reason().is_none()
            && begun.elapsed() < Duration::from_secs(10)
        {
            std::thread::sleep(Duration::from_millis(1));
        }
        if resident_bytes().is_some() {
            assert_eq!(stopper.reason(), Some(Limit::Memory));
        }
    }
}
