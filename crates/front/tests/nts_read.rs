//! Numerical transition systems: what programs they are, what is said about mistakes.

use alphorn_front::{Code, Severity, nts};
use alphorn_program::Program;
use alphorn_program::clauses::clauses;
use alphorn_program::form::{Action, Jump};
use alphorn_testkit::reading::{clean, complains, damaged, plain};

#[track_caller]
fn program(text: &str) -> Program {
    let program = clean(nts::read(text.as_bytes()), text);
    program.validate().expect("what is read is valid");
    program
}

/// The steps of all edges of the first system, as text.
#[track_caller]
fn steps(text: &str) -> Vec<String> {
    let program = program(text);
    let name = |var| program.var(var).name.clone();
    let show = |term| plain(&program.terms.show(term));
    let mut lines = Vec::new();
    for step in program.procs[0].blocks.iter().flat_map(|block| &block.steps) {
        lines.push(match &step.action {
            Action::Assign(pairs) => {
                let pairs =
                    pairs.iter().map(|(var, value)| format!("{} := {}", name(*var), show(*value)));
                pairs.collect::<Vec<_>>().join(", ")
            }
            Action::Havoc(vars) => {
                format!("havoc {}", vars.iter().map(|var| name(*var)).collect::<Vec<_>>().join(" "))
            }
            Action::Relate(pairs, formula) => {
                let vars: Vec<String> = pairs.iter().map(|(var, _)| name(*var)).collect();
                format!("relate {}: {}", vars.join(" "), show(*formula))
            }
            Action::Assume(formula) => format!("assume {}", show(*formula)),
            Action::Check(check) => format!("check {}", show(check.formula)),
            Action::Call { proc, args, results } => {
                let args: Vec<String> = args.iter().map(|arg| show(*arg)).collect();
                let results: Vec<String> = results.iter().map(|var| name(*var)).collect();
                let callee = &program.proc(*proc).name;
                format!("{} := {callee}({})", results.join(", "), args.join(", "))
            }
            Action::Observe(_) => "observe".to_owned(),
            Action::Thread(_) => "thread".to_owned(),
        });
    }
    lines
}

fn one_edge(declarations: &str, rule: &str) -> String {
    format!("nts t; {declarations} main {{ initial a; final b; a -> b {{ {rule} }} }}")
}

#[track_caller]
fn complain(text: &str, expected: &[(Code, &str, &str)]) {
    complains(nts::read(text.as_bytes()), text, expected);
}

#[test]
fn havoc_is_a_frame_and_without_it_nothing_is_kept() {
    let variables = "x, y, z : int;";
    let of = |rule: &str| steps(&one_edge(variables, rule));
    assert_eq!(of("x' = x + 1 and havoc(x)"), ["x := (+ x 1)"]);
    assert_eq!(
        of("x > 0 && y' = x and x' = y and havoc(x, y)"),
        ["assume (< 0 x)", "x := y, y := x"]
    );
    assert_eq!(of("havoc()"), [""; 0]);
    assert_eq!(of(""), ["havoc x y z"]);
    assert_eq!(of("x' = 1"), ["x := 1", "havoc y z"]);
    assert_eq!(of("havoc(y)"), ["havoc y"]);
    assert_eq!(of("x' > x and havoc(x)"), ["relate x: (< x |x'|)"]);
    // What is not in the frame keeps its value, whatever is said of it afterwards.
    assert_eq!(of("y' = 3 and x' = y' and havoc(x)"), ["assume (= y 3)", "x := y"]);
    assert_eq!(of("x' = y and x' < 3 and havoc(x)"), ["assume (< y 3)", "x := y"]);
}

#[test]
fn words_and_signs_are_the_same_operators() {
    let of = |rule: &str| steps(&one_edge("x, y : int; b : bool;", rule));
    let plain = of("not (x = 1 or b) and (b imply x < y) and (b equiv x >= 2) and havoc()");
    assert_eq!(of("! (x == 1 || b) && (b -> x < y) && (b <-> x >= 2) && havoc()"), plain);
    assert_eq!(plain.len(), 1);
    assert_eq!(of("b = true and x % 4 != -y * 2 / 3 and havoc()").len(), 1);
    assert_eq!(
        of("(exists i : int . x = 2 * i) and havoc()"),
        ["assume (exists ((i Int)) (= x (* 2 i)))"]
    );
}

#[test]
fn reals_take_integers_among_them() {
    let text = one_edge("r : real, n : int;", "r' = r + 0.5 * n and n <= r and havoc(r)");
    let expected = ["assume (<= (to_real n) r)", "r := (+ r (* (/ 1.0 2.0) (to_real n)))"];
    assert_eq!(steps(&text), expected);
}

#[test]
fn a_call_keeps_what_its_frame_says_and_shares_globals() {
    let text = "nts t; g : int; init g = 0 and true;
        main { x, y, z : int; initial a; error c;
          a -> b { (x', y') = f(x + 1, g) and havoc(x, y) }
          b -> c { x > y and havoc() } }
        f { in p, q : int; out r, s : int; initial a; final e; a -> e { r' = p and g' = q and havoc(r, g) } }";
    let found = program(text);
    assert_eq!(steps(text)[..2], ["check false", "x, y := f((+ x 1), g)"]);
    assert!(found.start.is_some());
    assert_eq!(found.entry, found.find_proc("main"));
    assert!(found.procs[1].blocks.iter().any(|block| matches!(block.jump, Jump::Return)));
    assert!(!clauses(&found).horn.clauses.is_empty());
    let without = "nts t; main { x, y : int; initial a; a -> a { x' = f(y) } }
        f { in p : int; out r : int; initial a; final a; }";
    assert_eq!(steps(without), ["x := f(y)", "havoc y"]);
}

