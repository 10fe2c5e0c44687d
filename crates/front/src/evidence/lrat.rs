//! LRAT proofs as text: one step per line, as LRAT tools write them.
//!
//! `12 -3 7 0 4 9 0` adds clause 12 with literals −3 and 7, which follows by clauses 4 and 9;
//! `12 d 4 9 0` deletes clauses 4 and 9.

use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_problem::evidence::circuit::{Lrat, LratStep};
use std::fmt::Write;

/// Appends a proof as text.
pub fn print(out: &mut String, proof: &Lrat) {
    let mut last = 0;
    for step in &proof.steps {
        match step {
            LratStep::Add { id, clause, hints } => {
                last = *id;
                let _ = write!(out, "{id}");
                clause.iter().for_each(|lit| {
                    let _ = write!(out, " {lit}");
                });
                out.push_str(" 0");
                hints.iter().for_each(|hint| {
                    let _ = write!(out, " {hint}");
                });
                out.push_str(" 0\n");
            }
            LratStep::Delete(ids) => {
                let _ = write!(out, "{last} d");
                ids.iter().for_each(|id| {
                    let _ = write!(out, " {id}");
                });
                out.push_str(" 0\n");
            }
        }
    }
}

/// Reads one line of a proof; `span` is the line's.
pub fn read_step(line: &str, span: Span) -> Result<LratStep, Diagnostic> {
    let wrong = |message: &str| {
        Diagnostic::error(Code::Evidence, span, message)
            .hint("a step is: number, literals, 0, hints, 0; or: number, d, numbers, 0")
    };
    let mut words = line.split_ascii_whitespace();
    let id = words.next().and_then(|word| word.parse().ok());
    let id: u64 = id.ok_or_else(|| wrong("a step begins with its number"))?;
    let mut words = words.peekable();
    if words.peek() == Some(&"d") {
        words.next();
        let ids = until_zero(&mut words).ok_or_else(|| wrong("a deletion is malformed"))?;
        return match words.next() {
            None => Ok(LratStep::Delete(ids)),
            Some(_) => Err(wrong("something stands after the final 0")),
        };
    }
    let clause = until_zero(&mut words).ok_or_else(|| wrong("the clause is malformed"))?;
    let hints = until_zero(&mut words).ok_or_else(|| wrong("the hints are malformed"))?;
    match words.next() {
        None => Ok(LratStep::Add { id, clause, hints }),
        Some(_) => Err(wrong("something stands after the final 0")),
    }
}

/// The numbers up to the next 0, which must be there.
fn until_zero<'a, T: std::str::FromStr + PartialEq + Default>(
    words: &mut impl Iterator<Item = &'a str>,
) -> Option<Vec<T>> {
    let mut numbers = Vec::new();
    loop {
        let number: T = words.next()?.parse().ok()?;
        if number == T::default() {
            return Some(numbers);
        }
        numbers.push(number);
    }
}
