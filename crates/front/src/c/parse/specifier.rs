//! Declaration specifiers: storage, qualifiers, and the type in which a declaration begins.
//!
//! Source: C11 6.7.1–6.7.5.

use super::Parser;
use super::attribute::Attributes;
use crate::c::scope::Entity;
use crate::c::token::{Keyword, Kind, Punct};
use crate::c::typing::Res;
use crate::diag::Code;
use alphorn_problem::Span;
use alphorn_program::c::layout::FloatKind;
use alphorn_program::c::{IntKind, Type, TypeId};

/// A storage-class specifier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Class {
    /// None.
    #[default]
    None,
    /// `typedef`.
    Typedef,
    /// `extern`.
    Extern,
    /// `static`.
    Static,
    /// `auto` or `register`.
    Automatic,
}

/// What the specifiers of a declaration say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Specifiers {
    /// The type.
    pub ty: TypeId,
    /// The storage class.
    pub class: Class,
    /// What attributes say.
    pub attributes: Attributes,
    /// What the named type's objects are aligned to, if more than usual.
    pub align: u64,
    /// Whether the type is that of the initialiser: `__auto_type`.
    pub is_auto_type: bool,
    /// Whether no type was given, so that it is `int`.
    pub is_implicit: bool,
    /// Whether objects are atomic.
    pub is_atomic: bool,
    /// Whether each thread has its own.
    pub is_thread_local: bool,
    /// Where they stand.
    pub span: Span,
}

/// The words that make up a basic type, counted.
#[derive(Default)]
struct Words {
    void: u32,
    bool: u32,
    char: u32,
    short: u32,
    int: u32,
    long: u32,
    signed: u32,
    unsigned: u32,
    float: u32,
    double: u32,
    int128: u32,
    float128: u32,
    complex: u32,
}

impl Words {
    fn count(&mut self, keyword: Keyword) -> Option<&mut u32> {
        Some(match keyword {
            Keyword::Void => &mut self.void,
            Keyword::Bool => &mut self.bool,
            Keyword::Char => &mut self.char,
            Keyword::Short => &mut self.short,
            Keyword::Int => &mut self.int,
            Keyword::Long => &mut self.long,
            Keyword::Signed => &mut self.signed,
            Keyword::Unsigned => &mut self.unsigned,
            Keyword::Float => &mut self.float,
            Keyword::Double => &mut self.double,
            Keyword::Int128 => &mut self.int128,
            Keyword::Float128 => &mut self.float128,
            Keyword::Complex | Keyword::Imaginary => &mut self.complex,
            _ => return None,
        })
    }
}

