//! Where members lie. The numbers are those of gcc, for i386 and x86-64.

use super::{MODELS, accepted, unit};
use alphorn_program::c::DataModel;
use alphorn_program::c::layout::Record;

/// The structure or union `s` of a program.
fn record(source: &str, model: DataModel) -> Record {
    let unit = unit(source, model);
    let mut records = unit.types.records();
    let found = records.find(|(_, record)| record.name.as_deref() == Some("s"));
    found.expect("s is there").1.clone()
}

/// Sizes and alignments for 32 and 64 bits.
fn sizes(source: &str) -> [(u64, u64); 2] {
    MODELS.map(|model| {
        let record = record(source, model);
        (record.size, record.align)
    })
}

/// The bits that every bit-field covers, counted from the structure's beginning, with its width.
fn bits(source: &str, model: DataModel) -> Vec<(u64, u32)> {
    let record = record(source, model);
    let fields = record.fields.iter();
    fields
        .filter_map(|f| f.bits.map(|(low, width)| (8 * f.offset + u64::from(low), width)))
        .collect()
}

#[test]
fn scalars_have_the_sizes_of_their_data_model() {
    let both = "_Static_assert(sizeof(char) == 1 && sizeof(short) == 2 && sizeof(int) == 4, \"\");
        _Static_assert(sizeof(long long) == 8 && sizeof(_Bool) == 1 && sizeof(float) == 4, \"\");
        _Static_assert(sizeof(long) == sizeof(void *) && sizeof(double) == 8, \"\");
        _Static_assert(sizeof(void) == 1 && sizeof(struct {}) == 0, \"\");
        _Static_assert(sizeof(enum { A }) == 4 && sizeof(L'a') == 4, \"\");";
    accepted(both);
    unit("_Static_assert(sizeof(long) == 4 && sizeof(long double) == 12, \"\");", DataModel::Ilp32);
    unit("_Static_assert(sizeof(long) == 8 && sizeof(long double) == 16, \"\");", DataModel::Lp64);
    unit("_Static_assert(sizeof(__builtin_va_list) == 24, \"\");", DataModel::Lp64);
}

#[test]
fn members_are_aligned_to_their_types_and_i386_aligns_to_four_at_most() {
    assert_eq!(sizes("struct s { char a; short b; char c; };"), [(6, 2), (6, 2)]);
    assert_eq!(sizes("struct s { char a; long long b; };"), [(12, 4), (16, 8)]);
    assert_eq!(sizes("struct s { char a; double b; };"), [(12, 4), (16, 8)]);
    assert_eq!(sizes("struct s { char a; void *b; char c; };"), [(12, 4), (24, 8)]);
    assert_eq!(sizes("struct s { char a; long double b; };"), [(16, 4), (32, 16)]);
    assert_eq!(sizes("union s { char a[5]; int b; };"), [(8, 4), (8, 4)]);
    assert_eq!(sizes("struct s { int n; char rest[]; };"), [(4, 4), (4, 4)]);
    assert_eq!(sizes("struct s { int n; long long rest[0]; };"), [(4, 4), (8, 8)]);
}

#[test]
fn bit_fields_share_units_and_do_not_cross_more_than_their_type_spans() {
    let source = "struct s { int a : 3; unsigned b : 30; char c : 2; };";
    assert_eq!(bits(source, DataModel::Lp64), [(0, 3), (32, 30), (62, 2)]);
    assert_eq!(sizes(source), [(8, 4), (8, 4)]);
    let source = "struct s { long long a : 40; long long b : 20; int c : 10; };";
    assert_eq!(bits(source, DataModel::Lp64), [(0, 40), (40, 20), (64, 10)]);
    assert_eq!(bits(source, DataModel::Ilp32), [(0, 40), (40, 20), (64, 10)]);
    assert_eq!(sizes(source), [(12, 4), (16, 8)]);
    let source = "struct s { char a; int b : 20; };";
    assert_eq!(bits(source, DataModel::Lp64), [(8, 20)]);
    assert_eq!(sizes(source), [(4, 4), (4, 4)]);
}

#[test]
fn unnamed_bit_fields_take_space_and_one_without_bits_ends_the_unit() {
    let source = "struct s { char a : 2; int : 3; char b : 2; };";
    assert_eq!(bits(source, DataModel::Lp64), [(0, 2), (5, 2)]);
    assert_eq!(sizes(source), [(1, 1), (1, 1)]);
    let source = "struct s { char a : 2; int : 0; char b : 2; };";
    assert_eq!(bits(source, DataModel::Lp64), [(0, 2), (32, 2)]);
    assert_eq!(sizes(source), [(5, 1), (5, 1)]);
    assert_eq!(sizes("struct s { char a : 2; int : 0; };"), [(4, 1), (4, 1)]);
}

#[test]
fn packed_takes_alignment_away_and_aligned_adds_it() {
    assert_eq!(sizes("struct s { char a; int b; } __attribute__((packed));"), [(5, 1), (5, 1)]);
    assert_eq!(sizes("struct s { char a; int b __attribute__((packed)); };"), [(5, 1), (5, 1)]);
    assert_eq!(
        sizes("struct __attribute__((__packed__)) s { int a : 3; int b : 30; };"),
        [(5, 1), (5, 1)]
    );
    assert_eq!(
        sizes("struct s { char a; char b __attribute__((aligned(8))); };"),
        [(16, 8), (16, 8)]
    );
    assert_eq!(sizes("struct s { char a; } __attribute__((aligned));"), [(16, 16), (16, 16)]);
    assert_eq!(sizes("struct s { char a; _Alignas(16) int b; };"), [(32, 16), (32, 16)]);
    assert_eq!(
        sizes("typedef int t __attribute__((aligned(16))); struct s { char a; t b; t *c; };"),
        [(32, 16), (32, 16)]
    );
    assert_eq!(
        sizes(
            "typedef int t __attribute__((aligned(16)));
             struct s { char a; t b; } __attribute__((packed));"
        ),
        [(5, 1), (5, 1)]
    );
}

#[test]
fn pragma_pack_limits_alignment_and_lets_bit_fields_cross_units() {
    let source =
        "#pragma pack(push, 2)\nstruct s { char a; int b; double c; };\n#pragma pack(pop)\n";
    assert_eq!(sizes(source), [(14, 2), (14, 2)]);
    let source = "#pragma pack(8)\nstruct s { char a; int b : 30; int c : 30; };\n";
    assert_eq!(bits(source, DataModel::Lp64), [(8, 30), (38, 30)]);
    assert_eq!(sizes(source), [(12, 4), (12, 4)]);
}

#[test]
fn members_of_anonymous_structures_are_members_of_the_outer_one() {
    accepted(
        "struct s { int a; union { int b; struct { short c, d; }; }; int e; };
         _Static_assert(__builtin_offsetof(struct s, d) == 6, \"\");
         _Static_assert(__builtin_offsetof(struct s, e) == 8, \"\");
         int get(struct s *p) { return p->d + p->b; }",
    );
}

#[test]
fn offsets_are_constants_in_both_spellings() {
    accepted(
        "struct p { char a; int b[4]; struct { int c; } d; };
         _Static_assert(__builtin_offsetof(struct p, b[2]) == 12, \"\");
         _Static_assert(__builtin_offsetof(struct p, d.c) == 20, \"\");
         _Static_assert((unsigned long)&((struct p *)0)->b[1] == 8, \"\");",
    );
}

#[test]
fn a_storage_unit_of_a_packed_bit_field_lies_inside_the_structure_where_it_can() {
    let source = "struct s { int x; char a; int b : 4; int c : 9; } __attribute__((packed));";
    for model in MODELS {
        let record = record(source, model);
        for field in record.fields.iter().filter(|field| field.bits.is_some()) {
            assert!(field.offset + 4 <= record.size, "{field:?}");
        }
        assert_eq!(bits(source, model), [(40, 4), (44, 9)]);
    }
}
