//! Hints: formulas that hold together strengthen the clauses, others and terms guide the abstraction.

use crate::{ENGINES, read};
use alphorn_chc::cegar::hints::strengthen;
use alphorn_engine::{Ctx, Event, Exchange, Stopper};
use alphorn_horn::{conclude, simplify};
use alphorn_problem::hint::HintKind;
use alphorn_problem::lemma::HornLemma;
use alphorn_problem::{Finding, Horn};
use alphorn_testkit::horn::judge::judge;
use std::sync::Arc;

/// A sum of odd numbers that is asked about late: without a formula about both counters there is no end.
const SQUARES: &str = "(set-logic HORN) (declare-fun p (Int Int Int) Bool)
    (assert (p 0 1 0))
    (assert (forall ((x Int) (y Int) (z Int)) (=> (p x y z) (p (+ x y) (+ y 2) (+ z 1)))))
    (assert (forall ((x Int) (y Int) (z Int))
      (=> (and (p x y z) (distinct y (+ z z 1))) false)))";

/// Hints from a text.
fn hints(horn: &Horn, text: &str) -> Vec<HornLemma> {
    let (hints, diagnostics) = alphorn_front::hints::read(text.as_bytes(), horn);
    let hints = hints.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let lemma = |hint: &alphorn_problem::hint::Hint| {
        HornLemma::of_hint(&hints.terms, hint.pred, &hint.params, hint.term, hint.kind).unwrap()
    };
    hints.all.iter().map(lemma).collect()
}

#[test]
fn formulas_that_hold_together_are_kept_and_others_are_not_believed() {
    let horn = read(SQUARES);
    let text = "(initial-predicates p ((x Int) (y Int) (z Int))
        (= y (+ z z 1)) (>= x 0) (>= y 1) (< z 100) (= x 7))";
    let hints = hints(&horn, text);
    let mut silent = |_: Event| {};
    let mut ctx = Ctx::new(1_000_000, Stopper::new(), 1, &mut silent);
    let stronger = strengthen(&horn, &hints, &mut ctx).unwrap().expect("some hold");
    assert_eq!(stronger.held, 3, "what has an end or is wrong is not kept");
    // What is found of the stronger clauses is proved of those as read.
    let finding = (alphorn_testkit::horn::judge::card(ENGINES.tables, "cegar").build)()
        .run(&stronger.horn, &mut ctx)
        .unwrap();
    let Finding::Holds(claim) = &finding else { panic!("the system is safe") };
    assert_eq!(claim.preds.len(), 1);
    let finding = stronger.back.finding(finding, &mut ctx).unwrap();
    let verdict = conclude(&horn, finding, &mut ctx).unwrap();
    assert_eq!(judge(&horn, &verdict), "safe");
}

#[test]
fn hints_alone_do_not_make_a_system_safe() {
    let horn = read(
        "(set-logic HORN) (declare-fun p (Int) Bool)
         (assert (p 0))
         (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
         (assert (forall ((x Int)) (=> (and (p x) (> x 3)) false)))",
    );
    let hints = hints(&horn, "(define-fun p ((x Int)) Bool (and (<= x 3) (>= x 0)))");
    let mut silent = |_: Event| {};
    let mut ctx = Ctx::new(1_000_000, Stopper::new(), 1, &mut silent);
    let stronger = strengthen(&horn, &hints, &mut ctx).unwrap().expect("one conjunct holds");
    assert_eq!(stronger.held, 1);
    let finding = (alphorn_testkit::horn::judge::card(ENGINES.tables, "cegar").build)()
        .run(&stronger.horn, &mut ctx)
        .unwrap();
    let finding = stronger.back.finding(finding, &mut ctx).unwrap();
    let verdict = conclude(&horn, finding, &mut ctx).unwrap();
    assert_eq!(judge(&horn, &verdict), "unsafe, 6 steps");
}

#[test]
fn the_abstraction_begins_with_formulas_that_are_told() {
    let horn = read(SQUARES);
    let told = hints(&horn, "(define-fun p ((x Int) (y Int) (z Int)) Bool (= y (+ z z 1)))");
    let exchange = Arc::new(Exchange::default());
    let mut silent = |_: Event| {};
    let mut user = Ctx::new(1, Stopper::new(), 1, &mut silent).trading(0, Arc::clone(&exchange));
    told.into_iter().for_each(|hint| user.publish::<Horn>(hint));
    let mut remarks = Vec::new();
    let mut sink = |event: Event| remarks.push(event);
    let mut ctx = Ctx::new(1_000_000, Stopper::new(), 1, &mut sink).trading(1, exchange);
    assert!(matches!(
        (alphorn_testkit::horn::judge::card(ENGINES.tables, "cegar").build)().run(&horn, &mut ctx),
        Ok(Finding::Holds(_))
    ));
    let is_first =
        |event: &Event| matches!(event, Event::Remark(text) if text.starts_with("0 rounds"));
    assert!(remarks.iter().any(is_first), "{remarks:?}");
}

/// The rounds that an engine takes with templates of the user.
fn rounds_with(horn: &Horn, text: &str, engine: &str) -> Option<u64> {
    let exchange = Arc::new(Exchange::default());
    let mut silent = |_: Event| {};
    let mut user = Ctx::new(1, Stopper::new(), 1, &mut silent).trading(0, Arc::clone(&exchange));
    hints(horn, text).into_iter().for_each(|hint| user.publish::<Horn>(hint));
    let mut rounds = None;
    let mut sink = |event: Event| {
        if let Event::Remark(text) = event {
            rounds = text.split_once(" rounds, ").and_then(|(count, _)| count.parse().ok());
        }
    };
    let mut ctx = Ctx::new(100_000, Stopper::new(), 1, &mut sink).trading(1, exchange);
    let found =
        (alphorn_testkit::horn::judge::card(ENGINES.tables, engine).build)().run(horn, &mut ctx);
    matches!(found, Ok(Finding::Holds(_))).then_some(rounds).flatten()
}

#[test]
fn bounds_of_the_right_term_guide_and_those_of_others_do_not() {
    // No loop keeps a form and no clause compares one, so only the user knows which to bound.
    let horn = read(
        "(set-logic HORN) (declare-fun p (Int Int) Bool)
         (assert (p 0 0))
         (assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 2) (+ y 1)))))
         (assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 3) (+ y 1)))))
         (assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x 1000) (= y 501)) false)))",
    );
    let bound = |term: &str| {
        let text = format!("(templates p ((x Int) (y Int)) (inequality-term {term} 1))");
        rounds_with(&horn, &text, "cegar")
    };
    assert_eq!(rounds_with(&horn, "", "cegar"), None);
    assert_eq!(bound("(- x (* 2 y))"), Some(1));
    assert_eq!(bound("(- (* 2 y) x)"), Some(1), "both sides are bounds");
    assert_eq!(bound("(- x (* 5 y))"), None);
}

