//! Loops taken away by their closures: what is left, and evidence about the system as read.

use crate::{accepted, cards, carried, finding, read, transformed};
use alphorn_engine::{Ctx, Event, Stop, Stopper};
use alphorn_horn::shape::Shape;
use alphorn_horn::{TRANSFORMS, eliminate_within};
use alphorn_problem::{Horn, Verdict};
use alphorn_term::Int;

/// The system after `contract` and the transforms of the default, and what is found of it as a verdict.
#[track_caller]
fn contracted(horn: &Horn) -> (Horn, Verdict<Horn>) {
    let mut chosen: Vec<_> = TRANSFORMS.iter().filter(|card| card.is_default).collect();
    chosen.splice(0..0, cards(&["contract"]));
    let (changed, back) = transformed(horn, &chosen);
    let verdict = carried(horn, &back, finding(&changed)).expect("it is carried back");
    (changed, verdict)
}

/// A system whose loops all go away, and its verdict.
#[track_caller]
fn check(text: &str, expected: &str, instances: i64) {
    let horn = read(text);
    let (changed, verdict) = contracted(&horn);
    assert!(!Shape::of(&changed).is_recursive(), "no loop is left");
    assert_eq!(accepted(&horn, &verdict), Ok(expected));
    if let Verdict::Unsafe(derivation) = verdict {
        assert!(derivation.instances() >= Int::from(instances), "{}", derivation.instances());
        assert!(derivation.steps.len() <= 20, "{} steps", derivation.steps.len());
    }
}

#[test]
fn a_deep_violation_comes_back_as_a_progression() {
    let text = "(set-logic HORN)(declare-fun p (Int Int) Bool)(assert (p 0 5))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 1000000)) (p (+ x 1) (- y 2)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (= y (- 1999995))) false)))";
    check(text, "unsafe", 1_000_000);
}

#[test]
fn a_model_says_what_rounds_reach() {
    let text = "(set-logic HORN)(declare-fun p (Int Int) Bool)(assert (p 0 1))
        (assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 2) (- y 2)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x 700001)) false)))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (distinct (+ x y) 1)) false)))";
    check(text, "safe", 0);
}

#[test]
fn loops_that_come_one_after_the_other_go_away() {
    let text = |last: u32| {
        format!(
            "(set-logic HORN)(declare-fun p (Int Int) Bool)(declare-fun q (Int Int) Bool)
             (assert (forall ((n Int)) (=> (>= n 0) (p 0 n))))
             (assert (forall ((x Int) (n Int)) (=> (and (p x n) (< x n)) (p (+ x 1) n))))
             (assert (forall ((x Int) (n Int)) (=> (and (p x n) (>= x n)) (q x n))))
             (assert (forall ((x Int) (n Int)) (=> (and (q x n) (> x 0)) (q (- x 3) n))))
             (assert (forall ((x Int) (n Int)) (=> (and (q x n) (= n 300000) (= x {last})) false)))"
        )
    };
    check(&text(0), "unsafe", 400_000);
    check(&text(1), "safe", 0);
}

#[test]
fn words_of_two_loops_say_what_all_rounds_do() {
    let text = |wanted: u32| {
        format!(
            "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))
             (assert (forall ((x Int)) (=> (p x) (p (+ x 6)))))
             (assert (forall ((x Int)) (=> (p x) (p (+ x 9)))))
             (assert (forall ((x Int)) (=> (and (p x) (= x {wanted})) false)))"
        )
    };
    check(&text(60_003), "unsafe", 6_000);
    check(&text(60_004), "safe", 0);
}

#[test]
fn loops_that_end_after_few_rounds_go_away() {
    let text = "(set-logic HORN)(declare-fun p (Int Int) Bool)
        (assert (forall ((y Int)) (p 0 y)))
        (assert (forall ((x Int) (y Int) (z Int))
          (=> (and (p x y) (<= 0 x) (< x 3) (<= (+ x 1) z) (<= z (+ x 2))) (p z y))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (> x 4)) false)))";
    check(text, "safe", 0);
}

#[test]
fn loops_without_an_exact_closure_stay() {
    let text = "(set-logic HORN)(declare-fun p (Int Int Int) Bool)
        (assert (forall ((y Int)) (p 0 y 0)))
        (assert (forall ((x Int) (y Int) (z Int)) (=> (p x y z) (p (+ x y) y (+ z 1)))))
        (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (< z 0)) false)))";
    let horn = read(text);
    let (changed, _) = transformed(&horn, &cards(&["contract"]));
    assert_eq!(changed.clauses, horn.clauses);
}

#[test]
fn what_is_eliminated_is_paid_for_and_ends_with_the_ticks() {
    let horn = read(
        "(set-logic HORN)(declare-fun p (Int Int) Bool)(assert (p 0 1))
         (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y) (< (* 3 x) z) (< z (* 5 y))) (p z y))))
         (assert (forall ((x Int) (y Int)) (=> (and (p x y) (> x y)) false)))",
    );
    let mut store = horn.terms.clone();
    let clause = &horn.clauses[1];
    let hidden: Vec<_> = clause.vars.iter().copied().take(1).collect();
    let formula = store.args(clause.body).to_vec();
    let formula = store.and(&formula[1..]);
    let mut silent = |_: Event| {};
    let mut within = |ticks: u64| {
        let mut ctx = Ctx::new(ticks, Stopper::new(), 1, &mut silent);
        let found = eliminate_within(&mut store, formula, &hidden, (1_000, 64), &mut ctx);
        (found, ctx.ticks_used())
    };
    let (found, used) = within(1_000_000);
    assert!(matches!(found, Ok(Some(_))) && used > 20, "{found:?}, {used}");
    for ticks in [0, used / 4, used / 2] {
        let (found, spent) = within(ticks);
        assert!(matches!(found, Err(Stop::Budget(_))), "{found:?}");
        assert!(spent <= used, "{spent} of {used}");
    }
}
