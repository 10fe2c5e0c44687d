//! Clauses that have instances of a quantified body: models are checked with them, derivations may not
//! use them, and the instances must be those of the body as read.

use alphorn_check::horn::{check_derivation, check_model};
use alphorn_problem::evidence::fold::Folds;
use alphorn_problem::evidence::horn::{ClauseProof, Definition, Derivation, HornModel, Step};
use alphorn_problem::horn::{Clause, ClauseId, Head, Horn};
use alphorn_problem::quantified::Quantified;
use alphorn_problem::span::Span;
use alphorn_term::eval::Choices;
use alphorn_term::{Op, SortId, TermId, Value};
use std::collections::BTreeMap;

/// `N → P(1)`, and `(∀x. P(x)) ∧ k = 0 → false` with the instances of x at k.
fn system() -> Horn {
    let mut horn = Horn::default();
    let p = horn.declare_pred("P", &[SortId::INT]);
    let store = &mut horn.terms;
    let (one, zero) = (store.int(1), store.int(0));
    let (x, k) = (store.var("x", SortId::INT), store.var("k", SortId::INT));
    let func = horn.preds[p.index()].func;
    let atom = horn.terms.mk(Op::Apply(func), &[x]);
    let all = horn.terms.forall(&[x], atom);
    let is_zero = horn.terms.eq(k, zero);
    let read = horn.terms.and(&[all, is_zero]);
    let quantified = Quantified { body: read, instances: BTreeMap::from([(all, vec![vec![k]])]) };
    let body = quantified.instantiate(&mut horn.terms).expect("it fits");
    let clause = |vars, body, head| Clause { vars, body, head, name: None, span: Span::NONE };
    horn.clauses.push(clause(vec![], TermId::TRUE, Head::Atom(p, vec![one])));
    horn.clauses.push(clause(vec![k], body, Head::False));
    horn.quantified.insert(ClauseId(1), quantified);
    horn
}

/// `P(p)` means `p = value`, by evaluation.
fn model(horn: &Horn, value: i64) -> HornModel {
    let mut terms = horn.terms.clone();
    let p = terms.var("p", SortId::INT);
    let value = terms.int(value);
    let body = terms.eq(p, value);
    let preds = vec![Definition { params: vec![p], body }];
    let proofs = vec![ClauseProof::Evaluate; horn.clauses.len()];
    let (folds, funcs, choices) = (Folds::default(), BTreeMap::new(), Choices::default());
    HornModel { terms, preds, folds, funcs, choices, proofs }
}

#[test]
fn a_model_of_the_clauses_with_instances_is_accepted_and_another_is_not() {
    let horn = system();
    assert!(check_model(&horn, &model(&horn, 1)).is_ok());
    assert!(check_model(&horn, &model(&horn, 0)).is_err());
}

#[test]
fn a_derivation_may_not_use_instances() {
    let mut horn = system();
    // Now P(0) can be derived, and the instance at 0 with it; but not P for all values.
    let zero = horn.terms.int(0);
    let Head::Atom(_, args) = &mut horn.clauses[0].head else { panic!("a fact") };
    args[0] = zero;
    let steps = vec![
        Step::new(ClauseId(0), vec![], vec![]),
        Step::new(ClauseId(1), vec![Value::Int(0.into())], vec![0]),
    ];
    let derivation = Derivation::of(steps);
    let refusal = check_derivation(&horn, &derivation).expect_err("it has instances only");
    assert!(refusal.reason.contains("all values"), "{refusal:?}");
    // Without the body as read the clause is what it says.
    horn.quantified.clear();
    assert_eq!(check_derivation(&horn, &derivation), Ok(()));
}

#[test]
fn instances_that_are_not_of_the_body_as_read_are_refused() {
    type Change = fn(&mut Horn);
    let changes: [(Change, &str); 5] = [
        (
            |horn| {
                // The body says more than its instances do.
                let k = horn.terms.var("k", SortId::INT);
                let two = horn.terms.int(2);
                let more = horn.terms.eq(k, two);
                let body = horn.clauses[1].body;
                horn.clauses[1].body = horn.terms.and(&[body, more]);
            },
            "does not have the instances",
        ),
        (
            |horn| {
                let read = horn.quantified.get_mut(&ClauseId(1)).expect("there is one");
                read.instances.values_mut().for_each(|all| all[0].clear());
            },
            "does not fit",
        ),
        (
            |horn| {
                let read = horn.quantified.get_mut(&ClauseId(1)).expect("there is one");
                read.instances.values_mut().for_each(|all| all[0][0] = TermId::TRUE);
            },
            "does not fit",
        ),
        (
            |horn| {
                let read = horn.quantified.get_mut(&ClauseId(1)).expect("there is one");
                read.instances = BTreeMap::from([(TermId::TRUE, vec![])]);
            },
            "without a quantifier",
        ),
        (
            |horn| {
                let read = horn.quantified.remove(&ClauseId(1)).expect("there is one");
                horn.quantified.insert(ClauseId(7), read);
            },
            "no such clause",
        ),
    ];
    for (change, words) in changes {
        let mut horn = system();
        change(&mut horn);
        let reason = horn.validate().expect_err("it is refused").1;
        assert!(reason.contains(words), "{reason}");
    }
}
