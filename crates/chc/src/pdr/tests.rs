//! The parts of the engine that have no public face: the queue, the frames, literals and sums.

use super::Settings;
use super::frames::{Frames, INFINITY, Lemma, is_subset};
use super::literal::{Inequality, split_equations};
use super::queue::{Obligation, Queue};
use super::search::Search;
use alphorn_engine::{Ctx, Event, Stopper};
use alphorn_term::{Model, Op, SortId, Store, TermId, Value};

fn obligation(level: usize, depth: usize) -> Obligation {
    Obligation { pred: 0, cube: Vec::new(), level, depth, conjecture: None }
}

#[test]
fn low_levels_come_first_and_settled_ones_wait_for_the_goal() {
    let mut queue = Queue::new(10);
    queue.raise(3);
    let root = queue.push(obligation(3, 0));
    let child = queue.push(obligation(2, 1));
    assert_eq!(queue.pop(), Some(child));
    queue.push_again(child, 3);
    assert_eq!(queue.pop(), Some(root));
    assert_eq!(queue.pop(), None, "the child belongs to the goal's next level");
    queue.push_again(root, 4);
    queue.raise(4);
    assert_eq!(queue.pop(), Some(child));
    assert_eq!(queue.pop(), Some(root));
    assert_eq!((queue.pop(), queue.count(), queue.waiting()), (None, 2, 0));
}

#[test]
fn a_full_queue_drops_what_is_farthest_and_never_the_goal() {
    let mut queue = Queue::new(2);
    queue.raise(9);
    let root = queue.push(obligation(9, 0));
    let near = queue.push(obligation(3, 6));
    queue.push(obligation(4, 5));
    assert_eq!(queue.waiting(), 2);
    assert_eq!((queue.pop(), queue.pop(), queue.pop()), (Some(near), Some(root), None));
}

/// Lemmas over made-up literals.
fn lemma(cube: &[TermId], level: usize) -> Lemma {
    Lemma { cube: cube.to_vec(), formula: TermId::FALSE, level }
}

#[test]
fn lemmas_that_say_less_go() {
    let mut store = Store::new();
    let literals: Vec<TermId> =
        (0..3).map(|number| store.var(&format!("b{number}"), SortId::BOOL)).collect();
    let [a, b, c] = literals[..] else { panic!("three literals") };
    let mut frames = Frames::new(1);
    assert!(frames.add(0, lemma(&[a, b], 2)));
    assert!(!frames.add(0, lemma(&[a, b, c], 1)), "it follows from the first");
    assert!(frames.add(0, lemma(&[a, b, c], 3)), "it holds longer");
    assert_eq!(frames.excluded_up_to(0, &[a, b, c]), 3);
    assert!(frames.add(0, lemma(&[b], 3)));
    assert_eq!((frames.count(), frames.of(0)[0].cube.clone()), (1, vec![b]));
    assert!(frames.is_level_empty(2) && !frames.is_level_empty(3));
    assert!(is_subset(&[a, c], &[a, b, c]) && !is_subset(&[a, c], &[a, b]));
}

#[test]
fn inequalities_have_one_form() {
    let mut store = Store::new();
    let (x, y) = (store.var("x", SortId::INT), store.var("y", SortId::INT));
    let (two, four, seven) = (store.int(2), store.int(4), store.int(7));
    // 2x < 4y + 7 and not (x - 2y >= 4) say the same of integers.
    let (left, right) = (store.mul(&[two, x]), store.mul(&[four, y]));
    let right = store.add(&[right, seven]);
    let first = store.lt(left, right);
    let double = store.mul(&[two, y]);
    let difference = store.sub(x, double);
    let at_least = store.ge(difference, four);
    let second = store.not(at_least);
    let form =
        |literal| Inequality::of(&store, literal).map(|found| found.to_literal(&mut store.clone()));
    assert_eq!(form(first), form(second));
    assert_eq!(form(TermId::TRUE), None);
    let equation = store.eq(x, y);
    let halves = split_equations(&mut store, &[equation]);
    assert_eq!(halves.len(), 2);
    assert!(halves.iter().all(|&half| store.op(half) == Op::Le));
}

/// The search for a system with one loop, x and y counting together from 0.
fn with_loop(test: impl FnOnce(&mut Search<'_>, &mut Ctx<'_>)) {
    with_events(&mut Vec::new(), test);
}

/// `with_loop` with what is told meanwhile.
fn with_events<R>(
    heard: &mut Vec<Event>,
    test: impl FnOnce(&mut Search<'_>, &mut Ctx<'_>) -> R,
) -> R {
    let text = "(set-logic HORN) (declare-fun p (Int Int) Bool) (assert (p 0 0))
                (assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (+ y 1)))))
                (assert (forall ((x Int) (y Int)) (=> (and (p x y) (> x y)) false)))";
    let horn = alphorn_testkit::read::horn(text);
    let mut sink = |event| heard.push(event);
    let mut ctx = Ctx::new(10_000_000, Stopper::new(), 0, &mut sink);
    let mut search = Search::new(&horn, Settings::default()).unwrap();
    search.add_level();
    search.add_level();
    test(&mut search, &mut ctx)
}

