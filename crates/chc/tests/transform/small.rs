//! One small system for each transform.

use crate::{accepted, cards, carried, finding, read, transformed};
use alphorn_engine::{Ctx, Stopper};
use alphorn_horn::simplify_with;
use alphorn_problem::Verdict;

/// Applies transforms to a text with a query put in, compares the counts of predicates, arguments
/// and clauses afterwards, and has the evidence judged: first for a safe query, then for an unsafe
/// one.
#[track_caller]
fn check(names: &[&str], text: &str, counts: [usize; 3], safe: &str, unsafe_: &str) {
    for (query, expected) in [(safe, "safe"), (unsafe_, "unsafe")] {
        let horn = read(&text.replace("QUERY", query));
        let (changed, back) = transformed(&horn, &cards(names));
        let arguments = changed.pred_ids().map(|pred| changed.pred_args(pred).len());
        let found = [changed.preds.len(), arguments.sum(), changed.clauses.len()];
        assert_eq!(found, counts, "predicates, arguments, clauses");
        let verdict = carried(&horn, &back, finding(&changed)).unwrap();
        assert_eq!(accepted(&horn, &verdict), Ok(expected));
    }
}

#[test]
fn normal_form() {
    let text = "(set-logic HORN) (declare-fun p (Int) Bool)
        (assert (forall ((x Int) (unused Real)) (=> (and (>= x 0) (>= x 1) (<= x 1)) (p x))))
        (assert (forall ((x Int)) (=> (and (p x) (< x 5) (> x 7)) (p (+ x 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (= y x)  (p y)) (p x))))
        (assert (forall ((x Int)) (=> (and (p x) QUERY) false)))";
    check(&["normal-form"], text, [1, 1, 2], "(< x 1)", "(< x 2)");
}

#[test]
fn one_query() {
    let text = "(set-logic HORN) (declare-fun p (Int) Bool)
        (assert (p 0))
        (assert (forall ((x Int)) (=> (and (p x) (< x 9)) (p (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))
        (assert (forall ((x Int)) (=> (and (p x) QUERY) false)))";
    check(&["one-query"], text, [2, 1, 5], "(> x 10)", "(= x 9)");
}

#[test]
fn reachability() {
    let text = "(set-logic HORN) (declare-fun p (Int) Bool) (declare-fun never (Int) Bool)
        (declare-fun unused (Int) Bool) (declare-fun again (Int) Bool)
        (assert (p 0))
        (assert (forall ((x Int)) (=> (or (and (p x) (< x 9)) (never x)) (p (+ x 1)))))
        (assert (forall ((x Int)) (=> (again x) (never x))))
        (assert (forall ((x Int)) (=> (never x) (again x))))
        (assert (forall ((x Int)) (=> (p x) (unused x))))
        (assert (forall ((x Int)) (=> (and (again x) (p x)) false)))
        (assert (forall ((x Int)) (=> (and (p x) QUERY) false)))";
    check(&["reachability"], text, [1, 1, 3], "(> x 10)", "(= x 9)");
}

#[test]
fn equations() {
    let text = "(set-logic HORN) (declare-fun p (Int Real Bool) Bool)
        (assert (forall ((x Int) (u Real) (b Bool))
          (=> (and (= x 0) (= (* 2.0 u) 1.0) (not b)) (p x u b))))
        (assert (forall ((x Int) (y Int) (z Int) (u Real) (w Real) (b Bool) (c Bool))
          (=> (and (p x u b) (= (+ y x) (+ z 1)) (= z (* 2 x)) (= (* 3.0 w) u) (= c (not b)))
              (p y w c))))
        (assert (forall ((x Int) (u Real) (b Bool)) (=> (and (p x u b) QUERY) false)))";
    check(&["equations"], text, [1, 3, 3], "(< x 0)", "(= x 3) b");
}

/// Variables that occur in one disjunct only are eliminated there.
#[test]
fn equations_inside_disjunctions() {
    let text = "(set-logic HORN) (declare-fun p (Int Int) Bool)
        (assert (p 0 0))
        (assert (forall ((x Int) (y Int) (u Int) (v Int) (w Int) (b Bool))
          (=> (and (p x y) (or (and (= u (+ x 1)) (= w u) (< u 9) b) (and (= v 0) (> x v) (= w v))))
              (p w (+ y 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) QUERY) false)))";
    check(&["equations"], text, [1, 2, 3], "(> x 8)", "(= x 0) (= y 3)");
    let (changed, _) =
        transformed(&read(&text.replace("QUERY", "(> x 8)")), &cards(&["equations"]));
    assert_eq!(changed.clauses[1].vars.len(), 3, "x, y and w are left");
}

#[test]
fn duplicates() {
    let text = "(set-logic HORN) (declare-fun p (Int) Bool)
        (assert (p 0))
        (assert (forall ((y Int)) (=> (and (p y) (< y 9)) (p (+ y 1)))))
        (assert (forall ((x Int)) (=> (and (p x) (< x 9)) (p (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (p x) (< x 9) (> x 3)) (p (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (p x) QUERY) false)))";
    check(&["duplicates"], text, [1, 1, 3], "(> x 10)", "(= x 9)");
}

#[test]
fn constants() {
    let text = "(set-logic HORN) (declare-fun p (Int Int Int Bool) Bool)
        (declare-fun q (Int Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (and (= x y) (= y 0)) (p 5 x y true))))
        (assert (forall ((x Int) (y Int) (k Int) (b Bool))
          (=> (and (p k x y b) (< y 9)) (p k (+ x 1) (+ y 1) b))))
        (assert (forall ((x Int) (y Int) (k Int) (b Bool)) (=> (and (p k x y b) b) (q x y k))))
        (assert (forall ((x Int) (y Int) (k Int)) (=> (and (q x y k) QUERY) false)))";
    check(&["constants"], text, [2, 2, 4], "(distinct (+ x 5) (+ y k))", "(= (+ x y k) 15)");
}

#[test]
fn slicing() {
    let text = "(set-logic HORN) (declare-fun p (Int Int Int) Bool) (declare-fun q (Int Int) Bool)
        (assert (forall ((n Int)) (p 0 7 n)))
        (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (< x 9))
          (p (+ x 1) (+ y (* 2 z)) z))))
        (assert (forall ((x Int) (y Int) (z Int)) (=> (p x y z) (q y x))))
        (assert (forall ((x Int) (y Int)) (=> (and (q y x) QUERY) false)))";
    check(&["slicing"], text, [2, 2, 4], "(> x 10)", "(= x 4)");
}

#[test]
fn inlining() {
    let text = "(set-logic HORN) (declare-fun p (Int) Bool) (declare-fun q (Int Int) Bool)
        (declare-fun r (Int) Bool) (declare-fun s (Int) Bool)
        (assert (p 0))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (< x y) (< y (+ x 3))) (q x y))))
        (assert (forall ((x Int) (y Int)) (=> (and (q x y) (< y 9)) (r (+ y 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (q x y) (>= y 9)) (s y))))
        (assert (forall ((x Int)) (=> (s x) (r x))))
        (assert (forall ((x Int)) (=> (r x) (p x))))
        (assert (forall ((x Int)) (=> (and (p x) QUERY) false)))";
    check(&["inlining"], text, [1, 1, 4], "(= x 1)", "(= x 5)");
}

