//! Initialisers: braces, designators, and what braces that are left out mean.
//!
//! What a list gives values to is walked by a stack of levels, each an array or structure and the part of
//! it that comes next. The list becomes the values of scalar parts by their paths.
//!
//! Source: C11 6.7.9; the GNU C manual for ranges, `field:` and array initialisers without `=`.

use super::Parser;
use crate::c::token::{Kind, Punct};
use crate::c::typing::{Literal, Operand, Res, Stop, Why};
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_program::c::layout::Length;
use alphorn_program::c::tree::Init;
use alphorn_program::c::{Expr, IntKind, PlaceKind, Type, TypeId};

/// The most parts that a range of designators is spelt out to.
const MAX_RANGE: u64 = 1 << 16;

type Parts = Vec<(Vec<u64>, Expr)>;

/// An array or structure whose parts are being initialised.
struct Level {
    ty: TypeId,
    /// The part that comes next.
    index: u64,
    /// How many parts there are.
    count: u64,
}

impl Parser<'_> {
    /// What an object of a type is at first, and its type, in which the length of an array is known.
    pub(super) fn initialiser(&mut self, ty: TypeId) -> Res<(Init, TypeId)> {
        let start = self.span();
        if let Some(element) = self.text_element(ty)
            && let Some(literal) = self.whole_text()?
        {
            return self.text_initialiser(ty, element, literal);
        }
        if self.is(Punct::LBrace) {
            if self.is_aggregate(ty) {
                let mut parts = Parts::new();
                let count = self.braced(ty, &[], &mut parts)?;
                let span = start.to(self.last_span());
                return self.finished(ty, count, parts, span);
            }
            self.at += 1;
            if self.is(Punct::RBrace) {
                // `{}` is zero.
                let span = start.to(self.next().span);
                let zero = self.typer.constant(0, self.typer.int(), span);
                return Ok((Init::Value(self.typer.convert(zero, ty, Why::Init)?), ty));
            }
            let (init, ty) = self.nested(|p| p.initialiser(ty))?;
            self.excess()?;
            self.need_close(Punct::RBrace, start)?;
            return Ok((init, ty));
        }
        let operand = self.nested(|p| p.assignment())?;
        if matches!(self.typer.types().get(ty), Type::Array(..)) {
            return self.array_from(operand, ty);
        }
        let value = self.value_of(operand);
        let value = self.typer.convert(value, ty, Why::Init)?;
        Ok((Init::Value(value), ty))
    }

    /// GNU: an array that is initialised by a compound literal.
    fn array_from(&mut self, operand: Operand, ty: TypeId) -> Res<(Init, TypeId)> {
        let span = operand.span();
        if let Operand::Place(place) = operand
            && self.typer.are_compatible(place.ty, ty)
        {
            match place.kind {
                PlaceKind::Literal(_, init) => return Ok((*init, place.ty)),
                PlaceKind::Var(var) if self.typer.unit.var(var).name.is_empty() => {
                    if let Some(init) = self.typer.unit.var(var).init.clone() {
                        return Ok((init, place.ty));
                    }
                }
                _ => {}
            }
        }
        let message = "an array is initialised by a list in braces";
        Err(self.error(Code::CType, span, message))
    }

    fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(self.typer.types().get(ty), Type::Array(..) | Type::Record(_))
    }

    /// The integer type of the elements, if a string literal may initialise this array.
    fn text_element(&self, ty: TypeId) -> Option<IntKind> {
        let Type::Array(element, _) = self.typer.types().get(ty) else { return None };
        self.typer.types().int_kind(*element)
    }

    /// A string literal that is all of an initialiser, perhaps in braces.
    fn whole_text(&mut self) -> Res<Option<Literal>> {
        let mut ahead = 0;
        let is_braced = self.is(Punct::LBrace);
        if is_braced {
            ahead += 1;
        }
        if !matches!(self.peek(ahead), Kind::Text(_)) {
            return Ok(None);
        }
        while matches!(self.peek(ahead), Kind::Text(_)) {
            ahead += 1;
        }
        let is_whole = match self.peek(ahead) {
            Kind::Punct(Punct::RBrace) => true,
            Kind::Punct(Punct::Comma) if is_braced => {
                self.peek(ahead + 1) == Kind::Punct(Punct::RBrace)
            }
            Kind::Punct(Punct::Comma | Punct::Semicolon) => true,
            Kind::End => true,
            _ => false,
        };
        if !is_whole {
            return Ok(None);
        }
        let open = self.span();
        self.eat(Punct::LBrace);
        let literal = self.text_literal()?;
        if is_braced {
            self.eat(Punct::Comma);
            self.need_close(Punct::RBrace, open)?;
        }
        Ok(Some(literal))
    }

    fn text_initialiser(
        &mut self,
        ty: TypeId,
        element: IntKind,
        literal: Literal,
    ) -> Res<(Init, TypeId)> {
        self.check_text(element, &literal)?;
        let Type::Array(element_ty, length) = *self.typer.types().get(ty) else {
            unreachable!("only arrays are initialised by text")
        };
        let ty = match length {
            Length::Fixed(_) => ty,
            _ => {
                let length = Length::Fixed(literal.units.len() as u64 + 1);
                self.typer.unit.types.id(Type::Array(element_ty, length))
            }
        };
        if let Length::Fixed(length) = length
            && literal.units.len() as u64 > length
        {
            self.warn(Code::CConstant, literal.span, "this text is longer than its array");
        }
        if literal.element == Some(IntKind::Char) {
            return Ok((Init::Text(self.typer.add_string(&literal)), ty));
        }
        let mut parts = self.typer.wide_parts(&literal, element_ty);
        if let Type::Array(_, Length::Fixed(length)) = self.typer.types().get(ty) {
            parts.truncate(usize::try_from(*length).unwrap_or(usize::MAX));
        }
        Ok((Init::Parts(parts), ty))
    }

    fn check_text(&mut self, element: IntKind, literal: &Literal) -> Res<()> {
        let given = literal.element.unwrap_or(IntKind::Char);
        if given.bits(self.typer.model()) != element.bits(self.typer.model()) {
            let message = "the characters of this text do not have the type of the elements";
            return Err(self.error(Code::CType, literal.span, message));
        }
        Ok(())
    }

    /// The initialiser of an object of which `count` elements were given.
    fn finished(
        &mut self,
        ty: TypeId,
        count: u64,
        parts: Parts,
        span: Span,
    ) -> Res<(Init, TypeId)> {
        if let Type::Array(element, Length::Unknown) = *self.typer.types().get(ty) {
            let ty = self.typer.unit.types.id(Type::Array(element, Length::Fixed(count)));
            return Ok((Init::Parts(parts), ty));
        }
        if parts.iter().any(|(path, _)| self.is_flexible(ty, path)) {
            let words = "an initialiser of a member without length";
            return Ok((Init::Value(self.typer.untreated(words, ty, span)), ty));
        }
        Ok((Init::Parts(parts), ty))
    }

    /// Whether a path leads through an array without length.
    fn is_flexible(&self, ty: TypeId, path: &[u64]) -> bool {
        let mut ty = ty;
        path.iter().any(|&index| match self.typer.types().get(ty) {
            Type::Array(element, length) => {
                ty = *element;
                match length {
                    Length::Fixed(length) => index >= *length,
                    _ => true,
                }
            }
            Type::Record(record) => {
                ty = self.typer.types().record(*record).fields[index as usize].ty;
                false
            }
            _ => false,
        })
    }

    fn level(&mut self, ty: TypeId, span: Span) -> Res<Level> {
        let count = match self.typer.types().get(ty) {
            Type::Array(_, Length::Fixed(0)) => u64::MAX,
            Type::Array(_, Length::Fixed(length)) => *length,
            Type::Array(_, Length::Unknown) => u64::MAX,
            Type::Array(_, Length::Variable(_)) => {
                let message = "an array whose length is computed gets no first values";
                return Err(self.error(Code::CType, span, message));
            }
            Type::Record(_) => {
                let record = self.typer.record_of(ty, span)?;
                self.typer.types().record(record).fields.len() as u64
            }
            _ => 1,
        };
        Ok(Level { ty, index: 0, count })
    }

    fn part_type(&self, level: &Level) -> TypeId {
        match self.typer.types().get(level.ty) {
            Type::Array(element, _) => *element,
            Type::Record(record) => {
                self.typer.types().record(*record).fields[level.index as usize].ty
            }
            _ => level.ty,
        }
    }

    /// Goes on to the next part. A union has no next part.
    fn advance(&self, level: &mut Level) {
        let is_union = match self.typer.types().get(level.ty) {
            Type::Record(record) => self.typer.types().record(*record).is_union,
            _ => false,
        };
        level.index = if is_union { level.count } else { level.index + 1 };
    }

    /// A list in braces for an array or structure at the end of a path; returns how many elements it
    /// reaches to.
    fn braced(&mut self, ty: TypeId, prefix: &[u64], parts: &mut Parts) -> Res<u64> {
        let open = self.span();
        let mut stack = vec![self.level(ty, open)?];
        self.need(Punct::LBrace)?;
        let mut reached = 0;
        while !self.is(Punct::RBrace) {
            if self.kind() == Kind::End {
                self.need_close(Punct::RBrace, open)?;
            }
            let range = if self.is_designator() {
                self.designators(&mut stack)?
            } else {
                while stack.len() > 1 && stack.last().is_some_and(|top| top.index >= top.count) {
                    stack.pop();
                    let mut top = stack.pop().expect("the lowest level stays");
                    self.advance(&mut top);
                    stack.push(top);
                }
                None
            };
            let top = stack.last().expect("the lowest level stays");
            if top.index >= top.count {
                let span = self.span();
                self.warn(Code::CConstant, span, "there are more values here than parts");
                self.skip_value()?;
            } else {
                let mark = parts.len();
                let level = stack.len();
                self.element(&mut stack, prefix, parts)?;
                if let Some(last) = range {
                    self.repeat(prefix.len() + level - 1, mark, last, parts)?;
                    stack.truncate(level);
                    stack[level - 1].index = last;
                }
                reached = reached.max(stack[0].index.saturating_add(1));
                let mut top = stack.pop().expect("the lowest level stays");
                self.advance(&mut top);
                stack.push(top);
            }
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.need_close(Punct::RBrace, open)?;
        Ok(reached)
    }

    fn is_designator(&self) -> bool {
        match self.kind() {
            Kind::Punct(Punct::Dot | Punct::LBracket) => true,
            Kind::Name(_) => self.peek(1) == Kind::Punct(Punct::Colon),
            _ => false,
        }
    }

    /// Designators: the stack leads to what they designate. For a range, its last index.
    fn designators(&mut self, stack: &mut Vec<Level>) -> Res<Option<u64>> {
        stack.truncate(1);
        let mut range = None;
        let mut is_first = true;
        loop {
            let span = self.span();
            let is_old = matches!(self.kind(), Kind::Name(_)) && is_first;
            if !is_first {
                match self.kind() {
                    Kind::Punct(Punct::Dot | Punct::LBracket) => {
                        let top = stack.last().expect("the lowest level stays");
                        let ty = self.part_type(top);
                        stack.push(self.level(ty, span)?);
                    }
                    _ => break,
                }
            }
            is_first = false;
            let top_ty = stack.last().expect("the lowest level stays").ty;
            if self.eat(Punct::LBracket) {
                if !matches!(self.typer.types().get(top_ty), Type::Array(..)) {
                    let message = format!("{} has no elements", self.typer.show(top_ty));
                    return Err(self.error(Code::CType, span, message));
                }
                let first = self.designated_index()?;
                let last = if self.eat(Punct::Ellipsis) { self.designated_index()? } else { first };
                let close = self.need_close(Punct::RBracket, span)?;
                let top = stack.last_mut().expect("the lowest level stays");
                if last >= top.count || last < first {
                    let message = "this index is not in the array";
                    return Err(self.error(Code::CConstant, span.to(close), message));
                }
                top.index = first;
                range = (last > first).then_some(last);
            } else {
                self.eat(Punct::Dot);
                let (symbol, at) = self.need_name()?;
                let name = self.text(symbol);
                let (_, path) = self.typer.need_field(top_ty, name, at)?;
                for (position, &index) in path.iter().enumerate() {
                    if position > 0 {
                        let top = stack.last().expect("the lowest level stays");
                        let ty = self.part_type(top);
                        stack.push(self.level(ty, span)?);
                    }
                    stack.last_mut().expect("the lowest level stays").index = index as u64;
                }
            }
            if is_old {
                self.need(Punct::Colon)?;
                return Ok(range);
            }
        }
        // GNU: `[3] 5` does without `=`.
        if !self.eat(Punct::Assign)
            && !matches!(self.tokens[self.at - 1].kind, Kind::Punct(Punct::RBracket))
        {
            return Err(self.expected("`=`"));
        }
        Ok(range)
    }

    fn designated_index(&mut self) -> Res<u64> {
        let (value, _, span) = self.constant()?;
        match u64::try_from(value) {
            Ok(index) => Ok(index),
            Err(_) => Err(self.error(Code::CConstant, span, "this index is negative")),
        }
    }

    /// One value of a list, for the part that the stack leads to, or for the first scalar in it.
    fn element(&mut self, stack: &mut Vec<Level>, prefix: &[u64], parts: &mut Parts) -> Res<()> {
        let path = |stack: &[Level]| -> Vec<u64> {
            prefix.iter().copied().chain(stack.iter().map(|level| level.index)).collect()
        };
        let top = stack.last().expect("the lowest level stays");
        let mut ty = self.part_type(top);
        if let Some(element) = self.text_element(ty)
            && let Some(literal) = self.whole_text()?
        {
            return self.text_parts(ty, element, &literal, &path(stack), parts);
        }
        if self.is(Punct::LBrace) {
            if self.is_aggregate(ty) {
                let prefix = path(stack);
                self.nested(|p| p.braced(ty, &prefix, parts))?;
                return Ok(());
            }
            let (init, _) = self.nested(|p| p.initialiser(ty))?;
            if let Init::Value(value) = init {
                parts.push((path(stack), value));
            }
            return Ok(());
        }
        let operand = self.nested(|p| p.assignment())?;
        let span = operand.span();
        let is_text =
            matches!(&operand, Operand::Place(place) if matches!(place.kind, PlaceKind::Text(_)));
        if is_text && let Operand::Place(place) = &operand {
            // A string may be the first member of a structure whose braces are left out.
            let text_ty = place.ty;
            while self.is_aggregate(ty) {
                if self.text_element(ty) == Some(IntKind::Char) {
                    let PlaceKind::Text(index) = place.kind else { unreachable!("it is text") };
                    let units = self.typer.unit.strings[index as usize].iter();
                    let units = units.map(|&byte| u32::from(byte)).collect();
                    let literal = Literal { units, element: Some(IntKind::Char), span };
                    return self.text_parts(ty, IntKind::Char, &literal, &path(stack), parts);
                }
                if ty == text_ty {
                    break;
                }
                stack.push(self.level(ty, span)?);
                ty = self.part_of_top(stack, span)?;
            }
        }
        let value = self.value_of(operand);
        while self.is_aggregate(ty) && value.ty != ty {
            stack.push(self.level(ty, span)?);
            ty = self.part_of_top(stack, span)?;
        }
        let value = self.typer.convert(value, ty, Why::Init)?;
        parts.push((path(stack), value));
        Ok(())
    }

    fn part_of_top(&mut self, stack: &[Level], span: Span) -> Res<TypeId> {
        let top = stack.last().expect("the lowest level stays");
        if top.index >= top.count {
            let message = format!("{} has no parts to initialise", self.typer.show(top.ty));
            return Err(self.error(Code::CType, span, message));
        }
        Ok(self.part_type(top))
    }

    /// The characters of a string as values of an array's elements.
    fn text_parts(
        &mut self,
        ty: TypeId,
        element: IntKind,
        literal: &Literal,
        path: &[u64],
        parts: &mut Parts,
    ) -> Res<()> {
        self.check_text(element, literal)?;
        let element_ty = self.typer.types().target(ty).expect("an array has elements");
        let length = match self.typer.types().get(ty) {
            Type::Array(_, Length::Fixed(length)) => *length,
            _ => u64::MAX,
        };
        for (at, mut value) in self.typer.wide_parts(literal, element_ty) {
            if at[0] >= length {
                break;
            }
            value.ty = element_ty;
            parts.push((path.iter().copied().chain(at).collect(), value));
        }
        Ok(())
    }

    /// Gives the other indices of a range, which are at a depth of the paths, what its first one got.
    fn repeat(&mut self, depth: usize, mark: usize, last: u64, parts: &mut Parts) -> Res<()> {
        let Some(first) = parts.get(mark).map(|(path, _)| path[depth]) else { return Ok(()) };
        let given = (parts.len() - mark) as u64;
        if (last - first).saturating_mul(given) > MAX_RANGE {
            let span = self.last_span();
            let message = "a range of designators this large is not treated";
            self.typer.report.push(Diagnostic::unsupported(Code::CDepth, span, message));
            return Err(Stop);
        }
        let block: Parts = parts[mark..].to_vec();
        for index in first + 1..=last {
            for (path, value) in &block {
                let mut path = path.clone();
                path[depth] = index;
                parts.push((path, value.clone()));
            }
        }
        Ok(())
    }

    /// A value that initialises nothing.
    fn skip_value(&mut self) -> Res<()> {
        if self.is(Punct::LBrace) {
            let open = self.next().span;
            while !self.is(Punct::RBrace) && self.kind() != Kind::End {
                self.nested(|p| p.skip_value())?;
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
            self.need_close(Punct::RBrace, open)?;
            return Ok(());
        }
        self.nested(|p| p.assignment()).map(|_| ())
    }

    /// More values than a scalar takes.
    fn excess(&mut self) -> Res<()> {
        while self.eat(Punct::Comma) {
            if self.is(Punct::RBrace) {
                break;
            }
            let span = self.span();
            self.warn(Code::CConstant, span, "there are more values here than parts");
            self.skip_value()?;
        }
        Ok(())
    }
}
