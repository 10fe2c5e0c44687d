//! Abstract interpretation: the facts that `intervals` and `octagons` add, and evidence about the
//! systems before.

use crate::{accepted, cards, carried, finding, read, transformed};
use alphorn_problem::Horn;
use alphorn_problem::Verdict;
use alphorn_problem::evidence::horn::HornModel;
use alphorn_problem::horn::Head;
use alphorn_smt::{Answer, Options, Smt};

/// Applies a transform to a text with a query put in, and has the evidence judged: first for a safe
/// query, then for an unsafe one.
#[track_caller]
fn judged(name: &str, text: &str, safe: &str, unsafe_: &str) {
    for (query, expected) in [(safe, "safe"), (unsafe_, "unsafe")] {
        let horn = read(&text.replace("QUERY", query));
        let (changed, back) = transformed(&horn, &cards(&[name]));
        let verdict = carried(&horn, &back, finding(&changed)).unwrap();
        assert_eq!(accepted(&horn, &verdict), Ok(expected));
    }
}

/// Whether the transform by itself makes a query's body impossible, so that the facts found are a
/// model.
#[track_caller]
fn decides(name: &str, text: &str, query: &str) -> bool {
    let horn = read(&text.replace("QUERY", query));
    let (changed, _) = transformed(&horn, &cards(&[name]));
    let mut terms = changed.terms.clone();
    let body = changed.clauses.last().unwrap().body;
    let parts = terms.args(body).to_vec();
    let mut smt = Smt::new(Options::default());
    for part in if parts.is_empty() { vec![body] } else { parts } {
        if changed.atom(part).is_none() {
            smt.assert(&mut terms, part);
        }
    }
    smt.check(&mut terms, &[]) == Answer::Unsat
}

const COUNTER: &str = "(set-logic HORN) (declare-fun p (Int) Bool)
    (assert (p 0))
    (assert (forall ((x Int)) (=> (and (p x) (< x 100)) (p (+ x 1)))))
    (assert (forall ((x Int)) (=> (and (p x) QUERY) false)))";

#[test]
fn a_counter_stays_within_its_loop() {
    assert!(decides("intervals", COUNTER, "(> x 100)"));
    assert!(decides("intervals", COUNTER, "(< x 0)"));
    assert!(!decides("intervals", COUNTER, "(= x 100)"));
    judged("intervals", COUNTER, "(> x 100)", "(= x 20)");
}

/// Whether a transform leaves no clause that can fire.
#[track_caller]
fn silences(name: &str, text: &str, query: &str) -> bool {
    let horn = read(&text.replace("QUERY", query));
    let (changed, _) = transformed(&horn, &cards(&[name, "infeasible", "reachability"]));
    changed.clauses.iter().all(|clause| clause.head == Head::False)
}

#[test]
fn only_what_a_query_needs_is_derived() {
    // From 200 on the counter cannot come back, and from 0 it cannot get to a negative number.
    let up = "(set-logic HORN) (declare-fun p (Int) Bool)
        (assert (p 200))
        (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (p x) QUERY) false)))";
    assert!(silences("needed-intervals", up, "(< x 100)"));
    assert!(!silences("needed-intervals", up, "(= x 201)"));
    judged("needed-intervals", up, "(< x 100)", "(= x 205)");
    judged("needed-intervals", COUNTER, "(> x 100)", "(= x 20)");
    judged("needed-octagons", TWO_COUNTERS, "(< x y)", "(= x 5) (= y 2)");
}

#[test]
fn needs_go_through_bodies_with_several_atoms() {
    let text = "(set-logic HORN) (declare-fun p (Int) Bool) (declare-fun q (Int Int) Bool)
        (assert (p 7))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y) (< x 10)) (p (+ x y)))))
        (assert (forall ((x Int) (y Int)) (=> (or (and (p x) (p y) (< x y 9)) (and (p y) (= x y)))
          (q x y))))
        (assert (forall ((x Int) (y Int)) (=> (and (q x y) QUERY) false)))";
    judged("needed-intervals", text, "(< y 7)", "(= y 14)");
    judged("needed-octagons", text, "(< y x)", "(= x 14)");
}

