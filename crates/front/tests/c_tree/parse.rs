//! The grammar of C11 and what gcc adds to it: what is read, and as what.

use super::show::{body, init, stmt, ty, value};
use super::{accepted, errors, unit, warnings};
use alphorn_front::Code;
use alphorn_program::c::DataModel;
use alphorn_program::c::tree::Storage;

/// What the variable `x` of a program is at first, and its type.
fn first(source: &str) -> (String, String) {
    let unit = unit(source, DataModel::Lp64);
    let var = unit.vars.iter().find(|var| var.name == "x").expect("x is there");
    let text = var.init.as_ref().map_or(String::new(), |value| init(&unit, value));
    (ty(&unit, var.ty), text)
}

#[test]
fn declarators_are_read_inside_out() {
    for (declaration, expected) in [
        ("int *x[3];", "int*[Fixed(3)]"),
        ("int (*x)[3];", "int[Fixed(3)]*"),
        ("int x[2][3];", "int[Fixed(3)][Fixed(2)]"),
        ("int (*(*x[4]))[5];", "int[Fixed(5)]**[Fixed(4)]"),
        ("unsigned long int long x;", "ullong"),
        ("short signed x;", "short"),
        ("char const *const *x;", "char**"),
        ("int typedef t; t *x;", "int*"),
        ("typeof(1 + 1L) x;", "long"),
        ("int y[3]; __typeof__(y) x;", "int[Fixed(3)]"),
        ("extern int x[]; int x[7];", "int[Fixed(7)]"),
        ("int x[];", "int[Fixed(1)]"),
        ("_Atomic(int) x;", "int"),
        ("_Thread_local __thread int x;", "int"),
    ] {
        assert_eq!(first(declaration).0, expected, "{declaration}");
    }
}

