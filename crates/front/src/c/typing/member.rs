//! Members of structures and unions, also those of anonymous ones inside.

use super::{Operand, Res, Typer};
use crate::diag::{Code, Diagnostic};
use crate::suggest::nearest;
use alphorn_problem::Span;
use alphorn_program::c::layout::RecordId;
use alphorn_program::c::tree::Init;
use alphorn_program::c::{Expr, ExprKind, Place, PlaceKind, Type, TypeId};

impl Typer {
    /// The positions that lead to a member: more than one if it is in an anonymous structure.
    pub fn field_path(&self, record: RecordId, name: &str) -> Option<Vec<usize>> {
        let fields = &self.types().record(record).fields;
        if let Some(index) = fields.iter().position(|field| field.name.as_deref() == Some(name)) {
            return Some(vec![index]);
        }
        fields.iter().enumerate().find_map(|(index, field)| {
            let (None, Type::Record(inner)) = (&field.name, self.types().get(field.ty)) else {
                return None;
            };
            let mut path = self.field_path(*inner, name)?;
            path.insert(0, index);
            Some(path)
        })
    }

    /// The members of a type, which has to be a complete structure or union.
    pub fn record_of(&mut self, ty: TypeId, span: Span) -> Res<RecordId> {
        let message = match self.types().get(ty) {
            Type::Record(record) if self.types().record(*record).is_complete => return Ok(*record),
            Type::Record(_) => format!("the members of {} are not known here", self.show(ty)),
            Type::Pointer(target) if matches!(self.types().get(*target), Type::Record(_)) => {
                let message = format!("{} is a pointer and has no members", self.show(ty));
                let hint = "use `->`";
                self.report.push(Diagnostic::error(Code::CType, span, message).hint(hint));
                return Err(super::Stop);
            }
            _ => format!("{} has no members", self.show(ty)),
        };
        Err(self.report.error(Code::CType, span, message))
    }

    /// The path to a member, or an error.
    pub fn need_field(
        &mut self,
        ty: TypeId,
        name: &str,
        span: Span,
    ) -> Res<(RecordId, Vec<usize>)> {
        let record = self.record_of(ty, span)?;
        if let Some(path) = self.field_path(record, name) {
            return Ok((record, path));
        }
        let message = format!("{} has no member `{name}`", self.show(ty));
        let mut diagnostic = Diagnostic::error(Code::CUndeclared, span, message);
        let fields = self.types().record(record).fields.iter();
        if let Some(near) = nearest(name, fields.filter_map(|field| field.name.as_deref())) {
            diagnostic = diagnostic.hint(format!("there is `{near}`"));
        }
        self.report.push(diagnostic);
        Err(super::Stop)
    }

    /// `operand.name`; the name stands at `at`.
    pub fn member(&mut self, operand: Operand, name: &str, at: Span) -> Res<Operand> {
        let (record, path) = self.need_field(operand.ty(), name, at)?;
        let span = operand.span().to(at);
        match operand {
            Operand::Place(place) => {
                Ok(Operand::Place(self.member_place(place, record, &path, span)))
            }
            Operand::Value(expr) => Ok(self.member_value(expr, record, &path, span)),
            Operand::Function(..) => unreachable!("a function is no structure"),
        }
    }

    fn member_place(
        &mut self,
        place: Place,
        record: RecordId,
        path: &[usize],
        span: Span,
    ) -> Place {
        let (mut place, mut record) = (place, record);
        for &index in path {
            let ty = self.types().record(record).fields[index].ty;
            let kind = PlaceKind::Member(Box::new(place), record, index);
            place = Place { kind, ty, span };
            if let Type::Record(inner) = self.types().get(ty) {
                record = *inner;
            }
        }
        place
    }

    /// A member of a value that is in no place. An array needs one, so it gets one.
    fn member_value(
        &mut self,
        expr: Expr,
        record: RecordId,
        path: &[usize],
        span: Span,
    ) -> Operand {
        let mut ty = expr.ty;
        for &index in path {
            if let Type::Record(record) = self.types().get(ty) {
                ty = self.types().record(*record).fields[index].ty;
            }
        }
        if matches!(self.types().get(ty), Type::Array(..)) {
            let (ty, at) = (expr.ty, expr.span);
            let place = self.literal_place(ty, Init::Value(expr), at);
            return Operand::Place(self.member_place(place, record, path, span));
        }
        let mut expr = expr;
        for &index in path {
            if let Type::Record(record) = self.types().get(expr.ty) {
                let ty = self.types().record(*record).fields[index].ty;
                expr = Expr { kind: ExprKind::Member(Box::new(expr), index), ty, span };
            }
        }
        Operand::Value(expr)
    }
}
