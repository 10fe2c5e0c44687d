//! Statements.
//!
//! Source: C11 6.8; the GNU C manual for case ranges, computed `goto` and `asm`.

use super::Parser;
use super::function::Switch;
use crate::c::constant::wrap;
use crate::c::token::{Keyword, Kind, Punct, Symbol};
use crate::c::typing::{Res, Why};
use crate::diag::Code;
use alphorn_problem::Span;
use alphorn_program::c::tree::{Stmt, StmtKind};
use alphorn_program::c::{Expr, Type};
use rustc_hash::FxHashSet;

impl Parser<'_> {
    /// The statements of a block up to its right brace, in the present scope.
    pub(super) fn block_items(&mut self, open: Span, into: &mut Vec<Stmt>) -> Res<()> {
        let labels = self.inside.as_ref().map_or(0, |inside| inside.local_labels());
        while !self.is(Punct::RBrace) {
            if self.kind() == Kind::End {
                return self.need_close(Punct::RBrace, open).map(|_| ());
            }
            let start = self.at;
            if self.block_item(into).is_err() {
                self.pending.clear();
                self.recover(start);
                if self.at == start && self.kind() != Kind::End && !self.is(Punct::RBrace) {
                    self.at += 1;
                }
            }
        }
        self.at += 1;
        if let Some(inside) = &mut self.inside {
            inside.forget_labels(labels);
        }
        Ok(())
    }

    fn block_item(&mut self, into: &mut Vec<Stmt>) -> Res<()> {
        if self.eat_word(Keyword::Label) {
            return self.local_label_declaration();
        }
        let mut ahead = 0;
        while self.peek(ahead) == Kind::Keyword(Keyword::Extension) {
            ahead += 1;
        }
        let kind = self.peek(ahead);
        let is_label =
            matches!(kind, Kind::Name(_)) && self.peek(ahead + 1) == Kind::Punct(Punct::Colon);
        let is_statement_attribute =
            kind == Kind::Keyword(Keyword::Attribute) && self.is_empty_attribute();
        if !is_label
            && !is_statement_attribute
            && (self.is_type_start(kind) || kind == Kind::Keyword(Keyword::StaticAssert))
        {
            self.at += ahead;
            return self.local_declaration(into);
        }
        let statement = self.statement()?;
        into.push(statement);
        Ok(())
    }

    /// Whether attributes stand here before a semicolon, as `__attribute__((fallthrough));`.
    fn is_empty_attribute(&self) -> bool {
        let mut depth = 0u32;
        for ahead in 1.. {
            match self.peek(ahead) {
                Kind::Punct(Punct::LParen) => depth += 1,
                Kind::Punct(Punct::RParen) if depth > 1 => depth -= 1,
                Kind::Punct(Punct::RParen) => {
                    return self.peek(ahead + 1) == Kind::Punct(Punct::Semicolon);
                }
                Kind::End => return false,
                _ => {}
            }
        }
        false
    }

    /// A statement.
    pub(super) fn statement(&mut self) -> Res<Stmt> {
        self.nested(|p| p.statement_inside())
    }

    fn statement_inside(&mut self) -> Res<Stmt> {
        let start = self.span();
        let kind = match self.kind() {
            Kind::Keyword(keyword) => match keyword {
                Keyword::If => return self.if_statement(),
                Keyword::While => self.while_statement()?,
                Keyword::Do => self.do_statement()?,
                Keyword::For => self.for_statement()?,
                Keyword::Switch => self.switch_statement()?,
                Keyword::Case => self.case_statement()?,
                Keyword::Default => self.default_statement()?,
                Keyword::Break | Keyword::Continue => self.jump_statement(keyword)?,
                Keyword::Return => self.return_statement()?,
                Keyword::Goto => self.goto_statement()?,
                Keyword::Asm => self.asm_statement()?,
                Keyword::Attribute => {
                    self.skip_attributes()?;
                    if self.eat(Punct::Semicolon) {
                        StmtKind::Empty
                    } else {
                        return self.statement();
                    }
                }
                Keyword::Else => {
                    let message = "there is no `if` for this `else`";
                    return Err(self.error(Code::CSyntax, start, message));
                }
                _ => self.expression_statement()?,
            },
            Kind::Punct(Punct::LBrace) => return self.block(),
            Kind::Punct(Punct::Semicolon) => {
                self.at += 1;
                StmtKind::Empty
            }
            Kind::Name(symbol) if self.peek(1) == Kind::Punct(Punct::Colon) => {
                self.labelled_statement(symbol)?
            }
            _ => self.expression_statement()?,
        };
        Ok(Stmt { kind, span: start.to(self.last_span()) })
    }

    /// A block with a scope of its own.
    pub(super) fn block(&mut self) -> Res<Stmt> {
        let open = self.need(Punct::LBrace)?;
        let mut list = Vec::new();
        self.scopes.enter();
        let result = self.block_items(open, &mut list);
        let close = self.last_span();
        self.leave_scope(close.end);
        result?;
        Ok(Stmt { kind: StmtKind::Block(list), span: open.to(close) })
    }

    fn expression_statement(&mut self) -> Res<StmtKind> {
        let operand = self.expression()?;
        let expr = self.value_of(operand);
        self.need(Punct::Semicolon)?;
        Ok(StmtKind::Expr(expr))
    }

    /// A label; at the end of a block it may stand alone.
    fn labelled_statement(&mut self, symbol: Symbol) -> Res<StmtKind> {
        let span = self.next().span;
        self.at += 1;
        let label = self.defined_label(symbol, span)?;
        if self.is_word(Keyword::Attribute) {
            self.skip_attributes()?;
        }
        let inner = self.after_label()?;
        Ok(StmtKind::Label(label, Box::new(inner)))
    }

    /// The statement behind a label. A declaration there is one that C23 allows.
    fn after_label(&mut self) -> Res<Stmt> {
        if self.is(Punct::RBrace) {
            let at = self.last_span();
            return Ok(Stmt { kind: StmtKind::Empty, span: at });
        }
        if self.starts_type()
            && self.peek(1) != Kind::Punct(Punct::Colon)
            && !self.is_word(Keyword::Attribute)
        {
            // The declaration is the next item of the block.
            let at = self.last_span();
            return Ok(Stmt { kind: StmtKind::Empty, span: at });
        }
        self.statement()
    }

    fn condition(&mut self) -> Res<Expr> {
        let open = self.need(Punct::LParen)?;
        let operand = self.expression()?;
        let value = self.value_of(operand);
        let condition = self.typer.condition(value)?;
        self.need_close(Punct::RParen, open)?;
        Ok(condition)
    }

    /// `if`; a chain of `else if` is read without going deeper.
    fn if_statement(&mut self) -> Res<Stmt> {
        let mut arms: Vec<(Span, Expr, Stmt)> = Vec::new();
        let mut links = 0;
        let mut last = None;
        loop {
            self.link(&mut links)?;
            let start = self.next().span;
            let condition = self.condition()?;
            let then = self.statement()?;
            arms.push((start, condition, then));
            if !self.eat_word(Keyword::Else) {
                break;
            }
            if !self.is_word(Keyword::If) {
                last = Some(Box::new(self.statement()?));
                break;
            }
        }
        let end = self.last_span();
        let mut result = None;
        for (start, condition, then) in arms.into_iter().rev() {
            let other = result.take().map(Box::new).or_else(|| last.take());
            let kind = StmtKind::If(condition, Box::new(then), other);
            result = Some(Stmt { kind, span: start.to(end) });
        }
        Ok(result.expect("there is at least one arm"))
    }

    /// A body in which `break` and `continue` may stand.
    fn loop_body(&mut self) -> Res<Box<Stmt>> {
        self.count_loop(1);
        let body = self.statement();
        self.count_loop(-1);
        body.map(Box::new)
    }

    fn count_loop(&mut self, by: i32) {
        if let Some(inside) = &mut self.inside {
            inside.loops = inside.loops.saturating_add_signed(by);
            inside.breakable = inside.breakable.saturating_add_signed(by);
        }
    }

    fn while_statement(&mut self) -> Res<StmtKind> {
        self.at += 1;
        let condition = self.condition()?;
        Ok(StmtKind::While(condition, self.loop_body()?))
    }

    fn do_statement(&mut self) -> Res<StmtKind> {
        self.at += 1;
        let body = self.loop_body()?;
        if !self.eat_word(Keyword::While) {
            return Err(self.expected("`while`"));
        }
        let condition = self.condition()?;
        self.need(Punct::Semicolon)?;
        Ok(StmtKind::DoWhile(body, condition))
    }

    fn for_statement(&mut self) -> Res<StmtKind> {
        self.scopes.enter();
        let result = self.for_inside();
        self.leave_scope(self.last_span().end);
        result
    }

    fn for_inside(&mut self) -> Res<StmtKind> {
        self.at += 1;
        let open = self.need(Punct::LParen)?;
        let start = self.span();
        while self.eat_word(Keyword::Extension) {}
        let first = if self.eat(Punct::Semicolon) {
            None
        } else if self.starts_type() {
            let mut list = Vec::new();
            self.local_declaration(&mut list)?;
            let span = start.to(self.last_span());
            Some(Box::new(Stmt { kind: StmtKind::Block(list), span }))
        } else {
            let kind = self.expression_statement()?;
            Some(Box::new(Stmt { kind, span: start.to(self.last_span()) }))
        };
        let condition = if self.is(Punct::Semicolon) {
            None
        } else {
            let operand = self.expression()?;
            let value = self.value_of(operand);
            Some(self.typer.condition(value)?)
        };
        self.need(Punct::Semicolon)?;
        let step = if self.is(Punct::RParen) {
            None
        } else {
            let operand = self.expression()?;
            Some(self.value_of(operand))
        };
        self.need_close(Punct::RParen, open)?;
        Ok(StmtKind::For(first, condition, step, self.loop_body()?))
    }

    fn switch_statement(&mut self) -> Res<StmtKind> {
        self.at += 1;
        let open = self.need(Punct::LParen)?;
        let operand = self.expression()?;
        let value = self.value_of(operand);
        self.need_close(Punct::RParen, open)?;
        if !self.typer.is_integer(value.ty) {
            let message =
                format!("`switch` takes an integer and not {}", self.typer.show(value.ty));
            return Err(self.error(Code::CType, value.span, message));
        }
        let value = self.typer.promote(value);
        let inside = self.inside.as_mut().expect("statements are inside functions");
        let cases = FxHashSet::default();
        inside.switches.push(Switch { ty: value.ty, cases, has_default: false });
        inside.breakable += 1;
        let body = self.statement();
        let inside = self.inside.as_mut().expect("statements are inside functions");
        inside.switches.pop();
        inside.breakable -= 1;
        Ok(StmtKind::Switch(value, Box::new(body?)))
    }

    fn case_statement(&mut self) -> Res<StmtKind> {
        let start = self.next().span;
        let (low, ..) = self.constant()?;
        let high = if self.eat(Punct::Ellipsis) { self.constant()?.0 } else { low };
        let span = start.to(self.last_span());
        self.need(Punct::Colon)?;
        let types = self.typer.types();
        let Some(switch) = self.inside.as_mut().and_then(|inside| inside.switches.last_mut())
        else {
            return Err(self.error(Code::CLabel, span, "there is no `switch` around this `case`"));
        };
        let kind = types.int_kind(switch.ty).expect("switches are on integers");
        let (low, high) = (wrap(low, kind, types), wrap(high, kind, types));
        let is_twice = low == high && !switch.cases.insert(low);
        if is_twice {
            self.error(Code::CLabel, span, format!("there are two cases of {low}"));
        }
        let inner = self.after_label()?;
        Ok(StmtKind::Case(low, high, Box::new(inner)))
    }

    fn default_statement(&mut self) -> Res<StmtKind> {
        let span = self.next().span;
        self.need(Punct::Colon)?;
        let Some(switch) = self.inside.as_mut().and_then(|inside| inside.switches.last_mut())
        else {
            return Err(self.error(
                Code::CLabel,
                span,
                "there is no `switch` around this `default`",
            ));
        };
        let is_twice = std::mem::replace(&mut switch.has_default, true);
        if is_twice {
            self.error(Code::CLabel, span, "this `switch` has two defaults");
        }
        let inner = self.after_label()?;
        Ok(StmtKind::Default(Box::new(inner)))
    }

    fn jump_statement(&mut self, keyword: Keyword) -> Res<StmtKind> {
        let span = self.next().span;
        self.need(Punct::Semicolon)?;
        let inside = self.inside.as_ref().expect("statements are inside functions");
        let (count, kind) = match keyword {
            Keyword::Break => (inside.breakable, StmtKind::Break),
            _ => (inside.loops, StmtKind::Continue),
        };
        if count == 0 {
            let message = format!("there is no loop around this `{}`", keyword.text());
            return Err(self.error(Code::CLabel, span, message));
        }
        Ok(kind)
    }

    fn return_statement(&mut self) -> Res<StmtKind> {
        let start = self.next().span;
        let inside = self.inside.as_ref().expect("statements are inside functions");
        let result = inside.result;
        let is_void = *self.typer.types().get(result) == Type::Void;
        if self.eat(Punct::Semicolon) {
            if !is_void {
                self.warn(Code::CReturn, start, "a value is to be returned here");
            }
            return Ok(StmtKind::Return(None));
        }
        let operand = self.expression()?;
        let value = self.value_of(operand);
        self.need(Punct::Semicolon)?;
        if !is_void {
            return Ok(StmtKind::Return(Some(self.typer.convert(value, result, Why::Return)?)));
        }
        if value.ty != result {
            self.warn(Code::CReturn, value.span, "this function returns nothing");
        }
        let span = start.to(self.last_span());
        let first = Stmt { span: value.span, kind: StmtKind::Expr(value) };
        Ok(StmtKind::Block(vec![first, Stmt { kind: StmtKind::Return(None), span }]))
    }

    fn goto_statement(&mut self) -> Res<StmtKind> {
        self.at += 1;
        let kind = if self.eat(Punct::Star) {
            let operand = self.expression()?;
            let value = self.value_of(operand);
            StmtKind::GotoValue(value)
        } else {
            let (symbol, span) = self.need_name()?;
            StmtKind::Goto(self.used_label(symbol, span)?)
        };
        self.need(Punct::Semicolon)?;
        Ok(kind)
    }

    fn asm_statement(&mut self) -> Res<StmtKind> {
        self.at += 1;
        while let Kind::Keyword(Keyword::Volatile | Keyword::Inline | Keyword::Goto) = self.kind() {
            self.at += 1;
        }
        self.skip_parens()?;
        self.need(Punct::Semicolon)?;
        Ok(StmtKind::Untreated("inline assembler"))
    }
}
