//! Reading certificates of circuits, line by line.

use super::HEADER;
use crate::aiger;
use crate::diag::{Code, Diagnostic, Diagnostics, Read};
use crate::evidence::{lrat, parts};
use alphorn_problem::circuit::{Circuit, Lit};
use alphorn_problem::evidence::circuit::{Certificate, Invariant, Lrat};
use alphorn_problem::monitor::Monitor;
use alphorn_problem::{Span, Verdict};
use std::fmt::Write;

/// Reads evidence: certificates and AIGER witnesses, in any order.
pub fn read(bytes: &[u8], circuit: &Circuit) -> Read<Vec<Verdict<Circuit>>> {
    if bytes.starts_with(b"aag ") || bytes.starts_with(b"aig ") {
        let mut diagnostics = Diagnostics::default();
        let message =
            "a witness circuit has no proofs, and finding them is not the checker's business";
        diagnostics.push(
            Diagnostic::error(Code::Evidence, Span::NONE, message)
                .hint("a file of another ending has the proofs: --evidence certificate.txt"),
        );
        return (None, diagnostics);
    }
    let certificate = |at: usize| {
        let Ok(text) = std::str::from_utf8(bytes) else {
            let message = "a certificate is text, and this is not";
            return Err(Box::new(Diagnostic::error(Code::Evidence, Span::NONE, message)));
        };
        let mut lines = Lines::new(text, at);
        let certificate = certificate(&mut lines, circuit)?;
        Ok((Verdict::Safe(certificate), lines.last_end))
    };
    let opens = |line: &[u8]| line.starts_with(b"alphorn-certificate");
    parts::read(bytes, opens, certificate, |part| witnesses(part, circuit))
}

fn witnesses(bytes: &[u8], circuit: &Circuit) -> Read<Vec<Verdict<Circuit>>> {
    let (witnesses, mut diagnostics) = aiger::read_witness(bytes, circuit);
    let mut verdicts = Vec::new();
    for witness in witnesses.into_iter().flatten() {
        match witness {
            aiger::Witness::Violated(trace) => verdicts.push(Verdict::Unsafe(trace)),
            aiger::Witness::Holds(_) | aiger::Witness::Unknown(_) => diagnostics.push(
                Diagnostic::error(Code::Evidence, Span::NONE, "this is a claim without evidence")
                    .hint("a property that holds is shown by a certificate"),
            ),
        }
    }
    (diagnostics.is_clean().then_some(verdicts), diagnostics)
}

type Fallible<T> = Result<T, Box<Diagnostic>>;

/// The lines of a text that say something, with their places.
pub struct Lines<'t> {
    text: &'t str,
    at: usize,
    /// Where the last line taken is, and where it ends.
    last: Span,
    pub(in crate::evidence) last_end: usize,
}

impl<'t> Lines<'t> {
    pub(in crate::evidence) fn new(text: &'t str, at: usize) -> Lines<'t> {
        let mut lines = Lines { text, at, last: Span::new(at, at), last_end: at };
        lines.skip();
        lines
    }

    fn line_end(&self) -> usize {
        self.text[self.at..].find('\n').map_or(self.text.len(), |length| self.at + length)
    }

    /// Skips empty lines and comments.
    fn skip(&mut self) {
        while self.at < self.text.len() {
            let line = self.text[self.at..self.line_end()].trim();
            let comment = line == "c" || line.starts_with("c ");
            if !line.is_empty() && !comment {
                return;
            }
            self.at = (self.line_end() + 1).min(self.text.len());
        }
    }

    pub(in crate::evidence) fn peek(&self) -> Option<&'t str> {
        (self.at < self.text.len()).then(|| self.text[self.at..self.line_end()].trim())
    }

    fn span(&self) -> Span {
        Span::new(self.at, self.line_end())
    }

