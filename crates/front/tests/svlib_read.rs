//! SV-LIB: what programs scripts are, what is said about mistakes, and what is written.

use alphorn_front::{Code, Severity, nts, svlib};
use alphorn_program::Program;
use alphorn_program::clauses::clauses;
use alphorn_program::form::{Action, Jump};
use alphorn_testkit::reading::{clean, complains, damaged, plain};

#[track_caller]
fn program(text: &str) -> Program {
    let program = clean(svlib::read(text.as_bytes()), text);
    program.validate().unwrap_or_else(|message| panic!("{message}\n{text}"));
    program
}

/// A procedure `main` over an integer `x`, with this body.
fn main(body: &str) -> String {
    format!("(define-proc main () () ((x Int) (y Int)) {body})\n(verify-call main ())")
}

/// The formulas of all checks, in the order of blocks.
fn checks(program: &Program) -> Vec<String> {
    let blocks = program.procs.iter().flat_map(|proc| &proc.blocks);
    let steps = blocks.flat_map(|block| &block.steps);
    let checks = steps.filter_map(|step| match &step.action {
        Action::Check(check) => Some(plain(&program.terms.show(check.formula))),
        _ => None,
    });
    checks.collect()
}

#[track_caller]
fn complain(text: &str, expected: &[(Code, &str, &str)]) {
    complains(svlib::read(text.as_bytes()), text, expected);
}

#[test]
fn statements_become_blocks() {
    let found = program(&main(
        "(sequence (assign (x 0) (y x)) (while (< x 3) (if (= y 1) (break) (assign (x (+ x 1)))))
          (havoc x) (choice (assume (> x 0)) (sequence) (return)) (! (sequence) :check-true (= x 3)))",
    ));
    let blocks = &found.procs[0].blocks;
    assert!(matches!(&blocks[0].steps[0].action, Action::Assign(pairs) if pairs.len() == 2));
    let branches = blocks.iter().filter(|block| matches!(block.jump, Jump::Branch(..))).count();
    assert_eq!(branches, 2);
    assert!(
        blocks.iter().any(|block| matches!(&block.jump, Jump::Choose(ways) if ways.len() == 3))
    );
    assert_eq!(checks(&found), ["(= x 3)"]);
    assert!(!clauses(&found).horn.clauses.is_empty());
}

#[test]
fn checks_stand_where_their_statement_is_reached() {
    // The check comes before what its statement does.
    let found = program(&main("(! (assign (x 1)) :check-true (= x 0))"));
    let steps = &found.procs[0].blocks[0].steps;
    assert!(matches!(steps[0].action, Action::Check(_)));
    assert!(matches!(steps[1].action, Action::Assign(_)));
    // Who jumps to an annotated label reaches its check.
    let found = program(&main("(sequence (goto a) (! (label a) :check-true (= x 0)) (goto a))"));
    let blocks = &found.procs[0].blocks;
    assert!(blocks.iter().any(|block| {
        matches!(block.jump, Jump::Goto(to) if !blocks[to.0 as usize].steps.is_empty())
    }));
    assert_eq!(checks(&found).len(), 1);
}

#[test]
fn contracts_and_invariants_are_checked_by_their_tags() {
    let found = program(
        "(define-proc f ((a Int)) ((r Int)) ((i Int))
           (! (sequence (assign (i 0)) (! (while (< i a) (assign (i (+ i 1)))) :tag loop)
                (if (= i 7) (return)) (assign (r i))) :tag f))
         (annotate-tag f :requires (<= 0 a) :ensures (= r a))
         (annotate-tag loop :invariant (<= i a))
         (declare-const c Int) (assert (> c 0)) (verify-call f (c))",
    );
    let found_checks = checks(&found);
    assert_eq!(found_checks.len(), 2, "{found_checks:?}");
    assert!(found_checks.iter().any(|check| check == "(<= i a)"));
    assert!(found_checks.iter().any(|check| check.contains("requires")), "{found_checks:?}");
    // A return passes the contract: one block returns, and it follows the check.
    let returns = found.procs[0].blocks.iter().filter(|block| matches!(block.jump, Jump::Return));
    let returns: Vec<_> = returns.collect();
    assert_eq!(returns.len(), 1);
    assert!(returns[0].steps.iter().any(|step| matches!(step.action, Action::Check(_))));
    assert_eq!(found.entry, found.find_proc("verify-call"));
}

#[test]
fn procedures_may_be_called_before_they_are_defined() {
    let found = program(
        "(declare-var g Real)
         (define-proc main () () ((x Int)) (call inc (x) (x)))
         (define-proc inc ((a Int)) ((r Int)) () (sequence (assign (r (+ a 1)) (g (+ g 1)))))
         (verify-call main ())",
    );
    assert_eq!(found.procs.len(), 2);
    assert_eq!(found.entry, found.find_proc("main"));
}

#[test]
fn functions_that_are_left_open_are_arrays_that_nothing_changes() {
    let found = program(
        "(declare-fun f (Int Bool) Int) (declare-const c Int) (declare-fun unused (Int) Int)
         (define-fun twice ((a Int)) Int (* 2 a))
         (define-proc main () () ((x Int)) (sequence (assign (x (f c true)))
           (! (sequence) :check-true (= (twice x) (f x (= x c))))))
         (assert (forall ((i Int)) (= (f i true) 0)))
         (verify-call main ())",
    );
    assert_eq!(found.globals.len(), 2);
    assert!(found.start.is_some());
    let check = &checks(&found)[0];
    assert!(check.contains("select"), "{check}");
}

