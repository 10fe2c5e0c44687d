//! Whether a value is known before the program runs: what the first value of a variable that lives as long as
//! the program must be.
//!
//! Constants, addresses of such variables, of functions and of string literals, and what operators make of
//! these. Reading a variable counts if it lives as long as the program and has a first value: as gcc has it,
//! that of a constant may be used, and types here do not say what is constant.
//!
//! Source: C11 6.6 and 6.7.9p4; the GNU C manual, "Constructing Function Calls" and its kin for builtins.

use alphorn_program::c::tree::{Init, Storage};
use alphorn_program::c::{Expr, ExprKind, Place, PlaceKind, Unit};

/// The first part of an initialiser that is not known before the program runs.
pub fn first_unknown<'i>(unit: &Unit, init: &'i Init) -> Option<&'i Expr> {
    match init {
        Init::Value(value) => (!is_fixed(unit, value)).then_some(value),
        Init::Parts(parts) => {
            parts.iter().map(|(_, value)| value).find(|value| !is_fixed(unit, value))
        }
        Init::Text(_) => None,
    }
}

fn is_fixed(unit: &Unit, expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Function(_)
        | ExprKind::LabelAddress(_)
        | ExprKind::Untreated(_) => true,
        ExprKind::Address(place) | ExprKind::Decay(place) => is_fixed_place(unit, place),
        ExprKind::Load(place) => is_fixed_place(unit, place) && has_value(unit, place),
        ExprKind::Neg(inner)
        | ExprKind::BitNot(inner)
        | ExprKind::Not(inner)
        | ExprKind::Cast(inner, _)
        | ExprKind::Member(inner, _) => is_fixed(unit, inner),
        ExprKind::Arith(_, left, right)
        | ExprKind::Compare(_, left, right)
        | ExprKind::Move(left, right, _)
        | ExprKind::Distance(left, right)
        | ExprKind::Both(left, right)
        | ExprKind::Either(left, right)
        | ExprKind::Comma(left, right) => is_fixed(unit, left) && is_fixed(unit, right),
        ExprKind::Conditional(condition, yes, no) => {
            is_fixed(unit, condition)
                && yes.as_ref().is_none_or(|yes| is_fixed(unit, yes))
                && is_fixed(unit, no)
        }
        // Some of them have values before the program runs; which, is for those who treat them.
        ExprKind::Call(function, args) => {
            unit.function(*function).name.starts_with("__builtin_")
                && args.iter().all(|arg| is_fixed(unit, arg))
        }
        ExprKind::Assign(..)
        | ExprKind::Update(..)
        | ExprKind::Step(..)
        | ExprKind::CallPointer(..)
        | ExprKind::Block(_)
        | ExprKind::SizeOf(_) => false,
    }
}

/// Whether the address of a place is known.
fn is_fixed_place(unit: &Unit, place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Var(var) => {
            let var = unit.var(*var);
            // A compound literal outside functions lives as long as the program.
            matches!(var.storage, Storage::Global | Storage::Static | Storage::Extern)
                || var.storage == Storage::Hidden && var.function.is_none()
        }
        PlaceKind::Deref(pointer) => is_fixed(unit, pointer),
        PlaceKind::Element(array, index) => is_fixed_place(unit, array) && is_fixed(unit, index),
        PlaceKind::Member(outer, ..) => is_fixed_place(unit, outer),
        PlaceKind::Text(_) => true,
        PlaceKind::Literal(_, init) => first_unknown(unit, init).is_none(),
    }
}

/// Whether what is stored at a place is known, its address being known.
fn has_value(unit: &Unit, place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Var(var) => unit.var(*var).init.is_some(),
        PlaceKind::Element(outer, _) | PlaceKind::Member(outer, ..) => has_value(unit, outer),
        PlaceKind::Text(_) | PlaceKind::Literal(..) => true,
        PlaceKind::Deref(_) => false,
    }
}
