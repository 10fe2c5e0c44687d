//! Boogie: what programs its files are, and what is said about mistakes.

use alphorn_front::{Code, Severity, boogie};
use alphorn_program::Program;
use alphorn_program::clauses::clauses;
use alphorn_program::form::{Action, Jump};
use alphorn_testkit::reading::{clean, complains, damaged, plain};

#[track_caller]
fn program(text: &str) -> Program {
    let program = clean(boogie::read(text.as_bytes()), text);
    program.validate().unwrap_or_else(|message| panic!("{message}\n{text}"));
    program
}

/// The checks of a program: property and formula.
fn checks(program: &Program) -> Vec<String> {
    let blocks = program.procs.iter().flat_map(|proc| &proc.blocks);
    let steps = blocks.flat_map(|block| &block.steps);
    let checks = steps.filter_map(|step| match &step.action {
        Action::Check(check) => {
            Some(format!("{}: {}", check.property, plain(&program.terms.show(check.formula))))
        }
        _ => None,
    });
    checks.collect()
}

/// The formula of the only assertion of a procedure with this body.
#[track_caller]
fn asserted(declarations: &str, formula: &str) -> String {
    let text = format!("{declarations} procedure p() {{ assert {formula}; }}");
    checks(&program(&text)).pop().expect("there is an assertion")
}

#[track_caller]
fn complain(text: &str, expected: &[(Code, &str, &str)]) {
    complains(boogie::read(text.as_bytes()), text, expected);
}

#[test]
fn expressions_have_their_meaning() {
    let globals = "var x, y: int; var b: bool; var m: [int]int; var n: [int,bool]int; var w: bv8; var r: real;";
    for (formula, expected) in [
        ("x + 1 < 2 * y", "(< (+ x 1) (* 2 y))"),
        ("x div 2 == x mod 3", "(= (div x 2) (mod x 3))"),
        ("m[x] == n[x, b]", "(= (select m x) (select (select n x) b))"),
        ("m[x := 1] == m", "(= (store m x 1) m)"),
        ("w[4:0] == 5bv4", "(= ((_ extract 3 0) w) #x5)"),
        ("(if b then x else y) > 0", "(< 0 (ite b x y))"),
        ("b <==> (x < y)", "(= b (< x y))"),
        ("(forall i: int :: {m[i]} m[i] > 0)", "(forall ((i Int)) (< 0 (select m i)))"),
        ("real(x) == r / 2.0", "(= (to_real x) (* (/ 1.0 2.0) r))"),
        ("!b && x <= y", "(and (not b) (<= x y))"),
    ] {
        let found = asserted(globals, formula);
        assert_eq!(found, format!("assert: {expected}"), "{formula}");
    }
}

#[test]
fn functions_are_inlined_or_arrays_and_axioms_hold_at_the_beginning() {
    let text = "function f(a: int, b: int) returns (int); function g(a: int): int { h(a) + 1 }
        function h(a: int) returns (r: int) { 2 * a } const c: int; const unique d, e: int; axiom c > 0;
        axiom (forall a: int :: f(a, c) == 0); procedure p() { assert g(c) == f(1, 2); }";
    let found = program(text);
    assert_eq!(checks(&found), ["assert: (= (+ (* 2 c) 1) (select (select f 1) 2))"]);
    let start = plain(&found.terms.show(found.start.unwrap()));
    assert!(start.contains("(not (= d e))") && start.contains("(< 0 c)"), "{start}");
    let words = "function {:bvbuiltin \"bvadd\"} add(a: bv8, b: bv8) returns (bv8); var w: bv8;
        function {:bvbuiltin \"(_ zero_extend 8)\"} wide(a: bv8) returns (bv16);";
    assert_eq!(asserted(words, "wide(add(w, 1bv8)) != 0bv16").matches("bvadd").count(), 1);
}

#[test]
fn contracts_are_checked_at_calls_and_at_the_end() {
    let text =
        "var g: int; procedure p(a: int) returns (r: int); requires a > 0; free requires g == 0;
        ensures r == old(g) + a; modifies g;
        implementation p(b: int) returns (s: int) { g := b; s := g; }
        procedure {:entrypoint} main() modifies g; { var x: int; call x := p(3); assert x == 3; }";
    let found = program(text);
    assert_eq!(found.entry, found.find_proc("main"));
    let mut all = checks(&found);
    all.sort();
    let expected = ["assert: (= x 3)", "ensures: (= r (+ |old g| a))", "requires: true"];
    assert_eq!(all, expected);
    assert!(!clauses(&found).horn.clauses.is_empty());
}

#[test]
fn a_procedure_without_a_body_changes_what_it_may() {
    let text = "var g, h: int; procedure p() returns (r: int); modifies g; ensures r > g;
        procedure q() modifies g; { var x: int; call x := p(); assert x > 0; }";
    let found = program(text);
    let p = &found.procs[0];
    let steps: Vec<&Action> =
        p.blocks.iter().flat_map(|block| &block.steps).map(|step| &step.action).collect();
    assert!(matches!(steps[0], Action::Havoc(vars) if vars.len() == 1));
    assert!(matches!(steps[1], Action::Assume(_)));
    assert_eq!(found.entry, found.find_proc("q"));
}

#[test]
fn without_an_entry_every_procedure_with_a_body_is_one() {
    let text = "procedure p() { assert true; } procedure q(); procedure r(a: int) requires a > 1; { assert a > 0; }";
    let found = program(text);
    let entry = found.proc(found.entry.unwrap());
    assert!(matches!(&entry.blocks[0].jump, Jump::Choose(ways) if ways.len() == 2));
    let found = program(&format!("{text} procedure ULTIMATE.start() {{ call q(); }}"));
    assert_eq!(found.entry, found.find_proc("ULTIMATE.start"));
}

#[test]
fn statements_become_blocks() {
    let text = "var m: [int][int]int; procedure main() modifies m; { var x, y: int where x > 0;
        outer: while (x < 10) invariant x >= 0; free invariant y == 0; {
          if (*) { x := x + 1; } else if (x == 3) { break outer; } else { goto end, outer; }
          while (*) { x, y := y, x; havoc x; break; }
          m[x][y] := 3;
        }
        end: return; }";
    let found = program(text);
    assert_eq!(checks(&found), ["invariant: (<= 0 x)"]);
    let blocks = &found.procs[0].blocks;
    let choices = blocks.iter().filter(|block| matches!(block.jump, Jump::Choose(_))).count();
    assert_eq!(choices, 3);
}

