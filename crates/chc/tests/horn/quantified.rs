//! Definitions that speak about all cells of arrays are proved, and refused where they are too weak.

use alphorn_engine::{Ctx, Stopper};
use alphorn_horn::evidence::{Outcome, prove};
use alphorn_problem::evidence::horn::Definition;
use alphorn_problem::horn::Head;
use alphorn_problem::{Horn, Verdict};
use alphorn_testkit::horn::judge::judge;
use alphorn_testkit::read::horn as read;

/// A system whose last clauses, one for each predicate, say in their bodies what it is defined as.
fn with_definitions(text: &str) -> (Horn, Vec<Definition>) {
    let mut horn = read(text);
    let first = horn.clauses.len() - horn.preds.len();
    let clauses = horn.clauses.split_off(first);
    let definition = |pred| {
        let own = |head: &Head| matches!(head, Head::Atom(other, _) if *other == pred);
        let clause = clauses.iter().find(|clause| own(&clause.head)).unwrap();
        let Head::Atom(_, params) = &clause.head else { panic!("a definition has a head") };
        Definition { params: params.clone(), body: clause.body }
    };
    let definitions = horn.pred_ids().map(definition).collect();
    (horn, definitions)
}

/// Whether the definitions are proved; if so, the model is checked.
fn is_proved(text: &str) -> bool {
    let (horn, definitions) = with_definitions(text);
    let mut sink = |_| ();
    let mut ctx = Ctx::new(10_000_000, Stopper::new(), 1, &mut sink);
    match prove(&horn, horn.terms.clone(), definitions, &mut ctx).unwrap() {
        Outcome::Proved(model) => {
            assert_eq!(judge(&horn, &Verdict::Safe(*model)), "safe");
            true
        }
        Outcome::Failed(_) => false,
    }
}

const ARRAY: &str = "(Array Int Int)";

#[test]
fn a_loop_that_clears_cells() {
    let text = |bound: &str| {
        format!(
            "(set-logic HORN) (declare-fun p ({ARRAY} Int Int) Bool)
             (assert (forall ((a {ARRAY}) (n Int)) (=> (>= n 0) (p a 0 n))))
             (assert (forall ((a {ARRAY}) (b {ARRAY}) (i Int) (n Int))
               (=> (and (p a i n) (< i n) (= b (store a i 0))) (p b (+ i 1) n))))
             (assert (forall ((a {ARRAY}) (i Int) (n Int) (k Int))
               (=> (and (p a i n) (>= i n) (<= 0 k) (< k n)) (= (select a k) 0))))
             (assert (forall ((x {ARRAY}) (y Int) (z Int)) (=> (and (<= 0 y) (<= y z)
               (forall ((j Int)) (=> (and (<= 0 j) ({bound})) (= (select x j) 0)))) (p x y z))))"
        )
    };
    assert!(is_proved(&text("< j y")));
    assert!(!is_proved(&text("<= j y")));
    assert!(!is_proved(&text("< j (- y 1)")));
}

#[test]
fn a_copy_of_cells_and_their_maximum() {
    assert!(is_proved(&format!(
        "(set-logic HORN) (declare-fun p ({ARRAY} {ARRAY} Int Int) Bool)
         (assert (forall ((a {ARRAY}) (b {ARRAY}) (m Int)) (=> (= m (select a 0)) (p a b 0 m))))
         (assert (forall ((a {ARRAY}) (b {ARRAY}) (c {ARRAY}) (i Int) (m Int) (n Int))
           (=> (and (p a b i m) (= c (store b i (select a i)))
                    (= n (ite (< m (select a i)) (select a i) m)))
               (p a c (+ i 1) n))))
         (assert (forall ((a {ARRAY}) (b {ARRAY}) (i Int) (m Int) (k Int))
           (=> (and (p a b i m) (<= 0 k) (< k i)) (and (= (select b k) (select a k)) (<= (select b k) m)))))
         (assert (forall ((x {ARRAY}) (y {ARRAY}) (z Int) (u Int)) (=> (and (<= 0 z)
           (forall ((j Int)) (=> (and (<= 0 j) (< j z))
             (and (= (select y j) (select x j)) (<= (select x j) u))))) (p x y z u))))"
    )));
}

#[test]
fn cells_stay_or_are_good() {
    let text = |start: &str| {
        format!(
            "(set-logic HORN) (declare-fun p ({ARRAY} {ARRAY}) Bool)
             (assert (forall ((a {ARRAY})) (p a a)))
             (assert (forall ((a {ARRAY}) (b {ARRAY}) (c {ARRAY}) (i Int) (v Int))
               (=> (and (p a b) (> v {start}) (= c (store b i v))) (p a c))))
             (assert (forall ((a {ARRAY}) (b {ARRAY}) (k Int))
               (=> (and (p a b) (> (select a k) 0)) (> (select b k) 0))))
             (assert (forall ((x {ARRAY}) (y {ARRAY})) (=>
               (forall ((j Int)) (or (= (select y j) (select x j)) (> (select y j) 0))) (p x y))))"
        )
    };
    assert!(is_proved(&text("3")));
    assert!(!is_proved(&text("(- 3)")));
}

#[test]
fn a_sorted_part_grows_at_its_end() {
    assert!(is_proved(&format!(
        "(set-logic HORN) (declare-fun p ({ARRAY} Int) Bool)
         (assert (forall ((a {ARRAY})) (p a 1)))
         (assert (forall ((a {ARRAY}) (b {ARRAY}) (n Int) (v Int))
           (=> (and (p a n) (>= v (select a (- n 1))) (= b (store a n v))) (p b (+ n 1)))))
         (assert (forall ((a {ARRAY}) (n Int) (k Int) (l Int))
           (=> (and (p a n) (<= 0 k) (<= k l) (< l n)) (<= (select a k) (select a l)))))
         (assert (forall ((x {ARRAY}) (y Int)) (=> (and (>= y 1)
           (forall ((i Int) (j Int))
             (=> (and (<= 0 i) (<= i j) (< j y)) (<= (select x i) (select x j))))) (p x y))))"
    )));
}

#[test]
fn neighbours_are_ordered() {
    assert!(is_proved(&format!(
        "(set-logic HORN) (declare-fun p ({ARRAY} Int) Bool)
         (assert (forall ((a {ARRAY})) (p a 0)))
         (assert (forall ((a {ARRAY}) (b {ARRAY}) (n Int))
           (=> (and (p a n) (= b (store a (+ n 1) (+ (select a n) 2)))) (p b (+ n 1)))))
         (assert (forall ((a {ARRAY}) (n Int) (k Int))
           (=> (and (p a n) (<= 1 k) (< k n)) (> (select a (+ k 1)) (select a k)))))
         (assert (forall ((x {ARRAY}) (y Int)) (=> (and (>= y 0)
           (forall ((j Int)) (=> (and (<= 0 j) (< j y)) (< (select x j) (select x (+ j 1))))))
           (p x y))))"
    )));
}
