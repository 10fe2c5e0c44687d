//! Included files and built-in headers, and programs that would grow without end.

use alphorn_front::c::preprocess::{Options, header_names, tokens};
use alphorn_front::c::token::{Kind, Tokens};
use alphorn_front::diag::{Code, Diagnostics};
use alphorn_program::c::DataModel;

fn names(tokens: &Tokens) -> Vec<&str> {
    tokens
        .all
        .iter()
        .filter_map(|token| match token.kind {
            Kind::Name(name) => Some(tokens.symbols.text(name)),
            _ => None,
        })
        .collect()
}

fn read_with(source: &str, files: &[(&str, &str)], model: DataModel) -> (Tokens, Diagnostics) {
    let include = |name: &str| {
        let found = files.iter().find(|(file, _)| *file == name);
        found.map(|(_, text)| text.as_bytes().to_vec())
    };
    let mut options = Options::new(model);
    options.include = &include;
    let mut out = Diagnostics::default();
    let tokens = tokens(source.as_bytes(), &options, &mut out);
    (tokens, out)
}

#[test]
fn an_included_file_stands_at_its_include() {
    let source = "a;\n#include \"b.h\"\nc;";
    let (tokens, out) = read_with(source, &[("b.h", "b b2;")], DataModel::Lp64);
    assert_eq!(out.list, []);
    assert_eq!(names(&tokens), ["a", "b", "b2", "c"]);
    let span = tokens.all[2].span;
    assert_eq!(&source[span.start as usize..span.end as usize], "#include \"b.h\"");
}

#[test]
fn files_are_looked_for_beside_the_one_that_includes_them() {
    let files = [
        ("d/b.h", "#include \"c.h\"\n#include \"top.h\"\n"),
        ("d/c.h", "beside"),
        ("c.h", "wrong"),
        ("top.h", "top"),
    ];
    let (tokens, out) = read_with("#include \"d/b.h\"\n", &files, DataModel::Lp64);
    assert_eq!(out.list, []);
    assert_eq!(names(&tokens), ["beside", "top"]);
}

#[test]
fn a_header_may_be_named_by_a_macro_and_read_once() {
    let files = [("b.h", "#pragma once\nb"), ("g.h", "#ifndef G\n#define G\ng\n#endif")];
    let source = "#define H \"b.h\"\n#include H\n#include H\n#include \"g.h\"\n#include \"g.h\"\n\
                  #define S <stdbool.h>\n#include S\nbool";
    let (tokens, out) = read_with(source, &files, DataModel::Lp64);
    assert_eq!(out.list, []);
    assert_eq!(names(&tokens), ["b", "g"]);
}

#[test]
fn a_missing_file_is_an_error_with_a_hint() {
    let (_, out) =
        read_with("int x;\n#include <nowhere.h>\n#include \"none.h\"\n", &[], DataModel::Lp64);
    assert_eq!(out.list.len(), 2);
    for diagnostic in &out.list {
        assert_eq!(diagnostic.code, Code::CInclude);
        assert!(diagnostic.hint.is_some());
    }
    assert!(out.list[0].hint.as_ref().is_some_and(|hint| hint.contains("cc -E")));
    assert_eq!(out.list[0].span.start, 7);
}

#[test]
fn an_error_in_an_included_file_names_the_file_and_the_line() {
    let files = [("b.h", "int x;\nint @;\n")];
    let (_, out) = read_with("#include \"b.h\"\n", &files, DataModel::Lp64);
    assert!(out.list[0].message.starts_with("b.h, line 2: "), "{}", out.list[0].message);
}

#[test]
fn every_built_in_header_is_read_twice_without_a_word() {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        for name in header_names() {
            let source = format!("#include <{name}>\n#include \"{name}\"\nint last;");
            let (tokens, out) = read_with(&source, &[], model);
            assert_eq!(out.list, [], "{name}");
            assert_eq!(names(&tokens).last(), Some(&"last"), "{name}");
        }
    }
}

#[test]
fn the_data_model_decides_types_and_limits() {
    let source = "#include <stdint.h>\n#include <limits.h>\n#if LONG_MAX == 2147483647\nnarrow\n#else\nwide\n#endif\n";
    let (tokens, _) = read_with(source, &[], DataModel::Ilp32);
    assert_eq!(names(&tokens).last(), Some(&"narrow"));
    let (tokens, _) = read_with(source, &[], DataModel::Lp64);
    assert_eq!(names(&tokens).last(), Some(&"wide"));
}

