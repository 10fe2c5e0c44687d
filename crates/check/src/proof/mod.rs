//! Replays refutations of formulas, step by step.
//!
//! Each step is a clause and the name of a rule. A rule looks at the clause (and at what the proof
//! says beside it) and decides whether the clause holds in every interpretation, follows from
//! earlier clauses, or can be made true by choosing the value of a variable that nothing depends
//! on yet. No rule tries alternatives beyond a handful of fixed ones: what a proof does not say
//! is not looked for. `PROOFS.md` defines the rules; each has one function here, one file per
//! family.
//!
//! Invariant: whatever interpretation satisfies the assertions can be changed on the witnesses
//! introduced so far, and on nothing else, so that it satisfies all clauses up to here. The last
//! clause is empty, so there is no such interpretation.
//!
//! After Barbosa, Fleury, Fontaine, Schurr, "Alethe" (2021 and later), and carcara. We differ in
//! the clausal part, which carries hints like LRAT, and in arithmetic, which is compared as
//! polynomials, so that a proof need not say how a term was rewritten.

mod arithmetic;
mod array;
mod bits;
pub(crate) mod bound;
mod clausal;
mod connectives;
mod constraint;
mod context;
mod datatype;
mod equality;
mod evaluate;
mod linear;
mod order;
mod polynomial;
mod product;
mod quantifier;

use crate::Refusal;
use alphorn_problem::evidence::proof::{Literal, Proof, ProofStep, Rule};
use alphorn_term::{Op, SortId, Store, TermId};
use context::Context;
use std::borrow::Cow;

/// Accepts `proof` if it derives a contradiction from the assertions, which are formulas of
/// `store`.
pub fn refute(store: &Store, assertions: &[TermId], proof: &Proof) -> Result<(), Refusal> {
    replay(&mut Cow::Borrowed(store), assertions, proof)
}

/// `refute` with a store that may be added to, so that a caller with many proofs pays once.
pub(crate) fn replay(
    store: &mut Cow<Store>,
    assertions: &[TermId],
    proof: &Proof,
) -> Result<(), Refusal> {
    for (position, &assertion) in assertions.iter().enumerate() {
        if assertion.index() >= store.len() || store.sort(assertion) != SortId::BOOL {
            return Err(Refusal::new(format!("assertion {position}"), "it is not a formula"));
        }
    }
    let mut context = Context::new(store, assertions);
    let mut propagation = clausal::Propagation::new(context.base());
    for (position, step) in proof.steps.iter().enumerate() {
        let result = check_literals(&context, &step.clause).and_then(|()| match &step.rule {
            Rule::Rup(hints) => propagation.check(&proof.steps[..position], &step.clause, hints),
            _ => check_step(&mut context, step),
        });
        let name = step.rule.name();
        result.map_err(|reason| Refusal::new(format!("step {position} ({name})"), reason))?;
    }
    match proof.steps.last() {
        Some(step) if step.clause.is_empty() => Ok(()),
        _ => Err(Refusal::new("end of the proof", "the last step is not the empty clause")),
    }
}

/// Whether the literals are in normal form: formulas of the store, no negations among the atoms.
fn check_literals(context: &Context, clause: &[Literal]) -> Result<(), String> {
    for (position, literal) in clause.iter().enumerate() {
        context.known(literal.atom).map_err(|reason| format!("literal {position}: {reason}"))?;
        if context.store().sort(literal.atom) != SortId::BOOL {
            return Err(format!("literal {position} is not a formula"));
        }
        if context.store().op(literal.atom) == Op::Not {
            return Err(format!("literal {position} is a negation; its sign should say so"));
        }
    }
    Ok(())
}

fn check_step(context: &mut Context, step: &ProofStep) -> Result<(), String> {
    let clause = step.clause.as_slice();
    match &step.rule {
        Rule::Assert(index) => clausal::assert(context, clause, *index),
        Rule::Rup(_) => Err("unit propagation needs the earlier steps".to_owned()),
        Rule::Tautology => connectives::tautology(context, clause),
        Rule::Farkas(multipliers) => linear::farkas(context, clause, multipliers),
        Rule::Linear(lines) => linear::linear(context, clause, lines),
        Rule::Branch => order::branch(context, clause),
        Rule::Trichotomy => order::trichotomy(context, clause),
        Rule::Arithmetic(term) => arithmetic::arithmetic(context, clause, *term),
        Rule::Product([left, right]) => product::product(context, clause, *left, *right),
        Rule::Transitivity => equality::transitivity(context, clause),
        Rule::Congruence => equality::congruence(context, clause),
        Rule::Array(term) => array::array(context, clause, *term),
        Rule::Conditional(term) => connectives::conditional(context, clause, *term),
        Rule::Datatype => datatype::datatype(context, clause),
        Rule::Instantiate(terms) => quantifier::instantiate(context, clause, terms),
        Rule::Skolem(witnesses) => quantifier::skolem(context, clause, witnesses),
        Rule::Bits => bits::bits(context, clause),
        Rule::Evaluate => evaluate::evaluate(context, clause),
    }
}
