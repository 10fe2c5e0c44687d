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
use alphorn_problem::monitor::Monitor;
use alphorn_problem::obligation::circuit::Obligations;

use super::simulate::well_formed;
use super::states::check_states;
use crate::{Refusal, lrat, work};
use alphorn_term::Meter;

/// Accepts `certificate` if it proves the property of `circuit` that it names.
pub fn check_certificate(circuit: &Circuit, certificate: &Certificate) -> Result<(), Refusal> {
    check_certificate_within(circuit, certificate, &work::of_certificate(circuit, certificate))
}

/// `check_certificate` with the caller's limit on its work.
pub fn check_certificate_within(
    circuit: &Circuit,
    certificate: &Certificate,
    meter: &Meter,
) -> Result<(), Refusal> {
    let Certificate { property, invariant, obligations } = certificate;
    check_proved(circuit, *property, invariant, obligations, meter)
}

/// Accepts `proofs` if they show that `invariant` proves the property of `circuit` with this position: a
/// justice property if it is an invariant of a monitor, otherwise a safety property.
pub(crate) fn check_proved(
    circuit: &Circuit,
    property: usize,
    invariant: &Invariant,
    proofs: &[Lrat],
    meter: &Meter,
) -> Result<(), Refusal> {
    let Invariant::Justice { monitor, invariant } = invariant else {
        return check_invariant(circuit, property, invariant, proofs, meter);
    };
    well_formed(circuit).map_err(|reason| Refusal::new("circuit", reason))?;
    let added = match monitor {
        Monitor::Count { most } => u64::from(*most),
        Monitor::Loop => circuit.latches.len() as u64,
    };
    meter
        .spend(8 * (added + u64::from(circuit.max_var())))
        .map_err(|exhausted| Refusal::new("property", exhausted))?;
    let watched =
        (monitor.build(circuit, property)).map_err(|reason| Refusal::new("property", reason))?;
    check_invariant(&watched, 0, invariant, proofs, meter)
}

/// Accepts `proofs` if they show that `invariant` proves a safety property of `circuit`.
pub(super) fn check_invariant(
    circuit: &Circuit,
    property: usize,
    invariant: &Invariant,
    proofs: &[Lrat],
    meter: &Meter,
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
        return check_states(circuit, bad, latches, states, meter);
    }
    for (index, proof) in proofs.iter().enumerate() {
        meter
            .spend(obligations.size(index))
            .map_err(|exhausted| Refusal::new(format!("obligation {index}"), exhausted))?;
        let obligation = (obligations.build(index))
            .map_err(|reason| Refusal::new(format!("obligation {index}"), reason))?;
        lrat::refute_within(obligation.cnf.clauses(), proof, meter).map_err(|refusal| {
            Refusal::new(format!("{}, {}", obligation.name, refusal.place), refusal.reason)
        })?;
    }
    Ok(())
}
