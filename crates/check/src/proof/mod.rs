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
mod bisimulation;
mod bits;
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
mod ring;

use crate::{Refusal, work};
use alphorn_problem::evidence::proof::{Literal, Proof, ProofStep, Rule};
use alphorn_term::{Meter, Op, SortId, Store, TermId};
use context::Context;
use std::borrow::Cow;

/// Accepts `proof` if it derives a contradiction from the assertions, which are formulas of
/// `store`.
pub fn refute(store: &Store, assertions: &[TermId], proof: &Proof) -> Result<(), Refusal> {
    refute_within(store, assertions, proof, &work::of_refutation(store, assertions, proof))
}

/// `refute` with the caller's limit on its work.
pub fn refute_within(
    store: &Store,
    assertions: &[TermId],
    proof: &Proof,
    meter: &Meter,
) -> Result<(), Refusal> {
    replay(&mut Cow::Borrowed(store), assertions, proof, meter)
}

/// `refute` with a store that may be added to, so that a caller with many proofs pays once.
pub(crate) fn replay(
    store: &mut Cow<Store>,
    assertions: &[TermId],
    proof: &Proof,
    meter: &Meter,
) -> Result<(), Refusal> {
    for (position, &assertion) in assertions.iter().enumerate() {
        if assertion.index() >= store.len() || store.sort(assertion) != SortId::BOOL {
            return Err(Refusal::new(format!("assertion {position}"), "it is not a formula"));
        }
    }
    // A table of values, one byte for each term.
    meter.spend(store.len() as u64 / 16).map_err(|spent| Refusal::new("the proof", spent))?;
    let mut context = Context::new(store, assertions, meter);
    let mut propagation = clausal::Propagation::new(context.base());
    for (position, step) in proof.steps.iter().enumerate() {
        let before = context.store().effort();
        let result = check_literals(&context, &step.clause).and_then(|()| match &step.rule {
            Rule::Rup(hints) => {
                propagation.check(&proof.steps[..position], &step.clause, hints, meter)
            }
            _ => check_step(&mut context, step),
        });
        let made = context.store().effort() - before;
        let result = result.and_then(|()| Ok(context.spend(made)?));
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
    // A step sorts its clause, perhaps more than once.
    context.spend(16 * (1 + clause.len() as u64))?;
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
        Rule::Bisimulation(terms) => bisimulation::bisimulation(context, clause, terms),
        Rule::Instantiate(terms) => quantifier::instantiate(context, clause, terms),
        Rule::Skolem(witnesses) => quantifier::skolem(context, clause, witnesses),
        Rule::Bits => bits::bits(context, clause),
        Rule::Ring => ring::ring(context, clause),
        Rule::Evaluate => evaluate::evaluate(context, clause),
    }
}
