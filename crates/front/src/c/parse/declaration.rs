//! Declarations: what stands outside functions, and at the beginning of blocks.
//!
//! Source: C11 6.7, 6.9.

use super::Parser;
use super::attribute::Attributes;
use super::declarator::{Declarator, Naming};
use super::specifier::{Class, Specifiers};
use crate::c::scope::Entity;
use crate::c::token::{Keyword, Kind, Punct, Symbol};
use crate::c::typing::Res;
use crate::diag::Code;
use alphorn_problem::Span;
use alphorn_program::c::tree::{Stmt, StmtKind};
use alphorn_program::c::{Type, TypeId};

impl Parser<'_> {
    /// A declaration or definition outside functions.
    pub(super) fn external(&mut self) -> Res<()> {
        if self.eat(Punct::Semicolon) {
            return Ok(());
        }
        while self.eat_word(Keyword::Extension) {}
        if self.eat_word(Keyword::Asm) {
            while let Kind::Keyword(Keyword::Volatile | Keyword::Inline | Keyword::Goto) =
                self.kind()
            {
                self.at += 1;
            }
            self.skip_parens()?;
            return self.need(Punct::Semicolon).map(|_| ());
        }
        if self.is_word(Keyword::StaticAssert) {
            return self.static_assert();
        }
        let specifiers = self.specifiers()?;
        if specifiers.is_implicit
            && !matches!(self.kind(), Kind::Name(_) | Kind::Punct(Punct::Star))
        {
            return Err(self.expected("a declaration"));
        }
        if self.eat(Punct::Semicolon) {
            return Ok(());
        }
        let mut is_first = true;
        loop {
            let declarator = self.first_declarator(&specifiers)?;
            let mut attributes = specifiers.attributes;
            attributes.add(declarator.attributes);
            self.after_declarator(&mut attributes)?;
            let is_function = declarator.params.is_some() && specifiers.class != Class::Typedef;
            if is_first && is_function && self.begins_body(&declarator) {
                return self.function_definition(&specifiers, declarator, attributes);
            }
            self.drop_parameters(&declarator);
            self.declare(&specifiers, declarator, attributes)?;
            is_first = false;
            if !self.eat(Punct::Comma) {
                break;
            }
            self.skip_attributes()?;
        }
        self.need(Punct::Semicolon).map(|_| ())
    }

    /// A declarator, with a word about a missing type where a name is perhaps misspelt.
    fn first_declarator(&mut self, specifiers: &Specifiers) -> Res<Declarator> {
        if specifiers.is_implicit {
            if let (Kind::Name(symbol), Kind::Name(_) | Kind::Punct(Punct::Star)) =
                (self.kind(), self.peek(1))
            {
                let span = self.span();
                return Err(self.undeclared(symbol, span, "is not the name of a type"));
            }
            let span = self.span();
            self.warn(Code::CImplicit, span, "no type is given, so it is `int`");
        }
        self.nested(|p| p.declarator(specifiers.ty, Naming::Named))
    }

    fn begins_body(&self, declarator: &Declarator) -> bool {
        self.is(Punct::LBrace)
            || self.starts_type()
                && declarator.params.as_ref().is_some_and(|params| !params.names.is_empty())
    }

    /// The name and type of the object that a declarator declares; types and functions are declared here.
    fn declared_object(
        &mut self,
        specifiers: &Specifiers,
        declarator: Declarator,
        attributes: Attributes,
    ) -> Res<Option<(Symbol, Span, TypeId)>> {
        let (symbol, span) = declarator.name.expect("declarators in declarations have names");
        let ty = self.declared_type(declarator.ty, attributes)?;
        if specifiers.class == Class::Typedef {
            self.declare_typedef(symbol, ty, specifiers, attributes, span)?;
            return Ok(None);
        }
        if matches!(self.typer.types().get(ty), Type::Function(_)) {
            let function = self.declare_function(symbol, ty, span)?;
            self.typer.unit.functions[function.0 as usize].is_noreturn |= attributes.is_noreturn;
            self.scopes.bind(symbol, Entity::Function(function));
            return Ok(None);
        }
        Ok(Some((symbol, span, ty)))
    }

    /// Declares what one declarator says, outside functions.
    fn declare(
        &mut self,
        specifiers: &Specifiers,
        declarator: Declarator,
        attributes: Attributes,
    ) -> Res<()> {
        let Some((symbol, span, ty)) = self.declared_object(specifiers, declarator, attributes)?
        else {
            return Ok(());
        };
        let has_value = self.is(Punct::Assign);
        let ty = if specifiers.is_auto_type { self.auto_type()? } else { ty };
        let var = self.declare_global(symbol, ty, specifiers.class, has_value, span)?;
        self.note_sharing(var, specifiers);
        if has_value {
            self.at += 1;
            self.initialise_global(var)?;
        }
        Ok(())
    }

    /// A type with what attributes change of it.
    pub(super) fn declared_type(&mut self, ty: TypeId, attributes: Attributes) -> Res<TypeId> {
        let ty = self.with_mode(ty, attributes.mode);
        Ok(match attributes.vector {
            0 => ty,
            bytes => self.typer.vector_type(bytes),
        })
    }

    /// The type of the initialiser that follows, for `__auto_type`.
    pub(super) fn auto_type(&mut self) -> Res<TypeId> {
        if !self.is(Punct::Assign) {
            return Err(self.expected("`=`"));
        }
        let at = self.at;
        self.at += 1;
        let vars = self.typer.unit.vars.len();
        let operand = self.unevaluated(|p| p.assignment())?;
        let ty = self.value_of(operand).ty;
        self.typer.unit.vars.truncate(vars);
        self.at = at;
        Ok(ty)
    }

    pub(super) fn declare_typedef(
        &mut self,
        symbol: Symbol,
        ty: TypeId,
        specifiers: &Specifiers,
        attributes: Attributes,
        span: Span,
    ) -> Res<()> {
        if attributes.is_transparent
            && let Type::Record(record) = *self.typer.types().get(ty)
        {
            self.typer.make_transparent(record);
        }
        let align = attributes.alignment.at_least.max(specifiers.align);
        match self.scopes.own_name(symbol) {
            None => {}
            Some(Entity::Typedef(old, _)) if self.typer.are_compatible(old, ty) => {}
            Some(_) => return Err(self.redeclared(symbol, span)),
        }
        if specifiers.is_atomic {
            self.atomic_types.insert(symbol);
        }
        self.scopes.bind(symbol, Entity::Typedef(ty, align));
        self.note_typedef(symbol, ty, span);
        Ok(())
    }

    pub(super) fn redeclared(&mut self, symbol: Symbol, span: Span) -> crate::c::typing::Stop {
        let message = format!("`{}` is declared already, as something else", self.text(symbol));
        self.error(Code::CRedeclared, span, message)
    }

    /// What is said where a name is declared with a type that does not fit the one it has.
    pub(super) fn declared_otherwise(
        &mut self,
        symbol: Symbol,
        (ty, old): (TypeId, TypeId),
        span: Span,
    ) -> crate::c::typing::Stop {
        let (name, ty, old) = (self.text(symbol), self.typer.show(ty), self.typer.show(old));
        let message = format!("`{name}` is declared with type {ty}, and before with {old}");
        self.error(Code::CRedeclared, span, message)
    }

    /// A declaration in a block; what it does is put at the end of `into`.
    pub(super) fn local_declaration(&mut self, into: &mut Vec<Stmt>) -> Res<()> {
        if self.is_word(Keyword::StaticAssert) {
            return self.static_assert();
        }
        let start = self.span();
        let specifiers = self.specifiers()?;
        if self.is(Punct::Semicolon) {
            self.at += 1;
            into.append(&mut self.pending);
            return Ok(());
        }
        loop {
            let declarator = self.nested(|p| p.declarator(specifiers.ty, Naming::Named))?;
            let mut attributes = specifiers.attributes;
            attributes.add(declarator.attributes);
            self.after_declarator(&mut attributes)?;
            if declarator.params.is_some() && self.is(Punct::LBrace) {
                let span = self.span();
                let message = "functions inside functions are not treated";
                let code = Code::CSyntax;
                self.typer.report.push(crate::diag::Diagnostic::unsupported(code, span, message));
                return Err(crate::c::typing::Stop);
            }
            self.drop_parameters(&declarator);
            into.append(&mut self.pending);
            self.declare_inside(start, &specifiers, declarator, attributes, into)?;
            if !self.eat(Punct::Comma) {
                break;
            }
            self.skip_attributes()?;
        }
        let end = self.need(Punct::Semicolon)?;
        if let Some(last) = into.last_mut()
            && last.span.start >= start.start
        {
            last.span = last.span.to(end);
        }
        Ok(())
    }

    fn declare_inside(
        &mut self,
        start: Span,
        specifiers: &Specifiers,
        declarator: Declarator,
        attributes: Attributes,
        into: &mut Vec<Stmt>,
    ) -> Res<()> {
        let Some((symbol, span, ty)) = self.declared_object(specifiers, declarator, attributes)?
        else {
            return Ok(());
        };
        match specifiers.class {
            Class::Extern => {
                let var = self.declare_global(symbol, ty, Class::Extern, false, span)?;
                self.note_sharing(var, specifiers);
            }
            Class::Static => {
                let ty = if specifiers.is_auto_type { self.auto_type()? } else { ty };
                let var = self.declare_static(symbol, ty, span)?;
                self.note_sharing(var, specifiers);
                if self.eat(Punct::Assign) {
                    self.initialise_global(var)?;
                }
                self.need_object(var)?;
            }
            _ => {
                let ty = if specifiers.is_auto_type { self.auto_type()? } else { ty };
                let var = self.declare_local(symbol, ty, span)?;
                self.note_sharing(var, specifiers);
                let init =
                    if self.eat(Punct::Assign) { Some(self.initialise_local(var)?) } else { None };
                self.need_object(var)?;
                let span = start.to(self.last_span());
                into.push(Stmt { kind: StmtKind::Declare(var, init), span });
            }
        }
        Ok(())
    }

    /// `_Static_assert(condition, "…");`
    pub(super) fn static_assert(&mut self) -> Res<()> {
        self.at += 1;
        let open = self.need(Punct::LParen)?;
        let (value, _, span) = self.constant()?;
        let mut words = String::new();
        if self.eat(Punct::Comma) {
            while let Kind::Text(symbol) = self.kind() {
                words.push_str(self.text(symbol).trim_matches('"'));
                self.at += 1;
            }
        }
        self.need_close(Punct::RParen, open)?;
        self.need(Punct::Semicolon)?;
        if value == 0 {
            let message = format!("a static assertion fails: {words}");
            self.error(Code::CConstant, span, message);
        }
        Ok(())
    }
}
