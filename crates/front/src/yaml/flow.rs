//! Maps and lists in brackets, over as many lines as they like.

use super::read::{Reader, Result, span};
use super::{Key, Node, Value};

/// How deep brackets may be nested.
const MAX_DEPTH: usize = 64;

impl Reader<'_> {
    /// A map, a list or a scalar inside or at the beginning of brackets.
    pub(super) fn flow(&mut self) -> Result<Node> {
        let start = self.at;
        if self.depth >= MAX_DEPTH {
            return self.error(start, start + 1, "maps and lists are nested too deep", "");
        }
        self.depth += 1;
        let value = match self.peek() {
            Some(b'[') => Value::List(self.flow_list()?),
            Some(b'{') => Value::Map(self.flow_map()?),
            Some(b'"' | b'\'') => Value::Scalar(self.quoted()?),
            Some(b',' | b']' | b'}') => Value::Null,
            _ => self.plain_in_flow()?,
        };
        self.depth -= 1;
        Ok(Node { value, span: span(start, self.at) })
    }

    fn plain_in_flow(&mut self) -> Result<Value> {
        let start = self.at;
        let mut text = self.plain_line(true).to_owned();
        if matches!(self.bytes.get(start), Some(b'&' | b'*' | b'!')) {
            return self.error(start, self.at, "anchors, aliases and tags are not treated", "");
        }
        // It may go on in the next lines.
        loop {
            let end = self.at;
            while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
                self.at += 1;
            }
            let is_over = matches!(self.peek(), None | Some(b',' | b']' | b'}' | b':' | b'#'));
            let more = if is_over { "" } else { self.plain_line(true) };
            if more.is_empty() {
                self.at = end;
                break;
            }
            text.push(' ');
            text.push_str(more);
        }
        Ok(if text.is_empty() { Value::Null } else { Value::Scalar(text) })
    }

    /// The comma or the bracket at the end of a member; whether it was the bracket.
    fn is_closed(&mut self, start: usize, bracket: u8) -> Result<bool> {
        self.skip_blank()?;
        match self.peek() {
            Some(byte) if byte == bracket => {
                self.at += 1;
                Ok(true)
            }
            Some(b',') => {
                self.at += 1;
                Ok(false)
            }
            None => self.error(start, start + 1, "this bracket is not closed", ""),
            Some(_) => {
                let message = format!("a comma or '{}' is expected", char::from(bracket));
                self.error(self.at, self.at + 1, &message, "")
            }
        }
    }

    fn flow_list(&mut self) -> Result<Vec<Node>> {
        let start = self.at;
        self.at += 1;
        let mut list = Vec::new();
        loop {
            self.skip_blank()?;
            if self.peek() == Some(b']') {
                self.at += 1;
                return Ok(list);
            }
            list.push(self.flow()?);
            if self.is_closed(start, b']')? {
                return Ok(list);
            }
        }
    }

    fn flow_map(&mut self) -> Result<Vec<(Key, Node)>> {
        let start = self.at;
        self.at += 1;
        let mut map = Vec::new();
        loop {
            self.skip_blank()?;
            if self.peek() == Some(b'}') {
                self.at += 1;
                return Ok(map);
            }
            let key = self.key(true)?;
            self.add_key(&map, &key)?;
            self.skip_blank()?;
            let node = match self.peek() {
                Some(b':') => {
                    self.at += 1;
                    self.skip_blank()?;
                    self.flow()?
                }
                _ => Node { value: Value::Null, span: span(self.at, self.at) },
            };
            map.push((key, node));
            if self.is_closed(start, b'}')? {
                return Ok(map);
            }
        }
    }
}