#[test]
fn inlining_of_several_atoms() {
    let text =
        "(set-logic HORN) (declare-fun plus (Int Int) Bool) (declare-fun twice (Int Int) Bool)
        (assert (forall ((x Int) (y Int) (z Int))
          (=> (and (= y (+ x z)) (< 0 z) (< z 3)) (plus x y))))
        (assert (forall ((x Int) (y Int) (z Int)) (=> (and (plus x y) (plus y z)) (twice x z))))
        (assert (forall ((x Int) (y Int) (z Int))
          (=> (and (twice x y) (or (twice y z) (= y z)) QUERY) false)))";
    check(&["inlining"], text, [0, 0, 1], "(> z (+ x 8))", "(= z (+ x 7))");
}

#[test]
fn infeasible() {
    let text = "(set-logic HORN) (declare-fun p (Int Int) Bool)
        (assert (p 0 1))
        (assert (forall ((x Int) (y Int))
          (=> (and (p x y) (or (< x y) (p y x)) (> x (* 2 y)) (> y (+ x x)) (< 0 x)) (p y y))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 9)) (p (+ x 1) (+ y 2)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) QUERY) false)))";
    check(&["infeasible"], text, [1, 2, 3], "(> x y)", "(= y 9)");
}

/// A program with a counter for its place.
const PLACES: &str = "(set-logic HORN) (declare-fun p (Int Int) Bool)
    (assert (forall ((x Int)) (=> (= x 0) (p 1 x))))
    (assert (forall ((x Int)) (=> (and (p 1 x) (< x 9)) (p 2 x))))
    (assert (forall ((x Int)) (=> (p 2 x) (p 1 (+ x 2)))))
    (assert (forall ((x Int)) (=> (and (p 1 x) (>= x 9)) (p 3 x))))
    (assert (forall ((x Int) (at Int)) (=> (and (p at x) (> at 1) QUERY) false)))";

