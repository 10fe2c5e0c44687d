//! Where the members of structures and unions lie.
//!
//! Bit-fields fill their units from the lowest bit and never cross more units of their type's alignment
//! than their type itself spans; an unnamed one of no bits ends the unit. `packed` takes members'
//! alignment away, `aligned` adds to it, and `#pragma pack` limits both.
//!
//! Source: System V ABI, i386 and AMD64 supplements, "Bit-Fields"; gcc's `place_field`,
//! `update_alignment_for_field` and `layout_decl`.

use super::convert::{exact, without_sign};
use super::{Res, Typer};
use crate::diag::Code;
use alphorn_problem::Span;
use alphorn_program::c::layout::{Field, Length, Record, RecordId};
use alphorn_program::c::{IntKind, Type, TypeId};

/// What attributes and pragmas say about alignment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Alignment {
    /// As little as can be.
    pub is_packed: bool,
    /// At least so much; 0 if nothing is said.
    pub at_least: u64,
    /// At most so much; 0 if nothing is said.
    pub at_most: u64,
}

/// A member as it is declared.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its name; none for bit-fields that fill space and for anonymous structures and unions.
    pub name: Option<String>,
    /// Its type.
    pub ty: TypeId,
    /// How many bits, for a bit-field.
    pub bits: Option<u32>,
    /// What the named type is aligned to, if its declaration says so; else 0.
    pub type_align: u64,
    /// What is said about the member's own alignment.
    pub alignment: Alignment,
    /// Where it stands.
    pub span: Span,
}

impl Typer {
    /// Completes a structure or union.
    pub fn lay_out(
        &mut self,
        id: RecordId,
        members: Vec<Member>,
        alignment: Alignment,
        span: Span,
    ) -> Res<()> {
        let is_union = self.types().record(id).is_union;
        let mut fields = Vec::with_capacity(members.len());
        // The next free bit, the end of what is taken, and the alignment so far, in bits.
        let (mut next, mut end, mut align) = (0u128, 0u128, 8u128);
        for member in members {
            if is_union {
                next = 0;
            }
            let is_packed = alignment.is_packed || member.alignment.is_packed;
            let own = match member.type_align {
                0 => 8 * u128::from(self.types().align(member.ty)),
                align => 8 * u128::from(align),
            };
            let said = 8 * u128::from(member.alignment.at_least);
            let most = match alignment.at_most {
                0 => u128::MAX,
                bytes => 8 * u128::from(bytes),
            };
            let size = 8 * u128::from(self.member_size(&member)?);
            match member.bits.map(u128::from) {
                None => {
                    let wanted = match (is_packed, said) {
                        (true, 0) => 8,
                        (true, _) => said,
                        (false, _) => own.max(said),
                    };
                    let wanted = wanted.min(most);
                    next = next.next_multiple_of(wanted);
                    align = align.max(wanted);
                    let offset = (next / 8) as u64;
                    fields.push(Field { name: member.name, ty: member.ty, offset, bits: None });
                    next += size;
                }
                Some(0) => next = next.next_multiple_of(own),
                Some(width) => {
                    let wanted = said.min(most);
                    if wanted > 0 {
                        next = next.next_multiple_of(wanted);
                    }
                    let is_dense = is_packed || alignment.at_most > 0;
                    if !is_dense && (next % own + width).div_ceil(own) > size / own {
                        next = next.next_multiple_of(own);
                    }
                    if let Some(name) = member.name {
                        let by_type = if alignment.at_most > 0 {
                            own.min(most)
                        } else if is_packed {
                            8
                        } else {
                            own
                        };
                        align = align.max(wanted).max(by_type);
                        self.note_width(member.ty, width as u32);
                        let start = next - next % if is_dense { 8 } else { own.min(size) };
                        fields.push(Field {
                            name: Some(name),
                            ty: member.ty,
                            offset: (start / 8) as u64,
                            bits: Some(((next - start) as u32, width as u32)),
                        });
                    }
                    next += width;
                }
            }
            end = end.max(next);
            if end > 8 * u128::from(u64::MAX / 4) {
                return Err(self.report.error(Code::CType, member.span, "this type is too large"));
            }
        }
        align = align.max(8 * u128::from(alignment.at_least));
        let size = (end.next_multiple_of(8).next_multiple_of(align) / 8) as u64;
        for field in &mut fields {
            self.pull_inside(field, size);
        }
        self.check_names(&fields, span)?;
        let record = self.unit.types.record_mut(id);
        record.fields = fields;
        record.size = size;
        record.align = (align / 8) as u64;
        record.is_complete = true;
        Ok(())
    }

