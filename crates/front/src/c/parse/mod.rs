//! The parser: from tokens to the tree, in one pass.
//!
//! C cannot be parsed without knowing which names are types, so scopes are kept while parsing; and since
//! everything is declared before it is used, types are known as well, and nodes are made typed at once
//! (`typing`). What is wrong is said, and the parser goes on behind the next `;` or `}`.
//!
//! Invariant: a step that returns `Stop` has said why. Nesting is counted, and the parser gives up
//! before the stack could end.
//!
//! Source: C11 6.5–6.9 and annex A; the GNU C manual; in its build after chibicc (R. Ueyama).

mod attribute;
mod builtin;
mod declaration;
mod declarator;
mod expression;
mod function;
mod initialiser;
mod prefix;
mod record;
mod specifier;
mod statement;
mod variable;

use super::scope::{Entity, Scopes};
use super::token::{Keyword, Kind, Packing, Punct, Symbol, Symbols, Token, Tokens};
use super::typing::{Operand, Res, Stop, Typer};
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_program::c::tree::Stmt;
use alphorn_program::c::{Expr, FuncId, TypeId, Unit};
use function::Inside;
use rustc_hash::{FxHashMap, FxHashSet};

/// How deep a program may be nested: a statement, prefix, cast or declarator counts 1, a structure or
/// list of parameters 2, parentheses and brackets in expressions 3. Each takes less than 2 kB of stack for
/// what it counts, so that 2 MB are enough.
pub const MAX_DEPTH: u32 = 900;
/// How many operators of one kind, suffixes, or `else if` may follow each other.
pub const MAX_CHAIN: u32 = 2_000;

/// The parser's state.
pub struct Parser<'t> {
    tokens: &'t [Token],
    symbols: &'t Symbols,
    packings: &'t [Packing],
    at: usize,
    depth: u32,
    /// The program and the rules of types.
    pub typer: Typer,
    /// What names mean.
    pub scopes: Scopes,
    /// Functions and variables that the whole program shares, wherever they are declared.
    linked: FxHashMap<Symbol, Entity>,
    /// The function that is being read.
    inside: Option<Inside>,
    /// Lengths of arrays that have to be stored before the declaration that they were found in.
    pending: Vec<Stmt>,
    /// Names of types whose objects are atomic.
    atomic_types: FxHashSet<Symbol>,
    /// Functions that are declared by a call alone.
    implicit: FxHashSet<FuncId>,
    /// Functions whose definition gives way to another one: `extern inline`.
    replaceable: FxHashSet<FuncId>,
    /// Named types whose scopes are open: how deep, and which.
    open_types: Vec<(u32, usize)>,
    /// Enumeration constants whose scopes are open.
    open_constants: Vec<(u32, usize)>,
}

