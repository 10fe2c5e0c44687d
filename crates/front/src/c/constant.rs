//! The values of expressions that need no run: array lengths, cases, enumerators, static initialisers.
//!
//! Every operation is done in the type of its node. What C leaves open (a signed overflow, a division by
//! zero, a shift by too much) has no value here.
//!
//! Source: C11 6.6.

use alphorn_program::c::layout::FloatKind;
use alphorn_program::c::tree::{Arith, Compare};
use alphorn_program::c::{Expr, ExprKind, IntKind, Place, PlaceKind, Type, TypeId, Types};

/// The value that an integer of this type has when only its lowest bits are kept.
pub fn wrap(value: i128, kind: IntKind, types: &Types) -> i128 {
    if kind == IntKind::Bool {
        return i128::from(value != 0);
    }
    let bits = kind.bits(types.model);
    if bits >= 128 {
        return value;
    }
    let low = value & ((1i128 << bits) - 1);
    if kind.is_signed() && low >> (bits - 1) == 1 { low - (1i128 << bits) } else { low }
}

/// Whether an integer type has this value.
pub fn fits(value: i128, kind: IntKind, types: &Types) -> bool {
    wrap(value, kind, types) == value
}

/// The value of an integer constant expression, or of an address that is a known number.
pub fn value(types: &Types, expr: &Expr) -> Option<i128> {
    let kind = match types.get(expr.ty) {
        Type::Int(kind) => *kind,
        Type::Pointer(_) => pointer_kind(),
        _ => return None,
    };
    match &expr.kind {
        ExprKind::Int(value) => Some(*value),
        ExprKind::Neg(inner) => exact(types, kind, value(types, inner)?.checked_neg()?),
        ExprKind::BitNot(inner) => Some(wrap(!value(types, inner)?, kind, types)),
        ExprKind::Not(inner) => Some(i128::from(!truth(types, inner)?)),
        ExprKind::Arith(op, left, right) => arithmetic(types, kind, *op, left, right),
        ExprKind::Compare(op, left, right) => compare(types, *op, left, right),
        ExprKind::Both(left, right) => {
            Some(i128::from(truth(types, left)? && truth(types, right)?))
        }
        ExprKind::Either(left, right) => {
            Some(i128::from(truth(types, left)? || truth(types, right)?))
        }
        ExprKind::Conditional(condition, then, other) => match (truth(types, condition)?, then) {
            (true, Some(then)) => value(types, then),
            (true, None) => Some(wrap(value(types, condition)?, kind, types)),
            (false, _) => value(types, other),
        },
        ExprKind::Cast(inner, _) => match types.get(inner.ty) {
            Type::Float(_) if kind == IntKind::Bool => {
                Some(i128::from(float(types, inner)? != 0.0))
            }
            Type::Float(_) => truncated(types, kind, float(types, inner)?),
            _ => Some(wrap(value(types, inner)?, kind, types)),
        },
        ExprKind::Address(place) | ExprKind::Decay(place) => address(types, place),
        ExprKind::Move(pointer, steps, is_forwards) => {
            let size = types.size(types.target(expr.ty)?)?;
            let by = value(types, steps)?.checked_mul(i128::from(size))?;
            let from = value(types, pointer)?;
            Some(wrap(if *is_forwards { from + by } else { from - by }, kind, types))
        }
        _ => None,
    }
}

/// Whether a constant is not zero.
pub fn truth(types: &Types, expr: &Expr) -> Option<bool> {
    match types.get(expr.ty) {
        Type::Float(_) => Some(float(types, expr)? != 0.0),
        _ => Some(value(types, expr)? != 0),
    }
}

/// Pointers are numbers without sign.
fn pointer_kind() -> IntKind {
    IntKind::UnsignedLong
}

fn exact(types: &Types, kind: IntKind, value: i128) -> Option<i128> {
    let wrapped = wrap(value, kind, types);
    (wrapped == value || !kind.is_signed()).then_some(wrapped)
}

fn truncated(types: &Types, kind: IntKind, number: f64) -> Option<i128> {
    let whole = number.trunc();
    (whole.is_finite() && whole.abs() < 1e37).then(|| wrap(whole as i128, kind, types))
}

fn arithmetic(types: &Types, kind: IntKind, op: Arith, left: &Expr, right: &Expr) -> Option<i128> {
    let (a, b) = (value(types, left)?, value(types, right)?);
    let bits = i128::from(kind.bits(types.model));
    let result = match op {
        Arith::Add => a.checked_add(b)?,
        Arith::Sub => a.checked_sub(b)?,
        Arith::Mul => a.checked_mul(b)?,
        Arith::Div => a.checked_div(b)?,
        Arith::Rem => a.checked_rem(b)?,
        Arith::And => a & b,
        Arith::Or => a | b,
        Arith::Xor => a ^ b,
        Arith::Shl if (0..bits).contains(&b) && bits < 128 => {
            // gcc gives shifts of signed constants the bits that fall off.
            return Some(wrap(a.checked_shl(b as u32)?, kind, types));
        }
        Arith::Shr if (0..bits).contains(&b) => a >> b,
        Arith::Shl | Arith::Shr => return None,
    };
    exact(types, kind, result)
}

fn compare(types: &Types, op: Compare, left: &Expr, right: &Expr) -> Option<i128> {
    let order = match types.get(left.ty) {
        Type::Float(_) => float(types, left)?.partial_cmp(&float(types, right)?)?,
        _ => value(types, left)?.cmp(&value(types, right)?),
    };
    Some(i128::from(op.holds(order)))
}

/// The address of a place below a number that is used as a pointer, as in the old `offsetof`.
fn address(types: &Types, place: &Place) -> Option<i128> {
    match &place.kind {
        PlaceKind::Deref(pointer) => value(types, pointer),
        PlaceKind::Member(inner, record, index) => {
            let field = &types.record(*record).fields[*index];
            Some(address(types, inner)? + i128::from(field.offset))
        }
        PlaceKind::Element(inner, index) => {
            let size = types.size(place.ty)?;
            let by = value(types, index)?.checked_mul(i128::from(size))?;
            address(types, inner)?.checked_add(by)
        }
        PlaceKind::Var(_) | PlaceKind::Text(_) | PlaceKind::Literal(..) => None,
    }
}

/// The value of a floating constant expression. Only doubles are exact, so nothing else has one.
fn float(types: &Types, expr: &Expr) -> Option<f64> {
    if !is_double(types, expr.ty) {
        return None;
    }
    match &expr.kind {
        ExprKind::Float(text) => text.trim_end_matches(['f', 'F', 'l', 'L']).parse().ok(),
        ExprKind::Neg(inner) => Some(-float(types, inner)?),
        ExprKind::Cast(inner, _) => match types.get(inner.ty) {
            Type::Float(_) => float(types, inner),
            _ => Some(value(types, inner)? as f64),
        },
        ExprKind::Arith(op, left, right) => {
            let (a, b) = (float(types, left)?, float(types, right)?);
            Some(match op {
                Arith::Add => a + b,
                Arith::Sub => a - b,
                Arith::Mul => a * b,
                Arith::Div => a / b,
                _ => return None,
            })
        }
        _ => None,
    }
}

fn is_double(types: &Types, ty: TypeId) -> bool {
    matches!(types.get(ty), Type::Float(FloatKind::Double))
}