#[test]
fn what_gcc_spells_otherwise_is_read() {
    accepted(
        "__extension__ typedef long long __quad; typedef int v4 __attribute__((vector_size(16)));
         __inline__ static int f1(const __volatile__ int *__restrict__ p) __attribute__((__pure__));
         __inline static __const int c1 = 1; __signed__ char c2; extern __typeof__(c2) c3;
         int (__attribute__((__cdecl__)) *fp)(int); void *__attribute__((aligned(8))) p;
         int named(int) __asm__(\"other\") __attribute__((nothrow, nonnull(1)));
         asm(\".text\"); struct s { int a __attribute__((unused)); } __attribute__((packed)) v;
         typedef int QItype __attribute__((mode(QI))); typedef unsigned DI __attribute__((__mode__(__DI__)));
         _Static_assert(sizeof(QItype) == 1 && sizeof(DI) == 8, \"\");
         __float128 q; _Float128 q2; __int128 wide; _Complex double z; __complex__ float w;
         _Noreturn void stop(void); int a$b, $; __builtin_va_list ap;
         int attribute_in_parameter(int x __attribute__((unused)), int (*g)(void) __attribute__((noreturn)));
         static int f1(const volatile int *p) { return *p + a$b; }",
    );
}

#[test]
fn statements_of_gcc_are_read() {
    assert_eq!(
        body(
            "int x;",
            "asm volatile (\"nop\" : : \"r\"(x)); l: __attribute__((unused)) x++; goto l;"
        ),
        "untreated(inline assembler); L0: x++; goto 0;"
    );
    assert_eq!(body("void *p;", "p = &&l; goto *p; l: ;"), "set(p, label 0); goto *p; L0: ;");
    assert_eq!(
        body("int x;", "x = ({ int y = 2; y + 1; });"),
        "set(x, block:int(int y = 2:int; +:int(y, 1:int);));"
    );
    assert_eq!(
        body("int x;", "{ __label__ l; goto l; l: ; } { __label__ l; l: ; }"),
        "{goto 0; L0: ;} {L1: ;}"
    );
    assert_eq!(
        body("int x;", "switch (x) { case 1: __attribute__((fallthrough)); case 2: ; }"),
        "switch (x) {case 1: ; case 2: ;}"
    );
    accepted("void f(int x) { switch (x) { case 1: { int y; } default: } end: }");
}

#[test]
fn loops_and_jumps_keep_their_form() {
    assert_eq!(
        body("int x;", "for (int i = 0; i < 3; i++) { if (i) continue; else break; }"),
        "for ({int i = 0:int;} <(i, 3:int); i++) {if (i) continue; else break;}"
    );
    assert_eq!(body("int x;", "for (;;) ;"), "for (; ; ) ;");
    assert_eq!(body("int x;", "for (x = 0, x++; ; ) ;"), "for (comma(set(x, 0:int), x++); ; ) ;");
    assert_eq!(body("int x;", "do x--; while (x);"), "do x--; while (x)");
    assert_eq!(
        body("int x;", "if (x) ; else if (x) x = 1; else x = 2;"),
        "if (x) ; else if (x) set(x, 1:int); else set(x, 2:int);"
    );
}

#[test]
fn the_entry_returns_zero_at_its_end() {
    let unit = unit("int main() { }", DataModel::Lp64);
    let body = unit.function(unit.find_function("main").unwrap()).body.as_ref().unwrap();
    assert_eq!(stmt(&unit, body), "{return 0:int;}");
}

#[test]
fn old_style_definitions_are_read() {
    let unit = unit(
        "int f(a, b, c) int a; char *b; { return a + c; } int g() { return f(1, 0, 2); }",
        DataModel::Lp64,
    );
    let function = unit.function(unit.find_function("f").unwrap());
    let types: Vec<String> =
        function.params.iter().map(|&var| ty(&unit, unit.var(var).ty)).collect();
    assert_eq!(types, ["int", "char*", "int"]);
    accepted("main() { return 0; } f(x) { return x; }");
}

#[test]
fn narrow_parameters_of_old_style_definitions_are_converted_when_the_function_is_entered() {
    let source =
        "int f(); int g() { return f(300); } int f(a, b) unsigned char a; int b; { return a; }";
    let unit = unit(source, DataModel::Lp64);
    let function = unit.function(unit.find_function("f").unwrap());
    let types: Vec<String> =
        function.params.iter().map(|&var| ty(&unit, unit.var(var).ty)).collect();
    assert_eq!(types, ["int", "int"]);
    let body = function.body.as_ref().unwrap();
    assert_eq!(stmt(&unit, body), "{uchar a = as:uchar(); return as:int(a);}");
}

#[test]
fn initialisers_are_flattened_to_paths() {
    for (source, ty, expected) in [
        ("int x = 3;", "int", "3:int"),
        ("int x = { 3 };", "int", "3:int"),
        ("int x[3] = { 1, 2 };", "int[Fixed(3)]", "{[0]=1:int [1]=2:int}"),
        ("int x[] = { 1, 2, };", "int[Fixed(2)]", "{[0]=1:int [1]=2:int}"),
        ("int x[] = { [2] = 5, 6 };", "int[Fixed(4)]", "{[2]=5:int [3]=6:int}"),
        ("int x[] = { [3] 5 };", "int[Fixed(4)]", "{[3]=5:int}"),
        ("int x[5] = { [1 ... 2] = 7, 8 };", "int[Fixed(5)]", "{[1]=7:int [2]=7:int [3]=8:int}"),
        (
            "int x[2][2] = { 1, 2, 3 };",
            "int[Fixed(2)][Fixed(2)]",
            "{[0, 0]=1:int [0, 1]=2:int [1, 0]=3:int}",
        ),
        (
            "int x[2][2] = { { 1 }, { 3 } };",
            "int[Fixed(2)][Fixed(2)]",
            "{[0, 0]=1:int [1, 0]=3:int}",
        ),
        ("char x[] = \"ab\";", "char[Fixed(3)]", "text 0"),
        ("char x[5] = { \"ab\" };", "char[Fixed(5)]", "text 0"),
        ("char *x = \"ab\";", "char*", "decay(text 0)"),
        (
            "char x[2][3] = { \"a\", \"b\" };",
            "char[Fixed(3)][Fixed(2)]",
            "{[0, 0]=97:char [1, 0]=98:char}",
        ),
        (
            "struct s { int a; struct { char b; int c[2]; } d; int e; } x = { 1, 2, 3, 4, 5 };",
            "s",
            "{[0]=1:int [1, 0]=2:char [1, 1, 0]=3:int [1, 1, 1]=4:int [2]=5:int}",
        ),
        (
            "struct s { int a, b, c; } x = { .b = 2, 3, .a = 1 };",
            "s",
            "{[1]=2:int [2]=3:int [0]=1:int}",
        ),
        ("struct s { int a, b; } x = { b: 2, a: 1 };", "s", "{[1]=2:int [0]=1:int}"),
        ("struct s { int a; int b[3]; } x = { .b[1] = 2, 3 };", "s", "{[1, 1]=2:int [1, 2]=3:int}"),
        ("union s { int a; char *b; } x = { .b = 0 };", "s", "{[1]=0:char*}"),
        (
            "struct s { union { int a; long b; }; int c; } x = { .b = 1, 2 };",
            "s",
            "{[0, 1]=1:long [1]=2:int}",
        ),
        (
            "struct s { int : 3; int a : 3; int : 0; int b; } x = { 1, 2 };",
            "s",
            "{[0]=1:int [1]=2:int}",
        ),
        (
            "struct s { char a[3]; int b; } x = { \"ab\", 1 };",
            "s",
            "{[0, 0]=97:char [0, 1]=98:char [1]=1:int}",
        ),
        (
            "struct s { char a[3]; } x[] = { \"ab\", \"c\" };",
            "s[Fixed(2)]",
            "{[0, 0, 0]=97:char [0, 0, 1]=98:char [1, 0, 0]=99:char}",
        ),
        ("int x[2] = { };", "int[Fixed(2)]", "{}"),
        ("long x = 1;", "long", "1:long"),
        ("int y; int *x = &y + 1;", "int*", "move+(&y, 1:int)"),
        ("int x[] = (int[]) { 4, 5 };", "int[Fixed(2)]", "{[0]=4:int [1]=5:int}"),
        ("struct s { int a, b; } x = (struct s) { 4 };", "s", ""),
    ] {
        let found = first(source);
        assert_eq!(found.0, ty, "{source}");
        if !expected.is_empty() {
            assert_eq!(found.1, expected, "{source}");
        }
    }
}

#[test]
fn a_structure_in_a_list_is_copied_whole_or_begun_with_its_first_member() {
    let types = "struct p { int a, b; }; struct q { struct p p; int c; }; struct p one; int i;";
    assert_eq!(body(types, "struct q q = { one, 3 };"), "q q = {[0]=one [1]=3:int};");
    assert_eq!(body(types, "struct q q = { i, i, i };"), "q q = {[0, 0]=i [0, 1]=i [1]=i};");
    assert_eq!(body(types, "struct p p = one;"), "p p = one;");
    assert_eq!(body(types, "struct p *p = &(struct p) { .b = i };"), "p* p = &literal {[1]=i};");
}

#[test]
fn lists_that_are_too_long_or_name_nothing_are_noticed() {
    assert_eq!(warnings("int x[1] = { 1, 2 };"), [(Code::CConstant, "2".to_owned())]);
    assert_eq!(warnings("int x = { 1, 2 };"), [(Code::CConstant, "2".to_owned())]);
    assert_eq!(errors("struct { int a; } x = { .b = 1 };"), [(Code::CUndeclared, "b".to_owned())]);
    assert_eq!(errors("int x[2] = { [2] = 1 };"), [(Code::CConstant, "[2]".to_owned())]);
    assert_eq!(errors("int x[2] = 5;"), [(Code::CType, "5".to_owned())]);
    assert_eq!(errors("void f(int n) { int x[n] = { 1 }; }"), [(Code::CType, "{".to_owned())]);
}

#[test]
fn built_in_forms_are_constants_or_calls_or_not_treated() {
    let d = "int x; struct s { int a, b; } s; void *p; unsigned long z;";
    assert_eq!(value(d, "__builtin_offsetof(struct s, b)"), "4:ulong");
    assert_eq!(value(d, "__builtin_types_compatible_p(int, typeof(x))"), "1:int");
    assert_eq!(value(d, "__builtin_types_compatible_p(int, long)"), "0:int");
    assert_eq!(value(d, "__builtin_choose_expr(1, x, s)"), "x");
    assert_eq!(value(d, "__builtin_constant_p(3 + 4)"), "1:int");
    assert_eq!(value(d, "__builtin_constant_p(x)"), "0:int");
    assert_eq!(
        value(d, "__builtin_expect(!!x, 1)"),
        "__builtin_expect:long(as:long(!(!(x))), 1:long)"
    );
    assert_eq!(value(d, "__builtin_alloca(4)"), "__builtin_alloca:void*(4:ulong)");
    assert_eq!(value(d, "__builtin_object_size(p, 0)"), "18446744073709551615:ulong");
    assert_eq!(value(d, "_Generic(z, int: 1, unsigned long: x, default: 3)"), "x");
    assert_eq!(value(d, "__sync_fetch_and_add(&x, 1)"), "untreated:int(an atomic operation)");
    assert_eq!(
        value("__builtin_va_list ap;", "__builtin_va_arg(ap, int)"),
        "untreated:int(variable arguments)"
    );
    assert_eq!(
        value("_Complex double z;", "z * z"),
        "untreated:_Complex(arithmetic on complex numbers)"
    );
    accepted(
        "void f(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n); __builtin_va_end(ap); }",
    );
    accepted(
        "void f(void) { __func__; __FUNCTION__; sizeof(__PRETTY_FUNCTION__); _Static_assert(sizeof(__func__) == 2, \"\"); }",
    );
}

#[test]
fn declarations_of_one_thing_are_merged() {
    let unit = unit(
        "extern int a; int a; int a = 3; static int f(int); int g() { extern int a; return f(a); }
         static int f(int x) { return x; } extern int b;",
        DataModel::Lp64,
    );
    let named = |name: &str| unit.vars.iter().filter(|var| var.name == name).collect::<Vec<_>>();
    assert_eq!(named("a").len(), 1);
    assert_eq!(named("a")[0].storage, Storage::Global);
    assert!(named("a")[0].init.is_some());
    assert_eq!(named("b")[0].storage, Storage::Extern);
    assert_eq!(unit.functions.iter().filter(|f| f.name == "f").count(), 1);
    assert!(unit.function(unit.find_function("f").unwrap()).body.is_some());
}

#[test]
fn functions_that_are_not_declared_are_warned_about_once() {
    let source = "int f(void) { return g(1) + g(2); } void *p(void) { return malloc(3); }";
    let expected = [(Code::CImplicit, "g".to_owned()), (Code::CImplicit, "malloc".to_owned())];
    assert_eq!(warnings(source), expected);
    assert_eq!(value("", "malloc(3)"), "malloc:void*(3:ulong)");
    assert_eq!(value("", "unknown('a')"), "unknown:int(97:int)");
}

#[test]
fn parameters_of_prototypes_leave_no_variables_behind() {
    let unit = unit(
        "int f(int a, int (*g)(int b, int c)); typedef int (*h)(int d); int x;",
        DataModel::Lp64,
    );
    assert_eq!(unit.vars.len(), 1);
}

#[test]
fn lengths_of_parameters_are_stored_when_the_function_is_entered() {
    let unit = unit("int f(int n, int a[n][n + 1]) { return a[1][2]; }", DataModel::Lp64);
    let body = unit.function(unit.find_function("f").unwrap()).body.as_ref().unwrap();
    assert!(
        stmt(&unit, body)
            .starts_with("{ulong  = as:ulong(+:int(n, 1:int)); return *move+(a, 1:int)[2:int];"),
        "{}",
        stmt(&unit, body)
    );
}

#[test]
fn transparent_unions_take_what_one_of_their_members_takes() {
    accepted(
        "union u { int *a; char *b; } __attribute__((__transparent_union__)); void g(union u);
         typedef union { int *a; } t __attribute__((__transparent_union__)); void h(t);
         void f(int *p, char *q) { g(p); g(q); g(0); h(p); }",
    );
}

#[test]
fn members_of_temporaries_are_read() {
    let d = "struct s { int a; int b[2]; } make(void);";
    assert_eq!(value(d, "make().a"), "member(make:s(), 0)");
    assert_eq!(value(d, "make().b[1]"), "literal make:s().1[1:int]");
}
