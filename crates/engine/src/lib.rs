//! What an engine is: a procedure that decides one problem within a budget.
//!
//! What an engine finds is a claim or a trace, about the problem it was given. It becomes a verdict
//! on the problem as read once it was carried back, proved and checked, which is not the engine's
//! business. Everything else an engine has to say (bounds reached, states seen, lemmas learned) goes
//! through [`Ctx`] as events. Engines never print and never read the clock; this crate does the latter
//! for them.

pub mod alarm;
pub mod back;
pub mod budget;
pub mod event;
pub mod exchange;
pub mod obligations;
pub mod plan;
pub mod portfolio;
pub mod rng;
mod rounds;
pub mod settings;
pub mod stopper;
pub mod subset;
mod turns;
pub mod view;
pub mod watchdog;

pub use alarm::Alarm;
pub use back::{Back, Lost};
pub use budget::Ctx;
pub use event::{Event, Note, UnwoundInstance};
pub use exchange::Exchange;
pub use plan::{Entry, Plan};
pub use portfolio::{Attempt, Ended, Portfolio};
pub use rng::Rng;
pub use stopper::{Limit, Stopper};
pub use view::{Road, Seen, Steps, View};

use alphorn_problem::{Finding, Problem};

/// Why a run ended without a verdict. Not an error: the caller may go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The budget ran out, or somebody else answered first.
    Budget(Limit),
    /// The problem lies outside the fragment the engine treats.
    Unsupported(String),
    /// The method cannot make progress; the text goes to the user.
    Stuck(String),
    /// A candidate for a model is not proved at a clause; the reason goes to the user.
    Unproved {
        /// The clauses, by their positions.
        clauses: Vec<u64>,
        /// Why it is not.
        reason: String,
    },
}

impl Stop {
    /// Why the run ended, as a phrase for people.
    pub fn describe(&self) -> String {
        match self {
            Stop::Budget(limit) => limit.describe().to_owned(),
            Stop::Unsupported(text) | Stop::Stuck(text) => text.clone(),
            Stop::Unproved { clauses, reason } => {
                let numbers: Vec<String> = clauses.iter().map(u64::to_string).collect();
                let at = numbers.join(", ");
                format!("a candidate for a model is not proved at clause {at}: {reason}")
            }
        }
    }
}

/// One engine, as the registry and the manual see it.
pub struct Card<P: Problem> {
    /// Name on the command line.
    pub name: &'static str,
    /// One sentence for `alphorn engines` and the manual, ending with the paper's key.
    pub about: &'static str,
    /// Whether the engine can find proofs.
    pub proves: bool,
    /// Whether the engine can find counterexamples.
    pub refutes: bool,
    /// Makes a fresh engine with default options.
    pub build: Build<P>,
}

/// Makes an engine.
pub type Build<P> = fn() -> Box<dyn Engine<P>>;

impl<P: Problem> Card<P> {
    /// An engine that finds counterexamples and proofs.
    pub const fn decider(name: &'static str, about: &'static str, build: Build<P>) -> Card<P> {
        Card { name, about, proves: true, refutes: true, build }
    }

    /// An engine that finds proofs.
    pub const fn prover(name: &'static str, about: &'static str, build: Build<P>) -> Card<P> {
        Card { name, about, proves: true, refutes: false, build }
    }

    /// An engine that finds counterexamples.
    pub const fn refuter(name: &'static str, about: &'static str, build: Build<P>) -> Card<P> {
        Card { name, about, proves: false, refutes: true, build }
    }
}

/// A decision procedure for problems of type `P`.
pub trait Engine<P: Problem>: Send {
    /// Decides `problem`, or says why not.
    fn run(&mut self, problem: &P, ctx: &mut Ctx<'_>) -> Result<Finding<P>, Stop>;

    /// Whether it looks for counterexamples of one depth after the other, says which depths have none
    /// (`Ctx::cleared`), and so comes to any bound.
    fn searches_by_depth(&self) -> bool {
        false
    }
}
