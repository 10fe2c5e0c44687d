//! The systems that the papers on duality and lazy annotation explain themselves with.

use crate::{ask, check, judge, read};
use alphorn_engine::Event;

const BOTH: [&str; 2] = ["duality", "la"];

/// Two procedures, of which one is called twice.
fn twice(query: &str) -> String {
    format!(
        "(set-logic HORN) (declare-fun p (Int Int) Bool) (declare-fun q (Int Int) Bool)
         (assert (forall ((x Int) (y Int)) (=> (= x y) (p x y))))
         (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y) (= z (+ y 1))) (p x z))))
         (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y) (p y z)) (q x z))))
         (assert (forall ((x Int) (z Int)) (=> (and (q x z) {query}) false)))"
    )
}

#[test]
fn a_procedure_called_twice() {
    check(&["duality", "duality-mark1", "la"], &twice("(not (<= x z))"), "safe");
    // The two calls may be one step, since they derive the same fact.
    let horn = read(&twice("(not (< x z))"));
    for engine in BOTH {
        let (line, _) = ask(engine, &horn, 1_000_000);
        assert!(["unsafe, 3 steps", "unsafe, 4 steps"].contains(&line.as_str()), "{line}");
    }
}

#[test]
fn what_no_interval_says() {
    let text = "(set-logic HORN) (declare-fun r (Int) Bool)
         (assert (forall ((i Int)) (=> (= i 0) (r i))))
         (assert (forall ((i Int) (n Int)) (=> (and (r i) (< i n)) (r (+ i 2)))))
         (assert (forall ((i Int) (n Int)) (=> (and (r i) (not (< i n)) (= i 41)) false)))";
    check(&["duality"], text, "safe");
}

/// Two processes with a lock `y`: 0 is free, 1 and 2 say who has it. Each has what it knows of
/// itself and the lock, and what the other may do to the lock. The guard is the second's.
fn threads(guard: &str) -> String {
    let mut text = "(set-logic HORN)
        (declare-fun r1 (Int Int) Bool) (declare-fun r2 (Int Int) Bool)
        (declare-fun e1 (Int Int) Bool) (declare-fun e2 (Int Int) Bool)"
        .to_owned();
    for (own, other, guard) in [("1", "2", "(= y 0)"), ("2", "1", guard)] {
        // Location 1 is the critical section.
        let step =
            format!("(or (and (= x 0) {guard} (= w 1) (= z {own})) (and (= x 1) (= w 0) (= z 0)))");
        let vars = "(x Int) (y Int) (w Int) (z Int)";
        text.push_str(&format!(
            "(assert (r{own} 0 0))
             (assert (forall ({vars}) (=> (and (r{own} x y) {step}) (r{own} w z))))
             (assert (forall ({vars}) (=> (and (r{own} x y) (e{own} y z)) (r{own} x z))))
             (assert (forall ({vars}) (=> (and (r{own} x y) {step}) (e{other} y z))))"
        ));
    }
    text.push_str(
        "(assert (forall ((x Int) (w Int) (y Int))
           (=> (and (r1 x y) (r2 w y) (= x 1) (= w 1)) false)))",
    );
    text
}

#[test]
fn processes_with_a_lock() {
    check(&["duality"], &threads("(= y 0)"), "safe");
    let horn = read(&threads("true"));
    for engine in BOTH {
        let (line, _) = ask(engine, &horn, 1_000_000);
        assert!(line.starts_with("unsafe"), "{engine}: {line}");
    }
}

#[test]
fn a_procedure_that_adds_three() {
    let text = |query: &str| {
        format!(
            "(set-logic HORN) (declare-fun p (Int Int) Bool) (declare-fun q (Int Int) Bool)
             (assert (forall ((x Int) (y Int)) (=> (= y (+ x 1)) (q x y))))
             (assert (forall ((x Int) (y Int) (z Int) (w Int))
               (=> (and (q x y) (q y z) (= w (+ z 1))) (p x w))))
             (assert (forall ((x Int) (w Int)) (=> (and (p x w) (distinct w (+ x {query}))) false)))"
        )
    };
    check(&["duality", "duality-mark1", "la", "la-mark1"], &text("3"), "safe");
    check(&["duality", "duality-mark1", "la", "la-mark1"], &text("2"), "unsafe, 4 steps");
}

