//! Places of a text as editors count: lines from 0, and units of UTF-16 (or bytes) in them.

use alphorn_driver::problem::Span;
use serde_json::{Value, json};

/// A text with its lines.
pub struct Places<'t> {
    text: &'t [u8],
    starts: Vec<usize>,
    /// Whether columns are bytes.
    in_bytes: bool,
}

impl<'t> Places<'t> {
    /// The lines of a text.
    pub fn of(text: &'t [u8], in_bytes: bool) -> Places<'t> {
        let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        Places { text, starts, in_bytes }
    }

    fn units(&self, bytes: &[u8]) -> usize {
        match self.in_bytes {
            true => bytes.len(),
            false => String::from_utf8_lossy(bytes).encode_utf16().count(),
        }
    }

    /// The line of an offset, from 0.
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    /// Where a line ends, its mark not counted.
    pub fn line_end(&self, line: usize) -> usize {
        let end = self.starts.get(line + 1).map_or(self.text.len(), |next| next - 1);
        let start = self.starts.get(line).copied().unwrap_or(end);
        match self.text[start.min(end)..end] {
            [.., b'\r'] => end - 1,
            _ => end,
        }
    }

    /// An offset as a position.
    pub fn position(&self, offset: usize) -> Value {
        let offset = offset.min(self.text.len());
        let line = self.line(offset);
        let character = self.units(&self.text[self.starts[line]..offset]);
        json!({ "line": line, "character": character })
    }

    /// A span as a range; one that is nowhere is the first line.
    pub fn range(&self, span: Span) -> Value {
        let (start, end) = match span == Span::NONE {
            true => (0, self.line_end(0)),
            false => (span.start as usize, span.end as usize),
        };
        json!({ "start": self.position(start), "end": self.position(end.max(start)) })
    }

    /// The offset of a position; columns past the end of a line are its end.
    pub fn offset(&self, position: &Value) -> Option<usize> {
        let line = usize::try_from(position.get("line")?.as_u64()?).ok()?;
        let wanted = usize::try_from(position.get("character")?.as_u64()?).ok()?;
        let start = *self.starts.get(line)?;
        let text = &self.text[start..self.line_end(line)];
        if self.in_bytes {
            return Some(start + wanted.min(text.len()));
        }
        let (mut units, mut bytes) = (0, 0);
        for character in String::from_utf8_lossy(text).chars() {
            if units >= wanted {
                break;
            }
            units += character.len_utf16();
            bytes += character.len_utf8();
        }
        Some(start + bytes.min(text.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::Places;
    use serde_json::json;

    #[test]
    fn columns_are_units_of_utf_16_or_bytes() {
        let text = "a\u{1f600}b\r\n\u{e9}x".as_bytes();
        let wide = Places::of(text, false);
        assert_eq!(wide.position(5), json!({ "line": 0, "character": 3 }));
        assert_eq!(wide.offset(&json!({ "line": 0, "character": 3 })), Some(5));
        assert_eq!(wide.offset(&json!({ "line": 1, "character": 1 })), Some(10));
        let bytes = Places::of(text, true);
        assert_eq!(bytes.position(5), json!({ "line": 0, "character": 5 }));
        assert_eq!(bytes.offset(&json!({ "line": 0, "character": 99 })), Some(6));
        assert_eq!(bytes.offset(&json!({ "line": 7, "character": 0 })), None);
    }
}
