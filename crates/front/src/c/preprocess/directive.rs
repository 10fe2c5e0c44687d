//! Directives: a line that begins with `#`.
//!
//! Source: C11 6.10.1 to 6.10.7; line markers as `cc -E` writes them.

use super::Preprocessor;
use super::cursor::{Conditional, Cursor};
use crate::c::lex::{Raw, RawKind};
use crate::diag::{Code, Diagnostic, Span};

/// The directives that open, divide and close conditional groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Branch {
    /// `#if`, `#ifdef`, `#ifndef`
    Open(Test),
    /// `#elif`, `#elifdef`, `#elifndef`
    ElseIf(Test),
    Else,
    Close,
}

/// How a condition is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Test {
    Expression,
    Defined,
    Undefined,
}

fn branch(word: &str) -> Option<Branch> {
    Some(match word {
        "if" => Branch::Open(Test::Expression),
        "ifdef" => Branch::Open(Test::Defined),
        "ifndef" => Branch::Open(Test::Undefined),
        "elif" => Branch::ElseIf(Test::Expression),
        "elifdef" => Branch::ElseIf(Test::Defined),
        "elifndef" => Branch::ElseIf(Test::Undefined),
        "else" => Branch::Else,
        "endif" => Branch::Close,
        _ => return None,
    })
}

