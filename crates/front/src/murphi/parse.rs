//! Declarations and rules of Murphi.
//!
//! Words of the language are written in any case: they are made small before (`super::small_words`).

use super::tree::{Body, Declaration, Expr, File, Param, Procedure, Rule, RuleKind};
use super::{LEXIS, MAX_DEPTH, WORDS};
use crate::diag::{Code, Diagnostic, Diagnostics, Read};
use crate::infix::{Cursor, Fallible, Kind};
use alphorn_problem::Span;

/// What a part of a model begins with.
const PARTS: [&str; 14] = [
    "const",
    "type",
    "var",
    "procedure",
    "function",
    "rule",
    "startstate",
    "invariant",
    "ruleset",
    "alias",
    "liveness",
    "assert",
    "assume",
    "cover",
];

/// A reader of models.
pub(super) struct Parser<'t> {
    pub cursor: Cursor<'t>,
    depth: usize,
}

/// Reads a model.
pub(super) fn file(text: &[u8]) -> Read<File> {
    let cursor = Cursor::new(text, 0, &LEXIS, Code::MurphiSyntax);
    let mut parser = Parser { cursor, depth: 0 };
    let (mut file, mut diagnostics) = (File::default(), Diagnostics::default());
    while !parser.cursor.is_at_end() && !diagnostics.is_full() {
        if let Err(diagnostic) = parser.part(&mut file) {
            diagnostics.push(*diagnostic);
            parser.depth = 0;
            parser.cursor.recover(&[], &PARTS);
        }
    }
    (Some(file), diagnostics)
}

/// Reads an expression that stands alone.
pub(super) fn alone(text: &[u8]) -> Fallible<Expr> {
    let cursor = Cursor::new(text, 0, &LEXIS, Code::MurphiSyntax);
    let mut parser = Parser { cursor, depth: 0 };
    let expr = parser.expr()?;
    match parser.cursor.is_at_end() {
        true => Ok(expr),
        false => Err(parser.cursor.unexpected("the end")),
    }
}