    /// Makes the types that the values of a bit-field are computed in.
    fn note_width(&mut self, ty: TypeId, width: u32) {
        if let Some(kind) = self.types().int_kind(ty)
            && width > IntKind::Int.bits(self.model())
            && width < kind.bits(self.model())
        {
            let kind = exact(kind, width);
            self.unit.types.id(Type::Int(kind));
            self.unit.types.id(Type::Int(without_sign(kind)));
        }
    }

    /// Begins the unit of a packed bit-field earlier where it would go beyond the structure's end.
    fn pull_inside(&self, field: &mut Field, size: u64) {
        if let Some((low, _)) = &mut field.bits
            && let Some(unit) = self.types().size(field.ty)
        {
            let excess = (field.offset + unit).saturating_sub(size).min(field.offset);
            let by = excess.min((8 * unit).saturating_sub(u64::from(*low)) / 8);
            field.offset -= by;
            *low += 8 * by as u32;
        }
    }

    fn member_size(&mut self, member: &Member) -> Res<u64> {
        if let Some(size) = self.types().size(member.ty)
            && !matches!(self.types().get(member.ty), Type::Void | Type::Function(_))
        {
            return Ok(size);
        }
        if let Type::Array(element, Length::Unknown) = self.types().get(member.ty)
            && self.types().size(*element).is_some()
        {
            return Ok(0);
        }
        let message = match &member.name {
            Some(name) => format!(
                "member `{name}` has the type {}, whose size is not known",
                self.show(member.ty)
            ),
            None => {
                format!("a member has the type {}, whose size is not known", self.show(member.ty))
            }
        };
        Err(self.report.error(Code::CIncomplete, member.span, message))
    }

    fn check_names(&mut self, fields: &[Field], span: Span) -> Res<()> {
        let mut names: Vec<&str> = fields.iter().filter_map(|f| f.name.as_deref()).collect();
        names.sort_unstable();
        let twice = names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0].to_owned());
        match twice {
            Some(name) => {
                let message = format!("there are two members `{name}`");
                Err(self.report.error(Code::CRedeclared, span, message))
            }
            None => Ok(()),
        }
    }

    /// The structure of two numbers that stands for a complex type.
    pub fn complex_type(&mut self, part: TypeId) -> TypeId {
        let known = self.complex.iter().copied().find(|&record| {
            self.types().record(record).fields.first().is_some_and(|field| field.ty == part)
        });
        let record = known.unwrap_or_else(|| {
            let size = self.types().size(part).unwrap_or(8);
            let align = self.types().align(part);
            let field = |name: &str, offset| Field {
                name: Some(name.to_owned()),
                ty: part,
                offset,
                bits: None,
            };
            let record = self.unit.types.add_record(Record {
                name: Some("_Complex".to_owned()),
                is_union: false,
                fields: vec![field("__real__", 0), field("__imag__", size)],
                size: 2 * size,
                align,
                is_complete: true,
            });
            self.complex.insert(record);
            record
        });
        self.unit.types.id(Type::Record(record))
    }

    /// A type that stands for a vector of machine words: it is passed around, and not computed with.
    pub fn vector_type(&mut self, size: u64) -> TypeId {
        let record = self.unit.types.add_record(Record {
            name: Some("vector".to_owned()),
            size,
            align: size.max(1),
            is_complete: true,
            ..Record::default()
        });
        self.complex.insert(record);
        self.unit.types.id(Type::Record(record))
    }

    /// Notes that values for any member may be passed where this union is wanted.
    pub fn make_transparent(&mut self, record: RecordId) {
        self.transparent.insert(record);
    }
}
