//! Horn clauses in Prolog's syntax, read and written.
//!
//! A clause is `head :- body.` or a fact `head.`; the head `false` makes it a query. All variables are
//! integers. A name with arguments, or alone as a literal, is a relation; in a comparison or as an argument
//! it is a variable, and whether it begins with a capital letter says nothing. Relations of one name and
//! several numbers of arguments are several relations.
//!
//! Invariant: what `read` returns is a valid Horn system over integers, and writing it and reading that
//! gives the same clauses.
//!
//! After the grammar of Eldarica \[HR18\] and the files of ARMC and RAHFT. We take more than Eldarica: any
//! terms as arguments, facts, `_`, `true`, `=:=`, `\=`, `is`. Division is that of SMT-LIB.

mod clause;
mod value;
mod write;

use crate::diag::{Code, Diagnostic, Diagnostics, Read, Severity};
use crate::infix::{Assoc, Cursor, Fallible, Grammar, Lexis, infix};
use alphorn_problem::horn::{Head, PredId};
use alphorn_problem::{Horn, Span};
use std::collections::BTreeMap;

pub use write::write;

static LEXIS: Lexis = Lexis {
    line_comments: &["%", "//"],
    has_block_comments: true,
    has_decimals: false,
    has_escapes: false,
    has_words: false,
    begins_name: |byte| byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$',
    continues_name: |byte| byte.is_ascii_alphanumeric() || b"_'$".contains(&byte),
    symbols: &[
        "=\\=", "=:=", ":-", "?-", "-[", "!=", "\\+", "\\=", "=<", ">=", "<=", "==", "=", "<", ">",
        "+", "-", "*", "/", "(", ")", "[", "]", ",", ";", ".", "|",
    ],
};

static GRAMMAR: Grammar = Grammar {
    prefix: &[("\\+", 30), ("-", 70), ("+", 70)],
    infix: &[
        infix(10, Assoc::Chain, &[";"]),
        infix(20, Assoc::Chain, &[","]),
        infix(40, Assoc::None, &["=", "=:=", "is", "!=", "=\\=", "\\=", "<", "=<", ">", ">="]),
        infix(50, Assoc::Chain, &["+"]),
        infix(50, Assoc::Left, &["-"]),
        infix(60, Assoc::Chain, &["*"]),
        infix(60, Assoc::Left, &["/", "mod"]),
    ],
    calls: &[("(", ")"), ("-[", "]")],
    has_indices: false,
    has_conditional: false,
    binders: &[],
    bindings: |_| Ok(()),
    reserved: &["mod", "is"],
};

/// Reads a system of clauses.
pub fn read(bytes: &[u8]) -> Read<Horn> {
    let mut reader = Reader {
        cursor: Cursor::new(bytes, 0, &LEXIS, Code::PrologSyntax),
        horn: Horn::default(),
        relations: BTreeMap::new(),
        diagnostics: Diagnostics::default(),
    };
    if let Some(diagnostic) = Diagnostic::too_large(bytes) {
        reader.report(diagnostic);
    } else if reader.cursor.is_at_end() {
        let message = "the file has no clauses";
        reader.report(Diagnostic::error(Code::FileEmpty, Span::NONE, message));
    } else {
        reader.run();
    }
    let Reader { horn, diagnostics, .. } = reader;
    let horn = crate::smtlib::distinct_names(&horn).unwrap_or(horn);
    (diagnostics.is_clean().then_some(horn), diagnostics)
}

/// The state of one run.
struct Reader<'t> {
    cursor: Cursor<'t>,
    horn: Horn,
    /// The relations by name and number of arguments.
    relations: BTreeMap<(&'t str, usize), PredId>,
    diagnostics: Diagnostics,
}

impl Reader<'_> {
    fn run(&mut self) {
        while !self.cursor.is_at_end() && !self.diagnostics.is_full() {
            if let Err(diagnostic) = self.sentence() {
                self.report(*diagnostic);
                if !self.cursor.is_at_end() {
                    self.cursor.recover(&["."], &[]);
                }
            }
        }
        let is_query = |head: &Head| *head == Head::False;
        if self.diagnostics.is_clean() && !self.horn.clauses.iter().any(|c| is_query(&c.head)) {
            let message = "no clause has the head false, so that nothing is asked";
            let hint = "add a query: false :- body.";
            let warning = Diagnostic::warning(Code::PrologNoQuery, Span::NONE, message);
            self.report(warning.hint(hint));
        }
    }

    /// A clause or a directive, with its point.
    fn sentence(&mut self) -> Fallible<()> {
        let start = self.cursor.peek().span;
        if self.cursor.is(":-") || self.cursor.is("?-") {
            return self.directive(start);
        }
        self.clause(start)
    }

    /// Directives of Prolog systems have no effect on clauses; a goal among them would be a question.
    fn directive(&mut self, start: Span) -> Fallible<()> {
        const WITHOUT_EFFECT: [&str; 6] =
            ["dynamic", "discontiguous", "module", "use_module", "mode", "multifile"];
        self.cursor.take();
        let is_known = WITHOUT_EFFECT.iter().any(|word| self.cursor.is(word));
        let word = self.cursor.peek().span;
        if !is_known {
            let message = "a goal without a head is not understood here";
            let hint = "a query has the head false: false :- body.";
            let diagnostic = Diagnostic::error(Code::PrologSyntax, start, message);
            return Err(Box::new(diagnostic.hint(hint)));
        }
        self.cursor.recover(&["."], &[]);
        let message = format!("the directive {} has no effect", self.cursor.text(word));
        self.report(Diagnostic::warning(
            Code::PrologIgnored,
            self.cursor.span_from(start),
            message,
        ));
        Ok(())
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        let is_warning = diagnostic.severity == Severity::Warning;
        let is_known = is_warning && self.has_said(diagnostic.code);
        if !self.diagnostics.is_full() && !is_known {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Whether a warning of this kind was given: one is enough.
    fn has_said(&self, code: Code) -> bool {
        self.diagnostics.list.iter().any(|diagnostic| diagnostic.code == code)
    }
}
