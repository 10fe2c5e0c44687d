//! Systems that are to be safe for every interpretation of their functions and sorts, and are not: what falsifies
//! them are functions that are terms. Evidence is always checked against the system as read.

#![allow(clippy::unwrap_used)]

use alphorn_chc::declared::simplify_interpreted;
use alphorn_chc::engines::HORN_ENGINES;
use alphorn_engine::{Ctx, Stop, Stopper};
use alphorn_front::evidence;
use alphorn_horn::{Simplified, conclude};
use alphorn_problem::{Horn, Verdict};
use alphorn_testkit::horn::judge::{card, judge};
use alphorn_testkit::read::horn as read;
use alphorn_testkit::stopped;

/// The verdict that `pdr` comes to.
fn decided(horn: &Horn) -> Result<Verdict<Horn>, Stop> {
    let mut sink = |_| ();
    let mut ctx = Ctx::new(20_000_000, Stopper::new(), 1, &mut sink);
    let Simplified { horn: small, back, .. } = simplify_interpreted(horn, &[], &mut ctx)?;
    let found = (card(&[HORN_ENGINES], "pdr").build)().run(&small, &mut ctx)?;
    let found = back.finding(found, &mut ctx)?;
    conclude(horn, found, &mut ctx)
}

/// That a system is unsafe for functions that are terms.
#[track_caller]
fn unsafe_under(text: &str) {
    check_start(text, "unsafe, 0 steps\n(interpretation");
}

/// Compares the beginning of what is said about a system.
#[track_caller]
fn check_start(text: &str, expected: &str) {
    let line = told(text);
    assert!(line.starts_with(expected), "{line}");
}

/// Compares all that is said about a system.
#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(told(text), expected);
}

/// The verdict about a system with these declarations, axioms and clauses, and what its evidence says of
/// functions; the evidence is checked as it is, and as it is read from its text.
#[track_caller]
fn told(text: &str) -> String {
    let horn = read(&format!("(set-option :functions every) (set-logic HORN) {text} (check-sat)"));
    match decided(&horn) {
        Err(stop) => stopped(&stop),
        Ok(verdict) => {
            let line = judge(&horn, &verdict);
            let text = evidence::print_horn(&horn, &verdict);
            let (again, diagnostics) = evidence::read_horn(text.as_bytes(), &horn);
            let again = again.unwrap_or_else(|| panic!("{diagnostics:?} in {text}"));
            assert_eq!(judge(&horn, &again[0]), line);
            match text.split_once("(proof") {
                Some((chosen, _)) => format!("{line}\n{}", chosen.trim_end()),
                None => line,
            }
        }
    }
}

/// A system whose predicate `p` has pairs of numbers: declarations and axioms, what is said of pairs, and what no pair is.
fn pairs(axioms: &str, pair: &str, is_never: &str) -> String {
    format!(
        "{axioms} (declare-fun p (Int Int) Bool)
         (assert (forall ((x Int)) (p x {pair})))
         (assert (forall ((x Int) (y Int)) (=> (and (p x y) {is_never}) false)))"
    )
}

#[test]
fn a_function_and_its_inverse_are_terms_in_the_evidence() {
    let axioms = "(declare-fun f (Int) Int) (declare-fun g (Int) Int)
        (assert (forall ((a Int)) (= (g (f a)) a)))";
    let found = "unsafe, 0 steps
(interpretation
  (array f!11 (Array Int Int) ((x!3 Int)) (+ (* (- 1) x!3) 1))
  (array g!12 (Array Int Int) ((x!7 Int)) (+ (* (- 1) x!7) 1)))";
    check(&pairs(axioms, "(f x)", "(distinct x y)"), found);
    check(&pairs(axioms, "(g (f x))", "(distinct x y)"), "safe");
}

#[test]
fn two_pairs_that_do_not_commute() {
    let axioms = "(declare-fun f (Int) Int) (declare-fun f_base (Int) Int)
        (declare-fun g (Int) Int) (declare-fun g_base (Int) Int)
        (assert (forall ((a Int)) (= (f_base (f a)) a)))
        (assert (forall ((a Int)) (= (g_base (g a)) a)))";
    unsafe_under(&pairs(axioms, "(g_base (f_base (g (f x))))", "(distinct x y)"));
    check(&pairs(axioms, "(f_base (g_base (g (f x))))", "(distinct x y)"), "safe");
}

#[test]
fn a_function_that_grows() {
    let axioms = "(declare-fun f (Int) Int)
        (assert (forall ((a Int) (b Int)) (=> (< a b) (< (f a) (f b)))))";
    unsafe_under(&pairs(axioms, "(f x)", "(> y x)"));
    unsafe_under(&pairs(axioms, "(f (f x))", "(< y x)"));
    check(&pairs(axioms, "(- (f (+ x 1)) (f x))", "(<= y 0)"), "safe");
}

#[test]
fn functions_of_two_arguments_and_of_reals() {
    let words = "(declare-fun f (Int Int) Int)
        (assert (forall ((a Int) (b Int) (c Int)) (=> (= (f a b) (f a c)) (= b c))))";
    unsafe_under(&pairs(words, "(f x x)", "(= y (* 2 x)) (> x 3)"));
    let reals = "(declare-fun f (Real) Real)
        (assert (forall ((a Real) (b Real)) (=> (< a b) (> (f a) (f b)))))";
    unsafe_under(&pairs(reals, "(to_int (f (to_real x)))", "(< y 0)"));
}

