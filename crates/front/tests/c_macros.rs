//! The preprocessor: macros, conditions, included files, and what is wrong with them.

use alphorn_front::c::preprocess::{Options, tokens};
use alphorn_front::c::token::{Kind, Tokens};
use alphorn_front::diag::{Code, Diagnostics, Severity};
use alphorn_program::c::DataModel;

fn text_of(tokens: &Tokens) -> String {
    let spell = |kind| match kind {
        Kind::Name(text) | Kind::Number(text) | Kind::Char(text) | Kind::Text(text) => {
            tokens.symbols.text(text)
        }
        Kind::Keyword(keyword) => keyword.text(),
        Kind::Punct(punct) => punct.text(),
        Kind::End => "",
    };
    let words: Vec<&str> = tokens.all.iter().map(|token| spell(token.kind)).collect();
    words.join(" ").trim_end().to_owned()
}

fn read(source: &str) -> (Tokens, Diagnostics) {
    let mut out = Diagnostics::default();
    let tokens = tokens(source.as_bytes(), &Options::new(DataModel::Lp64), &mut out);
    (tokens, out)
}

/// What is left of a sound file, with one blank between tokens.
fn expand(source: &str) -> String {
    let (tokens, out) = read(source);
    assert_eq!(out.list, [], "{source}");
    text_of(&tokens)
}

fn codes(source: &str) -> Vec<Code> {
    read(source).1.list.iter().map(|diagnostic| diagnostic.code).collect()
}

/// A text with one blank between tokens.
fn spaced(text: &str) -> String {
    expand(text)
}

#[test]
fn example_3_of_the_standard_is_replaced_as_it_says() {
    let source = r#"#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
#define str(x) # x
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
 (f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
char c[2][6] = { str(hello), str() };
"#;
    let expected = r#"f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);
f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1);
int i[] = { 1, 23, 4, 5, };
char c[2][6] = { "hello", "" };"#;
    assert_eq!(expand(source), spaced(expected));
}

#[test]
fn example_4_of_the_standard_spells_and_joins_as_it_says() {
    let source = r##"#define str(s) # s
#define xstr(s) str(s)
#define debug(s, t) printf("x" # s "= %d, x" # t "= %s", x ## s, x ## t)
#define INCFILE(n) vers ## n
#define glue(a, b) a ## b
#define xglue(a, b) glue(a, b)
#define HIGHLOW "hello"
#define LOW LOW ", world"
debug(1, 2);
fputs(str(strncmp("abc\0d", "abc", '\4') // this goes away
 == 0) str(: @\n), s);
xstr(INCFILE(2).h)
glue(HIGH, LOW);
xglue(HIGH, LOW)
"##;
    let expected = r#"printf("x" "1" "= %d, x" "2" "= %s", x1, x2);
fputs("strncmp(\"abc\\0d\", \"abc\", '\\4') == 0" ": @\n", s);
"vers2.h" "hello"; "hello" ", world""#;
    assert_eq!(expand(source), spaced(expected));
}

#[test]
fn example_5_of_the_standard_joins_empty_arguments() {
    let source = "#define t(x,y,z) x ## y ## z\n\
        int j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };";
    assert_eq!(expand(source), spaced("int j[] = { 123, 45, 67, 89, 10, 11, 12, };"));
    let source = "#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n\
        #define join(c, d) in_between(c hash_hash d)\nchar p[] = join(x, y);";
    assert_eq!(expand(source), spaced("char p[] = \"x ## y\";"));
}

#[test]
fn example_7_of_the_standard_takes_the_rest_of_the_arguments() {
    let source = r##"#define debug(...) fprintf(stderr, __VA_ARGS__)
#define showlist(...) puts(#__VA_ARGS__)
#define report(test, ...) ((test)?puts(#test): printf(__VA_ARGS__))
debug("Flag");
debug("X = %d\n", x);
showlist(The first, second, and third items.);
report(x>y, "x is %d but y is %d", x, y);
"##;
    let expected = r#"fprintf(stderr, "Flag");
fprintf(stderr, "X = %d\n", x);
puts("The first, second, and third items.");
((x>y)?puts("x>y"): printf("x is %d but y is %d", x, y));"#;
    assert_eq!(expand(source), spaced(expected));
}

