//! What becomes of a piece of hostile evidence.

/// What became of a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is no evidence, for this reason.
    Unreadable(String),
    /// It was refused, the reason is the first one.
    Refused(String),
    /// It was accepted, which is a fault.
    Accepted,
}
