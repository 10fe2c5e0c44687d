//! Clauses that allow more than what they stand for: models of them are accepted, and no derivation is.

use alphorn_check::horn::{check_derivation, check_model};
use alphorn_problem::evidence::fold::Folds;
use alphorn_problem::evidence::horn::{ClauseProof, Definition, Derivation, HornModel, Step};
use alphorn_problem::horn::{Clause, ClauseId, Head, Horn};
use alphorn_problem::span::Span;
use alphorn_term::eval::Choices;
use alphorn_term::{Op, SortId, TermId, Value};
use std::collections::BTreeMap;

/// P(1), and P(x) ∧ x = bad → false.
fn system(bad: i64) -> Horn {
    let mut horn = Horn::default();
    let p = horn.declare_pred("P", &[SortId::INT]);
    let func = horn.pred(p).func;
    let (one, bad) = (horn.terms.int(1), horn.terms.int(bad));
    let x = horn.terms.var("x", SortId::INT);
    let atom = horn.terms.mk(Op::Apply(func), &[x]);
    let is_bad = horn.terms.eq(x, bad);
    let query = horn.terms.and(&[atom, is_bad]);
    let clause = |vars, body, head| Clause { vars, body, head, name: None, span: Span::NONE };
    horn.clauses.push(clause(vec![], TermId::TRUE, Head::Atom(p, vec![one])));
    horn.clauses.push(clause(vec![x], query, Head::False));
    horn
}

#[test]
fn a_derivation_from_clauses_that_allow_more_is_refused() {
    let values = vec![Value::Int(1i64.into())];
    let steps = vec![
        Step::new(ClauseId(0), Vec::new(), Vec::new()),
        Step::new(ClauseId(1), values, vec![0]),
    ];
    let (mut horn, derivation) = (system(1), Derivation::of(steps));
    assert!(check_derivation(&horn, &derivation).is_ok());
    horn.allows_more = true;
    let refusal = check_derivation(&horn, &derivation).expect_err("it proves nothing");
    assert!(refusal.to_string().contains("allow more"), "{refusal}");
}

#[test]
fn a_model_of_clauses_that_allow_more_is_a_proof_all_the_same() {
    let mut horn = system(2);
    horn.allows_more = true;
    let mut terms = horn.terms.clone();
    let (p, one) = (terms.var("p", SortId::INT), terms.int(1));
    let body = terms.eq(p, one);
    let preds = vec![Definition { params: vec![p], body }];
    let proofs = vec![ClauseProof::Evaluate; horn.clauses.len()];
    let (folds, funcs, choices) = (Folds::default(), BTreeMap::new(), Choices::default());
    let model = HornModel { terms, preds, folds, funcs, choices, proofs };
    assert!(check_model(&horn, &model).is_ok());
    // The same model with a query that it does not exclude is none.
    let mut other = system(1);
    other.allows_more = true;
    assert!(check_model(&other, &HornModel { terms: other.terms.clone(), ..model }).is_err());
}
