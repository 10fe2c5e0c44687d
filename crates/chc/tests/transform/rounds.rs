//! Violations after very many rounds of a loop: found with closures, carried back through the transforms as
//! progressions, and accepted by the checker about the original.

use crate::{PLENTY, accepted, cards, carried, read, transformed};
use alphorn_chc::accel::ACCELERATED;
use alphorn_chc::engines::{ABMC, PDR};
use alphorn_engine::{Ctx, Road, Stopper};
use alphorn_horn::derivation::minimize;
use alphorn_horn::{TRANSFORMS, conclude};
use alphorn_problem::Verdict;
use alphorn_term::Int;

/// Decides a system behind transforms, of the default and others, with closures; the verdict in a word, how
/// many steps its derivation has, and how many instances these stand for.
#[track_caller]
fn decided(text: &str, more: &[&str]) -> (&'static str, usize, Int) {
    let horn = read(text);
    let mut chosen: Vec<_> = TRANSFORMS.iter().filter(|card| card.is_default).collect();
    chosen.extend(cards(more));
    let (changed, back) = transformed(&horn, &chosen);
    let mut sink = |_| ();
    let mut ctx = Ctx::new(PLENTY, Stopper::new(), 1, &mut sink);
    let found = Road::build(&ACCELERATED, &PDR).run(&changed, &mut ctx);
    let found = found.expect("it is decided behind the transforms");
    let verdict = carried(&horn, &back, found).expect("it is carried back");
    let word = accepted(&horn, &verdict).expect("the checker accepts it");
    match &verdict {
        Verdict::Unsafe(derivation) => (word, derivation.steps.len(), derivation.instances()),
        Verdict::Safe(_) => (word, 0, Int::from(0)),
    }
}

/// A violation after at least so many instances, told in few steps.
#[track_caller]
fn is_deep(text: &str, more: &[&str], instances: i64) {
    let (word, steps, found) = decided(text, more);
    assert_eq!(word, "unsafe");
    assert!(found >= Int::from(instances), "{found} instances");
    assert!(steps <= 100, "{steps} steps");
}

#[test]
fn a_loop_of_one_clause_is_deep() {
    let text = "(set-logic HORN)(declare-fun p (Int Int) Bool)(assert (p 0 5))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 1000000)) (p (+ x 1) (- y 2)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (= y (- 1999995))) false)))";
    is_deep(text, &[], 1_000_000);
    is_deep(text, &["reversal"], 1_000_000);
}

#[test]
fn cycles_through_predicates_and_what_was_left_out_come_back() {
    // A cycle of three predicates, with a flag that toggles and a counter that nobody asks for.
    let text = "(set-logic HORN)(declare-fun p (Int Bool Int) Bool)(declare-fun q (Int Bool Int) Bool)
        (declare-fun r (Int Bool Int) Bool)
        (assert (forall ((n Int)) (p 0 true n)))
        (assert (forall ((x Int) (b Bool) (n Int)) (=> (p x b n) (q (+ x 1) b (+ n 7)))))
        (assert (forall ((x Int) (b Bool) (n Int)) (=> (and (q x b n) (< x 900000)) (r x (not b) n))))
        (assert (forall ((x Int) (b Bool) (n Int)) (=> (r x b n) (p (+ x 1) b n))))
        (assert (forall ((x Int) (b Bool) (n Int)) (=> (and (r x b n) (= x 800001)) false)))";
    is_deep(text, &[], 1_200_000);
}

#[test]
fn facts_that_a_round_derives_on_the_way_come_back() {
    let text = "(set-logic HORN)(declare-fun p (Int) Bool)(declare-fun next (Int Int) Bool)
        (assert (p 3))
        (assert (forall ((x Int) (y Int)) (=> (= y (+ x 4)) (next x y))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (next x y)) (p y))))
        (assert (forall ((x Int)) (=> (and (p x) (= x 4000003)) false)))";
    is_deep(text, &[], 2_000_000);
}

#[test]
fn loops_with_choices_are_told_in_lines() {
    // Two or three at a time on one side, and one to two on the other: averages are no integers.
    let text = "(set-logic HORN)(declare-fun p (Int Int) Bool)(assert (p 0 10))
        (assert (forall ((x Int) (y Int) (a Int) (b Int))
          (=> (and (p x y) (<= (+ x 2) a) (<= a (+ x 3)) (<= (+ y 1) b) (<= b (+ y 2))) (p a b))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x 250001) (= y 150010)) false)))";
    is_deep(text, &[], 80_000);
}