#[test]
fn conjectures_end_when_they_are_derived_or_take_long() {
    let mut queue = Queue::new(10);
    queue.raise(3);
    let goal = queue.push(obligation(2, 1));
    let beside = queue.obligation(goal).clone();
    queue.conjecture(0, vec![TermId::TRUE], &beside);
    queue.conjecture(0, vec![TermId::FALSE], &beside);
    let [_, first, second] = [queue.pop(), queue.pop(), queue.pop()].map(Option::unwrap);
    assert!(queue.spend(goal) && queue.spend(first) && queue.spend(second));
    let part = Obligation { conjecture: queue.obligation(first).conjecture, ..obligation(1, 2) };
    let part = queue.push(part);
    queue.derived(part);
    assert!(queue.spend(part), "that a part is derived does not say that the whole is");
    queue.derived(first);
    assert!(!queue.spend(part) && !queue.spend(first));
    assert_eq!((0..1_000).filter(|_| queue.spend(second)).count(), 38);
    assert!(queue.spend(goal), "the goal's obligations go on");
}

#[test]
fn a_family_is_added_up_from_its_second_lemma_on() {
    with_loop(|search, ctx| {
        let params = search.system.params[0].clone();
        let mut guided = |search: &mut Search<'_>, number: i64| {
            let (high, low) = (search.store.int(number + 2), search.store.int(number));
            let high = search.store.ge(params[0], high);
            let low = search.store.le(params[1], low);
            search.guide(0, 2, vec![high, low], ctx).unwrap().len()
        };
        assert_eq!(guided(search, 1), 2, "one lemma is no family");
        assert_eq!(guided(search, 2), 1, "the sum is x - y >= 2");
        search.guidance.is_on = false;
        assert_eq!(guided(search, 3), 2, "switched off");
    });
}

#[test]
fn literals_that_are_not_needed_are_left_out() {
    with_loop(|search, ctx| {
        let params = search.system.params[0].clone();
        let (zero, five) = (search.store.int(0), search.store.int(5));
        let low = search.store.lt(params[0], zero);
        let high = search.store.ge(params[1], five);
        let cube = search.generalize(0, 1, vec![high, low], ctx).unwrap();
        assert_eq!(cube.len(), 1, "at level 1 there is one fact, which each literal excludes");
        let cube = search.generalize(0, 2, vec![high, low], ctx).unwrap();
        assert_eq!(cube, vec![low], "only one of them is inductive");
    });
}

#[test]
fn a_sum_takes_the_place_of_its_parts() {
    with_loop(|search, ctx| {
        let params = search.system.params[0].clone();
        let (three, five) = (search.store.int(3), search.store.int(5));
        let high = search.store.ge(params[0], five);
        let low = search.store.le(params[1], three);
        let cube = search.combine(0, 2, &[high, low], ctx).unwrap().expect("x - y >= 2 will do");
        let difference = search.store.sub(params[0], params[1]);
        let two = search.store.int(2);
        let sum = search.store.ge(difference, two);
        let expected = Inequality::of(&search.store, sum).unwrap();
        assert_eq!(cube, vec![expected.to_literal(&mut search.store)]);
        assert_eq!(search.raise(0, 2, &cube, ctx), Ok(INFINITY), "it is inductive by itself");
        search.settings.has_infinity = false;
        assert_eq!(search.raise(0, 2, &cube, ctx), Ok(2), "the top");
    });
}

/// The cube x - y >= `number` of the loop's predicate.
fn apart(search: &mut Search<'_>, number: i64) -> Vec<TermId> {
    let params = search.system.params[0].clone();
    let difference = search.store.sub(params[0], params[1]);
    let number = search.store.int(number);
    let literal = search.store.ge(difference, number);
    let inequality = Inequality::of(&search.store, literal).expect("an inequality");
    vec![inequality.to_literal(&mut search.store)]
}

#[test]
fn weaker_bounds_subsume_stronger_ones() {
    with_loop(|search, ctx| {
        let [one, two, three] = [1, 2, 3].map(|number| apart(search, number));
        search.add_lemma(0, two.clone(), 1, ctx);
        for cube in [&one, &three] {
            search.frames.note(&search.store, cube[0]);
        }
        assert_eq!(search.frames.excluded_up_to(0, &three), 1, "x - y >= 3 is a part");
        assert_eq!(search.frames.excluded_up_to(0, &one), 0);
        search.add_lemma(0, one.clone(), 2, ctx);
        assert_eq!(search.frames.of(0).len(), 1, "the lemma that says less is gone");
    });
}