#[test]
fn mistakes_are_reported_at_their_place_and_reading_goes_on() {
    complain(
        "var count: int;\nprocedure p() { cuont := 1; }\nprocedure q() { assert count; }\nprocedure r() { goto l; }\n",
        &[
            (Code::BoogieUndeclared, "cuont", "`count`"),
            (Code::BoogieSort, "count", "formula"),
            (Code::BoogieUndeclared, "l", "no label"),
        ],
    );
    complain(
        "var x int;\nvar x: integer;\nprocedure p() { x := 1 }",
        &[(Code::BoogieSyntax, "int", "`:`"), (Code::BoogieUndeclared, "integer", "type")],
    );
    complain("procedure p() { assert 1 < true; }", &[(Code::BoogieSort, "true", "integer")]);
    complain("procedure p(a: int) { a := 1; }", &[(Code::BoogieSort, "a", "cannot be changed")]);
    complain("procedure p() { call q(); }", &[(Code::BoogieUndeclared, "q", "procedure")]);
    complain("procedure p() { x: ; }", &[(Code::BoogieSyntax, ";", "statement")]);
    complain("procedure p() {", &[(Code::BoogieSyntax, "{", "not closed")]);
    complain("procedure p();", &[(Code::BoogieSyntax, "", "nothing to verify")]);
    complain("// nothing", &[(Code::FileEmpty, "", "no declarations")]);
    complain("implementation p() { }", &[(Code::BoogieUndeclared, "p", "procedure")]);
}

#[test]
fn what_is_not_treated_is_unsupported() {
    for text in [
        "type T a; procedure p() { }",
        "function f<a>(x: a) returns (int); procedure p() { }",
        "function f(x: int): int { f(x) } procedure p() { assert f(1) == 1; }",
        "procedure p() { async call p(); }",
        "var x: bv99999999; procedure p() { }",
    ] {
        let (found, diagnostics) = boogie::read(text.as_bytes());
        assert!(found.is_none());
        assert_eq!(diagnostics.worst(), Some(Severity::Unsupported), "{text}\n{diagnostics:?}");
    }
}

#[test]
fn depth_is_bounded_by_memory_alone() {
    let depth = 50_000;
    let nested = format!("procedure p() {{ {}{} }}", "if (*) { ".repeat(depth), "} ".repeat(depth));
    assert_eq!(program(&nested).procs.len(), 1);
    let maps = format!("var x: {}int; procedure p() {{ }}", "[int]".repeat(depth));
    assert_eq!(boogie::read(maps.as_bytes()).1.worst(), Some(Severity::Error));
}

const PIECES: &[&str] = &[
    "procedure",
    "implementation",
    "var",
    "const",
    "axiom",
    "function",
    "type",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ":",
    ":=",
    "::",
    ",",
    "if (*) {",
    "while (x > 0) {",
    "else",
    "goto l;",
    "l:",
    "call",
    "old(",
    "x",
    "int",
    "bv8",
    "5bv4",
    "forall i: int ::",
    "==>",
    "free",
    "requires",
    "returns",
    "\"",
    "/*",
    "\u{e9}",
    "\0",
];

#[test]
fn damaged_files_are_read_without_panic() {
    let seeds = [
        "var x, y: int; const c: int; axiom c > 0; function f(a: int) returns (int) { a + c }
         procedure p(a: int) returns (r: int) requires a > 0; ensures r == old(x); modifies x;
         { var z: int; l: x := f(a); if (*) { goto l; } else { r := x; } while (x > 0) invariant x >= 0; { x := x - 1; } }
         procedure q() modifies x; { call y := p(1); assert y == c; }",
        "type T; var m: [T]int; var w: bv8; function g(t: T): int; procedure p(t: T) modifies m; { m[t] := g(t);
         assert (forall s: T :: m[s := 1][s] == 1) && w[4:0] == 5bv4; havoc m; return; }",
    ];
    seeds.iter().for_each(|seed| drop(program(seed)));
    let accepted = damaged((13, 5000), (&seeds, PIECES), boogie::read, |found, text| {
        found.validate().unwrap_or_else(|message| panic!("{message}\n{text}"));
    });
    assert!(accepted > 10, "only {accepted} damaged files are still programs");
}
