//! Small systems.

use crate::{ALL, ask, check, read, rounds};

/// Greatest common divisors (Hojjat 2013, figure 5.1).
const GCD: &str = "(set-logic HORN) (declare-fun gcd (Int Int Int) Bool)
    (assert (forall ((m Int) (n Int) (r Int)) (=> (and (= m n) (= r m)) (gcd m n r))))
    (assert (forall ((m Int) (n Int) (r Int)) (=> (and (> m n) (gcd (- m n) n r)) (gcd m n r))))
    (assert (forall ((m Int) (n Int) (r Int)) (=> (and (< m n) (gcd m (- n m) r)) (gcd m n r))))
    (assert (forall ((m Int) (n Int) (r Int))
      (=> (and (>= m 0) (= m n) (gcd m n r) (> r m)) false)))";

#[test]
fn derivations_of_two_heights_at_once_close_gcd_in_one_round() {
    check(&ALL, GCD, "safe");
    assert_eq!(rounds("cegar-di", GCD), 1);
}

/// A procedure that calls itself on its own result (figure 2.1c).
fn ninety_one(result: u32) -> String {
    format!(
        "(set-logic HORN) (declare-fun mc (Int Int) Bool)
         (assert (forall ((n Int)) (=> (> n 100) (mc n (- n 10)))))
         (assert (forall ((n Int) (a Int) (r Int))
           (=> (and (<= n 100) (mc (+ n 11) a) (mc a r)) (mc n r))))
         (assert (forall ((n Int) (r Int)) (=> (and (mc n r) (<= n 100) (distinct r {result})) false)))"
    )
}

#[test]
fn a_procedure_that_calls_itself_twice() {
    check(&["cegar", "cegar-di"], &ninety_one(91), "safe");
    for engine in ["cegar", "cegar-di"] {
        let (line, _) = ask(engine, &read(&ninety_one(90)), 3_000_000);
        assert!(line.starts_with("unsafe"), "{engine}: {line}");
    }
}

#[test]
fn a_loop_that_must_run_a_few_times() {
    let text = |limit: u32| {
        format!(
            "(set-logic HORN) (declare-fun p (Int) Bool)
             (assert (p 0))
             (assert (forall ((x Int)) (=> (and (p x) (< x 7)) (p (+ x 2)))))
             (assert (forall ((x Int)) (=> (and (p x) (> x {limit})) false)))"
        )
    };
    check(&ALL, &text(8), "safe");
    check(&ALL, &text(7), "unsafe, 6 steps");
}

/// A chain of choices: as many paths as a power of two, and one vertex for each place of the graph that they are.
fn choices(length: u32, limit: u32) -> String {
    let mut text = "(set-logic HORN)".to_owned();
    for place in 0..=length {
        text += &format!("(declare-fun p{place} (Int Int) Bool)");
    }
    text += "(assert (forall ((y Int)) (p0 0 y)))";
    for place in 0..length {
        for step in [1, 2] {
            text += &format!(
                "(assert (forall ((x Int) (y Int)) (=> (p{place} x y) (p{} (+ x {step}) y))))",
                place + 1
            );
        }
    }
    text + &format!(
        "(assert (forall ((x Int) (y Int)) (=> (and (p{length} x y) (< x {limit})) false)))"
    )
}

#[test]
fn paths_that_share_their_beginnings_are_one_graph() {
    check(&["cegar-di", "cegar-global"], &choices(16, 16), "safe");
    check(&["cegar-di", "cegar-global"], &choices(16, 17), "unsafe, 18 steps");
}

#[test]
fn atoms_under_disjunctions() {
    let text = |limit: u32| {
        format!(
            "(set-logic HORN) (declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
             (assert (p 0))
             (assert (forall ((x Int)) (=> (and (p x) (< x 3)) (q (+ x 1)))))
             (assert (forall ((x Int) (y Int))
               (=> (or (and (q x) (= y x)) (and (p x) (q x) (= y (+ x 5)))) (p y))))
             (assert (forall ((x Int) (y Int))
               (=> (and (or (p x) (and (q x) (q y))) (> x {limit})) false)))"
        )
    };
    check(&ALL, &text(8), "safe");
    for engine in ALL {
        let (line, _) = ask(engine, &read(&text(2)), 3_000_000);
        assert!(line.starts_with("unsafe"), "{engine}: {line}");
    }
}

#[test]
fn models_are_disjunctions_of_abstract_facts() {
    // No conjunction of the interpolants holds at once: the flag says which counter moves.
    let text = "(set-logic HORN) (declare-fun p (Bool Int) Bool)
        (assert (p true 0)) (assert (p false 10))
        (assert (forall ((b Bool) (x Int))
          (=> (and (p b x)) (p b (ite b (- x 1) (+ x 1))))))
        (assert (forall ((b Bool) (x Int)) (=> (and (p b x) (= x 5)) false)))";
    check(&["cegar", "cegar-di"], text, "safe");
}

