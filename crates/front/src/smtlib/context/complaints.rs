//! What a context complains of: names that are unknown, taken, or worth a warning once.

use super::{Context, MAX_WARNINGS};
use crate::diag::{Code, Diagnostic, Severity};
use crate::smtlib::Fallible;
use crate::smtlib::cursor::{Cursor, shorten};
use crate::smtlib::heaps::not_treated;
use crate::smtlib::lex::Token;
use crate::smtlib::scope::{Meaning, NameId};
use crate::suggest::nearest;
use alphorn_problem::Span;
use alphorn_term::TermId;

impl Context {
    /// What to say about a symbol that means nothing.
    pub(in crate::smtlib) fn undeclared(
        &self,
        cursor: &Cursor<'_>,
        token: Token,
    ) -> Box<Diagnostic> {
        let text = cursor.text_of(token);
        if self.heap.as_ref().is_some_and(|heap| heap.leaves_out(text)) {
            return not_treated(token.span(), &format!("`{}`", shorten(text)));
        }
        let message = format!("`{}` is not declared", shorten(text));
        let diagnostic = Diagnostic::error(Code::SmtUndeclared, token.span(), message);
        let digits = text.strip_prefix('-').unwrap_or("");
        if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
            return Box::new(diagnostic.hint(format!("a negative number is written (- {digits})")));
        }
        Box::new(match nearest(text, self.scope.declared()) {
            Some(known) => diagnostic.hint(format!("did you mean `{known}`?")),
            None => diagnostic,
        })
    }

    /// What to say about a symbol that is declared twice.
    pub(in crate::smtlib) fn redeclared(&self, name: NameId, span: Span) -> Box<Diagnostic> {
        let text = shorten(self.scope.text(name));
        let message = match self.scope.meaning(name) {
            Meaning::Operator(_) | Meaning::Value(TermId::TRUE | TermId::FALSE) => {
                format!("`{text}` is a symbol of the theories and cannot be declared")
            }
            _ => format!("`{text}` is declared twice"),
        };
        Box::new(Diagnostic::error(Code::SmtRedeclared, span, message))
    }

    /// Whether a name can be given to a sort.
    pub(in crate::smtlib) fn check_new_sort(&self, name: NameId, span: Span) -> Fallible<()> {
        if self.sorts.meaning(name).is_none() {
            return Ok(());
        }
        let message = format!("the sort `{}` is declared twice", shorten(self.scope.text(name)));
        Err(Box::new(Diagnostic::error(Code::SmtRedeclared, span, message)))
    }

    /// Warns once about an annotation that changes nothing.
    pub(in crate::smtlib) fn warn_once(&mut self, kind: &str, diagnostic: Diagnostic) {
        if self.warned.insert(kind.to_owned()) {
            self.warn(diagnostic);
        }
    }

    /// Warns; after many warnings, says so and falls silent, to leave room for errors.
    pub(in crate::smtlib) fn warn(&mut self, diagnostic: Diagnostic) {
        let is_warning = |d: &&Diagnostic| d.severity == Severity::Warning;
        match self.diagnostics.list.iter().filter(is_warning).count() {
            count if count < MAX_WARNINGS => self.diagnostics.push(diagnostic),
            MAX_WARNINGS => {
                let message = "there are further warnings, which are not shown";
                let span = diagnostic.span;
                self.diagnostics.push(Diagnostic::warning(Code::SmtIgnored, span, message));
            }
            _ => {}
        }
    }
}
