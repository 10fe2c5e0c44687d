//! Where in the input a thing was written.
//!
//! A span is a pair of byte offsets into one file. Problems keep spans so that reports can speak
//! of the user's text; nothing in the core looks at what they point to.

/// A half-open range of byte offsets in the input file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset one past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of a thing that stands in no file.
    pub const NONE: Span = Span { start: 0, end: 0 };

    /// The span from `start` to `end`; offsets past 4 GiB saturate.
    pub fn new(start: usize, end: usize) -> Span {
        let clip = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Span { start: clip(start), end: clip(end) }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}
