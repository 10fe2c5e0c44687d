//! From text to traces.

use super::elements::{Assigned, Elements, descend, finish, opened, whole};
use crate::btor2::lex::{self, Cursor, Lines, Word, decimal};
use crate::diag::{Code, Diagnostic, Diagnostics, Read};
use alphorn_problem::evidence::words::{Property, Rows, WordTrace};
use alphorn_problem::{Span, Words};
use alphorn_term::{SortId, TermId, Value};
use std::collections::BTreeMap;

/// How many values the frames of a witness may have together; a frame takes three bytes of text
/// and a value for every input.
const MAX_VALUES: usize = 1 << 25;

/// Reads the witnesses of a file; one that names several properties is returned once for each.
pub fn read_witness(bytes: &[u8], words: &Words) -> Read<Vec<WordTrace>> {
    let mut reader =
        Reader { words, lines: Lines::new(bytes), values: 0, diagnostics: Diagnostics::default() };
    let mut traces = Vec::new();
    if let Some(diagnostic) = lex::unreadable(bytes) {
        reader.diagnostics.push(diagnostic);
    } else {
        while let Some((mut cursor, word)) = reader.next_line() {
            // The rest of a witness with an error would be misunderstood; the next one may not.
            if reader.witness(&mut cursor, word, &mut traces).is_none()
                && (reader.diagnostics.is_full() || !reader.skip())
            {
                break;
            }
        }
        if traces.is_empty() && reader.diagnostics.list.is_empty() {
            let span = Span::new(bytes.len(), bytes.len());
            reader.error::<()>(span, "the file has no witness");
        }
    }
    let diagnostics = reader.diagnostics;
    (diagnostics.is_clean().then_some(traces), diagnostics)
}

struct Reader<'a> {
    words: &'a Words,
    lines: Lines<'a>,
    /// How many values were made.
    values: usize,
    diagnostics: Diagnostics,
}

/// The values of one part of a frame, by position.
type Part = BTreeMap<usize, Assigned>;

impl<'a> Reader<'a> {
    fn error<T>(&mut self, span: Span, message: impl Into<String>) -> Option<T> {
        self.diagnostics.push(Diagnostic::error(Code::BtorWitness, span, message));
        None
    }

    /// The next line that is not empty, and its first word.
    fn next_line(&mut self) -> Option<(Cursor<'a>, Word<'a>)> {
        loop {
            let mut cursor = self.lines.next()?;
            if let Some(word) = cursor.word() {
                return Some((cursor, word));
            }
        }
    }

    /// Goes to the end of a witness with errors; false at the end of the file.
    fn skip(&mut self) -> bool {
        while let Some((_, word)) = self.next_line() {
            if word.text == b"." {
                return true;
            }
        }
        false
    }

    fn witness(
        &mut self,
        cursor: &mut Cursor<'a>,
        word: Word<'a>,
        traces: &mut Vec<WordTrace>,
    ) -> Option<()> {
        match word.text {
            b"sat" => {}
            b"unsat" | b"unknown" => {
                let message = format!("the file says `{}`, so there is no run", word.shown());
                return self.error(word.span, message);
            }
            _ => {
                let message = format!("a witness starts with `sat`, not with `{}`", word.shown());
                return self.error(word.span, message);
            }
        }
        if let Some(word) = cursor.word() {
            return self.error(word.span, "`sat` stands on a line of its own");
        }
        let properties = self.properties()?;
        let mut line = self.expect_line()?;
        let (mut states, mut inputs) = (Vec::new(), Vec::new());
        while line.1.text != b"." && line.1.text != b"trap" {
            let step = inputs.len();
            let mut assigned = Part::new();
            if line.1.text.starts_with(b"#") {
                self.header(line.1, b"#", step)?;
                (assigned, line) = self.part(self.words.state_vars())?;
            }
            if !line.1.text.starts_with(b"@") {
                let message = format!("`@{step}` is expected here, not `{}`", line.1.shown());
                return self.error(line.1.span, message);
            }
            self.header(line.1, b"@", step)?;
            self.budget(line.1, properties.len())?;
            states.push(self.state_row(assigned, step, line.1)?);
            let vars = self.words.inputs.clone();
            let (assigned, after) = self.part(vars)?;
            inputs.push(self.input_row(assigned, line.1)?);
            line = after;
        }
        if inputs.is_empty() {
            return self.error(line.1.span, "a witness has at least one frame");
        }
        let trap = match line.1.text {
            b"trap" => Some(self.trap(line.0, properties.len())?),
            _ => None,
        };
        for property in properties {
            let (states, inputs, trap) = (states.clone(), inputs.clone(), trap.clone());
            traces.push(WordTrace { property, states, inputs, trap });
        }
        Some(())
    }

