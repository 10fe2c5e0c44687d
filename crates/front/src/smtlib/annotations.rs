//! Annotations: names of terms, and what is said about the instances of quantifiers.
//!
//! `:named` gives a term a name. `:pattern`, `:no-pattern`, `:weight`, `:qid` and `:skolemid` belong
//! to the quantifier whose body they stand at, through `let` and other annotations, and are kept
//! beside its term (`Annotations`). A pattern that cannot find instances is an error: it has to
//! mention all variables of its quantifier, by applications and not by connectives. One that
//! simplification leaves with fewer variables has no effect, which is a warning like for
//! everything else that has none.
//!
//! Patterns nest neither quantifiers nor annotations, so reading them inside of a term recurses
//! once.

use super::Fallible;
use super::context::Named;
use super::cursor::shorten;
use super::lex::{Kind, Token};
use super::scope::Meaning;
use super::term::{Done, Frame, TermParser};
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_term::{Op, SortId, TermId};

impl TermParser<'_, '_, '_> {
    pub(super) fn begin_annotation(&mut self, start: u32) -> Fallible<()> {
        if self.is_in_pattern {
            return Err(self.not_in_pattern("an annotation"));
        }
        self.cursor.take();
        let is_outermost = self.at_outermost();
        if is_outermost {
            self.outermost += 1;
        }
        self.stack.frames.push(Frame::Annotated { start, is_outermost });
        Ok(())
    }

    pub(super) fn end_annotation(
        &mut self,
        done: Done,
        start: u32,
        is_outermost: bool,
    ) -> Fallible<Done> {
        let mut count = 0;
        while self.cursor.eat(Kind::Close).is_none() {
            let Some(token) = self.cursor.eat(Kind::Keyword) else {
                return Err(self.cursor.unexpected("a keyword"));
            };
            count += 1;
            if self.cursor.bytes_of(token) == b":named" {
                self.end_named(done, is_outermost)?;
                continue;
            }
            if self.end_hint(token)? {
                continue;
            }
            let keyword = shorten(self.cursor.text_of(token));
            if !matches!(self.cursor.peek().kind, Kind::Close | Kind::Keyword) {
                self.cursor.skip_expression("the annotation's value")?;
            }
            let message = format!("the annotation {keyword} has no effect");
            let warning = Diagnostic::warning(Code::SmtIgnored, token.span(), message);
            self.context.warn_once(&keyword, warning);
        }
        if count == 0 {
            let message = "an annotation needs a keyword";
            let span = self.cursor.span_from(start);
            return Err(Box::new(Diagnostic::error(Code::SmtSyntax, span, message)));
        }
        Ok(self.done(done.term, start))
    }

    /// Gives the term its name: to a closed term as a symbol, to an assertion as its own.
    fn end_named(&mut self, done: Done, is_outermost: bool) -> Fallible<()> {
        let token = self.cursor.symbol("a name")?;
        let name = self.context.scope.name(self.cursor.bytes_of(token));
        if !self.context.scope.is_free(name) {
            return Err(self.context.redeclared(name, token.span()));
        }
        let text = self.cursor.text_of(token);
        let mut term = done.term;
        if is_outermost && let Some(assertion) = &mut self.assertion {
            assertion.name = Some(text.to_owned());
            if self.context.store.sort(term) == SortId::BOOL {
                term = self.context.store.forall(&assertion.vars, term);
            }
        }
        if is_outermost || self.context.scope.open_vars == 0 {
            self.context.scope.declare(name, Meaning::Value(term));
            let is_whole = self.stack.frames.len() == 1;
            self.context.named.push(Named { name, term, is_whole });
        } else {
            self.warn_open_name(text, token.span());
        }
        Ok(())
    }

    fn warn_open_name(&mut self, name: &str, span: Span) {
        let message = format!("the name `{}` has no effect", shorten(name));
        let hint = "the term has variables that are bound outside of it";
        let diagnostic = Diagnostic::warning(Code::SmtIgnored, span, message).hint(hint);
        self.context.warn_once(":named", diagnostic);
    }

    /// The variables of the quantifier whose body is being annotated, as a place on the stack.
    fn annotated_vars(&self) -> Option<usize> {
        for frame in self.stack.frames.iter().rev() {
            match frame {
                Frame::Annotated { .. } | Frame::LetBody { .. } => {}
                Frame::Quantifier { vars, .. } => return Some(*vars as usize),
                _ => return None,
            }
        }
        None
    }

    /// Reads a hint about the quantifier around; whether the keyword is one, and stands at a body.
    fn end_hint(&mut self, token: Token) -> Fallible<bool> {
        let keyword = self.cursor.bytes_of(token);
        let hints: [&[u8]; 5] = [b":pattern", b":no-pattern", b":weight", b":qid", b":skolemid"];
        if !hints.contains(&keyword) {
            return Ok(false);
        }
        let Some(vars) = self.annotated_vars() else { return Ok(false) };
        match keyword {
            b":pattern" => self.pattern(token, vars)?,
            b":no-pattern" => {
                let term = self.term_in_pattern()?;
                if let Some(own) = self.stack.annotations.last_mut() {
                    own.no_patterns.push(term);
                }
            }
            b":weight" => {
                let weight = self.cursor.small_numeral("a weight")?;
                if let Some(own) = self.stack.annotations.last_mut() {
                    own.weight = Some(weight);
                }
            }
            b":qid" | b":skolemid" => {
                let name = self.cursor.symbol("a name")?;
                let name = self.cursor.text_of(name).to_owned();
                if let Some(own) = self.stack.annotations.last_mut() {
                    let place = if keyword == b":qid" { &mut own.qid } else { &mut own.skolemid };
                    *place = Some(name);
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn pattern(&mut self, keyword: Token, vars: usize) -> Fallible<()> {
        let open = self.cursor.open("the list of a pattern's terms")?;
        let mut terms = Vec::new();
        while self.cursor.eat(Kind::Close).is_none() {
            let first = self.cursor.peek();
            let is_list = first.kind == Kind::Open;
            let term = match self.term_in_pattern() {
                // A function that stands alone is `(f x)` without the parentheses of the list.
                Err(_) if first.kind == Kind::Symbol && self.is_function(first) => {
                    return Err(not_applications(first.span()));
                }
                read => read?,
            };
            let op = self.context.store.op(term);
            let is_simple = is_list && self.context.store.is_literal(term);
            if (is_connective(op) && !is_simple) || (matches!(op, Op::Var(_)) && !is_list) {
                return Err(not_applications(self.cursor.span_from(first.start)));
            }
            terms.push(term);
        }
        let span = self.cursor.span_from(open.start);
        let store = &self.context.store;
        let mentioned = store.free_vars(&terms);
        let missing: Vec<TermId> = self.stack.vars[vars..]
            .iter()
            .copied()
            .filter(|var| !mentioned.contains(var))
            .collect();
        let is_simplified = terms
            .iter()
            .any(|term| is_connective(store.op(*term)) || matches!(store.op(*term), Op::Var(_)));
        let is_written = |var: &TermId| {
            let name = store.var_name(*var).unwrap_or_default();
            let name = name.split('!').next().unwrap_or(name);
            let text = &self.cursor.text()[span.start as usize..span.end as usize];
            let ends = |byte: &u8| byte.is_ascii_whitespace() || b"()|".contains(byte);
            text.split(ends).any(|word| word == name.as_bytes())
        };
        if is_simplified || !missing.is_empty() && missing.iter().all(is_written) {
            let message = "the pattern has no effect: its terms simplify to others";
            let warning = Diagnostic::warning(Code::SmtIgnored, span, message);
            let written = self.cursor.text_of(keyword).to_owned();
            self.context.warn_once(&written, warning);
            return Ok(());
        }
        if let Some(var) = missing.first() {
            let name = shorten(store.var_name(*var).unwrap_or_default());
            let message = format!("the pattern does not mention the variable `{name}`");
            let diagnostic = Diagnostic::error(Code::SmtPattern, span, message);
            let hint = "each pattern has to mention all variables of its quantifier; it may have \
                        several terms, `:pattern ((f x) (g y))`";
            return Err(Box::new(diagnostic.hint(hint)));
        }
        if let Some(own) = self.stack.annotations.last_mut() {
            own.patterns.push(terms);
        }
        Ok(())
    }

    fn is_function(&mut self, token: Token) -> bool {
        let name = self.context.scope.name(self.cursor.bytes_of(token));
        !matches!(self.context.scope.meaning(name), Meaning::Undeclared)
    }

    /// Reads a term of a pattern.
    fn term_in_pattern(&mut self) -> Fallible<TermId> {
        let atoms = self.context.atoms.len();
        self.is_in_pattern = true;
        let term = self.run()?;
        self.is_in_pattern = false;
        self.context.atoms.truncate(atoms);
        Ok(term)
    }

    pub(super) fn not_in_pattern(&self, what: &str) -> Box<Diagnostic> {
        let message = format!("{what} cannot be part of a pattern");
        let span = self.cursor.peek().span();
        Box::new(Diagnostic::error(Code::SmtPattern, span, message))
    }
}

fn not_applications(span: Span) -> Box<Diagnostic> {
    let message = "a pattern consists of applications of functions";
    let hint = "a pattern is a list of terms, each with its own parentheses, `:pattern ((f x))`";
    Box::new(Diagnostic::error(Code::SmtPattern, span, message).hint(hint))
}

/// Whether no term with this operator is ever looked for.
fn is_connective(op: Op) -> bool {
    matches!(
        op,
        Op::True
            | Op::False
            | Op::Not
            | Op::And
            | Op::Or
            | Op::Eq
            | Op::Distinct
            | Op::Ite
            | Op::Le
            | Op::Lt
    )
}
