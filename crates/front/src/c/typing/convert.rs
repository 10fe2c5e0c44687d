//! Conversions: promotions, the usual arithmetic conversions, assignment, casts.
//!
//! Source: C11 6.3.1, 6.3.2, 6.5.2.2, 6.5.4, 6.5.16.1.

use super::{INT_KINDS, Operand, Res, Typer};
use crate::c::constant::{fits, wrap};
use crate::diag::Code;
use alphorn_problem::Span;
use alphorn_program::c::layout::{FloatKind, Length, RecordId, Signature};
use alphorn_program::c::tree::Init;
use alphorn_program::c::{Expr, ExprKind, IntKind, Place, Type, TypeId};

/// Why a value is converted, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It is assigned.
    Assign,
    /// It is what a variable is at first.
    Init,
    /// It is an argument.
    Argument,
    /// It is returned.
    Return,
    /// It meets a value of the other type.
    Meet,
}

impl Why {
    fn words(self) -> &'static str {
        match self {
            Why::Assign => "is assigned to",
            Why::Init => "initialises",
            Why::Argument => "is passed for a parameter of type",
            Why::Return => "is returned as",
            Why::Meet => "meets",
        }
    }
}

impl Typer {
    /// Converts a value to a type. Integer constants are converted here and now.
    pub fn cast(&self, expr: Expr, ty: TypeId, is_written: bool) -> Expr {
        if expr.ty == ty {
            return expr;
        }
        let span = expr.span;
        if let ExprKind::Int(value) = expr.kind {
            match self.types().get(ty) {
                Type::Int(kind) => {
                    return self.constant(wrap(value, *kind, self.types()), ty, span);
                }
                Type::Pointer(_) if value == 0 => return self.constant(0, ty, span),
                _ => {}
            }
        }
        Expr { kind: ExprKind::Cast(Box::new(expr), is_written), ty, span }
    }

    /// The integer promotions.
    pub fn promote(&self, expr: Expr) -> Expr {
        let Some(kind) = self.types().int_kind(expr.ty) else { return expr };
        let target = self.promoted(kind, self.bits_of(&expr));
        self.cast(expr, self.int_type(target), false)
    }

    /// How many bits the bit-field has whose value an expression is.
    pub(super) fn bits_of(&self, expr: &Expr) -> Option<u32> {
        let mut expr = expr;
        let place = loop {
            match &expr.kind {
                ExprKind::Load(place)
                | ExprKind::Assign(place, _)
                | ExprKind::Update(place, ..)
                | ExprKind::Step(place, ..) => break place,
                ExprKind::Comma(_, last) => expr = last,
                ExprKind::Member(inner, index) => {
                    let Type::Record(record) = self.types().get(inner.ty) else { return None };
                    return self.types().record(*record).fields[*index].bits.map(|bits| bits.1);
                }
                _ => return None,
            }
        };
        self.field_bits(place)
    }

    /// How many bits a place has that is a bit-field.
    pub fn field_bits(&self, place: &Place) -> Option<u32> {
        place.bits(self.types())
    }

    /// The default argument promotions.
    pub fn promote_argument(&self, expr: Expr) -> Expr {
        match self.types().get(expr.ty) {
            Type::Float(FloatKind::Float) => self.cast(expr, self.basic.double, false),
            _ => self.promote(expr),
        }
    }

    /// The type that an argument of a type has after the default argument promotions.
    pub fn promoted_argument(&self, ty: TypeId) -> TypeId {
        match self.types().get(ty) {
            Type::Float(FloatKind::Float) => self.basic.double,
            Type::Int(kind) => self.int_type(self.promoted(*kind, None)),
            _ => ty,
        }
    }

    /// The type in which two arithmetic values meet.
    pub fn common_type(&mut self, left: &Expr, right: &Expr) -> TypeId {
        self.common((left.ty, self.bits_of(left)), (right.ty, self.bits_of(right)))
    }

    /// The type in which the value of a place and another value meet.
    pub fn common_with(&mut self, place: &Place, right: &Expr) -> TypeId {
        self.common((place.ty, self.field_bits(place)), (right.ty, self.bits_of(right)))
    }

