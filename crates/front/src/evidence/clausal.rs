//! Evidence about CNF formulas, as SAT solvers write it: models, LRAT and DRAT.
//!
//! | kind | looks like |
//! |---|---|
//! | model | lines `v 1 -2 … 0` after `s SATISFIABLE`; or the literals alone |
//! | LRAT | lines `5 1 -2 0 3 4 0` and `5 d 1 2 0`; in binary `a`, number, literals, 0, hints, 0 |
//! | DRAT | lines `1 -2 0` and `d 1 -2 0`; in binary `a` or `d`, literals, 0 |
//!
//! Some files can be read in two ways: one clause of DRAT looks like a model, and there are two habits
//! of writing a clause's number in binary LRAT. All readings are returned, likely ones first; which of
//! them shows something is for the checker to say, and it cannot be misled by a wrong one.

mod binary;

use super::lrat::read_step;
use crate::diag::{Code, Diagnostic, Diagnostics, Read};
use alphorn_problem::Span;
use alphorn_problem::evidence::circuit::{Lrat, LratStep};
use binary::{binary_drat, binary_lrat};
use std::cmp::Reverse;

/// One reading of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clausal {
    /// The literals that are true.
    Model(Vec<i32>),
    /// A refutation with hints.
    Lrat(Lrat),
    /// A refutation without hints.
    Drat(Vec<DratLine>),
}

/// A line of a DRAT proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DratLine {
    /// Adds a clause; its first literal is the one for RAT.
    Add(Vec<i32>),
    /// Deletes a clause with these literals.
    Delete(Vec<i32>),
}

/// How binary LRAT gives the number of the clause that it adds; all other numbers are doubled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    Doubled,
    Plain,
}

type Fallible<T> = Result<T, Diagnostic>;

fn wrong<T>(span: Span, message: impl Into<String>) -> Fallible<T> {
    Err(Diagnostic::error(Code::Evidence, span, message))
}

/// Reads evidence in all the ways in which it can be read.
pub fn read(bytes: &[u8]) -> Read<Vec<Clausal>> {
    let mut diagnostics = Diagnostics::default();
    match readings(bytes) {
        Ok(readings) => (Some(readings), diagnostics),
        Err(diagnostic) => {
            diagnostics.push(diagnostic);
            (None, diagnostics)
        }
    }
}

fn readings(bytes: &[u8]) -> Fallible<Vec<Clausal>> {
    if bytes.trim_ascii().is_empty() {
        return Err(Diagnostic::error(Code::FileEmpty, Span::NONE, "the file is empty"));
    }
    // Every binary line ends with this byte, and text has none.
    if bytes.contains(&0) {
        let (doubled, plain) = (Numbers::Doubled, Numbers::Plain);
        let lrat = |numbers| binary_lrat(bytes, numbers).map(Clausal::Lrat);
        let all = [lrat(doubled), lrat(plain), binary_drat(bytes).map(Clausal::Drat)];
        return some_of(all.into(), &[0, 1, 2]);
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return wrong(Span::NONE, "this is neither text nor a binary proof");
    };
    let mut lines = lines(text).peekable();
    let Some((first, span)) = lines.peek().copied() else {
        return wrong(Span::NONE, "the file has nothing but comments");
    };
    if let Some(word) = first.split_ascii_whitespace().next()
        && ["s", "v", "SAT", "UNSAT", "SATISFIABLE", "UNSATISFIABLE"].contains(&word)
    {
        return solver_output(text).map(|literals| vec![Clausal::Model(literals)]);
    }
    let mut words = first.split_ascii_whitespace();
    let zeros = words.clone().filter(|word| *word == "0").count();
    let is_lrat = zeros > 1 || words.nth(1) == Some("d");
    let lrat = text_lrat(text).map(Clausal::Lrat);
    let drat = text_drat(text).map(Clausal::Drat);
    let model = literals(lines).map(Clausal::Model);
    let known = first.bytes().next().is_some_and(|b| b.is_ascii_digit() || b"-d".contains(&b));
    if !known {
        return Err(Diagnostic::error(Code::Evidence, span, "this is no evidence about a formula")
            .hint("it is a model (lines `v …`), LRAT or DRAT"));
    }
    // A model is tried before a proof of one clause, but few files with an error are meant as models.
    match is_lrat {
        true => some_of(vec![lrat, drat, model], &[0, 1, 2]),
        false => some_of(vec![model, drat, lrat], &[1, 0, 2]),
    }
}

