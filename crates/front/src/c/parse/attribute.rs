//! `__attribute__((…))`, `asm("…")` behind declarators, `_Alignas`: what of them has a meaning here.
//!
//! Most attributes are advice for compilers. Those that change sizes, types or control flow are kept.

use super::Parser;
use crate::c::token::{Keyword, Kind, Punct};
use crate::c::typing::{Alignment, Res};
use crate::diag::Code;
use alphorn_program::c::layout::FloatKind;
use alphorn_program::c::{IntKind, Type, TypeId};

/// What attributes say.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Attributes {
    /// About alignment.
    pub alignment: Alignment,
    /// `mode`: the width of a number.
    pub mode: Option<Mode>,
    /// `noreturn`.
    pub is_noreturn: bool,
    /// `transparent_union`.
    pub is_transparent: bool,
    /// `vector_size`: so many bytes, if not 0.
    pub vector: u64,
}

/// A machine mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// An integer of so many bytes.
    Int(u32),
    /// An integer as wide as a pointer.
    Word,
    /// A floating number.
    Float(FloatKind),
}

impl Attributes {
    /// Adds what others say.
    pub fn add(&mut self, other: Attributes) {
        self.alignment.is_packed |= other.alignment.is_packed;
        self.alignment.at_least = self.alignment.at_least.max(other.alignment.at_least);
        self.mode = other.mode.or(self.mode);
        self.is_noreturn |= other.is_noreturn;
        self.is_transparent |= other.is_transparent;
        self.vector = self.vector.max(other.vector);
    }
}