#[test]
fn mistakes_are_reported_at_their_place_and_reading_goes_on() {
    complain(
        "(define-proc f () () ((x Int)) (sequence (asign (x 1))))\n(define-proc g () () () (break))\n(verify-call h ())",
        &[
            (Code::SvlibStatement, "asign", "no statement"),
            (Code::SvlibStatement, "break", "no loop"),
            (Code::SmtUndeclared, "h", "no procedure"),
        ],
    );
    complain(
        &main("(sequence (goto a) (assign (x true)))"),
        &[(Code::SvlibSort, "(x true)", "Int is needed")],
    );
    complain(&main("(sequence (goto a))"), &[(Code::SvlibStatement, "a", "no label")]);
    complain(&main("(sequence (label a) (label a))"), &[(Code::SvlibStatement, "a", "twice")]);
    complain(&main("(assign (z 1))"), &[(Code::SvlibSort, "z", "no variable")]);
    complain(&main("(assume (+ x 1))"), &[(Code::SvlibSort, "(+ x 1)", "formula")]);
    complain(&main("(if true)"), &[(Code::SmtSyntax, ")", "statement expected")]);
    complain(
        &format!("{}\n(annotate-tag t :check-true true)", main("(sequence)")),
        &[(Code::SvlibTag, "t", "no statement has")],
    );
    complain("(define-proc f () () () (sequence))", &[(Code::SmtNoQuery, "", "verify-call")]);
    complain("(verify-cal f ())", &[(Code::SmtSyntax, "verify-cal", "`verify-call`")]);
    complain(
        "(set-option :threads 4)\n(define-proc f () () () (return))\n(verify-call f ())\n(assert false)",
        &[
            (Code::SmtOption, ":threads", "no effect"),
            (Code::SmtIgnored, "(assert false)", "no effect"),
        ],
    );
}

#[test]
fn termination_is_unsupported() {
    let text = main("(! (while (> x 0) (assign (x (- x 1)))) :tag l :decreases x)");
    let (found, diagnostics) = svlib::read(text.as_bytes());
    assert!(found.is_none());
    assert_eq!(diagnostics.worst(), Some(Severity::Unsupported));
    assert_eq!(diagnostics.list[0].code, Code::SvlibUnsupported);
}

#[test]
fn depth_is_bounded_by_memory_alone() {
    let depth = 100_000;
    let text = main(&format!("{}{}", "(sequence ".repeat(depth), ")".repeat(depth)));
    assert_eq!(program(&text).procs.len(), 1);
}

const SCRIPTS: &[&str] = &[
    "(set-logic LIA)\n(declare-var g Int)\n(define-proc f ((a Int)) ((r Int)) () (sequence (assign (r (+ a g)))
     (if (> r 3) (return) (assign (g r)))))\n(define-proc main () () ((x Int) (y Bool)) (! (sequence (havoc y)
     (! (while (< x 3) (call f (x) (x))) :tag w :invariant (or y (< x 9))) (choice (assume y) (goto e))
     (! (sequence) :check-true (= x 3)) (label e)) :tag m :ensures (> x 1)))\n(assert (= g 1))\n(verify-call main ())",
    "(declare-sort T 0)\n(declare-var a (Array Int T))\n(define-proc main ((t T)) () ((a T))
     (sequence (assign (a t)) (while true (assign (a (ite (= a t) a t)))) ))\n(declare-const k T)\n(verify-call main (k))",
];

#[test]
fn what_is_written_reads_as_the_same_program() {
    let system = "nts t; x, y : int; init x = 0; main { initial a; error e; final b; a -> b { x' > y and havoc(x) }
        b -> a { x' = f(y) and havoc(x) } b -> e { x > 3 and havoc() } }
        f { in p : int; out r : int; initial s; final t; s -> t { r' >= p and havoc(r) } s -> s { } }";
    let of_system = nts::read(system.as_bytes()).0.unwrap();
    let programs = SCRIPTS.iter().map(|text| program(text)).chain([of_system]);
    for first in programs {
        let text = svlib::write(&first);
        let second = program(&text);
        let again = svlib::write(&second);
        let third = program(&again);
        assert_eq!(svlib::write(&third), again, "{text}");
        assert_eq!(checks(&third), checks(&second));
        assert_eq!(checks(&first).len(), checks(&second).len(), "{text}");
        let count = |program: &Program| clauses(program).horn.clauses.len();
        assert_eq!(count(&second), count(&third));
    }
}

const PIECES: &[&str] = &[
    "(",
    ")",
    "x",
    "(assign (x 1))",
    "(label a)",
    "(goto a)",
    "(break)",
    "(return)",
    "(! ",
    ":tag t",
    ":check-true true",
    "(while true ",
    "(if true ",
    "(choice ",
    "(havoc x)",
    "(call f (x) (x))",
    "|",
    "\"",
    "Int",
    "(assume ",
    "0",
    ":ensures",
    ":requires",
    "\u{e9}",
    "\0",
];

#[test]
fn damaged_files_are_read_without_panic() {
    let accepted = damaged((5, 4000), (SCRIPTS, PIECES), svlib::read, |found, text| {
        found.validate().unwrap_or_else(|message| panic!("{message}\n{text}"));
        let written = svlib::write(&found);
        let (again, said) = svlib::read(written.as_bytes());
        assert!(again.is_some(), "{said:?}\n{text}\n{written}");
    });
    assert!(accepted > 20, "only {accepted} damaged files are still programs");
}
