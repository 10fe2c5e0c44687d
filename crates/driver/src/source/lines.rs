//! Places of a text as lines and columns.

use alphorn_problem::Span;

/// The lines of a text.
#[derive(Clone, Debug)]
pub struct Lines<'t> {
    text: &'t [u8],
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    /// The lines of this text.
    pub fn of(text: &'t [u8]) -> Lines<'t> {
        let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        Lines { text, starts }
    }

    /// How many lines the text has.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The line of an offset, from 1.
    pub fn line(&self, offset: u32) -> usize {
        self.starts.partition_point(|&start| start <= offset as usize)
    }

    /// The line and the column of an offset, both from 1; columns are characters.
    pub fn place(&self, offset: u32) -> (u32, u32) {
        let line = self.line(offset);
        let start = self.starts[line - 1];
        let end = (offset as usize).min(self.text.len());
        let before = String::from_utf8_lossy(&self.text[start..end]);
        (line as u32, 1 + before.chars().count() as u32)
    }

    /// The text of a line, without its end.
    pub fn text(&self, line: usize) -> String {
        let start = self.starts.get(line - 1).copied().unwrap_or(self.text.len());
        let end = self.starts.get(line).map_or(self.text.len(), |next| next - 1);
        let text = String::from_utf8_lossy(&self.text[start..end.max(start)]);
        text.trim_end_matches('\r').to_owned()
    }

    /// The bytes of a span.
    pub fn bytes(&self, span: Span) -> &'t [u8] {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// The text from an offset on.
    pub fn from(&self, offset: u32) -> &'t [u8] {
        self.text.get(offset as usize..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn places_count_lines_and_characters() {
        let text = "a\r\n\u{e9}b\n\nlast".as_bytes();
        let lines = Lines::of(text);
        assert_eq!(lines.count(), 4);
        assert_eq!(lines.place(0), (1, 1));
        assert_eq!(lines.place(5), (2, 2));
        assert_eq!(lines.place(7), (3, 1));
        assert_eq!(lines.place(12), (4, 5));
        let all: Vec<String> = (1..=4).map(|line| lines.text(line)).collect();
        assert_eq!(all, ["a", "\u{e9}b", "", "last"]);
    }
}
