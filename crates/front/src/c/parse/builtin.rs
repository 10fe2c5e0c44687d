//! What gcc has built in: forms with a syntax of their own, and functions that nobody declares.
//!
//! A built-in that is a known function (`alphorn_program::c::library`) is a call of it. One whose value
//! is known while reading is a constant. All others are read and not treated.
//!
//! Source: the GNU C manual, "Other Built-in Functions Provided by GCC".

use super::Parser;
use crate::c::token::{Keyword, Kind, Punct, Symbol};
use crate::c::typing::{Operand, Res};
use crate::diag::Code;
use alphorn_problem::Span;
use alphorn_program::c::layout::{FloatKind, Signature};
use alphorn_program::c::library::known;
use alphorn_program::c::{Expr, ExprKind, IntKind, Place, PlaceKind, Type, TypeId};

/// Functions of the C library as they are declared there: the result, then the parameters.
///
/// `v` void, `i` int, `u` unsigned, `l` long, `L` long long, `z` size_t, `b` _Bool, `p` void pointer,
/// `s` char pointer, `d` double, `f` float, `.` more.
const LIBRARY: &[(&str, &str)] = &[
    ("abort", "v"),
    ("abs", "ii"),
    ("alloca", "pz"),
    ("calloc", "pzz"),
    ("ceil", "dd"),
    ("cos", "dd"),
    ("exit", "vi"),
    ("_exit", "vi"),
    ("exp", "dd"),
    ("expect", "lll"),
    ("fabs", "dd"),
    ("fabsf", "ff"),
    ("floor", "dd"),
    ("fmod", "ddd"),
    ("fprintf", "ips."),
    ("free", "vp"),
    ("labs", "ll"),
    ("llabs", "LL"),
    ("log", "dd"),
    ("malloc", "pz"),
    ("memchr", "ppiz"),
    ("memcmp", "ippz"),
    ("memcpy", "pppz"),
    ("memmove", "pppz"),
    ("memset", "ppiz"),
    ("pow", "ddd"),
    ("printf", "is."),
    ("putchar", "ii"),
    ("puts", "is"),
    ("realloc", "ppz"),
    ("scanf", "is."),
    ("sin", "dd"),
    ("snprintf", "iszs."),
    ("sprintf", "iss."),
    ("sqrt", "dd"),
    ("strcat", "sss"),
    ("strchr", "ssi"),
    ("strcmp", "iss"),
    ("strcpy", "sss"),
    ("strcspn", "zss"),
    ("strdup", "ss"),
    ("strlen", "zs"),
    ("strncat", "sssz"),
    ("strncmp", "issz"),
    ("strncpy", "sssz"),
    ("strpbrk", "sss"),
    ("strrchr", "ssi"),
    ("strspn", "zss"),
    ("strstr", "sss"),
    ("trap", "v"),
    ("unreachable", "v"),
];

