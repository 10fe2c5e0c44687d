//! The types of expressions and the conversions in them, after C11 6.3 and 6.5.

use super::show::{body, body_in, value};
use super::{MODELS, accepted, errors, unit, warnings};
use alphorn_front::Code;
use alphorn_program::c::DataModel;

const ALL: &str = "_Bool b; char c; signed char sc; unsigned char uc; short s; unsigned short us;
    int i; unsigned u; long l; unsigned long ul; long long ll; unsigned long long ull;
    float fl; double d; long double ld; int *pi; char *pc; void *pv; int a[5]; int m[3][4];
    enum e { A, B }; enum n { N = -1, M }; enum e ee; enum n nn; int g(int); int h();
    struct s { int x; unsigned u3 : 3; unsigned u32 : 32; int i5 : 5; long long l40 : 40; int arr[4];
      struct s *next; } st, *ps; struct s make(void);\n";

/// Every expression has its type, in the data models that are named.
fn typed(models: &[DataModel], table: &[(&str, &str)]) {
    for &model in models {
        for (expression, ty) in table {
            let test = format!(
                "{ALL}void f(void) {{ _Static_assert(_Generic({expression}, {ty}: 1, default: 0), \"{expression}\"); }}"
            );
            unit(&test, model);
        }
    }
}

#[test]
fn narrow_integers_are_promoted_to_int() {
    let table = [
        ("+c", "int"),
        ("-b", "int"),
        ("~uc", "int"),
        ("s + s", "int"),
        ("us << l", "int"),
        ("c * c", "int"),
        ("+ee", "unsigned"),
        ("+nn", "int"),
        ("!l", "int"),
        ("us - us", "int"),
    ];
    typed(&MODELS, &table);
    assert_eq!(value(ALL, "c + 1"), "+:int(as:int(c), 1:int)");
    assert_eq!(value(ALL, "us << l"), "<<:int(as:int(us), l)");
}

#[test]
fn bit_fields_are_promoted_by_their_width() {
    let table = [
        ("+st.u3", "int"),
        ("+st.u32", "unsigned"),
        ("+st.i5", "int"),
        ("(st.u3 = 1) + 0", "int"),
        ("st.u3++ - 1", "int"),
        ("(0, st.u3) + 0", "int"),
        ("make().u3 + 0", "int"),
    ];
    typed(&MODELS, &table);
    assert_eq!(value(ALL, "st.u3 - 1"), "-:int(as:int(st.1), 1:int)");
}

#[test]
fn operands_meet_in_the_type_of_the_higher_rank() {
    let table = [
        ("i + u", "unsigned"),
        ("l + i", "long"),
        ("ll + l", "long long"),
        ("ull + ld", "long double"),
        ("fl + d", "double"),
        ("fl + i", "float"),
        ("i < u", "int"),
        ("i && l", "int"),
        ("b ? c : s", "int"),
        ("b ? i : ul", "unsigned long"),
        ("b ?: l", "long"),
    ];
    typed(&MODELS, &table);
    typed(
        &[DataModel::Ilp32],
        &[("l + u", "unsigned long"), ("ll + ul", "long long"), ("u + ll", "long long")],
    );
    let table = [("l + u", "long"), ("ll + ul", "unsigned long long"), ("u + ll", "long long")];
    typed(&[DataModel::Lp64], &table);
    assert_eq!(value(ALL, "i < u"), "<(as:uint(i), u)");
    assert_eq!(value(ALL, "l + u"), "+:long(l, as:long(u))");
}

#[test]
fn integer_constants_have_the_first_type_of_their_list_that_fits() {
    let both = [
        ("2147483647", "int"),
        ("0x7fffffff", "int"),
        ("0x80000000", "unsigned"),
        ("0xffffffff", "unsigned"),
        ("1u", "unsigned"),
        ("1l", "long"),
        ("1ull", "unsigned long long"),
        ("'a'", "int"),
        ("0777", "int"),
        ("A", "int"),
        ("1.0", "double"),
        ("1.0f", "float"),
        ("1.L", "long double"),
        ("0x1p3", "double"),
    ];
    typed(&MODELS, &both);
    let narrow = [
        ("2147483648", "long long"),
        ("4294967296", "long long"),
        ("0x100000000", "long long"),
        ("4294967295u", "unsigned"),
        ("0xffffffffl", "unsigned long"),
        ("sizeof i", "unsigned"),
        ("pi - pi", "int"),
        ("L'a'", "long"),
        ("0x8000000000000000", "unsigned long long"),
    ];
    typed(&[DataModel::Ilp32], &narrow);
    let wide = [
        ("2147483648", "long"),
        ("4294967296", "long"),
        ("0x100000000", "long"),
        ("sizeof i", "unsigned long"),
        ("0xffffffffl", "long"),
        ("pi - pi", "long"),
        ("L'a'", "int"),
        ("0x8000000000000000", "unsigned long"),
    ];
    typed(&[DataModel::Lp64], &wide);
}

