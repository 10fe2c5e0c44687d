//! Where the lines of a preprocessed file came from.
//!
//! `cc -E` writes markers, `# 12 "file.c" 1`, that say which line of which file comes next. Spans are places in
//! the text as it is read; this is the way back to what people wrote. Columns are those of the text: they
//! are the same wherever a line has no macro in it.
//!
//! Source: the GNU CPP manual, "Preprocessor Output".

use alphorn_problem::Span;

/// The markers of a text.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    marks: Vec<Mark>,
}

/// From an offset on, lines are those of a file.
#[derive(Clone, Debug)]
struct Mark {
    start: usize,
    line: usize,
    file: String,
}

impl Origins {
    /// Finds the markers of a text; there are none in a file that was not preprocessed.
    pub fn new(source: &[u8]) -> Origins {
        let mut marks: Vec<Mark> = vec![];
        let mut start = 0;
        for text in source.split_inclusive(|&byte| byte == b'\n') {
            start += text.len();
            if text[0] == b'#'
                && let Some((line, name)) = marker(text)
            {
                let file = name.or_else(|| marks.last().map(|mark| mark.file.clone()));
                marks.push(Mark { start, line, file: file.unwrap_or_default() });
            }
        }
        Origins { marks }
    }

    /// The file and the line that a place of the text came from, if a marker says so.
    pub fn place(&self, source: &[u8], span: Span) -> Option<(&str, usize)> {
        let offset = (span.start as usize).min(source.len());
        let index = self.marks.partition_point(|mark| mark.start <= offset);
        let mark = &self.marks[index.checked_sub(1)?];
        let lines = source[mark.start..offset].iter().filter(|&&byte| byte == b'\n').count();
        Some((&mark.file, mark.line + lines))
    }
}

/// The number and the name of a marker, which begins with `#`.
fn marker(text: &[u8]) -> Option<(usize, Option<String>)> {
    let text = str::from_utf8(text).ok()?[1..].trim();
    let text = text.strip_prefix("line").unwrap_or(text).trim_start();
    let (number, rest) =
        text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let line = number.parse().ok()?;
    let rest = rest.trim_start();
    let name = rest.strip_prefix('"').map(|name| {
        let mut out = String::new();
        let mut letters = name.chars();
        while let Some(letter) = letters.next().filter(|&letter| letter != '"') {
            out.push(if letter == '\\' { letters.next().unwrap_or('\\') } else { letter });
        }
        out
    });
    (name.is_some() || rest.is_empty()).then_some((line, name))
}
