//! What a caller may choose about a run.

use crate::wire::Wire;
use alphorn_engine::Stopper;
use alphorn_engine::watchdog::Watchdog;
use alphorn_hw::minimize::Effort;
use alphorn_problem::lemma::HornLemma;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time limit when the user gives none.
pub const DEFAULT_TIME: Duration = Duration::from_secs(15 * 60);

/// Whether threads can be started; not in a module of a browser.
const HAS_THREADS: bool = cfg!(not(target_family = "wasm"));

/// What a run may use of time, memory and work.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// When the run must be over.
    pub deadline: Option<Instant>,
    /// The most memory the process may hold, in bytes.
    pub memory: Option<u64>,
    /// The ticks each engine may spend.
    pub ticks: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { deadline: None, memory: None, ticks: u64::MAX }
    }
}

/// What its user chooses about a run, beside the file.
#[derive(Clone, Debug)]
pub struct Config {
    /// When the run must end, with an answer or without.
    pub limits: Limits,
    /// The seed of everything random.
    pub seed: u64,
    /// How many engines run at a time; 0 for as many as there are processors.
    pub threads: usize,
    /// Whether engines run one after the other in the caller's thread, in rounds; no other thread is started
    /// then. It is so where there are no threads.
    pub in_rounds: bool,
    /// The engines to use, by name; those that fit the problem if empty.
    pub engines: Vec<String>,
    /// Transforms to leave out, by name; `all` leaves out every one.
    pub without: Vec<String>,
    /// Transforms to apply that are not applied by themselves, by name.
    pub with: Vec<String>,
    /// The property to decide, by position; all if absent.
    pub property: Option<usize>,
    /// Look only for violations of at most this many steps.
    pub bound: Option<u64>,
    /// How hard to look for a small invariant of a circuit; not at all if absent.
    pub minimize: Option<Effort>,
    /// What users think of the predicates of Horn clauses.
    pub hints: Vec<HornLemma>,
    /// What carries lines of what was learned to and from other runs.
    pub wires: Vec<Arc<dyn Wire>>,
    /// The place of this process among those that work on the problem together: it begins with other engines, and
    /// has other seeds.
    pub role: usize,
    /// Whether a proof about a circuit must have the form of a witness circuit.
    pub witness_circuit: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            limits: Limits::default(),
            seed: 0,
            threads: 0,
            in_rounds: !HAS_THREADS,
            engines: Vec::new(),
            without: Vec::new(),
            with: Vec::new(),
            property: None,
            bound: None,
            minimize: None,
            hints: Vec::new(),
            wires: Vec::new(),
            role: 0,
            witness_circuit: false,
        }
    }
}

impl Config {
    /// Has a flag raised when time or memory is over, by a watchdog or, without threads, by itself.
    pub(crate) fn watch(
        &self,
        stopper: &Stopper,
        deadline: Option<Instant>,
        memory: Option<u64>,
    ) -> Option<Watchdog> {
        if self.in_rounds {
            stopper.watch_itself(deadline, memory);
            return None;
        }
        Some(Watchdog::start(stopper.clone(), deadline, memory))
    }
}
