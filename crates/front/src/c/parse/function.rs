//! Functions: their declarations, which may be many, their definition, their labels.
//!
//! Source: C11 6.7.6.3, 6.8.1, 6.9.1.

use super::Parser;
use super::attribute::Attributes;
use super::declarator::{Declarator, Naming, Parameters};
use super::specifier::{Class, Specifiers};
use crate::c::scope::Entity;
use crate::c::token::{Kind, Punct, Symbol};
use crate::c::typing::{Operand, Res};
use crate::diag::Code;
use alphorn_problem::Span;
use alphorn_program::c::layout::Signature;
use alphorn_program::c::tree::{Function, Init, Label, LabelId, Stmt, StmtKind};
use alphorn_program::c::{FuncId, Place, PlaceKind, Type, TypeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The function that is being read.
pub(super) struct Inside {
    /// Which.
    pub function: FuncId,
    /// The type it returns.
    pub result: TypeId,
    /// Its labels by name.
    labels: FxHashMap<Symbol, LabelId>,
    /// Labels that blocks declare for themselves, the innermost last.
    local_labels: Vec<(Symbol, LabelId)>,
    /// For each label, whether it is defined, and where it was used first.
    seen: Vec<(bool, Option<Span>)>,
    /// The labels so far.
    list: Vec<Label>,
    /// How many loops are around the place.
    pub loops: u32,
    /// The switches around the place.
    pub switches: Vec<Switch>,
    /// How many loops and switches are around the place.
    pub breakable: u32,
}

/// A `switch` that is being read.
pub(super) struct Switch {
    /// The promoted type of its value.
    pub ty: TypeId,
    /// The values of its cases.
    pub cases: FxHashSet<i128>,
    /// Whether it has a `default`.
    pub has_default: bool,
}

impl Inside {
    fn new(function: FuncId, result: TypeId) -> Inside {
        Inside {
            function,
            result,
            labels: FxHashMap::default(),
            local_labels: Vec::new(),
            seen: Vec::new(),
            list: Vec::new(),
            loops: 0,
            switches: Vec::new(),
            breakable: 0,
        }
    }

    fn new_label(&mut self, name: &str, span: Span) -> LabelId {
        self.list.push(Label { name: name.to_owned(), span });
        self.seen.push((false, None));
        LabelId((self.list.len() - 1) as u32)
    }

    fn label(&mut self, symbol: Symbol, name: &str, span: Span) -> LabelId {
        let local = self.local_labels.iter().rev().find(|label| label.0 == symbol);
        if let Some(&(_, label)) = local {
            return label;
        }
        if let Some(&label) = self.labels.get(&symbol) {
            return label;
        }
        let label = self.new_label(name, span);
        self.labels.insert(symbol, label);
        label
    }

    /// How many local labels there are.
    pub fn local_labels(&self) -> usize {
        self.local_labels.len()
    }

    /// Forgets local labels beyond so many.
    pub fn forget_labels(&mut self, count: usize) {
        self.local_labels.truncate(count);
    }
}

impl Parser<'_> {
    /// A function as one of its declarations has it.
    pub(super) fn declare_function(
        &mut self,
        symbol: Symbol,
        ty: TypeId,
        span: Span,
    ) -> Res<FuncId> {
        match self.scopes.own_name(symbol) {
            None | Some(Entity::Function(_)) => {}
            Some(_) => return Err(self.redeclared(symbol, span)),
        }
        let function = match self.linked.get(&symbol) {
            Some(&Entity::Function(function)) => function,
            Some(_) => return Err(self.redeclared(symbol, span)),
            None => return Ok(self.new_function(symbol, ty, span)),
        };
        let old = self.typer.unit.function(function).ty;
        if self.implicit.contains(&function) {
            self.implicit.remove(&function);
            if !self.typer.are_compatible(old, ty) {
                let message = format!("`{}` was used before with another type", self.text(symbol));
                self.warn(Code::CImplicit, span, message);
            }
            self.typer.unit.functions[function.0 as usize].ty = ty;
        } else if !self.typer.are_compatible(old, ty) {
            return Err(self.declared_otherwise(symbol, (ty, old), span));
        } else if self.typer.signature(old).is_some_and(|signature| signature.is_open) {
            self.typer.unit.functions[function.0 as usize].ty = ty;
        }
        Ok(function)
    }

    /// A function that was not known before.
    pub(super) fn new_function(&mut self, symbol: Symbol, ty: TypeId, span: Span) -> FuncId {
        let count = self.typer.unit.functions.len();
        let function = FuncId(u32::try_from(count).expect("fewer than 2^32 functions"));
        self.typer.unit.functions.push(Function {
            name: self.text(symbol).to_owned(),
            ty,
            params: Vec::new(),
            body: None,
            labels: Vec::new(),
            span,
            is_address_taken: false,
            is_noreturn: false,
        });
        self.linked.insert(symbol, Entity::Function(function));
        function
    }

    /// A definition, at its body or at the declarations of its old-style parameters.
    pub(super) fn function_definition(
        &mut self,
        specifiers: &Specifiers,
        declarator: Declarator,
        attributes: Attributes,
    ) -> Res<()> {
        let (symbol, span) = declarator.name.expect("a function has a name");
        let mut params = declarator.params.expect("a function has parameters");
        let ty = declarator.ty;
        let function = self.declare_function(symbol, ty, span)?;
        self.scopes.bind(symbol, Entity::Function(function));
        let is_inline_copy = self.replaceable.remove(&function);
        let known = &mut self.typer.unit.functions[function.0 as usize];
        if known.body.is_some() && !is_inline_copy {
            let message = format!("`{}` is defined twice", known.name);
            return Err(self.error(Code::CRedeclared, span, message));
        }
        known.span = span;
        known.is_noreturn |= attributes.is_noreturn;
        if specifiers.class == Class::Extern {
            self.replaceable.insert(function);
        }
        self.typer.function = Some(function);
        self.scopes.enter();
        let result = self.definition(symbol, function, ty, &mut params);
        self.leave_scope(self.last_span().end);
        self.typer.function = None;
        self.inside = None;
        self.pending.clear();
        result
    }

    fn definition(
        &mut self,
        symbol: Symbol,
        function: FuncId,
        ty: TypeId,
        params: &mut Parameters,
    ) -> Res<()> {
        let ty = if params.names.is_empty() {
            self.bind_parameters(function, params);
            ty
        } else {
            self.old_parameters(function, ty, params)?
        };
        self.typer.unit.functions[function.0 as usize].params = params.vars.clone();
        self.typer.unit.functions[function.0 as usize].ty = ty;
        let result = self.typer.signature(ty).expect("a function's type").result;
        let is_complete = *self.typer.types().get(result) == Type::Void
            || self.typer.types().size(result).is_some();
        if !is_complete {
            let span = self.typer.unit.function(function).span;
            let message = format!("the members of {} are not known here", self.typer.show(result));
            return Err(self.error(Code::CIncomplete, span, message));
        }
        self.inside = Some(Inside::new(function, result));
        let open = self.span();
        self.need(Punct::LBrace)?;
        let mut body = std::mem::take(&mut params.pending);
        let items = self.block_items(open, &mut body);
        let close = self.last_span();
        self.check_labels();
        items?;
        if self.text(symbol) == "main" && result == self.typer.int() {
            let zero = self.typer.constant(0, result, close);
            body.push(Stmt { kind: StmtKind::Return(Some(zero)), span: close });
        }
        let inside = self.inside.take().expect("we are inside");
        let known = &mut self.typer.unit.functions[function.0 as usize];
        known.labels = inside.list;
        known.body = Some(Stmt { kind: StmtKind::Block(body), span: open.to(close) });
        Ok(())
    }

    /// Gives the parameters that a prototype declared their scope.
    fn bind_parameters(&mut self, function: FuncId, params: &Parameters) {
        for (&var, &symbol) in params.vars.iter().zip(&params.symbols) {
            if let Some(symbol) = symbol {
                self.scopes.bind(symbol, Entity::Var(var));
            }
            self.scopes.own(var);
            self.typer.unit.vars[var.0 as usize].function = Some(function);
        }
        for stmt in &params.pending {
            if let StmtKind::Declare(var, _) = stmt.kind {
                self.typer.unit.vars[var.0 as usize].function = Some(function);
            }
        }
    }

    /// The declarations between an old-style declarator and its body; returns the function's type.
    fn old_parameters(
        &mut self,
        function: FuncId,
        ty: TypeId,
        params: &mut Parameters,
    ) -> Res<TypeId> {
        let mut types: FxHashMap<Symbol, (TypeId, Span)> = FxHashMap::default();
        while self.starts_type() {
            let specifiers = self.specifiers()?;
            self.no_class(&specifiers, true)?;
            loop {
                let declarator = self.nested(|p| p.declarator(specifiers.ty, Naming::Named))?;
                self.drop_parameters(&declarator);
                self.after_declarator(&mut Attributes::default())?;
                let (symbol, span) = declarator.name.expect("it is named");
                let ty = self.parameter_type(declarator.ty);
                types.insert(symbol, (ty, span));
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
            self.need(Punct::Semicolon)?;
        }
        for (symbol, span) in std::mem::take(&mut params.names) {
            let (ty, span) = types.get(&symbol).copied().unwrap_or((self.typer.int(), span));
            let passed = self.typer.promoted_argument(ty);
            let name = (passed == ty).then_some(symbol);
            let var = self.parameter_variable(name, passed, span);
            self.scopes.own(var);
            params.vars.push(var);
            if passed != ty {
                let narrow = self.narrowed(symbol, var, ty, span)?;
                params.pending.push(narrow);
            }
        }
        let vars = params.vars.iter().map(|&var| self.typer.unit.var(var).ty).collect();
        let result = self.typer.signature(ty).expect("a function's type").result;
        self.typer.old_style.insert(function);
        let signature = Signature { result, params: vars, is_variadic: false, is_open: false };
        Ok(self.typer.unit.types.id(Type::Function(signature)))
    }

    /// Nobody converts arguments to old-style parameters: a narrow one comes promoted, and is converted
    /// when the function is entered.
    fn narrowed(&mut self, symbol: Symbol, passed: VarId, ty: TypeId, span: Span) -> Res<Stmt> {
        let local = self.declare_local(symbol, ty, span)?;
        let wide = self.typer.unit.var(passed).ty;
        let place = Place { kind: PlaceKind::Var(passed), ty: wide, span };
        let value = self.typer.value(Operand::Place(place));
        let init = Init::Value(self.typer.cast(value, ty, false));
        Ok(Stmt { kind: StmtKind::Declare(local, Some(init)), span })
    }

    /// A label that is used by `goto` or `&&`.
    pub(super) fn used_label(&mut self, symbol: Symbol, span: Span) -> Res<LabelId> {
        let name = self.text(symbol);
        let Some(inside) = &mut self.inside else {
            return Err(self.error(Code::CLabel, span, "there are no labels outside functions"));
        };
        let label = inside.label(symbol, name, span);
        inside.seen[label.0 as usize].1.get_or_insert(span);
        Ok(label)
    }

    /// A label that is defined here.
    pub(super) fn defined_label(&mut self, symbol: Symbol, span: Span) -> Res<LabelId> {
        let name = self.text(symbol);
        let inside = self.inside.as_mut().expect("statements are inside functions");
        let label = inside.label(symbol, name, span);
        inside.list[label.0 as usize].span = span;
        let was_defined = std::mem::replace(&mut inside.seen[label.0 as usize].0, true);
        if was_defined {
            let message = format!("the label `{name}` is defined twice");
            return Err(self.error(Code::CLabel, span, message));
        }
        Ok(label)
    }

    /// `__label__ a, b;`, behind the keyword.
    pub(super) fn local_label_declaration(&mut self) -> Res<()> {
        loop {
            let (symbol, span) = self.need_name()?;
            let name = self.text(symbol);
            let inside = self.inside.as_mut().expect("statements are inside functions");
            let label = inside.new_label(name, span);
            inside.local_labels.push((symbol, label));
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.need(Punct::Semicolon).map(|_| ())
    }

    fn check_labels(&mut self) {
        let Some(inside) = &self.inside else { return };
        let missing: Vec<(String, Span)> = (inside.list.iter().zip(&inside.seen))
            .filter_map(|(label, seen)| match seen {
                (false, Some(span)) => Some((label.name.clone(), *span)),
                _ => None,
            })
            .collect();
        if self.kind() == Kind::End && self.typer.report.has_errors() {
            return;
        }
        for (name, span) in missing {
            let message = format!("the label `{name}` is not defined");
            self.error(Code::CLabel, span, message);
        }
    }

    /// `__func__` and its kin: the name of the function around.
    pub(super) fn function_name(&self) -> String {
        match &self.inside {
            Some(inside) => self.typer.unit.function(inside.function).name.clone(),
            None => String::new(),
        }
    }
}
