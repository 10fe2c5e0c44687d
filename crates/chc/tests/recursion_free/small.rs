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

/// Words, arrays and lists: the same chain of two uses, safe and unsafe.
#[test]
fn all_sorts_are_treated() {
    let list = "(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))";
    let text = |data: &str, sort: &str, fact: &str, step: &str, query: &str| {
        format!(
            "(set-logic HORN) {data} (declare-fun p ({sort} {sort}) Bool) (declare-fun q ({sort} {sort}) Bool)
             (assert (forall ((x {sort}) (y {sort})) (=> {step} (p x y))))
             (assert (forall ((x {sort}) (y {sort}) (z {sort})) (=> (and (p x y) (p y z)) (q x z))))
             (assert (forall ((x {sort}) (y {sort})) (=> (and (q x y) {fact} {query}) false)))"
        )
    };
    let word = |query| text("", "(_ BitVec 4)", "(= x #x1)", "(= y (bvshl x #x1))", query);
    assert_eq!(run(&read(&word("(= y #x4)"))), "unsafe");
    assert_eq!(run(&read(&word("(not (= y #x4))"))), "safe");
    let array = |query| {
        let step = "(= y (store x (select x 0) 7))";
        text("", "(Array Int Int)", "(= (select x 0) 1)", step, query)
    };
    assert_eq!(run(&read(&array("(= (select y 1) 7)"))), "unsafe");
    assert_eq!(run(&read(&array("(not (= (select y 1) 7))"))), "safe");
    let lists = |query| text(list, "List", "(= x nil)", "(= y (cons 3 x))", query);
    assert_eq!(run(&read(&lists("((_ is cons) (tail y))"))), "unsafe");
    assert_eq!(run(&read(&lists("((_ is nil) (tail y))"))), "safe");
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
