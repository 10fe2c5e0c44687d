//! Lists in arrays, by the engine alone, and how arguments are told apart.

use super::*;
use alphorn_engine::Stopper;
use alphorn_testkit::read::horn as read;

/// Nodes are pushed in front of a list, each with a number of its own, and the list is walked. A node's tag is 1
/// and a number's 2; `links` says what a new node's link is, and `next` where the walk goes.
fn list(links: &str, next: &str) -> String {
    format!(
        "(set-logic HORN)
        (declare-fun Build ((Array Int Int) (Array Int Int) Int Int) Bool)
        (declare-fun Fresh ((Array Int Int) (Array Int Int) Int Int Int) Bool)
        (declare-fun Walk ((Array Int Int) (Array Int Int) Int Int) Bool)
        (assert (forall ((l (Array Int Int))) (Build ((as const (Array Int Int)) 0) l 0 0)))
        (assert (forall ((t (Array Int Int)) (l (Array Int Int)) (n Int) (h Int) (g Int))
          (=> (Build t l n h) (Fresh (store t (+ n 1) 1) (store l (+ n 1) g) (+ n 1) h (+ n 1)))))
        (assert (forall ((t (Array Int Int)) (l (Array Int Int)) (n Int) (h Int) (p Int))
          (=> (and (Fresh t l n h p) (= (select t p) 1)) (Build t (store l p {links}) n p))))
        (assert (forall ((t (Array Int Int)) (l (Array Int Int)) (n Int) (h Int))
          (=> (Build t l n h) (Build (store t (+ n 1) 2) l (+ n 1) h))))
        (assert (forall ((t (Array Int Int)) (l (Array Int Int)) (n Int) (h Int))
          (=> (Build t l n h) (Walk t l n h))))
        (assert (forall ((t (Array Int Int)) (l (Array Int Int)) (n Int) (h Int))
          (=> (and (Walk t l n h) (distinct h 0)) (Walk t l n {next}))))
        (assert (forall ((t (Array Int Int)) (l (Array Int Int)) (n Int) (h Int))
          (=> (and (Walk t l n h) (distinct h 0) (distinct (select t h) 1)) false)))
        (check-sat)"
    )
}

fn run(text: &str) -> Result<Finding<Horn>, Stop> {
    let mut sink = |_| {};
    let mut ctx = Ctx::new(2_000_000, Stopper::new(), 0, &mut sink);
    (CARD.build)().run(&read(text), &mut ctx)
}

#[test]
fn a_walk_along_links_meets_nodes_alone() {
    let finding = run(&list("h", "(select l h)"));
    assert!(matches!(finding, Ok(Finding::Holds(_))), "{finding:?}");
}

#[test]
fn a_walk_that_may_meet_other_cells_is_not_proved() {
    for (links, next) in [("n", "(+ h 1)"), ("(+ p 1)", "(select l h)")] {
        let finding = run(&list(links, next));
        assert!(matches!(finding, Err(Stop::Stuck(_))), "{finding:?}");
    }
}

#[test]
fn arrays_without_indices_in_them_are_refused() {
    let text = "(set-logic HORN)
        (declare-fun P ((Array Int Int) Int) Bool)
        (assert (forall ((a (Array Int Int))) (P a 0)))
        (assert (forall ((a (Array Int Int)) (i Int)) (=> (P a i) (P (store a i 7) (+ i 1)))))
        (check-sat)";
    assert!(matches!(run(text), Err(Stop::Unsupported(_))));
}

/// Tags, links, limits and pointers are told apart by how they are used.
#[test]
fn arguments_are_classified_by_their_use() {
    let horn = read(&list("h", "(select l h)"));
    let heaps = pointers::heaps(&System::of(&horn), &horn.terms);
    let build = &heaps[0];
    assert_eq!(build.links, [1]);
    // The last cell that was handed out is one, too.
    assert_eq!(build.pointers, [2, 3]);
    assert!(build.limits.contains(&2), "{build:?}");
    assert_eq!(build.tags.iter().map(|&(at, _)| at).collect::<Vec<_>>(), [0]);
}

#[test]
fn guesses_that_a_fact_contradicts_go_and_others_stay() {
    let mut horn = read(
        "(set-logic HORN)
        (declare-fun P ((Array Int Int) Int) Bool)
        (assert (P ((as const (Array Int Int)) 0) 0))
        (assert (forall ((a (Array Int Int)) (n Int)) (=> (and (P a n) (< n 3)) (P (store a (+ n 1) n) (+ n 1)))))
        (assert (forall ((a (Array Int Int)) (n Int)) (=> (and (P a n) (< (select a n) 0)) false)))
        (check-sat)",
    );
    let mut sink = |_| {};
    let mut ctx = Ctx::new(2_000_000, Stopper::new(), 0, &mut sink);
    let facts = Facts::of(&horn, &mut ctx).expect("facts can be derived");
    let (system, store) = (System::of(&horn), &mut horn.terms);
    let mut params = system.params(store, alphorn_problem::horn::PredId(0));
    params.push(store.fresh_var("i", alphorn_term::SortId::INT));
    let (element, zero) = (store.select(params[0], params[2]), store.int(0));
    let positive = store.ge(element, zero);
    let is_zero = store.eq(element, zero);
    let below = store.lt(element, params[2]);
    let outside = store.ge(zero, params[2]);
    let is_behind = store.or(&[outside, below]);
    let kept = facts.kept(store, 0, &params, vec![positive, is_zero, is_behind], &mut ctx);
    assert_eq!(kept.expect("there are ticks enough"), [positive, is_behind]);
}
