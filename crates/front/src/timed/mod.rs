//! Networks of timed automata: TChecker's text (`tchecker`), UPPAAL's XML (`uppaal`), and the Horn clauses that they
//! stand for.
//!
//! A reader makes a `network`, whose guards and new values are terms over its state (`value`); `encode` says
//! what clauses it is. Of a template there may be any number of copies (`family`, `parameterised`). Time is real, clocks start at 0, and a state is reachable if moves and the passing of time lead
//! to it. Nothing about time is left for others to know: a model and a derivation are what they are for any Horn
//! system, and the argument `now` of a derivation's facts has the times of a run.

mod encode;
mod family;
mod network;
mod parameterised;
mod tchecker;
pub mod uppaal;
mod value;

pub use encode::{ENCODINGS, Encoding};
pub use tchecker::{begins, read};

use crate::diag::{Code, Diagnostic};
use crate::views::{MAX_SEEN, Processes};
use alphorn_problem::Span;

/// What is asked about a network, beside its file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading<'w> {
    /// What must not be reached, in place of what the file says: labels, or a query.
    pub target: Option<&'w str>,
    /// The clauses; those of the product if none are named, or for any number of copies if something is said about them.
    pub encoding: Option<Encoding>,
    /// The template of which there are copies.
    pub template: Option<&'w str>,
    /// How many copies there are, or are seen at once.
    pub processes: Option<Processes>,
}

/// The most copies of a template that are counted.
const MAX_COPIES: usize = 32;

/// What a network is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// As it is written.
    Written(Encoding),
    /// With just so many copies of a template.
    Just(usize, Encoding),
    /// With any number of them, seen by so many at once.
    Any(usize),
}

impl Reading<'_> {
    fn kind(&self) -> Result<Kind, Box<Diagnostic>> {
        let wrong = |message: String| {
            Err(Box::new(Diagnostic::error(Code::TimedTemplate, Span::NONE, message)))
        };
        let is_any = self.encoding == Some(Encoding::Parameterised);
        match self.processes {
            None if self.template.is_none() && !is_any => {
                Ok(Kind::Written(self.encoding.unwrap_or_default()))
            }
            Some(Processes::Just(count @ 1..=MAX_COPIES)) => {
                Ok(Kind::Just(count, self.encoding.unwrap_or_default()))
            }
            Some(Processes::Just(_)) => wrong(format!("there are from 1 to {MAX_COPIES} copies")),
            _ if !is_any && self.encoding.is_some() => {
                wrong("these clauses are about a number of copies, which --processes names".into())
            }
            Some(Processes::Any(seen @ 1..=MAX_SEEN)) => Ok(Kind::Any(seen)),
            Some(Processes::Any(_)) => {
                wrong(format!("from 1 to {MAX_SEEN} copies are seen at once"))
            }
            None => Ok(Kind::Any(2)),
        }
    }
}
