//! Runs that go on for ever: what is found is accepted, what ends is not claimed, and wrong evidence is refused.

mod flows;

use alphorn_check::flow::check_recurrence;
use alphorn_engine::{Ctx, Stopper};
use alphorn_flow::engines::{LASSO, RECURRENCE};
use alphorn_flow::prove::{Cause, prove_recurrence, refute};
use alphorn_problem::evidence::flow::{Choice, Initial, Path, Recurrence};
use alphorn_problem::obligation::flow::{RecurrenceGoal, recurrence_goals};
use alphorn_problem::{Finding, Flow};
use alphorn_term::{Op, SortId, TermId, Value};
use flows::flow;

/// Ticks for each engine.
const TICKS: u64 = 3_000_000;

/// What the engines find, one after the other.
fn found(flow: &Flow) -> Option<Recurrence> {
    let mut sink = |_| {};
    let mut ctx = Ctx::new(TICKS, Stopper::new(), 0, &mut sink);
    for card in [LASSO, RECURRENCE] {
        match (card.build)().run(flow, &mut ctx) {
            Ok(Finding::Fails(found)) => return Some(found),
            Ok(Finding::Holds(_)) => panic!("{} finds no ranks", card.name),
            Err(_) => {}
        }
    }
    None
}

#[track_caller]
fn assert_runs_forever(text: &str) -> (Flow, Recurrence) {
    let flow = flow(text);
    let found = found(&flow).expect("a recurrence");
    check_recurrence(&flow, &found).expect("evidence that is accepted");
    (flow, found)
}

/// i := j * k until i is negative, which it never is (N1).
const PRODUCT: &str = "
    (set-logic HORN) (declare-fun loop (Int Int Int) Bool)
    (assert (forall ((i Int) (j Int) (k Int)) (=> (and (>= j 1) (>= k 1)) (loop i j k))))
    (assert (forall ((i Int) (j Int) (k Int))
      (=> (and (loop i j k) (>= i 0)) (loop (* j k) (+ j 1) (+ k 1)))))";

/// The same, and m is anything, but not negative (N2).
const PRODUCT_AND_CHOICE: &str = "
    (set-logic HORN) (declare-fun loop (Int Int Int Int) Bool)
    (assert (forall ((i Int) (j Int) (k Int) (m Int))
      (=> (and (>= j 1) (>= k 1)) (loop i j k m))))
    (assert (forall ((i Int) (j Int) (k Int) (m Int) (n Int))
      (=> (and (loop i j k m) (>= i 0) (>= m 0)) (loop (* j k) (+ j 1) (+ k 1) n))))";

/// A product in the guard (N3).
const PRODUCT_IN_GUARD: &str = "
    (set-logic HORN) (declare-fun loop (Int Int) Bool)
    (assert (forall ((i Int) (j Int)) (loop i j)))
    (assert (forall ((i Int) (j Int))
      (=> (and (loop i j) (>= (* i j) 0)) (loop (+ i 1) (+ j 2)))))";

/// Round a cyclic list, as its length alone tells (N4).
const CYCLIC_LIST: &str = "
    (set-logic HORN) (declare-fun loop (Int) Bool)
    (assert (forall ((k Int)) (=> (>= k 1) (loop k))))
    (assert (forall ((k Int) (l Int) (m Int) (n Int))
      (=> (and (loop k) (>= k 1) (> k 1) (>= l 1) (= k (+ l 1)) (= m (+ l 1)) (= n (+ l 1)))
          (loop n))))";

/// while (x != 0) x -= 2
const SKIPS_ZERO: &str = "
    (set-logic HORN) (declare-fun loop (Int) Bool)
    (assert (forall ((x Int)) (=> (> x 5) (loop x))))
    (assert (forall ((x Int)) (=> (and (loop x) (not (= x 0))) (loop (- x 2)))))";

/// while (x >= 0) x := anything
const ANYTHING: &str = "
    (set-logic HORN) (declare-fun loop (Int) Bool)
    (assert (forall ((x Int)) (loop x)))
    (assert (forall ((x Int) (y Int)) (=> (and (loop x) (>= x 0)) (loop y))))";

/// Two branches in turns, and a number that grows.
const IN_TURNS: &str = "
    (set-logic HORN) (declare-fun loop (Int Int) Bool)
    (assert (forall ((x Int) (n Int)) (=> (and (= x 0) (= n 0)) (loop x n))))
    (assert (forall ((x Int) (n Int)) (=> (and (loop x n) (< x 50)) (loop (+ 51 n) (+ n 1)))))
    (assert (forall ((x Int) (n Int)) (=> (and (loop x n) (> x 49)) (loop (- 49 n) n))))";