#[test]
fn finite_arguments() {
    check(&["finite-arguments"], PLACES, [3, 3, 5], "(> x (+ at 8))", "(> x (+ at 6))");
}

/// A protocol in phases, whose step is one clause.
#[test]
fn control() {
    let text = "(set-logic HORN) (declare-fun p (Real Int Int) Bool)
        (assert (forall ((at Real) (x Int) (y Int)) (=> (and (= at 0.0) (< x 3)) (p at x y))))
        (assert (forall ((at Real) (x Int) (y Int) (at2 Real) (x2 Int) (y2 Int))
          (=> (and (p at x y) (= x2 x)
                (or (and (= at 0.0) (= at2 (ite (> x 0) 1.0 2.0)) (= y2 x))
                    (and (= at 1.0) (or (= at2 2.0) (= at2 at)) (= y2 (+ y 1)))
                    (and (= at 2.0) (= at2 at) (= y2 y))))
              (p at2 x2 y2))))
        (assert (forall ((at Real) (x Int) (y Int)) (=> (and (p at x y) (> at 0.0) QUERY) false)))";
    check(&["control"], text, [3, 6, 8], "(< y x)", "(< y 3)");
    // There is a way back from each value to each other, so nothing is gained.
    let round = text.replace("(= y2 y)", "(= y2 y)) (and (= at 2.0) (= at2 0.0) (= y2 y)");
    let (changed, _) = transformed(&read(&round.replace("QUERY", "(< y x)")), &cards(&["control"]));
    assert_eq!(changed.preds.len(), 1);
}

/// Numbers that are copied, chosen and compared with constants; the last one counts.
const NAMES: &str = "(set-logic HORN) (declare-fun p (Real Real Real Real Int) Bool)
    (assert (forall ((a Real) (b Real) (c Real) (d Real) (n Int))
      (=> (and (= a 0.0) (= n 0)) (p a b c d n))))
    (assert (forall ((a Real) (b Real) (c Real) (d Real) (n Int) (a2 Real) (b2 Real) (c2 Real))
      (=> (and (p a b c d n)
            (or (and (= a 0.0) (= a2 1.0) (= b2 c) (= c2 2.0))
                (and (= a 1.0) (= a2 (ite (= c 2.0) 3.0 a)) (= b2 (ite (= d 5.0) d c)) (= c2 c))))
          (p a2 b2 c2 d (+ n 1)))))
    (assert (forall ((a Real) (b Real) (c Real) (d Real) (n Int))
      (=> (and (p a b c d n) QUERY) false)))";

#[test]
fn codes() {
    // Three constants of the first number, two of each of the next three.
    check(&["codes"], NAMES, [1, 10, 3], "(= a 3.0) (not (= c 2.0))", "(= a 3.0) (= b 5.0)");
    check(&["codes"], NAMES, [1, 10, 3], "(= b c) (= c 5.0) (= a 1.0)", "(= b c) (= a 3.0)");
}

#[test]
fn codes_are_not_for_numbers_that_are_told_apart_or_added() {
    for query in ["(not (= b d))", "(< b d)", "(= d (+ b 1.0))"] {
        let (changed, _) = transformed(&read(&NAMES.replace("QUERY", query)), &cards(&["codes"]));
        assert_eq!(changed.pred_args(changed.pred_ids().next().unwrap()).len(), 5, "{query}");
    }
}

/// A program with its counter in two bits: a loop, a step that takes one away, and an end.
#[test]
fn locations() {
    let text = "(set-logic HORN) (declare-fun p (Bool Int Bool) Bool)
        (assert (forall ((a Bool) (x Int) (b Bool)) (=> (and (not a) (not b) (= x 0)) (p a x b))))
        (assert (forall ((a Bool) (x Int) (b Bool) (a2 Bool) (x2 Int) (b2 Bool))
          (=> (and (p a x b)
                (or (and (not a) (not b) (< x 5) (= x2 (+ x 1)) (not a2) (not b2))
                    (and (not a) (not b) (>= x 5) (= x2 x) a2 (not b2))
                    (and a (not b) (= x2 (- x 1)) a2 b2)))
              (p a2 x2 b2))))
        (assert (forall ((a Bool) (x Int) (b Bool)) (=> (and (p a x b) a b QUERY) false)))";
    check(&["locations"], text, [3, 3, 5], "(> x 4)", "(= x 4)");
}

