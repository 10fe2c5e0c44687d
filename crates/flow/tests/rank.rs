//! Ranks are found, and what is found is accepted by the checker.

mod support;

use alphorn_check::flow::check_termination;
use alphorn_engine::{Card, Ctx, Stop, Stopper};
use alphorn_flow::engines::{RANK, RANK_UNION};
use alphorn_flow::prove::conclude;
use alphorn_problem::evidence::flow::{Measure, Termination};
use alphorn_problem::{Flow, Verdict};

/// What an engine finds within some ticks, proved.
fn run(card: &Card<Flow>, flow: &Flow) -> Result<Termination, Stop> {
    let mut sink = |_| {};
    let mut ctx = Ctx::new(200_000_000, Stopper::new(), 0, &mut sink);
    let finding = (card.build)().run(flow, &mut ctx)?;
    match conclude(flow, finding, &mut ctx)? {
        Verdict::Safe(evidence) => Ok(evidence),
        Verdict::Unsafe(_) => panic!("an engine for ranks found a recurrence"),
    }
}

/// The ranks that an engine finds for a flow, which the checker accepts.
fn ranked(card: &Card<Flow>, clauses: &str) -> Termination {
    let flow = flow(clauses);
    let evidence = run(card, &flow).unwrap_or_else(|stop| panic!("{}", stop.describe()));
    check_termination(&flow, &evidence).expect("the checker accepts it");
    evidence
}

/// Whether an engine gives a flow up.
fn is_given_up(card: &Card<Flow>, clauses: &str) -> bool {
    matches!(run(card, &flow(clauses)), Err(Stop::Stuck(_)))
}

fn flow(clauses: &str) -> Flow {
    support::flow(&alphorn_testkit::read::horn(&format!(
        "(set-logic HORN)\n{clauses}\n(check-sat)"
    )))
}

/// How many functions each level has.
fn depths(evidence: &Termination) -> Vec<usize> {
    match &evidence.ranking.measure {
        Measure::Levels(levels) => levels.iter().map(|level| level.functions.len()).collect(),
        Measure::Disjunctive(_) => panic!("the evidence has no levels"),
    }
}

const COUNTDOWN: &str = "
    (declare-fun a (Int) Bool)
    (assert (forall ((x Int)) (a x)))
    (assert (forall ((x Int)) (=> (and (a x) (> x 0)) (a (- x 1)))))";

const LEXICOGRAPHIC: &str = "
    (declare-fun a (Int Int) Bool)
    (assert (forall ((x Int) (y Int)) (a x y)))
    (assert (forall ((x Int) (y Int)) (=> (and (a x y) (> x 0) (> y 0)) (a x (- y 1)))))
    (assert (forall ((x Int) (y Int) (z Int)) (=> (and (a x y) (> x 0) (> y 0)) (a (- x 1) z))))";

/// First x may grow, until y is negative; then it goes down.
const PHASES: &str = "
    (declare-fun a (Int Int) Bool)
    (assert (forall ((x Int) (y Int)) (a x y)))
    (assert (forall ((x Int) (y Int)) (=> (and (a x y) (>= x 0)) (a (+ x y) (- y 1)))))";

/// The step is positive, which only the beginning says.
const POSITIVE_STEP: &str = "
    (declare-fun b (Int Int) Bool)
    (declare-fun a (Int Int) Bool)
    (assert (forall ((x Int) (y Int)) (=> (>= y 1) (b x y))))
    (assert (forall ((x Int) (y Int)) (=> (b x y) (a x y))))
    (assert (forall ((x Int) (y Int)) (=> (and (a x y) (> x 0)) (a (- x y) y))))";

