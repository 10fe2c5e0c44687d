//! What the reader has to say, and when it has said enough.

use crate::diag::{Code, Diagnostic, Diagnostics, MAX_DIAGNOSTICS, Severity};
use alphorn_problem::Span;

/// The most warnings that are kept: a file may be full of what gcc warns about, and be read all the same.
const MAX_WARNINGS: usize = 10;

/// Something is wrong and has been said; the parser goes on behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop;

/// What a step of the parser returns.
pub type Res<T> = Result<T, Stop>;

/// Diagnostics of one run.
#[derive(Debug, Default)]
pub struct Report {
    /// What was said.
    pub list: Diagnostics,
    errors: usize,
    warnings: usize,
    /// Nothing more is said: the reader gave up.
    pub is_over: bool,
}

impl Report {
    /// Records a diagnostic.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.is_over {
            return;
        }
        if diagnostic.severity == Severity::Warning {
            self.warnings += 1;
            if self.warnings > MAX_WARNINGS {
                return;
            }
        } else {
            self.errors += 1;
            self.is_over = self.errors >= MAX_DIAGNOSTICS;
        }
        self.list.push(diagnostic);
    }

    /// Records an error.
    pub fn error(&mut self, code: Code, span: Span, message: impl Into<String>) -> Stop {
        self.push(Diagnostic::error(code, span, message));
        Stop
    }

    /// Records a warning.
    pub fn warn(&mut self, code: Code, span: Span, message: impl Into<String>) {
        if self.warnings < MAX_WARNINGS {
            self.push(Diagnostic::warning(code, span, message));
        }
    }

    /// Whether anything is wrong.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }
}
