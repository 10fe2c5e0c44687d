//! Choices of derivations: which are found to matter, and evidence for it that must be refused.

use alphorn_check::horn::check_choice;
use alphorn_engine::{Ctx, Stopper};
use alphorn_horn::choices::{Choices, matters};
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Derivation, Refuted, Step};
use alphorn_problem::horn::ClauseId;
use alphorn_problem::obligation::derivation::{Change, choices};
use alphorn_term::{Int, Value};
use alphorn_testkit::read::horn;

/// A number is doubled, perhaps more is added, and it must not be between 10 and 13.
const TEXT: &str = "(set-logic HORN)\n(declare-fun p (Int) Bool)\n\
    (assert (forall ((x Int) (k Int)) (=> (and (>= k 0) (= x (* 2 k))) (p x))))\n\
    (assert (forall ((x Int) (y Int) (b Int) (idle Int))\
      (=> (and (p x) (>= b 0) (= y (+ x b)) (> idle 3)) (p y))))\n\
    (assert (forall ((x Int)) (=> (and (p x) (> x 10) (< x 13)) false)))\n(check-sat)\n";

fn int(number: i64) -> Value {
    Value::Int(Int::from(number))
}

/// 6 is doubled, 0 is added.
fn derivation(system: &Horn) -> Derivation {
    let step = |clause: u32, values: &[(&str, i64)], premises: &[usize]| {
        let vars = &system.clause(ClauseId(clause)).vars;
        let value = |var: &alphorn_term::TermId| {
            let name = system.terms.var_name(*var).expect("a name");
            let found = values.iter().find(|(of, _)| *of == name);
            int(found.expect("a value for each variable").1)
        };
        Step::new(ClauseId(clause), vars.iter().map(value).collect(), premises.to_vec())
    };
    Derivation::of(vec![
        step(0, &[("x", 12), ("k", 6)], &[]),
        step(1, &[("x", 12), ("y", 12), ("b", 0), ("idle", 9)], &[0]),
        step(2, &[("x", 12)], &[1]),
    ])
}

fn found(system: &Horn, derivation: &Derivation) -> Choices {
    let mut ignore = |_| {};
    let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 0, &mut ignore);
    matters(system, derivation, 100, &mut ctx).expect("the search ends")
}

fn name(system: &Horn, derivation: &Derivation, step: usize, var: usize) -> String {
    let clause = system.clause(derivation.steps[step].clause);
    system.terms.var_name(clause.vars[var]).expect("a name").to_owned()
}

#[test]
fn choices_are_what_neither_atoms_nor_equations_determine() {
    let system = horn(TEXT);
    let derivation = derivation(&system);
    let names = |clause: u32| -> Vec<String> {
        let places = choices(&system, ClauseId(clause));
        places.into_iter().map(|var| name(&system, &derivation, clause as usize, var)).collect()
    };
    assert_eq!(names(0), ["k"]);
    assert_eq!(names(1), ["b", "idle"]);
    assert_eq!(names(2), [""; 0]);
}

#[test]
fn what_matters_is_found_and_its_refutation_accepted() {
    let system = horn(TEXT);
    let derivation = derivation(&system);
    let all = found(&system, &derivation);
    let mut matters = Vec::new();
    for found in all.found {
        let Change { step, var, value } = &found.change;
        matters.push((name(&system, &derivation, *step, *var), value.clone()));
        check_choice(&system, &derivation, found.change, &found.refuted).expect("it is accepted");
    }
    // k alone can be nothing else: 5 and 7 give 10 and 14, and the rest is as it was.
    assert_eq!(matters[0], ("k".to_owned(), None));
    // Nothing may be added, and what is idle must stay above 3.
    assert_eq!(matters[1].0, "b");
    assert_eq!(matters[1].1, None);
    assert_eq!((matters.len(), &matters[2].0[..], all.open.len()), (3, "idle", 0));
}

#[test]
fn refutations_of_something_else_are_refused() {
    let system = horn(TEXT);
    let derivation = derivation(&system);
    let mut all = found(&system, &derivation);
    let found = all.found.remove(0);
    let refused = |derivation: &Derivation, change: Change, refuted: &Refuted| {
        check_choice(&system, derivation, change, refuted).expect_err("it is refused").to_string()
    };
    let had = Change { value: Some(int(6)), ..found.change.clone() };
    refused(&derivation, had, &found.refuted);
    let none = Change { var: 0, ..found.change.clone() };
    let text = refused(&derivation, none, &found.refuted);
    assert!(text.contains("no such choice"), "{text}");
    let late = Change { step: 9, ..found.change.clone() };
    assert!(refused(&derivation, late, &found.refuted).contains("no such step"));
    let sort = Change { value: Some(Value::Bool(true)), ..found.change.clone() };
    assert!(refused(&derivation, sort, &found.refuted).contains("another sort"));
    let mut wrong = derivation.clone();
    wrong.steps[1].values[0] = int(13);
    refused(&wrong, found.change.clone(), &found.refuted);
    let mut short = found.refuted.clone();
    short.proof.steps.pop();
    refused(&derivation, found.change.clone(), &short);
    let strange = Refuted { terms: alphorn_term::Store::new(), ..found.refuted };
    let text = refused(&derivation, found.change, &strange);
    assert!(text.contains("do not extend"), "{text}");
}