impl<'t> Parser<'t> {
    /// A parser at the beginning of the tokens.
    pub fn new(tokens: &'t Tokens, unit: Unit) -> Parser<'t> {
        Parser {
            tokens: &tokens.all,
            symbols: &tokens.symbols,
            packings: &tokens.packings,
            at: 0,
            depth: 0,
            typer: Typer::new(unit),
            scopes: Scopes::default(),
            linked: FxHashMap::default(),
            inside: None,
            pending: Vec::new(),
            atomic_types: FxHashSet::default(),
            implicit: FxHashSet::default(),
            replaceable: FxHashSet::default(),
            open_types: Vec::new(),
            open_constants: Vec::new(),
        }
    }

    /// Reads all of a file.
    pub fn file(&mut self) {
        while self.kind() != Kind::End && !self.typer.report.is_over {
            let start = self.at;
            if self.external().is_err() {
                self.recover_outside(start);
            }
        }
        self.finish();
    }

    /// Reads one expression, which is all there is.
    pub fn lone_expression(&mut self) -> Res<Expr> {
        let operand = self.expression()?;
        if self.kind() != Kind::End {
            return Err(self.expected("an operator or the end"));
        }
        Ok(self.value_of(operand))
    }

    fn kind(&self) -> Kind {
        self.tokens[self.at].kind
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// The span of the token before this one.
    fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn peek(&self, ahead: usize) -> Kind {
        self.tokens.get(self.at + ahead).map_or(Kind::End, |token| token.kind)
    }

    fn next(&mut self) -> Token {
        let token = self.tokens[self.at];
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    fn text(&self, symbol: Symbol) -> &'t str {
        self.symbols.text(symbol)
    }

    fn is(&self, punct: Punct) -> bool {
        self.kind() == Kind::Punct(punct)
    }

    fn is_word(&self, keyword: Keyword) -> bool {
        self.kind() == Kind::Keyword(keyword)
    }

    fn eat(&mut self, punct: Punct) -> bool {
        let is = self.is(punct);
        if is {
            self.at += 1;
        }
        is
    }

    fn eat_word(&mut self, keyword: Keyword) -> bool {
        let is = self.is_word(keyword);
        if is {
            self.at += 1;
        }
        is
    }

    /// The span of a token that must come next.
    fn need(&mut self, punct: Punct) -> Res<Span> {
        if self.is(punct) {
            return Ok(self.next().span);
        }
        Err(self.expected(&format!("`{}`", punct.text())))
    }

    /// The span of a closing token; `open` is where what it closes begins.
    fn need_close(&mut self, punct: Punct, open: Span) -> Res<Span> {
        if self.is(punct) {
            return Ok(self.next().span);
        }
        if self.kind() == Kind::End {
            // One that is missing leaves all around it open; the innermost is said.
            let said = &self.typer.report.list.list;
            if said.iter().any(|diagnostic| diagnostic.code == Code::CUnclosed) {
                return Err(Stop);
            }
            let message = format!("there is no `{}` for this", punct.text());
            let hint = "close it where it ends, or look for one further in that is closed too late";
            let diagnostic = Diagnostic::error(Code::CUnclosed, open, message).hint(hint);
            self.typer.report.push(diagnostic);
            return Err(Stop);
        }
        Err(self.expected(&format!("`{}`", punct.text())))
    }

    fn need_name(&mut self) -> Res<(Symbol, Span)> {
        match self.kind() {
            Kind::Name(symbol) => Ok((symbol, self.next().span)),
            _ => Err(self.expected("a name")),
        }
    }

    /// Says what was expected instead of the next token.
    fn expected(&mut self, what: &str) -> Stop {
        let found = self.shown();
        if what == "`;`" && self.at > 0 {
            // What is missing at the end of a line is missing there, and not where the next one begins.
            let last = self.last_span();
            let span = Span { start: last.end.saturating_sub(1), end: last.end };
            let message = format!("{what} is expected after this, and not {found}");
            return self.error(Code::CSyntax, span, message);
        }
        let span = self.span();
        self.error(Code::CSyntax, span, format!("{what} is expected here, and not {found}"))
    }

    /// The next token as it is written.
    fn shown(&self) -> String {
        match self.kind() {
            Kind::Name(s) | Kind::Number(s) | Kind::Char(s) | Kind::Text(s) => {
                let short: String = self.text(s).chars().take(40).collect();
                format!("`{short}`")
            }
            Kind::Keyword(keyword) => format!("`{}`", keyword.text()),
            Kind::Punct(punct) => format!("`{}`", punct.text()),
            Kind::End => "the end of the file".to_owned(),
        }
    }

    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) -> Stop {
        self.typer.report.error(code, span, message)
    }

    fn warn(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.typer.report.warn(code, span, message);
    }

    /// Does a step one level deeper.
    fn nested<T>(&mut self, step: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        self.deeper(1, step)
    }

    /// Does a step that counts for so many levels.
    fn deeper<T>(&mut self, levels: u32, step: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        if self.depth + levels > MAX_DEPTH {
            return Err(self.give_up());
        }
        self.depth += levels;
        let result = step(self);
        self.depth -= levels;
        result
    }

    /// Counts one more in a chain.
    fn link(&mut self, links: &mut u32) -> Res<()> {
        *links += 1;
        if *links > MAX_CHAIN { Err(self.give_up()) } else { Ok(()) }
    }

    /// Says that this is too deep, and reads no further.
    fn give_up(&mut self) -> Stop {
        let message = format!(
            "this is nested too deep: about {} pairs of parentheses, or {MAX_DEPTH} statements, or {MAX_CHAIN} operators in a row are read",
            MAX_DEPTH / 3
        );
        let hint = "give inner parts to variables or functions of their own";
        let diagnostic = Diagnostic::error(Code::CDepth, self.span(), message).hint(hint);
        self.typer.report.push(diagnostic);
        self.typer.report.is_over = true;
        self.at = self.tokens.len() - 1;
        Stop
    }

    /// Goes behind the next `;`, or before the `}` that ends the block, for a statement or declaration that
    /// began with the token `start`; braces in it that were read already count.
    fn recover(&mut self, start: usize) {
        let mut braces = 0u32;
        for at in start..self.tokens.len() {
            let is_ahead = at >= self.at;
            match self.tokens[at].kind {
                Kind::End => {
                    self.at = at;
                    return;
                }
                Kind::Punct(Punct::Semicolon) if braces == 0 && is_ahead => {
                    self.at = at + 1;
                    return;
                }
                Kind::Punct(Punct::LBrace) => braces += 1,
                Kind::Punct(Punct::RBrace) if braces == 0 => {
                    self.at = self.at.max(at);
                    return;
                }
                Kind::Punct(Punct::RBrace) => {
                    braces -= 1;
                    if braces == 0 && is_ahead {
                        self.at = at + 1;
                        return;
                    }
                }
                _ => {}
            }
        }
    }

    /// Goes behind a declaration outside functions that began with the token `start`.
    fn recover_outside(&mut self, start: usize) {
        if self.typer.report.is_over {
            self.at = self.tokens.len() - 1;
            return;
        }
        self.recover(start);
        while self.is(Punct::RBrace) {
            self.at += 1;
        }
        if self.at == start {
            self.next();
        }
    }

    /// Runs a step in which nothing is done when the program runs, as the operand of `sizeof`.
    fn unevaluated<T>(&mut self, step: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        self.typer.unevaluated += 1;
        let result = step(self);
        self.typer.unevaluated -= 1;
        result
    }

    /// The value of what was read.
    fn value_of(&mut self, operand: Operand) -> Expr {
        self.typer.value(operand)
    }

    /// An integer constant expression, with its type and place.
    fn constant(&mut self) -> Res<(i128, TypeId, Span)> {
        let operand = self.nested(|p| p.conditional())?;
        let expr = self.value_of(operand);
        match self.typer.constant_value(&expr) {
            Some(value) if self.typer.is_integer(expr.ty) => Ok((value, expr.ty, expr.span)),
            _ => Err(self.error(Code::CConstant, expr.span, "an integer constant is wanted here")),
        }
    }
}
