//! What is wrong is said where it stands, several things at a time, and nothing makes the reader fall over.

use super::{diagnostics, errors, warnings};
use alphorn_front::c::{MAX_CHAIN, MAX_DEPTH, Options, read};
use alphorn_front::diag::MAX_DIAGNOSTICS;
use alphorn_front::{Code, Severity};
use alphorn_program::c::DataModel;

fn one(source: &str, code: Code, at: &str) {
    assert_eq!(errors(source), [(code, at.to_owned())], "{source}");
}

#[test]
fn a_missing_semicolon_is_reported_where_it_is_missing() {
    one("int f(void) { int x = 1\n return x; }", Code::CSyntax, "1");
    one("int x\nint y;", Code::CSyntax, "x");
}

#[test]
fn a_brace_that_is_not_closed_is_reported_where_it_was_opened() {
    let source = "int f(void) { if (1) { return 2; ";
    one(source, Code::CUnclosed, "{");
    let span = diagnostics(source).list[0].span;
    assert_eq!(span.start as usize, source.rfind('{').unwrap());
    one("struct s { int a; ", Code::CUnclosed, "{");
    one("int x = (1 + 2", Code::CUnclosed, "(");
}

#[test]
fn names_that_are_not_declared_are_reported_with_one_that_is_near() {
    let source = "int counter; int f(void) { return countr; }";
    one(source, Code::CUndeclared, "countr");
    assert_eq!(diagnostics(source).list[0].hint.as_deref(), Some("there is `counter`"));
    one("uint32 x;", Code::CUndeclared, "uint32");
    one("void f(void) { struct s { int x; } v; v.y = 1; }", Code::CUndeclared, "y");
    let hint =
        &diagnostics("struct s { int *p; }; int f(struct s *q) { return q.p == 0; }").list[0].hint;
    assert_eq!(hint.as_deref(), Some("use `->`"));
}

#[test]
fn several_errors_of_a_file_are_reported() {
    let source = "int f(void) { return a; }\nint g(void) { x = 1; y = 2; { z(; } }\nint h(int) { }\nint ok;\nint k = b;";
    let at: Vec<String> = errors(source).into_iter().map(|error| error.1).collect();
    assert_eq!(at, ["a", "x", "y", ";", "b"]);
}

#[test]
fn after_enough_errors_the_reader_gives_up() {
    let source =
        "int f(void) { undeclared = 1; }\n".replace("undeclared = 1;", &"u = 1; ".repeat(100));
    assert_eq!(errors(&source).len(), MAX_DIAGNOSTICS);
}

#[test]
fn any_number_of_warnings_leaves_the_program_read() {
    let calls: String = (0..100).map(|i| format!("g{i}(1);")).collect();
    let source = format!("int f(void) {{ {calls} return 0; }}");
    assert!(!warnings(&source).is_empty());
}

#[test]
fn things_declared_twice_are_refused() {
    one("int x; char x;", Code::CRedeclared, "x");
    one("int x = 1; int x = 2;", Code::CRedeclared, "x");
    one("void f(void) { int y; int y; }", Code::CRedeclared, "y");
    one("void f(int y) { int y; }", Code::CRedeclared, "y");
    one("void f(int y, int y) { }", Code::CRedeclared, "y");
    one("int f(void) { return 1; } int f(void) { return 2; }", Code::CRedeclared, "f");
    one("int f(int); int f(char *);", Code::CRedeclared, "f");
    one("struct s { int a; }; struct s { int a; };", Code::CRedeclared, "s");
    one("struct s { int a; int a; };", Code::CRedeclared, "s");
    one("struct s { int a; }; union s x;", Code::CRedeclared, "s");
    one("enum { A }; int A;", Code::CRedeclared, "A");
    one("typedef int t; typedef char t;", Code::CRedeclared, "t");
    assert_eq!(errors("typedef int t; typedef int t; int x; int x; int f(); int f(int);"), []);
    assert_eq!(errors("int x; void f(void) { int x; { int x; } }"), []);
}

#[test]
fn labels_and_jumps_that_do_not_fit_are_refused() {
    one("void f(void) { goto nowhere; }", Code::CLabel, "nowhere");
    one("void f(void) { l: ; l: ; }", Code::CLabel, "l");
    one("void f(void) { break; }", Code::CLabel, "break");
    one("void f(int x) { switch (x) { default: continue; } }", Code::CLabel, "continue");
    one("void f(void) { case 1: ; }", Code::CLabel, "case 1");
    one("void f(int x) { switch (x) { case 1: case 1: ; } }", Code::CLabel, "case 1");
    one("void f(int x) { switch (x) { default: ; default: ; } }", Code::CLabel, "default");
    one("void f(void) { else ; }", Code::CSyntax, "else");
}

#[test]
fn types_whose_size_is_not_known_are_refused_where_it_is_needed() {
    one("struct s x;", Code::CIncomplete, "x");
    one("void f(void) { struct s x; }", Code::CIncomplete, "x");
    one("struct s *p; void f(void) { p + 1; }", Code::CIncomplete, "p + 1");
    one("struct s *p; void f(void) { p->x; }", Code::CType, "x");
    one("void x;", Code::CType, "x");
    one("void f(void) { int x[]; }", Code::CIncomplete, "x");
    one("struct s { struct s inner; };", Code::CIncomplete, "inner");
    assert_eq!(errors("struct s; extern struct s x; struct s *p; struct s f(void);"), []);
    assert_eq!(errors("struct s x; struct s { int a; };"), []);
}