#[test]
fn gnu_variadic_macros_lose_the_comma_before_no_arguments() {
    let source = "#define e(f, ...) p(f, ##__VA_ARGS__)\n#define n(f, args...) p(f, ## args)\n\
                  e(a); e(a, b, c); n(a); n(a, e(b)); e(a,);";
    assert_eq!(expand(source), spaced("p(a); p(a, b, c); p(a); p(a, p(b)); p(a,);"));
}

#[test]
fn a_macro_is_not_replaced_in_its_own_replacement() {
    assert_eq!(expand("#define foo foo + bar\n#define bar foo\nfoo bar"), "foo + foo foo + bar");
    assert_eq!(expand("#define f(x) x f\nf(1)(2)"), "1 f ( 2 )");
    assert_eq!(
        expand(
            "#define NIL(xxx) xxx\n#define G_0(arg) NIL(G_1)(arg)\n#define G_1(arg) NIL(arg)\nG_0(42)"
        ),
        "42"
    );
    assert_eq!(expand("#define a() b\n#define b a\na()()()"), "a ( ) ( )");
}

#[test]
fn a_keyword_may_be_a_macro() {
    assert_eq!(expand("#define inline\n#define long int\ninline long x;"), "int x ;");
}

#[test]
fn arguments_may_span_lines_and_hold_directives() {
    let source =
        "#define f(a, b) a - b\nf(1\n,\n#ifdef NO\n2\n#else\n3\n#endif\n) f\n#define z 1\nz";
    assert_eq!(expand(source), "1 - 3 f 1");
}

#[test]
fn conditions_compute_as_c_does() {
    let holds = [
        "1",
        "2 + 3 * 4 == 14",
        "(1 ? 2 : 0) == 2",
        "-1 < 0",
        "!(-1 < 0u)",
        "0x10 == 16 && 010 == 8",
        "1 || 1 / 0",
        "!(0 && 1 / 0)",
        "'a' == 97",
        "'\\n' == 10",
        "'\\xff' < 0",
        "~0 == -1",
        "1 << 3 == 8",
        "-8 >> 1 == -4",
        "7 % 3 == 1",
        "-7 / 2 == -3",
        "undefined_name == 0",
        "defined X && !defined(Y)",
        "X == 5",
        "0b101 == X",
        "18446744073709551615u > 0",
        "(2, 3) == 3",
        "1 ? 1 : 1 / 0",
        "F(2) == 4",
        "__LP64__",
        "sizeof_long == 0",
        "__has_include(<stdio.h>) && !__has_include(<nowhere.h>)",
        "defined __has_include",
        "defined(__GNUC__) && __GNUC__ >= 4",
        "INDIRECT",
        "__INT_MAX__ == 2147483647",
    ];
    for condition in holds {
        let source = format!(
            "#define X 5\n#define F(a) ((a) * 2)\n#define INDIRECT defined X\n#if {condition}\nyes\n#else\nno\n#endif"
        );
        assert_eq!(expand(&source), "yes", "{condition}");
    }
}

#[test]
fn malformed_conditions_are_errors() {
    for condition in
        ["", "1 +", "(1", "1 / 0", "1 2", "\"a\"", "1.5", "defined", "defined(X", "= 1", "''", "08"]
    {
        let source = format!("#if {condition}\n#endif\n");
        assert_eq!(codes(&source)[0], Code::CConditional, "{condition}");
    }
}

#[test]
fn one_group_of_a_conditional_is_read() {
    let source = "#define B 1\n#if A\na\n#elif B\nb\n#if 0\nx\n#else\ny\n#endif\n#elif 1/0\nc\n#else\nd\n#endif\ne";
    assert_eq!(expand(source), "b y e");
    assert_eq!(expand("#ifndef A\n#define A\na\n#endif\n#ifdef A\nb\n#endif"), "a b");
}

