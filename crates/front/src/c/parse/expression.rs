//! Expressions with operators between their parts, by precedence.
//!
//! Source: C11 6.5.5–6.5.17; R. Pratt, "Top down operator precedence" (POPL 1973).

use super::Parser;
use crate::c::token::{Kind, Punct};
use crate::c::typing::{Operand, Operator, Res};
use alphorn_program::c::tree::{Arith, Compare};

impl Parser<'_> {
    /// An expression, with commas.
    pub(super) fn expression(&mut self) -> Res<Operand> {
        let mut left = self.deeper(3, |p| p.assignment())?;
        let mut links = 0;
        while self.eat(Punct::Comma) {
            self.link(&mut links)?;
            let first = self.value_of(left);
            let right = self.deeper(3, |p| p.assignment())?;
            let second = self.value_of(right);
            left = Operand::Value(self.typer.comma(first, second));
        }
        Ok(left)
    }

    /// An expression without commas.
    pub(super) fn assignment(&mut self) -> Res<Operand> {
        let left = self.conditional()?;
        let Kind::Punct(punct) = self.kind() else { return Ok(left) };
        let op = match punct {
            Punct::Assign => None,
            Punct::StarAssign => Some(Arith::Mul),
            Punct::SlashAssign => Some(Arith::Div),
            Punct::PercentAssign => Some(Arith::Rem),
            Punct::PlusAssign => Some(Arith::Add),
            Punct::MinusAssign => Some(Arith::Sub),
            Punct::ShlAssign => Some(Arith::Shl),
            Punct::ShrAssign => Some(Arith::Shr),
            Punct::AmpAssign => Some(Arith::And),
            Punct::CaretAssign => Some(Arith::Xor),
            Punct::PipeAssign => Some(Arith::Or),
            _ => return Ok(left),
        };
        self.at += 1;
        let right = self.nested(|p| p.assignment())?;
        let value = self.value_of(right);
        let expr = match op {
            None => self.typer.assign(left, value)?,
            Some(op) => self.typer.update(op, left, value)?,
        };
        Ok(Operand::Value(expr))
    }

    /// An expression without commas and assignments.
    pub(super) fn conditional(&mut self) -> Res<Operand> {
        let condition = self.binary(0)?;
        if !self.eat(Punct::Question) {
            return Ok(condition);
        }
        let condition = self.value_of(condition);
        let then = if self.is(Punct::Colon) {
            None
        } else {
            let then = self.expression()?;
            Some(self.value_of(then))
        };
        self.need(Punct::Colon)?;
        let other = self.nested(|p| p.conditional())?;
        let other = self.value_of(other);
        Ok(Operand::Value(self.typer.conditional(condition, then, other)?))
    }

    /// Operators that bind at least so strongly.
    fn binary(&mut self, least: u32) -> Res<Operand> {
        let mut left = self.cast_expression()?;
        let mut links = 0;
        while let Kind::Punct(punct) = self.kind()
            && let Some((op, strength)) = operator(punct)
            && strength >= least
        {
            self.link(&mut links)?;
            self.at += 1;
            let first = self.value_of(left);
            let right = self.binary(strength + 1)?;
            let second = self.value_of(right);
            left = Operand::Value(self.typer.binary(op, first, second)?);
        }
        Ok(left)
    }
}

/// A binary operator, and how strongly it binds.
fn operator(punct: Punct) -> Option<(Operator, u32)> {
    Some(match punct {
        Punct::PipePipe => (Operator::Either, 1),
        Punct::AmpAmp => (Operator::Both, 2),
        Punct::Pipe => (Operator::Arith(Arith::Or), 3),
        Punct::Caret => (Operator::Arith(Arith::Xor), 4),
        Punct::Amp => (Operator::Arith(Arith::And), 5),
        Punct::EqEq => (Operator::Compare(Compare::Eq), 6),
        Punct::Ne => (Operator::Compare(Compare::Ne), 6),
        Punct::Lt => (Operator::Compare(Compare::Lt), 7),
        Punct::Gt => (Operator::Compare(Compare::Gt), 7),
        Punct::Le => (Operator::Compare(Compare::Le), 7),
        Punct::Ge => (Operator::Compare(Compare::Ge), 7),
        Punct::Shl => (Operator::Arith(Arith::Shl), 8),
        Punct::Shr => (Operator::Arith(Arith::Shr), 8),
        Punct::Plus => (Operator::Arith(Arith::Add), 9),
        Punct::Minus => (Operator::Arith(Arith::Sub), 9),
        Punct::Star => (Operator::Arith(Arith::Mul), 10),
        Punct::Slash => (Operator::Arith(Arith::Div), 10),
        Punct::Percent => (Operator::Arith(Arith::Rem), 10),
        _ => return None,
    })
}