    /// The rows behind `trap` and positions of states, up to the dot.
    fn trap(&mut self, mut cursor: Cursor<'a>, copies: usize) -> Option<Rows> {
        let mut vars = Vec::new();
        while let Some(word) = cursor.word() {
            let position = word.number().and_then(|position| usize::try_from(position).ok());
            match position.filter(|position| *position < self.words.states.len()) {
                Some(position) => vars.push(position),
                None => {
                    let message = format!("`{}` is no position of a state", word.shown());
                    return self.error(word.span, message);
                }
            }
        }
        let mut states = Vec::new();
        loop {
            let (mut cursor, word) = self.expect_line()?;
            if word.text == b"." {
                return Some(Rows { vars, states });
            }
            if word.text != b"|" {
                let message = format!("a row begins with `|`, not with `{}`", word.shown());
                return self.error(word.span, message);
            }
            self.budget(word, copies)?;
            let mut row = Vec::with_capacity(vars.len());
            for position in &vars {
                let Some(word) = cursor.word() else {
                    return self.error(cursor.here(), "a value is missing");
                };
                let sort = self.words.terms.sort(self.words.states[*position].var);
                row.push(self.whole(word, sort)?);
            }
            if let Some(word) = cursor.word() {
                return self.error(word.span, "the row has more values than states");
            }
            states.push(row);
        }
    }

    fn expect_line(&mut self) -> Option<(Cursor<'a>, Word<'a>)> {
        let line = self.next_line();
        if line.is_none() {
            let end = self.lines.end();
            return self.error(end, "the file ends within a witness, before its `.`");
        }
        line
    }

    /// The properties a witness is about: `b0 j1`.
    fn properties(&mut self) -> Option<Vec<Property>> {
        let (mut cursor, first) = self.expect_line()?;
        let mut properties = Vec::new();
        let mut next = Some(first);
        while let Some(word) = next {
            let index = word.text.get(1..).and_then(decimal);
            let index = index.and_then(|index| usize::try_from(index).ok());
            let property = match (word.text.first(), index) {
                (Some(b'b'), Some(index)) if index < self.words.bads.len() => Property::Bad(index),
                (Some(b'j'), Some(index)) if index < self.words.justice.len() => {
                    Property::Justice(index)
                }
                (Some(b'h'), Some(index)) if index < self.words.homes.len() => {
                    Property::Home(index)
                }
                (Some(b'b' | b'j' | b'h'), Some(_)) => {
                    let message = format!("the system has no property `{}`", word.shown());
                    return self.error(word.span, message);
                }
                _ => {
                    let message = format!("`b0` or the like is expected, not `{}`", word.shown());
                    return self.error(word.span, message);
                }
            };
            if properties.contains(&property) {
                return self.error(word.span, "the property is named twice");
            }
            properties.push(property);
            next = cursor.word();
        }
        Some(properties)
    }

    fn header(&mut self, word: Word<'_>, mark: &[u8], step: usize) -> Option<()> {
        let number = word.text.strip_prefix(mark).and_then(decimal);
        if number == Some(step as u64) {
            return Some(());
        }
        let mark = mark.escape_ascii();
        let message = format!("frame `{mark}{step}` is expected here, not `{}`", word.shown());
        self.error(word.span, message)
    }

    /// Counts the values of another frame, of which each property gets a copy.
    fn budget(&mut self, word: Word<'_>, copies: usize) -> Option<()> {
        let frame = self.words.states.len() + self.words.inputs.len() + 1;
        self.values = self.values.saturating_add(frame.saturating_mul(copies));
        if self.values > MAX_VALUES {
            let message = "the witness has more values than this reader takes";
            self.diagnostics.push(Diagnostic::unsupported(Code::FileTooLarge, word.span, message));
            return None;
        }
        Some(())
    }