#[test]
fn bits_that_change_as_they_like_are_no_locations() {
    let bits = |name: &str| (0..6).map(|at| format!("{name}{at} ")).collect::<String>();
    let sorted = |name: &str| (0..6).map(|at| format!("({name}{at} Bool) ")).collect::<String>();
    let (old, new) = (bits("a"), bits("b"));
    let text = format!(
        "(set-logic HORN) (declare-fun p (Int Bool Bool Bool Bool Bool Bool) Bool)
        (assert (p 0 false false false false false false))
        (assert (forall ((x Int) {} {}) (=> (p x {old}) (p (+ x 1) {new}))))
        (assert (forall ((x Int) {}) (=> (and (p x {old}) (< x 0)) false)))",
        sorted("a"),
        sorted("b"),
        sorted("a")
    );
    let (changed, _) = transformed(&read(&text), &cards(&["locations"]));
    assert_eq!(changed.preds.len(), 1);
}

/// A recursion of bounded depth; what it computes has no bound that is linear in the depth.
#[test]
fn ranges() {
    let text = "(set-logic HORN) (declare-fun p (Int Int) Bool)
        (assert (p 0 0))
        (assert (forall ((k Int) (x Int)) (=> (and (p k x) (< k 3)) (p (+ k 1) (+ x x 1)))))
        (assert (forall ((k Int) (x Int)) (=> (and (p k x) QUERY) false)))";
    check(&["ranges"], text, [4, 4, 8], "(> x 7)", "(= x 7)");
    // A depth that is not bounded is left alone.
    let endless = text.replace("(< k 3)", "true").replace("QUERY", "(< x 0)");
    let (changed, _) = transformed(&read(&endless), &cards(&["ranges"]));
    assert_eq!(changed.preds.len(), 1);
}

#[test]
fn truth_arguments() {
    let text = "(set-logic HORN) (declare-fun p (Bool Int) Bool)
        (assert (p true 0))
        (assert (forall ((b Bool) (x Int)) (=> (and (p b x) (< x 9)) (p (not b) (+ x 1)))))
        (assert (forall ((b Bool) (x Int)) (=> (and (p b x) QUERY) false)))";
    check(&["truth-arguments"], text, [2, 2, 4], "b (= x 9)", "(not b) (= x 9)");
}

#[test]
fn splitting() {
    let text = "(set-logic HORN) (declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
        (assert (p 0))
        (assert (forall ((x Int) (y Int))
          (=> (or (and (p x) (< x 9) (= y (+ x 2))) (and (p y) (or (q y) (= y 4)))) (q y))))
        (assert (forall ((x Int)) (=> (q x) (p x))))
        (assert (forall ((x Int)) (=> (and (p x) QUERY) false)))";
    check(&["splitting"], text, [2, 2, 6], "(= x 5)", "(= x 6)");
}

#[test]
fn guards() {
    let text = "(set-logic HORN) (declare-fun p (Int (Array Int Int)) Bool)
        (assert (forall ((a (Array Int Int))) (=> (= (select a 0) 0) (p 0 a))))
        (assert (forall ((x Int) (y Int) (a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int))
            (here Bool) (there Bool) (after Bool))
          (=> (and (p x a) after (or (not after) here there)
                (or (not here) (= b (store a x 1))) (or (not here) (= c b))
                (or (not there) (= c a)) (or (not here) (not there)) (or (not after) (< x 9)))
              (p (+ x 1) c))))
        (assert (forall ((x Int) (a (Array Int Int))) (=> (and (p x a) QUERY) false)))";
    let (safe, unsafe_) = ("(> x 9)", "(> (select a 0) 0)");
    check(&["guards", "equations"], text, [1, 2, 4], safe, unsafe_);
    // Paths on which no array depends are left alone.
    let plain = text.replace("(= b (store a x 1))", "true").replace("(= c b)", "(< x 7)");
    let plain = plain.replace("(= c a)", "(> x 3)").replace("QUERY", "(> x 9)");
    let (changed, _) = transformed(&read(&plain), &cards(&["guards"]));
    assert_eq!(changed.clauses.len(), 3);
}

#[test]
fn merging() {
    check(&["merging"], PLACES, [1, 2, 2], "(> x (+ at 8))", "(> x (+ at 6))");
    let names = ["merging", "splitting", "one-query", "finite-arguments", "equations"];
    check(&names, PLACES, [4, 3, 8], "(> x (+ at 8))", "(> x (+ at 6))");
}