/// A loop that ends inside one that does not.
const NESTED: &str = "
    (set-logic HORN) (declare-fun outer (Int Int) Bool) (declare-fun inner (Int Int) Bool)
    (assert (forall ((x Int) (y Int)) (=> (>= x 1) (outer x y))))
    (assert (forall ((x Int) (y Int)) (=> (and (outer x y) (>= x 1)) (inner x x))))
    (assert (forall ((x Int) (y Int)) (=> (and (inner x y) (> y 0)) (inner x (- y 1)))))
    (assert (forall ((x Int) (y Int)) (=> (and (inner x y) (<= y 0)) (outer (+ x 1) y))))";

/// A set that a run comes to after five hundred rounds.
const DEEP: &str = "
    (set-logic HORN) (declare-fun loop (Int Int) Bool) (declare-fun after (Int Int) Bool)
    (assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (loop x y))))
    (assert (forall ((x Int) (y Int)) (=> (and (loop x y) (< x 60)) (loop (+ x 1) (+ y 2)))))
    (assert (forall ((x Int) (y Int)) (=> (and (loop x y) (= x 60)) (after x y))))
    (assert (forall ((x Int) (y Int)) (=> (and (after x y) (> y 100)) (after x (+ y 1)))))";

/// x grows by y, which grows: only from some round on does it grow at all.
const IN_THE_END: &str = "
    (set-logic HORN) (declare-fun loop (Int Int) Bool)
    (assert (forall ((x Int) (y Int)) (loop x y)))
    (assert (forall ((x Int) (y Int)) (=> (and (loop x y) (> x 0)) (loop (+ x y) (+ y 1)))))";

/// What comes next must be chosen by the guard of the round after: not larger, but positive.
const NOT_LARGER: &str = "
    (set-logic HORN) (declare-fun loop (Int Int) Bool)
    (assert (forall ((x Int) (n Int)) (=> (> x 3) (loop x n))))
    (assert (forall ((x Int) (n Int) (y Int))
      (=> (and (loop x n) (<= y x) (> x 0) (> y 0)) (loop y (- n 1)))))";

