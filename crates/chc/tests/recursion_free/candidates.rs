//! Candidates for models: proved, or broken where they should be.

use crate::judge::{judge, read, with_ticks};
use alphorn_horn::evidence::{Cause, Outcome, prove};
use alphorn_problem::evidence::horn::Definition;
use alphorn_problem::{Horn, Verdict};
use alphorn_term::{Op, Store, TermId, Value, eval};

const COUNTER: &str = "(set-logic HORN) (declare-fun p (Int) Bool)
    (assert (forall ((x Int)) (=> (= x 0) (p x))))
    (assert (forall ((x Int) (y Int)) (=> (and (p x) (= y (+ x 2))) (p y))))
    (assert (forall ((x Int)) (=> (and (p x) (= x (- 3))) false)))";

/// `p(x)` is `lowest <= x`.
fn at_least(horn: &Horn, lowest: i64) -> (Store, Vec<Definition>) {
    let mut terms = horn.terms.clone();
    let sort = horn.pred_args(horn.pred_ids().next().unwrap())[0];
    let param = terms.fresh_var("x", sort);
    let lowest = terms.int(lowest);
    let body = terms.mk(Op::Le, &[lowest, param]);
    (terms, vec![Definition { params: vec![param], body }])
}

fn outcome(horn: &Horn, lowest: i64) -> Outcome {
    let (terms, definitions) = at_least(horn, lowest);
    with_ticks(|ctx| prove(horn, terms, definitions, ctx)).unwrap()
}

#[test]
fn an_inductive_candidate_is_a_model() {
    let horn = read(COUNTER);
    for lowest in [-2, -1, 0] {
        let model = outcome(&horn, lowest).model(&horn).unwrap();
        assert_eq!(judge(&horn, Verdict::Safe(model)), "safe");
    }
}

#[test]
fn what_breaks_a_clause_is_shown() {
    let horn = read(COUNTER);
    for (lowest, broken) in [(1, vec![0]), (-3, vec![2]), (-9, vec![2])] {
        let Outcome::Failed(failures) = outcome(&horn, lowest) else {
            panic!("{lowest} is proved")
        };
        let clauses: Vec<u32> = failures.iter().map(|failure| failure.clause.0).collect();
        assert_eq!(clauses, broken);
        for failure in failures {
            let Cause::Broken(model) = &failure.cause else { panic!("{failure:?}") };
            let x = horn.clause(failure.clause).vars[0];
            let wanted = if lowest == 1 { 0 } else { -3 };
            assert_eq!(model.vars[&x], Value::Int(wanted.into()));
        }
    }
}

#[test]
fn a_model_of_the_failure_makes_the_body_true() {
    let text = "(set-logic HORN) (declare-fun p (Int Bool) Bool) (declare-fun q (Real) Bool)
        (assert (forall ((x Int) (r Real) (b Bool))
          (=> (and (q r) (or b (< (to_real x) r)) (> x 3)) (p (+ x 1) b))))";
    let horn = read(text);
    let mut terms = horn.terms.clone();
    let definitions: Vec<Definition> = horn
        .pred_ids()
        .map(|pred| {
            let sorts = horn.pred_args(pred).to_vec();
            let params = sorts.iter().map(|&sort| terms.fresh_var("x", sort)).collect();
            let body = if sorts.len() == 1 { TermId::TRUE } else { TermId::FALSE };
            Definition { params, body }
        })
        .collect();
    let mut store = terms.clone();
    let clause = &horn.clauses[0];
    let body = alphorn_problem::obligation::horn::negation(&horn, &definitions, clause, &mut store);
    let body = body.unwrap()[0];
    match with_ticks(|ctx| prove(&horn, terms, definitions, ctx)).unwrap() {
        Outcome::Failed(failures) => {
            let Cause::Broken(model) = &failures[0].cause else { panic!("{failures:?}") };
            assert_eq!(eval(&store, body, model), Ok(Value::Bool(true)));
        }
        Outcome::Proved(_) => panic!("true does not imply false"),
    }
}
