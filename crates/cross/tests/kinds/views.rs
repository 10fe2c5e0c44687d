//! Views of Horn systems over integers: what is found behind them comes back and is accepted, and what is not so
//! is not found.

use alphorn_check::accept::accept;
use alphorn_cross::engines::{BLIND_PDR, BLIND_SAMPLES, RANGED_PDR, STEADY_BMC};
use alphorn_engine::{Card, Ctx, Stopper};
use alphorn_horn::conclude;
use alphorn_problem::{Horn, Verdict};
use alphorn_testkit::read;

/// Enough for all that is found here, and for what is not.
const TICKS: u64 = 40_000_000;
const FEW: u64 = 200_000;

fn found(card: &Card<Horn>, text: &str) -> Option<bool> {
    found_within(TICKS, card, text)
}

/// Whether an engine finds a system safe, by evidence that is accepted; nothing if it finds nothing.
fn found_within(ticks: u64, card: &Card<Horn>, text: &str) -> Option<bool> {
    let horn = read::horn(text);
    let mut sink = |_| {};
    let mut ctx = Ctx::new(ticks, Stopper::new(), 0, &mut sink);
    let finding = (card.build)().run(&horn, &mut ctx).ok()?;
    let verdict = conclude(&horn, finding, &mut ctx).expect("it can be proved");
    let is_safe = matches!(verdict, Verdict::Safe(_));
    accept(&horn, (), verdict).expect("the evidence is accepted");
    Some(is_safe)
}

/// A counter of 64 bits and a sum of inputs that may wrap around; `LIMIT` is for the query.
const COUNTER: &str = "(set-logic HORN) (declare-fun p (Int Int) Bool)
    (assert (p 0 0))
    (assert (forall ((i Int) (s Int) (v Int)) (=> (and (p i s) (< i 4000000000) (<= 0 v) (<= v 255))
      (p (+ i 1) (ite (< 4294967295 (+ s v)) (+ s v (- 4294967296)) (+ s v))))))
    (assert (forall ((i Int) (s Int)) (=> (and (p i s) (>= i LIMIT)) false)))";

#[test]
fn loops_at_rest_have_closures_and_their_derivations_are_those_of_the_system() {
    assert_eq!(found(&STEADY_BMC, &COUNTER.replace("LIMIT", "3999999999")), Some(false));
    let safe = COUNTER.replace("LIMIT", "4000000001");
    assert_eq!(found_within(FEW, &STEADY_BMC, &safe), None);
    // Inputs that must not be zero stay what they are.
    let positive = COUNTER.replace("(<= 0 v)", "(<= 1 v)").replace("LIMIT", "3999999999");
    assert_eq!(found(&STEADY_BMC, &positive), Some(false));
}

/// A function by its depth, which multiplies by three each time.
const DEPTH: &str = "(set-logic HORN) (declare-fun f (Int Int Int) Bool)
    (assert (forall ((x Int)) (=> (and (<= 0 x) (<= x 9)) (f 0 x (+ x 1)))))
    (assert (forall ((k Int) (x Int) (y Int)) (=> (and (f k x y) (< k 4)) (f (+ k 1) x (* 3 y)))))
    (assert (forall ((k Int) (x Int) (y Int)) (=> (and (f k x y) (> y LIMIT)) false)))";

#[test]
fn predicates_are_split_by_arguments_with_few_values() {
    assert_eq!(found(&RANGED_PDR, &DEPTH.replace("LIMIT", "810")), Some(true));
    assert_eq!(found(&RANGED_PDR, &DEPTH.replace("LIMIT", "809")), Some(false));
    assert_eq!(found(&RANGED_PDR, &COUNTER.replace("LIMIT", "7")), None);
}

/// A loop that counts while it writes a memory; `QUERY` is for what may not be.
const MEMORY: &str = "(set-logic HORN) (declare-fun p (Int (Array Int Int) Int) Bool)
    (assert (forall ((m (Array Int Int))) (=> (= (select m 0) 7) (p 0 m 0))))
    (assert (forall ((i Int) (m (Array Int Int)) (f Int)) (=> (and (p i m f) (< i 5) (exists ((k Int)) (= (select m k) 7)))
      (p (+ i 1) (store m (+ i 1) f) (- 1 f)))))
    (assert (forall ((i Int) (m (Array Int Int)) (f Int)) (=> (and (p i m f) QUERY) false)))";

#[test]
fn models_without_arrays_are_models_and_arrays_that_matter_are_not_left_out() {
    let counts = MEMORY.replace("QUERY", "(> i 5)");
    assert_eq!(found(&BLIND_PDR, &counts), Some(true));
    assert_eq!(found(&BLIND_SAMPLES, &counts), Some(true));
    // It is so, but only those know who see the memory.
    let reads = MEMORY.replace("QUERY", "(not (= (select m 0) 7))");
    assert_eq!(found(&BLIND_PDR, &reads), None);
    // It is not so, and what is derived without arrays counts for nothing.
    assert_eq!(found(&BLIND_PDR, &MEMORY.replace("QUERY", "(= i 5)")), None);
    assert_eq!(found(&BLIND_SAMPLES, &MEMORY.replace("QUERY", "(= i 5)")), None);
    assert_eq!(found(&BLIND_PDR, &COUNTER.replace("LIMIT", "7")), None);
}
