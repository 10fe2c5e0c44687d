//! What a program declares, as another parser (`lang-c`) has it: for some programs of ours, and for those of the
//! shared benchmark set, which stands beside the checkout; without it only ours are compared.

use alphorn_front::c::preprocess::tokens;
use alphorn_front::c::token::{Kind, Punct};
use alphorn_front::c::{Options, read};
use alphorn_front::diag::Diagnostics;
use alphorn_program::c::{DataModel, Unit};
use alphorn_testkit::corpus::files_below;
use lang_c::ast::{
    Declaration, DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator,
    FunctionDefinition, StorageClassSpecifier,
};
use lang_c::driver::{Config, Flavor, parse_preprocessed};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};
use std::collections::BTreeMap;
use std::path::Path;

/// What a name of the whole program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Variable,
    Declared,
    Defined,
}

/// The names that the whole program shares.
type Names = BTreeMap<String, What>;

/// The declarations that the judge sees, those in functions included if they are of the whole program.
#[derive(Default)]
struct Collector {
    names: Names,
    /// How many functions the place is in.
    inside: usize,
}

impl Collector {
    fn add(&mut self, name: &str, what: What) {
        let known = self.names.entry(name.to_owned()).or_insert(what);
        *known = what.max(*known);
    }
}

impl<'a> Visit<'a> for Collector {
    fn visit_function_definition(&mut self, definition: &'a FunctionDefinition, span: &'a Span) {
        let (name, _) = declared(&definition.declarator.node).expect("a function has a name");
        self.add(name, What::Defined);
        self.inside += 1;
        visit::visit_function_definition(self, definition, span);
        self.inside -= 1;
    }

    fn visit_declaration(&mut self, declaration: &'a Declaration, span: &'a Span) {
        let has = |class| {
            declaration.specifiers.iter().any(|specifier| match &specifier.node {
                DeclarationSpecifier::StorageClass(found) => found.node == class,
                _ => false,
            })
        };
        for init in &declaration.declarators {
            let Some((name, is_function)) = declared(&init.node.declarator.node) else { continue };
            let is_global = self.inside == 0 || has(StorageClassSpecifier::Extern);
            if is_function && !has(StorageClassSpecifier::Typedef) {
                self.add(name, What::Declared);
            } else if is_global && !has(StorageClassSpecifier::Typedef) {
                self.add(name, What::Variable);
            }
        }
        visit::visit_declaration(self, declaration, span);
    }
}

/// The name of a declarator, and whether it is that of a function.
fn declared(declarator: &Declarator) -> Option<(&str, bool)> {
    let suffix = |derived: &Node<DerivedDeclarator>| match derived.node {
        DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_) => Some(true),
        DerivedDeclarator::Array(_) => Some(false),
        _ => None,
    };
    let mut outer = vec![declarator];
    let name = loop {
        match &outer[outer.len() - 1].kind.node {
            DeclaratorKind::Abstract => return None,
            DeclaratorKind::Identifier(name) => break name,
            DeclaratorKind::Declarator(inner) => outer.push(&inner.node),
        }
    };
    // From the name outwards, suffixes bind before stars.
    let is_function = outer.iter().rev().find_map(|declarator| {
        let found = declarator.derived.iter().find_map(suffix);
        found.or_else(|| (!declarator.derived.is_empty()).then_some(false))
    });
    Some((&name.node.name, is_function.unwrap_or(false)))
}

/// What the judge refuses, in words that it reads: comments, directives, `$`, `__thread`, `__float128`.
fn patched(source: &str) -> String {
    let mut out = String::new();
    let mut rest = source;
    while let Some(at) = rest.find(['/', '"', '\'', '#', '$']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let first = rest.as_bytes()[0];
        let is_line_start = out.trim_end_matches([' ', '\t']).ends_with('\n') || out.is_empty();
        let end_of_line = rest.find('\n').unwrap_or(rest.len());
        let length = match first {
            b'/' if rest.starts_with("/*") => rest[2..].find("*/").map_or(rest.len(), |at| at + 4),
            b'/' if rest.starts_with("//") => end_of_line,
            b'#' if is_line_start => end_of_line,
            b'"' | b'\'' => {
                let mut length = 1;
                while rest.as_bytes()[length] != first {
                    length += if rest.as_bytes()[length] == b'\\' { 2 } else { 1 };
                }
                out.push_str(&rest[..=length]);
                length + 1
            }
            b'$' => {
                out.push_str("_dollar_");
                1
            }
            _ => {
                out.push(char::from(first));
                1
            }
        };
        rest = &rest[length..];
        if first != b'$' {
            out.push(' ');
        }
    }
    out.push_str(rest);
    replace_word(&replace_word(&out, "__thread", ""), "__float128", "long double")
}

/// A text with another word for every `word` that is no part of a longer one.
fn replace_word(text: &str, word: &str, other: &str) -> String {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut out = String::new();
    let mut pieces = text.split(word).peekable();
    while let Some(piece) = pieces.next() {
        out.push_str(piece);
        let Some(next) = pieces.peek() else { break };
        let is_whole = !out.ends_with(is_part) && !next.starts_with(is_part);
        out.push_str(if is_whole { other } else { word });
    }
    out
}