const TWO_COUNTERS: &str = "(set-logic HORN) (declare-fun p (Int Int) Bool)
    (assert (forall ((n Int)) (=> (<= 3 n) (p n (- n 3)))))
    (assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (+ y 1)))))
    (assert (forall ((x Int) (y Int)) (=> (and (p x y) QUERY) false)))";

#[test]
fn two_counters_keep_their_difference() {
    assert!(decides("octagons", TWO_COUNTERS, "(distinct x (+ y 3))"));
    assert!(!decides("intervals", TWO_COUNTERS, "(distinct x (+ y 3))"));
    judged("octagons", TWO_COUNTERS, "(< x y)", "(= x 5) (= y 2)");
}

#[test]
fn conditionals_and_disjunctions_are_followed() {
    let text = "(set-logic HORN) (declare-fun p (Int Int) Bool)
        (assert (p 0 0))
        (assert (forall ((x Int) (y Int) (b Bool))
          (=> (and (p x y) (< x 50)) (p (ite b (+ x 1) x) (ite b (+ y 1) y)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (or (< x 3) (= x 7))) (p x (+ y 0)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) QUERY) false)))";
    assert!(decides("octagons", text, "(distinct x y)"));
    assert!(decides("octagons", text, "(> y 50)"));
    judged("octagons", text, "(distinct x y)", "(= x 3)");
}

const FLAGS: &str = "(set-logic HORN) (declare-fun p (Bool Bool Int) Bool)
    (assert (p true false 0))
    (assert (forall ((a Bool) (b Bool) (c Bool) (x Int))
      (=> (and (p a b x) (= c (not a)) (ite a (< x 9) (< x 90))) (p (not c) (and b c) (+ x 1)))))
    (assert (forall ((a Bool) (b Bool) (x Int)) (=> (and (p a b x) QUERY) false)))";

#[test]
fn flags_that_never_change_are_found() {
    assert!(decides("intervals", FLAGS, "(or b (not a))"));
    assert!(decides("intervals", FLAGS, "(> x 9)"));
    judged("intervals", FLAGS, "b", "(= x 9)");
}

#[test]
fn predicates_without_facts_mean_false() {
    let text = "(set-logic HORN) (declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
        (assert (p 0))
        (assert (forall ((x Int)) (=> (and (p x) (< x 10)) (p (+ x 2)))))
        (assert (forall ((x Int)) (=> (and (p x) (> x 50)) (q x))))
        (assert (forall ((x Int)) (=> (q x) (q (+ x 1)))))
        (assert (forall ((x Int)) (=> (or (q x) (and (p x) QUERY)) false)))";
    judged("intervals", text, "(< x 0)", "(= x 4)");
    let horn = read(&text.replace("QUERY", "(< x 0)"));
    let (changed, back) = transformed(&horn, &cards(&["intervals", "normal-form", "reachability"]));
    assert!(changed.preds.len() < 2, "q is gone");
    let model = model(&horn, carried(&horn, &back, finding(&changed)).unwrap());
    assert_eq!(model.preds[1].body, alphorn_term::TermId::FALSE);
}

fn model(horn: &Horn, verdict: Verdict<Horn>) -> Box<HornModel> {
    assert_eq!(accepted(horn, &verdict), Ok("safe"));
    match verdict {
        Verdict::Safe(model) => Box::new(model),
        Verdict::Unsafe(_) => panic!("it is safe"),
    }
}