impl Parser<'_> {
    /// Whether a declaration or a type name begins here.
    pub(super) fn starts_type(&self) -> bool {
        self.is_type_start(self.kind())
    }

    /// Whether a declaration or a type name may begin with such a token.
    pub(super) fn is_type_start(&self, kind: Kind) -> bool {
        use Keyword::*;
        match kind {
            Kind::Name(symbol) => matches!(self.scopes.name(symbol), Some(Entity::Typedef(..))),
            Kind::Keyword(keyword) => matches!(
                keyword,
                Auto | Char
                    | Const
                    | Double
                    | Enum
                    | Extern
                    | Float
                    | Inline
                    | Int
                    | Long
                    | Register
                    | Restrict
                    | Short
                    | Signed
                    | Static
                    | Struct
                    | Typedef
                    | Union
                    | Unsigned
                    | Void
                    | Volatile
                    | Bool
                    | Complex
                    | Imaginary
                    | Alignas
                    | Atomic
                    | Noreturn
                    | ThreadLocal
                    | Attribute
                    | Typeof
                    | Int128
                    | Float128
                    | AutoType
                    | VaListType
            ),
            _ => false,
        }
    }

    /// Reads declaration specifiers.
    pub(super) fn specifiers(&mut self) -> Res<Specifiers> {
        let start = self.span();
        let mut words = Words::default();
        let mut has_word = false;
        let mut named: Option<TypeId> = None;
        let mut result = Specifiers {
            ty: self.typer.int(),
            class: Class::None,
            attributes: Attributes::default(),
            align: 0,
            is_auto_type: false,
            is_implicit: false,
            is_atomic: false,
            is_thread_local: false,
            span: start,
        };
        loop {
            let keyword = match self.kind() {
                Kind::Keyword(keyword) => keyword,
                Kind::Name(symbol) if named.is_none() && !has_word => {
                    let Some(Entity::Typedef(ty, align)) = self.scopes.name(symbol) else { break };
                    self.at += 1;
                    result.is_atomic |= self.atomic_types.contains(&symbol);
                    (named, result.align) = (Some(ty), align);
                    continue;
                }
                _ => break,
            };
            if let Some(count) = words.count(keyword) {
                *count += 1;
                if named.is_some() {
                    let span = self.span();
                    return Err(self.error(Code::CSyntax, span, "a second type is given here"));
                }
                has_word = true;
                self.at += 1;
            } else if let Some(ty) = self.named_type(keyword, has_word || named.is_some())? {
                result.is_atomic |= keyword == Keyword::Atomic;
                result.is_auto_type |= keyword == Keyword::AutoType;
                named = Some(ty);
            } else if !self.other_specifier(keyword, &mut result)? {
                break;
            }
        }
        result.span = start.to(self.last_span());
        result.is_implicit = named.is_none() && !has_word;
        let ty = match named {
            Some(ty) => ty,
            None if result.is_implicit => self.typer.int(),
            None => self.basic_type(&words, result.span)?,
        };
        result.ty = self.with_mode(ty, result.attributes.mode);
        Ok(result)
    }

    /// Refuses a storage class where none can be; `register` may stand before a parameter.
    pub(super) fn no_class(&mut self, specifiers: &Specifiers, is_parameter: bool) -> Res<()> {
        let is_fine = match specifiers.class {
            Class::None => true,
            Class::Automatic => is_parameter,
            Class::Typedef | Class::Extern | Class::Static => false,
        };
        if is_fine {
            return Ok(());
        }
        let message = "a storage class cannot stand here";
        Err(self.error(Code::CSyntax, specifiers.span, message))
    }

    /// A specifier that is neither a type nor part of one; false if it is none.
    fn other_specifier(&mut self, keyword: Keyword, result: &mut Specifiers) -> Res<bool> {
        let class = match keyword {
            Keyword::Typedef => Class::Typedef,
            Keyword::Extern => Class::Extern,
            Keyword::Static => Class::Static,
            Keyword::Auto | Keyword::Register => Class::Automatic,
            Keyword::Const
            | Keyword::Volatile
            | Keyword::Restrict
            | Keyword::Inline
            | Keyword::ThreadLocal
            | Keyword::Atomic
            | Keyword::Extension => {
                result.is_atomic |= keyword == Keyword::Atomic;
                result.is_thread_local |= keyword == Keyword::ThreadLocal;
                self.at += 1;
                return Ok(true);
            }
            Keyword::Noreturn => {
                self.at += 1;
                result.attributes.is_noreturn = true;
                return Ok(true);
            }
            Keyword::Attribute => {
                self.attributes(&mut result.attributes)?;
                return Ok(true);
            }
            Keyword::Alignas => {
                self.at += 1;
                let align = self.alignas()?;
                let alignment = &mut result.attributes.alignment;
                alignment.at_least = alignment.at_least.max(align);
                return Ok(true);
            }
            _ => return Ok(false),
        };
        if result.class != Class::None && result.class != class {
            let span = self.span();
            return Err(self.error(Code::CSyntax, span, "a second storage class is given here"));
        }
        result.class = class;
        self.at += 1;
        Ok(true)
    }

    /// A type that has a keyword of its own.
    fn named_type(&mut self, keyword: Keyword, has_type: bool) -> Res<Option<TypeId>> {
        let is_type = match keyword {
            Keyword::Struct
            | Keyword::Union
            | Keyword::Enum
            | Keyword::Typeof
            | Keyword::VaListType
            | Keyword::AutoType => true,
            Keyword::Atomic => self.peek(1) == Kind::Punct(Punct::LParen),
            _ => false,
        };
        if !is_type {
            return Ok(None);
        }
        if has_type {
            let span = self.span();
            return Err(self.error(Code::CSyntax, span, "a second type is given here"));
        }
        self.at += 1;
        Ok(Some(match keyword {
            Keyword::Struct => self.deeper(2, |p| p.record(false))?,
            Keyword::Union => self.deeper(2, |p| p.record(true))?,
            Keyword::Enum => self.nested(|p| p.enumeration())?,
            Keyword::Typeof => self.nested(|p| p.type_of())?,
            Keyword::VaListType => self.typer.unit.types.id(Type::VaList),
            Keyword::Atomic => {
                self.at += 1;
                let ty = self.nested(|p| p.type_name())?;
                self.need(Punct::RParen)?;
                ty
            }
            _ => self.typer.int(),
        }))
    }

    fn basic_type(&mut self, words: &Words, span: Span) -> Res<TypeId> {
        let Words { signed, unsigned, long, .. } = *words;
        let is_unsigned = unsigned > 0;
        let pick = |plain, other| if is_unsigned { other } else { plain };
        let exclusive = [
            words.void,
            words.bool,
            words.char,
            words.short,
            words.int128,
            words.float,
            words.double,
            words.float128,
        ];
        let kinds = exclusive.iter().filter(|&&count| count > 0).count();
        let no_sign = words.void + words.bool + words.float + words.double + words.float128;
        let is_wrong = kinds > 1
            || exclusive.iter().any(|&count| count > 1)
            || words.int > 1
            || signed + unsigned > 1
            || long > 2
            || (signed > 0 || is_unsigned) && no_sign > 0
            || words.int > 0 && kinds > 0 && words.short == 0
            || long > 0 && kinds > 0 && words.double == 0
            || long > 1 && words.double > 0;
        if is_wrong {
            return Err(self.error(Code::CSyntax, span, "these words do not make a type"));
        }
        let is_float = words.float + words.double + words.float128 > 0
            || words.complex > 0 && kinds == 0 && words.int + signed + unsigned == 0;
        let kind = if words.void > 0 {
            return Ok(self.typer.void());
        } else if is_float {
            let kind = match (words.float, words.float128, long) {
                (1, ..) => FloatKind::Float,
                (_, 1, _) => FloatKind::Float128,
                (_, _, 1) => FloatKind::LongDouble,
                _ => FloatKind::Double,
            };
            let ty = self.typer.float_type(kind);
            return Ok(if words.complex > 0 { self.typer.complex_type(ty) } else { ty });
        } else if words.bool > 0 {
            IntKind::Bool
        } else if words.char > 0 {
            if signed > 0 {
                IntKind::SignedChar
            } else {
                pick(IntKind::Char, IntKind::UnsignedChar)
            }
        } else if words.short > 0 {
            pick(IntKind::Short, IntKind::UnsignedShort)
        } else if words.int128 > 0 {
            pick(IntKind::Int128, IntKind::UnsignedInt128)
        } else {
            match long {
                0 => pick(IntKind::Int, IntKind::UnsignedInt),
                1 => pick(IntKind::Long, IntKind::UnsignedLong),
                _ => pick(IntKind::LongLong, IntKind::UnsignedLongLong),
            }
        };
        let ty = self.typer.int_type(kind);
        Ok(if words.complex > 0 { self.typer.complex_type(ty) } else { ty })
    }

    /// `typeof(…)`, behind the keyword.
    fn type_of(&mut self) -> Res<TypeId> {
        let open = self.need(Punct::LParen)?;
        let ty = if self.starts_type() {
            self.type_name()?
        } else {
            self.unevaluated(|p| p.expression())?.ty()
        };
        self.need_close(Punct::RParen, open)?;
        Ok(ty)
    }
}
