//! Choices of derivations: which are found to matter, and evidence for it that must be refused.

use alphorn_check::accept::accept;
use alphorn_engine::{Ctx, Stopper};
use alphorn_front::evidence::{print_derived, read_derived};
use alphorn_horn::choices::{Choices, matters};
use alphorn_problem::evidence::horn::{Change, ChangedChoices, Derivation, Step};
use alphorn_problem::horn::ClauseId;
use alphorn_problem::obligation::derivation::choices;
use alphorn_problem::{Derived, Horn, Verdict};
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

/// Whether changes are accepted, as they are and read back from their text.
fn judged(derived: &Derived, changed: ChangedChoices) -> Result<(), String> {
    let verdict = Verdict::Unsafe(changed);
    let text = print_derived(derived, &verdict);
    let own = accept(derived, (), verdict).map(|_| ()).map_err(|refusal| refusal.to_string());
    let (read, diagnostics) = read_derived(text.as_bytes(), &derived.horn);
    if let Some((again, verdict)) = read {
        assert_eq!(again.derivation, derived.derivation, "{text}");
        let other = accept(&again, (), verdict).map(|_| ()).map_err(|refusal| refusal.to_string());
        assert_eq!(own.is_ok(), other.is_ok(), "{own:?} {other:?} {text}");
    } else {
        assert!(own.is_err() && !diagnostics.is_clean(), "{text}");
    }
    own
}

#[test]
fn what_matters_is_found_and_its_refutation_accepted() {
    let system = horn(TEXT);
    let derivation = derivation(&system);
    let all = found(&system, &derivation);
    let name = |change: &Change| name(&system, &derivation, change.step, change.var);
    let single = |at: usize| -> &Change {
        let [change] = &all.found.sets[at].changes[..] else { panic!("one change is enough") };
        change
    };
    // k alone can be nothing else: 5 and 7 give 10 and 14, and the rest is as it was.
    assert_eq!((name(single(0)), &single(0).value), ("k".to_owned(), &None));
    // Nothing may be added, and what is idle must stay above 3.
    assert_eq!((name(single(1)), &single(1).value), ("b".to_owned(), &None));
    assert_eq!((name(single(2)), all.found.sets.len(), all.open.len()), ("idle".into(), 3, 0));
    let derived = Derived { horn: system.clone(), derivation: derivation.clone() };
    judged(&derived, all.found).expect("it is accepted");
}

#[test]
fn refutations_of_something_else_are_refused() {
    let system = horn(TEXT);
    let derivation = derivation(&system);
    let fine = found(&system, &derivation).found;
    let derived = Derived { horn: system.clone(), derivation: derivation.clone() };
    let refused = |derived: &Derived, make: &dyn Fn(&mut ChangedChoices)| {
        let mut other = fine.clone();
        other.sets.truncate(1);
        make(&mut other);
        judged(derived, other).expect_err("it is refused")
    };
    refused(&derived, &|own| own.sets[0].changes[0].value = Some(int(6)));
    let text = refused(&derived, &|own| own.sets[0].changes[0].var = 0);
    assert!(text.contains("no such choice"), "{text}");
    let text = refused(&derived, &|own| own.sets[0].changes[0].step = 9);
    assert!(text.contains("no such choice"), "{text}");
    let wrong = Value::Bool(true);
    let text = refused(&derived, &|own| own.sets[0].changes[0].value = Some(wrong.clone()));
    assert!(text.contains("another sort"), "{text}");
    refused(&derived, &|own| drop(own.sets[0].proof.steps.pop()));
    refused(&derived, &|own| own.sets[0].proof = fine.sets[1].proof.clone());
    refused(&derived, &|own| own.sets[0].changes = fine.sets[1].changes.clone());
    let text = refused(&derived, &|own| own.sets[0].changes.clear());
    assert!(text.contains("there is none"), "{text}");
    let text = refused(&derived, &|own| {
        let twice = own.sets[0].changes[0].clone();
        own.sets[0].changes.push(twice);
    });
    assert!(text.contains("not in order"), "{text}");
    assert!(refused(&derived, &|own| own.sets.clear()).contains("there are none"));
    let mut wrong = derived.clone();
    wrong.derivation.steps[1].values[0] = int(13);
    refused(&wrong, &|_| {});
    let mut strange = fine.clone();
    strange.terms = alphorn_term::Store::new();
    let text = accept(&derived, (), Verdict::Unsafe(strange)).expect_err("refused").to_string();
    assert!(text.contains("do not extend"), "{text}");
    let text = accept(&derived, (), Verdict::Safe(())).expect_err("refused").to_string();
    assert!(text.contains("it has a choice"), "{text}");
}

#[test]
fn two_choices_matter_together_where_none_does_by_itself() {
    // One of two numbers is positive, and both are.
    let step = |clause, premises: &[usize]| {
        Step::new(ClauseId(clause), vec![int(1), int(1)], premises.to_vec())
    };
    let derivation = Derivation::of(vec![step(0, &[]), step(1, &[0])]);
    let system = horn(
        "(set-logic HORN)\n(declare-fun p (Int Int) Bool)\n\
         (assert (forall ((a Int) (b Int)) (p a b)))\n\
         (assert (forall ((a Int) (b Int)) (=> (and (p a b) (or (> a 0) (> b 0))) false)))\n\
         (check-sat)\n",
    );
    let all = found(&system, &derivation);
    assert_eq!((all.found.sets.len(), all.open.len()), (1, 2));
    assert_eq!(all.found.sets[0].changes.len(), 2);
    let derived = Derived { horn: system.clone(), derivation: derivation.clone() };
    judged(&derived, all.found).expect("it is accepted");
}

#[test]
fn a_derivation_without_choices_is_one() {
    let system = horn(
        "(set-logic HORN)\n(declare-fun p (Int) Bool)\n\
         (assert (forall ((x Int)) (=> (= x 3) (p x))))\n\
         (assert (forall ((x Int)) (=> (and (p x) (> x 1)) false)))\n(check-sat)\n",
    );
    let step =
        |clause, premises: &[usize]| Step::new(ClauseId(clause), vec![int(3)], premises.to_vec());
    let derivation = Derivation::of(vec![step(0, &[]), step(1, &[0])]);
    let derived = Derived { horn: system, derivation };
    accept(&derived, (), Verdict::Safe(())).expect("it is accepted");
    let text = print_derived(&derived, &Verdict::Safe(()));
    let (read, _) = read_derived(text.as_bytes(), &derived.horn);
    let (again, verdict) = read.expect("it is read");
    accept(&again, (), verdict).expect("it is accepted");
}
