//! Models made of finitely many facts, and proofs that are plain from a clause's shape.
//!
//! A clause whose head is true under the definitions, or whose body is false, needs no values:
//! its negation has the assertion `false`, and two steps refute that. The checker's evaluation
//! is for all other clauses; it wants tables for the body's predicates.

use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{ClauseProof, Definition, HornModel};
use alphorn_problem::evidence::proof::{Literal, Proof, ProofStep, Rule, StepId};
use alphorn_problem::horn::PredId;
use alphorn_problem::obligation::horn::negation;
use alphorn_term::{Store, TermId, Value};

/// Fresh variables for the arguments of a predicate.
pub fn parameters(terms: &mut Store, horn: &Horn, pred: PredId) -> Vec<TermId> {
    horn.pred_args(pred).iter().map(|&sort| terms.fresh_var("x", sort)).collect()
}

/// The parameters have these values, as a conjunction; none if a value has no term.
pub fn conjunction(terms: &mut Store, params: &[TermId], values: &[Value]) -> Option<TermId> {
    let mut equations = Vec::with_capacity(params.len());
    for (&param, value) in params.iter().zip(values) {
        let value = terms.value_term(value)?;
        equations.push(terms.eq(param, value));
    }
    Some(terms.and(&equations))
}

/// The model with these definitions. Clauses flagged in `plain` hold by their shape, the others
/// by evaluation; an error if a flag is wrong.
pub fn model_of(
    horn: &Horn,
    mut terms: Store,
    preds: Vec<Definition>,
    plain: &[bool],
) -> Result<HornModel, String> {
    let mut proofs = Vec::with_capacity(horn.clauses.len());
    for (clause, &plain) in horn.clauses.iter().zip(plain) {
        proofs.push(if plain {
            let assertions = negation(horn, &preds, clause, &mut terms)?;
            let at = assertions.iter().position(|&assertion| assertion == TermId::FALSE);
            ClauseProof::Refute(refute_false(at.ok_or("a clause does not hold by its shape")?))
        } else {
            ClauseProof::Evaluate
        });
    }
    let (folds, funcs, choices) = Default::default();
    Ok(HornModel { terms, preds, folds, funcs, choices, proofs })
}

/// The refutation of assertions of which number `at` is false.
fn refute_false(at: usize) -> Proof {
    let falsity = Literal { atom: TermId::FALSE, negated: false };
    let steps = vec![
        ProofStep { clause: vec![falsity], rule: Rule::Assert(at) },
        ProofStep { clause: Vec::new(), rule: Rule::Rup(vec![StepId(0)]) },
    ];
    Proof { steps }
}