/// Words come round.
const WORDS: &str = "
    (set-logic HORN) (declare-fun loop ((_ BitVec 8)) Bool)
    (assert (loop #x07))
    (assert (forall ((x (_ BitVec 8))) (=> (and (loop x) (not (= x #x00))) (loop (bvmul x #x03)))))";

const FOREVER: [&str; 12] = [
    PRODUCT,
    PRODUCT_AND_CHOICE,
    PRODUCT_IN_GUARD,
    CYCLIC_LIST,
    SKIPS_ZERO,
    ANYTHING,
    IN_TURNS,
    NESTED,
    DEEP,
    IN_THE_END,
    NOT_LARGER,
    WORDS,
];

/// A state that ends and one that runs on, which an abstraction may take for one (X1).
const MERGED: &str = "
    (set-logic HORN) (declare-fun at (Int) Bool)
    (assert (at 0))
    (assert (forall ((s Int) (t Int)) (=> (and (at s) (= s 0) (= t 1)) (at t))))
    (assert (forall ((s Int) (t Int)) (=> (and (at s) (= s 2) (= t 3)) (at t))))
    (assert (forall ((s Int) (t Int)) (=> (and (at s) (= s 3) (= t 0)) (at t))))";

const ENDS: [&str; 5] = [
    MERGED,
    "(set-logic HORN) (declare-fun loop (Int) Bool)
     (assert (forall ((x Int)) (loop x)))
     (assert (forall ((x Int)) (=> (and (loop x) (> x 0)) (loop (- x 1)))))",
    "(set-logic HORN) (declare-fun loop (Int Int) Bool)
     (assert (forall ((x Int) (y Int)) (loop x y)))
     (assert (forall ((x Int) (y Int) (z Int)) (=> (and (loop x y) (> x 0)) (loop (- x 1) z))))
     (assert (forall ((x Int) (y Int)) (=> (and (loop x y) (> y 0)) (loop x (- y 1)))))",
    "(set-logic HORN) (declare-fun loop (Int) Bool)
     (assert (forall ((x Int)) (=> (and (> x 0) (= 0 (mod x 2))) (loop x))))
     (assert (forall ((x Int)) (=> (and (loop x) (not (= x 0))) (loop (- x 2)))))",
    "(set-logic HORN) (declare-fun loop (Real) Bool)
     (assert (forall ((x Real)) (loop x)))
     (assert (forall ((x Real)) (=> (and (loop x) (> x 1.0)) (loop (- x 0.5)))))",
];

#[test]
fn products_run_forever() {
    assert_runs_forever(PRODUCT);
    assert_runs_forever(PRODUCT_AND_CHOICE);
    assert_runs_forever(PRODUCT_IN_GUARD);
}

#[test]
fn a_cyclic_list_is_never_left() {
    assert_runs_forever(CYCLIC_LIST);
}

#[test]
fn steps_of_two_skip_zero() {
    assert_runs_forever(SKIPS_ZERO);
}

#[test]
fn what_is_open_is_chosen_such_that_the_run_goes_on() {
    assert_runs_forever(ANYTHING);
    assert_runs_forever(NOT_LARGER);
}

#[test]
fn several_cycles_make_one_recurrence() {
    assert_runs_forever(IN_TURNS);
    assert_runs_forever(NESTED);
}

#[test]
fn sets_far_from_the_start_are_reached() {
    let (_, found) = assert_runs_forever(DEEP);
    assert!(found.path.steps.len() > 50);
}

#[test]
fn what_grows_in_the_end_runs_forever() {
    assert_runs_forever(IN_THE_END);
}

#[test]
fn words_come_round() {
    assert_runs_forever(WORDS);
}

#[test]
fn a_transition_of_more_cases_than_are_listed_comes_round() {
    let cases = (0..40).fold("99".to_owned(), |rest, state| {
        format!("(ite (= s {state}) {} {rest})", (state + 7) % 40)
    });
    let (_, found) = assert_runs_forever(&format!(
        "(set-logic HORN) (declare-fun loop (Int Int) Bool)
         (assert (forall ((s Int) (n Int)) (=> (= s 0) (loop s n))))
         (assert (forall ((s Int) (n Int)) (=> (and (loop s n) (< s 99)) (loop {cases} (+ n 1)))))"
    ));
    assert_eq!(found.choices.len(), 40);
}

#[test]
fn what_ends_has_no_recurrence() {
    for text in ENDS {
        assert!(found(&flow(text)).is_none(), "{text}");
    }
}

#[test]
fn runs_find_the_same() {
    for text in [ANYTHING, PRODUCT, NESTED] {
        let flow = flow(text);
        let (one, other) = (found(&flow).expect("one"), found(&flow).expect("the same"));
        assert_eq!(one.path, other.path);
        assert_eq!((one.sets, one.choices), (other.sets, other.choices));
    }
}

/// The proof of something else, in the place of one that cannot be.
fn some_proof(flow: &Flow) -> alphorn_problem::evidence::proof::Proof {
    let mut sink = |_| {};
    let mut ctx = Ctx::new(TICKS, Stopper::new(), 0, &mut sink);
    let mut terms = flow.terms.clone();
    refute(&mut terms, &[TermId::FALSE], &mut ctx).expect("ticks").expect("a proof")
}

/// Evidence whose obligations nobody has proved.
fn unproved(
    flow: &Flow,
    terms: alphorn_term::Store,
    path: Path,
    sets: Vec<TermId>,
    choices: Vec<Choice>,
) -> Recurrence {
    let goals = recurrence_goals(&sets, &choices).len();
    let proofs = vec![some_proof(flow); goals];
    Recurrence { terms, path, sets, choices, proofs }
}

#[test]
fn merging_an_ending_state_with_a_running_one_is_no_evidence() {
    let flow = flow(MERGED);
    let mut terms = flow.terms.clone();
    let state = flow.vars[0];
    let constants: Vec<TermId> = (0..4).map(|number| terms.int(number)).collect();
    let is: Vec<TermId> = constants.iter().map(|&number| terms.eq(state, number)).collect();
    // States 1 and 2 are one: from there it goes on to 3.
    let merged = terms.or(&[is[1], is[2]]);
    let set = terms.or(&is);
    let choice = |when, transition, next: usize| Choice {
        when,
        transition,
        next: vec![constants[next]],
        inputs: vec![state, constants[next]],
    };
    let choices = vec![choice(is[0], 0, 1), choice(merged, 1, 3), choice(is[3], 2, 0)];
    let zero = vec![Value::Int(0.into())];
    let inputs = vec![];
    let path = Path { first: Initial { start: 0, inputs, values: zero }, steps: vec![] };
    let mut sink = |_| {};
    let mut ctx = Ctx::new(TICKS, Stopper::new(), 0, &mut sink);
    let (sets, all) = (vec![set], choices.clone());
    let proved = prove_recurrence(&flow, terms.clone(), path.clone(), sets, all, &mut ctx);
    let (goal, cause) = proved.expect("ticks").expect_err("no recurrence");
    assert_eq!(goal, RecurrenceGoal::Stays(1));
    assert!(matches!(cause, Cause::Broken(_)), "{cause:?}");
    let evidence = unproved(&flow, terms, path, vec![set], choices);
    check_recurrence(&flow, &evidence).expect_err("an abstraction that ends");
}

#[test]
fn choices_that_leave_the_guard_are_refused() {
    let (flow, found) = assert_runs_forever(ANYTHING);
    let mut other = found.clone();
    let least = other.terms.int(-1);
    other.choices[0].next = vec![least];
    for input in &mut other.choices[0].inputs {
        *input = least;
    }
    check_recurrence(&flow, &other).expect_err("choices outside of the guard");
    // Nor with sets that have what is chosen, but not the guard.
    other.sets = vec![TermId::TRUE];
    check_recurrence(&flow, &other).expect_err("a set outside of the guard");
    let Recurrence { terms, path, sets, choices, .. } = other;
    let mut sink = |_| {};
    let mut ctx = Ctx::new(TICKS, Stopper::new(), 0, &mut sink);
    let proved = prove_recurrence(&flow, terms, path, sets, choices, &mut ctx);
    assert!(proved.expect("ticks").is_err());
}

/// Evidence with one change each.
fn mutants(flow: &Flow, found: &Recurrence) -> Vec<Recurrence> {
    let mut all = Vec::new();
    let mut add = |change: &dyn Fn(&mut Recurrence)| {
        let mut other = found.clone();
        change(&mut other);
        all.push(other);
    };
    for at in 0..found.sets.len() {
        add(&|other| other.sets[at] = TermId::TRUE);
        add(&|other| other.sets[at] = TermId::FALSE);
        add(&|other| other.sets[at] = other.terms.not(other.sets[at]));
        if found.terms.op(found.sets[at]) == Op::And {
            for part in 0..found.terms.args(found.sets[at]).len() {
                add(&|other| {
                    let mut parts = other.terms.args(other.sets[at]).to_vec();
                    parts.remove(part);
                    other.sets[at] = other.terms.and(&parts);
                });
            }
        }
    }
    for at in 0..found.choices.len() {
        add(&|other| other.choices[at].when = TermId::FALSE);
        add(&|other| other.choices[at].when = TermId::TRUE);
        add(&|other| drop(other.choices.remove(at)));
        for transition in 0..flow.transitions.len() {
            add(&|other| other.choices[at].transition = transition);
        }
        for var in 0..flow.vars.len() {
            add(&|other| {
                let term = other.choices[at].next[var];
                if other.terms.sort(term) == SortId::INT {
                    let one = other.terms.int(1);
                    other.choices[at].next[var] = other.terms.add(&[term, one]);
                }
            });
        }
    }
    for var in 0..flow.vars.len() {
        for by in [-7i64, 1, 90] {
            add(&|other| {
                let values = match other.path.steps.last_mut() {
                    Some(step) => &mut step.values,
                    None => &mut other.path.first.values,
                };
                if let Value::Int(number) = &values[var] {
                    values[var] = Value::Int(number + &by.into());
                }
            });
        }
    }
    add(&|other| drop(other.path.steps.pop()));
    add(&|other| drop(other.proofs.pop()));
    add(&|other| other.proofs.reverse());
    all
}

#[test]
fn changed_evidence_is_refused_unless_it_is_still_true() {
    let (mut refused, mut accepted) = (0, 0);
    for text in FOREVER {
        let flow = flow(text);
        let found = found(&flow).expect("a recurrence");
        for mutant in mutants(&flow, &found) {
            if check_recurrence(&flow, &mutant).is_err() {
                refused += 1;
                continue;
            }
            accepted += 1;
            let Recurrence { terms, path, sets, choices, .. } = mutant;
            let mut sink = |_| {};
            let mut ctx = Ctx::new(TICKS, Stopper::new(), 0, &mut sink);
            let proved = prove_recurrence(&flow, terms, path, sets, choices, &mut ctx);
            let again = proved.expect("ticks").expect("what was accepted can be proved");
            check_recurrence(&flow, &again).expect("what was accepted is accepted again");
        }
    }
    assert!(refused > 100 && accepted > 0, "{refused} {accepted}");
}
