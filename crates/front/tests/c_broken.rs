//! Broken C: what is wrong is said, with its place and soon, and nothing ends in the stack.

use alphorn_front::c::{Options, read};
use alphorn_front::diag::{Code, Diagnostics, Severity};
use alphorn_program::c::DataModel;

fn complaints(source: &str) -> Diagnostics {
    let (unit, said) = read(source.as_bytes(), &Options::new(DataModel::Lp64));
    assert_eq!(unit.is_some(), said.is_clean());
    said
}

/// Asserts that a program is refused first for this reason, at the place of `@` in it.
fn refused(marked: &str, code: Code) {
    let at = marked.find('@').expect("the place is marked");
    let said = complaints(&marked.replace('@', ""));
    let first = said.list.iter().find(|diagnostic| diagnostic.severity != Severity::Warning);
    let first = first.unwrap_or_else(|| panic!("{marked} is accepted"));
    assert_eq!((first.code, first.span.start as usize), (code, at), "{marked}: {first:?}");
}

#[test]
fn the_first_value_of_a_static_variable_is_known_before_the_run() {
    refused("int f(void); int x = @f();", Code::CConstant);
    refused("int main(void) { int x = 1; static int y = @x + 1; return y; }", Code::CConstant);
    refused("int main(void) { int x; static int *p = @&x; return *p; }", Code::CConstant);
    refused("extern int e; int x[] = { 1, @e };", Code::CConstant);
    refused("int a; int b = @a++;", Code::CConstant);
    let fine = "int f(void); struct s { int a, *b[2]; } v; int x[3]; const int n = 3;\n\
        int *p = x + 1, *q = &x[2], *r = v.b[1] ? 0 : 0;";
    // `v.b[1]` is read: `v` has no first value that is written.
    assert!(!complaints(fine).is_clean());
    let fine = "int f(void); struct s { int a, *b[2]; } v; int x[3]; const int n = 3;\n\
        int *p = x + 1, *q = &x[2], m = n + sizeof x, (*g)(void) = f, (*h)(void) = &f;\n\
        char *t = \"text\" + 1, u[] = \"text\"; long w = (long)&v.b[1]; int *c = (int[]){1, 2};\n\
        struct s z = { .a = 1 ? 2 : 3, .b = { [1] = &v.a } };\n\
        int main(void) { static void *l[] = { &&out }; static int k = -1; out: return k; }";
    assert_eq!(complaints(fine).worst().filter(|&worst| worst != Severity::Warning), None);
}

#[test]
fn words_and_classes_that_do_not_make_a_type_are_errors() {
    refused("@unsigned unsigned x;", Code::CSyntax);
    refused("@signed unsigned x;", Code::CSyntax);
    refused("void f(@static int x);", Code::CSyntax);
    refused("struct s { @extern int x; };", Code::CSyntax);
    refused("int x = sizeof(@static int);", Code::CSyntax);
    assert!(complaints("void f(register int x) {}").is_clean());
}

#[test]
fn a_function_has_no_elements() {
    refused("int f(void); int main(void) { return @f[0](); }", Code::CType);
}

#[test]
fn an_unclosed_brace_is_named() {
    refused("int main(void) @{ if (1) { return 0; }", Code::CUnclosed);
}

#[test]
fn usual_mistakes_are_told_with_a_hint() {
    let sources = [
        "int main(void) { if (1) { return 0; }",
        "int main(void) { return quite_unlike_anything; }",
        "struct s { int a; } v; int main(void) { return v + 1; }",
        "int main(void) { int *p = 0; p *= 2; return -\"text\"; }",
        "#include <there_is_no_such_header.h>\nint main(void) { return 0; }",
        &format!("int main(void) {{ return {}1{}; }}", "(".repeat(100_000), ")".repeat(100_000)),
    ];
    for source in sources {
        let said = complaints(source);
        assert!(!said.is_clean());
        for diagnostic in &said.list {
            assert!(diagnostic.hint.is_some(), "{diagnostic:?}");
            assert!(diagnostic.span.end > diagnostic.span.start, "{diagnostic:?}");
        }
    }
}

#[test]
fn several_errors_of_a_file_are_said() {
    let said =
        complaints("int f(void) { return a; }\nint g(void) { return b; }\nint h(int) { @; }\n");
    assert!(said.list.len() >= 3, "{:?}", said.list);
    let lines: Vec<u32> = said.list.iter().map(|diagnostic| diagnostic.span.start).collect();
    assert!(lines.is_sorted());
}

/// Asserts that a program is refused for its depth, or for something before, and not by the stack.
fn too_deep(source: String) {
    assert!(!complaints(&source).is_clean());
}

#[test]
fn depth_is_an_error_and_not_the_end() {
    let many = 100_000;
    let (open, close) = ("(".repeat(many), ")".repeat(many));
    too_deep(format!("int x = {open}1{close};"));
    too_deep(format!("int main(void) {{ return {open}"));
    too_deep(format!("int main(void) {{ return {}1; }}", "- ".repeat(10 * many)));
    too_deep(format!("int main(void) {{ return {}1; }}", "(int)".repeat(many)));
    too_deep(format!("int main(void) {}{}", "{".repeat(many), "}".repeat(many)));
    too_deep(format!("int main(void) {{ {} }}", "if (1) ".repeat(many)));
    too_deep(format!("int main(void) {{ {} ; }}", "if (1) ; else ".repeat(many)));
    too_deep(format!("int main(void) {{ return {}1; }}", "1 + ".repeat(many)));
    too_deep(format!("int main(void) {{ return {}1{}; }}", "({".repeat(many), ";})".repeat(many)));
    too_deep(format!("int a[] = {}1{};", "{".repeat(many), "}".repeat(many)));
    too_deep(format!("int {open}a{close};"));
    too_deep(format!("int {}p;", "*".repeat(many)));
    too_deep(format!("int a{};", "[2]".repeat(many)));
    too_deep(format!("{}int a;{}", "struct {".repeat(many), "} x;".repeat(many)));
    too_deep(format!("{}int{} x;", "typeof(".repeat(many), ")".repeat(many)));
}

#[test]
fn types_that_double_are_too_large_and_not_the_end() {
    let mut source = String::from("typedef struct { int a; } s0;\n");
    for n in 1..100 {
        source.push_str(&format!("typedef struct {{ s{0} a, b; }} s{n};\n", n - 1));
    }
    too_deep(source + "s99 x = { 1, 2, 3 }; int main(void) { s99 y = x; return sizeof y; }");
}