    fn next(&mut self) -> Option<(&'t str, Span)> {
        let line = (self.peek()?, self.span());
        (self.last, self.last_end) = (self.span(), self.line_end());
        self.at = (self.line_end() + 1).min(self.text.len());
        self.skip();
        Some(line)
    }

    pub(in crate::evidence) fn wrong<T>(
        &self,
        span: Span,
        message: impl Into<String>,
    ) -> Fallible<T> {
        Err(Box::new(Diagnostic::error(Code::Evidence, span, message)))
    }

    pub(in crate::evidence) fn expect(&mut self, what: &str) -> Fallible<(&'t str, Span)> {
        let end = Span::new(self.text.len(), self.text.len());
        match self.next() {
            Some(line) => Ok(line),
            None => self.wrong(end, format!("the certificate ends where {what} is expected")),
        }
    }
}

/// A line that ends a list of rows, clauses or steps.
fn is_keyword(line: &str) -> bool {
    line == "end" || line == "obligation"
}

/// Reads a certificate with its header.
pub fn certificate(lines: &mut Lines<'_>, circuit: &Circuit) -> Fallible<Certificate> {
    let (property, monitor) = property(lines)?;
    let Some(monitor) = monitor else {
        let (invariant, obligations) = invariant(lines, circuit)?;
        return Ok(Certificate { property, invariant, obligations });
    };
    let made = match monitor.build(circuit, property) {
        Ok(made) => made,
        Err(reason) => return lines.wrong(lines.last, reason),
    };
    let (invariant, obligations) = invariant(lines, &made)?;
    Ok(Certificate { property, invariant: watched(Some(monitor), invariant), obligations })
}

/// An invariant of a monitor, if there is one.
pub fn watched(monitor: Option<Monitor>, invariant: Invariant) -> Invariant {
    match monitor {
        Some(monitor) => Invariant::Justice { monitor, invariant: Box::new(invariant) },
        None => invariant,
    }
}

/// Reads the header and the property: a safety property, or a justice property and a monitor.
pub fn property(lines: &mut Lines<'_>) -> Fallible<(usize, Option<Monitor>)> {
    header(lines)?;
    if !lines.peek().is_some_and(|line| line.starts_with("justice")) {
        return Ok((safety(lines)?, None));
    }
    let (line, span) = lines.expect("the property")?;
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let (index, monitor) = match words[..] {
        ["justice", index, "loop"] => (index.parse(), Some(Monitor::Loop)),
        ["justice", index, "count", most] => {
            (index.parse(), most.parse().ok().map(|most| Monitor::Count { most }))
        }
        _ => {
            return lines.wrong(span, "a line `justice N loop` or `justice N count K` is expected");
        }
    };
    match (index, monitor) {
        (Ok(property), Some(monitor)) => Ok((property, Some(monitor))),
        _ => lines.wrong(span, "the property and the count are numbers"),
    }
}

fn header(lines: &mut Lines<'_>) -> Fallible<()> {
    let (header, span) = lines.expect("the header")?;
    if header == HEADER {
        Ok(())
    } else {
        lines.wrong(span, format!("the header should be `{HEADER}`"))
    }
}

fn safety(lines: &mut Lines<'_>) -> Fallible<usize> {
    let (line, span) = lines.expect("the property")?;
    match line.strip_prefix("property ").and_then(|n| n.trim().parse().ok()) {
        Some(property) => Ok(property),
        None => lines.wrong(span, "a line `property N` is expected"),
    }
}

