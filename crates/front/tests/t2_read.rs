//! T2's language: what flows its files are, and what is said about mistakes.

use alphorn_front::t2::{self, Flow};
use alphorn_front::{Code, Severity};
use alphorn_program::clauses::clauses;
use alphorn_program::form::Action;
use alphorn_testkit::reading::{clean, complains, damaged};

const SAFE: &str = "START: 0;\nCUTPOINT: bad; // never\nFROM: 0; x := 1; AT(3,\"c:\\a\\b.c \") y := x + 1;\nTO: 1;\n\
    FROM: 1; assume(y <= x || !(x == 1)); TO: bad;\n# done\n";

#[track_caller]
fn flow(text: &str) -> Flow {
    let flow = clean(t2::read(text.as_bytes()), text);
    flow.program.validate().expect("what is read is valid");
    flow
}

/// The steps of the transitions, by their kinds.
fn kinds(flow: &Flow) -> Vec<&'static str> {
    let blocks = flow.program.procs[0].blocks.iter();
    let kind = |action: &Action| match action {
        Action::Assign(_) => "assign",
        Action::Havoc(_) => "havoc",
        Action::Assume(_) => "assume",
        Action::Check(_) => "check",
        _ => "other",
    };
    blocks.flat_map(|block| &block.steps).map(|step| kind(&step.action)).collect()
}

#[track_caller]
fn complain(text: &str, expected: &[(Code, &str, &str)]) {
    complains(t2::read(text.as_bytes()), text, expected);
}

#[test]
fn transitions_are_blocks_and_the_cutpoint_is_checked() {
    let found = flow(SAFE);
    assert_eq!(kinds(&found), ["check", "assign", "assign", "assume"]);
    assert_eq!(found.locations.len(), 3);
    assert_eq!(found.cutpoint, Some(found.locations["bad"]));
    let open = flow("START: 0; CUTPOINT: 1; FROM: 0; assume(x > 3); TO: 1;");
    assert_eq!(clauses(&open.program).horn.clauses.len(), 1);
}

#[test]
fn what_is_not_known_is_any_value() {
    let of = |commands: &str| kinds(&flow(&format!("START: a; FROM: a; {commands} TO: a;")));
    assert_eq!(of("x := nondet();"), ["havoc"]);
    assert_eq!(of("x := y % 3;"), ["havoc"]);
    assert_eq!(of("x := nondet() + y / 2;"), ["havoc", "assign"]);
    assert_eq!(of("assume(nondet() > x * y);"), ["havoc", "assume"]);
}

#[test]
fn shadows_and_names_of_locations_are_kept() {
    let found = flow("START: l1; SHADOW(x, x_old); FROM: l1; x_old := x; TO: -2;");
    assert_eq!(found.shadows.len(), 1);
    assert!(found.locations.contains_key("-2"));
    assert_eq!(found.cutpoint, None);
}

#[test]
fn safety_needs_a_cutpoint() {
    let (found, diagnostics) = t2::read_safety(b"START: 0; FROM: 0; x := x - 1; TO: 0;");
    assert!(found.is_none());
    assert_eq!(diagnostics.worst(), Some(Severity::Unsupported));
    assert_eq!(diagnostics.list[0].code, Code::T2Unsupported);
    assert!(t2::read_safety(SAFE.as_bytes()).0.is_some());
}

#[test]
fn mistakes_are_reported_at_their_place_and_reading_goes_on() {
    complain(
        "START: 0;\nFROM: 0; x = 1; TO: 1;\nFROM: 1; assume(x + 1); TO 2;\nFROM: 1; y := z",
        &[
            (Code::T2Syntax, "=", "`:=`"),
            (Code::T2Syntax, "2", "`:`"),
            (Code::T2Syntax, "", "ends here"),
        ],
    );
    complain(
        "START: 0; FROM: 0; assume(x + 1); TO: 1; FROM: 0; x := (y < 2); TO: 0; FROM: 0; x := rand(); TO: 0;",
        &[
            (Code::T2Sort, "x + 1", "formula is needed"),
            (Code::T2Sort, "(y < 2)", "number is needed"),
            (Code::T2Syntax, "rand", "nondet()"),
        ],
    );
    complain("FROM: 0; TO: 1;", &[(Code::T2Syntax, "", "START")]);
    complain("START: 0; START: 1;", &[(Code::T2Syntax, "START", "before")]);
}

#[test]
fn damaged_files_are_read_without_panic() {
    const PIECES: &[&str] = &[
        "FROM:",
        "TO:",
        "START:",
        "CUTPOINT:",
        "SHADOW(",
        ";",
        ":",
        "(",
        ")",
        ":=",
        "assume(",
        "nondet()",
        "x",
        "0",
        "<",
        "&&",
        "!",
        "AT(",
        "\"",
        "//",
        "#",
        "/*",
        "\u{e9}",
        "\0",
        "99999999999999999999",
    ];
    let accepted = damaged((3, 5000), (&[SAFE], PIECES), t2::read, |found, _| {
        found.program.validate().unwrap();
    });
    assert!(accepted > 100, "only {accepted} damaged files are still flows");
}