#[test]
fn reversal() {
    check(&["reversal"], PLACES, [1, 2, 5], "(> x (+ at 8))", "(> x (+ at 6))");
    let text = "(set-logic HORN) (declare-fun p (Int) Bool) (declare-fun q (Int Int) Bool)
        (assert (p 0))
        (assert (forall ((x Int)) (q x (+ x 1))))
        (assert (forall ((x Int) (y Int) (z Int)) (=> (and (q x y) (q y z)) (q x z))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (q x y) (< y 9)) (p y))))
        (assert (forall ((x Int)) (=> (and (p x) QUERY) false)))";
    check(&["reversal"], text, [2, 3, 5], "(> x 10)", "(= x 5)");
}

/// Procedures with an error flag: the last call along the path fails.
#[test]
fn assertions_are_lifted() {
    let text = "(set-logic HORN) (declare-fun outer (Int Int Bool) Bool)
        (declare-fun inner (Int Int Bool) Bool)
        (assert (forall ((x Int) (y Int)) (=> (and (> x 0) (= y (- x 1))) (inner x y false))))
        (assert (forall ((x Int)) (=> (<= x 0) (inner x x true))))
        (assert (forall ((x Int) (y Int) (z Int))
          (=> (and (inner x y false) (> y 1) (outer y z false)) (outer x z false))))
        (assert (forall ((x Int) (y Int) (z Int))
          (=> (and (inner x y false) (> y 1) (outer y z true)) (outer x z true))))
        (assert (forall ((x Int) (y Int)) (=> (inner x y true) (outer x y true))))
        (assert (forall ((x Int) (y Int)) (=> (and (inner x y false) (<= y 1)) (outer x y false))))
        (assert (forall ((x Int) (y Int)) (=> (and (outer x y true) QUERY) false)))";
    let names = ["finite-arguments", "reachability", "reversal"];
    check(&names, text, [3, 6, 5], "(> x 0)", "(< x 5)");
}

#[test]
fn a_damaged_way_back_is_refused() {
    let text = "(set-logic HORN) (declare-fun p (Int Int) Bool)
        (assert (p 0 3))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 9)) (p (+ x 1) y))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) QUERY) false)))";
    let safe = read(&text.replace("QUERY", "(distinct y 3)"));
    let (changed, back) = transformed(&safe, &cards(&["constants"]));
    let Verdict::Safe(mut model) = carried(&safe, &back, finding(&changed)).unwrap() else {
        panic!("it is safe");
    };
    alphorn_check::horn::check_model(&safe, &model).unwrap();
    // The equation of the argument that was removed is forgotten.
    let (small, params) = (model.preds[0].body, model.preds[0].params.clone());
    let three = model.terms.int(3);
    let equation = model.terms.eq(params[1], three);
    assert!(model.terms.subterms(&[small]).contains(&equation), "the definition has the equation");
    let map = [(equation, alphorn_term::TermId::TRUE)].into_iter().collect();
    model.preds[0].body = model.terms.substitute(small, &map);
    assert!(alphorn_check::horn::check_model(&safe, &model).is_err());
    let unsafe_ = read(&text.replace("QUERY", "(= y 3) (= x 9)"));
    let (changed, back) = transformed(&unsafe_, &cards(&["constants"]));
    let Verdict::Unsafe(mut derivation) = carried(&unsafe_, &back, finding(&changed)).unwrap()
    else {
        panic!("it is unsafe");
    };
    alphorn_check::horn::check_derivation(&unsafe_, &derivation).unwrap();
    let last = derivation.steps.len() - 1;
    derivation.steps[last].values.swap(0, 1);
    assert!(alphorn_check::horn::check_derivation(&unsafe_, &derivation).is_err());
}

#[test]
fn clauses_know_what_they_are_made_of() {
    let horn = read(
        "(set-logic HORN) (declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
        (assert (p 0))
        (assert (forall ((x Int)) (=> (p x) (q (+ x 1)))))
        (assert (forall ((x Int)) (=> (q x) (q (+ x 2)))))
        (assert (forall ((x Int)) (=> (and (q x) (< x 0)) false)))",
    );
    let mut sink = |_| ();
    let mut ctx = Ctx::new(1_000_000, Stopper::new(), 1, &mut sink);
    let simplified = simplify_with(&horn, &cards(&["inlining"]), &mut ctx).unwrap();
    let positions = simplified.origins.iter().map(|clauses| clauses.iter().map(|c| c.0).collect());
    let mut positions: Vec<Vec<u32>> = positions.collect();
    positions.sort();
    assert_eq!(positions, [vec![0, 1], vec![2], vec![3]]);
}
