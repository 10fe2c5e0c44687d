//! Lists and trees: derivations by every engine that asks a solver, and invariants that a few
//! constructors and fields express.

use crate::{ask, read};

const LISTS: &str = "(set-logic HORN)
    (declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))";

/// Asks each engine about a text after the declaration of lists, and compares how the line begins.
#[track_caller]
fn check(engines: &[&str], text: &str, expected: &str) {
    let horn = read(&format!("{LISTS} {text}"));
    for engine in engines {
        let (line, _) = ask(engine, &horn, 2_000_000);
        assert!(line.starts_with(expected), "{engine}: {line}");
    }
}

#[test]
fn values_of_lists_are_found() {
    let text = "(declare-fun sum (List Int Int) Bool)
        (assert (sum nil 0 0))
        (assert (forall ((x List) (a Int) (s Int) (n Int))
          (=> (and (sum x s n) (> a 2)) (sum (cons a x) (+ s a) (+ n 1)))))
        (assert (forall ((x List)) (=> (sum x 10 3) false)))";
    check(&["pdr", "duality", "bmc-backward", "bmc-forward"], text, "unsafe");
}

#[test]
fn first_elements_are_compared() {
    let text = "(declare-fun insert (Int List List) Bool)
        (assert (forall ((a Int)) (insert a nil (cons a nil))))
        (assert (forall ((a Int) (b Int) (x List))
          (=> (<= a b) (insert a (cons b x) (cons a (cons b x))))))
        (assert (forall ((a Int) (b Int) (x List) (y List))
          (=> (and (> a b) (insert a x y)) (insert a (cons b x) (cons b y)))))
        (assert (forall ((a Int) (x List) (y List))
          (=> (and (insert a x y) ((_ is cons) x) (> (head y) (head x))) false)))";
    check(&["pdr", "duality"], text, "safe");
}

/// A list inside an array: what is read is what was written.
#[test]
fn arrays_of_lists() {
    let text = |query: &str| {
        format!(
            "(declare-fun p ((Array Int List) Int) Bool)
             (assert (p ((as const (Array Int List)) nil) 0))
             (assert (forall ((a (Array Int List)) (n Int))
               (=> (p a n) (p (store a 0 (cons n (select a 0))) (+ n 1)))))
             (assert (forall ((a (Array Int List)) (n Int)) (=> (and (p a n) {query}) false)))"
        )
    };
    check(&["pdr"], &text("(> n 0) (= (select a 0) nil)"), "safe");
    check(
        &["pdr", "bmc-backward"],
        &text("(= (tail (select a 0)) (cons 0 nil)) (= n 2)"),
        "unsafe",
    );
}
