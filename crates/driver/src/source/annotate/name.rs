//! Names of variables and of their parts, as the program writes them.

use alphorn_program::c::layout::Length;
use alphorn_program::c::lower::Step;
use alphorn_program::c::{IntKind, Type, TypeId, Types};

/// How something is written.
pub(super) struct Said {
    /// The text; an array has `[]` where its index goes.
    pub(super) text: String,
    pub(super) ty: Shape,
}

/// What can be written.
pub(super) enum Shape {
    /// A number.
    Int(IntKind),
    /// An array of so many numbers.
    Array(IntKind, u64),
}

/// What a path leads to from a type.
pub(super) fn walk(
    types: &Types,
    ty: TypeId,
    path: &[Step],
    mut text: String,
) -> Option<(String, Shape)> {
    let mut ty = ty;
    let mut length = None;
    for step in path {
        match (step, types.get(ty)) {
            (Step::Field(at), Type::Record(record)) => {
                let field = types.record(*record).fields.get(*at as usize)?;
                if field.bits.is_some() {
                    return None;
                }
                // Members of an anonymous one are members of the outer one.
                if let Some(name) = &field.name {
                    text = format!("{text}.{name}");
                }
                ty = field.ty;
            }
            (Step::Element, Type::Array(element, Length::Fixed(count))) if length.is_none() => {
                text.push_str("[]");
                length = Some(*count);
                ty = *element;
            }
            _ => return None,
        }
    }
    match (types.get(ty), length) {
        (Type::Int(kind), None) => Some((text, Shape::Int(*kind))),
        (Type::Int(kind), Some(length)) => Some((text, Shape::Array(*kind, length))),
        _ => None,
    }
}
