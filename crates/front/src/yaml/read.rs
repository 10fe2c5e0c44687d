//! Documents: maps and lists told by how far lines are indented.
//!
//! The column of a map or a list is that of its first key or dash; it goes on as long as lines begin
//! there. So a map that begins behind a dash needs no rule of its own.

use super::{Key, Node, Value};
use crate::diag::{Code, Diagnostic, Diagnostics, Read};
use alphorn_problem::Span;

/// How deep maps and lists may be nested.
const MAX_DEPTH: usize = 64;

/// Reads a document. One error ends it: what comes after a line that is not understood may belong
/// anywhere.
pub fn read(bytes: &[u8]) -> Read<Node> {
    let mut diagnostics = Diagnostics::default();
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to();
            let message = "the text is not in UTF-8";
            diagnostics.push(Diagnostic::error(Code::FileEncoding, span(at, at + 1), message));
            return (None, diagnostics);
        }
    };
    let mut reader = Reader { text, bytes, at: 0, depth: 0 };
    match reader.document() {
        Ok(node) => (Some(node), diagnostics),
        Err(diagnostic) => {
            diagnostics.push(*diagnostic);
            (None, diagnostics)
        }
    }
}

pub(super) type Result<T> = std::result::Result<T, Box<Diagnostic>>;

pub(super) fn span(start: usize, end: usize) -> Span {
    let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX - 1);
    Span { start: place(start), end: place(end) }
}

pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    pub(super) depth: usize,
}

