//! Structures, unions and enumerations.
//!
//! Source: C11 6.7.2.1–6.7.2.3; for the types of enumerations, gcc's `finish_enum`.

use super::Parser;
use super::attribute::Attributes;
use super::declarator::Naming;
use super::specifier::Specifiers;
use crate::c::scope::{Entity, Tag};
use crate::c::token::{Keyword, Kind, Punct, Symbol};
use crate::c::typing::{Member, Res};
use crate::diag::Code;
use alphorn_problem::Span;
use alphorn_program::c::layout::{Record, RecordId};
use alphorn_program::c::{IntKind, Type, TypeId};

impl Parser<'_> {
    /// A structure or union, behind its keyword.
    pub(super) fn record(&mut self, is_union: bool) -> Res<TypeId> {
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let start = self.last_span();
        let tag = match self.kind() {
            Kind::Name(_) => Some(self.need_name()?),
            _ => None,
        };
        self.attributes(&mut attributes)?;
        let is_definition = self.is(Punct::LBrace);
        if tag.is_none() && !is_definition {
            return Err(self.expected("a tag or `{`"));
        }
        let id = self.record_id(tag, is_union, is_definition)?;
        let ty = self.typer.unit.types.id(Type::Record(id));
        if !is_definition {
            return Ok(ty);
        }
        let span = tag.map_or(start, |tag| tag.1);
        if self.typer.types().record(id).is_complete {
            let message = format!("{} is defined twice", self.typer.show(ty));
            return Err(self.error(Code::CRedeclared, span, message));
        }
        let at_most = self.packing();
        let open = self.need(Punct::LBrace)?;
        let mut members = Vec::new();
        while !self.is(Punct::RBrace) {
            if self.kind() == Kind::End {
                return self.need_close(Punct::RBrace, open).map(|_| ty);
            }
            let start = self.at;
            if self.member_declaration(&mut members).is_err() {
                self.recover(start);
            }
        }
        self.at += 1;
        self.attributes(&mut attributes)?;
        attributes.alignment.at_most = at_most;
        self.typer.lay_out(id, members, attributes.alignment, span)?;
        if attributes.is_transparent {
            self.typer.make_transparent(id);
        }
        Ok(ty)
    }

    /// What `#pragma pack` says here; 0 for nothing.
    fn packing(&self) -> u64 {
        let before = self.packings.partition_point(|packing| packing.from <= self.at);
        let packing = before.checked_sub(1).map(|last| self.packings[last]);
        packing.and_then(|packing| packing.align).map_or(0, u64::from)
    }

    fn record_id(
        &mut self,
        tag: Option<(Symbol, Span)>,
        is_union: bool,
        is_definition: bool,
    ) -> Res<RecordId> {
        // `struct s;` alone declares a new one in an inner scope.
        let is_new = is_definition || self.is(Punct::Semicolon);
        if let Some((symbol, span)) = tag {
            let known = if is_new { self.scopes.own_tag(symbol) } else { self.scopes.tag(symbol) };
            match known {
                Some(Tag::Record(id)) if self.typer.types().record(id).is_union == is_union => {
                    return Ok(id);
                }
                Some(_) => {
                    let message =
                        format!("`{}` is the tag of another kind of type", self.text(symbol));
                    return Err(self.error(Code::CRedeclared, span, message));
                }
                None => {}
            }
        }
        let name = tag.map(|(symbol, _)| self.text(symbol).to_owned());
        let id = self.typer.unit.types.add_record(Record {
            name,
            is_union,
            align: 1,
            ..Record::default()
        });
        if let Some((symbol, _)) = tag {
            self.scopes.bind_tag(symbol, Tag::Record(id));
        }
        Ok(id)
    }

    fn member_declaration(&mut self, members: &mut Vec<Member>) -> Res<()> {
        if self.eat(Punct::Semicolon) {
            return Ok(());
        }
        while self.eat_word(Keyword::Extension) {}
        if self.is_word(Keyword::StaticAssert) {
            return self.static_assert();
        }
        let specifiers = self.specifiers()?;
        if specifiers.is_implicit {
            return Err(self.expected("the type of a member"));
        }
        self.no_class(&specifiers, false)?;
        self.typer.unit.has_atomic_members |= specifiers.is_atomic;
        if self.eat(Punct::Semicolon) {
            // An anonymous structure or union; other types declare nothing.
            if let Type::Record(id) = self.typer.types().get(specifiers.ty)
                && self.typer.types().record(*id).name.is_none()
            {
                let alignment = specifiers.attributes.alignment;
                let span = specifiers.span;
                let ty = specifiers.ty;
                members.push(Member { name: None, ty, bits: None, type_align: 0, alignment, span });
            }
            return Ok(());
        }
        loop {
            self.member(&specifiers, members)?;
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.need(Punct::Semicolon).map(|_| ())
    }

    fn member(&mut self, specifiers: &Specifiers, members: &mut Vec<Member>) -> Res<()> {
        let start = self.span();
        let (name, ty, span, mut attributes) = if self.is(Punct::Colon) {
            (None, specifiers.ty, start, Attributes::default())
        } else {
            let declarator = self.nested(|p| p.declarator(specifiers.ty, Naming::Named))?;
            self.drop_parameters(&declarator);
            let name = declarator.name.map(|(symbol, _)| self.text(symbol).to_owned());
            let span = declarator.name.map_or(start, |name| name.1);
            (name, declarator.ty, span, declarator.attributes)
        };
        let bits =
            if self.eat(Punct::Colon) { Some(self.width(ty, name.is_some())?) } else { None };
        self.after_declarator(&mut attributes)?;
        let ty = self.with_mode(ty, attributes.mode);
        attributes.add(specifiers.attributes);
        let type_align = self.inherited_align(ty, specifiers);
        if matches!(self.typer.types().get(ty), Type::Function(_)) {
            return Err(self.error(Code::CType, span, "a member cannot be a function"));
        }
        members.push(Member { name, ty, bits, type_align, alignment: attributes.alignment, span });
        Ok(())
    }

    /// What a named type aligns objects of the declared type to; pointers to it take nothing from it.
    fn inherited_align(&self, declared: TypeId, specifiers: &Specifiers) -> u64 {
        let mut ty = declared;
        while ty != specifiers.ty
            && let Type::Array(element, _) = self.typer.types().get(ty)
        {
            ty = *element;
        }
        if ty == specifiers.ty { specifiers.align } else { 0 }
    }

    /// The width of a bit-field.
    fn width(&mut self, ty: TypeId, is_named: bool) -> Res<u32> {
        let (value, _, span) = self.constant()?;
        let Some(kind) = self.typer.types().int_kind(ty) else {
            let message = format!("a bit-field is an integer and not {}", self.typer.show(ty));
            return Err(self.error(Code::CType, span, message));
        };
        let most = kind.bits(self.typer.model());
        match u32::try_from(value) {
            Ok(width) if width <= most && (width > 0 || !is_named) => Ok(width),
            _ => {
                let message =
                    format!("a bit-field of type {} has 1 to {most} bits", self.typer.show(ty));
                Err(self.error(Code::CConstant, span, message))
            }
        }
    }

    /// An enumeration, behind its keyword.
    pub(super) fn enumeration(&mut self) -> Res<TypeId> {
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let tag = match self.kind() {
            Kind::Name(_) => Some(self.need_name()?),
            _ => None,
        };
        if !self.is(Punct::LBrace) {
            let Some((symbol, span)) = tag else {
                return Err(self.expected("a tag or `{`"));
            };
            return match self.scopes.tag(symbol) {
                Some(Tag::Enum(ty, _)) => Ok(ty),
                Some(Tag::Record(_)) => {
                    let message =
                        format!("`{}` is the tag of another kind of type", self.text(symbol));
                    Err(self.error(Code::CRedeclared, span, message))
                }
                None => {
                    let ty = self.typer.int_type(IntKind::UnsignedInt);
                    self.scopes.bind_tag(symbol, Tag::Enum(ty, false));
                    Ok(ty)
                }
            };
        }
        if let Some((symbol, span)) = tag {
            match self.scopes.own_tag(symbol) {
                None | Some(Tag::Enum(_, false)) => {}
                Some(_) => {
                    let message = format!("the tag `{}` is defined twice", self.text(symbol));
                    return Err(self.error(Code::CRedeclared, span, message));
                }
            }
        }
        let constants = self.enumerators()?;
        self.attributes(&mut attributes)?;
        let ty = self.enumeration_type(&constants, attributes);
        for (symbol, value) in constants {
            if !self.typer.fits(value, IntKind::Int) {
                self.scopes.bind(symbol, Entity::Constant(value, ty));
            }
        }
        if let Some((symbol, _)) = tag {
            self.scopes.bind_tag(symbol, Tag::Enum(ty, true));
        }
        Ok(ty)
    }

    fn enumerators(&mut self) -> Res<Vec<(Symbol, i128)>> {
        let open = self.need(Punct::LBrace)?;
        let mut constants = Vec::new();
        let mut next = 0i128;
        while !self.is(Punct::RBrace) {
            if self.kind() == Kind::End {
                self.need_close(Punct::RBrace, open)?;
            }
            let (symbol, span) = self.need_name()?;
            self.skip_attributes()?;
            if self.eat(Punct::Assign) {
                next = self.constant()?.0;
            }
            if let Some(old) = self.scopes.own_name(symbol)
                && old != Entity::Constant(next, self.typer.int())
            {
                let message = format!("`{}` is declared already", self.text(symbol));
                self.error(Code::CRedeclared, span, message);
            }
            let Some(kind) = self.typer.first_fit(next) else {
                return Err(self.error(Code::CConstant, span, "this value fits no integer type"));
            };
            let ty = self.typer.int_type(kind);
            self.scopes.bind(symbol, Entity::Constant(next, ty));
            self.note_constant(symbol, next, ty, span);
            constants.push((symbol, next));
            next += 1;
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.need_close(Punct::RBrace, open)?;
        Ok(constants)
    }

    /// As gcc has it: `unsigned int` if no value is negative, the next wider type if one needs it.
    fn enumeration_type(&self, constants: &[(Symbol, i128)], attributes: Attributes) -> TypeId {
        let is_signed = constants.iter().any(|&(_, value)| value < 0);
        let kinds = if is_signed {
            [IntKind::SignedChar, IntKind::Short, IntKind::Int, IntKind::Long, IntKind::LongLong]
        } else {
            [
                IntKind::UnsignedChar,
                IntKind::UnsignedShort,
                IntKind::UnsignedInt,
                IntKind::UnsignedLong,
                IntKind::UnsignedLongLong,
            ]
        };
        let first = if attributes.alignment.is_packed { 0 } else { 2 };
        let fits =
            |kind: &IntKind| constants.iter().all(|&(_, value)| self.typer.fits(value, *kind));
        let kind = kinds[first..].iter().copied().find(fits).unwrap_or(IntKind::LongLong);
        self.typer.int_type(kind)
    }
}