impl Parser<'_> {
    /// Reads all attributes that stand here.
    pub(super) fn attributes(&mut self, into: &mut Attributes) -> Res<()> {
        while self.is_word(Keyword::Attribute) {
            self.at += 1;
            self.need(Punct::LParen)?;
            let open = self.need(Punct::LParen)?;
            while !self.is(Punct::RParen) && self.kind() != Kind::End {
                self.attribute(into)?;
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
            self.need_close(Punct::RParen, open)?;
            self.need_close(Punct::RParen, open)?;
        }
        Ok(())
    }

    /// Skips attributes that mean nothing here.
    pub(super) fn skip_attributes(&mut self) -> Res<()> {
        self.attributes(&mut Attributes::default())
    }

    /// Attributes and `asm("name")` behind a declarator.
    pub(super) fn after_declarator(&mut self, into: &mut Attributes) -> Res<()> {
        loop {
            if self.is_word(Keyword::Attribute) {
                self.attributes(into)?;
            } else if self.eat_word(Keyword::Asm) {
                self.skip_parens()?;
            } else if !self.eat_word(Keyword::Extension) {
                return Ok(());
            }
        }
    }

    fn attribute(&mut self, into: &mut Attributes) -> Res<()> {
        let name = match self.kind() {
            Kind::Name(symbol) => self.text(symbol),
            Kind::Keyword(keyword) => keyword.text(),
            Kind::Punct(Punct::Comma) => return Ok(()),
            _ => return Err(self.expected("the name of an attribute")),
        };
        let span = self.next().span;
        let name = name.strip_prefix("__").and_then(|n| n.strip_suffix("__")).unwrap_or(name);
        match name {
            "packed" => into.alignment.is_packed = true,
            "noreturn" => into.is_noreturn = true,
            "transparent_union" => into.is_transparent = true,
            "vector_size" if self.eat(Punct::LParen) => {
                into.vector = self.alignment_value()?;
                self.need(Punct::RParen)?;
            }
            "aligned" => {
                // Without a number: the largest alignment that the machine has.
                let mut align = 16;
                if self.eat(Punct::LParen) {
                    align = self.alignment_value()?;
                    self.need(Punct::RParen)?;
                }
                into.alignment.at_least = into.alignment.at_least.max(align);
            }
            "mode" if self.is(Punct::LParen) => {
                self.at += 1;
                let mode = match self.kind() {
                    Kind::Name(symbol) => mode_of(self.text(symbol)),
                    _ => None,
                };
                self.next();
                self.need(Punct::RParen)?;
                if mode.is_none() {
                    return Err(self.error(Code::CSyntax, span, "this machine mode is not known"));
                }
                into.mode = mode;
            }
            _ => {}
        }
        if self.is(Punct::LParen) { self.skip_parens() } else { Ok(()) }
    }

    fn alignment_value(&mut self) -> Res<u64> {
        let (value, _, span) = self.constant()?;
        match u64::try_from(value) {
            Ok(align) if align.is_power_of_two() && align <= 1 << 28 => Ok(align),
            _ => Err(self.error(Code::CConstant, span, "an alignment is a power of two")),
        }
    }

    /// `_Alignas(type)` or `_Alignas(number)`, behind the keyword; 0 says nothing.
    pub(super) fn alignas(&mut self) -> Res<u64> {
        self.need(Punct::LParen)?;
        let align = if self.starts_type() {
            let ty = self.type_name()?;
            self.typer.types().align(ty)
        } else if self.kind() == Kind::Punct(Punct::RParen) {
            return Err(self.expected("a type or a number"));
        } else {
            let (value, _, span) = self.constant()?;
            match u64::try_from(value) {
                Ok(align) if align == 0 || align.is_power_of_two() && align <= 1 << 28 => align,
                _ => {
                    return Err(self.error(
                        Code::CConstant,
                        span,
                        "an alignment is a power of two",
                    ));
                }
            }
        };
        self.need(Punct::RParen)?;
        Ok(align)
    }

    /// Skips balanced parentheses.
    pub(super) fn skip_parens(&mut self) -> Res<()> {
        let open = self.need(Punct::LParen)?;
        let mut depth = 1u32;
        while depth > 0 {
            match self.kind() {
                Kind::End => return self.need_close(Punct::RParen, open).map(|_| ()),
                Kind::Punct(Punct::LParen) => depth += 1,
                Kind::Punct(Punct::RParen) => depth -= 1,
                _ => {}
            }
            self.at += 1;
        }
        Ok(())
    }

    /// A type with the width that a machine mode gives it.
    pub(super) fn with_mode(&mut self, ty: TypeId, mode: Option<Mode>) -> TypeId {
        let Some(mode) = mode else { return ty };
        let is_signed = match self.typer.types().get(ty) {
            Type::Int(kind) => kind.is_signed(),
            _ => true,
        };
        let bytes = match mode {
            Mode::Float(kind) => return self.typer.float_type(kind),
            Mode::Int(bytes) => bytes,
            Mode::Word => self.typer.types().pointer_size() as u32,
        };
        let is_long = self.typer.types().pointer_size() == 8;
        let kind = match (bytes, is_signed) {
            (1, true) => IntKind::SignedChar,
            (1, false) => IntKind::UnsignedChar,
            (2, true) => IntKind::Short,
            (2, false) => IntKind::UnsignedShort,
            (4, true) => IntKind::Int,
            (4, false) => IntKind::UnsignedInt,
            (8, true) if is_long => IntKind::Long,
            (8, false) if is_long => IntKind::UnsignedLong,
            (8, true) => IntKind::LongLong,
            (8, false) => IntKind::UnsignedLongLong,
            (_, true) => IntKind::Int128,
            (_, false) => IntKind::UnsignedInt128,
        };
        self.typer.int_type(kind)
    }
}

fn mode_of(name: &str) -> Option<Mode> {
    let name = name.strip_prefix("__").and_then(|n| n.strip_suffix("__")).unwrap_or(name);
    Some(match name {
        "QI" | "byte" => Mode::Int(1),
        "HI" => Mode::Int(2),
        "SI" => Mode::Int(4),
        "DI" => Mode::Int(8),
        "TI" => Mode::Int(16),
        "word" | "pointer" | "unwind_word" | "libgcc_cmp_return" | "libgcc_shift_count" => {
            Mode::Word
        }
        "SF" => Mode::Float(FloatKind::Float),
        "DF" => Mode::Float(FloatKind::Double),
        "XF" => Mode::Float(FloatKind::LongDouble),
        "TF" => Mode::Float(FloatKind::Float128),
        _ => return None,
    })
}