#[test]
fn conditionals_that_do_not_match_are_errors() {
    for source in [
        "#if 1\n",
        "#if 0\n",
        "#endif\n",
        "#else\n",
        "#elif 1\n",
        "#if 1\n#else\n#else\n#endif\n",
        "#if 0\n#else\n#elif 1\n#endif\n",
    ] {
        assert_eq!(codes(source), [Code::CConditional], "{source}");
    }
}

#[test]
fn wrong_macros_are_errors_with_places() {
    let wrong = [
        "#define\n",
        "#define 1 2\n",
        "#define defined 1\n",
        "#define f(a, a) a\n",
        "#define f(a\n",
        "#define f(1) 2\n",
        "#define f(..., a) a\n",
        "#define a ## b\n",
        "#define a b ##\n",
        "#define f(a) # b\n",
        "#define f(a) a\nf(1, 2)\n",
        "#define f(a, b) a\nf(1)\n",
        "#define f(a) a\nf(1\n",
        "#define j(a, b) a ## b\nj(+, x)\n",
        "#define f() 1\nf(1)\n",
    ];
    for source in wrong {
        let (_, out) = read(source);
        assert_eq!(out.list.len(), 1, "{source}: {:?}", out.list);
        assert_eq!(out.list[0].code, Code::CMacro, "{source}");
        assert_eq!(out.list[0].severity, Severity::Error, "{source}");
        assert!(out.list[0].span.end > 0, "{source}");
    }
}

#[test]
fn a_macro_that_changes_is_worth_a_warning() {
    let (tokens, out) = read("#define a 1\n#define a 1\n#define a 2\na");
    assert_eq!(out.list.len(), 1);
    assert_eq!(out.worst(), Some(Severity::Warning));
    assert_eq!(text_of(&tokens), "2");
    assert_eq!(codes("#define a 1\n#undef a\n#define a 2\n#undef never\n"), []);
}

#[test]
fn what_a_macro_makes_stands_at_its_use_and_its_arguments_where_they_are() {
    let source = "#define f(a) (a + 1)\nint x = f(yy);";
    let (tokens, _) = read(source);
    let spans: Vec<&str> = tokens
        .all
        .iter()
        .map(|token| &source[token.span.start as usize..token.span.end as usize])
        .collect();
    assert_eq!(spans, ["int", "x", "=", "f(yy)", "yy", "f(yy)", "f(yy)", "f(yy)", ";", ""]);
}

#[test]
fn places_are_known_to_macros() {
    let source = "__LINE__\n__FILE__ __LINE__ \\\n__LINE__\n#line 70 \"b.c\"\n__LINE__ __FILE__ __COUNTER__ __COUNTER__";
    assert_eq!(expand(source), "1 \"input.c\" 2 3 70 \"b.c\" 0 1");
}

#[test]
fn the_program_may_refuse() {
    let (_, out) = read("#ifndef A\n#error A must be given, mustn't it\n#endif\n#warning soon\n");
    assert_eq!(out.list.len(), 2);
    assert_eq!(out.list[0].message, "#error A must be given, mustn't it");
    assert_eq!(out.list[0].code, Code::CRefused);
    assert_eq!(out.list[1].severity, Severity::Warning);
    assert_eq!(codes("#nonsense\n"), [Code::CDirective]);
    assert_eq!(codes("#\n# /* nothing */\n"), []);
}

#[test]
fn macros_can_be_put_aside() {
    let source = "#define a 1\n#pragma push_macro(\"a\")\n#undef a\n#define a 2\na\n#pragma pop_macro(\"a\")\na";
    assert_eq!(expand(source), "2 1");
}

#[test]
fn definitions_of_the_options_count() {
    let mut out = Diagnostics::default();
    let mut options = Options::new(DataModel::Ilp32);
    options.defines = vec![("N".to_owned(), "7".to_owned()), ("F(x)".to_owned(), "x+1".to_owned())];
    let tokens = tokens(b"N F(2) __SIZEOF_LONG__ __SIZEOF_POINTER__", &options, &mut out);
    assert_eq!(text_of(&tokens), "7 2 + 1 4 4");
    assert_eq!(out.list, []);
}
