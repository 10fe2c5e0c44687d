//! Views of clauses that say what machines do: nothing wraps around, large constants are left open.

use super::with_ctx;
use alphorn_check::accept::accept;
use alphorn_cross::engines::{OPEN_CELLS, OPEN_PDR, UNWRAPPED_PDR};
use alphorn_engine::{Card, Stop};
use alphorn_horn::conclude;
use alphorn_problem::{Horn, Verdict};
use alphorn_testkit::read;

/// What an engine finds, proved and checked on the system as it is.
fn decide(card: &Card<Horn>, text: &str) -> Result<(), Stop> {
    let horn = read::horn(text);
    with_ctx(2_000_000, |ctx| {
        let finding = (card.build)().run(&horn, ctx)?;
        let verdict = conclude(&horn, finding, ctx)?;
        assert!(matches!(verdict, Verdict::Safe(_)), "only models come back");
        accept(&horn, (), verdict).expect("the evidence is accepted");
        Ok(())
    })
}

/// Two counters of a machine with 32 bits, one of which goes down again.
const HILL: &str = "(set-logic HORN) (declare-fun p (Int Int) Bool)
    (assert (p 0 0))
    (assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 5000) (<= 0 y 2147483647))
      (p (ite (< 2147483647 (+ x 1)) (+ x (- 4294967295)) (+ x 1)) (mod (+ y 1) 4294967296)))))
    (assert (forall ((x Int) (y Int)) (=> (and (p x y) (not (= x y))) false)))";

#[test]
fn a_model_where_nothing_wraps_is_one_of_the_system_as_it_is() {
    decide(&UNWRAPPED_PDR, HILL).expect("the counters are equal");
}

#[test]
fn what_is_only_true_without_wraps_is_not_proved() {
    let wraps = HILL.replace("(< x 5000)", "true").replace("(not (= x y))", "(= x (- 2147483648))");
    assert!(decide(&UNWRAPPED_PDR, &wraps).is_err());
}

#[test]
fn a_system_without_wraps_has_no_such_view() {
    let plain = HILL.replace("(mod (+ y 1) 4294967296)", "(+ y 1)");
    let plain =
        plain.replace("(ite (< 2147483647 (+ x 1)) (+ x (- 4294967295)) (+ x 1))", "(+ x 1)");
    assert!(matches!(decide(&UNWRAPPED_PDR, &plain), Err(Stop::Unsupported(_))));
}

/// An array that is filled up to a large bound, and read again.
const FILL: &str = "(set-logic HORN)
    (declare-fun p ((Array Int Int) Int) Bool) (declare-fun q ((Array Int Int) Int) Bool)
    (assert (forall ((a (Array Int Int))) (p a 0)))
    (assert (forall ((a (Array Int Int)) (i Int))
      (=> (and (p a i) (< i 100000)) (p (store a i 42) (+ i 1)))))
    (assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (>= i 100000)) (q a 0))))
    (assert (forall ((a (Array Int Int)) (x Int)) (=> (and (q a x) (< x 99999)) (q a (+ x 1)))))
    (assert (forall ((a (Array Int Int)) (x Int))
      (=> (and (q a x) (not (= (select a x) 42))) false)))";

#[test]
fn remainders_of_inputs_are_no_wraps() {
    let input = FILL
        .replace(
            "(=> (and (p a i) (< i 100000)) (p (store a i 42) (+ i 1)))",
            "(=> (and (p a i) (< i 100000) (= n n)) (p (store a i (+ 42 (mod n 256))) (+ i 1)))",
        )
        .replace(
            "(i Int))\n      (=> (and (p a i) (< i 100000) (= n n))",
            "(i Int) (n Int))\n      (=> (and (p a i) (< i 100000))",
        )
        .replace("(not (= (select a x) 42))", "(< (select a x) 42)");
    decide(&OPEN_CELLS, &input).expect("no cell is less than 42");
}

#[test]
fn a_model_for_all_bounds_is_one_for_the_bound_that_there_is() {
    decide(&OPEN_CELLS, FILL).expect("every cell is 42");
}

#[test]
fn what_holds_for_one_bound_alone_is_not_proved_for_all() {
    let odd = "(set-logic HORN) (declare-fun p (Int) Bool)
        (assert (p 0))
        (assert (forall ((x Int)) (=> (and (p x) (< x 100000)) (p (+ x 2)))))
        (assert (forall ((x Int)) (=> (and (p x) (> x 100000)) false)))";
    assert!(decide(&OPEN_PDR, odd).is_err());
    let small = odd.replace("100000", "12");
    assert!(matches!(decide(&OPEN_PDR, &small), Err(Stop::Unsupported(_))));
}

/// A counter that goes up to twice a bound, and another that goes down from it in the second half.
const HALVES: &str = "(set-logic HORN) (declare-fun p (Int Int) Bool)
    (assert (p 0 5000))
    (assert (forall ((x Int) (z Int)) (=> (and (p x z) (< x 10000))
      (p (+ x 1) (ite (>= x 5000) (- z 1) z)))))
    (assert (forall ((x Int) (z Int)) (=> (and (p x z) (>= x 10000) (not (= z 0))) false)))";

#[test]
fn a_multiple_of_a_constant_is_that_multiple_of_the_parameter() {
    decide(&OPEN_PDR, HALVES).expect("the second half is as long as the first");
    let apart = HALVES.replace("10000", "17041").replace("(= z 0)", "(= z (- 7041))");
    assert!(decide(&OPEN_PDR, &apart).is_err(), "the bounds have nothing to do with each other");
}

#[test]
fn a_power_of_two_is_left_open_unless_it_bounds_a_type() {
    let power = FILL.replace("100000", "2048").replace("99999", "2047");
    decide(&OPEN_CELLS, &power).expect("every cell is 42");
    let bound = FILL.replace("100000", "65536").replace("99999", "65535");
    assert!(matches!(decide(&OPEN_CELLS, &bound), Err(Stop::Unsupported(_))));
}
