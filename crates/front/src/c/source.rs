//! The text of a file without its line splices.
//!
//! A backslash at the end of a line joins it with the next one (C11 5.1.1.2, phase 2; blanks between the
//! two are forgiven, as gcc does). Few files have any; those are copied without them, and a sorted list
//! says how far every place has moved. So nothing else needs to know of splices, and spans are offsets
//! in the file as it is.

use alphorn_problem::Span;
use std::borrow::Cow;

/// A file as it is and without splices.
#[derive(Clone, Debug)]
pub struct Source<'t> {
    original: &'t [u8],
    text: Cow<'t, [u8]>,
    /// At this offset of `text` and after it, so many bytes are missing in all.
    splices: Vec<(u32, u32)>,
}

impl<'t> Source<'t> {
    /// A file of less than 4 GiB.
    pub fn new(original: &'t [u8]) -> Source<'t> {
        let mut splices = vec![];
        let mut text = Cow::Borrowed(original);
        let mut copied = 0;
        let mut at = 0;
        while let Some(found) = original[at..].iter().position(|&byte| byte == b'\\') {
            let start = at + found;
            let Some(end) = splice(original, start) else {
                at = start + 1;
                continue;
            };
            if copied == 0 {
                text = Cow::Owned(Vec::with_capacity(original.len()));
            }
            let text = text.to_mut();
            text.extend_from_slice(&original[copied..start]);
            splices.push((text.len() as u32, (end - text.len()) as u32));
            copied = end;
            at = end;
        }
        if copied > 0 {
            text.to_mut().extend_from_slice(&original[copied..]);
        }
        Source { original, text, splices }
    }

    /// The text without splices.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Where a piece of the text stands in the file.
    pub fn span(&self, start: usize, end: usize) -> Span {
        if self.splices.is_empty() {
            return Span::new(start, end);
        }
        // A token that ends where a splice is ends before the splice.
        let last = if end > start { self.offset(end - 1) + 1 } else { self.offset(end) };
        Span::new(self.offset(start), last)
    }

    fn offset(&self, at: usize) -> usize {
        let index = self.splices.partition_point(|&(from, _)| from as usize <= at);
        if index == 0 { at } else { at + self.splices[index - 1].1 as usize }
    }

    /// How many lines of the file end between two places of it.
    pub fn lines_between(&self, start: usize, end: usize) -> usize {
        let clip = |at: usize| at.min(self.original.len());
        self.original[clip(start)..clip(end)].iter().filter(|&&byte| byte == b'\n').count()
    }
}

/// Where the splice ends that begins with a backslash at `start`, if there is one.
fn splice(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    while matches!(bytes.get(at), Some(b' ' | b'\t' | b'\r')) {
        at += 1;
    }
    (bytes.get(at) == Some(&b'\n')).then_some(at + 1)
}
