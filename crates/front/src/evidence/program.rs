//! Evidence about C programs as text.
//!
//! ```text
//! alphorn-program 1
//! properties unreach-call assert
//! entry main
//! data-model lp64
//! malloc succeeds              or: malloc may-fail
//! safe integers                or: safe words; a model of the program's clauses follows, as in `horn`
//! ```
//!
//! A run that violates a property ends, instead of `safe`, with
//!
//! ```text
//! unsafe unreach-call 120 137  the property, and where it is violated: from this byte to that one
//! steps 1041                   how many steps the run takes at most
//! value -3                     the choices, one a line, in the order in which the program asks
//! contents 0 4:7 8:1           what an object has in it: everywhere 0, but 7 at byte 4 and 1 at byte 8
//! allocated yes
//! ```
//!
//! Lines that begin with `#` are comments. A file may have several pieces, one after the other, each with its first
//! line.

use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_program::c::evidence::{Encoding, Numbers, Run, Sight};
use alphorn_program::c::property::{Choice, Malloc, Violation};
use alphorn_program::c::{DataModel, Property};
use std::fmt::Write;
use std::ops::Range;

/// The first line.
pub const PROGRAM_HEADER: &str = "alphorn-program 1";

/// What evidence about a program answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramQuestion {
    /// The properties.
    pub properties: Vec<Property>,
    /// The function where runs begin.
    pub entry: String,
    /// How wide integers are.
    pub model: DataModel,
    /// What allocation may do.
    pub malloc: Malloc,
}

/// What evidence about a program is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramEvidence {
    /// A model of the clauses; its text begins at this byte.
    Safe(Encoding, usize),
    /// A run.
    Unsafe(Run),
}

/// How a data model is written.
pub fn data_model_name(model: DataModel) -> &'static str {
    match model {
        DataModel::Ilp32 => "ilp32",
        DataModel::Lp64 => "lp64",
    }
}

fn head(question: &ProgramQuestion) -> String {
    let names: Vec<&str> = question.properties.iter().map(|property| property.name()).collect();
    let malloc = match question.malloc {
        Malloc::Succeeds => "succeeds",
        Malloc::MayFail => "may-fail",
    };
    format!(
        "{PROGRAM_HEADER}\nproperties {}\nentry {}\ndata-model {}\nmalloc {malloc}\n",
        names.join(" "),
        question.entry,
        data_model_name(question.model),
    )
}

/// A proof as text; `model` is the text of the model of the clauses.
pub fn print_program_proof(question: &ProgramQuestion, encoding: Encoding, model: &str) -> String {
    format!("{}safe {}\n{model}", head(question), encoding_name(encoding))
}

/// All ways in which the clauses of a program are made.
fn encodings() -> impl Iterator<Item = Encoding> {
    let numbers = [Numbers::Integers, Numbers::Words].into_iter();
    let sights = [None].into_iter().chain(Sight::EACH.map(Some));
    numbers.flat_map(move |numbers| sights.clone().map(move |sight| Encoding { numbers, sight }))
}

/// How a way to make clauses is written.
fn encoding_name(encoding: Encoding) -> String {
    let numbers = match encoding.numbers {
        Numbers::Integers => "integers",
        Numbers::Words => "words",
    };
    match encoding.sight {
        None => numbers.to_owned(),
        Some(sight) => format!("{numbers} threads {}", sight.name()),
    }
}

/// A run as text.
pub fn print_program_run(question: &ProgramQuestion, run: &Run) -> String {
    let mut out = head(question);
    let Violation { property, span } = run.violation;
    let _ = writeln!(out, "unsafe {} {} {}", property.name(), span.start, span.end);
    let _ = writeln!(out, "steps {}", run.steps);
    for choice in &run.choices {
        let _ = match choice {
            Choice::Value(value) => writeln!(out, "value {value}"),
            Choice::Allocated(true) => writeln!(out, "allocated yes"),
            Choice::Allocated(false) => writeln!(out, "allocated no"),
            Choice::Turn { thread, points } => writeln!(out, "turn {thread} {points}"),
            Choice::Contents { cells, default } => {
                let cells: String =
                    cells.iter().map(|(offset, value)| format!(" {offset}:{value}")).collect();
                writeln!(out, "contents {default}{cells}")
            }
        };
    }
    out
}

/// Lines of a text with their places.
struct Lines<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Lines<'t> {
    /// The next line that is no comment, and where it stands; nothing at the end.
    fn next(&mut self) -> Result<Option<(&'t str, Span)>, Box<Diagnostic>> {
        while self.at < self.text.len() {
            let rest = &self.text[self.at..];
            let length = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
            let span = Span::new(self.at, self.at + length);
            self.at += (length + 1).min(rest.len());
            let line = std::str::from_utf8(&rest[..length])
                .map_err(|_| Box::new(wrong(span, "this line is not UTF-8")))?
                .trim();
            if !line.is_empty() && !line.starts_with('#') {
                return Ok(Some((line, span)));
            }
        }
        Ok(None)
    }

    /// The rest of the next line, which begins with this word.
    fn expect(&mut self, word: &str) -> Result<(&'t str, Span), Box<Diagnostic>> {
        let end = Span::new(self.text.len(), self.text.len());
        match self.next()? {
            Some((line, span)) => match split(line) {
                (first, rest) if first == word => Ok((rest, span)),
                _ => Err(Box::new(wrong(
                    span,
                    format!("a line that begins with `{word}` is missing"),
                ))),
            },
            None => Err(Box::new(wrong(end, format!("the text ends where `{word}` should stand")))),
        }
    }
}

