//! Checks certificates: reasons why a safety property of a word-level system holds.
//!
//! A list of states is evaluated. A formula gives rise to three obligations, each a set of
//! formulas that must be unsatisfiable (`problem::obligation::words`), and the certificate carries
//! a refutation of each, in order. An invariant about bits is one of the circuit that
//! `problem::obligation::blast` makes of the system, and is checked as such.

use super::states::check_states;
use super::system::check_system;
use crate::circuit::check_invariant;
use crate::{Refusal, proof};
use alphorn_problem::Words;
use alphorn_problem::evidence::proof::Proof;
use alphorn_problem::evidence::words::{BitInvariant, WordCertificate, WordInvariant};
use alphorn_problem::obligation::blast::{Blasted, Goal, blast};
use alphorn_problem::obligation::words::Obligations;
use alphorn_term::{Store, TermId};

/// Accepts `certificate` if it proves the safety property of `words` that it names.
pub fn check_certificate(words: &Words, certificate: &WordCertificate) -> Result<(), Refusal> {
    check_system(words)?;
    let property = certificate.property;
    let Some(bad) = words.bads.get(property) else {
        let reason = format!("the system has no safety property {property}");
        return Err(Refusal::new("property", reason));
    };
    match &certificate.invariant {
        WordInvariant::States { vars, states } => check_states(words, bad.term, vars, states),
        WordInvariant::Formula { terms, formula, proofs } => {
            check_formula(words, property, terms, *formula, proofs)
        }
        WordInvariant::Bits(bits) => check_bits(words, property, bits),
    }
}

/// The circuit is made here, from the system as read; the evidence only says what is in it.
fn check_bits(words: &Words, property: usize, bits: &BitInvariant) -> Result<(), Refusal> {
    let Blasted { circuit, .. } = blast(words, Goal::Safety(property), &bits.abstraction)
        .map_err(|reason| Refusal::new("bits", reason))?;
    check_invariant(&circuit, 0, &bits.invariant, &bits.proofs)
}

fn check_formula(
    words: &Words,
    property: usize,
    terms: &Store,
    formula: TermId,
    proofs: &[Proof],
) -> Result<(), Refusal> {
    let obligations = Obligations::new(words, property, terms, formula)
        .map_err(|reason| Refusal::new("invariant", reason))?;
    if proofs.len() != obligations.list.len() {
        let (found, expected) = (proofs.len(), obligations.list.len());
        let reason = format!("{found} proofs for {expected} obligations");
        return Err(Refusal::new("obligations", reason));
    }
    for (obligation, proof) in obligations.list.iter().zip(proofs) {
        proof::refute(&obligations.terms, &obligation.assertions, proof).map_err(|refusal| {
            Refusal::new(format!("{}, {}", obligation.name, refusal.place), refusal.reason)
        })?;
    }
    Ok(())
}