/// The step is the difference of two numbers that go up together: no octagon says so of three numbers.
const SUM_IS_POSITIVE: &str = "
    (declare-fun a (Int Int Int Int) Bool)
    (assert (forall ((x Int) (y Int) (z Int) (w Int))
        (=> (>= y (+ z w 1)) (a x y z w))))
    (assert (forall ((x Int) (y Int) (z Int) (w Int))
        (=> (and (a x y z w) (> x 0)) (a (- (+ x z w) y) (+ y 2) (+ z 1) (+ w 1)))))";

#[test]
fn a_countdown_has_one_level() {
    assert_eq!(depths(&ranked(&RANK, COUNTDOWN)), [1]);
}

#[test]
fn a_lexicographic_loop_has_two_levels() {
    assert_eq!(depths(&ranked(&RANK, LEXICOGRAPHIC)), [1, 1]);
}

#[test]
fn phases_have_a_nested_rank() {
    assert_eq!(depths(&ranked(&RANK, PHASES)), [2]);
}

#[test]
fn an_invariant_of_one_number_comes_with_the_seed() {
    ranked(&RANK, POSITIVE_STEP);
}

#[test]
fn an_invariant_of_three_numbers_is_wished_for() {
    ranked(&RANK, SUM_IS_POSITIVE);
}

#[test]
fn a_part_of_a_guard_that_no_run_comes_to_is_no_obstacle() {
    ranked(
        &RANK,
        "(declare-fun a (Int Int Int Int) Bool)
         (assert (forall ((x Int) (y Int) (u Int) (v Int))
             (=> (and (< x 0) (= u (+ v 1))) (a x y u v))))
         (assert (forall ((x Int) (y Int) (u Int) (v Int))
             (=> (and (a x y u v) (or (>= x 0) (>= y 0)))
                 (a (- (+ x u) v 1) (- (+ y v) u 1) u v))))",
    );
}

#[test]
fn components_share_their_levels() {
    let two = "
        (declare-fun a (Int Int) Bool)
        (declare-fun b (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (a x y)))
        (assert (forall ((x Int) (y Int)) (=> (and (a x y) (> x 0)) (a (- x 1) y))))
        (assert (forall ((x Int) (y Int)) (=> (a x y) (b x y))))
        (assert (forall ((x Int) (y Int)) (=> (and (b x y) (< y 9)) (b x (+ y 2)))))";
    assert_eq!(depths(&ranked(&RANK, two)), [1]);
}

#[test]
fn disequalities_and_remainders_are_understood() {
    ranked(
        &RANK,
        "(declare-fun a (Int) Bool)
         (assert (forall ((x Int)) (=> (and (>= x 0) (= (mod x 2) 0)) (a x))))
         (assert (forall ((x Int)) (=> (and (a x) (not (= x 0))) (a (- x 2)))))",
    );
    // An odd number passes zero by.
    assert!(is_given_up(
        &RANK,
        "(declare-fun a (Int) Bool)
         (assert (forall ((x Int)) (=> (= x 3) (a x))))
         (assert (forall ((x Int)) (=> (and (a x) (not (= x 0))) (a (- x 2)))))",
    ));
}

#[test]
fn truth_values_count() {
    ranked(
        &RANK,
        "(declare-fun a (Bool Int) Bool)
         (assert (forall ((b Bool) (x Int)) (a b x)))
         (assert (forall ((b Bool) (x Int)) (=> (and (a b x) b) (a false x))))
         (assert (forall ((b Bool) (c Bool) (x Int)) (=> (and (a b x) (not b) (> x 0)) (a c (- x 1)))))",
    );
}

#[test]
fn functions_go_by_cases_where_a_flag_says_which_way() {
    ranked(
        &RANK,
        "(declare-fun a (Int Bool Int) Bool)
         (assert (forall ((x Int) (d Bool) (n Int)) (=> (and d (>= x 0)) (a x d n))))
         (assert (forall ((x Int) (d Bool) (n Int)) (=> (and (a x d n) d (< x n)) (a (+ x 1) d n))))
         (assert (forall ((x Int) (d Bool) (n Int)) (=> (and (a x d n) d (>= x n)) (a x false n))))
         (assert (forall ((x Int) (d Bool) (n Int))
             (=> (and (a x d n) (not d) (> x 0)) (a (- x 1) d n))))",
    );
    // It comes from both sides to zero.
    ranked(
        &RANK,
        "(declare-fun a (Int) Bool)
         (assert (forall ((x Int)) (a x)))
         (assert (forall ((x Int)) (=> (and (a x) (not (= x 0))) (a (ite (> x 0) (- x 1) (+ x 1))))))",
    );
}

