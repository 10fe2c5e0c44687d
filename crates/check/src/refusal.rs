//! Why evidence is not accepted.
//!
//! A refusal names the part of the evidence that failed and says what was expected there, so that
//! an engine's author finds the fault and a user sees that nothing was believed.

use std::fmt;

/// Evidence that does not check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The part that failed, in the evidence's own terms: `step 12`, `clause 3 of the file`.
    pub place: String,
    /// One sentence: what was expected and what was found.
    pub reason: String,
    /// Whether the evidence is wrong, or beside the question.
    pub kind: RefusalKind,
}

/// What is wrong with evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// It does not show what it says.
    Wrong,
    /// It is about another property than the one that was asked about.
    OtherProperty,
    /// It is a run of more steps than were asked about.
    BeyondBound,
    /// It may be right, and would take too long to judge.
    TooLarge,
}

impl Refusal {
    /// A refusal of `place` for `reason`.
    pub fn new(place: impl Into<String>, reason: impl Into<String>) -> Refusal {
        Refusal { place: place.into(), reason: reason.into(), kind: RefusalKind::Wrong }
    }

    /// A refusal of `place` that is too large to be judged.
    pub fn too_large(place: impl Into<String>, reason: impl Into<String>) -> Refusal {
        Refusal { kind: RefusalKind::TooLarge, ..Refusal::new(place, reason) }
    }

    /// A refusal of evidence about something else.
    pub fn beside(kind: RefusalKind, reason: impl Into<String>) -> Refusal {
        Refusal { kind, ..Refusal::new("question", reason) }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.reason)
    }
}

impl std::error::Error for Refusal {}
