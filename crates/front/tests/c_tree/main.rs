//! C programs as trees: what is read, which types it gets, where its parts lie, what is refused.

mod broken;
mod effects;
mod expression;
mod layout;
mod parse;
mod show;
mod spans;
mod typing;

use alphorn_front::c::{Options, read};
use alphorn_front::{Code, Diagnostics, Severity};
use alphorn_program::Unit;
use alphorn_program::c::DataModel;

const MODELS: [DataModel; 2] = [DataModel::Ilp32, DataModel::Lp64];

/// What a program without errors is.
fn unit(source: &str, model: DataModel) -> Unit {
    let (unit, diagnostics) = read(source.as_bytes(), &Options::new(model));
    unit.unwrap_or_else(|| panic!("refused: {:#?}\n{source}", diagnostics.list))
}

/// A program that is read in both data models.
fn accepted(source: &str) {
    for model in MODELS {
        unit(source, model);
    }
}

fn diagnostics(source: &str) -> Diagnostics {
    read(source.as_bytes(), &Options::new(DataModel::Lp64)).1
}

/// The codes of what is wrong with a program, each with the text where it stands.
fn errors(source: &str) -> Vec<(Code, String)> {
    let (unit, diagnostics) = read(source.as_bytes(), &Options::new(DataModel::Lp64));
    let list: Vec<(Code, String)> = (diagnostics.list.iter())
        .filter(|d| d.severity != Severity::Warning)
        .map(|d| (d.code, source[d.span.start as usize..d.span.end as usize].to_owned()))
        .collect();
    assert_eq!(unit.is_none(), !list.is_empty(), "a program is refused if something is wrong");
    list
}

/// The warnings about a program that is accepted.
fn warnings(source: &str) -> Vec<(Code, String)> {
    let (unit, diagnostics) = read(source.as_bytes(), &Options::new(DataModel::Lp64));
    assert!(unit.is_some(), "refused: {:#?}", diagnostics.list);
    let at =
        |span: alphorn_front::diag::Span| source[span.start as usize..span.end as usize].to_owned();
    diagnostics.list.iter().map(|d| (d.code, at(d.span))).collect()
}

/// A program with something of everything, to be damaged.
fn parse_sample() -> &'static str {
    "typedef struct node { int value; struct node *next; unsigned flags : 3; } node;
     enum colour { RED, GREEN = 5 }; static int table[2][3] = { { 1 }, [1] = { [2] = 4 } };
     extern int printf(const char *, ...); int (*callback)(int, char *);
     static inline int add(int a, int b) { return a + b; }
     int old(a, b) int a; char *b; { return a + *b; }
     int main(int argc, char **argv) {
       node head = { .value = 1, .next = 0 }, *p = &head; int n = argc, v[n];
       for (int i = 0; i < n; i++) { v[i] = table[i % 2][1] * (unsigned char)i; if (i > 3) break; }
       switch (n) { case 1: case 3 ... 4: goto out; default: n = n ? n : ({ int t = 2; t; }); }
       do { p->value += sizeof(node) << 1; } while (--n > 0 && p != (void *)0);
       callback = (int (*)(int, char *))add; printf(\"%d\\n\", callback(1, argv[0]) | 'x');
     out: return old(p->value, \"text\");
     }\n"
}