/// The tokens of a file with directives as text.
fn preprocessed(source: &[u8], options: &Options<'_>) -> String {
    let tokens = tokens(source, options, &mut Diagnostics::default());
    let mut text = String::new();
    for token in &tokens.all {
        // The judge wants the `((` and `))` of attributes in one piece.
        let is_pair = match token.kind {
            Kind::Punct(Punct::LParen) => text.ends_with('('),
            Kind::Punct(Punct::RParen) => text.ends_with(')'),
            _ => false,
        };
        if !is_pair {
            text.push(' ');
        }
        text.push_str(match token.kind {
            Kind::Name(name) | Kind::Number(name) | Kind::Char(name) | Kind::Text(name) => {
                tokens.symbols.text(name)
            }
            Kind::Keyword(keyword) => keyword.text(),
            Kind::Punct(punct) => punct.text(),
            Kind::End => "\n",
        });
    }
    text
}

/// What we see.
fn ours(unit: &Unit) -> Names {
    let what = |is_defined: bool| if is_defined { What::Defined } else { What::Declared };
    let functions =
        unit.functions.iter().map(|f| (f.name.replace('$', "_dollar_"), what(f.body.is_some())));
    let variables = unit.globals().filter(|(_, var)| var.function.is_none());
    let variables = variables.map(|(_, var)| (var.name.replace('$', "_dollar_"), What::Variable));
    functions.chain(variables).collect()
}

/// Compares what a sound program declares.
fn compare(name: &str, source: &[u8], options: &Options<'_>) {
    let (unit, said) = read(source, options);
    let unit = unit.unwrap_or_else(|| panic!("{name}: {:?}", said.list));
    let has_directives = source.windows(8).any(|text| text == b"#include" || text == b"#define ");
    let text = if has_directives {
        preprocessed(source, options)
    } else {
        String::from_utf8_lossy(source).into_owned()
    };
    let config = Config { cpp_command: String::new(), cpp_options: vec![], flavor: Flavor::GnuC11 };
    let parse = parse_preprocessed(&config, patched(&text));
    let parse = parse.unwrap_or_else(|error| panic!("{name}: the judge: {error}"));
    let mut collector = Collector::default();
    collector.visit_translation_unit(&parse.unit);
    let mut ours = ours(&unit);
    // A function that is only called is declared by that; the judge does not say so.
    let is_called_only = |name: &String| {
        let word = format!("`{}`", name.replace("_dollar_", "$"));
        said.list.iter().any(|diagnostic| diagnostic.message.contains(&word))
            || name.starts_with("__builtin_")
    };
    ours.retain(|name, _| collector.names.contains_key(name) || !is_called_only(name));
    // `F f;` with a typedef of a function declares a function; the judge sees no parentheses.
    for (name, what) in &mut collector.names {
        if *what == What::Variable && ours.get(name) == Some(&What::Declared) {
            *what = What::Declared;
        }
    }
    assert_eq!(ours, collector.names, "{name}");
}

#[test]
fn programs_of_ours_declare_what_the_judge_sees() {
    let programs = [
        "int x, *y, z[3]; static int (*f)(void); int g(int), h(); int g(int a) { extern int out; return a; }",
        "typedef int F(int); F f; typedef struct s { int a : 3, : 0; union { int b; }; } s_t; s_t v = { .a = 1 };",
        "int f(a, b) int a; char *b; { int g(void); { int x; } return g() + b[a]; }",
        "#include <stdlib.h>\n#include <stdio.h>\nint main(void) { char *p = malloc(3); printf(\"%s\", p); return 0; }",
        "#include <assert.h>\n#define DECLARE(n) int var_##n; int fun_##n(void)\nDECLARE(a); DECLARE(b) { assert(var_a); return 1; }",
        "extern __inline __attribute__((always_inline)) int f(int *__restrict p) __asm__(\"g\"); int a$b = 1;",
        "int f(int n) { switch (n) { case 1 ... 3: return ({ int k = n; k ? k : 2; }); default: goto out; } out: return 0; }",
        "int (*(*fp)(int))[3]; int *(*table[4])(void); int (*select(int k))(void) { return 0; }",
        "enum e { A, B = A + 2 }; enum e e1 = B; _Bool b; unsigned long long int u; signed char c;",
    ];
    for program in programs {
        compare(program, program.as_bytes(), &Options::new(DataModel::Lp64));
    }
}

#[test]
fn programs_of_the_field_declare_what_the_judge_sees() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench/programs/c");
    let is_program = |path: &Path| path.extension().is_some_and(|end| end == "c" || end == "i");
    for path in files_below(&folder).iter().filter(|path| is_program(path)) {
        let source = std::fs::read(path).unwrap();
        compare(&path.display().to_string(), &source, &Options::new(DataModel::Lp64));
    }
}