    /// The promoted type of a place's value.
    pub fn promoted_type(&self, place: &Place) -> TypeId {
        match self.types().int_kind(place.ty) {
            Some(kind) => self.int_type(self.promoted(kind, self.field_bits(place))),
            None => place.ty,
        }
    }

    pub(super) fn common(
        &mut self,
        left: (TypeId, Option<u32>),
        right: (TypeId, Option<u32>),
    ) -> TypeId {
        match (self.types().get(left.0), self.types().get(right.0)) {
            (Type::Float(a), Type::Float(b)) => {
                let kind = if float_rank(*a) >= float_rank(*b) { *a } else { *b };
                self.float_type(kind)
            }
            (Type::Float(_), _) => left.0,
            (_, Type::Float(_)) => right.0,
            (Type::Int(a), Type::Int(b)) => {
                let (a, b) = (self.promoted(*a, left.1), self.promoted(*b, right.1));
                self.int_type(self.common_kind(a, b))
            }
            _ => left.0,
        }
    }

    fn promoted(&self, kind: IntKind, bits: Option<u32>) -> IntKind {
        let int_bits = IntKind::Int.bits(self.model());
        match bits {
            Some(width) if width < int_bits || width == int_bits && kind.is_signed() => {
                IntKind::Int
            }
            Some(width) if width == int_bits => IntKind::UnsignedInt,
            Some(width) if width < kind.bits(self.model()) => exact(kind, width),
            _ if rank(kind) < rank(IntKind::Int) => IntKind::Int,
            _ => kind,
        }
    }

    fn common_kind(&self, a: IntKind, b: IntKind) -> IntKind {
        if a == b {
            return a;
        }
        // As gcc has it, the wider of two types, one of which has an unusual width.
        let (left, right) = (a.bits(self.model()), b.bits(self.model()));
        if left != right && (is_exact(a) || is_exact(b)) {
            return if left > right { a } else { b };
        }
        if a.is_signed() == b.is_signed() {
            return if rank(a) >= rank(b) { a } else { b };
        }
        let (signed, unsigned) = if a.is_signed() { (a, b) } else { (b, a) };
        if rank(unsigned) >= rank(signed) {
            unsigned
        } else if signed.bits(self.model()) > unsigned.bits(self.model()) {
            signed
        } else {
            without_sign(signed)
        }
    }

    /// The usual arithmetic conversions.
    pub fn balance(&mut self, left: Expr, right: Expr) -> (Expr, Expr, TypeId) {
        let ty = self.common_type(&left, &right);
        let left = self.promote(left);
        let right = self.promote(right);
        (self.cast(left, ty, false), self.cast(right, ty, false), ty)
    }

