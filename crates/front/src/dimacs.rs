//! CNF formulas in DIMACS format.
//!
//! Comment lines begin with `c`; the header `p cnf VARIABLES CLAUSES` comes before the clauses,
//! which are numbers ended by 0, broken into lines anywhere. A line `%`, with which some old files
//! end, ends the file.
//!
//! The reader insists on the header and on what it promises: a clause more or less is the first
//! sign of a file that was cut or glued. Numbers far beyond what the file could use are refused,
//! because memory grows with the largest of them.

use crate::diag::{Code, Diagnostic, Diagnostics, Read};
use alphorn_problem::Span;

/// A formula in conjunctive normal form, with the numbers of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cnf {
    /// How many variables the header promises.
    pub variables: u32,
    /// The largest variable that occurs; 0 if none does.
    pub largest: u32,
    literals: Vec<i32>,
    ends: Vec<usize>,
}

impl Cnf {
    /// The formula with these clauses, whose literals are not 0.
    pub fn of<'a>(clauses: impl IntoIterator<Item = &'a [i32]>) -> Cnf {
        let mut cnf = Cnf::default();
        for clause in clauses {
            cnf.literals.extend(clause);
            cnf.ends.push(cnf.literals.len());
        }
        cnf.largest = cnf.literals.iter().map(|lit| lit.unsigned_abs()).max().unwrap_or(0);
        cnf.variables = cnf.largest;
        cnf
    }

    /// How many clauses there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no clause.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The clauses, in order.
    pub fn clauses(&self) -> impl Iterator<Item = &[i32]> {
        (0..self.ends.len()).map(|index| {
            let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
            &self.literals[start..self.ends[index]]
        })
    }
}

const HEADER_HINT: &str = "a formula begins with the line: p cnf VARIABLES CLAUSES";

/// Variables beyond this may occur only in files of a size to match.
const MAX_IN_SMALL_FILES: usize = 1 << 20;
/// How many variables there may be for each literal of a larger file.
const MAX_PER_LITERAL: usize = 64;

/// Reads a formula.
pub fn read(bytes: &[u8]) -> Read<Cnf> {
    let mut reader =
        Reader { bytes, at: 0, cnf: Cnf::default(), diagnostics: Diagnostics::default() };
    if let Some(promised) = reader.header() {
        reader.clauses();
        if reader.diagnostics.is_clean() {
            reader.compare(promised);
        }
    }
    let Reader { cnf, diagnostics, .. } = reader;
    (diagnostics.is_clean().then_some(cnf), diagnostics)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    cnf: Cnf,
    diagnostics: Diagnostics,
}

impl<'a> Reader<'a> {
    fn span(&self, start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    fn error(&mut self, code: Code, (start, end): (usize, usize), message: &str, hint: &str) {
        let diagnostic = Diagnostic::error(code, self.span(start, end), message);
        self.diagnostics.push(diagnostic.hint(hint));
    }

    fn skip_line(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |at| at + 1);
    }

    /// The next word that is not part of a comment line, with its place; none at the end.
    fn word(&mut self) -> Option<(&'a [u8], (usize, usize))> {
        loop {
            let mut begins_line = self.at == 0 || self.bytes[self.at - 1] == b'\n';
            while let Some(byte) = self.bytes.get(self.at).filter(|byte| byte.is_ascii_whitespace())
            {
                begins_line |= *byte == b'\n';
                self.at += 1;
            }
            match self.bytes.get(self.at)? {
                b'c' if begins_line => self.skip_line(),
                b'%' if begins_line => self.at = self.bytes.len(),
                _ => break,
            }
        }
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        let place = (self.at, self.at + length);
        self.at += length;
        Some((&rest[..length], place))
    }