#[test]
fn loops_that_turn_round_come_back() {
    let text = "(set-logic HORN)(declare-fun p (Int Int Int Int) Bool)(assert (p 1 2 3 0))
        (assert (forall ((x Int) (y Int) (z Int) (k Int)) (=> (p x y z k) (p y z x (+ k 1)))))
        (assert (forall ((x Int) (y Int) (z Int) (k Int))
          (=> (and (p x y z k) (= k 300001) (= x 2)) false)))";
    is_deep(text, &[], 300_000);
}

#[test]
fn one_case_of_a_clause_is_a_loop() {
    let text = "(set-logic HORN)(declare-fun p (Int Int) Bool)(assert (p 0 0))
        (assert (forall ((x Int) (y Int) (a Int) (b Int))
          (=> (and (p x y) (= b (ite (< x 500000) y (+ y 1))) (or (= a (+ x 1)) (= a 0))) (p a b))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (= y 400000) (>= x 900000)) false)))";
    is_deep(text, &[], 900_000);
}

#[test]
fn loops_without_an_exact_closure_go_along_lines() {
    let text = "(set-logic HORN)(declare-fun p (Int Int Int) Bool)(assert (p 0 3 0))
        (assert (forall ((x Int) (y Int) (z Int))
          (=> (and (p x y z) (<= (+ x y z) 3000000)) (p (+ x y) y (+ z 1)))))
        (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (>= z 600000)) false)))";
    is_deep(text, &[], 600_000);
}

#[test]
fn closures_prove_what_no_round_reaches() {
    let text = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))
        (assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))
        (assert (forall ((x Int)) (=> (and (p x) (= x 5000001)) false)))";
    assert_eq!(decided(text, &[]).0, "safe");
}

#[test]
fn bounded_search_learns_loops_from_the_runs_it_sees() {
    // Two cases that take turns, and a second loop behind the first one.
    let text = "(set-logic HORN)(declare-fun p (Int Int) Bool)(declare-fun q (Int Int) Bool)
        (assert (p 0 0))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (<= y x) (< x 300000)) (p x (+ x 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (> y x)) (p (+ x 2) y))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (>= x 300000)) (q x 0))))
        (assert (forall ((x Int) (y Int)) (=> (and (q x y) (> x 0)) (q (- x 3) (+ y 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (q x y) (= x 0) (= y 100000)) false)))";
    let horn = read(text);
    let mut sink = |_| ();
    let mut ctx = Ctx::new(PLENTY, Stopper::new(), 1, &mut sink);
    let found = (ABMC.build)().run(&horn, &mut ctx).expect("it is decided");
    let verdict = conclude(&horn, found, &mut ctx).expect("it is a derivation");
    assert_eq!(accepted(&horn, &verdict), Ok("unsafe"));
    let Verdict::Unsafe(derivation) = verdict else { panic!("there is a violation") };
    assert!(derivation.instances() > Int::from(400_000));
    assert!(derivation.steps.len() < 30, "{} steps", derivation.steps.len());
}

#[test]
fn rounds_of_two_cases_stay_two_progressions() {
    let text = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 2))
        (assert (forall ((x Int)) (=> (and (p x) (or (< x 11) (> x 11))) (p (+ x 2)))))
        (assert (forall ((x Int)) (=> (and (p x) (= x 60000)) false)))";
    let horn = read(text);
    let chosen: Vec<_> = TRANSFORMS.iter().filter(|card| card.is_default).collect();
    let (changed, back) = transformed(&horn, &chosen);
    let mut sink = |_| ();
    let mut ctx = Ctx::new(PLENTY, Stopper::new(), 1, &mut sink);
    let found = (ABMC.build)().run(&changed, &mut ctx).expect("it is decided");
    let Ok(Verdict::Unsafe(derivation)) = carried(&horn, &back, found) else {
        panic!("there is a violation")
    };
    let small = Verdict::Unsafe(minimize(derivation, &horn));
    assert_eq!(accepted(&horn, &small), Ok("unsafe"));
}