impl Parser<'_> {
    fn part(&mut self, file: &mut File) -> Fallible<()> {
        if self.cursor.eat(";").is_some() {
            return Ok(());
        }
        if self.cursor.is("procedure") || self.cursor.is("function") {
            file.procedures.push(self.procedure()?);
        } else if self.is_declaration() {
            self.declarations(&mut file.declarations)?;
        } else {
            file.rules.push(self.rule()?);
        }
        Ok(())
    }

    fn is_declaration(&self) -> bool {
        ["const", "type", "var"].iter().any(|word| self.cursor.is(word))
    }

    /// Declarations behind `const`, `type` or `var`.
    fn declarations(&mut self, into: &mut Vec<Declaration>) -> Fallible<()> {
        let word = self.cursor.take().span;
        let word = self.cursor.text(word);
        while self.cursor.peek().kind == Kind::Name && !self.is_reserved() {
            let mut names = vec![self.name("a name")?];
            while word == "var" && self.cursor.eat(",").is_some() {
                names.push(self.name("a variable")?);
            }
            self.cursor.expect(":")?;
            let (name, span) = names[0].clone();
            into.push(match word {
                "const" => Declaration::Const(name, self.expr()?, span),
                "type" => Declaration::Type(name, self.ty()?, span),
                _ => Declaration::Vars(names, self.ty()?),
            });
            if self.cursor.eat(";").is_none() {
                break;
            }
            while self.cursor.eat(";").is_some() {}
        }
        Ok(())
    }

    fn procedure(&mut self) -> Fallible<Procedure> {
        let start = self.cursor.take().span;
        let is_function = self.cursor.text(start) == "function";
        let (name, _) = self.name("a name")?;
        self.cursor.expect("(")?;
        let mut params = Vec::new();
        while self.cursor.eat(")").is_none() {
            let is_var = self.cursor.eat("var").is_some();
            let mut names = vec![self.name("a parameter")?.0];
            while self.cursor.eat(",").is_some() {
                names.push(self.name("a parameter")?.0);
            }
            self.cursor.expect(":")?;
            let ty = self.ty()?;
            params.extend(names.into_iter().map(|name| Param { name, is_var, ty: ty.clone() }));
            if self.cursor.eat(";").is_none() && !self.cursor.is(")") {
                return Err(self.cursor.unexpected("`)`"));
            }
        }
        let result = match is_function {
            true => {
                self.cursor.expect(":")?;
                Some(self.ty()?)
            }
            false => None,
        };
        self.cursor.eat(";");
        let span = self.cursor.span_from(start);
        let body = self.body()?;
        self.end(&["endprocedure", "endfunction"])?;
        Ok(Procedure { name, params, result, body, span })
    }

    /// Declarations, `begin`, statements; `end` is left.
    fn body(&mut self) -> Fallible<Body> {
        let mut declarations = Vec::new();
        while self.is_declaration() {
            self.declarations(&mut declarations)?;
        }
        match declarations.is_empty() {
            true => drop(self.cursor.eat("begin")),
            false => drop(self.cursor.expect("begin")?),
        }
        Ok(Body { declarations, stmts: self.stmts()? })
    }

    fn rule(&mut self) -> Fallible<Rule> {
        let start = self.cursor.peek().span;
        let word = match self.cursor.peek().kind {
            Kind::Name => self.cursor.text(start),
            _ => return Err(self.cursor.unexpected("a rule")),
        };
        let (name, kind) = match word {
            "rule" => {
                self.cursor.take();
                let name = self.text_if_any();
                let guard = match self.is_body() {
                    true => None,
                    false => self.guard()?,
                };
                let body = self.body()?;
                self.end(&["endrule"])?;
                (name, RuleKind::Step(guard, body))
            }
            "startstate" => {
                self.cursor.take();
                let name = self.text_if_any();
                let body = self.body()?;
                self.end(&["endstartstate"])?;
                (name, RuleKind::Start(body))
            }
            "invariant" | "assert" | "assume" | "liveness" => {
                self.cursor.take();
                let mut name = self.text_if_any();
                let formula = self.expr()?;
                if name.is_none() {
                    name = self.text_if_any();
                }
                let kind = match word {
                    "liveness" => RuleKind::Liveness(formula),
                    "assume" => RuleKind::Assume(formula),
                    _ => RuleKind::Invariant(formula),
                };
                (name, kind)
            }
            "ruleset" => {
                self.cursor.take();
                let mut over = vec![self.over()?];
                while self.cursor.eat(";").is_some() && !self.cursor.is("do") {
                    over.push(self.over()?);
                }
                self.cursor.expect("do")?;
                (None, RuleKind::Ruleset(over, self.rules(&["endruleset"])?))
            }
            "alias" => {
                let names = self.aliases()?;
                (None, RuleKind::Alias(names, self.rules(&["endalias"])?))
            }
            "cover" | "choose" => {
                let message = format!("`{word}` is not treated");
                return Err(self.untreated(start, &message));
            }
            _ => return Err(self.cursor.unexpected("a declaration or a rule")),
        };
        Ok(Rule { name, kind, span: self.cursor.span_from(start) })
    }

    /// `condition ==>`; nothing if what is ahead is a statement.
    fn guard(&mut self) -> Fallible<Option<Expr>> {
        let before = self.cursor.clone();
        let guard = self.expr()?;
        if self.cursor.eat("==>").is_some() {
            return Ok(Some(guard));
        }
        self.cursor = before;
        Ok(None)
    }

    fn is_body(&self) -> bool {
        let statements = ["begin", "if", "for", "while", "switch", "clear", "undefine", "put"];
        self.is_declaration()
            || statements.iter().any(|word| self.cursor.is(word))
            || self.is_end(&["endrule"])
    }

    /// Rules up to their end.
    fn rules(&mut self, ends: &[&str]) -> Fallible<Vec<Rule>> {
        self.deeper(|parser| {
            let mut rules = Vec::new();
            loop {
                while parser.cursor.eat(";").is_some() {}
                if parser.is_end(ends) {
                    parser.end(ends)?;
                    return Ok(rules);
                }
                rules.push(parser.rule()?);
            }
        })
    }

    /// `alias a : place; … do`.
    pub(super) fn aliases(&mut self) -> Fallible<Vec<(String, Expr)>> {
        self.cursor.take();
        let mut names = Vec::new();
        while self.cursor.eat("do").is_none() {
            let (name, _) = self.name("a name")?;
            self.cursor.expect(":")?;
            names.push((name, self.expr()?));
            if self.cursor.eat(";").is_none() && !self.cursor.is("do") {
                return Err(self.cursor.unexpected("`do`"));
            }
        }
        Ok(names)
    }

    pub(super) fn is_end(&self, ends: &[&str]) -> bool {
        self.cursor.is("end") || ends.iter().any(|end| self.cursor.is(end))
    }

    pub(super) fn end(&mut self, ends: &[&str]) -> Fallible<()> {
        if !self.is_end(ends) {
            return Err(self.cursor.unexpected("`end`"));
        }
        self.cursor.take();
        Ok(())
    }

    /// Whether the word ahead is one of the language, and not known as a name of a type or value.
    fn is_reserved(&self) -> bool {
        let known = ["boolean", "true", "false"];
        WORDS.iter().filter(|word| !known.contains(word)).any(|word| self.cursor.is(word))
    }

    pub(super) fn name(&mut self, wanted: &str) -> Fallible<(String, Span)> {
        if self.is_reserved() {
            return Err(self.cursor.unexpected(wanted));
        }
        self.cursor.name(wanted).map(|(name, span)| (name.to_owned(), span))
    }

    /// A text between quotes, without them.
    pub(super) fn text(&mut self) -> Fallible<String> {
        self.text_if_any().ok_or_else(|| self.cursor.unexpected("a text between quotes"))
    }

    pub(super) fn text_if_any(&mut self) -> Option<String> {
        let token = self.cursor.peek();
        (token.kind == Kind::Text).then(|| {
            self.cursor.take();
            self.cursor.text(token.span).trim_matches('"').to_owned()
        })
    }

    /// Goes deeper, unless it is too deep.
    pub(super) fn deeper<T>(&mut self, go: impl FnOnce(&mut Self) -> Fallible<T>) -> Fallible<T> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let span = self.cursor.peek().span;
            return Err(self.error(span, "this is nested too deep"));
        }
        let result = go(self);
        self.depth = self.depth.saturating_sub(1);
        result
    }

    pub(super) fn error(&self, span: Span, message: &str) -> Box<Diagnostic> {
        Box::new(Diagnostic::error(Code::MurphiSyntax, span, message))
    }

    pub(super) fn untreated(&self, span: Span, message: &str) -> Box<Diagnostic> {
        Box::new(Diagnostic::error(Code::MurphiUntreated, span, message))
    }
}