#[test]
fn nonlinear_clauses_use_all_their_atoms() {
    let text = "(set-logic HORN) (declare-fun p (Int) Bool) (declare-fun q (Int Int) Bool)
        (assert (forall ((x Int)) (=> (and (<= 1 x) (<= x 4)) (p x))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (q (+ x y) (- x y)))))
        (assert (forall ((x Int) (y Int) (u Int)) (=> (and (q x y) (p u) (< u y)) (q u y))))
        (assert (forall ((x Int) (y Int)) (=> (and (q x y) QUERY) false)))";
    assert!(decides("intervals", text, "(or (> x 8) (< x 1) (> y 3) (< y (- 3)))"));
    judged("intervals", text, "(> x 8)", "(= x 8)");
    judged("octagons", text, "(> x 8)", "(= x 1)");
}

#[test]
fn quotients_remainders_and_reals_are_bounded() {
    let text = "(set-logic HORN) (declare-fun p (Int Int Real) Bool)
        (assert (forall ((x Int)) (=> (and (<= 0 x) (<= x 50)) (p (div x 8) (mod x 5) 0.5))))
        (assert (forall ((x Int) (y Int) (u Real))
          (=> (and (p x y u) (< (* 2.0 u) 3.0)) (p (abs (- x 6)) y (+ u 0.25)))))
        (assert (forall ((x Int) (y Int) (u Real)) (=> (and (p x y u) QUERY) false)))";
    assert!(decides("intervals", text, "(or (> x 6) (< x 0) (> y 4) (< y 0))"));
    assert!(decides("intervals", text, "(or (>= u 1.75) (< u 0.5))"));
    judged("intervals", text, "(> x 6)", "(= u 1.5)");
}

#[test]
fn nothing_to_say_is_no_change() {
    let text = "(set-logic HORN) (declare-fun p (Int) Bool)
        (assert (forall ((x Int)) (p x)))
        (assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))";
    let horn = read(text);
    let (changed, _) = transformed(&horn, &cards(&["intervals", "octagons"]));
    assert_eq!(changed.clauses, horn.clauses);
}

#[test]
fn what_holds_after_the_first_step_is_found() {
    let text = "(set-logic HORN) (declare-fun p (Bool Int) Bool)
        (assert (forall ((x Int)) (p true x)))
        (assert (forall ((x Int) (y Int) (b Bool))
          (=> (and (p b x) (ite b (= y 0) (and (< x 10) (= y (+ x 1))))) (p false y))))
        (assert (forall ((x Int) (b Bool)) (=> (and (p b x) QUERY) false)))";
    assert!(decides("intervals", text, "(not b) (or (< x 0) (> x 10))"));
    assert!(!decides("intervals", text, "(or (< x 0) (> x 10))"));
    judged("intervals", text, "(not b) (< x 0)", "(not b) (= x 10)");
}

#[test]
fn many_choices_are_split_by_flags() {
    let names = ["a", "b", "c", "d", "e", "f"];
    let vars: String = names.map(|n| format!("({n} Bool) (x{n} Int) (y{n} Int)")).concat();
    let step: String = names
        .map(|n| format!("(or {n} (= y{n} x{n})) (or (not {n}) (= y{n} (+ x{n} 1)))"))
        .concat();
    let (before, after) = (names.map(|n| format!("x{n}")), names.map(|n| format!("y{n}")));
    let (before, after) = (before.join(" "), after.join(" "));
    let text = format!(
        "(set-logic HORN) (declare-fun p (Int Int Int Int Int Int) Bool)
        (assert (p 0 0 0 0 0 0))
        (assert (forall ({vars}) (=> (and (p {before}) {step}) (p {after}))))
        (assert (forall ({vars}) (=> (and (p {before}) QUERY) false)))"
    );
    assert!(decides("intervals", &text, "(or (< xa 0) (< xc 0) (< xf 0))"));
    judged("intervals", &text, "(< xf 0)", "(= (+ xa xb) 3)");
}

#[test]
fn reversed_clauses_have_bounds_as_well() {
    let horn = read(&COUNTER.replace("QUERY", "(> x 100)"));
    let (changed, back) = transformed(&horn, &cards(&["reversal", "intervals"]));
    let verdict = carried(&horn, &back, finding(&changed)).unwrap();
    assert_eq!(accepted(&horn, &verdict), Ok("safe"));
}