/// Reads an invariant and its proofs, up to the end of the certificate.
pub fn invariant(lines: &mut Lines<'_>, circuit: &Circuit) -> Fallible<(Invariant, Vec<Lrat>)> {
    let (line, span) = lines.expect("the invariant")?;
    let mut words = line.split_ascii_whitespace();
    if words.next() != Some("invariant") {
        return lines.wrong(span, "a line `invariant …` is expected");
    }
    let rest: Vec<&str> = words.collect();
    let invariant = match rest.as_slice() {
        ["states", latches @ ..] => states(lines, latches, span)?,
        ["clauses"] => Invariant::Clauses(clauses(lines, circuit)?),
        ["aig"] => aig(lines)?,
        ["k-induction", k, path @ ..] if matches!(path, [] | ["simple-path"]) => {
            let Ok(k) = k.parse() else { return lines.wrong(span, "k is a number") };
            let lemmas = clauses(lines, circuit)?;
            Invariant::KInductive { k, simple_path: !path.is_empty(), lemmas }
        }
        _ => return lines.wrong(span, "an invariant is states, clauses, aig or k-induction"),
    };
    let mut obligations = Vec::new();
    loop {
        let (line, span) = lines.expect("`end`")?;
        match line {
            "end" => return Ok((invariant, obligations)),
            "obligation" => {
                let mut proof = Lrat::default();
                while lines.peek().is_some_and(|line| !is_keyword(line)) {
                    let (line, span) = lines.expect("a step")?;
                    proof.steps.push(lrat::read_step(line, span).map_err(Box::new)?);
                }
                obligations.push(proof);
            }
            _ => return lines.wrong(span, "a line `obligation` or `end` is expected"),
        }
    }
}

pub(super) fn states(lines: &mut Lines<'_>, latches: &[&str], span: Span) -> Fallible<Invariant> {
    let numbers: Result<Vec<u32>, _> = latches.iter().map(|word| word.parse()).collect();
    let Ok(latches) = numbers else {
        return lines.wrong(span, "the latches are given by their positions");
    };
    let mut states = Vec::new();
    while lines.peek().is_some_and(|line| !is_keyword(line)) {
        let (line, span) = lines.expect("a row")?;
        // An empty line would not be seen.
        let line = if line == "-" { "" } else { line };
        if line.len() != latches.len() || !line.bytes().all(|b| b == b'0' || b == b'1') {
            let message = format!("a row of {} bits is expected", latches.len());
            return lines.wrong(span, message);
        }
        states.push(line.bytes().map(|b| b == b'1').collect());
    }
    Ok(Invariant::States { latches, states })
}

pub(super) fn clauses(lines: &mut Lines<'_>, circuit: &Circuit) -> Fallible<Vec<Vec<Lit>>> {
    let mut clauses = Vec::new();
    while lines.peek().is_some_and(|line| !is_keyword(line)) {
        let (line, span) = lines.expect("a clause")?;
        let numbers: Result<Vec<i64>, _> =
            line.split_ascii_whitespace().map(|word| word.parse()).collect();
        let Ok(numbers) = numbers else {
            return lines.wrong(span, "a clause is a list of numbers that ends with 0");
        };
        let Some((0, literals)) = numbers.split_last() else {
            return lines.wrong(span, "a clause ends with 0");
        };
        let mut clause = Vec::with_capacity(literals.len());
        for &number in literals {
            let latch = number.unsigned_abs();
            if latch == 0 || latch > circuit.latches.len() as u64 {
                return lines.wrong(span, format!("the circuit has no latch {number}"));
            }
            let var = circuit.latch(latch as usize - 1).var();
            clause.push(Lit::new(var, number < 0));
        }
        clauses.push(clause);
    }
    Ok(clauses)
}

pub(super) fn aig(lines: &mut Lines<'_>) -> Fallible<Invariant> {
    let begin = lines.at;
    let mut text = String::new();
    loop {
        let (line, _) = lines.expect("`end` of the circuit")?;
        if line == "end" {
            break;
        }
        let _ = writeln!(text, "{line}");
    }
    let (circuit, diagnostics) = aiger::read(text.as_bytes());
    match circuit {
        Some(circuit) if diagnostics.is_clean() => Ok(Invariant::Aig(Box::new(circuit))),
        _ => {
            let reason = diagnostics.list.first().map_or("", |d| d.message.as_str());
            let span = Span::new(begin, lines.at);
            lines.wrong(span, format!("the invariant's circuit cannot be read: {reason}"))
        }
    }
}
