//! SMT-LIB scripts, run: each command in order, each answer checked before it is given.
//!
//! A model is evaluated on the assertions as read, and a refutation is replayed by `check`, which
//! knows nothing of the solver. What cannot be checked is `unknown`; what the checker refuses is
//! `unknown` too, and is reported. `Request::check` switches this off.
//!
//! - `dialogue`: commands as they arrive, and replies where they belong
//! - `text`: what is kept of the text
//! - `session`: what is known; `in_force`: assertions and declarations, level by level; `state`: the
//!   last answer
//! - `commands`: what commands do; `settings`: those about options, logics and the program
//! - `options`: which there are
//! - `question`: asking whether the assertions hold, with evidence
//! - `answer`: what was let out by the gate of `check`
//! - `solvers`: who is asked; `kernel`: what is asked of a solver; `plain`: the one for formulas without
//!   quantifiers; `instances`: the one for formulas with them; `defined`: functions defined by recursion
//! - `replies`: what can be asked for after an answer; `interpolants`: what separates the parts of a
//!   contradiction
//! - `horn`: Horn clauses, which engines decide that the caller has (`DecidesHorn`)
//!
//! After Barrett, Fontaine, Tinelli, "The SMT-LIB Standard, Version 2.7" (2025). We differ where
//! solvers agree against the letter: `success` is printed only if asked for, and models are there
//! without `:produce-models`.

mod answer;
mod commands;
mod defined;
mod dialogue;
mod horn;
mod in_force;
mod instances;
mod interpolants;
pub mod kernel;
mod options;
mod plain;
mod question;
mod replies;
mod session;
mod settings;
mod solvers;
mod state;
mod text;

use alphorn_front::smtlib::general;
use alphorn_front::{Code, Diagnostic};
use alphorn_problem::Span;
use kernel::{Kernel, Own, Settings};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

pub use alphorn_front::smtlib::general::Script;
pub use answer::complete;
pub use dialogue::{Dialogue, Notice};
pub use horn::{DecidesHorn, HornLimits, HornQuestion, NoEngines};
pub use in_force::{Asked, questions};

/// What a caller may choose about a run.
#[derive(Clone, Debug)]
pub struct Request {
    /// Whether answers are checked before they are given.
    pub check: bool,
    /// The most conflicts in each question.
    pub conflicts: Option<u64>,
    /// The most milliseconds for each question, if the script does not set it.
    pub question_milliseconds: Option<u64>,
    /// The seed of everything random, if the script does not set it.
    pub seed: u32,
    /// Options, as `set-option` has them, that are in force before the script sets any.
    pub options: Vec<(String, String)>,
    /// Whether a model is told after each `sat`.
    pub dumps_models: bool,
    /// Ends the search soon after it becomes true.
    pub interrupt: Arc<AtomicBool>,
    /// Why `interrupt` became true, for what is said about questions that it ended.
    pub stopped_by: Arc<OnceLock<&'static str>>,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            check: true,
            conflicts: None,
            question_milliseconds: None,
            seed: 0,
            options: Vec::new(),
            dumps_models: false,
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
    /// There is something to say about the text; what is wrong with it is a reply as well.
    Noticed(Box<Notice>),
}

/// What a run came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many commands were wrong or out of place.
    pub errors: usize,
    /// How many parts of the script are right, but not treated.
    pub unsupported: usize,
    /// How many questions were answered `unknown`.
    pub undecided: usize,
    /// How many answers the checker refused.
    pub refused: usize,
}

/// What is worst about a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// An answer was refused by the checker.
    Refused,
    /// A command was wrong or out of place.
    Wrong,
    /// A part of the script is right, but not treated.
    Unsupported,
    /// A question was answered `unknown`.
    Undecided,
    /// Everything went well.
    Done,
}

impl Summary {
    /// What is worst about the run.
    pub fn ending(&self) -> Ending {
        match self {
            Summary { refused: 1.., .. } => Ending::Refused,
            Summary { errors: 1.., .. } => Ending::Wrong,
            Summary { unsupported: 1.., .. } => Ending::Unsupported,
            Summary { undecided: 1.., .. } => Ending::Undecided,
            _ => Ending::Done,
        }
    }
}

/// Whoever answers questions: one solver for formulas, and one for Horn clauses.
pub struct Deciders<'a, K> {
    /// Makes a solver for formulas, since options that scripts set can ask for another one.
    pub solver: &'a dyn Fn(&Settings) -> K,
    /// Decides scripts that are Horn clauses.
    pub horn: &'a dyn DecidesHorn,
}

/// What to say if the text cannot be had.
pub fn unreadable(message: String) -> Diagnostic {
    Diagnostic::error(Code::FileUnreadable, Span::NONE, message)
}

/// What is wrong with a file as a whole, as a reply.
pub fn file_error(diagnostic: &Diagnostic) -> String {
    error_reply(None, &diagnostic.message)
}

/// The reply `(error "line … column …: …")`.
fn error_reply(place: Option<(usize, usize)>, message: &str) -> String {
    format!("(error {})", general::reply::string(&format!("{}{message}", shown_place(place))))
}

fn shown_place(place: Option<(usize, usize)>) -> String {
    place.map_or(String::new(), |(line, column)| format!("line {line} column {column}: "))
}

/// Runs the script `text` with our own solver.
pub fn run(
    text: &Arc<[u8]>,
    request: &Request,
    horn: &dyn DecidesHorn,
    say: impl FnMut(Said),
) -> Summary {
    run_with(text, request, &Deciders { solver: &Own::new, horn }, say)
}

/// Runs the script `text` with these deciders.
pub fn run_with<K: Kernel>(
    text: &Arc<[u8]>,
    request: &Request,
    deciders: &Deciders<'_, K>,
    mut say: impl FnMut(Said),
) -> Summary {
    let mut dialogue = Dialogue::new(request, deciders, &mut say);
    dialogue.hear_all(text);
    dialogue.end()
}