/// The second argument is constant and the third unused: the predicate that is left has one.
const FEWER_ARGUMENTS: &str = "(set-logic HORN) (declare-fun p (Int Int Int) Bool)
    (assert (forall ((z Int)) (p 0 5 z)))
    (assert (forall ((x Int) (y Int) (z Int)) (=> (p x y z) (p (+ x y) y (+ z 1)))))
    (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (= x 3)) false)))";

#[test]
fn hints_go_forward_through_transforms() {
    let horn = read(FEWER_ARGUMENTS);
    let hints = hints(
        &horn,
        "(templates p ((x Int) (y Int) (z Int)) (term (- x y) 1) (term (+ x z) 2) (predicate (< x y) 3))",
    );
    let mut silent = |_: Event| {};
    let mut ctx = Ctx::new(1_000_000, Stopper::new(), 1, &mut silent);
    let small = simplify(&horn, &[], &mut ctx).unwrap();
    let sorts: Vec<usize> =
        small.horn.pred_ids().map(|pred| small.horn.pred_args(pred).len()).collect();
    assert_eq!(sorts, [1], "the test needs a predicate that is left with one argument");
    let carried = small.carry_forward(&hints);
    let mut store = small.horn.terms.clone();
    let x = store.fresh_var("x", alphorn_term::SortId::INT);
    let shown: Vec<(Option<HintKind>, String)> = carried
        .iter()
        .map(|hint| {
            let term = hint.read(&mut store, &[x]).unwrap();
            let value = store.int(2);
            let map = [(x, value)].into_iter().collect();
            let term = store.substitute(term, &map);
            (hint.hint, store.show(term).to_string())
        })
        .collect();
    let term = Some(HintKind::Term { cost: 1 });
    let truth = Some(HintKind::Truth { cost: 3 });
    assert_eq!(shown, [(term, "(- 3)".to_owned()), (truth, "true".to_owned())]);
}

#[test]
fn lemmas_go_back_through_transforms() {
    let horn = read(FEWER_ARGUMENTS);
    let mut silent = |_: Event| {};
    let mut ctx = Ctx::new(1_000_000, Stopper::new(), 1, &mut silent);
    let small = simplify(&horn, &[], &mut ctx).unwrap();
    let pred = small.horn.pred_ids().next().unwrap();
    let name = small.horn.pred_name(pred).to_owned();
    let lemma = hints(&small.horn, &format!("(define-fun {name} ((a Int)) Bool (>= a 0))"));
    let back = small.passage().back(&lemma);
    let [of_lemma] = &back[..] else { panic!("one lemma was given") };
    let [lemma] = &of_lemma[..] else { panic!("one predicate has it: {of_lemma:?}") };
    // About the first argument, and no other.
    let mut store = horn.terms.clone();
    let params: Vec<_> = (0..3).map(|_| store.fresh_var("x", alphorn_term::SortId::INT)).collect();
    let term = lemma.read(&mut store, &params).unwrap();
    assert_eq!(store.free_vars(&[term]), [params[0]]);
    for (value, wanted) in [(0, "true"), (-1, "false")] {
        let value = store.int(value);
        let map = [(params[0], value)].into_iter().collect();
        let said = store.substitute(term, &map);
        assert_eq!(store.show(said).to_string(), wanted);
    }
}