fn wrong(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::Evidence, span, message)
}

fn split(line: &str) -> (&str, &str) {
    line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()))
}

fn property(name: &str, span: Span) -> Result<Property, Box<Diagnostic>> {
    let found = Property::ALL.into_iter().find(|property| property.name() == name);
    found.ok_or_else(|| Box::new(wrong(span, format!("there is no property `{name}`"))))
}

fn number<N: std::str::FromStr>(text: &str, span: Span) -> Result<N, Box<Diagnostic>> {
    text.parse().map_err(|_| Box::new(wrong(span, format!("`{text}` is no number that fits here"))))
}

/// Whether a text is evidence about a program.
pub fn is_program_evidence(bytes: &[u8]) -> bool {
    let mut lines = Lines { text: bytes, at: 0 };
    matches!(lines.next(), Ok(Some((PROGRAM_HEADER, _))))
}

/// Where the pieces of evidence in a file stand: each goes on until the next first line. There is always one.
pub fn program_pieces(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut starts = vec![0];
    let (mut at, mut is_begun) = (0, false);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        if line.trim_ascii() == PROGRAM_HEADER.as_bytes() {
            // What stands before the first of them belongs to it.
            if is_begun {
                starts.push(at);
            }
            is_begun = true;
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([bytes.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

/// Reads a piece of evidence about a program, which stands at this place of a file.
pub fn read_program(
    bytes: &[u8],
    piece: Range<usize>,
) -> Result<(ProgramQuestion, ProgramEvidence), Box<Diagnostic>> {
    let end = Span::new(piece.end, piece.end);
    let mut lines = Lines { text: &bytes[..piece.end], at: piece.start };
    let (version, span) = lines.expect("alphorn-program")?;
    if version != "1" {
        return Err(Box::new(wrong(span, "only version 1 of this format is known")));
    }
    let (names, span) = lines.expect("properties")?;
    let mut properties = Vec::new();
    for name in names.split_whitespace() {
        properties.push(property(name, span)?);
    }
    let (entry, _) = lines.expect("entry")?;
    let (name, span) = lines.expect("data-model")?;
    let model = [DataModel::Ilp32, DataModel::Lp64].into_iter();
    let model = model
        .clone()
        .find(|model| data_model_name(*model) == name)
        .ok_or_else(|| Box::new(wrong(span, format!("there is no data model `{name}`"))))?;
    let (word, span) = lines.expect("malloc")?;
    let malloc = match word {
        "succeeds" => Malloc::Succeeds,
        "may-fail" => Malloc::MayFail,
        other => return Err(Box::new(wrong(span, format!("allocation does not `{other}`")))),
    };
    let question = ProgramQuestion { properties, entry: entry.to_owned(), model, malloc };
    let Some((line, span)) = lines.next()? else {
        return Err(Box::new(wrong(end, "the text ends where `safe` or `unsafe` should stand")));
    };
    match split(line) {
        ("safe", way) => {
            let mut all = encodings();
            let encoding = all.find(|one| encoding_name(*one) == way).ok_or_else(|| {
                Box::new(wrong(span, format!("clauses are not made in the way `{way}`")))
            })?;
            Ok((question, ProgramEvidence::Safe(encoding, lines.at)))
        }
        ("unsafe", rest) => {
            let run = read_run(&mut lines, rest, span)?;
            Ok((question, ProgramEvidence::Unsafe(run)))
        }
        _ => Err(Box::new(wrong(
            span,
            "`safe integers`, `safe words` or `unsafe …` should stand here",
        ))),
    }
}

fn read_run(lines: &mut Lines<'_>, violated: &str, span: Span) -> Result<Run, Box<Diagnostic>> {
    let words: Vec<&str> = violated.split_whitespace().collect();
    let [name, start, end] = words[..] else {
        return Err(Box::new(wrong(span, "`unsafe` says a property and where it is violated")));
    };
    let place = Span { start: number(start, span)?, end: number(end, span)? };
    let violation = Violation { property: property(name, span)?, span: place };
    let (count, span) = lines.expect("steps")?;
    let steps = number(count, span)?;
    let mut choices = Vec::new();
    while let Some((line, span)) = lines.next()? {
        choices.push(match split(line) {
            ("value", value) => Choice::Value(number(value, span)?),
            ("allocated", "yes") => Choice::Allocated(true),
            ("allocated", "no") => Choice::Allocated(false),
            ("contents", rest) => contents(rest, span)?,
            ("turn", rest) => {
                let words: Vec<&str> = rest.split_whitespace().collect();
                let [thread, points] = words[..] else {
                    return Err(Box::new(wrong(span, "`turn` says a thread and how many steps")));
                };
                Choice::Turn { thread: number(thread, span)?, points: number(points, span)? }
            }
            _ => return Err(Box::new(wrong(span, "a choice should stand here"))),
        });
    }
    Ok(Run { choices, steps, violation })
}

fn contents(text: &str, span: Span) -> Result<Choice, Box<Diagnostic>> {
    let mut words = text.split_whitespace();
    let default = number(words.next().unwrap_or(""), span)?;
    let mut cells = Vec::new();
    for word in words {
        let Some((offset, value)) = word.split_once(':') else {
            return Err(Box::new(wrong(span, format!("`{word}` is no byte with a value"))));
        };
        cells.push((number(offset, span)?, number(value, span)?));
    }
    Ok(Choice::Contents { cells, default })
}