/// A branch as one generalized clause, and as two clauses.
#[test]
fn a_large_block() {
    let system = |rules: &str| {
        format!(
            "(set-logic HORN) (declare-fun p (Int Bool) Bool) (declare-fun q (Int) Bool)
             (assert (forall ((x Int) (c Bool)) (=> (>= x 0) (p x c))))
             {rules}
             (assert (forall ((x Int)) (=> (and (q x) (= x 0)) false)))"
        )
    };
    let vars = "(x Int) (c Bool) (y Int)";
    let one = system(&format!(
        "(assert (forall ({vars})
           (=> (and (p x c) (or (and c (= y (+ x 1))) (and (not c) (= y (- (- 1) x))))) (q y))))"
    ));
    let two = system(&format!(
        "(assert (forall ({vars}) (=> (and (p x c) c (= y (+ x 1))) (q y))))
         (assert (forall ({vars}) (=> (and (p x c) (not c) (= y (- (- 1) x))) (q y))))"
    ));
    let questions = |text: &str| {
        let (line, events) = ask("duality-mark1", &read(text), 100_000);
        assert_eq!(line, "safe");
        let count = |event: &Event| match event {
            Event::Remark(remark) => {
                let words: Vec<&str> = remark.split_whitespace().collect();
                let place = words.iter().position(|word| word.starts_with("questions"))?;
                words[place - 1].parse::<u64>().ok()
            }
            _ => None,
        };
        events.iter().rev().find_map(count).unwrap()
    };
    assert!(questions(&one) < questions(&two));
}

/// Atoms below a disjunction: one of the two ways to `q` has no facts.
#[test]
fn atoms_below_disjunctions() {
    let text = |query: &str| {
        format!(
            "(set-logic HORN) (declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
             (declare-fun n (Int) Bool)
             (assert (p 5))
             (assert (forall ((x Int)) (=> (and (p x) (< x 8)) (p (+ x 1)))))
             (assert (forall ((x Int)) (=> (and (n x) (> x 8)) (n (- x 1)))))
             (assert (forall ((x Int)) (=> (or (p x) (and (n x) (q x))) (q (+ x 1)))))
             (assert (forall ((x Int)) (=> (and (q x) {query}) false)))"
        )
    };
    check(&["duality", "duality-mark1", "la"], &text("(< x 6)"), "safe");
    check(&["duality", "duality-mark1", "la"], &text("(> x 7)"), "unsafe, 5 steps");
}

#[test]
fn the_bound_that_was_cleared_is_told() {
    let text = "(set-logic HORN) (declare-fun p (Int) Bool)
         (assert (p 0))
         (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
         (assert (forall ((x Int)) (=> (and (p x) (= x 4)) false)))";
    let (line, events) = ask("la", &read(text), 1_000_000);
    assert_eq!(line, "unsafe, 6 steps");
    let bounds: Vec<u64> = events
        .iter()
        .filter_map(|event| match event {
            Event::Bound { depth } => Some(*depth),
            _ => None,
        })
        .collect();
    assert_eq!(bounds, [0, 1, 2, 3]);
}

/// A preset with a bound of its own ends at the bound.
#[test]
fn a_bound_ends_the_search() {
    use alphorn_chc::la::{LazyAnnotation, Options, mark::Mark};
    use alphorn_engine::{Ctx, Engine, Stop, Stopper};
    let text = "(set-logic HORN) (declare-fun p (Int) Bool)
         (assert (p 0))
         (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
         (assert (forall ((x Int)) (=> (and (p x) (= x 40)) false)))";
    let horn = read(text);
    let mut sink = |_| {};
    let mut ctx = Ctx::new(1_000_000, Stopper::new(), 1, &mut sink);
    let options = Options { mark: Mark::Final, bound: Some(3) };
    let stop = LazyAnnotation { options }.run(&horn, &mut ctx);
    assert!(matches!(stop, Err(Stop::Stuck(_) | Stop::Unproved { .. })), "{stop:?}");
    let options = Options { mark: Mark::Final, bound: Some(40) };
    let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 1, &mut sink);
    let finding = LazyAnnotation { options }.run(&horn, &mut ctx).unwrap();
    let verdict = alphorn_horn::conclude(&horn, finding, &mut ctx).unwrap();
    assert_eq!(judge::judge(&horn, &verdict), "unsafe, 42 steps");
}
