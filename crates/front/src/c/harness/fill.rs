//! What arrays and structures have in them that are not initialised: bytes that a test puts there.
//!
//! Contents are numbers at offsets and a number for everything else, and the object's type says where its
//! scalars are and how wide: each gets the low bytes of its number. A call that does so stands behind the
//! declaration, so that it is done each time the declaration is passed.

use super::Maker;
use alphorn_program::c::layout::{Length, Types};
use alphorn_program::c::{Type, TypeId, VarId};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The numbers at offsets, and the one elsewhere.
pub(super) type Numbers = (Vec<(u64, i128)>, i128);

/// The most groups of scalars in an object.
const MAX_GROUPS: usize = 4_096;

/// Scalars of one width that follow each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    start: u64,
    width: u64,
    count: u64,
}

/// Where the scalars of a type are; nothing if it has bit-fields, unions or numbers that are no integers.
fn groups(types: &Types, ty: TypeId, start: u64, all: &mut Vec<Group>) -> Option<()> {
    match types.get(ty) {
        Type::Int(_) | Type::Pointer(_) => {
            let width = types.size(ty).filter(|&width| width <= 8)?;
            all.push(Group { start, width, count: 1 });
        }
        Type::Array(element, Length::Fixed(count)) => {
            let size = types.size(*element)?;
            if matches!(types.get(*element), Type::Int(_) | Type::Pointer(_)) && size <= 8 {
                all.push(Group { start, width: size, count: *count });
            } else {
                for index in 0..*count {
                    groups(types, *element, start + index * size, all)?;
                }
            }
        }
        Type::Record(record) => {
            let record = types.record(*record);
            if record.is_union || !record.is_complete {
                return None;
            }
            for field in &record.fields {
                if field.bits.is_some() {
                    return None;
                }
                groups(types, field.ty, start + field.offset, all)?;
            }
        }
        _ => return None,
    }
    (all.len() <= MAX_GROUPS).then_some(())
}

/// Where the declaration ends in which a name stands that ends here: behind its semicolon.
fn end_of_declaration(source: &[u8], from: usize) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, byte) in source.iter().enumerate().skip(from) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            b';' if depth == 0 => return Some(at + 1),
            b'"' | b'\'' | b'#' | b'/' => return None,
            _ => {}
        }
    }
    None
}

impl Maker<'_> {
    /// Where the call that fills an object is put, and where its scalars are.
    pub(super) fn filled(&self, var: VarId) -> Option<(usize, Vec<Group>)> {
        let unit = &self.task.unit;
        let variable = unit.var(var);
        let (start, end) = (variable.span.start as usize, variable.span.end as usize);
        if self.source.get(start..end) != Some(variable.name.as_bytes()) {
            return None;
        }
        let mut all = Vec::new();
        groups(&unit.types, variable.ty, 0, &mut all)?;
        Some((end_of_declaration(self.source, end)?, all))
    }

    /// Definitions of the functions that fill objects.
    pub(super) fn fillings(&self, text: &mut String, objects: &BTreeMap<VarId, Vec<Numbers>>) {
        let mut is_first = true;
        for (var, times) in objects {
            let Some((_, groups)) = self.filled(*var) else { continue };
            if is_first {
                text.push_str(
                    "static void alphorn_bytes(unsigned char *to, unsigned long width, unsigned \
                     long count, unsigned long long bits) { for (; count > 0; count--) for \
                     (unsigned long i = 0; i < width; i++) *to++ = bits >> 8 * i; }\n",
                );
                is_first = false;
            }
            let _ = writeln!(
                text,
                "void alphorn_fill_{}(void *to) {{ static unsigned at; switch (at++) {{",
                var.0
            );
            for (time, numbers) in times.iter().enumerate() {
                let _ = writeln!(text, "  case {time}:{} break;", filling(&groups, numbers));
            }
            text.push_str("  default: alphorn_exhausted(); } }\n");
        }
    }
}

/// Calls that put numbers where they belong.
fn filling(groups: &[Group], (cells, default): &Numbers) -> String {
    let mut text = String::new();
    let mut put = |start: u64, width: u64, count: u64, number: i128| {
        let bits = number as u64;
        let _ = write!(
            text,
            " alphorn_bytes((unsigned char *)to + {start}, {width}, {count}, {bits}ULL);"
        );
    };
    for group in groups {
        put(group.start, group.width, group.count, *default);
    }
    for &(offset, number) in cells {
        let is_in = |group: &&Group| {
            let end = group.start + group.width * group.count;
            (group.start..end).contains(&offset)
                && (offset - group.start).is_multiple_of(group.width)
        };
        if let Some(group) = groups.iter().find(is_in) {
            put(offset, group.width, 1, number);
        }
    }
    text
}