#[test]
fn invariants_are_published_and_adopted() {
    let mut heard = Vec::new();
    with_events(&mut heard, |search, ctx| {
        let cube = apart(search, 1);
        let level = search.raise(0, 1, &cube, ctx).unwrap();
        search.add_lemma(0, cube, level, ctx);
    });
    let says = |event: &Event| {
        matches!(event, Event::Proved { predicate, formula }
        if predicate == "p" && formula.starts_with("(<= "))
    };
    assert!(heard.iter().any(says), "{heard:?}");
    with_loop(|search, ctx| {
        let goal = search.system.goal();
        assert!(search.inductive(goal, INFINITY, &[], ctx).unwrap().is_err());
        let cube = apart(search, 1);
        let lemma = search.store.not(cube[0]);
        search.adopt(0, lemma);
        assert!(search.inductive(goal, INFINITY, &[], ctx).unwrap().is_ok());
        assert_eq!(search.frames.count_at(INFINITY), 1);
    });
}

#[test]
fn what_a_proof_does_not_need_is_left_out() {
    with_loop(|search, ctx| {
        let (needed, idle) = (apart(search, 1), apart(search, 7));
        let params = search.system.params[0].clone();
        let zero = search.store.int(0);
        let other = vec![search.store.lt(params[0], zero)];
        let mut lemma = |cube: &Vec<TermId>| {
            let formula = search.store.not(cube[0]);
            Lemma { cube: cube.clone(), formula, level: 2 }
        };
        let own = vec![lemma(&idle), lemma(&other), lemma(&needed)];
        let goal = Lemma { cube: Vec::new(), formula: TermId::FALSE, level: 2 };
        let kept = search.reduce(vec![own.clone(), vec![goal.clone()]], ctx).unwrap();
        assert_eq!(kept[0], own[2..], "x <= y is inductive, and excludes the goal");
        let kept = search.reduce(vec![own[..2].to_vec(), vec![goal]], ctx).unwrap();
        assert_eq!(kept[0], own[..2], "what is no proof stays as it is");
    });
}

#[test]
fn counterexamples_to_induction_are_found_again_while_they_are_some() {
    with_loop(|search, ctx| {
        let params = search.system.params[0].clone();
        let five = search.store.int(5);
        let cube = vec![search.store.ge(params[0], five)];
        search.settings.keeps_witnesses = true;
        assert!(search.inductive(0, 2, &cube, ctx).unwrap().is_err(), "x = 4 precedes it");
        let asked = search.solvers.questions;
        let point = search.inductive(0, 2, &cube, ctx).unwrap().expect_err("as before");
        assert_eq!((search.solvers.questions, search.witnesses.used), (asked, 1));
        assert!(super::rules::holds(&search.store, cube[0], &point));
        assert!(search.inductive(0, 1, &cube, ctx).unwrap().is_ok(), "nothing precedes level 1");
        let four = search.store.int(4);
        let before = vec![search.store.ge(params[0], four)];
        search.add_lemma(0, before, 1, ctx);
        assert!(search.inductive(0, 2, &cube, ctx).unwrap().is_ok(), "a lemma excludes it");
    });
}

#[test]
fn solvers_that_are_made_anew_know_the_same() {
    with_loop(|search, ctx| {
        let cube = apart(search, 1);
        search.add_lemma(0, cube, 1, ctx);
        let goal = search.system.goal();
        assert!(search.inductive(goal, 2, &[], ctx).unwrap().is_ok());
        assert!(search.inductive(goal, 3, &[], ctx).unwrap().is_err());
        let params = search.system.params[0].clone();
        for number in 0..2_000 {
            let number = search.store.int(number);
            let literal = search.store.ge(params[0], number);
            search.inductive(0, 2, &[literal], ctx).unwrap().ok();
        }
        assert!(search.solvers.rebuilt > 0);
        assert!(search.inductive(goal, 2, &[], ctx).unwrap().is_ok());
        assert!(search.inductive(goal, 3, &[], ctx).unwrap().is_err());
    });
}

#[test]
fn bounds_that_are_not_needed_go_when_they_are_moved() {
    with_loop(|search, ctx| {
        let params = search.system.params[0].clone();
        let before = search.store.int(-1);
        let needed = search.store.eq(params[0], before);
        let mut guided = Vec::new();
        for number in 0..4 {
            let number = search.store.int(number);
            let bound = search.store.ge(params[1], number);
            guided = search.guide(0, 1, vec![bound, needed], ctx).unwrap();
        }
        assert_eq!(guided, vec![needed], "the fourth of a family is moved as far as it goes");
    });
}

#[test]
fn a_point_becomes_a_half_space() {
    with_loop(|search, ctx| {
        let params = search.system.params[0].clone();
        let before = search.store.int(-3);
        let point = vec![search.store.eq(params[0], before)];
        let weaker = search.separate(0, 1, point.clone(), ctx).unwrap();
        assert_ne!(weaker, point);
        assert_eq!(search.separated, 1);
        let at = |x: i64| {
            let values = [(params[0], Value::Int(x.into())), (params[1], Value::Int(0.into()))];
            let point = Model { vars: values.into(), ..Model::new() };
            weaker.iter().all(|&literal| super::rules::holds(&search.store, literal, &point))
        };
        assert!(at(-3) && at(-1) && !at(0), "it excludes all that is below the start");
    });
}
