//! Checks certificates: reasons why a property of a word-level system holds.
//!
//! A list of states is evaluated. A formula gives rise to three obligations, each a set of
//! formulas that must be unsatisfiable (`problem::obligation::words`), and the certificate carries
//! a refutation of each, in order. An invariant about bits is one of the circuit that
//! `problem::obligation::blast` makes of the system, and is checked as such; a justice property is
//! proved in this way only, by an invariant of a monitor of the circuit. Ways home are evaluated (`home`).

use super::home::check_homing;
use super::states::check_states;
use super::system::check_system;
use crate::{Refusal, circuit, proof, work};
use alphorn_problem::Words;
use alphorn_problem::evidence::proof::Proof;
use alphorn_problem::evidence::words::{BitInvariant, WordCertificate, WordInvariant};
use alphorn_problem::obligation::blast::{Blasted, blast_within};
use alphorn_problem::obligation::words::Obligations;
use alphorn_term::eval::bound;
use alphorn_term::{Meter, Store, Substitution, TermId};

/// Accepts `certificate` if it proves the property of `words` that it names.
pub fn check_certificate(words: &Words, certificate: &WordCertificate) -> Result<(), Refusal> {
    check_certificate_within(words, certificate, &work::of_word_certificate(words, certificate))
}

/// `check_certificate` with the caller's limit on its work.
pub fn check_certificate_within(
    words: &Words,
    certificate: &WordCertificate,
    meter: &Meter,
) -> Result<(), Refusal> {
    check_system(words)?;
    let property = certificate.property;
    let bad = || match words.bads.get(property) {
        Some(bad) => Ok(bad.term),
        None => {
            let reason = format!("the system has no safety property {property}");
            Err(Refusal::new("property", reason))
        }
    };
    match &certificate.invariant {
        WordInvariant::States(rows) => check_states(words, bad()?, rows, meter),
        WordInvariant::Home(homing) => match words.homes.get(property) {
            Some(home) => check_homing(words, home.term, homing, meter),
            None => {
                let reason = format!("the system has no home property {property}");
                Err(Refusal::new("property", reason))
            }
        },
        WordInvariant::Formula { terms, formula, proofs } => {
            check_formula(words, property, terms, (*formula, proofs), meter)
        }
        WordInvariant::Bits(bits) => check_bits(words, property, bits, meter),
    }
}

/// The circuit is made here, from the system as read; the evidence only says what is in it. It has
/// one property: the one that the certificate is about.
fn check_bits(
    words: &Words,
    property: usize,
    bits: &BitInvariant,
    meter: &Meter,
) -> Result<(), Refusal> {
    let goal = bits.goal(property);
    let Blasted { circuit, .. } = blast_within(words, goal, &bits.abstraction, meter)
        .map_err(|reason| Refusal::new("bits", reason))?;
    circuit::check_proved(&circuit, 0, &bits.invariant, &bits.proofs, meter)
}

fn check_formula(
    words: &Words,
    property: usize,
    terms: &Store,
    (formula, proofs): (TermId, &[Proof]),
    meter: &Meter,
) -> Result<(), Refusal> {
    check_size(words, terms, formula, meter).map_err(|reason| Refusal::new("invariant", reason))?;
    let obligations = Obligations::new(words, property, terms, formula)
        .map_err(|reason| Refusal::new("invariant", reason))?;
    if proofs.len() != obligations.list.len() {
        let (found, expected) = (proofs.len(), obligations.list.len());
        let reason = format!("{found} proofs for {expected} obligations");
        return Err(Refusal::new("obligations", reason));
    }
    for (obligation, proof) in obligations.list.iter().zip(proofs) {
        let replayed =
            proof::refute_within(&obligations.terms, &obligation.assertions, proof, meter);
        replayed.map_err(|refusal| {
            Refusal::new(format!("{}, {}", obligation.name, refusal.place), refusal.reason)
        })?;
    }
    Ok(())
}

/// Whether the obligations of a formula are of reasonable size: they put variables of the next step
/// for those of this one.
fn check_size(words: &Words, terms: &Store, formula: TermId, meter: &Meter) -> Result<(), String> {
    if formula.index() >= terms.len() {
        return Err("the invariant is not a term of its store".to_owned());
    }
    if !terms.extends(&words.terms) {
        return Err("the invariant's terms do not extend the system's".to_owned());
    }
    meter.spend(terms.effort())?;
    let vars = words.states.iter().map(|state| state.var).chain(words.inputs.iter().copied());
    let map: Substitution = vars.map(|var| (var, var)).collect();
    let mut roots: Vec<TermId> = words.constraints.iter().map(|c| c.term).collect();
    roots.push(formula);
    bound::substitution(terms, &roots, &map, meter)
}