    /// Reads the header; returns how many clauses it promises, and where.
    fn header(&mut self) -> Option<(usize, (usize, usize))> {
        let Some((first, place)) = self.word() else {
            let end = self.bytes.len();
            self.error(Code::DimacsHeader, (end, end), "there is no header", HEADER_HINT);
            return None;
        };
        let line = &self.bytes[place.0..];
        let end = line.iter().position(|byte| *byte == b'\n').unwrap_or(line.len());
        let line = line[..end].trim_ascii_end();
        let place = (place.0, place.0 + line.len());
        if first != b"p" {
            let message = "the header is missing before the first clause";
            self.error(Code::DimacsHeader, place, message, HEADER_HINT);
            return None;
        }
        let words: Vec<&[u8]> =
            line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
        let parsed = match words[..] {
            [_, b"cnf", variables, clauses] => {
                number(variables).and_then(|n| u32::try_from(n).ok()).zip(number(clauses))
            }
            _ => None,
        };
        let most = i32::MAX as u32;
        let Some((variables, clauses)) = parsed.filter(|(variables, _)| *variables <= most) else {
            let message = match words.get(1) {
                Some(&b"cnf") if words.len() < 4 => "the header is cut short",
                Some(&b"cnf") => "the header's numbers are malformed or too large",
                _ => "the header does not say cnf",
            };
            self.error(Code::DimacsHeader, place, message, HEADER_HINT);
            return None;
        };
        self.cnf.variables = variables;
        self.at = place.1;
        Some((usize::try_from(clauses).unwrap_or(usize::MAX), place))
    }

    fn clauses(&mut self) {
        let mut last = (0, 0);
        while let Some((word, place)) = self.word() {
            match literal(word) {
                Some(0) => self.cnf.ends.push(self.cnf.literals.len()),
                Some(lit) => self.literal(lit, place),
                None => {
                    let word = String::from_utf8_lossy(&word[..word.len().min(20)]).into_owned();
                    let message = format!("'{}' is not a literal", word.escape_debug());
                    let hint = "a clause is a list of numbers, not 0, ended by 0";
                    self.error(Code::DimacsNumber, place, &message, hint);
                }
            }
            if self.diagnostics.is_full() {
                return;
            }
            last = place;
        }
        if self.cnf.literals.len() > self.cnf.ends.last().copied().unwrap_or(0) {
            let message = "the file ends inside a clause";
            self.error(Code::DimacsEnd, last, message, "end the last clause by 0");
        }
    }

    fn literal(&mut self, lit: i32, place: (usize, usize)) {
        let var = lit.unsigned_abs();
        self.cnf.literals.push(lit);
        if var > self.cnf.variables {
            let promised = self.cnf.variables;
            let message = format!("variable {var} is beyond the {promised} of the header");
            let hint = format!("write at least {var} variables into the header");
            self.error(Code::DimacsVariable, place, &message, &hint);
        }
        self.cnf.largest = self.cnf.largest.max(var);
    }

    /// Compares what the header promises with what came.
    fn compare(&mut self, (promised, place): (usize, (usize, usize))) {
        let found = self.cnf.len();
        if found != promised {
            let message = format!("the header promises {promised} clauses, but there are {found}");
            let hint = "the file may have been cut; otherwise correct the header";
            self.error(Code::DimacsCount, place, &message, hint);
        }
        let bearable = MAX_IN_SMALL_FILES.max(self.cnf.literals.len() * MAX_PER_LITERAL);
        if self.cnf.largest as usize > bearable {
            let message = "the variables' numbers are far larger than the file";
            let diagnostic =
                Diagnostic::unsupported(Code::DimacsSparse, self.span(place.0, place.1), message);
            self.diagnostics.push(diagnostic.hint("number the variables from 1 without gaps"));
        }
    }
}

fn number(word: &[u8]) -> Option<u64> {
    let is_plain = !word.is_empty() && word.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(word).ok().filter(|_| is_plain)?.parse().ok()
}

/// A number between the smallest and the largest literal; there is no literal `i32::MIN`.
fn literal(word: &[u8]) -> Option<i32> {
    let digits = word.strip_prefix(b"-").unwrap_or(word);
    let magnitude = number(digits).and_then(|number| i32::try_from(number).ok())?;
    let is_zero_with_sign = magnitude == 0 && digits.len() < word.len();
    (!is_zero_with_sign).then_some(if digits.len() < word.len() { -magnitude } else { magnitude })
}