#[test]
fn functions_without_a_place_in_common() {
    let axioms = "(declare-fun f (Int) Int) (declare-fun g (Int) Int)
        (assert (forall ((a Int) (b Int)) (=> (= (f a) (f b)) (= a b))))
        (assert (forall ((a Int) (b Int)) (=> (= (g a) (g b)) (= a b))))
        (assert (forall ((a Int) (b Int)) (distinct (f a) (g b))))";
    unsafe_under(&pairs(axioms, "(f x)", "(> y (g x))"));
}

#[test]
fn words_that_are_told_apart() {
    unsafe_under(
        "(declare-fun f ((_ BitVec 8)) (_ BitVec 8)) (declare-fun p ((_ BitVec 8)) Bool)
         (assert (forall ((a (_ BitVec 8)) (b (_ BitVec 8))) (=> (= (f a) (f b)) (= a b))))
         (assert (p #x00))
         (assert (forall ((x (_ BitVec 8))) (=> (p x) (p (f x)))))
         (assert (forall ((x (_ BitVec 8))) (=> (and (p x) (= x #x03)) false)))",
    );
}

/// Heaps that are read and written, whose axioms have no finite model.
const HEAP: &str = "(declare-sort Heap 0)
    (declare-fun get (Heap Int) Int)
    (declare-fun put (Heap Int Int) Heap)
    (assert (forall ((h Heap) (i Int) (v Int)) (= (get (put h i v) i) v)))
    (assert (forall ((h Heap) (i Int) (j Int) (v Int))
      (=> (distinct i j) (= (get (put h i v) j) (get h j)))))
    (declare-fun state (Heap Int) Bool)
    (assert (forall ((h Heap)) (state (put h 0 5) 1)))
    (assert (forall ((h Heap) (n Int)) (=> (state h n) (state (put h n (+ (get h (- n 1)) 1)) (+ n 1)))))";

#[test]
fn elements_that_are_read_and_written_are_arrays() {
    let query = |goal: &str| {
        format!("{HEAP} (assert (forall ((h Heap) (n Int)) (=> (and (state h n) {goal}) false)))")
    };
    let found = "unsafe, 0 steps
(interpretation
  (sort Heap (Array Int Int))";
    check_start(&query("(= n 3) (= (get h 2) 7)"), found);
    check(&query("(distinct (get h 0) 5) (= n 1)"), "safe");
}

#[test]
fn elements_of_other_sorts_are_numbers() {
    let things =
        "(declare-sort Thing 0) (declare-fun next (Thing) Thing) (declare-fun last () Thing)
        (assert (forall ((a Thing) (b Thing)) (=> (= (next a) (next b)) (= a b))))
        (assert (forall ((a Thing)) (distinct (next a) a)))
        (declare-fun at (Thing) Bool)
        (assert (forall ((a Thing)) (=> (distinct a last) (at (next (next a))))))";
    check_start(
        &format!("{things} (assert (forall ((a Thing)) (=> (and (at a) (= a last)) false)))"),
        "unsafe, 0 steps\n(interpretation\n  (sort Thing Int)",
    );
}

#[test]
fn maps_of_declared_sorts_to_declared_sorts() {
    check_start(
        "(declare-sort Map 0) (declare-sort Key 0) (declare-sort Item 0)
         (declare-fun get (Map Key) Item) (declare-fun put (Map Key Item) Map)
         (assert (forall ((m Map) (k Key) (v Item)) (= (get (put m k v) k) v)))
         (assert (forall ((m Map) (k Key) (l Key) (v Item))
           (=> (distinct k l) (= (get (put m k v) l) (get m l)))))
         (declare-fun both (Map Key Key Item) Bool)
         (assert (forall ((m Map) (k Key) (l Key) (v Item)) (both (put m k v) k l v)))
         (assert (forall ((m Map) (k Key) (l Key) (v Item))
           (=> (and (both m k l v) (distinct (get m l) v)) false)))",
        "unsafe, 0 steps\n(interpretation",
    );
}

/// With instances of axioms a cell that nobody names may be anything after a write elsewhere, so that the derivation that is
/// found first is none; the system with arrays in place of heaps has another one.
#[test]
fn another_derivation_is_looked_for_where_the_first_is_none() {
    let clauses = HEAP.split_once("(declare-fun state").unwrap().0;
    unsafe_under(&format!(
        "{clauses} (declare-fun state (Heap Int Int) Bool)
         (assert (forall ((h Heap) (k Int)) (=> (< k 0) (state (put h k 5) 0 k))))
         (assert (forall ((h Heap) (n Int) (k Int)) (=> (state h n k) (state (put h n 0) (+ n 1) k))))
         (assert (forall ((h Heap) (k Int)) (=> (state h 3 k) (state (put h k 6) 4 k))))
         (assert (forall ((h Heap) (n Int) (k Int)) (=> (and (state h n k) (= (get h k) 6)) false)))"
    ));
}

/// That nothing satisfies them takes infinitely many instances, so that it is not found out.
#[test]
fn axioms_that_nothing_satisfies_make_no_system_unsafe() {
    let axioms = "(declare-fun f (Int) Int) (assert (forall ((a Int)) (> (f a) (f (+ a 1)))))
        (assert (forall ((a Int)) (>= (f a) (f 0))))";
    check(
        &pairs(axioms, "(f x)", "(> y x)"),
        "stuck: no functions are found that satisfy the axioms and allow the derivation",
    );
}