impl Reader<'_> {
    pub(super) fn error<T>(
        &self,
        start: usize,
        end: usize,
        message: &str,
        hint: &str,
    ) -> Result<T> {
        let diagnostic = Diagnostic::error(Code::Yaml, span(start, end), message);
        Err(Box::new(if hint.is_empty() { diagnostic } else { diagnostic.hint(hint) }))
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Whether a blank, the end of the line or of the file is at a place.
    pub(super) fn is_blank_at(&self, at: usize) -> bool {
        self.bytes.get(at).is_none_or(u8::is_ascii_whitespace)
    }

    pub(super) fn column(&self) -> usize {
        let before = &self.bytes[..self.at];
        self.at - before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1)
    }

    /// Goes over blanks in the line.
    pub(super) fn skip_spaces(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// Goes over blanks, lines without content and comments.
    pub(super) fn skip_blank(&mut self) -> Result<()> {
        loop {
            while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
                self.at += 1;
            }
            let line = &self.bytes[..self.at];
            let line = &line[line.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1)..];
            let is_indent = line.iter().all(u8::is_ascii_whitespace);
            match self.peek() {
                Some(b'#') if self.at == 0 || self.is_blank_at(self.at - 1) => {
                    while self.peek().is_some_and(|byte| byte != b'\n') {
                        self.at += 1;
                    }
                }
                Some(_) if is_indent && line.contains(&b'\t') => {
                    let (start, hint) = (self.at - line.len(), "indent with blanks");
                    return self.error(start, self.at, "a line is indented with a tab", hint);
                }
                _ => return Ok(()),
            }
        }
    }

    /// Whether a mark of three characters stands at the beginning of a line here.
    fn is_mark(&self, mark: &[u8]) -> bool {
        self.column() == 0
            && self.bytes[self.at..].starts_with(mark)
            && self.is_blank_at(self.at + 3)
    }

    fn document(&mut self) -> Result<Node> {
        self.skip_blank()?;
        if self.peek() == Some(b'%') && self.column() == 0 {
            return self.error(self.at, self.at + 1, "a directive is not treated", "");
        }
        if self.is_mark(b"---") {
            self.at += 3;
            self.skip_blank()?;
        }
        let node = self.block(0)?;
        self.skip_blank()?;
        if self.is_mark(b"...") {
            self.at += 3;
            self.skip_blank()?;
        }
        match self.peek() {
            None => Ok(node),
            Some(_) if self.is_mark(b"---") => {
                self.error(self.at, self.at + 3, "there is a second document", "give each its file")
            }
            Some(_) => {
                let hint = "members of a map or a list begin at the same column";
                self.error(self.at, self.at + 1, "this line belongs to nothing before it", hint)
            }
        }
    }

    /// What begins here, after blanks, at column `least` or further to the right.
    fn block(&mut self, least: usize) -> Result<Node> {
        self.skip_blank()?;
        let start = self.at;
        if self.peek().is_none() || self.column() < least || self.is_end() {
            return Ok(Node { value: Value::Null, span: span(start, start) });
        }
        if self.depth >= MAX_DEPTH {
            return self.error(start, start + 1, "maps and lists are nested too deep", "");
        }
        self.depth += 1;
        let node = match self.peek() {
            Some(b'-') if self.is_blank_at(self.at + 1) => self.block_list(),
            Some(b'|' | b'>') => self.block_text(least),
            _ if self.is_key()? => self.block_map(),
            _ => self.value(least),
        };
        self.depth -= 1;
        node
    }

    fn is_end(&self) -> bool {
        self.is_mark(b"---") || self.is_mark(b"...")
    }

    fn block_list(&mut self) -> Result<Node> {
        let (start, column) = (self.at, self.column());
        let mut list = Vec::new();
        loop {
            // The dash.
            self.at += 1;
            list.push(self.block(column + 1)?);
            let end = self.at;
            self.skip_blank()?;
            let goes_on = self.peek() == Some(b'-')
                && self.is_blank_at(self.at + 1)
                && self.column() == column;
            if !goes_on {
                return Ok(Node { value: Value::List(list), span: span(start, end) });
            }
        }
    }

    /// Whether a key and its colon stand here.
    fn is_key(&mut self) -> Result<bool> {
        let start = self.at;
        if matches!(self.peek(), Some(b'{' | b'[')) {
            return Ok(false);
        }
        let is_quoted = matches!(self.peek(), Some(b'"' | b'\''));
        if is_quoted {
            self.quoted()?;
        } else {
            self.plain_line(false);
        }
        let is_one_line = !self.bytes[start..self.at].contains(&b'\n');
        self.skip_spaces();
        let is_key = is_one_line && self.peek() == Some(b':') && self.is_blank_at(self.at + 1);
        self.at = start;
        Ok(is_key)
    }

    fn block_map(&mut self) -> Result<Node> {
        let (start, column) = (self.at, self.column());
        let mut map: Vec<(Key, Node)> = Vec::new();
        loop {
            let key = self.key(false)?;
            self.add_key(&map, &key)?;
            self.skip_spaces();
            // The colon.
            self.at += 1;
            let node = self.value_of_key(column)?;
            map.push((key, node));
            let end = self.at;
            self.skip_blank()?;
            let goes_on = self.peek().is_some() && self.column() == column && !self.is_end();
            if !goes_on {
                return Ok(Node { value: Value::Map(map), span: span(start, end) });
            }
            if !self.is_key()? {
                let hint = "a map is a list of lines: key: value";
                return self.error(self.at, self.at + 1, "a key and a colon are expected", hint);
            }
        }
    }

    /// Complains if a key is there already.
    pub(super) fn add_key(&self, map: &[(Key, Node)], key: &Key) -> Result<()> {
        match map.iter().any(|(other, _)| other.text == key.text) {
            true => {
                let message = format!("the key '{}' is there twice", key.text.escape_debug());
                Err(Box::new(Diagnostic::error(Code::Yaml, key.span, message)))
            }
            false => Ok(()),
        }
    }

    pub(super) fn key(&mut self, in_flow: bool) -> Result<Key> {
        let start = self.at;
        let text = match self.peek() {
            Some(b'"' | b'\'') => self.quoted()?,
            _ => self.plain_line(in_flow).to_owned(),
        };
        if text.is_empty() || matches!(self.bytes.get(start), Some(b'?' | b'&' | b'*' | b'!')) {
            return self.error(start, start + 1, "this is no key that is treated", "");
        }
        Ok(Key { text, span: span(start, self.at) })
    }

    /// What stands behind the colon of a key at a column.
    fn value_of_key(&mut self, column: usize) -> Result<Node> {
        self.skip_spaces();
        let is_here = self.peek().is_some_and(|byte| !matches!(byte, b'\n' | b'\r' | b'#'));
        if is_here {
            return match self.peek() {
                Some(b'|' | b'>') => self.block_text(column + 1),
                _ => self.value(column + 1),
            };
        }
        self.skip_blank()?;
        // A list may stand right below its key.
        let is_list = self.peek() == Some(b'-') && self.is_blank_at(self.at + 1);
        self.block(if is_list { column } else { column + 1 })
    }

    /// A scalar, or a map or list in brackets.
    fn value(&mut self, least: usize) -> Result<Node> {
        let start = self.at;
        let node = match self.peek() {
            Some(b'{' | b'[') => self.flow()?,
            Some(b'"' | b'\'') => {
                let text = self.quoted()?;
                Node { value: Value::Scalar(text), span: span(start, self.at) }
            }
            _ => return self.plain(least),
        };
        self.end_of_line()?;
        Ok(node)
    }

    /// Nothing but a comment may follow.
    pub(super) fn end_of_line(&mut self) -> Result<()> {
        let end = self.at;
        self.skip_spaces();
        match self.peek() {
            None | Some(b'\n' | b'\r') => {}
            Some(b'#') if self.at > end => {}
            Some(_) => {
                return self.error(self.at, self.at + 1, "something stands after the value", "");
            }
        }
        self.at = end;
        Ok(())
    }
}
