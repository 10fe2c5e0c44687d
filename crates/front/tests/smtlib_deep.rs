//! Terms nested a million deep are read, printed, read again and dropped without recursion.

use alphorn_front::Code;
use alphorn_front::smtlib::{print_horn, read};
use alphorn_testkit::same::read_sound;

const DEEP: usize = 1_000_000;
const PRELUDE: &str = "(declare-fun P (Int) Bool)
(declare-fun f (Int) Int)
(declare-fun g (Bool) Int)
(declare-datatype N ((z) (s (p N))))
(declare-fun D (N) Bool)
";

/// Reads an assertion, prints it and reads it again, on a stack of ordinary size.
#[track_caller]
fn check(assertion: String) {
    let script = format!("{PRELUDE}(assert {assertion})(check-sat)");
    drop(assertion);
    let horn = read_sound(script.as_bytes()).horn;
    assert_eq!(horn.clauses.len(), 1);
    let text = print_horn(&horn);
    let again = read_sound(text.as_bytes()).horn;
    assert_eq!(print_horn(&again), text);
}

fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    let mut text = String::with_capacity(depth * (open.len() + close.len()) + inner.len());
    (0..depth).for_each(|_| text.push_str(open));
    text.push_str(inner);
    (0..depth).for_each(|_| text.push_str(close));
    text
}

#[test]
fn applications() {
    check(format!("(P {})", nested("(f ", "0", ")", DEEP)));
    check(format!("(D {})", nested("(s ", "z", ")", DEEP)));
}

#[test]
fn negations_and_annotations() {
    check(nested("(not ", "(P 0)", ")", DEEP));
    let named = nested("(! ", "(P 0)", " :q 1)", DEEP);
    let script = format!("{PRELUDE}(assert {named})(check-sat)");
    assert!(read(script.as_bytes()).0.is_some());
}

#[test]
fn lets() {
    check(nested("(let ((x (f 0))) ", "(P x)", ")", DEEP));
    check(format!("(let ((x 0)) {})", nested("(let ((x (f x))) ", "(P x)", ")", DEEP)));
}

#[test]
fn connectives() {
    let nested_or = nested("(or (P 1) (and (P 2) ", "(P 3)", "))", DEEP / 10);
    check(format!("(=> {nested_or} false)"));
    check(nested("(=> (P 1) ", "(P 2)", ")", DEEP));
    let nested_ite = nested("(ite (< (f 0) 1) (P 1) (and (P 2) ", "(P 3)", "))", DEEP / 10);
    check(format!("(=> {nested_ite} false)"));
}

#[test]
fn mixed_formulas_and_terms() {
    check(format!("(P {})", nested("(g (= 1 ", "0", "))", DEEP / 2)));
    check(format!("(P {})", nested("(+ 1 (* 2 (f ", "0", ")))", DEEP / 3)));
}

#[test]
fn quantifiers() {
    check(nested("(forall ((x Int)) ", "(P x)", ")", DEEP / 10));
    check(format!("(=> {} false)", nested("(exists ((x Int)) ", "(P x)", ")", DEEP / 10)));
}

#[test]
fn parentheses_that_never_close() {
    for piece in ["(", "(assert ", "(f ", "((_ ", "(let ((x ", "(forall ((x (Array "] {
        let script = format!("(assert {}", nested(piece, "", "", DEEP));
        let (problem, diagnostics) = read(script.as_bytes());
        assert!(problem.is_none(), "{piece}");
        assert!(diagnostics.list.iter().all(|d| d.code != Code::SmtNotHorn), "{piece}");
    }
}
