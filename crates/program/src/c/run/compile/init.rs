//! First values of variables.

use super::{Class, Compiler};
use crate::c::layout::{Type, TypeId};
use crate::c::run::code::{Access, Instr};
use crate::c::run::value::Value;
use crate::c::tree::{Expr, ExprKind, Init, PlaceKind, VarId};
use alphorn_problem::Span;

/// A part of an object.
struct Part {
    offset: u64,
    ty: TypeId,
    access: Option<Access>,
}

impl Compiler<'_> {
    /// Gives a variable its first value.
    pub(super) fn initialise(&mut self, var: VarId, init: &Init, span: Span) {
        let home = self.home(var);
        let ty = self.unit.var(var).ty;
        if !home.is_object {
            match init {
                Init::Value(value) => self.expr(value),
                Init::Parts(parts) => {
                    let zero = self.zero(ty);
                    self.emit(span, Instr::Const(zero));
                    for (_, value) in parts {
                        self.emit(span, Instr::Pop);
                        self.expr(value);
                    }
                }
                Init::Text(_) => {
                    self.emit(span, Instr::Untreated("a text for what is no array"));
                }
            }
            self.set(span, home);
            self.emit(span, Instr::Pop);
            return;
        }
        match init {
            Init::Value(value) => {
                let part = Part { offset: 0, ty, access: self.access(ty) };
                self.initialise_part(var, part, value);
            }
            Init::Parts(parts) => {
                self.zero_object(var, span);
                for (path, value) in parts {
                    match self.part(ty, path) {
                        Some(part) => self.initialise_part(var, part, value),
                        None => {
                            self.emit(value.span, Instr::Untreated("a part that is not there"));
                        }
                    }
                }
            }
            Init::Text(text) => {
                self.zero_object(var, span);
                self.get(span, home);
                let size = self.unit.types.size(ty).unwrap_or(0);
                self.emit(span, Instr::WriteText(*text, size));
            }
        }
    }

    fn zero_object(&mut self, var: VarId, span: Span) {
        let home = self.home(var);
        self.get(span, home);
        self.emit(span, Instr::Zero);
    }

    /// The part of a type at the end of a path.
    fn part(&self, ty: TypeId, path: &[u64]) -> Option<Part> {
        let types = &self.unit.types;
        let mut part = Part { offset: 0, ty, access: self.access(ty) };
        for &position in path {
            match types.get(part.ty) {
                Type::Array(element, _) => {
                    let offset = types.size(*element)?.checked_mul(position)?;
                    part.offset = part.offset.checked_add(offset)?;
                    part.ty = *element;
                    part.access = self.access(*element);
                }
                Type::Record(record) => {
                    let field = types.record(*record).fields.get(position as usize)?;
                    let (offset, access) = self.member(*record, position as usize);
                    part = Part { offset: part.offset + offset, ty: field.ty, access };
                }
                _ if position == 0 => {}
                _ => return None,
            }
        }
        Some(part)
    }

    fn initialise_part(&mut self, var: VarId, part: Part, value: &Expr) {
        let home = self.home(var);
        let span = value.span;
        self.get(span, home);
        if part.offset != 0 {
            self.emit(span, Instr::Offset(part.offset as i64));
        }
        // A string literal that is the value of an array of characters.
        if let ExprKind::Load(place) = &value.kind
            && let PlaceKind::Text(text) = place.kind
        {
            let size = self.unit.types.size(part.ty).unwrap_or(0);
            self.emit(span, Instr::WriteText(text, size));
            return;
        }
        self.expr(value);
        match (part.access, self.class(part.ty)) {
            (Some(access), _) => self.emit(span, Instr::Write(access)),
            (None, Class::Record(_)) => self.emit(span, Instr::WriteRecord),
            _ => self.emit(span, Instr::Untreated("a value of this type")),
        };
        self.emit(span, Instr::Pop);
    }

    /// The first value of a local variable without initialiser.
    pub(super) fn any_value(&mut self, var: VarId, span: Span) {
        let home = self.home(var);
        let ty = self.unit.var(var).ty;
        let class = self.class(ty);
        if home.is_object && self.unit.types.size(ty).is_none() {
            self.size(span, ty);
            self.emit(span, Instr::AllocateSized(home.slot));
        }
        match (home.is_object, class) {
            (false, Class::Int(..) | Class::Pointer) => {
                self.emit(span, Instr::Ask(var));
                self.set(span, home);
                self.emit(span, Instr::Pop);
            }
            (false, _) => {
                self.emit(span, Instr::Const(Value::Undefined));
                self.set(span, home);
                self.emit(span, Instr::Pop);
            }
            (true, Class::Int(..) | Class::Pointer) => {
                self.get(span, home);
                self.emit(span, Instr::Ask(var));
                let access = self.access(ty).expect("an integer or a pointer is a scalar");
                self.emit(span, Instr::Write(access));
                self.emit(span, Instr::Pop);
            }
            (true, Class::Record(_) | Class::Array) => {
                self.get(span, home);
                self.emit(span, Instr::AskContents(var));
            }
            (true, _) => {
                self.get(span, home);
                self.emit(span, Instr::Forget);
            }
        }
    }
}
