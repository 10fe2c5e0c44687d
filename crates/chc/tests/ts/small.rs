//! Systems small enough to read, and what each engine says about them.

use crate::run;
use alphorn_engine::Event;
use alphorn_testkit::read::horn as read;

/// The engines that prove and refute.
pub const PROVERS: [&str; 3] = ["kind", "pdkind", "imc"];
const PLENTY: u64 = 20_000_000;

/// What the engines say about the text.
#[track_caller]
fn check(engines: &[&str], text: &str, expected: &str) {
    let horn = read(text);
    for engine in engines {
        let (line, used, events) = run(engine, &horn, PLENTY);
        assert_eq!(line, expected, "{engine}");
        assert_eq!((line, used, events), run(engine, &horn, PLENTY), "two runs are the same run");
    }
}

/// A counter that goes round below a limit.
fn counter(query: &str) -> String {
    format!(
        "(set-logic HORN) (declare-fun p (Int) Bool) (assert (p 0))
         (assert (forall ((x Int)) (=> (p x) (p (ite (= x 9) 0 (+ x 1))))))
         (assert (forall ((x Int)) (=> (and (p x) {query}) false)))"
    )
}

#[test]
fn a_counter_goes_round() {
    check(&PROVERS, &counter("(> x 9)"), "safe");
    check(&PROVERS, &counter("(= x 4)"), "unsafe, 6 steps");
    check(&["bmc"], &counter("(= x 4)"), "unsafe, 6 steps");
    let (line, _, events) = run("bmc", &read(&counter("(> x 9)")), 20_000);
    assert_eq!(line, "out of ticks");
    assert!(events.contains(&Event::Bound { depth: 12 }));
}

/// Good after three good states, but not after two: what is bad comes down a row of truth values.
#[test]
fn what_needs_several_states_becomes_an_invariant() {
    let text = "(set-logic HORN) (declare-fun p (Int Int Int Int) Bool)
        (assert (p 0 0 0 0))
        (assert (forall ((a Int) (b Int) (c Int) (d Int) (n Int)) (=> (and (p a b c d)
          (or (and (<= 0 n) (<= n 7)) (> d 7) (> n 100) (< n (- 100)))
          (or (<= n 7) (> d 7)) (>= n 0)) (p n a b c))))
        (assert (forall ((a Int) (b Int) (c Int) (d Int)) (=> (and (p a b c d) (> d 7)) false)))";
    check(&PROVERS, text, "safe");
}

#[test]
fn truth_values_and_numbers_together() {
    let text = |query: &str| {
        format!(
            "(set-logic HORN) (declare-fun p (Bool Real Real) Bool)
             (assert (forall ((x Real)) (=> (> x 0.0) (p false x x))))
             (assert (forall ((b Bool) (x Real) (y Real) (d Real)) (=> (and (p b x y) (>= d 0.0))
               (p (or b (> d 2.0)) (+ x d) (- y (ite b 1.0 0.0))))))
             (assert (forall ((b Bool) (x Real) (y Real)) (=> (and (p b x y) {query}) false)))"
        )
    };
    check(&PROVERS, &text("(< x y)"), "safe");
    check(&PROVERS, &text("(not b) (distinct x y) (> x 8.0) (< y 1.0)"), "unsafe, 6 steps");
}

/// Two loops one after the other, which fold into one with a location.
#[test]
fn several_predicates() {
    let text = |query: &str| {
        format!(
            "(set-logic HORN) (declare-fun p (Int Int) Bool) (declare-fun q (Int Int) Bool)
             (assert (forall ((n Int)) (=> (>= n 0) (p n 0))))
             (assert (forall ((n Int) (x Int)) (=> (and (p n x) (< x n)) (p n (+ x 1)))))
             (assert (forall ((n Int) (x Int)) (=> (and (p n x) (>= x n)) (q n x))))
             (assert (forall ((n Int) (x Int)) (=> (and (q n x) (> x 0)) (q n (- x 1)))))
             (assert (forall ((n Int) (x Int)) (=> (and (q n x) {query}) false)))"
        )
    };
    check(&["pdkind"], &text("(< x 0)"), "safe");
    check(&PROVERS, &text("(= n 2) (= x 1)"), "unsafe, 6 steps");
}

