//! Edges of the engine: what it refuses, what it leaves open, several queries, few ticks.

use crate::judge::{read, run};
use crate::rules::rules;
use alphorn_chc::engines::HORN_ENGINES;
use alphorn_engine::{Event, Limit, Stop};
use alphorn_horn::conclude;
use alphorn_problem::{Horn, Verdict};
use alphorn_testkit::horn::judge;

fn attempt(horn: &Horn, ticks: u64) -> (Result<Verdict<Horn>, Stop>, u64, Vec<Event>) {
    judge::attempt(judge::card(&[HORN_ENGINES], "recursion-free"), horn, ticks, conclude)
}

#[test]
fn nothing_to_do() {
    assert_eq!(run(&read("(set-logic HORN) (declare-fun p (Int) Bool)")), "safe");
    assert_eq!(run(&rules("p(X) :- (> X 3)")), "safe");
    assert_eq!(run(&rules("false :- (> X 3); (< X 4)")), "safe");
    assert_eq!(run(&rules("false :- (> X 3)")), "unsafe");
    assert_eq!(run(&rules("false :- p(X)\nq(X) :- p(X)")), "safe");
}

#[test]
fn several_queries_share_what_is_proved() {
    let clauses = "
        p(X Y) :- (>= X 0); (= Y (+ X 1))
        q(X) :- p(X Y); p(Y X)
        q(X) :- p(X Y); (< Y 0)
        r(X) :- q(X)
        r(X) :- p(X X)
        false :- p(X Y); (< Y 1)
        false :- r(X); (> X 0)";
    assert_eq!(run(&rules(&format!("{clauses}\nfalse :- q(X)"))), "safe");
    assert_eq!(
        run(&rules(&format!("{clauses}\nfalse :- q(X)\nfalse :- p(X Y); (> Y 5)"))),
        "unsafe"
    );
}

#[test]
fn what_is_open_is_no_counterexample() {
    let text = |query: &str| {
        format!(
            "(set-logic HORN) (declare-fun f (Int) Int) (declare-fun p (Int Int) Bool)
             (assert (forall ((x Int)) (p x (f x))))
             (assert (forall ((x Int) (y Int) (z Int)) (=> {query} false)))"
        )
    };
    assert_eq!(run(&read(&text("(and (p x y) (p x z) (< y z))"))), "safe");
    let open = run(&read(&text("(and (p x y) (> y x))")));
    assert!(open.contains("leaves open"), "{open}");
    let text = "(set-logic HORN) (declare-fun p (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (= y (div x 0)) (p x y))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (= y 3)) false)))";
    let open = run(&read(text));
    assert!(open.starts_with("Stuck"), "{open}");
}

#[test]
fn other_sorts_are_refused() {
    let text = "(set-logic HORN) (declare-fun p ((_ BitVec 4)) Bool)
        (assert (forall ((x (_ BitVec 4))) (=> (bvult x #x3) (p x))))
        (assert (forall ((x (_ BitVec 4))) (=> (and (p x) (= x #x5)) false)))";
    assert_eq!(run(&read(text)), "Unsupported(\"terms of sort (_ BitVec 4)\")");
}

#[test]
fn ticks_end_a_run_and_runs_are_alike() {
    let horn = rules(
        "r(X Y) :- (= Y (+ X 1))
         r(X Y) :- (= Y (+ X 2))
         s(X Z) :- r(X Y); r(Y Z)
         t(X Z) :- s(X Y); s(Y Z)
         false :- t(X Z); (> Z (+ X 8))",
    );
    let (outcome, used, events) = attempt(&horn, 1_000_000);
    assert!(matches!(outcome, Ok(Verdict::Safe(_))));
    assert!(!events.is_empty());
    let (again, same, _) = attempt(&horn, used);
    assert!(again.is_ok());
    assert_eq!(used, same);
    for ticks in [0, 1, used / 2, used - 1] {
        let (outcome, ..) = attempt(&horn, ticks);
        assert!(matches!(outcome, Err(Stop::Budget(Limit::Ticks))), "{ticks} of {used} ticks");
    }
}
