//! Declarators: pointers, arrays, functions and names, inside out.
//!
//! A declarator is read from left to right into a list of what it makes of its base type, in the order in
//! which that is done: pointers, then suffixes from the last to the first, then what stands in the
//! parentheses. So no token is read twice.
//!
//! Source: C11 6.7.6, 6.7.7.

use super::Parser;
use super::attribute::Attributes;
use crate::c::scope::Entity;
use crate::c::token::{Keyword, Kind, Punct, Symbol};
use crate::c::typing::Res;
use crate::diag::Code;
use alphorn_problem::Span;
use alphorn_program::c::layout::{Length, Signature};
use alphorn_program::c::tree::{Init, Stmt, StmtKind, Storage, Variable};
use alphorn_program::c::{Expr, Type, TypeId, VarId};

/// Whether a declarator has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// It must.
    Named,
    /// It must not.
    Abstract,
    /// It may: parameters.
    Either,
}

/// A declarator that was read.
#[derive(Debug)]
pub(super) struct Declarator {
    /// Its name.
    pub name: Option<(Symbol, Span)>,
    /// The type it makes.
    pub ty: TypeId,
    /// If it declares a function, the parameters.
    pub params: Option<Parameters>,
    /// What attributes inside say.
    pub attributes: Attributes,
    /// How many variables there were before its parameters.
    mark: Option<usize>,
}

/// The parameters of a function declarator.
#[derive(Debug, Default)]
pub(super) struct Parameters {
    /// The variables.
    pub vars: Vec<VarId>,
    /// Names without types, of an old-style definition.
    pub names: Vec<(Symbol, Span)>,
    /// The names that go with `vars`.
    pub symbols: Vec<Option<Symbol>>,
    /// Lengths that have to be stored when the function is entered.
    pub pending: Vec<Stmt>,
    is_variadic: bool,
    is_open: bool,
}

enum Modifier {
    Pointer,
    Array(Dimension, Span),
    Function(Parameters, Span),
}

enum Dimension {
    Fixed(u64),
    Computed(Box<Expr>),
    Unknown,
}

#[derive(Default)]
struct Found {
    name: Option<(Symbol, Span)>,
    attributes: Attributes,
}

