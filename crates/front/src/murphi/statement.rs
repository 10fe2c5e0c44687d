//! Statements of Murphi.

use super::parse::Parser;
use super::tree::{Stmt, StmtKind};
use crate::infix::{Fallible, Kind};

/// What ends a list of statements.
const ENDS: [&str; 14] = [
    "end",
    "endif",
    "endfor",
    "endwhile",
    "endswitch",
    "endalias",
    "endrule",
    "endstartstate",
    "endprocedure",
    "endfunction",
    "else",
    "elsif",
    "case",
    "endruleset",
];

impl Parser<'_> {
    /// Statements up to what ends them.
    pub(super) fn stmts(&mut self) -> Fallible<Vec<Stmt>> {
        let mut stmts = Vec::new();
        loop {
            while self.cursor.eat(";").is_some() {}
            if self.cursor.is_at_end() || ENDS.iter().any(|end| self.cursor.is(end)) {
                return Ok(stmts);
            }
            stmts.push(self.deeper(Self::stmt)?);
            if !ENDS.iter().any(|end| self.cursor.is(end)) {
                self.cursor.expect(";")?;
            }
        }
    }

    fn stmt(&mut self) -> Fallible<Stmt> {
        let span = self.cursor.peek().span;
        let word = match self.cursor.peek().kind {
            Kind::Name => self.cursor.text(span),
            _ => return Err(self.cursor.unexpected("a statement")),
        };
        let kind = match word {
            "if" => self.conditional()?,
            "switch" => self.switch()?,
            "for" => {
                self.cursor.take();
                let over = self.over()?;
                self.cursor.expect("do")?;
                let body = self.stmts()?;
                self.end(&["endfor"])?;
                StmtKind::For(over, body)
            }
            "while" => {
                self.cursor.take();
                let condition = self.expr()?;
                self.cursor.expect("do")?;
                let body = self.stmts()?;
                self.end(&["endwhile"])?;
                StmtKind::While(condition, body)
            }
            "alias" => {
                let names = self.aliases()?;
                let body = self.stmts()?;
                self.end(&["endalias"])?;
                StmtKind::Alias(names, body)
            }
            "clear" | "undefine" => {
                self.cursor.take();
                let place = self.designator()?;
                if word == "clear" { StmtKind::Clear(place) } else { StmtKind::Undefine(place) }
            }
            "error" => {
                self.cursor.take();
                self.text()?;
                StmtKind::Error
            }
            "assert" => {
                self.cursor.take();
                self.text_if_any();
                let condition = self.expr()?;
                self.text_if_any();
                StmtKind::Assert(condition)
            }
            "put" => {
                self.cursor.take();
                if self.text_if_any().is_none() {
                    self.expr()?;
                }
                StmtKind::Nothing
            }
            "return" => {
                self.cursor.take();
                let is_bare = self.cursor.is(";") || ENDS.iter().any(|end| self.cursor.is(end));
                let value = if is_bare { None } else { Some(self.expr()?) };
                StmtKind::Return(value)
            }
            "liveness" | "invariant" | "cover" | "assume" => {
                let message = format!("`{word}` is said of whole models, not in a statement");
                return Err(self.error(span, &message));
            }
            "multisetadd" | "multisetremove" | "multisetremovepred" => {
                return Err(self.untreated(span, "multisets are not treated"));
            }
            _ if self.cursor.peek_second().kind == Kind::Symbol("(") => {
                let (name, _) = self.name("a procedure")?;
                StmtKind::Call(name, self.args()?)
            }
            _ => {
                let place = self.designator()?;
                self.cursor.expect(":=")?;
                StmtKind::Assign(place, self.expr()?)
            }
        };
        Ok(Stmt { kind, span: self.cursor.span_from(span) })
    }

    fn conditional(&mut self) -> Fallible<StmtKind> {
        let mut cases = Vec::new();
        while cases.is_empty() || self.cursor.is("elsif") {
            self.cursor.take();
            let condition = self.expr()?;
            self.cursor.expect("then")?;
            cases.push((condition, self.stmts()?));
        }
        let otherwise = match self.cursor.eat("else") {
            Some(_) => self.stmts()?,
            None => Vec::new(),
        };
        self.end(&["endif"])?;
        Ok(StmtKind::If(cases, otherwise))
    }

    fn switch(&mut self) -> Fallible<StmtKind> {
        self.cursor.take();
        let subject = self.expr()?;
        let mut cases = Vec::new();
        while self.cursor.eat("case").is_some() {
            let mut values = vec![self.expr()?];
            while self.cursor.eat(",").is_some() {
                values.push(self.expr()?);
            }
            self.cursor.expect(":")?;
            cases.push((values, self.stmts()?));
        }
        let otherwise = match self.cursor.eat("else") {
            Some(_) => self.stmts()?,
            None => Vec::new(),
        };
        self.end(&["endswitch"])?;
        Ok(StmtKind::Switch(subject, cases, otherwise))
    }
}