impl Preprocessor<'_> {
    /// Carries out a directive whose `#` has been read.
    pub fn directive(&mut self, cursor: &mut Cursor<'_>) {
        let hash = cursor.lexer.at() - 1;
        cursor.lexer.stays_in_line = true;
        let word = cursor.lexer.next_token(&mut self.tokens.symbols);
        let span = cursor.span(hash, word.end as usize);
        let mut is_skipped = false;
        match word.kind {
            RawKind::End => {}
            RawKind::Number(_) => self.line(word, span, cursor),
            RawKind::Name(name) => {
                let text = self.tokens.symbols.text(name).to_owned();
                match branch(&text) {
                    Some(branch) => is_skipped = self.branch(branch, span, cursor),
                    None => self.command(&text, span, cursor),
                }
            }
            _ => {
                self.error(cursor, Code::CDirective, span, "the name of a directive is expected");
            }
        }
        self.end_line(cursor);
        if is_skipped {
            self.skip_group(cursor);
        }
    }

    /// Leaves the line of a directive.
    fn end_line(&mut self, cursor: &mut Cursor<'_>) {
        cursor.lexer.skip_line();
        cursor.lexer.stays_in_line = false;
    }

    /// A directive that is no condition.
    fn command(&mut self, word: &str, span: Span, cursor: &mut Cursor<'_>) {
        match word {
            "define" => self.define(cursor),
            "undef" => self.undefine(cursor),
            "include" | "include_next" | "import" => self.include(word == "import", span, cursor),
            "line" => {
                let line = self.rest_of_line(cursor);
                let line = self.expand_all(&line, cursor);
                let number = line.first().map(|piece| piece.kind);
                let name = line.get(1).map(|piece| piece.kind);
                self.set_line(number, name, span, cursor);
            }
            "pragma" => self.pragma(cursor),
            "error" => {
                let text = self.text_of_line(cursor);
                self.error(cursor, Code::CRefused, span, format!("#error {text}"))
                    .hint("the program says that it cannot be compiled like this");
            }
            "warning" => {
                let text = self.text_of_line(cursor);
                self.report(
                    cursor,
                    Diagnostic::warning(Code::CRefused, span, format!("#warning {text}")),
                );
            }
            "ident" | "sccs" => {}
            _ => {
                let message = format!("there is no directive #{word}");
                self.error(cursor, Code::CDirective, span, message);
            }
        }
    }

    /// The rest of a line as it is written.
    fn text_of_line(&mut self, cursor: &mut Cursor<'_>) -> String {
        let start = cursor.lexer.at();
        cursor.lexer.skip_line();
        let text = cursor.lexer.slice(start, cursor.lexer.at());
        String::from_utf8_lossy(text).trim().to_owned()
    }

    /// Warns of what stands after a directive.
    pub fn nothing_more(&mut self, cursor: &mut Cursor<'_>, word: &str) {
        let raw = cursor.lexer.next_token(&mut self.tokens.symbols);
        if raw.kind != RawKind::End {
            let message = format!("what stands after {word} has no effect");
            self.report(
                cursor,
                Diagnostic::warning(Code::CDirective, cursor.span_of(raw), message),
            );
        }
    }

    /// A line marker, `# 12 "file" 1 3`, after its number.
    fn line(&mut self, number: Raw, span: Span, cursor: &mut Cursor<'_>) {
        let name = cursor.lexer.next_token(&mut self.tokens.symbols);
        let name = (name.kind != RawKind::End).then_some(name.kind);
        self.set_line(Some(number.kind), name, span, cursor);
    }

    fn set_line(
        &mut self,
        number: Option<RawKind>,
        name: Option<RawKind>,
        span: Span,
        cursor: &mut Cursor<'_>,
    ) {
        let symbols = &self.tokens.symbols;
        let line = match number {
            Some(RawKind::Number(text)) => symbols.text(text).parse::<u32>().ok(),
            _ => None,
        };
        let name = match name {
            None => Some(None),
            Some(RawKind::Text(text)) => {
                let text = symbols.text(text);
                let name = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
                name.map(|name| Some(name.replace("\\\"", "\"").replace("\\\\", "\\")))
            }
            Some(_) => None,
        };
        match (line, name) {
            (Some(line), Some(name)) => cursor.set_line(i64::from(line), name),
            _ => {
                let message = "the number of a line and the name of a file are expected";
                self.error(cursor, Code::CDirective, span, message);
            }
        }
    }

    /// A directive of a condition outside skipped text; whether what follows is skipped.
    fn branch(&mut self, branch: Branch, span: Span, cursor: &mut Cursor<'_>) -> bool {
        match branch {
            Branch::Open(test) => {
                let is_decided = self.test(test, span, cursor);
                cursor.conditionals.push(Conditional { span, is_decided, has_else: false });
                !is_decided
            }
            Branch::ElseIf(_) | Branch::Else => {
                let Some(conditional) = cursor.conditionals.last_mut() else {
                    self.error(cursor, Code::CConditional, span, "there is no #if for this");
                    return false;
                };
                let had_else = conditional.has_else;
                conditional.has_else |= branch == Branch::Else;
                if had_else {
                    self.error(cursor, Code::CConditional, span, "this stands after #else");
                }
                true
            }
            Branch::Close => {
                self.nothing_more(cursor, "#endif");
                if cursor.conditionals.pop().is_none() {
                    self.error(cursor, Code::CConditional, span, "there is no #if for this");
                }
                false
            }
        }
    }

    /// Whether a condition holds.
    fn test(&mut self, test: Test, span: Span, cursor: &mut Cursor<'_>) -> bool {
        if test == Test::Expression {
            return self.condition(span, cursor);
        }
        let Some((name, _)) = self.macro_name(cursor) else { return false };
        self.nothing_more(cursor, "the name");
        self.macro_of(name).is_some() == (test == Test::Defined)
    }

    /// Passes text up to the directive that ends the group, or that begins one to be read.
    fn skip_group(&mut self, cursor: &mut Cursor<'_>) {
        let mut depth = 0;
        while cursor.lexer.skip_to_directive() {
            let hash = cursor.lexer.at() - 1;
            cursor.lexer.stays_in_line = true;
            let word = cursor.lexer.next_token(&mut self.tokens.symbols);
            let span = cursor.span(hash, word.end as usize);
            let directive = match word.kind {
                RawKind::Name(name) => branch(self.tokens.symbols.text(name)),
                _ => None,
            };
            let mut is_done = false;
            match directive {
                Some(Branch::Open(_)) => depth += 1,
                Some(Branch::Close) if depth > 0 => depth -= 1,
                Some(Branch::Close) => {
                    self.nothing_more(cursor, "#endif");
                    cursor.conditionals.pop();
                    is_done = true;
                }
                Some(branch) if depth == 0 => is_done = self.divide(branch, span, cursor),
                _ => {}
            }
            self.end_line(cursor);
            if is_done || self.is_over {
                return;
            }
        }
    }

    /// `#elif` or `#else` after a group that is skipped; whether the next group is read.
    fn divide(&mut self, branch: Branch, span: Span, cursor: &mut Cursor<'_>) -> bool {
        let conditional = *cursor.conditionals.last().expect("a group belongs to a conditional");
        if conditional.has_else {
            self.error(cursor, Code::CConditional, span, "this stands after #else");
            return false;
        }
        let is_read = match branch {
            Branch::ElseIf(test) if !conditional.is_decided => self.test(test, span, cursor),
            Branch::Else => !conditional.is_decided,
            _ => false,
        };
        let conditional = cursor.conditionals.last_mut().expect("the conditional is still open");
        conditional.is_decided |= is_read;
        conditional.has_else |= branch == Branch::Else;
        is_read
    }
}
