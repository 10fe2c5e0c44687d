//! Text: plain, in quotes, literal and folded.
//!
//! Where text goes over several lines, a line's end is a blank and an empty line is a line's end, except
//! in literal text, which stays as it is.

use super::read::{Reader, Result, span};
use super::{Node, Value};

impl<'a> Reader<'a> {
    /// Plain text up to the end of the line, a comment, or a colon that ends a key; in brackets up to a
    /// comma or a bracket, too.
    pub(super) fn plain_line(&mut self, in_flow: bool) -> &'a str {
        let start = self.at;
        while let Some(byte) = self.peek() {
            let ends = match byte {
                b'\n' | b'\r' => true,
                b':' => {
                    let closes = |byte: &u8| in_flow && matches!(byte, b',' | b']' | b'}');
                    self.is_blank_at(self.at + 1) || self.bytes.get(self.at + 1).is_some_and(closes)
                }
                b'#' => self.at > start && self.is_blank_at(self.at - 1),
                b',' | b']' | b'}' | b'[' | b'{' => in_flow,
                _ => false,
            };
            if ends {
                break;
            }
            self.at += 1;
        }
        let text = self.text[start..self.at].trim_end();
        self.at = start + text.len();
        text
    }

    /// Plain text that goes on in lines indented to column `least` or further.
    pub(super) fn plain(&mut self, least: usize) -> Result<Node> {
        let start = self.at;
        if let Some(b'&' | b'*' | b'!' | b'%' | b'@' | b'`') = self.peek() {
            let hint = "put it in quotes if it is text";
            let message = "anchors, aliases, tags and directives are not treated";
            return self.error(start, start + 1, message, hint);
        }
        let mut text = self.plain_line(false).to_owned();
        if text.is_empty() {
            return self.error(start, start + 1, "a value is expected", "");
        }
        loop {
            let end = self.at;
            if self.bytes.get(self.at) == Some(&b':') {
                let hint = "put a value with a colon in it in quotes";
                return self.error(self.at, self.at + 1, "a colon stands inside a value", hint);
            }
            self.skip_spaces();
            if self.peek() == Some(b'#') {
                self.at = end;
                break;
            }
            let mut lines = 0;
            while let Some(b'\n' | b'\r' | b' ') = self.peek() {
                lines += usize::from(self.peek() == Some(b'\n'));
                self.at += 1;
            }
            let goes_on = lines > 0
                && self.peek().is_some_and(|byte| byte != b'#' && byte != b'\t')
                && self.column() >= least.max(1);
            if !goes_on {
                self.at = end;
                break;
            }
            if lines == 1 {
                text.push(' ');
            }
            (1..lines).for_each(|_| text.push('\n'));
            text.push_str(self.plain_line(false));
        }
        let is_null = text == "~" || text == "null";
        let value = if is_null { Value::Null } else { Value::Scalar(text) };
        Ok(Node { value, span: span(start, self.at) })
    }

    /// Text in single or double quotes.
    pub(super) fn quoted(&mut self) -> Result<String> {
        let start = self.at;
        let quote = self.bytes[start];
        self.at += 1;
        let mut text = String::new();
        loop {
            let Some(c) = self.text[self.at..].chars().next() else {
                return self.error(start, start + 1, "this quote is not closed", "");
            };
            match c {
                '\'' if quote == b'\'' => {
                    self.at += 1;
                    if self.peek() != Some(b'\'') {
                        return Ok(text);
                    }
                    self.at += 1;
                    text.push('\'');
                }
                '"' if quote == b'"' => {
                    self.at += 1;
                    return Ok(text);
                }
                '\\' if quote == b'"' => self.escape(&mut text)?,
                '\n' => self.fold(&mut text),
                _ => {
                    self.at += c.len_utf8();
                    text.push(c);
                }
            }
        }
    }

    /// The end of a line in quotes, and the blanks around it.
    fn fold(&mut self, text: &mut String) {
        text.truncate(text.trim_end_matches([' ', '\t', '\r']).len());
        let mut lines = 0;
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            lines += usize::from(self.peek() == Some(b'\n'));
            self.at += 1;
        }
        match lines {
            1 => text.push(' '),
            _ => (1..lines).for_each(|_| text.push('\n')),
        }
    }

    fn escape(&mut self, text: &mut String) -> Result<()> {
        let start = self.at;
        self.at += 1;
        let Some(c) = self.text[self.at..].chars().next() else {
            return self.error(start, start + 1, "an escape is not finished", "");
        };
        self.at += c.len_utf8();
        let digits = match c {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        if digits > 0 {
            let code = self.text.get(self.at..self.at + digits);
            let code = code.and_then(|code| u32::from_str_radix(code, 16).ok());
            let Some(c) = code.and_then(char::from_u32) else {
                return self.error(start, self.at, "an escape names no character", "");
            };
            self.at += digits;
            text.push(c);
            return Ok(());
        }
        text.push(match c {
            '0' => '\0',
            'a' => '\x07',
            'b' => '\x08',
            't' => '\t',
            'n' => '\n',
            'v' => '\x0b',
            'f' => '\x0c',
            'r' => '\r',
            'e' => '\x1b',
            'N' => '\u{85}',
            '_' => '\u{a0}',
            'L' => '\u{2028}',
            'P' => '\u{2029}',
            ' ' | '"' | '/' | '\\' | '\t' => c,
            '\n' => {
                while let Some(b' ' | b'\t') = self.peek() {
                    self.at += 1;
                }
                return Ok(());
            }
            _ => {
                let hint = "write \\\\ for a backslash, or use single quotes";
                return self.error(start, self.at, "this escape is unknown", hint);
            }
        });
        Ok(())
    }

    /// Literal (`|`) or folded (`>`) text, indented to column `least` or further.
    pub(super) fn block_text(&mut self, least: usize) -> Result<Node> {
        let start = self.at;
        let is_folded = self.bytes[start] == b'>';
        self.at += 1;
        let (mut keep, mut strip, mut indent) = (false, false, None);
        while let Some(byte) = self.peek() {
            match byte {
                b'+' => keep = true,
                b'-' => strip = true,
                b'1'..=b'9' => indent = Some(least.saturating_sub(1) + usize::from(byte - b'0')),
                _ => break,
            }
            self.at += 1;
        }
        self.end_of_line()?;
        while self.peek().is_some_and(|byte| byte != b'\n') {
            self.at += 1;
        }
        let lines = self.text_lines(least, &mut indent);
        let indent = indent.unwrap_or(least);
        let (mut text, mut empty) = (String::new(), 0);
        // Whether the line before is neither empty nor further indented.
        let mut was_plain = None;
        for line in lines {
            let content = line.get(indent..).unwrap_or("");
            if content.is_empty() {
                empty += 1;
                continue;
            }
            let is_deep = content.starts_with([' ', '\t']);
            let folds = is_folded && was_plain == Some(true) && !is_deep;
            match (was_plain, folds) {
                (Some(_), true) if empty == 0 => text.push(' '),
                (None, _) | (_, true) => (0..empty).for_each(|_| text.push('\n')),
                (Some(_), false) => (0..=empty).for_each(|_| text.push('\n')),
            }
            text.push_str(content);
            was_plain = Some(!is_deep);
            empty = 0;
        }
        match (keep, strip) {
            (true, _) => (0..=empty).for_each(|_| text.push('\n')),
            (_, true) => {}
            _ if text.is_empty() => {}
            _ => text.push('\n'),
        }
        Ok(Node { value: Value::Scalar(text), span: span(start, self.at) })
    }

    /// The lines of a block of text, with the blanks before them; `indent` becomes that of the first.
    fn text_lines(&mut self, least: usize, indent: &mut Option<usize>) -> Vec<&'a str> {
        let mut lines: Vec<&str> = Vec::new();
        let mut end = self.at;
        while self.peek() == Some(b'\n') {
            let rest = &self.text[self.at + 1..];
            let line = rest.split('\n').next().unwrap_or("").trim_end_matches('\r');
            let blanks = line.len() - line.trim_start_matches(' ').len();
            let is_empty = blanks == line.len();
            if is_empty && rest.is_empty() {
                break;
            }
            if !is_empty {
                if blanks < indent.unwrap_or(least.max(1)) {
                    break;
                }
                indent.get_or_insert(blanks);
            }
            self.at += 1 + rest.split('\n').next().unwrap_or("").len();
            lines.push(line);
            if !is_empty {
                end = self.at;
            }
        }
        // Empty lines at the end belong to nobody.
        self.at = self.at.max(end);
        lines
    }
}
