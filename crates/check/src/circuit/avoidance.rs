//! Checks what is said to avoid a violation, and that nothing else does.
//!
//! The run is replayed, and again with each set of flips. That every other set of that size fails is a refutation
//! of clauses that are made here anew (`problem::obligation::flips`). `PROOFS.md` shows that this suffices.

use super::flips::check_flips;
use super::trace::check_trace_within;
use crate::{Refusal, RefusalKind, lrat, work};
use alphorn_problem::Violation;
use alphorn_problem::evidence::flips::{Avoidance, Flip};
use alphorn_problem::obligation::flips::others;
use alphorn_problem::violation::Place;
use alphorn_term::Meter;
use std::collections::BTreeSet;

/// How much is said of what avoids a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AskedSets {
    /// Sets that avoid it.
    Some,
    /// Sets that avoid it, and no smaller one does.
    Smallest,
    /// All sets of that size, and no smaller one does; or that none does, up to some size.
    All,
}

impl AskedSets {
    /// What evidence says that it shows.
    pub fn claimed(avoidance: &Avoidance) -> AskedSets {
        match &avoidance.others {
            None => AskedSets::Some,
            Some(_) if avoidance.sets.is_empty() => AskedSets::All,
            Some(others) => match others.most {
                Some(most) if most.saturating_add(1) < avoidance.size => AskedSets::Some,
                Some(most) if most < avoidance.size => AskedSets::Smallest,
                _ => AskedSets::All,
            },
        }
    }
}

/// The ticks for each value of a run that is written down as clauses.
const PER_VALUE: u64 = 24;

/// Accepts `avoidance` if each of its sets avoids the violation, and it shows as much about others as is asked.
pub fn check_avoidance(
    violation: &Violation,
    asked: AskedSets,
    avoidance: &Avoidance,
) -> Result<(), Refusal> {
    let Violation { circuit, trace, .. } = violation;
    let variables = circuit.latches.len().saturating_add(circuit.ands.len());
    if variables.saturating_add(circuit.inputs as usize) > super::MAX_VARIABLES {
        return Err(Refusal::too_large("circuit", "it has too many variables"));
    }
    violation.validate().map_err(|reason| Refusal::new("the question", reason))?;
    let meter = work::of_avoidance(violation, avoidance);
    check_trace_within(circuit, trace, &meter)?;
    let pass = (trace.inputs.len() as u64).saturating_mul(u64::from(circuit.max_var()) + 1);
    let mut known: Vec<BTreeSet<Place>> = Vec::with_capacity(avoidance.sets.len());
    for (index, set) in avoidance.sets.iter().enumerate() {
        let place = format!("set {index}");
        spend(&meter, pass, &place)?;
        let within =
            |refusal: Refusal| Refusal { place: format!("{place}, {}", refusal.place), ..refusal };
        check_flips(circuit, trace, violation.bad(), set).map_err(within)?;
        if let Some(Flip { step, var }) = set.iter().find(|flip| !violation.may_flip(flip.var)) {
            let reason = format!("variable {var} of step {step} may not be flipped");
            return Err(Refusal::new(place, reason));
        }
        known.push(violation.places(set));
    }
    if let Some(index) = known.iter().position(|set| set.len() != avoidance.size) {
        let reason = format!("it changes {} words, not {}", known[index].len(), avoidance.size);
        return Err(Refusal::new(format!("set {index}"), reason));
    }
    if known.iter().collect::<BTreeSet<_>>().len() < known.len() {
        return Err(Refusal::new("the sets", "two change the same"));
    }
    if AskedSets::claimed(avoidance) < asked {
        let reason = "it does not show as much about other sets as was asked";
        return Err(Refusal::beside(RefusalKind::OtherProperty, reason));
    }
    check_others(violation, avoidance, &known, pass, &meter)
}

/// Every other set fails, if that is said.
fn check_others(
    violation: &Violation,
    avoidance: &Avoidance,
    known: &[BTreeSet<Place>],
    pass: u64,
    meter: &Meter,
) -> Result<(), Refusal> {
    let Some(own) = &avoidance.others else { return Ok(()) };
    let counted = own.most.map_or(0, |most| (most as u64).saturating_add(1));
    spend(meter, pass.saturating_mul(PER_VALUE.saturating_add(counted)), "other sets")?;
    let cnf = others(violation, known, own.most)
        .map_err(|reason| Refusal::too_large("other sets", reason))?;
    lrat::refute(cnf.clauses(), &own.proof)
        .map_err(|refusal| Refusal { place: format!("other sets, {}", refusal.place), ..refusal })
}

fn spend(meter: &Meter, ticks: u64, place: &str) -> Result<(), Refusal> {
    meter.spend(ticks).map_err(|exhausted| Refusal::too_large(place, exhausted))
}

/// Whether evidence that nothing avoids a violation says so.
pub(crate) fn has_no_sets(avoidance: &Avoidance) -> Result<(), Refusal> {
    match avoidance.sets.is_empty() && avoidance.others.is_some() {
        true => Ok(()),
        false => Err(Refusal::new("the sets", "that nothing avoids it is not what it shows")),
    }
}

/// Whether evidence that something avoids a violation says what.
pub(crate) fn has_sets(avoidance: &Avoidance) -> Result<(), Refusal> {
    match avoidance.sets.is_empty() {
        true => Err(Refusal::new("the sets", "there is none")),
        false => Ok(()),
    }
}