#[test]
fn returns_that_do_not_fit_are_warned_about() {
    assert_eq!(warnings("int f(void) { return; }"), [(Code::CReturn, "return".to_owned())]);
    assert_eq!(warnings("void f(void) { return 1; }"), [(Code::CReturn, "1".to_owned())]);
    assert_eq!(warnings("int *f(int x) { return x; }"), [(Code::CConversion, "x".to_owned())]);
    one("struct s { int a; } f(int x) { return x; }", Code::CType, "x");
    assert_eq!(warnings("void g(void); void f(void) { return g(); }"), []);
}

#[test]
fn constants_that_are_none_or_do_not_fit_are_refused() {
    one("int n; int a[n];", Code::CConstant, "n");
    one("int a[-1];", Code::CConstant, "-1");
    one("void f(int x) { switch (x) { case x: ; } }", Code::CConstant, "x");
    one("struct s { int a : 33; };", Code::CConstant, "33");
    one("struct s { int a : 0; };", Code::CConstant, "0");
    one("_Static_assert(1 == 2, \"no\");", Code::CConstant, "1 == 2");
    one("int x = 08;", Code::CLiteral, "08");
    one("int x = 1xyz;", Code::CLiteral, "1xyz");
}

#[test]
fn words_that_make_no_type_are_refused() {
    one("long char x;", Code::CSyntax, "long char");
    one("unsigned signed x;", Code::CSyntax, "unsigned signed");
    one("int typedef static t;", Code::CSyntax, "static");
    one("struct s int x;", Code::CSyntax, "int");
}

#[test]
fn what_is_nested_without_end_is_refused_and_the_stack_holds() {
    let n = 100_000;
    let sources = [
        format!("int x = {}1{};", "(".repeat(n), ")".repeat(n)),
        format!("void f(void) {{ {} {} }}", "{".repeat(n), "}".repeat(n)),
        format!("void f(int x) {{ {} ; }}", "if (x) ".repeat(n)),
        format!("void f(int x) {{ {} ; }}", "if (x) ; else ".repeat(n)),
        format!("int x = {}1;", "- ".repeat(n)),
        format!("int x = {}1;", "(int)".repeat(n)),
        format!("int x = 1{};", "+1".repeat(n)),
        format!("int x = 1{};", ", 1".repeat(n)).replace("1, 1", "(1, 1"),
        format!("int f(int); int x(void) {{ return {}1{}; }}", "f(".repeat(n), ")".repeat(n)),
        format!("int x(int *p) {{ return {}0{}; }}", "p[".repeat(n), "]".repeat(n)),
        format!("int x = {}1{};", "{".repeat(n), "}".repeat(n)),
        format!("int {}x{};", "(".repeat(n), ")".repeat(n)),
        format!("int {}x;", "*".repeat(n)),
        format!("int x{};", "[1]".repeat(n)),
        format!("int f({}{});", "int f(".repeat(n), ")".repeat(n)),
        format!("struct s {{ {} int x; {} }};", "struct {".repeat(n), "};".repeat(n)),
        format!("int x = {}1;", "sizeof ".repeat(n)),
        format!("typeof({}1{}) x;", "typeof(".repeat(n), ")".repeat(n)),
        format!("void f(int x) {{ {}x;{} }}", "({".repeat(n), "});".repeat(n)),
        format!("int f(int x) {{ return {}x; }}", "x ? x : ".repeat(n)),
        format!("int f(int x) {{ return {}x; }}", "x = ".repeat(n)),
        format!("void f(int x) {{ {}; }}", "switch (x) { case 1: ".repeat(n)),
        format!("void f(int x) {{ {}; }}", "while (x) ".repeat(n)),
    ];
    for source in &sources {
        let (unit, diagnostics) = read(source.as_bytes(), &Options::new(DataModel::Lp64));
        let start = &source[..40];
        assert!(unit.is_none(), "{start}");
        let worst = diagnostics.list.iter().find(|d| d.severity != Severity::Warning);
        let code = worst.map(|d| d.code);
        assert!(
            matches!(code, Some(Code::CDepth | Code::CSyntax | Code::CType)),
            "{start}: {code:?}"
        );
    }
}

#[test]
fn nesting_up_to_the_limit_is_read() {
    let n = MAX_DEPTH as usize / 3 - 2;
    let sources = [
        format!("int x = {}1{};", "(".repeat(n), ")".repeat(n)),
        format!("void f(int x) {{ {}{} }}", "if (x) { ".repeat(n), "}".repeat(n)),
        format!("int f(int x) {{ return {}x; }}", "- ".repeat(n)),
        format!("void f(int x) {{ {} ; }}", "if (x) ; else ".repeat(MAX_CHAIN as usize - 1)),
        format!("int f(int x) {{ return x{}; }}", " + x".repeat(MAX_CHAIN as usize - 1)),
    ];
    for source in &sources {
        assert_eq!(errors(source), []);
    }
}

#[test]
fn damaged_programs_are_refused_or_read_and_never_more() {
    let source = super::parse_sample();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as usize
    };
    for _ in 0..300 {
        let mut bytes = source.as_bytes().to_vec();
        for _ in 0..1 + random() % 4 {
            let at = random() % bytes.len();
            match random() % 3 {
                0 => {
                    bytes.remove(at);
                }
                1 => bytes[at] = b"(){}[];,*&=0a \"'#"[random() % 17],
                _ => {
                    let end = (at + random() % 40).min(bytes.len());
                    bytes.drain(at..end);
                }
            }
        }
        let _ = read(&bytes, &Options::new(DataModel::Ilp32));
    }
}