    /// The assignments up to the next header or dot, and the line after them.
    fn part(&mut self, vars: Vec<TermId>) -> Option<(Part, (Cursor<'a>, Word<'a>))> {
        let mut part = Part::new();
        loop {
            let (mut cursor, word) = self.expect_line()?;
            let is_end = word.text == b"." || word.text == b"trap";
            if is_end || word.text.starts_with(b"#") || word.text.starts_with(b"@") {
                return Some((part, (cursor, word)));
            }
            let position = word.number().and_then(|position| usize::try_from(position).ok());
            let Some(position) = position else {
                let message = format!("a position is expected, not `{}`", word.shown());
                return self.error(word.span, message);
            };
            let Some(var) = vars.get(position) else {
                let message = format!("there is no variable {position} here");
                return self.error(word.span, message);
            };
            let sort = self.words.terms.sort(*var);
            self.assignment(&mut part, position, sort, &mut cursor)?;
        }
    }

    fn assignment(
        &mut self,
        part: &mut Part,
        position: usize,
        sort: SortId,
        cursor: &mut Cursor<'a>,
    ) -> Option<()> {
        let Some(word) = cursor.word() else {
            return self.error(cursor.here(), "a value is missing");
        };
        if !word.text.starts_with(b"[") {
            let value = self.whole(word, sort)?;
            if let Value::Array(array) = value {
                part.insert(position, Assigned::Array(opened(&array)));
            } else if part.insert(position, Assigned::Whole(value)).is_some() {
                return self.error(word.span, format!("variable {position} has a value already"));
            }
            return Some(());
        }
        let Some(digits) = cursor.word() else {
            return self.error(cursor.here(), "a value is missing");
        };
        let place = part.entry(position).or_insert_with(|| Assigned::Array(Elements::default()));
        match descend(&self.words.terms, place, sort, word, digits) {
            Ok(()) => Some(()),
            Err(diagnostic) => {
                self.diagnostics.push(*diagnostic);
                None
            }
        }
    }

    /// The value that binary digits stand for; for arrays, in all places.
    fn whole(&mut self, word: Word<'_>, sort: SortId) -> Option<Value> {
        match whole(&self.words.terms, word, sort) {
            Ok(value) => Some(value),
            Err(diagnostic) => {
                self.diagnostics.push(*diagnostic);
                None
            }
        }
    }

    fn finish(&mut self, assigned: Assigned, sort: SortId, word: Word<'_>) -> Option<Value> {
        let value = finish(&self.words.terms, assigned, sort);
        if value.is_none() {
            return self.error(word.span, "an array of the frame has too many elements");
        }
        value
    }

    fn state_row(
        &mut self,
        mut part: Part,
        step: usize,
        word: Word<'_>,
    ) -> Option<Vec<Option<Value>>> {
        let words = self.words;
        let mut row = Vec::with_capacity(words.states.len());
        for (position, state) in words.states.iter().enumerate() {
            let sort = words.terms.sort(state.var);
            let follows = if step == 0 { state.init } else { state.next };
            row.push(match part.remove(&position) {
                Some(assigned) => Some(self.finish(assigned, sort, word)?),
                None if follows.is_none() => Some(self.zero(sort, word)?),
                None => None,
            });
        }
        Some(row)
    }

    fn input_row(&mut self, mut part: Part, word: Word<'_>) -> Option<Vec<Value>> {
        let words = self.words;
        let mut row = Vec::with_capacity(words.inputs.len());
        for (position, input) in words.inputs.iter().enumerate() {
            let sort = words.terms.sort(*input);
            row.push(match part.remove(&position) {
                Some(assigned) => self.finish(assigned, sort, word)?,
                None => self.zero(sort, word)?,
            });
        }
        Some(row)
    }

    fn zero(&mut self, sort: SortId, word: Word<'_>) -> Option<Value> {
        let value = Value::default_of(&self.words.terms, sort);
        if value.is_none() {
            return self.error(word.span, "a variable of the system has no values");
        }
        value
    }
}