#[test]
fn words_reals_and_arrays() {
    check(
        &["cegar", "cegar-di", "cegar-global"],
        "(set-logic HORN) (declare-fun p ((_ BitVec 8)) Bool)
         (assert (p #x00))
         (assert (forall ((x (_ BitVec 8))) (=> (and (p x) (bvult x #x10)) (p (bvadd x #x02)))))
         (assert (forall ((x (_ BitVec 8))) (=> (and (p x) (bvugt x #x20)) false)))",
        "safe",
    );
    check(
        &["cegar", "cegar-di", "cegar-global"],
        "(set-logic HORN) (declare-fun p (Real Real) Bool)
         (assert (forall ((x Real)) (=> (> x 1.5) (p x x))))
         (assert (forall ((x Real) (y Real)) (=> (p x y) (p (+ x 0.5) (+ y y)))))
         (assert (forall ((x Real) (y Real)) (=> (and (p x y) (< y 1.0)) false)))",
        "safe",
    );
    check(
        &["cegar"],
        "(set-logic HORN) (declare-fun p ((Array Int Int) Int) Bool)
         (assert (forall ((a (Array Int Int))) (p (store a 0 1) 1)))
         (assert (forall ((a (Array Int Int)) (i Int))
           (=> (and (p a i) (> i 0)) (p (store a i 7) (+ i 1)))))
         (assert (forall ((a (Array Int Int)) (i Int))
           (=> (and (p a i) (distinct (select a 0) 1)) false)))",
        "safe",
    );
}

#[test]
fn what_is_not_treated_is_said() {
    let text = "(set-logic HORN) (declare-sort S 0) (declare-fun p (S) Bool)
        (assert (forall ((x S)) (p x)))
        (assert (forall ((x S)) (=> (p x) false)))";
    for engine in ALL {
        let (line, _) = ask(engine, &read(text), 1_000);
        assert_eq!(line, "unsupported: terms of sort S are not treated", "{engine}");
    }
}

/// A number that goes up by two from zero, and must be none of those that are one more than a multiple of four.
const EVEN: &str = "(set-logic HORN) (declare-fun p (Int) Bool)
    (assert (p 0))
    (assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))
    (assert (forall ((x Int) (k Int)) (=> (and (p x) (= x (+ (* 4 k) 1))) false)))";

#[test]
fn a_folded_loop_takes_as_many_rounds_as_the_delay() {
    // Without folding, each number of rounds is excluded for itself.
    let (plain, _) = ask("cegar-plain", &read(EVEN), 20_000);
    assert_ne!(plain, "safe", "this is no test of loops that are folded");
    check(&["cegaar"], EVEN, "safe");
    assert!(rounds("cegaar", EVEN) <= 6, "{}", rounds("cegaar", EVEN));
}

#[test]
fn a_folded_loop_of_two_places_is_remembered_at_both() {
    let text = "(set-logic HORN) (declare-fun p (Int Int) Bool) (declare-fun q (Int Int) Bool)
        (assert (p 0 0))
        (assert (forall ((x Int) (y Int)) (=> (p x y) (q (+ x 1) y))))
        (assert (forall ((x Int) (y Int)) (=> (q x y) (p x (+ y 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (distinct x y)) false)))
        (assert (forall ((x Int) (y Int)) (=> (and (q x y) (distinct x (+ y 1))) false)))";
    check(&["cegaar"], text, "safe");
}

#[test]
fn what_follows_a_folded_loop_does_not_make_an_error_of_what_came_before() {
    // The loop can be left with y = 10, but not with x = 3: a scheme counts from the root.
    let text = "(set-logic HORN) (declare-fun p (Int Int) Bool)
        (assert (p 5 0))
        (assert (forall ((x Int) (y Int)) (=> (p x y) (p x (+ y 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (= y 10) (= x 3)) false)))";
    check(&["cegaar"], text, "safe");
    check(&["cegaar"], &text.replace("(= x 3)", "(= x 5)"), "unsafe, 12 steps");
}

#[test]
fn a_scheme_that_has_a_run_is_a_violation_however_deep() {
    let text = |step: u32| {
        format!(
            "(set-logic HORN) (declare-fun p (Int Int) Bool)
             (assert (p 0 0))
             (assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 900000)) (p (+ x {step}) (+ y 1)))))
             (assert (forall ((x Int) (y Int)) (=> (and (p x y) (= y 300000)) false)))"
        )
    };
    let (line, _) = ask("cegaar", &read(&text(2)), 3_000_000);
    assert!(line.starts_with("unsafe"), "{line}");
    let (line, _) = ask("cegaar", &read(&text(4)), 3_000_000);
    assert_eq!(line, "safe");
}

#[test]
fn the_hull_of_cases_excludes_all_their_orders() {
    // Two cases in any order, each with rows that are no octagon: sums of three numbers.
    let text = "(set-logic HORN) (declare-fun p (Int Int Int) Bool)
        (assert (p 0 0 0))
        (assert (forall ((x Int) (y Int) (z Int)) (=> (p x y z) (p (+ x 1) (+ y 2) z))))
        (assert (forall ((x Int) (y Int) (z Int))
          (=> (and (p x y z) (<= (+ x y z) 90000)) (p (+ x 2) (+ y 2) (+ z 1)))))
        (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (> x y)) false)))";
    check(&["cegaar"], text, "safe");
}