#[test]
fn an_assertion_calls_its_failure_unless_ndebug_is_defined() {
    let source =
        "#include <assert.h>\nassert(x > 0);\n#define NDEBUG\n#include <assert.h>\nassert(y);";
    let (tokens, out) = read_with(source, &[], DataModel::Lp64);
    assert_eq!(out.list, []);
    let all = names(&tokens);
    let uses = all.iter().filter(|name| **name == "__assert_fail").count();
    assert_eq!(uses, 2, "the declaration and one call");
    assert!(all.contains(&"x") && !all.contains(&"y"));
}

#[test]
fn a_file_that_includes_itself_ends_in_an_error() {
    let (_, out) =
        read_with("#include \"a.h\"\n", &[("a.h", "#include \"a.h\"\n")], DataModel::Lp64);
    assert_eq!(out.list.len(), 1);
    assert_eq!(out.list[0].code, Code::CExpansion);
    let twice = [
        ("a.h", "#include \"b.h\"\n#include \"b.h\"\n"),
        ("b.h", "#include \"a.h\"\n#include \"a.h\"\n"),
    ];
    let (_, out) = read_with("#include \"a.h\"\n", &twice, DataModel::Lp64);
    assert_eq!(out.list[0].code, Code::CExpansion);
}

/// Definitions each of which doubles the one before.
fn doubling(levels: usize, first: &str, next: impl Fn(usize) -> String) -> String {
    let mut source = format!("#define m0{first}\n");
    for level in 1..=levels {
        source.push_str(&format!("#define m{level}{}\n", next(level - 1)));
    }
    source
}

fn ends_soon(source: &str) {
    let (tokens, out) = read_with(source, &[], DataModel::Lp64);
    assert_eq!(out.list.len(), 1, "{:?}", out.list);
    assert_eq!(out.list[0].code, Code::CExpansion);
    assert!(tokens.all.len() < 10_000_000);
}

#[test]
fn macros_that_double_end_in_an_error() {
    ends_soon(&(doubling(60, " x", |n| format!(" m{n} m{n}")) + "m60"));
    ends_soon(&(doubling(60, "(a) a a", |n| format!("(a) m{n}(a) m{n}(a)")) + "m60(x)"));
    ends_soon(&(doubling(60, "(a) a", |n| format!("(a) m{n}(a a)")) + "m60(x)"));
    ends_soon(
        &(doubling(60, "(a, ...) a", |n| format!("(a, ...) m{n}(a a, __VA_ARGS__ __VA_ARGS__)"))
            + "m60(x, y)"),
    );
    ends_soon(&(doubling(60, " ", |n| format!(" m{n} m{n}")) + "m60"));
}

#[test]
fn spellings_that_double_end_in_an_error() {
    let source = "#define j(a, b) a ## b\n#define k(a) j(a, a)\n".to_owned()
        + &doubling(60, "(a) k(a)", |n| format!("(a) m{n}(k(a))"))
        + "m60(x)";
    ends_soon(&source);
    let source = "#define s(a) #a\n".to_owned()
        + &doubling(60, "(a) s(a)", |n| format!("(a) m{n}(s(a) s(a))"))
        + "m60(x)";
    ends_soon(&source);
}

#[test]
fn deep_nesting_ends_in_an_error_and_not_in_the_stack() {
    let nested = format!("#define f(a) a\n{}x{}", "f(".repeat(100_000), ")".repeat(100_000));
    ends_soon(&nested);
    let condition = format!("#if {}1{}\n#endif\n", "(".repeat(100_000), ")".repeat(100_000));
    let (_, out) = read_with(&condition, &[], DataModel::Lp64);
    assert_eq!(out.list[0].code, Code::CConditional);
    let signs = format!("#if {}1\nyes\n#endif\n", "- ".repeat(1_000_000));
    let (tokens, out) = read_with(&signs, &[], DataModel::Lp64);
    assert_eq!(out.list, []);
    assert_eq!(names(&tokens), ["yes"]);
    let opened = "#if 1\n".repeat(100_000);
    let (_, out) = read_with(&opened, &[], DataModel::Lp64);
    assert!(!out.is_clean());
}

#[test]
fn a_long_chain_of_macros_is_no_trouble() {
    let mut source = String::from("#define m0 x\n");
    for n in 1..100_000 {
        source.push_str(&format!("#define m{n} m{}\n", n - 1));
    }
    source.push_str("m99999");
    let (tokens, out) = read_with(&source, &[], DataModel::Lp64);
    assert_eq!(out.list, []);
    assert_eq!(names(&tokens), ["x"]);
}