#[test]
fn enumerations_are_unsigned_unless_a_value_is_negative() {
    accepted(
        "enum a { A }; enum b { B = -1 }; enum c { C = 5000000000 };
         _Static_assert(_Generic((enum a)0, unsigned: 1, default: 0), \"\");
         _Static_assert(_Generic((enum b)0, int: 1, default: 0), \"\");
         _Static_assert(sizeof(enum c) == 8 && C == 5000000000 && A == 0, \"\");
         enum p { P = 200 } __attribute__((packed)); _Static_assert(sizeof(enum p) == 1, \"\");",
    );
}

#[test]
fn assignments_convert_to_the_type_of_the_place() {
    assert_eq!(value(ALL, "c = i"), "set(c, as:char(i))");
    assert_eq!(value(ALL, "b = i"), "set(b, as:_Bool(i))");
    assert_eq!(value(ALL, "u = -1"), "set(u, as:uint(neg:int(1:int)))");
    assert_eq!(value(ALL, "c = 300"), "set(c, 44:char)");
    assert_eq!(value(ALL, "b = 2"), "set(b, 1:_Bool)");
    assert_eq!(value(ALL, "pi = 0"), "set(pi, 0:int*)");
    assert_eq!(value(ALL, "pi = pv"), "set(pi, as:int*(pv))");
    assert_eq!(value(ALL, "pi = (void *)0"), "set(pi, 0:int*)");
    assert_eq!(value(ALL, "i = c = l"), "set(i, as:int(set(c, as:char(l))))");
}

#[test]
fn updates_say_in_which_type_they_are_computed() {
    assert_eq!(value(ALL, "c += 1"), "+=:int(c, 1:int)");
    assert_eq!(value(ALL, "c += l"), "+=:long(c, l)");
    assert_eq!(value(ALL, "i *= 1.5"), "*=:float(double)(i, 1.5:float(double))");
    assert_eq!(value(ALL, "us <<= l"), "<<=:int(us, l)");
    assert_eq!(value(ALL, "u /= i"), "/=:uint(u, as:uint(i))");
    assert_eq!(value(ALL, "pi -= c"), "-=:int*(pi, as:int(c))");
    assert_eq!(value(ALL, "st.u3 += 1"), "+=:int(st.1, 1:int)");
    assert_eq!(value(ALL, "c++"), "c++");
    assert_eq!(value(ALL, "--pi"), "--pi");
}

#[test]
fn pointers_move_by_elements_and_arrays_are_indexed_in_place() {
    assert_eq!(value(ALL, "pi + c"), "move+(pi, as:int(c))");
    assert_eq!(value(ALL, "2 + pi"), "move+(pi, 2:int)");
    assert_eq!(value(ALL, "pi - 1"), "move-(pi, 1:int)");
    assert_eq!(value(ALL, "&a[2] - pi"), "distance:long(&a[2:int], pi)");
    assert_eq!(value(ALL, "pi[i]"), "*move+(pi, i)");
    assert_eq!(value(ALL, "a[i]"), "a[i]");
    assert_eq!(value(ALL, "i[a]"), "a[i]");
    assert_eq!(value(ALL, "*a"), "a[0:int]");
    assert_eq!(value(ALL, "m[1][2]"), "m[1:int][2:int]");
    assert_eq!(value(ALL, "*(a + 1)"), "*move+(decay(a), 1:int)");
    assert_eq!(value(ALL, "ps->next->arr[i]"), "**ps.6.5[i]");
    assert_eq!(value(ALL, "&*pi"), "pi");
    assert_eq!(value(ALL, "&pi[3]"), "move+(pi, 3:int)");
    assert_eq!(value(ALL, "&m"), "&m");
    typed(
        &MODELS,
        &[("&m", "int (*)[3][4]"), ("m + 1", "int (*)[4]"), ("&a[0]", "int *"), ("*m", "int *")],
    );
}

#[test]
fn comparisons_of_pointers_have_one_type_on_both_sides() {
    assert_eq!(value(ALL, "pi == 0"), "==(pi, 0:int*)");
    assert_eq!(value(ALL, "0 != pi"), "!=(0:int*, pi)");
    assert_eq!(value(ALL, "pi == pv"), "==(as:void*(pi), pv)");
    assert_eq!(value(ALL, "pi == (void *)0"), "==(pi, 0:int*)");
    assert_eq!(value(ALL, "!pi"), "!(pi)");
    assert_eq!(value(ALL, "pi && i"), "both(pi, i)");
}

#[test]
fn conditionals_have_the_type_in_which_both_values_meet() {
    assert_eq!(value(ALL, "i ? c : u"), "if:uint(i, as:uint(c), u)");
    assert_eq!(value(ALL, "i ? pi : 0"), "if:int*(i, pi, 0:int*)");
    assert_eq!(value(ALL, "i ? 0 : pc"), "if:char*(i, 0:char*, pc)");
    assert_eq!(value(ALL, "i ? pi : pv"), "if:void*(i, as:void*(pi), pv)");
    assert_eq!(value(ALL, "i ?: l"), "if:long(i, -, l)");
    assert_eq!(
        value(ALL, "i ? g(1) : (void)0"),
        "if:void(i, as:void(g:int(1:int)), cast:void(0:int))"
    );
    assert_eq!(value(ALL, "i ? st : *ps"), "if:s(i, st, *ps)");
}

#[test]
fn arguments_are_converted_to_parameters_and_promoted_where_there_are_none() {
    assert_eq!(value(ALL, "g(c)"), "g:int(as:int(c))");
    assert_eq!(value(ALL, "h(c, fl, 'x')"), "h:int(as:int(c), as:float(double)(fl), 120:int)");
    let printf = format!("{ALL}int printf(const char *, ...);");
    assert_eq!(
        value(&printf, "printf(\"%d\", c, us)"),
        "printf:int(decay(text 0), as:int(c), as:int(us))"
    );
    let pointer = format!("{ALL}long (*fp)(short);");
    assert_eq!(value(&pointer, "fp(i)"), "call:long(fp; as:short(i))");
    assert_eq!(value(&pointer, "(*fp)(1)"), "call:long(fp; 1:short)");
    assert_eq!(value(&pointer, "(*g)(1)"), "g:int(1:int)");
}

#[test]
fn returned_values_have_the_type_of_the_function() {
    let unit = unit("char f(int x) { return x; }", DataModel::Lp64);
    let body = unit.function(unit.find_function("f").unwrap()).body.as_ref().unwrap();
    assert_eq!(super::show::stmt(&unit, body), "{return as:char(x);}");
}

#[test]
fn cases_have_the_promoted_type_of_their_switch() {
    assert_eq!(
        body(ALL, "switch (c) { case 'a': case 1 ... 3: break; default: ; }"),
        "switch (as:int(c)) {case 97: case 1...3: break; default: ;}"
    );
    assert_eq!(body(ALL, "switch (u) { case -1: ; }"), "switch (u) {case 4294967295: ;}");
    assert_eq!(body(ALL, "switch (l) { case 1u: ; }"), "switch (l) {case 1: ;}");
}

#[test]
fn sizes_are_constants_unless_a_length_is_computed() {
    assert_eq!(value(ALL, "sizeof m"), "48:ulong");
    assert_eq!(value(ALL, "sizeof(st.arr) / sizeof *st.arr"), "/:ulong(16:ulong, 4:ulong)");
    assert_eq!(body_in(DataModel::Ilp32, ALL, "sizeof(long);"), "4:uint;");
    let text = body("int i;", "int v[i]; sizeof v;");
    let length = "Variable(VarId(1))";
    assert_eq!(text, format!("ulong  = as:ulong(i); int[{length}] v; sizeof(int[{length}]);"));
}

#[test]
fn casts_say_whether_they_are_written() {
    assert_eq!(value(ALL, "(char)i"), "cast:char(i)");
    assert_eq!(value(ALL, "(unsigned char)300"), "44:uchar");
    assert_eq!(value(ALL, "(void)i"), "cast:void(i)");
    assert_eq!(value(ALL, "(int *)l"), "cast:int*(l)");
    assert_eq!(value(ALL, "(long)pi"), "cast:long(pi)");
}

#[test]
fn characters_and_strings_have_their_values() {
    assert_eq!(value("", "'\\n'"), "10:int");
    assert_eq!(value("", "'\\xff'"), "-1:int");
    assert_eq!(value("", "'\\377'"), "-1:int");
    assert_eq!(value("", "'ab'"), "24930:int");
    assert_eq!(value("", "L'\\x1234'"), "4660:int");
    let unit = unit("char *s = \"a\\0b\" \"\\x41z\\\"\";", DataModel::Lp64);
    assert_eq!(unit.strings, [b"a\0bAz\"".to_vec()]);
    accepted("_Static_assert(sizeof(\"abc\" \"d\") == 5 && sizeof(L\"ab\") == 12, \"\");");
}

#[test]
fn constant_expressions_are_evaluated_in_their_types() {
    accepted(
        "_Static_assert(-1 / 2 == 0 && -7 % 3 == -1 && -7 / 2 == -3, \"\");
         _Static_assert((unsigned char)-1 == 255 && (signed char)200 == -56, \"\");
         _Static_assert(-1 < 0 && !(-1 < 0u) && ~0u == 4294967295u, \"\");
         _Static_assert((1 ? 2 : 1 / 0) == 2 && (0 && 1 / 0) == 0 && (1 || 1 / 0), \"\");
         _Static_assert(1 << 4 == 16 && -8 >> 1 == -4 && (0xf0 & 0x3c) == 0x30, \"\");
         _Static_assert((int)3.9 == 3 && (int)-3.9 == -3 && (_Bool)0.5 == 1, \"\");
         enum { X = 5, Y, Z = X * 2 + sizeof(char) }; _Static_assert(Y == 6 && Z == 11, \"\");
         int array[Z - Y]; _Static_assert(sizeof array == 20, \"\");
         _Static_assert(0x7fffffff + 1u == 0x80000000u, \"\");",
    );
    assert_eq!(errors("int x[1 / 0];"), [(Code::CConstant, "1 / 0".to_owned())]);
    assert_eq!(
        errors("enum { A = 2147483647 + 1 };"),
        [(Code::CConstant, "2147483647 + 1".to_owned())]
    );
}

#[test]
fn what_does_not_fit_is_refused() {
    for (statement, code, at) in [
        ("st + 1;", Code::CType, "st + 1"),
        ("i = st;", Code::CType, "st"),
        ("i = make;", Code::CConversion, ""),
        ("pi * 2;", Code::CType, "pi * 2"),
        ("*i;", Code::CType, "*i"),
        ("i.x;", Code::CType, "x"),
        ("ps.x;", Code::CType, "x"),
        ("st.y;", Code::CUndeclared, "y"),
        ("5 = i;", Code::CType, "5"),
        ("a = a;", Code::CType, "a"),
        ("&5;", Code::CType, "&5"),
        ("&st.u3;", Code::CType, "&st.u3"),
        ("sizeof(struct unknown);", Code::CIncomplete, "sizeof(struct unknown)"),
        ("i(3);", Code::CType, "i(3)"),
        ("g();", Code::CCall, "g()"),
        ("g(1, 2);", Code::CCall, "g(1, 2)"),
        ("i ? st : 1;", Code::CType, "st : 1"),
        ("if (st) ;", Code::CType, "st"),
        ("switch (d) { }", Code::CType, "d"),
        ("a[d];", Code::CType, "d"),
        ("(struct s)i;", Code::CType, "(struct s)i"),
        ("(int *)d;", Code::CType, "(int *)d"),
        ("i = g(1) + (void)0;", Code::CType, "g(1) + (void)0"),
        ("~d;", Code::CType, "~d"),
        ("d % 2;", Code::CType, "d % 2"),
    ] {
        let found = errors(&format!("{ALL}void f(void) {{ {statement} }}"));
        if at.is_empty() {
            assert_eq!(found, [], "{statement}");
        } else {
            assert_eq!(found, [(code, at.to_owned())], "{statement}");
        }
    }
}

#[test]
fn pointers_and_integers_that_mix_are_warned_about_and_converted() {
    for (statement, at) in [
        ("i = pi;", "pi"),
        ("pi = i;", "i"),
        ("pi = pc;", "pc"),
        ("pi == i;", "i"),
        ("pi == pc;", "pi == pc"),
        ("g(pi);", "pi"),
        ("i ? pi : i;", "i"),
    ] {
        let found = warnings(&format!("{ALL}void f(void) {{ {statement} }}"));
        assert_eq!(found, [(Code::CConversion, at.to_owned())], "{statement}");
    }
    assert_eq!(value(ALL, "i = pi"), "set(i, as:int(pi))");
    assert_eq!(warnings(&format!("{ALL}void f(void) {{ pi = pv; pv = pi; pi = 0; b = pi; }}")), []);
}