impl Parser<'_> {
    /// Reads a declarator and applies it to a type.
    pub(super) fn declarator(&mut self, base: TypeId, naming: Naming) -> Res<Declarator> {
        let mark = self.typer.unit.vars.len();
        let mut found = Found::default();
        let mut modifiers = Vec::new();
        self.modifiers(naming, &mut found, &mut modifiers)?;
        if naming == Naming::Named && found.name.is_none() {
            return Err(self.expected("a name"));
        }
        if naming == Naming::Either
            && let Some(last @ Modifier::Array(..)) = modifiers.last_mut()
        {
            *last = Modifier::Pointer;
        }
        let has_params = modifiers.iter().any(|m| matches!(m, Modifier::Function(..)));
        let mut mark = has_params.then_some(mark);
        let mut ty = base;
        let mut params = None;
        for modifier in modifiers {
            params = None;
            ty = match modifier {
                Modifier::Pointer => self.typer.pointer_to(ty),
                Modifier::Array(dimension, span) => self.array_of(ty, dimension, span)?,
                Modifier::Function(parameters, span) => {
                    let ty = self.function_of(ty, &parameters, span)?;
                    if !parameters.pending.is_empty() {
                        mark = None;
                    }
                    params = Some(parameters);
                    ty
                }
            };
        }
        Ok(Declarator { name: found.name, ty, params, attributes: found.attributes, mark })
    }

    /// Forgets the parameters of a declarator that is not a definition's.
    pub(super) fn drop_parameters(&mut self, declarator: &Declarator) {
        if let Some(mark) = declarator.mark {
            self.typer.unit.vars.truncate(mark);
        }
    }

    /// A type name, as in a cast. Lengths that are not constant are left in `pending`.
    pub(super) fn type_name(&mut self) -> Res<TypeId> {
        let specifiers = self.specifiers()?;
        if specifiers.is_implicit {
            return Err(self.expected("a type"));
        }
        self.no_class(&specifiers, false)?;
        let declarator = self.nested(|p| p.declarator(specifiers.ty, Naming::Abstract))?;
        self.drop_parameters(&declarator);
        self.skip_attributes()?;
        Ok(declarator.ty)
    }

    fn modifiers(
        &mut self,
        naming: Naming,
        found: &mut Found,
        into: &mut Vec<Modifier>,
    ) -> Res<()> {
        let mut links = 0;
        loop {
            self.attributes(&mut found.attributes)?;
            match self.kind() {
                Kind::Punct(Punct::Star) => {
                    self.link(&mut links)?;
                    into.push(Modifier::Pointer);
                    self.at += 1;
                }
                Kind::Keyword(
                    Keyword::Const
                    | Keyword::Volatile
                    | Keyword::Restrict
                    | Keyword::Atomic
                    | Keyword::Extension,
                ) => self.at += 1,
                _ => break,
            }
        }
        let mut inner = Vec::new();
        match self.kind() {
            Kind::Name(symbol) if naming != Naming::Abstract => {
                let span = self.next().span;
                found.name = Some((symbol, span));
            }
            Kind::Punct(Punct::LParen) if self.is_inner_declarator(naming) => {
                let open = self.next().span;
                self.nested(|p| p.modifiers(naming, found, &mut inner))?;
                self.need_close(Punct::RParen, open)?;
            }
            _ => {}
        }
        let mut suffixes = Vec::new();
        loop {
            let span = self.span();
            if self.eat(Punct::LBracket) {
                self.link(&mut links)?;
                let dimension = self.dimension()?;
                let close = self.need_close(Punct::RBracket, span)?;
                suffixes.push(Modifier::Array(dimension, span.to(close)));
            } else if self.eat(Punct::LParen) {
                self.link(&mut links)?;
                let parameters = self.deeper(2, |p| p.parameters())?;
                let close = self.need_close(Punct::RParen, span)?;
                suffixes.push(Modifier::Function(parameters, span.to(close)));
            } else {
                break;
            }
        }
        into.extend(suffixes.into_iter().rev());
        into.append(&mut inner);
        Ok(())
    }

    /// Whether a left parenthesis here holds a declarator and not parameters.
    fn is_inner_declarator(&self, naming: Naming) -> bool {
        let next = self.peek(1);
        match next {
            Kind::Punct(Punct::Star | Punct::LParen | Punct::LBracket | Punct::Caret) => true,
            Kind::Keyword(Keyword::Attribute) => true,
            Kind::Name(_) => {
                naming == Naming::Named || naming == Naming::Either && !self.is_type_start(next)
            }
            _ => false,
        }
    }

    /// What stands in the brackets of an array.
    fn dimension(&mut self) -> Res<Dimension> {
        while let Kind::Keyword(
            Keyword::Static
            | Keyword::Const
            | Keyword::Volatile
            | Keyword::Restrict
            | Keyword::Atomic,
        ) = self.kind()
        {
            self.at += 1;
        }
        if self.is(Punct::RBracket) {
            return Ok(Dimension::Unknown);
        }
        if self.is(Punct::Star) && self.peek(1) == Kind::Punct(Punct::RBracket) {
            self.at += 1;
            return Ok(Dimension::Unknown);
        }
        let operand = self.nested(|p| p.assignment())?;
        let expr = self.value_of(operand);
        if !self.typer.is_integer(expr.ty) {
            let message = format!("a length is an integer and not {}", self.typer.show(expr.ty));
            return Err(self.error(Code::CType, expr.span, message));
        }
        match self.typer.constant_value(&expr) {
            Some(length) => match u64::try_from(length) {
                Ok(length) => Ok(Dimension::Fixed(length)),
                Err(_) => Err(self.error(Code::CConstant, expr.span, "this length is negative")),
            },
            None if self.scopes.depth() > 0 => Ok(Dimension::Computed(Box::new(expr))),
            None => {
                let message = "the length of an array outside functions must be constant";
                Err(self.error(Code::CConstant, expr.span, message))
            }
        }
    }

    fn array_of(&mut self, element: TypeId, dimension: Dimension, span: Span) -> Res<TypeId> {
        let is_object = match self.typer.types().get(element) {
            Type::Void | Type::Function(_) => false,
            _ => self.typer.types().size(element).is_some() || self.typer.is_variable(element),
        };
        if !is_object {
            let message =
                format!("an array cannot have elements of type {}", self.typer.show(element));
            return Err(self.error(Code::CIncomplete, span, message));
        }
        let length = match dimension {
            Dimension::Unknown => Length::Unknown,
            Dimension::Computed(expr) => Length::Variable(self.length_variable(*expr)),
            Dimension::Fixed(length) => {
                let size = self.typer.types().size(element).unwrap_or(1).max(1);
                if length.checked_mul(size).is_none_or(|bytes| bytes > i64::MAX as u64) {
                    return Err(self.error(Code::CType, span, "this array is too large"));
                }
                Length::Fixed(length)
            }
        };
        Ok(self.typer.unit.types.id(Type::Array(element, length)))
    }

    /// A hidden variable for a length that is computed when the program runs.
    fn length_variable(&mut self, length: Expr) -> VarId {
        let span = length.span;
        let ty = self.typer.size_type();
        let var = VarId(self.typer.unit.vars.len() as u32);
        self.typer.unit.vars.push(Variable::plain(ty, Storage::Hidden, self.typer.function, span));
        let length = self.typer.promote(length);
        let length = self.typer.cast(length, ty, false);
        let kind = StmtKind::Declare(var, Some(Init::Value(length)));
        self.pending.push(Stmt { kind, span });
        var
    }

    fn function_of(&mut self, result: TypeId, parameters: &Parameters, span: Span) -> Res<TypeId> {
        if matches!(self.typer.types().get(result), Type::Array(..) | Type::Function(_)) {
            let message = format!("a function cannot return {}", self.typer.show(result));
            return Err(self.error(Code::CType, span, message));
        }
        let params = parameters.vars.iter().map(|&var| self.typer.unit.var(var).ty).collect();
        Ok(self.typer.unit.types.id(Type::Function(Signature {
            result,
            params,
            is_variadic: parameters.is_variadic,
            is_open: parameters.is_open,
        })))
    }

    /// What stands in the parentheses of a function declarator.
    fn parameters(&mut self) -> Res<Parameters> {
        let mut parameters = Parameters::default();
        if self.is(Punct::RParen) {
            parameters.is_open = true;
            return Ok(parameters);
        }
        if self.is_word(Keyword::Void) && self.peek(1) == Kind::Punct(Punct::RParen) {
            self.at += 1;
            return Ok(parameters);
        }
        if matches!(self.kind(), Kind::Name(_)) && !self.starts_type() {
            return self.old_names();
        }
        let outer = std::mem::take(&mut self.pending);
        self.scopes.enter();
        let result = self.parameter_list(&mut parameters);
        self.scopes.leave();
        parameters.pending = std::mem::replace(&mut self.pending, outer);
        result.map(|()| parameters)
    }

    fn old_names(&mut self) -> Res<Parameters> {
        let mut parameters = Parameters { is_open: true, ..Parameters::default() };
        loop {
            let name = match self.kind() {
                Kind::Name(_) => self.need_name()?,
                _ => return Err(self.expected("a type or the name of a parameter")),
            };
            if self.at > 1 && matches!(self.kind(), Kind::Name(_) | Kind::Punct(Punct::Star)) {
                let message = format!("`{}` is not the name of a type", self.text(name.0));
                return Err(self.error(Code::CUndeclared, name.1, message));
            }
            parameters.names.push(name);
            if !self.eat(Punct::Comma) {
                return Ok(parameters);
            }
        }
    }

    fn parameter_list(&mut self, parameters: &mut Parameters) -> Res<()> {
        loop {
            if self.eat(Punct::Ellipsis) {
                parameters.is_variadic = true;
                return Ok(());
            }
            self.parameter(parameters)?;
            if !self.eat(Punct::Comma) {
                return Ok(());
            }
        }
    }

    fn parameter(&mut self, parameters: &mut Parameters) -> Res<()> {
        let start = self.span();
        let specifiers = self.specifiers()?;
        if specifiers.is_implicit {
            return Err(self.expected("the type of a parameter"));
        }
        self.no_class(&specifiers, true)?;
        let declarator = self.declarator(specifiers.ty, Naming::Either)?;
        self.drop_parameters(&declarator);
        self.after_declarator(&mut Attributes::default())?;
        let ty = self.parameter_type(declarator.ty);
        let span = declarator.name.map_or(start.to(self.last_span()), |name| name.1);
        if *self.typer.types().get(ty) == Type::Void {
            return Err(self.error(Code::CType, span, "a parameter cannot be `void`"));
        }
        let symbol = declarator.name.map(|name| name.0);
        let var = self.parameter_variable(symbol, ty, span);
        parameters.vars.push(var);
        parameters.symbols.push(symbol);
        Ok(())
    }

    /// The type that a parameter has if it is declared with this one.
    pub(super) fn parameter_type(&mut self, ty: TypeId) -> TypeId {
        match *self.typer.types().get(ty) {
            Type::Array(element, _) => self.typer.pointer_to(element),
            Type::Function(_) => self.typer.pointer_to(ty),
            _ => ty,
        }
    }

    /// Makes the variable of a parameter and binds its name.
    pub(super) fn parameter_variable(
        &mut self,
        symbol: Option<Symbol>,
        ty: TypeId,
        span: Span,
    ) -> VarId {
        let var = VarId(self.typer.unit.vars.len() as u32);
        self.typer.unit.vars.push(Variable {
            name: symbol.map_or_else(String::new, |symbol| self.text(symbol).to_owned()),
            ..Variable::plain(ty, Storage::Parameter, self.typer.function, span)
        });
        if let Some(symbol) = symbol {
            if self.scopes.own_name(symbol).is_some() {
                let message = format!("there are two parameters `{}`", self.text(symbol));
                self.error(Code::CRedeclared, span, message);
            }
            self.scopes.bind(symbol, Entity::Var(var));
        }
        var
    }
}
