//! Clauses of wide systems are proved by cases, and what is proved is what the checker accepts.

use alphorn_check::horn::check_model;
use alphorn_engine::{Ctx, Stopper};
use alphorn_front::evidence::{print_horn, read_horn};
use alphorn_horn::evidence::{Cause, Outcome, prove};
use alphorn_problem::evidence::horn::{ClauseProof, Definition};
use alphorn_problem::obligation::horn::negation;
use alphorn_problem::{Horn, Verdict};
use alphorn_term::eval::eval;
use alphorn_term::{Op, Store, TermId, Value};
use alphorn_testkit::read::horn;
use std::fmt::Write;

/// How many numbers the system has: enough that its step is large.
const NUMBERS: usize = 60;

/// Numbers of which in each of three phases a third takes what its neighbour has and one more, up to a
/// limit, and the others stay.
fn rotating() -> Horn {
    let list = |stem: &str| -> String { (0..NUMBERS).map(|k| format!(" {stem}{k}")).collect() };
    let declared =
        |stem: &str| -> String { (0..NUMBERS).map(|k| format!(" ({stem}{k} Int)")).collect() };
    let zero: String = (0..NUMBERS).map(|k| format!(" (= x{k} 0)")).collect();
    let mut phases = String::new();
    for phase in 0..3 {
        let _ = write!(phases, "(and (= c {phase}) (= d (ite (= c 2) 0 (+ c 1)))");
        for k in 0..NUMBERS {
            let other = (k + 1) % NUMBERS;
            let _ = match k % 3 == phase {
                true => write!(phases, " (= y{k} (ite (< x{other} 7) (+ x{other} 1) x{k}))"),
                false => write!(phases, " (= y{k} x{k})"),
            };
        }
        phases.push(')');
    }
    horn(&format!(
        "(set-logic HORN)\n(declare-fun p (Int{}) Bool)\n\
         (assert (forall ((c Int){}) (=> (and (= c 0){zero}) (p c{}))))\n\
         (assert (forall ((c Int) (d Int){}{}) (=> (and (p c{}) (or {phases})) (p d{}))))\n\
         (assert (forall ((c Int){}) (=> (and (p c{}) (> x3 7)) false)))\n(check-sat)\n",
        " Int".repeat(NUMBERS),
        declared("x"),
        list("x"),
        declared("x"),
        declared("y"),
        list("x"),
        list("y"),
        declared("x"),
        list("x"),
    ))
}

/// That no number is above a limit.
fn definition(horn: &Horn, terms: &mut Store, limit: i64) -> Vec<Definition> {
    let sorts =
        terms.func(horn.pred(horn.pred_ids().next().expect("a predicate")).func).args.clone();
    let named = sorts.iter().enumerate();
    let params: Vec<TermId> = named.map(|(k, &sort)| terms.var(&format!("v{k}"), sort)).collect();
    let limit = terms.int(limit);
    let parts: Vec<TermId> = params[1..].iter().map(|&var| terms.le(var, limit)).collect();
    let body = terms.and(&parts);
    vec![Definition { params, body }]
}

fn proved(horn: &Horn, limit: i64) -> Outcome {
    let mut terms = horn.terms.clone();
    let definitions = definition(horn, &mut terms, limit);
    let mut ignore = |_| {};
    let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 0, &mut ignore);
    prove(horn, terms, definitions, &mut ctx).expect("the search ends")
}

#[test]
fn a_step_by_phases_is_proved_phase_by_phase() {
    let system = rotating();
    let Outcome::Proved(model) = proved(&system, 7) else { panic!("the model is right") };
    let ClauseProof::Cases(cases) = &model.proofs[1] else { panic!("it is not proved by cases") };
    assert_eq!(cases.len(), 4, "a case for each phase, and what is left");
    assert!(cases.iter().all(|case| case.proof.steps.len() < 40 * NUMBERS), "proofs are short");
    check_model(&system, &model).map(|_| ()).expect("the proof is right");
    let text = print_horn(&system, &Verdict::Safe((*model).clone()));
    let (again, diagnostics) = read_horn(text.as_bytes(), &system);
    let again = again.unwrap_or_else(|| panic!("{:?}", diagnostics.list)).remove(0);
    let Verdict::Safe(again) = again else { panic!("not a model") };
    check_model(&system, &again).map(|_| ()).expect("the proof as read is right");
}

#[test]
fn values_for_a_case_are_values_for_the_clause() {
    let system = rotating();
    let Outcome::Failed(failures) = proved(&system, 6) else { panic!("6 is not kept") };
    let failure = failures.first().expect("a clause fails");
    assert_eq!(failure.clause.index(), 1);
    let Cause::Broken(model) = &failure.cause else { panic!("{failure:?}") };
    let mut terms = system.terms.clone();
    let definitions = definition(&system, &mut terms, 6);
    let clause = system.clause(failure.clause);
    for part in negation(&system, &definitions, clause, &mut terms).expect("it fits") {
        let mut model = model.clone();
        for var in terms.free_vars(&[part]) {
            assert!(matches!(terms.op(var), Op::Var(_)));
            model.vars.entry(var).or_insert_with(|| Value::Int(0.into()));
        }
        assert_eq!(eval(&terms, part, &model).ok(), Some(Value::Bool(true)));
    }
}
