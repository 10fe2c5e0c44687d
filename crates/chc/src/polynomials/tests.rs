//! Loops that multiply, and what points and equations have in common.

use super::points::Coordinates;
use super::*;
use alphorn_engine::Stopper;
use alphorn_horn::derivation::is_derivation;
use alphorn_testkit::read::horn as read;

fn with_ticks<R>(work: impl FnOnce(&mut Ctx<'_>) -> R) -> R {
    let mut sink = |_| {};
    work(&mut Ctx::new(3_000_000, Stopper::new(), 0, &mut sink))
}

fn run(text: &str) -> Result<Finding<Horn>, Stop> {
    let horn = read(text);
    let finding = with_ticks(|ctx| (CARD.build)().run(&horn, ctx));
    if let Ok(Finding::Fails(derivation)) = &finding {
        assert!(is_derivation(derivation, &horn));
    }
    finding
}

fn numbers(point: &[i64]) -> Vec<Rat> {
    point.iter().map(|&number| Rat::from(number)).collect()
}

/// A loop that adds `y` to `z` while it counts `x`, and a query about its three numbers.
fn product(query: &str) -> String {
    format!(
        "(set-logic HORN)
        (declare-fun times (Int Int Int) Bool)
        (assert (forall ((y Int)) (times 0 0 y)))
        (assert (forall ((z Int) (x Int) (y Int)) (=> (times z x y) (times (+ z y) (+ x 1) y))))
        (assert (forall ((z Int) (x Int) (y Int) (w Int)) (=> {query} false)))
        (check-sat)"
    )
}

#[test]
fn points_on_a_parabola_have_its_equation_in_common() {
    let mut store = Store::new();
    let [x, y] = ["x", "y"].map(|name| store.var(name, SortId::INT));
    let points: Vec<Vec<Rat>> = (-2..=4).map(|n| numbers(&[n, n * n + 1])).collect();
    let flat = Coordinates::new(2, 1).vanishing(&mut store, &[x, y], &points);
    assert!(flat.is_empty());
    let found = Coordinates::new(2, 2).vanishing(&mut store, &[x, y], &points);
    // x² + 1 = y is all that products of two say.
    let [only] = &found[..] else { panic!("one equation") };
    let square = store.mk(Op::Mul, &[x, x]);
    let ratio = only.coefficient(square);
    assert_eq!(only.coefficient(y), -ratio.clone());
    assert_eq!(only.constant, ratio);
}

#[test]
fn equations_of_products_imply_linear_ones_and_nothing_else() {
    let mut store = Store::new();
    let [a, b, c, d, e, f, g] =
        ["a", "b", "c", "d", "e", "f", "g"].map(|name| store.var(name, SortId::INT));
    let mut equal = |left: TermId, factors: [TermId; 2]| {
        let right = store.mk(Op::Mul, &factors);
        Linear::difference(&store, left, right)
    };
    // b = e·a, a = f·g, d = c·g and c = e·f, hence b = d.
    let all = [equal(b, [e, a]), equal(a, [f, g]), equal(d, [c, g]), equal(c, [e, f])];
    let found = with_ticks(|ctx| consequences::linear_ones(&mut store, &all, ctx)).unwrap();
    let [only] = &found[..] else { panic!("one equation") };
    assert_eq!(only.coefficient(b), -only.coefficient(d));
    assert_eq!(only.terms.len(), 2);
    assert!(only.constant.is_zero());
    let found = with_ticks(|ctx| consequences::linear_ones(&mut store, &all[..3], ctx)).unwrap();
    assert!(found.is_empty());
}

#[test]
fn what_a_loop_multiplies_is_a_product() {
    let safe = product("(and (times z x y) (= x 7) (not (= z (* 7 y))))");
    assert!(matches!(run(&safe), Ok(Finding::Holds(_))));
    let commutes = product("(and (times z x y) (times w y x) (not (= w z)))");
    assert!(matches!(run(&commutes), Ok(Finding::Holds(_))));
}

#[test]
fn a_product_that_is_wrong_is_derived() {
    let wrong = product("(and (times z x y) (= x 2) (= z (* 3 y)) (> y 0))");
    assert!(!matches!(run(&wrong), Ok(Finding::Fails(_))));
    let wrong = product("(and (times z x y) (= x 2) (= z (+ y 4)))");
    assert!(matches!(run(&wrong), Ok(Finding::Fails(_))));
}

#[test]
fn a_loop_without_equations_of_products_is_left_to_others() {
    let text = "(set-logic HORN)
        (declare-fun loop (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (<= x y) (loop x y))))
        (assert (forall ((x Int) (y Int)) (=> (loop x y) (loop x (+ y 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (loop x y) (> x y)) false)))
        (check-sat)";
    assert!(matches!(run(text), Err(Stop::Stuck(_))));
}

#[test]
fn a_real_that_grows_by_an_integer_has_equations_of_products() {
    let text = "(set-logic HORN)
        (declare-fun loop (Int Int Real) Bool)
        (assert (forall ((n Int)) (=> (> n 0) (loop 0 n 0.0))))
        (assert (forall ((i Int) (n Int) (r Real)) (=> (and (loop i n r) (< i 1000)) (loop (+ i 1) n (+ r (/ (to_real n) 2.0))))))
        (assert (forall ((i Int) (n Int) (r Real)) (=> (and (loop i n r) (= i 1000) (not (= r (* 500.0 (to_real n))))) false)))
        (check-sat)";
    assert!(matches!(run(text), Ok(Finding::Holds(_))));
}

/// A loop that counts `n`, adds to `a` and `b` what a phase says, and a query about all three.
fn phased(a: &str, b: &str, query: &str) -> String {
    format!(
        "(set-logic HORN)
        (declare-fun loop (Int Int Int) Bool)
        (assert (loop 0 0 0))
        (assert (forall ((n Int) (a Int) (b Int)) (=> (loop n a b) (loop (+ n 1) (+ a {a}) (+ b {b})))))
        (assert (forall ((n Int) (a Int) (b Int)) (=> (and (loop n a b) {query}) false)))
        (check-sat)"
    )
}

#[test]
fn what_a_loop_does_in_turn_has_equations_by_remainders() {
    let (a, b) = ("(ite (= (mod n 3) 0) 2 0)", "(ite (= (mod n 3) 1) 1 0)");
    let safe = phased(a, b, "(= n 300000) (not (= a (* 2 b)))");
    assert!(matches!(run(&safe), Ok(Finding::Holds(_))));
    let wrong = phased(a, b, "(= n 300001) (not (= a (* 2 b)))");
    assert!(!matches!(run(&wrong), Ok(Finding::Holds(_))));
}

#[test]
fn what_a_loop_does_up_to_a_bound_has_equations_before_it_and_after_it() {
    let (a, b) = ("1", "(ite (< n 700) 2 0)");
    let safe = phased(a, b, "(= n 1400) (not (= a b))");
    assert!(matches!(run(&safe), Ok(Finding::Holds(_))));
    let wrong = phased(a, b, "(= n 1401) (not (= a b))");
    assert!(!matches!(run(&wrong), Ok(Finding::Holds(_))));
}

#[test]
fn a_sum_of_a_remainder_has_equations_about_it() {
    let (a, b) = ("(ite (< (mod n 10) 5) 1 0)", "0");
    let safe = phased(a, b, "(= n 40000) (not (= a 20000))");
    assert!(matches!(run(&safe), Ok(Finding::Holds(_))));
}

#[test]
fn what_is_taken_away_again_stays_on_one_side() {
    let taken = |first: &str| {
        format!(
            "(set-logic HORN)
            (declare-fun up (Int Int) Bool)
            (declare-fun down (Int Int) Bool)
            (assert (up 0 0))
            (assert (forall ((n Int) (s Int)) (=> (up n s) (up (+ n 1) (+ s n 1)))))
            (assert (forall ((n Int) (s Int)) (=> (and (up n s) (> n 0)) (down n {first}))))
            (assert (forall ((n Int) (s Int)) (=> (and (down n s) (> s 0)) (down (- n 1) (+ (- s n) 1)))))
            (assert (forall ((n Int) (s Int)) (=> (and (down n s) (<= s 0) (>= n 0)) false)))
            (check-sat)"
        )
    };
    assert!(matches!(run(&taken("(+ s 1)")), Ok(Finding::Holds(_))));
    assert!(!matches!(run(&taken("(- s 2)")), Ok(Finding::Holds(_))));
}
