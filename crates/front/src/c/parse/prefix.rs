//! Expressions without binary operators: casts, prefixes, suffixes, names, constants.
//!
//! Source: C11 6.5.1–6.5.4; the GNU C manual for statement expressions and labels as values.

use super::Parser;
use crate::c::scope::Entity;
use crate::c::token::{Keyword, Kind, Punct, Symbol};
use crate::c::typing::{Literal, Operand, Res};
use crate::diag::Code;
use alphorn_problem::Span;
use alphorn_program::c::layout::Signature;
use alphorn_program::c::tree::{Stmt, StmtKind};
use alphorn_program::c::{Expr, ExprKind, Place, PlaceKind, Type, TypeId};

impl Parser<'_> {
    /// A cast, or something that binds more strongly.
    pub(super) fn cast_expression(&mut self) -> Res<Operand> {
        if !self.is(Punct::LParen) || !self.is_type_start(self.peek(1)) {
            return self.unary();
        }
        let open = self.next().span;
        let mark = self.pending.len();
        let ty = self.nested(|p| p.type_name())?;
        self.need_close(Punct::RParen, open)?;
        if self.is(Punct::LBrace) {
            let literal = self.compound_literal(ty, open)?;
            return self.suffixes(literal);
        }
        let operand = self.nested(|p| p.cast_expression())?;
        let value = self.value_of(operand);
        let span = open.to(value.span);
        let expr = self.typer.cast_written(value, ty, span)?;
        Ok(Operand::Value(self.settle(mark, expr)))
    }

    /// Puts lengths of arrays that a type name needed before the expression that it stands in.
    fn settle(&mut self, mark: usize, expr: Expr) -> Expr {
        if self.pending.len() <= mark {
            return expr;
        }
        let (ty, span) = (expr.ty, expr.span);
        let mut list = self.pending.split_off(mark);
        list.push(Stmt { kind: StmtKind::Expr(expr), span });
        Expr { kind: ExprKind::Block(list), ty, span }
    }

    /// `(type) { … }`, at its left brace.
    fn compound_literal(&mut self, ty: TypeId, open: Span) -> Res<Operand> {
        let (init, ty) = self.nested(|p| p.initialiser(ty))?;
        let span = open.to(self.last_span());
        Ok(Operand::Place(self.typer.literal_place(ty, init, span)))
    }

    fn unary(&mut self) -> Res<Operand> {
        let start = self.span();
        let kind = self.kind();
        match kind {
            Kind::Punct(punct) => match punct {
                Punct::PlusPlus | Punct::MinusMinus => {
                    self.at += 1;
                    let operand = self.nested(|p| p.unary())?;
                    let span = start.to(operand.span());
                    let is_up = punct == Punct::PlusPlus;
                    Ok(Operand::Value(self.typer.step(operand, is_up, true, span)?))
                }
                Punct::Amp => {
                    self.at += 1;
                    let operand = self.nested(|p| p.cast_expression())?;
                    let span = start.to(operand.span());
                    Ok(Operand::Value(self.typer.address(operand, span)?))
                }
                Punct::Star => {
                    self.at += 1;
                    let operand = self.nested(|p| p.cast_expression())?;
                    let span = start.to(operand.span());
                    self.typer.target(operand, span)
                }
                Punct::Plus | Punct::Minus | Punct::Tilde | Punct::Bang => {
                    self.at += 1;
                    let operand = self.nested(|p| p.cast_expression())?;
                    let value = self.value_of(operand);
                    let span = start.to(value.span);
                    Ok(Operand::Value(match punct {
                        Punct::Tilde => self.typer.bit_not(value, span)?,
                        Punct::Bang => self.typer.not(value, span)?,
                        _ => self.typer.signed(value, punct == Punct::Minus, span)?,
                    }))
                }
                Punct::AmpAmp => {
                    self.at += 1;
                    let (symbol, at) = self.need_name()?;
                    let label = self.used_label(symbol, at)?;
                    let ty = self.typer.void_pointer();
                    let kind = ExprKind::LabelAddress(label);
                    Ok(Operand::Value(Expr { kind, ty, span: start.to(at) }))
                }
                _ => self.postfix(),
            },
            Kind::Keyword(keyword) => match keyword {
                Keyword::Extension => {
                    self.at += 1;
                    self.nested(|p| p.cast_expression())
                }
                Keyword::Sizeof => self.size_of(),
                Keyword::Alignof => self.align_of(),
                Keyword::Real | Keyword::Imag => {
                    self.at += 1;
                    let operand = self.nested(|p| p.cast_expression())?;
                    let span = start.to(operand.span());
                    self.complex_part(operand, keyword == Keyword::Real, span)
                }
                _ => self.postfix(),
            },
            _ => self.postfix(),
        }
    }

    fn complex_part(&mut self, operand: Operand, is_real: bool, span: Span) -> Res<Operand> {
        if self.typer.is_complex(operand.ty()) {
            let name = if is_real { "__real__" } else { "__imag__" };
            return Ok(self.typer.member(operand, name, span)?.at(span));
        }
        let value = self.value_of(operand);
        if is_real {
            return Ok(Operand::Value(value));
        }
        let zero = self.typer.constant(0, self.typer.int(), span);
        Ok(Operand::Value(self.typer.cast(zero, value.ty, false)))
    }

    /// What `sizeof` and `_Alignof` stand before: its type, and whether it is a bit-field.
    fn measured(&mut self) -> Res<(TypeId, bool)> {
        if self.is(Punct::LParen) && self.is_type_start(self.peek(1)) {
            let open = self.next().span;
            let ty = self.nested(|p| p.type_name())?;
            self.need_close(Punct::RParen, open)?;
            if !self.is(Punct::LBrace) {
                return Ok((ty, false));
            }
            let operand = self.unevaluated(|p| {
                let literal = p.compound_literal(ty, open)?;
                p.suffixes(literal)
            })?;
            return Ok((operand.ty(), false));
        }
        let operand = self.nested(|p| p.unevaluated(|p| p.unary()))?;
        let is_bits = match &operand {
            Operand::Place(place) => self.typer.field_bits(place).is_some(),
            _ => false,
        };
        Ok((operand.ty(), is_bits))
    }

    fn size_of(&mut self) -> Res<Operand> {
        let start = self.next().span;
        let mark = self.pending.len();
        let (ty, is_bits) = self.measured()?;
        let span = start.to(self.last_span());
        let size_type = self.typer.size_type();
        let expr = match self.typer.types().size(ty) {
            Some(size) if !is_bits => self.typer.constant(i128::from(size), size_type, span),
            None if self.typer.is_variable(ty) => {
                Expr { kind: ExprKind::SizeOf(ty), ty: size_type, span }
            }
            _ => {
                let message = format!("the size of {} is not known here", self.typer.show(ty));
                return Err(self.error(Code::CIncomplete, span, message));
            }
        };
        Ok(Operand::Value(self.settle(mark, expr)))
    }

    fn align_of(&mut self) -> Res<Operand> {
        let start = self.next().span;
        let (ty, _) = self.measured()?;
        let span = start.to(self.last_span());
        let align = i128::from(self.typer.types().align(ty));
        Ok(Operand::Value(self.typer.constant(align, self.typer.size_type(), span)))
    }

    fn postfix(&mut self) -> Res<Operand> {
        let operand = self.primary()?;
        self.suffixes(operand)
    }

    /// Whatever may stand behind an operand: indices, arguments, members, steps.
    fn suffixes(&mut self, operand: Operand) -> Res<Operand> {
        let mut operand = operand;
        let mut links = 0;
        loop {
            let Kind::Punct(punct) = self.kind() else { return Ok(operand) };
            operand = match punct {
                Punct::LBracket => {
                    let open = self.next().span;
                    let index = self.expression()?;
                    let close = self.need_close(Punct::RBracket, open)?;
                    let span = operand.span().to(close);
                    self.typer.index(operand, index, span)?
                }
                Punct::LParen => {
                    let open = self.next().span;
                    let args = self.arguments(open)?;
                    let span = operand.span().to(self.last_span());
                    Operand::Value(self.typer.call(operand, args, span)?)
                }
                Punct::Dot => {
                    self.at += 1;
                    let (symbol, span) = self.need_name()?;
                    let name = self.text(symbol);
                    self.typer.member(operand, name, span)?
                }
                Punct::Arrow => {
                    self.at += 1;
                    let (symbol, span) = self.need_name()?;
                    let name = self.text(symbol);
                    let start = operand.span();
                    let target = self.typer.target(operand, start)?;
                    self.typer.member(target, name, span)?
                }
                Punct::PlusPlus | Punct::MinusMinus => {
                    let span = operand.span().to(self.next().span);
                    let is_up = punct == Punct::PlusPlus;
                    Operand::Value(self.typer.step(operand, is_up, false, span)?)
                }
                _ => return Ok(operand),
            };
            self.link(&mut links)?;
        }
    }

    /// The arguments of a call, behind its left parenthesis.
    pub(super) fn arguments(&mut self, open: Span) -> Res<Vec<Operand>> {
        let mut args = Vec::new();
        if self.eat(Punct::RParen) {
            return Ok(args);
        }
        loop {
            args.push(self.deeper(3, |p| p.assignment())?);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.need_close(Punct::RParen, open)?;
        Ok(args)
    }

    fn primary(&mut self) -> Res<Operand> {
        let token = self.tokens[self.at];
        match token.kind {
            Kind::Name(symbol) => {
                self.at += 1;
                self.name(symbol, token.span)
            }
            Kind::Number(symbol) => {
                self.at += 1;
                let text = self.text(symbol);
                Ok(Operand::Value(self.typer.number(text, token.span)?))
            }
            Kind::Char(symbol) => {
                self.at += 1;
                let text = self.text(symbol);
                Ok(Operand::Value(self.typer.character(text, token.span)?))
            }
            Kind::Text(_) => {
                let literal = self.text_literal()?;
                Ok(self.typer.text(literal))
            }
            Kind::Punct(Punct::LParen) => {
                self.at += 1;
                if self.is(Punct::LBrace) {
                    return self.statement_expression(token.span);
                }
                let operand = self.expression()?;
                let close = self.need_close(Punct::RParen, token.span)?;
                Ok(operand.at(token.span.to(close)))
            }
            Kind::Keyword(keyword) => self.keyword_expression(keyword, token.span),
            _ => Err(self.expected("an expression")),
        }
    }

    /// String literals that follow each other.
    pub(super) fn text_literal(&mut self) -> Res<Literal> {
        let mut literal = Literal::default();
        while let Kind::Text(symbol) = self.kind() {
            let span = self.next().span;
            let text = self.text(symbol);
            self.typer.extend_text(&mut literal, text, span)?;
        }
        Ok(literal)
    }

    fn name(&mut self, symbol: Symbol, span: Span) -> Res<Operand> {
        match self.scopes.name(symbol) {
            Some(Entity::Var(var)) => {
                let ty = self.typer.unit.var(var).ty;
                Ok(Operand::Place(Place { kind: PlaceKind::Var(var), ty, span }))
            }
            Some(Entity::Function(function)) => {
                let ty = self.typer.unit.function(function).ty;
                Ok(Operand::Function(function, ty, span))
            }
            Some(Entity::Constant(value, ty)) => {
                Ok(Operand::Value(self.typer.constant(value, ty, span)))
            }
            Some(Entity::Typedef(..)) => {
                let message =
                    format!("`{}` is a type, and a value is wanted here", self.text(symbol));
                Err(self.error(Code::CSyntax, span, message))
            }
            None => self.unknown_name(symbol, span),
        }
    }

    fn unknown_name(&mut self, symbol: Symbol, span: Span) -> Res<Operand> {
        let name = self.text(symbol);
        if matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
            let units = self.function_name().bytes().map(u32::from).collect();
            let element = Some(alphorn_program::c::IntKind::Char);
            return Ok(self.typer.text(Literal { units, element, span }));
        }
        if let Some(operand) = self.builtin(name, symbol, span)? {
            return Ok(operand);
        }
        if !self.is(Punct::LParen) {
            return Err(self.undeclared(symbol, span, "is not declared"));
        }
        if let Some(Entity::Function(function)) = self.linked.get(&symbol).copied() {
            // Declared in a block that has ended; gcc knows it still.
            let ty = self.typer.unit.function(function).ty;
            return Ok(Operand::Function(function, ty, span));
        }
        let message = format!("`{name}` is not declared; it is taken to be a function");
        self.warn(Code::CImplicit, span, message);
        let ty = self.standard_type(name).unwrap_or_else(|| {
            let result = self.typer.int();
            let signature =
                Signature { result, params: Vec::new(), is_variadic: false, is_open: true };
            self.typer.unit.types.id(Type::Function(signature))
        });
        let function = self.new_function(symbol, ty, span);
        self.implicit.insert(function);
        Ok(Operand::Function(function, ty, span))
    }

    /// `({ … })`, at its left brace.
    fn statement_expression(&mut self, open: Span) -> Res<Operand> {
        if self.inside.is_none() {
            let message = "a statement expression stands only inside functions";
            return Err(self.error(Code::CSyntax, open, message));
        }
        let outer = std::mem::take(&mut self.pending);
        let block = self.nested(|p| p.block());
        self.pending = outer;
        let StmtKind::Block(list) = block?.kind else { unreachable!("a block is a block") };
        let close = self.need_close(Punct::RParen, open)?;
        let mut last = list.last();
        while let Some(Stmt { kind: StmtKind::Label(_, inner), .. }) = last {
            last = Some(inner);
        }
        let ty = match last {
            Some(Stmt { kind: StmtKind::Expr(expr), .. }) => expr.ty,
            _ => self.typer.void(),
        };
        let span = open.to(close);
        Ok(Operand::Value(Expr { kind: ExprKind::Block(list), ty, span }))
    }
}
