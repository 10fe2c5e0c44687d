//! Variables: where they live, and which declarations speak of the same one.
//!
//! Source: C11 6.2.2, 6.7, 6.9.2.

use super::Parser;
use super::specifier::Class;
use crate::c::fixed::first_unknown;
use crate::c::scope::Entity;
use crate::c::token::Symbol;
use crate::c::typing::{Res, Stop};
use crate::diag::{Code, Diagnostic};
use crate::suggest::nearest;
use alphorn_problem::Span;
use alphorn_program::c::layout::Length;
use alphorn_program::c::tree::{Init, NamedConstant, NamedType, Storage, Variable};
use alphorn_program::c::{Type, TypeId, VarId};

impl Parser<'_> {
    fn new_variable(&mut self, symbol: Symbol, ty: TypeId, storage: Storage, span: Span) -> VarId {
        let var =
            VarId(u32::try_from(self.typer.unit.vars.len()).expect("fewer than 2^32 variables"));
        let is_inside = !matches!(storage, Storage::Global | Storage::Extern);
        let end = self.tokens.last().map_or(span.end, |token| token.span.end);
        self.typer.unit.vars.push(Variable {
            name: self.text(symbol).to_owned(),
            ty,
            storage,
            function: if is_inside { self.typer.function } else { None },
            init: None,
            span,
            scope: Span { start: span.start, end: if is_inside { span.end } else { end } },
            is_address_taken: false,
            is_atomic: false,
            is_thread_local: false,
        });
        var
    }

    /// Notes what threads do with a variable.
    pub(super) fn note_sharing(&mut self, var: VarId, specifiers: &super::specifier::Specifiers) {
        let variable = &mut self.typer.unit.vars[var.0 as usize];
        variable.is_atomic |= specifiers.is_atomic;
        variable.is_thread_local |= specifiers.is_thread_local;
    }

    /// A variable that the whole program shares.
    pub(super) fn declare_global(
        &mut self,
        symbol: Symbol,
        ty: TypeId,
        class: Class,
        has_value: bool,
        span: Span,
    ) -> Res<VarId> {
        self.refuse_void(symbol, ty, span)?;
        let is_definition = class != Class::Extern || has_value;
        let own = self.scopes.own_name(symbol);
        let known = self.linked.get(&symbol).copied();
        let var = match (own, known) {
            (Some(Entity::Var(own)), Some(Entity::Var(var))) if own == var => var,
            (None, Some(Entity::Var(var))) => var,
            (None, None) => {
                let storage = if is_definition { Storage::Global } else { Storage::Extern };
                let var = self.new_variable(symbol, ty, storage, span);
                self.linked.insert(symbol, Entity::Var(var));
                self.scopes.bind(symbol, Entity::Var(var));
                return Ok(var);
            }
            _ => return Err(self.redeclared(symbol, span)),
        };
        self.scopes.bind(symbol, Entity::Var(var));
        let old = self.typer.unit.var(var).ty;
        if !self.typer.are_compatible(old, ty) {
            return Err(self.declared_otherwise(symbol, (ty, old), span));
        }
        let is_longer = self.typer.types().size(old).is_none();
        let variable = &mut self.typer.unit.vars[var.0 as usize];
        if is_longer {
            variable.ty = ty;
        }
        if is_definition && variable.storage == Storage::Extern {
            variable.storage = Storage::Global;
            variable.span = span;
        }
        Ok(var)
    }

    /// A static variable of a function.
    pub(super) fn declare_static(&mut self, symbol: Symbol, ty: TypeId, span: Span) -> Res<VarId> {
        self.declare_in_block(symbol, ty, Storage::Static, span)
    }

    /// A local variable.
    pub(super) fn declare_local(&mut self, symbol: Symbol, ty: TypeId, span: Span) -> Res<VarId> {
        self.declare_in_block(symbol, ty, Storage::Local, span)
    }

    fn declare_in_block(
        &mut self,
        symbol: Symbol,
        ty: TypeId,
        storage: Storage,
        span: Span,
    ) -> Res<VarId> {
        if self.scopes.own_name(symbol).is_some() {
            return Err(self.redeclared(symbol, span));
        }
        self.refuse_void(symbol, ty, span)?;
        let var = self.new_variable(symbol, ty, storage, span);
        self.scopes.bind(symbol, Entity::Var(var));
        self.scopes.own(var);
        Ok(var)
    }

    fn refuse_void(&mut self, symbol: Symbol, ty: TypeId, span: Span) -> Res<()> {
        if *self.typer.types().get(ty) == Type::Void {
            let message = format!("the variable `{}` cannot be `void`", self.text(symbol));
            return Err(self.error(Code::CType, span, message));
        }
        Ok(())
    }

    /// Refuses a variable whose size is not known.
    pub(super) fn need_object(&mut self, var: VarId) -> Res<()> {
        let (ty, span) = (self.typer.unit.var(var).ty, self.typer.unit.var(var).span);
        if self.typer.types().size(ty).is_some() || self.typer.is_variable(ty) {
            return Ok(());
        }
        let name = &self.typer.unit.var(var).name;
        let message =
            format!("`{name}` has the type {}, whose size is not known", self.typer.show(ty));
        Err(self.error(Code::CIncomplete, span, message))
    }

    /// The first value of a variable that lives as long as the program, behind `=`.
    pub(super) fn initialise_global(&mut self, var: VarId) -> Res<()> {
        let (ty, span) = (self.typer.unit.var(var).ty, self.typer.unit.var(var).span);
        let outside = self.typer.function.take();
        let result = self.nested(|p| p.initialiser(ty));
        self.typer.function = outside;
        let (init, ty) = result?;
        if let Some(unknown) = first_unknown(&self.typer.unit, &init) {
            let message = "this is not known before the program runs";
            return Err(self.error(Code::CConstant, unknown.span, message));
        }
        let variable = &mut self.typer.unit.vars[var.0 as usize];
        variable.ty = ty;
        let is_second = variable.init.replace(init).is_some();
        if is_second {
            let message = format!("`{}` gets a first value twice", self.typer.unit.var(var).name);
            return Err(self.error(Code::CRedeclared, span, message));
        }
        Ok(())
    }

    /// The first value of a local variable, behind `=`.
    pub(super) fn initialise_local(&mut self, var: VarId) -> Res<Init> {
        let ty = self.typer.unit.var(var).ty;
        let (init, ty) = self.nested(|p| p.initialiser(ty))?;
        self.typer.unit.vars[var.0 as usize].ty = ty;
        Ok(init)
    }

    /// Leaves a scope that ends at an offset.
    pub(super) fn leave_scope(&mut self, end: u32) {
        let depth = self.scopes.depth();
        for var in self.scopes.leave() {
            let scope = &mut self.typer.unit.vars[var.0 as usize].scope;
            scope.end = scope.end.max(end);
        }
        while self.open_types.last().is_some_and(|&(at, _)| at == depth) {
            let (_, index) = self.open_types.pop().expect("there is a last one");
            self.typer.unit.named_types[index].scope.end = end;
        }
        while self.open_constants.last().is_some_and(|&(at, _)| at == depth) {
            let (_, index) = self.open_constants.pop().expect("there is a last one");
            self.typer.unit.named_constants[index].scope.end = end;
        }
    }

    /// Notes the name of a type, for expressions that are read later.
    pub(super) fn note_typedef(&mut self, symbol: Symbol, ty: TypeId, span: Span) {
        let end = self.tokens.last().map_or(span.end, |token| token.span.end);
        let depth = self.scopes.depth();
        if depth > 0 {
            self.open_types.push((depth, self.typer.unit.named_types.len()));
        }
        let name = self.text(symbol).to_owned();
        let scope = Span { start: span.start, end };
        self.typer.unit.named_types.push(NamedType { name, ty, scope });
    }

    /// Notes an enumeration constant, for expressions that are read later.
    pub(super) fn note_constant(&mut self, symbol: Symbol, value: i128, ty: TypeId, span: Span) {
        let end = self.tokens.last().map_or(span.end, |token| token.span.end);
        let depth = self.scopes.depth();
        if depth > 0 {
            self.open_constants.push((depth, self.typer.unit.named_constants.len()));
        }
        let name = self.text(symbol).to_owned();
        let scope = Span { start: span.start, end };
        self.typer.unit.named_constants.push(NamedConstant { name, value, ty, scope });
    }

    /// Says that a name means nothing here, and which one was perhaps meant.
    pub(super) fn undeclared(&mut self, symbol: Symbol, span: Span, what: &str) -> Stop {
        let name = self.text(symbol);
        let mut diagnostic = Diagnostic::error(Code::CUndeclared, span, format!("`{name}` {what}"));
        let known = self.scopes.names().map(|(symbol, _)| self.text(symbol));
        diagnostic = diagnostic.hint(match nearest(name, known) {
            Some(near) => format!("there is `{near}`"),
            None => "declare it before this line, or include the header that does".to_owned(),
        });
        self.typer.report.push(diagnostic);
        Stop
    }

    /// Completes what the end of the file completes.
    pub(super) fn finish(&mut self) {
        for index in 0..self.typer.unit.vars.len() {
            let variable = &self.typer.unit.vars[index];
            if variable.storage != Storage::Global {
                continue;
            }
            let (ty, var) = (variable.ty, VarId(index as u32));
            if let Type::Array(element, Length::Unknown) = *self.typer.types().get(ty) {
                let one = self.typer.unit.types.id(Type::Array(element, Length::Fixed(1)));
                self.typer.unit.vars[index].ty = one;
            } else {
                // What it says is in the report, which is all that counts here.
                let _ = self.need_object(var);
            }
        }
    }
}
