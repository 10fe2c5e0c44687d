//! Cones, hulls, and what clauses do with them.

use super::cone::Description;
use super::polyhedron::Hull;
use super::*;
use alphorn_engine::Stopper;
use alphorn_horn::evidence::prove;
use alphorn_testkit::read::horn as read;

fn with_ticks<R>(work: impl FnOnce(&mut Ctx<'_>) -> R) -> R {
    let mut sink = |_| {};
    work(&mut Ctx::new(50_000_000, Stopper::new(), 0, &mut sink))
}

/// What the engine finds, and that it is a model if it is one.
fn run(text: &str) -> Result<(), Stop> {
    let horn = read(text);
    let found = with_ticks(|ctx| (CARD.build)().run(&horn, ctx))?;
    let Finding::Holds(claim) = found else { panic!("it only proves") };
    let proved = with_ticks(|ctx| prove(&horn, claim.terms, claim.preds, ctx)?.model(&horn));
    assert!(proved.is_ok(), "{proved:?}");
    Ok(())
}

fn hull(points: &[[i128; 2]]) -> Hull {
    let rays = points.iter().map(|[x, y]| vec![1, *x, *y]).collect();
    let all = Description { lines: Vec::new(), rays };
    with_ticks(|ctx| Hull::generated(&all, 3, ctx)).expect("in time").expect("there are points")
}

#[test]
fn the_hull_of_points_has_their_corners_and_the_edges_between_them() {
    let found = hull(&[[0, 0], [4, 0], [0, 4], [1, 1], [2, 2], [2, 0]]);
    assert_eq!(found.corners.rays, [vec![1, 0, 0], vec![1, 4, 0], vec![1, 0, 4]]);
    assert_eq!(found.rows.rays, [vec![0, 0, 1], vec![0, 1, 0], vec![4, -1, -1]]);
    assert!(found.rows.lines.is_empty());
}

#[test]
fn points_on_a_line_have_its_equation() {
    let found = hull(&[[0, 1], [2, 5], [1, 3]]);
    let [line] = &found.rows.lines[..] else { panic!("one equation") };
    assert_eq!([line[0] * 2, -line[0]], [line[1], line[2]]);
    assert_eq!(found.corners.rays.len(), 2);
}

#[test]
fn constraints_and_generators_lead_to_one_another() {
    let found = hull(&[[0, 0], [5, 1], [1, 5], [6, 6], [3, 3], [6, 2]]);
    let again = with_ticks(|ctx| Hull::allowed(&found.rows, 3, ctx)).expect("in time");
    let (mut corners, mut again) = (found.corners.rays.clone(), again.rays);
    corners.sort();
    again.sort();
    assert_eq!(corners, again);
}

#[test]
fn a_cut_is_what_all_constraints_together_leave() {
    let square = hull(&[[0, 0], [6, 0], [0, 6], [6, 6]]);
    let more = Description { lines: Vec::new(), rays: vec![vec![4, -1, -1], vec![-1, 1, 0]] };
    let cut = with_ticks(|ctx| square.corners.clone().cut(&square.rows, &more, 100, ctx));
    let mut all = square.rows.clone();
    all.rays.extend(more.rays);
    let whole = with_ticks(|ctx| Hull::allowed(&all, 3, ctx)).expect("in time");
    assert_eq!(cut.expect("in time"), whole);
    assert_eq!(whole.rays, [vec![1, 1, 0], vec![1, 1, 3], vec![1, 4, 0]]);
}

#[test]
fn widening_keeps_the_rows_that_go_on_holding() {
    let (small, large) = (hull(&[[0, 0], [1, 0], [1, 1]]), hull(&[[0, 0], [2, 0], [2, 2]]));
    let wide = with_ticks(|ctx| small.widened(&large, ctx)).expect("in time");
    // 0 ≤ y ≤ x stays, x has no bound any more, and what is at infinity is where 1 is not negative.
    assert_eq!(wide.rows.rays, [vec![0, 0, 1], vec![0, 1, -1], vec![1, 0, 0]]);
    assert!(wide.contains(&large.corners) && !small.contains(&large.corners));
}

#[test]
fn numbers_that_grow_too_large_end_the_computation() {
    let point = |at: i128| vec![1, (at * at * at) << 40, ((at * at * 5) << 40) + at % 3, at << 30];
    let rays = (0..6).map(point).collect();
    let all = Description { lines: Vec::new(), rays };
    let found = with_ticks(|ctx| Hull::generated(&all, 4, ctx));
    assert!(matches!(found, Err(Stop::Stuck(_))), "{found:?}");
}

/// Two numbers, each of which is the sum of both in turn, so many times each, in any order.
fn sums(times: i64, most: i64) -> String {
    format!(
        "(set-logic HORN)
        (declare-fun s (Int Int Int Int) Bool)
        (assert (s 0 0 1 1))
        (assert (forall ((i Int) (j Int) (a Int) (b Int))
            (=> (and (s i j a b) (< i {times})) (s (+ i 1) j (+ a b) b))))
        (assert (forall ((i Int) (j Int) (a Int) (b Int))
            (=> (and (s i j a b) (< j {times})) (s i (+ j 1) a (+ a b)))))
        (assert (forall ((i Int) (j Int) (a Int) (b Int))
            (=> (and (s i j a b) (> (+ a b) {most})) false)))
        (check-sat)"
    )
}

#[test]
fn sums_in_any_order_are_bounded_at_each_count() {
    // Alternating is best for both together: 1, 1, 2, 3, 5, 8, 13, 21.
    assert_eq!(run(&sums(3, 34)), Ok(()));
    assert!(matches!(run(&sums(3, 33)), Err(Stop::Stuck(_))));
}

#[test]
fn a_loop_without_a_bound_is_widened_and_taken_back_to_its_guard() {
    let text = "(set-logic HORN)
        (declare-fun s (Int Int Int) Bool)
        (assert (forall ((n Int)) (=> (>= n 0) (s 0 0 n))))
        (assert (forall ((i Int) (x Int) (n Int))
            (=> (and (s i x n) (< i n)) (s (+ i 1) (+ x 3) n))))
        (assert (forall ((i Int) (x Int) (n Int))
            (=> (and (s i x n) (>= i n) (not (= x (* 3 n)))) false)))
        (check-sat)";
    assert_eq!(run(text), Ok(()));
}

#[test]
fn calls_with_reals_and_an_atom_under_a_disjunction_have_hulls() {
    let text = "(set-logic HORN)
        (declare-fun f (Real Real) Bool)
        (declare-fun g (Real) Bool)
        (assert (forall ((x Real) (y Real)) (=> (and (<= 0.0 x 2.0) (= y (* 0.5 x))) (f x y))))
        (assert (forall ((x Real) (y Real) (z Real))
            (=> (and (or (g z) (= z 0.0)) (f x y) (< z 1.0)) (g (+ y z)))))
        (assert (forall ((z Real)) (=> (and (g z) (> z 2.0)) false)))
        (check-sat)";
    assert_eq!(run(text), Ok(()));
}

#[test]
fn systems_without_numbers_are_not_for_it() {
    let text = "(set-logic HORN)
        (declare-fun p (Bool) Bool)
        (assert (p true))
        (assert (=> (p false) false))
        (check-sat)";
    assert!(matches!(run(text), Err(Stop::Unsupported(_))));
}
