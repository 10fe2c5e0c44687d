//! BTOR2: word-level transition systems, read and printed, and their witnesses.
//!
//! A file is a list of numbered lines, each a sort, a variable, an operator applied to earlier
//! lines, or a property. Reading makes a term for each line. Words of one bit that come from
//! logic are Booleans inside (`lower`); variables keep the sort the file gives them, so that
//! `state 1` is a word of one bit.
//!
//! Invariant: what `read` returns is well-sorted, initial values depend on earlier states alone,
//! and printing it, reading that and printing again gives the same text.
//!
//! After Niemetz, Preiner, Wolf, Biere, "Btor2, BtorMC and Boolector 3.0" (CAV 2018). We differ
//! in three places. The value of an `init` may have a larger number than its state, as some
//! generators write it, as long as it depends on earlier states only. `udivo`, which the paper
//! lists and no tool has, is false: an unsigned quotient always fits. A symbol that is missing or
//! not unique gives way to one made from the line's number.

mod constant;
mod declare;
mod lex;
mod lower;
mod operator;
mod print;
mod table;
mod value;
mod witness;

use crate::diag::{Code, Diagnostic, Diagnostics, Read};
use alphorn_problem::{Span, Words};
use lex::{Cursor, Lines, Word};
use operator::{Operator, Shape};
use table::{Entry, Table};

pub use print::print;
pub use witness::{read_witness, write_witness};

/// Reads a transition system.
pub fn read(bytes: &[u8]) -> Read<Words> {
    let mut reader = Reader {
        words: Words::default(),
        table: Table::default(),
        literal_bits: 0,
        diagnostics: Diagnostics::default(),
    };
    if let Some(diagnostic) = lex::unreadable(bytes) {
        reader.report(diagnostic);
    } else {
        let mut is_empty = true;
        for mut line in Lines::new(bytes) {
            is_empty = false;
            reader.line(&mut line);
            if reader.diagnostics.is_full() {
                break;
            }
        }
        if is_empty {
            let message = "the file has no lines but comments";
            reader.report(Diagnostic::error(Code::FileEmpty, Span::NONE, message));
        }
    }
    let Reader { words, diagnostics, .. } = reader;
    (diagnostics.is_clean().then_some(words), diagnostics)
}

/// The state of one run: the system and the lines so far, and what there is to say.
struct Reader {
    words: Words,
    table: Table,
    /// How many bits of literals were made; see `value::MAX_LITERAL_BITS`.
    literal_bits: u64,
    diagnostics: Diagnostics,
}

impl Reader {
    fn report(&mut self, diagnostic: Diagnostic) {
        if !self.diagnostics.is_full() {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Records an error; always `None`, so that callers can return it.
    fn error<T>(&mut self, code: Code, span: Span, message: impl Into<String>) -> Option<T> {
        self.report(Diagnostic::error(code, span, message));
        None
    }

    /// Reads one line. A line with an error still defines its number, so that lines that refer to
    /// it are not blamed.
    fn line(&mut self, cursor: &mut Cursor<'_>) {
        let Some(first) = cursor.word() else { return };
        let Some(id) = first.number().filter(|id| *id > 0) else {
            let message = format!("a line starts with its number, not with `{}`", first.shown());
            self.error::<()>(Code::BtorNumber, first.span, message);
            return;
        };
        let in_order = self.check_order(id, first);
        let entry = self.definition(id, cursor).unwrap_or(Entry::Failed);
        if in_order {
            self.table.push(id, entry);
        } else {
            self.table.insert(id, entry);
        }
    }

    fn check_order(&mut self, id: u64, word: Word<'_>) -> bool {
        let last = self.table.last();
        if id > last {
            return true;
        }
        let diagnostic = if self.table.find(id).is_some() {
            let message = format!("line {id} is defined a second time");
            Diagnostic::error(Code::BtorReference, word.span, message)
        } else {
            let message = format!("line {id} stands after line {last}");
            Diagnostic::error(Code::BtorReference, word.span, message)
                .hint("the numbers of lines must grow")
        };
        self.report(diagnostic);
        false
    }

    /// What a line defines; `None` if that was reported as wrong.
    fn definition(&mut self, id: u64, cursor: &mut Cursor<'_>) -> Option<Entry> {
        let Some(name) = cursor.word() else {
            return self.error(Code::BtorLine, cursor.here(), "an operator is missing");
        };
        let Some(operator) = Operator::parse(name.text) else {
            let message = format!("`{}` is not an operator", name.shown());
            let mut diagnostic = Diagnostic::error(Code::BtorOperator, name.span, message);
            if let Some(near) = operator::nearest(name.text) {
                diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
            }
            self.report(diagnostic);
            return None;
        };
        match operator.shape() {
            Shape::Sort => self.sort_line(cursor),
            Shape::Variable => self.variable(operator, id, cursor),
            Shape::Assign => self.assign(operator, cursor),
            Shape::Property => self.property(operator, cursor),
            Shape::Justice => self.justice(cursor),
            _ => self.value(operator, cursor),
        }
    }
}
