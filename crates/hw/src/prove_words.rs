//! From a claim about a word-level system to a certificate.
//!
//! A list of states is evaluated by the checker, and needs no proof. An invariant of bits is proved on
//! the circuit that it speaks about. A formula has three obligations, which the solver refutes on the
//! system as read.

use crate::certify::prove_circuit;
use crate::settings::WORDS_PROOF_MAX_ROUNDS;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Words;
use alphorn_problem::evidence::circuit::{CircuitClaim, Invariant, Lrat};
use alphorn_problem::evidence::words::{
    Abstraction, BitInvariant, ClaimedInvariant, WordCertificate, WordClaim, WordInvariant,
};
use alphorn_problem::obligation::words::Obligations;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Store, TermId};

/// The certificate that a claim about a system is.
pub fn prove_words(
    system: &Words,
    claim: WordClaim,
    ctx: &mut Ctx<'_>,
) -> Result<WordCertificate, Stop> {
    let WordClaim { property, invariant } = claim;
    let invariant = match invariant {
        ClaimedInvariant::States(rows) => WordInvariant::States(rows),
        ClaimedInvariant::Home(homing) => WordInvariant::Home(homing),
        ClaimedInvariant::Formula { terms, formula } => {
            prove_formula(system, property, &terms, formula, ctx)?
        }
        ClaimedInvariant::Bits { abstraction, invariant, circuit } => {
            let proved = prove_circuit(&circuit, CircuitClaim::of(invariant), ctx)?;
            on_bits(abstraction, proved.invariant, proved.obligations)
        }
    };
    Ok(WordCertificate { property, invariant })
}

/// The certificate that a claim about bits is, given proofs of the obligations on its circuit.
pub fn proved_on_bits(claim: WordClaim, proofs: Vec<Lrat>) -> Result<WordCertificate, Stop> {
    let WordClaim { property, invariant } = claim;
    match invariant {
        ClaimedInvariant::Bits { abstraction, invariant, .. } => {
            let invariant = on_bits(abstraction, invariant, proofs);
            Ok(WordCertificate { property, invariant })
        }
        _ => Err(Stop::Stuck("proofs about bits are of no use to another invariant".into())),
    }
}

fn on_bits(abstraction: Abstraction, invariant: Invariant, proofs: Vec<Lrat>) -> WordInvariant {
    WordInvariant::Bits(Box::new(BitInvariant { abstraction, invariant, proofs }))
}

fn prove_formula(
    system: &Words,
    property: usize,
    terms: &Store,
    formula: TermId,
    ctx: &mut Ctx<'_>,
) -> Result<WordInvariant, Stop> {
    let Obligations { terms: mut store, list } =
        Obligations::new(system, property, terms, formula).map_err(Stop::Stuck)?;
    let mut proofs = Vec::with_capacity(list.len());
    for obligation in &list {
        let instance_rounds =
            if store.has_quantifier(formula) { WORDS_PROOF_MAX_ROUNDS.short() } else { 0 };
        let mut smt = Smt::new(Options { proofs: true, instance_rounds, ..Options::default() });
        for &assertion in &obligation.assertions {
            smt.assert(&mut store, assertion);
        }
        let name = obligation.name;
        let answer = smt.check_paying(&mut store, &[], u64::MAX, |ticks| ctx.tick(ticks))?;
        if answer != Answer::Unsat {
            return Err(Stop::Stuck(format!("the invariant's {name} was not proved")));
        }
        let refutation = smt.refutation(&mut store);
        let refutation =
            refutation.ok_or_else(|| Stop::Stuck(format!("{name} has no written proof")))?;
        proofs.push(refutation.proof);
    }
    Ok(WordInvariant::Formula { terms: Box::new(store), formula, proofs })
}