/// The query has a variable of its own, so that being bad is a matter of choice.
#[test]
fn queries_with_variables_of_their_own() {
    let text = |bound: &str| {
        format!(
            "(set-logic HORN) (declare-fun p (Int) Bool) (assert (p 3))
             (assert (forall ((x Int)) (=> (and (p x) (< x 90)) (p (+ x 3)))))
             (assert (forall ((x Int) (k Int)) (=> (and (p x) (= x (+ (* 3 k) {bound}))) false)))"
        )
    };
    check(&["kind", "pdkind"], &text("1"), "safe");
    check(&PROVERS, &text("(ite (> k 1) 0 1)"), "unsafe, 3 steps");
}

/// Values are sent, received and voted on, in three phases; what was sent is never forgotten.
#[test]
fn images_end_where_phases_do() {
    let text = |query: &str| {
        format!(
            "(set-logic HORN) (declare-fun p (Int Real Real Real) Bool)
             (assert (forall ((x Real)) (=> (distinct x 0.0) (p 0 x 0.0 0.0))))
             (assert (forall ((at Int) (x Real) (y Real) (z Real) (at2 Int) (y2 Real) (z2 Real))
               (=> (and (p at x y z)
                     (or (and (= at 0) (= at2 1) (or (= y2 x) (= y2 (- x))) (= z2 z))
                         (and (= at 1) (= at2 2) (= y2 y) (= z2 (ite (= x y) y 0.0)))
                         (and (= at 2) (= at2 2) (= y2 y) (= z2 z))))
                   (p at2 x y2 z2))))
             (assert (forall ((at Int) (x Real) (y Real) (z Real))
               (=> (and (p at x y z) (= at 2) {query}) false)))"
        )
    };
    check(&["image"], &text("(distinct z 0.0) (distinct z x)"), "safe");
    check(&["image"], &counter("(> x 9)"), "safe");
    let (line, ..) = run("image", &read(&text("(distinct z x)")), PLENTY);
    assert!(!line.contains("safe"), "it does not look for paths: {line}");
    // Regions of numbers that grow do not end.
    let grows = counter("(< x 0)").replace("(ite (= x 9) 0 (+ x 1))", "(+ x 1)");
    let (line, ..) = run("image", &read(&grows), PLENTY);
    assert!(!line.contains("safe"), "{line}");
}

/// Engines that live on interpolants, and take what interpolants are there for.
const SEPARATORS: [&str; 5] = ["imc", "pdkind", "tpa", "ic3", "la"];

#[test]
fn a_cell_that_is_never_written() {
    let text = |guard: &str| {
        format!(
            "(set-logic HORN) (declare-fun p ((Array Int Int)) Bool)
             (assert (forall ((a (Array Int Int))) (=> (= (select a 0) 1) (p a))))
             (assert (forall ((a (Array Int Int)) (j Int) (v Int))
               (=> (and (p a) {guard}) (p (store a j v)))))
             (assert (forall ((a (Array Int Int))) (=> (and (p a) (distinct (select a 0) 1)) false)))"
        )
    };
    check(&SEPARATORS, &text("(distinct j 0)"), "safe");
    check(&SEPARATORS, &text("(distinct j 1)"), "unsafe, 3 steps");
}

#[test]
fn a_word_that_stays_even() {
    let text = |query: &str| {
        format!(
            "(set-logic HORN) (declare-fun p ((_ BitVec 8)) Bool) (assert (p #x00))
             (assert (forall ((x (_ BitVec 8))) (=> (p x) (p (bvadd x #x02)))))
             (assert (forall ((x (_ BitVec 8))) (=> (and (p x) (= x {query})) false)))"
        )
    };
    check(&SEPARATORS, &text("#x07"), "safe");
    check(&SEPARATORS, &text("#x06"), "unsafe, 5 steps");
}
