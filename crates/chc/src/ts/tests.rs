//! Folding and the ways back, without an engine: invariants and paths given by hand.

use super::fold::{Fold, fold};
use super::{Decided, Folded, Method, System};
use alphorn_engine::{Ctx, Engine, Stop, Stopper};
use alphorn_horn::{conclude, prove_horn};
use alphorn_problem::{Finding, Horn};
use alphorn_term::{TermId, Value};
use alphorn_testkit::read::horn as read;

fn with_ctx<T>(test: impl FnOnce(&mut Ctx<'_>) -> T) -> T {
    let mut sink = |_| {};
    test(&mut Ctx::new(10_000_000, Stopper::new(), 0, &mut sink))
}

/// A derivation along the states, in the checker's words.
fn replay(horn: &Horn, fold: &Fold, states: &[Vec<Value>]) -> Result<usize, String> {
    let derivation = with_ctx(|ctx| fold.derivation(horn, states, ctx));
    let derivation = derivation.map_err(|stop| format!("{stop:?}"))?;
    let checked = alphorn_check::horn::check_derivation(horn, &derivation);
    checked.map(|_| derivation.steps.len()).map_err(|refusal| format!("{refusal:?}"))
}

fn ints(values: &[i64]) -> Vec<Value> {
    values.iter().map(|&value| Value::Int(value.into())).collect()
}

const LOOP: &str = "(set-logic HORN) (declare-fun p (Int Int) Bool)
    (assert (forall ((x Int)) (=> (>= x 3) (p x 0))))
    (assert (forall ((x Int) (y Int)) (=> (and (p x y) (< y x)) (p x (+ y 1)))))
    (assert (forall ((x Int) (y Int)) (=> (and (p x y) (> y 4)) false)))";

#[test]
fn one_loop_is_three_formulas() {
    let horn = read(LOOP);
    let fold = fold(&horn).unwrap();
    let system = &fold.system;
    assert_eq!((system.state.len(), system.next.len()), (2, 2));
    assert!(system.init_inputs.is_empty() && system.inputs.is_empty());
    let free = system.store.free_vars(&[system.bad]);
    assert_eq!(free, vec![system.state[1]]);
    let path: Vec<Vec<Value>> = (0..6).map(|y| ints(&[5, y])).collect();
    assert_eq!(replay(&horn, &fold, &path), Ok(7));
    assert!(replay(&horn, &fold, &path[..5]).is_err(), "the last state is not bad");
    assert!(replay(&horn, &fold, &path[1..]).is_err(), "the first state is not initial");
}

const TWO: &str = "(set-logic HORN)
    (declare-fun p (Int Bool) Bool) (declare-fun q (Bool Int Int) Bool) (declare-fun r () Bool)
    (assert (p 0 true))
    (assert (forall ((x Int) (b Bool)) (=> (p x b) (q (not b) x (+ x 2)))))
    (assert (forall ((x Int) (y Int) (b Bool)) (=> (and (q b x y) (< y 6)) (p y b))))
    (assert (forall ((x Int) (y Int) (b Bool)) (=> (and (q b x y) b (> x 1)) r)))
    (assert (=> r false))";

#[test]
fn several_predicates_share_columns_by_sort() {
    let horn = read(TWO);
    let fold = fold(&horn).unwrap();
    // Two truth values for the location of three predicates; a truth value and two numbers.
    assert_eq!(fold.system.state.len(), 5);
    let state = |location: [bool; 2], values: &[Value]| {
        let mut state: Vec<Value> = location.iter().map(|&bit| Value::Bool(bit)).collect();
        state.extend(values.iter().cloned());
        state
    };
    let p = |x: i64, b| {
        state([false, false], &[Value::Int(x.into()), Value::Bool(b), Value::Int(0.into())])
    };
    let q = |b, x: i64, y: i64| {
        state([true, false], &[Value::Int(x.into()), Value::Bool(b), Value::Int(y.into())])
    };
    let r = state([false, true], &[Value::Int(0.into()), Value::Bool(false), Value::Int(0.into())]);
    let path = vec![p(0, true), q(false, 0, 2), p(2, false), q(true, 2, 4), r];
    assert_eq!(replay(&horn, &fold, &path), Ok(6));
}

#[test]
fn an_invariant_is_a_definition_per_predicate() {
    let horn = read(&TWO.replace("(> x 1)", "(> x 7)"));
    let fold = fold(&horn).unwrap();
    let mut store = fold.system.store.clone();
    let [_, _, x, ..] = fold.system.state[..] else { panic!("the state is wide") };
    // At r's location nothing is true; elsewhere the first number is below 6.
    let six = store.int(6);
    let below = store.lt(x, six);
    let at_r = fold.system.state[1];
    let elsewhere = store.not(at_r);
    let invariant = store.and(&[elsewhere, below]);
    let claim = fold.claim(&horn, store.clone(), invariant).unwrap();
    let model = with_ctx(|ctx| prove_horn(&horn, claim, ctx)).unwrap();
    alphorn_check::horn::check_model(&horn, &model).unwrap();
    // An invariant that says too little is refused.
    let claim = fold.claim(&horn, store, elsewhere).unwrap();
    let weak = with_ctx(|ctx| prove_horn(&horn, claim, ctx));
    assert!(matches!(weak, Err(Stop::Unproved { .. })), "the clause of r needs the bound on x");
}

#[test]
fn generalized_bodies_are_several_rules() {
    let horn = read(
        "(set-logic HORN) (declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
         (assert (forall ((x Int)) (=> (or (= x 1) (and (q x) (> x 4))) (p x))))
         (assert (forall ((x Int)) (=> (or (and (p x) (< x 3)) (q x)) (q (+ x 2)))))
         (assert (forall ((x Int)) (=> (or (and (p x) (= x 5)) (and (q x) (= x 40))) false)))",
    );
    let fold = fold(&horn).unwrap();
    assert_eq!(fold.rules.len(), 6);
    let state = |at: bool, x: i64| vec![Value::Bool(at), Value::Int(x.into())];
    let path = vec![state(false, 1), state(true, 3), state(true, 5), state(false, 5)];
    assert_eq!(replay(&horn, &fold, &path), Ok(5));
}

/// Says what it is told.
struct Told(Option<Vec<Vec<Value>>>);

impl Method for Told {
    fn decide(&mut self, system: &System, _: &mut Ctx<'_>) -> Result<Decided, Stop> {
        Ok(match self.0.take() {
            Some(path) => Decided::Path(path),
            None => Decided::Invariant(system.store.clone(), TermId::FALSE),
        })
    }
}

#[test]
fn queries_without_predicates_come_first() {
    let text = |query: &str| {
        format!(
            "(set-logic HORN) (declare-fun p () Bool) (assert (forall ((x Int)) (=> {query} false)))
             (assert (=> p p)) (assert (=> p false))"
        )
    };
    let run = |text: String| {
        let horn = read(&text);
        let finding = with_ctx(|ctx| Folded(Told(None)).run(&horn, ctx));
        match finding {
            Ok(Finding::Fails(derivation)) => {
                alphorn_check::horn::check_derivation(&horn, &derivation).unwrap();
                "unsafe"
            }
            Ok(Finding::Holds(claim)) => {
                let model = with_ctx(|ctx| prove_horn(&horn, claim, ctx)).unwrap();
                alphorn_check::horn::check_model(&horn, &model).unwrap();
                "safe"
            }
            Err(_) => "stopped",
        }
    };
    assert_eq!(run(text("(= (* 2 x) 6)")), "unsafe");
    assert_eq!(run(text("(= (* 2 x) 7)")), "safe");
}

#[test]
fn wrong_findings_are_no_answers() {
    let horn = read(LOOP);
    let mut wrong = Folded(Told(Some(vec![ints(&[9, 9])])));
    assert!(matches!(with_ctx(|ctx| wrong.run(&horn, ctx)), Err(Stop::Stuck(_))));
    let weak = with_ctx(|ctx| {
        let finding = Folded(Told(None)).run(&horn, ctx)?;
        conclude(&horn, finding, ctx)
    });
    assert!(matches!(weak, Err(Stop::Unproved { .. })));
}

#[test]
fn non_linear_systems_are_left_alone() {
    let horn = read(
        "(set-logic HORN) (declare-fun p (Int) Bool)
         (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (p (+ x y)))))
         (assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))",
    );
    assert!(matches!(fold(&horn), Err(Stop::Unsupported(_))));
}
