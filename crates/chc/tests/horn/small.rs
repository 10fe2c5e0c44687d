//! Systems small enough to read: safe, unsafe, and outside what evaluation can decide.

use crate::run;
use alphorn_engine::Event;
use alphorn_testkit::read::horn as read;

/// Runs `forward` on the text and compares the line.
#[track_caller]
fn check(text: &str, ticks: u64, expected: &str) {
    let horn = read(text);
    let (line, used, events) = run("forward", &horn, ticks);
    assert_eq!(line, expected);
    let again = run("forward", &horn, ticks);
    assert_eq!((line, used, events), again, "two runs are the same run");
}

const PLENTY: u64 = 1_000_000;
const SAMPLED: &str = "stuck: no query fires on the facts found, but variables over large sorts \
                       were only sampled";

#[test]
fn counting_to_a_bound() {
    let text = |limit: u32| {
        format!(
            "(set-logic HORN) (declare-fun p (Int) Bool)
             (assert (forall ((x Int)) (=> (= x 0) (p x))))
             (assert (forall ((x Int) (y Int)) (=> (and (p x) (< x 5) (= y (+ x 1))) (p y))))
             (assert (forall ((x Int)) (=> (and (p x) (= x {limit})) false)))"
        )
    };
    check(&text(5), PLENTY, "unsafe, 7 steps");
    check(&text(6), PLENTY, "safe");
}

#[test]
fn a_query_without_predicates() {
    let text = |constraint: &str| {
        format!(
            "(set-logic HORN)
             (assert (forall ((a Bool) (b (_ BitVec 3)) (x Int)) (=> {constraint} false)))"
        )
    };
    check(&text("(and a (= b #b101))"), PLENTY, "unsafe, 1 steps");
    check(&text("(and a (not a))"), PLENTY, "safe");
    check(&text("(and (bvult b #b010) (bvult #b100 b))"), PLENTY, "safe");
    check(&text("(and (<= 3 x) (< x 4))"), PLENTY, "unsafe, 1 steps");
    check(&text("(and (> (* x x) 1002001) (< (* x x) 1006009))"), PLENTY, SAMPLED);
}

#[test]
fn predicates_without_arguments_or_facts() {
    let text = |extra: &str| {
        format!(
            "(set-logic HORN) (declare-fun p () Bool) (declare-fun q () Bool)
             (declare-fun r () Bool)
             (assert p) (assert (=> (and p q) r)) (assert (=> r false)) {extra}"
        )
    };
    check(&text(""), PLENTY, "safe");
    check(&text("(assert (=> p q))"), PLENTY, "unsafe, 4 steps");
    assert_eq!(run("vacuous", &read(&text("")), PLENTY).0, "safe");
    let open = run("vacuous", &read(&text("(assert (=> p q))")), PLENTY).0;
    assert_eq!(open, "stuck: the predicates of some query can be derived, if constraints allow it");
}

#[test]
fn no_clauses_or_no_queries() {
    check("(set-logic HORN) (declare-fun p (Int) Bool)", PLENTY, "safe");
    check(
        "(set-logic HORN) (declare-fun p (Int) Bool) (assert (forall ((x Int)) (p x)))",
        PLENTY,
        "safe",
    );
}