#[test]
fn a_system_that_is_not_there_is_a_warning_and_no_effect() {
    let text = "nts t; main { x, y : int; initial a; a -> a { record(x) and havoc() }
        a -> a { y' = ask(x) and havoc(y) } }";
    let (found, diagnostics) = nts::read(text.as_bytes());
    let found = found.expect("a warning is no error");
    found.validate().unwrap();
    assert_eq!(diagnostics.worst(), Some(Severity::Warning));
    let codes: Vec<Code> = diagnostics.list.iter().map(|d| d.code).collect();
    assert_eq!(codes, [Code::NtsMissing, Code::NtsMissing]);
    let all: usize = found.procs[0].blocks.iter().map(|block| block.steps.len()).sum();
    assert_eq!(all, 1, "only the result of the second is any value");
}

#[test]
fn annotations_labels_and_declared_locations_are_read() {
    let text = "@inv:formula: x=0; nts t; @line:int:1; x : int; init x=0; instances main[1];
        @inv:formula: x<=11; main { @l:int:2; y : int; states @l:int:5; s1, s2; initial s1; final s2;
        s1 -> s1 @line:int:105; { x<0 and x'=x+1 } t1 : s1 -> s2 { x=0 and x'=x } }";
    assert_eq!(program(text).procs[0].blocks.len(), 6);
}

#[test]
fn what_runs_in_parallel_or_has_arrays_is_unsupported() {
    for (text, place) in [
        ("nts t; instances a[1], b[1]; a { initial s; } b { initial s; }", "instances a[1]"),
        ("nts t; instances a[N]; a { initial s; }", "instances a[N]"),
        ("nts t; m[4] : int; a { initial s; }", "m"),
        ("nts t; init forall i : int[0,3] . i > 0; a { initial s; }", "["),
    ] {
        let (found, diagnostics) = nts::read(text.as_bytes());
        assert!(found.is_none());
        let first = &diagnostics.list[0];
        assert_eq!(
            (first.severity, first.code),
            (Severity::Unsupported, Code::NtsUnsupported),
            "{text}"
        );
        assert_eq!(&text[first.span.start as usize..first.span.end as usize], place);
    }
}

#[test]
fn mistakes_are_reported_at_their_place_and_reading_goes_on() {
    complain(
        "nts t; count, x : integer; main { initial a; a -> b { x' = cuont and havoc(x) }\n a -> b { x ' } }",
        &[(Code::NtsSyntax, "integer", "types are"), (Code::NtsSyntax, "'", "no meaning")],
    );
    complain(
        "nts t; count, x : int; main { initial a; a -> b { x' = cuont and havoc(x) } b -> a { y > 0 } }",
        &[(Code::NtsUndeclared, "cuont", "`count`"), (Code::NtsUndeclared, "y", "not declared")],
    );
    complain(
        "nts t; x, x : int; main { initial a; a -> b { x and havoc() } b -> a { x = (x > 1) } }",
        &[
            (Code::NtsRedeclared, "x", "twice"),
            (Code::NtsSort, "and", "formula is needed"),
            (Code::NtsSort, "=", "cannot be compared"),
        ],
    );
    complain("nts t; f { x : int; a -> b { havoc() } }", &[(Code::NtsSyntax, "f", "initial")]);
    complain("nts t; f { initial a; } g { initial b; }", &[(Code::NtsUndeclared, "", "`main`")]);
    complain(
        "nts t; main { x : int; initial a; a -> a { x' = f(1, 2) and havoc(x) } } f { in y : int; out z : int; initial s; }",
        &[(Code::NtsSort, "f", "1 inputs")],
    );
    complain(
        "nts t; main { x : int; initial a; a -> a { x = f(1) and havoc(x) } } f { in y : int; out z : int; initial s; }",
        &[(Code::NtsSyntax, "x", "no prime")],
    );
    complain(
        "nts t; x : int; main { initial a; a -> b { x > ",
        &[(Code::NtsSyntax, "", "ends here")],
    );
    complain("nts t;", &[(Code::NtsSyntax, "", "no systems")]);
    complain(
        "nts t; init x' = 0; x : int; main { initial a; }",
        &[(Code::NtsSyntax, "x'", "prime")],
    );
}

const PIECES: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    ",",
    ";",
    ":",
    "->",
    "and",
    "or",
    "not",
    "havoc(",
    "x",
    "x'",
    "main",
    "f(",
    "in",
    "out",
    "initial",
    "final",
    "error",
    "int",
    "real",
    "bool",
    "=",
    "<",
    "'",
    "1.5",
    "exists i : int .",
    "@",
    "/*",
    "//",
    "instances",
    "init",
    "\u{e9}",
    "\0",
    "99999999999999999999",
];

#[test]
fn damaged_files_are_read_without_panic() {
    let seeds = [
        "nts t; x, y : int; init x = 0; main { z : real; initial a; error e; a -> b { x' = f(y) and havoc(x) }
         b -> e { x > 2 and z' = x / 2 and havoc(z) } } f { in p : int; out r : int; b : bool; initial s;
         final t; s -> t { (b imply r' = p) and havoc(r, b) } }",
        "nts u; @a:int:1; main { x : int; states a, b; initial a; final b; a -> b { } b -> a
         { (exists i : int . x' = 2 * i) and havoc(x) } }",
    ];
    let accepted = damaged((11, 5000), (&seeds, PIECES), nts::read, |found, text| {
        found.validate().unwrap_or_else(|message| panic!("{message}\n{text}"));
    });
    assert!(accepted > 100, "only {accepted} damaged files are still programs");
}
