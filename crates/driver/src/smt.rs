//! SMT-LIB scripts: run by `alphorn_script`, with the engines for Horn clauses in them.
//!
//! A question about Horn clauses is decided as a file of them would be (`decide`), so that its answer
//! has been through `check`. What scripts say is `alphorn_script`'s; how the program ends after them is
//! said here.

use crate::config::{Config, Limits};
use crate::evidence::AnyEvidence;
use crate::format::{Format, hint_at_kind};
use crate::open::Opened;
use crate::run::{Decision, Limit, Stopper, decide};
use alphorn_check::accept::Checked;
use alphorn_front::Diagnostics;
use alphorn_front::smtlib::general;
use alphorn_problem::Horn;
use alphorn_report::Exit;
use alphorn_script::{Deciders, DecidesHorn, Ending, HornLimits, HornQuestion};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub use alphorn_script::kernel::Own;
pub use alphorn_script::{
    Dialogue, Notice, Request, Said, Script, Summary, file_error, unreadable,
};

/// How often it is looked whether the run is to end.
const PERIOD: Duration = Duration::from_millis(10);

/// The engines for Horn clauses, as scripts ask them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Engines;

/// Our own solver, and the engines for Horn clauses.
pub const DECIDERS: Deciders<'static, Own> = Deciders { solver: &Own::new, horn: &Engines };

/// Runs the script `text`.
pub fn run(text: &Arc<[u8]>, request: &Request, say: impl FnMut(Said)) -> Summary {
    alphorn_script::run_with(text, request, &DECIDERS, say)
}

/// How the program ends after a script.
pub fn exit(summary: &Summary) -> Exit {
    match summary.ending() {
        Ending::Refused => Exit::Refused,
        Ending::Wrong => Exit::Input,
        Ending::Unsupported => Exit::Unsupported,
        Ending::Undecided => Exit::Unknown,
        Ending::Done => Exit::Safe,
    }
}

/// Reads a script as a whole, for those who want to know what it asks and not to have it run.
pub fn read(bytes: &[u8]) -> (Option<Script>, Diagnostics) {
    let (script, mut diagnostics) = general::read(bytes);
    if Format::of_content(bytes) != Some(Format::SmtLib) {
        hint_at_kind(bytes, &mut diagnostics);
    }
    (script, diagnostics)
}

impl DecidesHorn for Engines {
    fn decide(
        &self,
        question: &HornQuestion,
        limits: &HornLimits<'_>,
    ) -> Result<Box<Checked<Horn>>, String> {
        let opened = Opened::of_horn("-", Arc::clone(&question.horn), Arc::clone(&question.text));
        let time = limits.milliseconds.map(Duration::from_millis);
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        let config = Config {
            limits: Limits { deadline, ..Limits::default() },
            seed: u64::from(limits.seed),
            ..Config::default()
        };
        let nothing = || "there is nothing to decide".to_owned();
        let decision = decide_until(&opened, &config, limits.interrupt).ok_or_else(nothing)?;
        match decision.evidence {
            Some(AnyEvidence::Horn(checked)) => Ok(checked),
            _ => Err(decision.answer.detail),
        }
    }
}

/// Runs the engines until they answer or the run is to end.
fn decide_until(opened: &Opened, config: &Config, interrupt: &AtomicBool) -> Option<Decision> {
    let stopper = Stopper::new();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // Without a thread nobody else could interrupt either.
        let _watcher = std::thread::Builder::new().spawn_scoped(scope, || {
            while !is_over.load(Ordering::Relaxed) {
                if interrupt.load(Ordering::Relaxed) {
                    return stopper.stop(Limit::Time);
                }
                std::thread::park_timeout(PERIOD);
            }
        });
        let decisions = decide(opened, config, &stopper, &mut |_| {}, &mut |_| {});
        is_over.store(true, Ordering::Relaxed);
        decisions.ok()?.into_iter().next_back()
    })
}