#[test]
fn even_and_odd() {
    let text = |query: &str| {
        format!(
            "(set-logic HORN)
             (declare-fun even ((_ BitVec 4)) Bool) (declare-fun odd ((_ BitVec 4)) Bool)
             (assert (even #x0))
             (assert (forall ((n (_ BitVec 4))) (=> (even n) (odd (bvadd n #x1)))))
             (assert (forall ((n (_ BitVec 4))) (=> (odd n) (even (bvadd n #x1)))))
             (assert (forall ((n (_ BitVec 4))) (=> {query} false)))"
        )
    };
    check(&text("(and (even n) (odd n))"), PLENTY, "safe");
    check(&text("(and (even n) (bvugt n #xa))"), PLENTY, "unsafe, 14 steps");
}

#[test]
fn fibonacci_needs_two_facts_at_once() {
    let text = |value: u32| {
        format!(
            "(set-logic HORN) (declare-fun fib (Int Int) Bool)
             (assert (fib 0 1)) (assert (fib 1 1))
             (assert (forall ((n Int) (m Int) (a Int) (b Int))
               (=> (and (fib n a) (fib m b) (= m (+ n 1)) (< m 15)) (fib (+ n 2) (+ a b)))))
             (assert (forall ((r Int)) (=> (and (fib 15 r) (= r {value})) false)))"
        )
    };
    // Shared premises make the derivation as long as the sequence, not as large as the tree.
    check(&text(987), PLENTY, "unsafe, 17 steps");
    check(&text(988), PLENTY, "safe");
}

#[test]
fn a_tree_of_calls() {
    let text = |height: u32| {
        format!(
            "(set-logic HORN) (declare-fun tree (Int Int) Bool)
             (assert (tree 0 1))
             (assert (forall ((h Int) (a Int) (b Int))
               (=> (and (tree h a) (tree h b) (< h 6)) (tree (+ h 1) (+ a b)))))
             (assert (forall ((h Int) (s Int)) (=> (and (tree h s) (= h {height}) (> s 63)) false)))"
        )
    };
    check(&text(6), PLENTY, "unsafe, 8 steps");
    check(&text(5), PLENTY, "safe");
}

#[test]
fn mccarthy_91_goes_deep() {
    let text = "(set-logic HORN) (declare-fun mc (Int Int) Bool)
        (assert (forall ((n Int)) (=> (and (> n 100) (<= n 111)) (mc n (- n 10)))))
        (assert (forall ((n Int) (t Int) (r Int) (m Int))
          (=> (and (mc m t) (mc t r) (= m (+ n 11)) (<= n 100)) (mc n r))))
        (assert (forall ((n Int) (r Int)) (=> (and (mc n r) (= n 97) (= r 91)) false)))";
    check(text, PLENTY, "unsafe, 10 steps");
}

#[test]
fn bodies_with_atoms_under_disjunctions() {
    let text = |limit: &str| {
        format!(
            "(set-logic HORN)
             (declare-fun p ((_ BitVec 3)) Bool) (declare-fun q ((_ BitVec 3) Bool) Bool)
             (assert (p #b000))
             (assert (forall ((x (_ BitVec 3)) (y (_ BitVec 3)) (b Bool))
               (=> (or (and (p x) (= y (bvadd x #b010)) b)
                       (and (or (q x true) (and (p x) (bvult x #b001))) (= y x) (not b)))
                   (q y b))))
             (assert (forall ((x (_ BitVec 3))) (=> (or (q x false) (p x)) (p x))))
             (assert (forall ((x (_ BitVec 3)) (b Bool)) (=> (and (q x b) (= x {limit})) false)))"
        )
    };
    check(&text("#b110"), PLENTY, "unsafe, 9 steps");
    check(&text("#b101"), PLENTY, "safe");
}

#[test]
fn the_shortest_of_several_queries() {
    let text = "(set-logic HORN) (declare-fun p (Int) Bool)
        (assert (p 0))
        (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (p x) (= x 40)) false)))
        (assert (forall ((x Int)) (=> (and (p x) (= x 4)) false)))";
    check(text, PLENTY, "unsafe, 6 steps");
}

#[test]
fn unbounded_systems_end_with_the_budget() {
    let text = "(set-logic HORN) (declare-fun p (Int) Bool)
        (assert (p 0))
        (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))";
    check(text, 20_000, "out of ticks");
    let (_, _, events) = run("forward", &read(text), 20_000);
    assert!(events.contains(&Event::Bound { depth: 100 }), "nothing was sampled");
}

#[test]
fn values_are_solved_for() {
    let text = "(set-logic HORN) (declare-fun p (Int Real (_ BitVec 8)) Bool)
        (assert (forall ((x Int) (r Real) (w (_ BitVec 8)))
          (=> (and (= 12 (+ (* 3 x) 6)) (= 1.5 (- 2.0 (* 4.0 r))) (= #x07 (bvadd (bvmul #x03 w) #x01)))
              (p x r w))))
        (assert (forall ((x Int) (r Real) (w (_ BitVec 8)))
          (=> (and (p x r w) (= x 2) (= r 0.125) (= w #x02)) false)))";
    check(text, PLENTY, "unsafe, 2 steps");
}

#[test]
fn functions_are_unfolded_into_their_callers() {
    // The facts of `square` and `step` that matter cannot be guessed, but they can be computed.
    let text = "(set-logic HORN)
        (declare-fun square (Int Int) Bool) (declare-fun step (Int Int) Bool)
        (declare-fun main (Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (= y (* x x)) (square x y))))
        (assert (forall ((x Int) (y Int)) (=> (and (square x y) (< y 900)) (step x (+ y 7)))))
        (assert (forall ((x Int) (y Int)) (=> (and (> x 29) (= y (- x 1))) (step x y))))
        (assert (main 3))
        (assert (forall ((x Int) (y Int)) (=> (and (main x) (step x y)) (main y))))
        (assert (forall ((x Int)) (=> (and (main x) (= x 263)) false)))";
    check(text, PLENTY, "unsafe, 8 steps");
}

#[test]
fn arrays_and_datatypes() {
    let arrays = "(set-logic HORN) (declare-fun p ((Array Int Int) Int) Bool)
        (assert (forall ((a (Array Int Int))) (=> (= a ((as const (Array Int Int)) 0)) (p a 0))))
        (assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int))
          (=> (and (p a i) (< i 4) (= b (store a i (* i i)))) (p b (+ i 1)))))
        (assert (forall ((a (Array Int Int)) (i Int))
          (=> (and (p a i) (= (select a 3) 9)) false)))";
    check(arrays, PLENTY, "unsafe, 6 steps");
    let lists = |length: u32| {
        format!(
            "(set-logic HORN)
             (declare-datatypes ((list 0)) (((nil) (cons (head Int) (tail list)))))
             (declare-fun len (list Int) Bool)
             (assert (len nil 0))
             (assert (forall ((l list) (n Int)) (=> (and (len l n) (< n 3)) (len (cons 7 l) (+ n 1)))))
             (assert (forall ((l list) (n Int))
               (=> (and (len l n) (= n {length}) ((_ is cons) l) (= (head l) 7)) false)))"
        )
    };
    check(&lists(3), PLENTY, "unsafe, 5 steps");
    check(&lists(4), PLENTY, "safe");
}

#[test]
fn division_by_zero_is_nobodys_friend() {
    let text = "(set-logic HORN) (declare-fun p (Int) Bool)
        (assert (p 0))
        (assert (forall ((x Int)) (=> (and (p x) (= (div 1 x) 3)) false)))";
    let expected =
        "stuck: no query fires on the facts found, but some instances of clauses have no value";
    check(text, PLENTY, expected);
}

#[test]
fn background_functions_stay_open() {
    let text = "(set-logic HORN) (declare-fun p (Int) Bool) (declare-fun f (Int) Int)
        (assert (p 0))
        (assert (forall ((x Int)) (=> (and (p x) (= (f x) 3)) false)))";
    let horn = {
        let (script, _) = alphorn_front::smtlib::read(text.as_bytes());
        script.map(|script| script.horn)
    };
    if let Some(horn) = horn {
        let (line, ..) = run("forward", &horn, PLENTY);
        assert!(!line.starts_with("unsafe"), "{line}");
    }
}

#[test]
fn the_budget_is_deterministic() {
    let text = "(set-logic HORN) (declare-fun p (Int) Bool)
        (assert (p 0))
        (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))";
    check(text, 10, "out of ticks");
}

#[test]
fn what_a_call_returns_is_less_than_what_it_was_called_with() {
    // A procedure that counts its own depth, on a machine: the caller's number stays above the result.
    let text =
        "(set-logic HORN) (declare-fun called (Int) Bool) (declare-fun result (Int Int) Bool)
        (declare-fun after (Int Int) Bool)
        (assert (forall ((a Int)) (=> (<= 1 a 2147483647) (called a))))
        (assert (forall ((a Int)) (=> (and (called a) (= a 0)) (result a 0))))
        (assert (forall ((a Int)) (=> (and (called a) (not (= a 0))) (called (- a 1)))))
        (assert (forall ((a Int) (r Int))
          (=> (and (called a) (not (= a 0)) (result (- a 1) r)) (after a r))))
        (assert (forall ((a Int) (r Int)) (=> (after a r) (result a (+ r 1)))))
        (assert (forall ((a Int) (r Int)) (=> (and (after a r) (> (+ r 1) 2147483647)) false)))";
    let (line, _, _) = run("houdini", &read(text), 200_000);
    assert!(line.starts_with("safe"), "{line}");
}