/// The readings that succeeded; else what is wrong with the one that came furthest, which is likely to be
/// the one that was meant, and of several the first in this order.
fn some_of(readings: Vec<Fallible<Clausal>>, order: &[usize]) -> Fallible<Vec<Clausal>> {
    let (mut found, mut wrong) = (Vec::new(), Vec::new());
    for (reading, place) in readings.into_iter().zip(order) {
        match reading {
            Ok(reading) => found.push(reading),
            Err(diagnostic) => wrong.push((diagnostic.span.start, Reverse(place), diagnostic)),
        }
    }
    let furthest = wrong.into_iter().max_by_key(|(start, place, _)| (*start, *place));
    match furthest {
        Some((_, _, diagnostic)) if found.is_empty() => Err(diagnostic),
        _ => Ok(found),
    }
}

/// The lines that say something, with their places.
fn lines(text: &str) -> impl Iterator<Item = (&str, Span)> {
    let mut at = 0;
    text.split('\n').filter_map(move |line| {
        let start = at;
        at += line.len() + 1;
        let trimmed = line.trim();
        let is_comment = trimmed == "c" || trimmed.starts_with("c ");
        let says = !trimmed.is_empty() && !is_comment;
        says.then(|| (trimmed, Span::new(start, start + line.len())))
    })
}

/// The model in the output of a solver.
fn solver_output(text: &str) -> Fallible<Vec<i32>> {
    let claims = |word: &str| match word {
        "SAT" | "SATISFIABLE" => Some(true),
        "UNSAT" | "UNSATISFIABLE" | "UNKNOWN" | "INDETERMINATE" => Some(false),
        _ => None,
    };
    let (mut values, mut last) = (Vec::new(), Span::NONE);
    for (line, span) in lines(text) {
        last = span;
        let rest = match line.split_once(char::is_whitespace) {
            Some(("v", rest)) => rest,
            Some(("s", _)) => line[1..].trim(),
            _ if line == "v" => "",
            _ => line,
        };
        match claims(rest) {
            Some(true) => {}
            Some(false) => {
                return Err(Diagnostic::error(
                    Code::Evidence,
                    span,
                    "this is a claim without evidence",
                )
                .hint("that there is no model is shown by a proof: LRAT or DRAT"));
            }
            None => values.push((rest, span)),
        }
    }
    if values.is_empty() {
        let message = "the solver says that there is a model, and does not give it";
        return Err(Diagnostic::error(Code::Evidence, last, message)
            .hint("a model is lines that begin with `v`"));
    }
    literals(values.into_iter())
}

/// A list of literals, which a 0 may end.
fn literals<'t>(lines: impl Iterator<Item = (&'t str, Span)>) -> Fallible<Vec<i32>> {
    let mut literals = Vec::new();
    let mut ended = false;
    for (line, span) in lines {
        for word in line.split_ascii_whitespace() {
            match word.parse::<i32>() {
                Ok(_) if ended => return wrong(span, "something stands after the 0 of the model"),
                Ok(0) => ended = true,
                Ok(lit) if lit != i32::MIN => literals.push(lit),
                _ => return wrong(span, format!("`{}` is no literal", word.escape_debug())),
            }
        }
    }
    Ok(literals)
}

fn text_lrat(text: &str) -> Fallible<Lrat> {
    let steps = lines(text).map(|(line, span)| read_step(line, span));
    Ok(Lrat { steps: steps.collect::<Fallible<Vec<LratStep>>>()? })
}

fn text_drat(text: &str) -> Fallible<Vec<DratLine>> {
    let mut steps = Vec::new();
    let mut open: Option<(bool, Vec<i32>)> = None;
    let mut last = Span::NONE;
    for (line, span) in lines(text) {
        last = span;
        for word in line.split_ascii_whitespace() {
            if word == "d" && open.is_none() {
                open = Some((true, Vec::new()));
                continue;
            }
            match word.parse::<i32>() {
                Ok(0) => steps.push(drat_line(open.take().unwrap_or_default())),
                Ok(lit) if lit != i32::MIN => open.get_or_insert_default().1.push(lit),
                _ => return wrong(span, format!("`{}` is no literal", word.escape_debug())),
            }
        }
    }
    match open {
        None => Ok(steps),
        Some(_) => wrong(last, "the file ends in the middle of a clause; a 0 ends it"),
    }
}

fn drat_line((is_deletion, literals): (bool, Vec<i32>)) -> DratLine {
    if is_deletion { DratLine::Delete(literals) } else { DratLine::Add(literals) }
}
