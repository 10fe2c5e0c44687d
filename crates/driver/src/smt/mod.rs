//! Running SMT-LIB scripts: each command in order, each answer checked before it is given.
//!
//! A model is evaluated on the assertions as read, and a refutation is replayed by `check`, which
//! knows nothing of the solver. What cannot be checked is `unknown`; what the checker refuses is
//! `unknown` too, and is reported. `Request::check` switches this off.
//!
//! - `kernel`: what is asked of a solver
//! - `session`: the commands, and what is in force
//! - `question`: asking whether the assertions hold, with evidence
//! - `answer`: what was let out by the gate of `check`
//! - `replies`: what can be asked for after an answer
//! - `interpolants`: what separates the parts of a contradiction
//! - `settings`: options, logics, and information about the program
//!
//! After Barrett, Fontaine, Tinelli, "The SMT-LIB Standard, Version 2.7" (2025). We differ where
//! solvers agree against the letter: `success` is printed only if asked for, and models are there
//! without `:produce-models`.

mod answer;
mod interpolants;
pub mod kernel;
mod question;
mod replies;
mod session;
mod settings;

use crate::format::{Format, hint_at_kind};
use alphorn_front::smtlib::general;
use alphorn_front::{Diagnostic, Diagnostics, Severity};
use alphorn_report::Exit;
use alphorn_report::diagnostic::Located;
use kernel::{Kernel, Own, Settings};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

pub use alphorn_front::smtlib::general::Script;

pub(crate) use question::complete;

/// What a caller may choose about a run.
#[derive(Clone, Debug)]
pub struct Request {
    /// Whether answers are checked before they are given.
    pub check: bool,
    /// The most conflicts in each question.
    pub conflicts: Option<u64>,
    /// The seed of everything random, if the script does not set it.
    pub seed: u32,
    /// Ends the search soon after it becomes true.
    pub interrupt: Arc<AtomicBool>,
    /// Why it became true.
    pub stopped_by: Arc<OnceLock<&'static str>>,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            check: true,
            conflicts: None,
            seed: 0,
            interrupt: Arc::default(),
            stopped_by: Arc::default(),
        }
    }
}

/// What a run says on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// A reply, without the end of its line.
    Reply(String),
    /// The search for an answer begins.
    Asked,
    /// An answer was refused by the checker.
    Refused(String),
}

/// What a run came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many commands were out of place.
    pub errors: usize,
    /// How many questions were answered `unknown`.
    pub undecided: usize,
    /// How many answers the checker refused.
    pub refused: usize,
}

impl Summary {
    /// How the program ends.
    pub fn exit(&self) -> Exit {
        match self {
            Summary { refused: 1.., .. } => Exit::Refused,
            Summary { errors: 1.., .. } => Exit::Input,
            Summary { undecided: 1.., .. } => Exit::Unknown,
            _ => Exit::Safe,
        }
    }
}

/// What is wrong with a script, as replies to it.
pub fn error_replies(bytes: &[u8], diagnostics: &[Diagnostic]) -> Vec<String> {
    let serious = diagnostics.iter().filter(|diagnostic| diagnostic.severity != Severity::Warning);
    serious.map(|diagnostic| error_reply(bytes, diagnostic)).collect()
}

/// A diagnostic as the reply `(error "line:column: …")`.
fn error_reply(bytes: &[u8], diagnostic: &Diagnostic) -> String {
    let place = Located::new(diagnostic, "", bytes).place;
    let place = place.map_or(String::new(), |(line, column)| format!("{line}:{column}: "));
    format!("(error {})", general::reply::string(&format!("{place}{}", diagnostic.message)))
}

/// Reads a script from the bytes of a file.
pub fn read(bytes: &[u8]) -> (Option<Script>, Diagnostics) {
    let (script, mut diagnostics) = general::read(bytes);
    if Format::of_content(bytes) != Some(Format::SmtLib) {
        hint_at_kind(bytes, &mut diagnostics);
    }
    (script, diagnostics)
}

/// Runs a script read from `bytes`.
pub fn run(script: Script, bytes: &[u8], request: &Request, say: impl FnMut(Said)) -> Summary {
    run_with(script, bytes, request, Own::new, say)
}

/// Runs a script read from `bytes` with solvers that `make` makes.
pub fn run_with<K: Kernel>(
    script: Script,
    bytes: &[u8],
    request: &Request,
    make: impl Fn(&Settings) -> K,
    mut say: impl FnMut(Said),
) -> Summary {
    session::Session::new(script.store, bytes, request, &make, &mut say).run(&script.commands)
}