    /// Whether an expression is a null pointer constant.
    pub fn is_null(&self, expr: &Expr) -> bool {
        match self.types().get(expr.ty) {
            Type::Int(_) => self.constant_value(expr) == Some(0),
            Type::Pointer(target) => match &expr.kind {
                ExprKind::Int(0) => *self.types().get(*target) == Type::Void,
                ExprKind::Cast(inner, _) => {
                    *self.types().get(*target) == Type::Void
                        && self.is_integer(inner.ty)
                        && self.constant_value(inner) == Some(0)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Converts a value to the type of where it goes.
    pub fn convert(&mut self, expr: Expr, ty: TypeId, why: Why) -> Res<Expr> {
        if expr.ty == ty {
            return Ok(expr);
        }
        let span = expr.span;
        let (from, to) = (self.types().get(expr.ty), self.types().get(ty));
        match (from, to) {
            (Type::Int(_) | Type::Float(_), Type::Int(_) | Type::Float(_)) => {}
            (Type::Pointer(_), Type::Int(IntKind::Bool)) => {}
            (Type::Pointer(a), Type::Pointer(b)) => {
                let is_plain = matches!(self.types().get(*a), Type::Void)
                    || matches!(self.types().get(*b), Type::Void)
                    || self.is_sign_apart(*a, *b)
                    || self.are_compatible(*a, *b)
                    || self.is_null(&expr);
                if !is_plain {
                    self.mismatch(expr.ty, ty, why, span);
                }
                if matches!(expr.kind, ExprKind::Int(0)) {
                    return Ok(self.constant(0, ty, span));
                }
            }
            (Type::Int(_), Type::Pointer(_)) => {
                if self.is_null(&expr) {
                    return Ok(self.constant(0, ty, span));
                }
                self.mismatch(expr.ty, ty, why, span);
            }
            (Type::Pointer(_), Type::Int(_)) => self.mismatch(expr.ty, ty, why, span),
            (Type::VaList, _) | (_, Type::VaList) => {
                return Ok(self.untreated("variable arguments", ty, span));
            }
            (_, Type::Record(record)) if self.transparent.contains(record) => {
                return self.transparent_value(expr, *record, ty);
            }
            _ if self.is_complex(ty) || self.is_complex(expr.ty) => {
                if !matches!(from, Type::Void) && !matches!(to, Type::Void) {
                    return Ok(self.untreated("a complex number", ty, span));
                }
                return Err(self.no_conversion(expr.ty, ty, why, span));
            }
            _ => return Err(self.no_conversion(expr.ty, ty, why, span)),
        }
        Ok(self.cast(expr, ty, false))
    }

    fn mismatch(&mut self, from: TypeId, to: TypeId, why: Why, span: Span) {
        let message = format!("{} {} {}", self.show(from), why.words(), self.show(to));
        self.report.warn(Code::CConversion, span, message);
    }

    fn no_conversion(&mut self, from: TypeId, to: TypeId, why: Why, span: Span) -> super::Stop {
        let message = match self.types().get(from) {
            Type::Void => "this has no value, and one is wanted here".to_owned(),
            _ => format!("{} {} {}", self.show(from), why.words(), self.show(to)),
        };
        self.report.error(Code::CType, span, message)
    }

    /// Whether two types are integers that differ in their sign at most, or are `char` both.
    fn is_sign_apart(&self, a: TypeId, b: TypeId) -> bool {
        match (self.types().int_kind(a), self.types().int_kind(b)) {
            (Some(a), Some(b)) => rank(a) == rank(b) && a != IntKind::Bool,
            _ => false,
        }
    }

    /// An argument for a parameter that is a transparent union: the first member that it fits.
    fn transparent_value(&mut self, expr: Expr, record: RecordId, ty: TypeId) -> Res<Expr> {
        let span = expr.span;
        let fields = &self.types().record(record).fields;
        let is_null = self.is_null(&expr);
        let fit = fields.iter().position(|field| {
            field.ty == expr.ty
                || self.is_pointer(field.ty) && (is_null || self.is_pointer(expr.ty))
                || self.is_arithmetic(field.ty) && self.is_arithmetic(expr.ty)
        });
        let Some(index) = fit else {
            return Err(self.no_conversion(expr.ty, ty, Why::Argument, span));
        };
        let field = fields[index].ty;
        let value = self.convert(expr, field, Why::Argument)?;
        let place = self.literal_place(ty, Init::Parts(vec![(vec![index as u64], value)]), span);
        Ok(self.value(Operand::Place(place)))
    }

    /// A cast that is written.
    pub fn cast_written(&mut self, expr: Expr, ty: TypeId, span: Span) -> Res<Expr> {
        let (from, to) = (self.types().get(expr.ty), self.types().get(ty));
        let scalar = |ty: &Type| matches!(ty, Type::Int(_) | Type::Float(_) | Type::Pointer(_));
        let mut result = match (from, to) {
            (Type::Float(_), Type::Pointer(_)) | (Type::Pointer(_), Type::Float(_)) => {
                let message = format!("{} cannot be cast to {}", self.show(expr.ty), self.show(ty));
                return Err(self.report.error(Code::CType, span, message));
            }
            _ if expr.ty == ty => expr,
            (_, Type::Void) => Expr { kind: ExprKind::Cast(Box::new(expr), true), ty, span },
            (from, to) if scalar(from) && scalar(to) => self.cast(expr, ty, true),
            (_, Type::Record(record)) if self.types().record(*record).is_union => {
                // GNU: a cast to a union makes one with that member.
                let fields = &self.types().record(*record).fields;
                let Some(index) = fields.iter().position(|field| field.ty == expr.ty) else {
                    let message =
                        format!("{} has no member of type {}", self.show(ty), self.show(expr.ty));
                    return Err(self.report.error(Code::CType, span, message));
                };
                let init = Init::Parts(vec![(vec![index as u64], expr)]);
                let place = self.literal_place(ty, init, span);
                self.value(Operand::Place(place))
            }
            _ if self.is_complex(ty) || self.is_complex(expr.ty) => {
                self.untreated("a complex number", ty, span)
            }
            (Type::VaList, _) | (_, Type::VaList) => self.untreated("variable arguments", ty, span),
            _ => {
                let message = format!("{} cannot be cast to {}", self.show(expr.ty), self.show(ty));
                return Err(self.report.error(Code::CType, span, message));
            }
        };
        result.span = span;
        Ok(result)
    }

    /// Whether two types are compatible; qualifiers do not count here.
    pub fn are_compatible(&self, a: TypeId, b: TypeId) -> bool {
        let (mut a, mut b) = (a, b);
        loop {
            if a == b {
                return true;
            }
            match (self.types().get(a), self.types().get(b)) {
                (Type::Pointer(x), Type::Pointer(y)) => (a, b) = (*x, *y),
                (Type::Array(x, m), Type::Array(y, n)) => {
                    if let (Length::Fixed(m), Length::Fixed(n)) = (m, n)
                        && m != n
                    {
                        return false;
                    }
                    (a, b) = (*x, *y);
                }
                (Type::Function(x), Type::Function(y)) => return self.do_signatures_agree(x, y),
                _ => return false,
            }
        }
    }

    fn do_signatures_agree(&self, x: &Signature, y: &Signature) -> bool {
        self.are_compatible(x.result, y.result)
            && (x.is_open
                || y.is_open
                || x.is_variadic == y.is_variadic
                    && x.params.len() == y.params.len()
                    && x.params.iter().zip(&y.params).all(|(&a, &b)| self.are_compatible(a, b)))
    }

    /// Whether a value is in the range of an integer type.
    pub fn fits(&self, value: i128, kind: IntKind) -> bool {
        fits(value, kind, self.types())
    }

    /// The first type from `int` on that has a value, as constants of an enumeration get theirs.
    pub fn first_fit(&self, value: i128) -> Option<IntKind> {
        let kinds = INT_KINDS.into_iter().skip_while(|&kind| kind != IntKind::Int);
        kinds.take_while(|&kind| kind != IntKind::Int128).find(|&kind| self.fits(value, kind))
    }
}

/// How far up an integer type stands; both signs stand level.
pub fn rank(kind: IntKind) -> u32 {
    match kind {
        IntKind::Bool => 0,
        IntKind::Char | IntKind::SignedChar | IntKind::UnsignedChar => 1,
        IntKind::Short | IntKind::UnsignedShort => 2,
        IntKind::Int | IntKind::UnsignedInt => 3,
        IntKind::Long | IntKind::UnsignedLong => 4,
        IntKind::LongLong | IntKind::UnsignedLongLong => 5,
        IntKind::Int128 | IntKind::UnsignedInt128 => 6,
        // Between those that are narrower and those that are wider; `common_kind` goes by the width.
        IntKind::Exact(_) | IntKind::UnsignedExact(_) => 3,
    }
}

fn float_rank(kind: FloatKind) -> u32 {
    match kind {
        FloatKind::Float => 0,
        FloatKind::Double => 1,
        FloatKind::LongDouble => 2,
        FloatKind::Float128 => 3,
    }
}

/// The type of exactly so many bits, signed as another.
pub fn exact(kind: IntKind, bits: u32) -> IntKind {
    let bits = u8::try_from(bits).expect("a bit-field has at most as many bits as its type");
    if kind.is_signed() { IntKind::Exact(bits) } else { IntKind::UnsignedExact(bits) }
}

fn is_exact(kind: IntKind) -> bool {
    matches!(kind, IntKind::Exact(_) | IntKind::UnsignedExact(_))
}

/// The type without sign of the same width.
pub fn without_sign(kind: IntKind) -> IntKind {
    match kind {
        IntKind::Char | IntKind::SignedChar => IntKind::UnsignedChar,
        IntKind::Short => IntKind::UnsignedShort,
        IntKind::Int => IntKind::UnsignedInt,
        IntKind::Long => IntKind::UnsignedLong,
        IntKind::LongLong => IntKind::UnsignedLongLong,
        IntKind::Int128 => IntKind::UnsignedInt128,
        IntKind::Exact(bits) => IntKind::UnsignedExact(bits),
        other => other,
    }
}