#[test]
fn cases_within_a_step_are_found_one_by_one() {
    ranked(
        &RANK,
        "(declare-fun a (Int Int) Bool)
         (assert (forall ((x Int) (y Int)) (a x y)))
         (assert (forall ((x Int) (y Int) (u Int) (v Int))
             (=> (and (a x y) (> x 0) (> y 0)
                      (or (and (= u (- x 1)) (= v y)) (and (= u x) (= v (ite (> y 5) (- y 2) (- y 1))))))
                 (a u v))))",
    );
}

#[test]
fn a_real_number_needs_a_least_decrease() {
    ranked(
        &RANK,
        "(declare-fun a (Real) Bool)
         (assert (forall ((x Real)) (a x)))
         (assert (forall ((x Real)) (=> (and (a x) (> x 0.0)) (a (- x (/ 1.0 3.0))))))",
    );
    // It decreases for ever, by less and less.
    assert!(is_given_up(
        &RANK,
        "(declare-fun a (Real) Bool)
         (assert (forall ((x Real)) (=> (> x 0.0) (a x))))
         (assert (forall ((x Real)) (=> (and (a x) (> x 0.0)) (a (/ x 2.0)))))",
    ));
    // It decreases below every bound.
    assert!(is_given_up(
        &RANK,
        "(declare-fun a (Real) Bool)
         (assert (forall ((x Real)) (a x)))
         (assert (forall ((x Real)) (=> (a x) (a (- x 1.0)))))",
    ));
}

#[test]
fn unions_cover_what_comes_back() {
    for clauses in [COUNTDOWN, LEXICOGRAPHIC, POSITIVE_STEP] {
        let evidence = ranked(&RANK_UNION, clauses);
        assert!(matches!(evidence.ranking.measure, Measure::Disjunctive(_)));
    }
}

/// The program CHOICE of Podelski and Rybalchenko (LICS 2004): no lexicographic rank is affine.
const CHOICE: &str = "
    (declare-fun a (Int Int) Bool)
    (assert (forall ((x Int) (y Int)) (a x y)))
    (assert (forall ((x Int) (y Int)) (=> (and (a x y) (> x 0) (> y 0)) (a (- x 1) x))))
    (assert (forall ((x Int) (y Int)) (=> (and (a x y) (> x 0) (> y 0)) (a (- y 2) (+ x 1)))))";

#[test]
fn a_loop_without_affine_levels_has_a_union() {
    ranked(&RANK_UNION, CHOICE);
}

#[test]
fn phases_of_two_kinds_have_a_union_of_nested_ranks() {
    ranked(
        &RANK_UNION,
        "(declare-fun a (Int Int Int) Bool)
         (assert (forall ((x Int) (y Int) (z Int)) (a x y z)))
         (assert (forall ((x Int) (y Int) (z Int)) (=> (and (a x y z) (> x 0)) (a (+ x y) (- y 1) z))))
         (assert (forall ((x Int) (y Int) (z Int)) (=> (and (a x y z) (> x 0)) (a (+ x z) y (- z 1)))))",
    );
}

#[test]
fn what_goes_on_for_ever_has_no_union() {
    assert!(is_given_up(
        &RANK_UNION,
        "(declare-fun a (Int) Bool)
         (assert (forall ((x Int)) (a x)))
         (assert (forall ((x Int)) (=> (and (a x) (> x 0)) (a (+ x 1)))))",
    ));
}