impl Parser<'_> {
    /// The type of a function of the C library.
    pub(super) fn standard_type(&mut self, name: &str) -> Option<TypeId> {
        let index = LIBRARY.iter().position(|entry| entry.0 == name)?;
        let mut letters = LIBRARY[index].1.chars();
        let result = letters.next().map(|letter| self.letter_type(letter))?;
        let mut signature =
            Signature { result, params: Vec::new(), is_variadic: false, is_open: false };
        for letter in letters {
            if letter == '.' {
                signature.is_variadic = true;
            } else {
                let param = self.letter_type(letter);
                signature.params.push(param);
            }
        }
        Some(self.typer.unit.types.id(Type::Function(signature)))
    }

    fn letter_type(&mut self, letter: char) -> TypeId {
        match letter {
            'v' => self.typer.void(),
            'u' => self.typer.int_type(IntKind::UnsignedInt),
            'l' => self.typer.int_type(IntKind::Long),
            'L' => self.typer.int_type(IntKind::LongLong),
            'z' => self.typer.size_type(),
            'b' => self.typer.int_type(IntKind::Bool),
            'p' => self.typer.void_pointer(),
            's' => {
                let char = self.typer.char();
                self.typer.pointer_to(char)
            }
            'd' => self.typer.float_type(FloatKind::Double),
            'f' => self.typer.float_type(FloatKind::Float),
            _ => self.typer.int(),
        }
    }

    /// A name that gcc has built in, behind the name.
    pub(super) fn builtin(&mut self, name: &str, symbol: Symbol, at: Span) -> Res<Option<Operand>> {
        if name.starts_with("__sync_") || name.starts_with("__atomic_") {
            return self.atomic(name, at).map(Some);
        }
        let Some(short) = name.strip_prefix("__builtin_") else { return Ok(None) };
        if !self.is(Punct::LParen) {
            return Ok(None);
        }
        if known(name).is_some()
            && let Some(ty) = self.standard_type(short)
        {
            let function = match self.linked.get(&symbol) {
                Some(&crate::c::scope::Entity::Function(function)) => function,
                _ => self.new_function(symbol, ty, at),
            };
            return Ok(Some(Operand::Function(function, ty, at)));
        }
        let open = self.next().span;
        let args = match short {
            "constant_p" | "alphorn_object" => self.unevaluated(|p| p.arguments(open))?,
            _ => self.arguments(open)?,
        };
        let span = at.to(self.last_span());
        if short == "alphorn_object" {
            return self.object(args, span).map(Some);
        }
        Ok(Some(Operand::Value(self.builtin_value(short, args, span)?)))
    }

    /// The variable whose address an argument is, for the functions of `<stdatomic.h>`, which the header has as macros:
    /// nothing is evaluated twice, and no address of an atomic variable is used.
    fn object(&mut self, args: Vec<Operand>, span: Span) -> Res<Operand> {
        let mut args = args.into_iter();
        let (Some(arg), None) = (args.next(), args.next()) else {
            let message = "an atomic operation has an object";
            return Err(self.typer.report.error(Code::CType, span, message));
        };
        let pointer = self.value_of(arg);
        match pointer.kind {
            ExprKind::Address(place) if matches!(place.kind, PlaceKind::Var(_)) => {
                Ok(Operand::Place(Place { span, ..*place }))
            }
            _ => {
                let what = "an atomic operation on something that is not a variable";
                let untreated = Expr { kind: ExprKind::Untreated(what), ..pointer };
                self.typer.target(Operand::Value(untreated), span)
            }
        }
    }

    fn builtin_value(&mut self, name: &str, args: Vec<Operand>, span: Span) -> Res<Expr> {
        let mut values: Vec<Expr> = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.value_of(arg));
        }
        let count = values.len();
        let mut values = values.into_iter();
        let float = |name: &str| match name.chars().last() {
            Some('f') if name != "inf" => FloatKind::Float,
            Some('l') if name != "huge_val" => FloatKind::LongDouble,
            _ => FloatKind::Double,
        };
        let (words, ty) = match name {
            "constant_p" => {
                let is_constant = values.next().is_some_and(|value| {
                    self.typer.constant_value(&value).is_some()
                        || matches!(value.kind, ExprKind::Float(_))
                });
                return Ok(self.typer.constant(i128::from(is_constant), self.typer.int(), span));
            }
            "expect_with_probability" | "assume_aligned" if count > 0 => {
                let value = values.next().expect("there is a first argument");
                return Ok(Expr { span, ..value });
            }
            "object_size" | "dynamic_object_size" => {
                let kind = values.nth(1).and_then(|kind| self.typer.constant_value(&kind));
                let size = if matches!(kind, Some(2 | 3)) { 0 } else { -1 };
                let size = self.typer.constant(size, self.typer.int(), span);
                return Ok(self.typer.cast(size, self.typer.size_type(), false));
            }
            "va_start" | "va_end" | "va_copy" => ("variable arguments", self.typer.void()),
            "prefetch" => {
                let zero = self.typer.constant(0, self.typer.int(), span);
                return self.typer.cast_written(zero, self.typer.void(), span);
            }
            "bswap16" => ("a built-in function", self.typer.int_type(IntKind::UnsignedShort)),
            "bswap32" => ("a built-in function", self.typer.int_type(IntKind::UnsignedInt)),
            "bswap64" => {
                let kind = match self.typer.types().pointer_size() {
                    8 => IntKind::UnsignedLong,
                    _ => IntKind::UnsignedLongLong,
                };
                ("a built-in function", self.typer.int_type(kind))
            }
            "huge_val" | "huge_valf" | "huge_vall" | "inf" | "inff" | "infl" | "nan" | "nanf"
            | "nanl" | "nans" | "nansf" | "nansl" => {
                ("infinity or not a number", self.typer.float_type(float(name)))
            }
            "frame_address" | "return_address" | "extract_return_addr" => {
                ("the address of a frame", self.typer.void_pointer())
            }
            "add_overflow" | "sub_overflow" | "mul_overflow" => {
                ("a built-in function", self.typer.int_type(IntKind::Bool))
            }
            _ => {
                let ty = match self.standard_type(name) {
                    Some(ty) => self.typer.signature(ty).expect("a function's type").result,
                    None => self.typer.int(),
                };
                ("a built-in function", ty)
            }
        };
        Ok(self.typer.untreated(words, ty, span))
    }

    /// `__sync_…` and `__atomic_…`, behind the name.
    fn atomic(&mut self, name: &str, at: Span) -> Res<Operand> {
        let open = self.need(Punct::LParen)?;
        let args = self.arguments(open)?;
        let span = at.to(self.last_span());
        let mut ty = self.typer.int();
        if let Some(first) = args.into_iter().next() {
            let value = self.value_of(first);
            if let Some(target) = self.typer.types().target(value.ty) {
                ty = target;
            }
        }
        if name.contains("bool_compare") || name.contains("compare_exchange") {
            ty = self.typer.int_type(IntKind::Bool);
        } else if name.contains("synchronize") || name.contains("fence") || name.contains("release")
        {
            ty = self.typer.void();
        }
        Ok(Operand::Value(self.typer.untreated("an atomic operation", ty, span)))
    }

    /// Forms that begin with a keyword, at it.
    pub(super) fn keyword_expression(&mut self, keyword: Keyword, start: Span) -> Res<Operand> {
        match keyword {
            Keyword::Generic => self.generic(),
            Keyword::VaArg => {
                self.at += 1;
                let open = self.need(Punct::LParen)?;
                self.nested(|p| p.assignment())?;
                self.need(Punct::Comma)?;
                let ty = self.nested(|p| p.type_name())?;
                let close = self.need_close(Punct::RParen, open)?;
                let expr = self.typer.untreated("variable arguments", ty, start.to(close));
                Ok(Operand::Value(expr))
            }
            Keyword::Offsetof => self.offset_of(),
            Keyword::TypesCompatible => {
                self.at += 1;
                let open = self.need(Punct::LParen)?;
                let left = self.nested(|p| p.type_name())?;
                self.need(Punct::Comma)?;
                let right = self.nested(|p| p.type_name())?;
                let close = self.need_close(Punct::RParen, open)?;
                let is_same = i128::from(self.typer.are_compatible(left, right));
                Ok(Operand::Value(self.typer.constant(is_same, self.typer.int(), start.to(close))))
            }
            Keyword::ChooseExpr => {
                self.at += 1;
                let open = self.need(Punct::LParen)?;
                let (value, ..) = self.constant()?;
                self.need(Punct::Comma)?;
                let first = self.chosen(value != 0)?;
                self.need(Punct::Comma)?;
                let second = self.chosen(value == 0)?;
                let close = self.need_close(Punct::RParen, open)?;
                let operand = if value != 0 { first } else { second };
                Ok(operand.at(start.to(close)))
            }
            _ => Err(self.expected("an expression")),
        }
    }

    /// An expression that is done or not.
    fn chosen(&mut self, is_chosen: bool) -> Res<Operand> {
        if is_chosen {
            self.nested(|p| p.assignment())
        } else {
            self.nested(|p| p.unevaluated(|p| p.assignment()))
        }
    }

    fn generic(&mut self) -> Res<Operand> {
        let start = self.next().span;
        let open = self.need(Punct::LParen)?;
        let operand = self.nested(|p| p.unevaluated(|p| p.assignment()))?;
        let ty = self.unevaluated(|p| Ok(p.value_of(operand).ty))?;
        let (mut exact, mut default) = (None, None);
        while self.eat(Punct::Comma) {
            if self.eat_word(Keyword::Default) {
                self.need(Punct::Colon)?;
                default = Some(self.chosen(true)?);
            } else {
                let wanted = self.nested(|p| p.type_name())?;
                self.need(Punct::Colon)?;
                let is_chosen = exact.is_none() && self.typer.are_compatible(wanted, ty);
                let value = self.chosen(is_chosen)?;
                if is_chosen {
                    exact = Some(value);
                }
            }
        }
        let close = self.need_close(Punct::RParen, open)?;
        let span = start.to(close);
        match exact.or(default) {
            Some(operand) => Ok(operand.at(span)),
            None => {
                let message = format!("no case is for {}", self.typer.show(ty));
                Err(self.error(Code::CType, span, message))
            }
        }
    }

    fn offset_of(&mut self) -> Res<Operand> {
        let start = self.next().span;
        let open = self.need(Punct::LParen)?;
        let mut ty = self.nested(|p| p.type_name())?;
        self.need(Punct::Comma)?;
        let mut offset = 0i128;
        let mut is_first = true;
        loop {
            if is_first || self.eat(Punct::Dot) {
                let (symbol, span) = self.need_name()?;
                let name = self.text(symbol);
                let (mut record, path) = self.typer.need_field(ty, name, span)?;
                for index in path {
                    let field = &self.typer.types().record(record).fields[index];
                    (ty, offset) = (field.ty, offset + i128::from(field.offset));
                    if let Type::Record(inner) = self.typer.types().get(ty) {
                        record = *inner;
                    }
                }
            } else if self.is(Punct::LBracket) {
                let span = self.next().span;
                let (index, ..) = self.constant()?;
                self.need_close(Punct::RBracket, span)?;
                let Some(element) = self.typer.types().target(ty) else {
                    let message = format!("{} has no elements", self.typer.show(ty));
                    return Err(self.error(Code::CType, span, message));
                };
                let size = self.typer.types().size(element).unwrap_or(0);
                (ty, offset) = (element, offset + index.saturating_mul(i128::from(size)));
            } else {
                break;
            }
            is_first = false;
        }
        if self.kind() == Kind::End {
            self.need_close(Punct::RParen, open)?;
        }
        let close = self.need_close(Punct::RParen, open)?;
        let size_type = self.typer.size_type();
        Ok(Operand::Value(self.typer.constant(offset, size_type, start.to(close))))
    }
}
