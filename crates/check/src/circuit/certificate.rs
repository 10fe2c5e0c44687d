//! Checks certificates: reasons why a property holds.
//!
//! For a justice property the circuit is first given the monitor that the certificate names
//! (`problem::monitor`), and what is checked is that the monitor notices nothing bad.
//!
//! A list of states is evaluated. Every other invariant gives rise to obligations, each a set of
//! clauses that must be unsatisfiable (`problem::obligation::circuit`), and the certificate carries
//! a refutation of each, in order. Nothing is propagated or simplified here: an obligation that is
//! false at a glance still needs the proof step that says so.
//!
//! `PROOFS.md` shows that the obligations suffice.

use alphorn_problem::circuit::Circuit;
use alphorn_problem::evidence::circuit::{Certificate, Invariant, Lrat};
use alphorn_problem::obligation::circuit::Obligations;

use super::simulate::well_formed;
use super::states::check_states;
use crate::{Refusal, lrat};

/// Accepts `certificate` if it proves the property of `circuit` that it names.
pub fn check_certificate(circuit: &Circuit, certificate: &Certificate) -> Result<(), Refusal> {
    let Certificate { property, invariant, obligations } = certificate;
    let Invariant::Justice { monitor, invariant } = invariant else {
        return check_invariant(circuit, *property, invariant, obligations);
    };
    well_formed(circuit).map_err(|reason| Refusal::new("circuit", reason))?;
    let watched =
        (monitor.build(circuit, *property)).map_err(|reason| Refusal::new("property", reason))?;
    check_invariant(&watched, 0, invariant, obligations)
}

/// Accepts `proofs` if they show that `invariant` proves a safety property of `circuit`.
pub(crate) fn check_invariant(
    circuit: &Circuit,
    property: usize,
    invariant: &Invariant,
    proofs: &[Lrat],
) -> Result<(), Refusal> {
    well_formed(circuit).map_err(|reason| Refusal::new("circuit", reason))?;
    let Some(&bad) = circuit.safety().get(property) else {
        let reason = format!("the circuit has no safety property {property}");
        return Err(Refusal::new("property", reason));
    };
    let obligations = Obligations::new(circuit, property, invariant)
        .map_err(|reason| Refusal::new("invariant", reason))?;
    // Before any is built: the number of proofs bounds what a large `k` can ask for.
    if proofs.len() != obligations.count() {
        let reason = format!("{} proofs for {} obligations", proofs.len(), obligations.count());
        return Err(Refusal::new("obligations", reason));
    }
    if let Invariant::States { latches, states } = invariant {
        return check_states(circuit, bad, latches, states);
    }
    for (index, proof) in proofs.iter().enumerate() {
        let obligation = (obligations.build(index))
            .map_err(|reason| Refusal::new(format!("obligation {index}"), reason))?;
        lrat::refute(obligation.cnf.clauses(), proof).map_err(|refusal| {
            Refusal::new(format!("{}, {}", obligation.name, refusal.place), refusal.reason)
        })?;
    }
    Ok(())
}
