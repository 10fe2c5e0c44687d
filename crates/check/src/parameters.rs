//! Evidence about circuits with parameters: points, runs, and that there is no other point.
//!
//! Every point is a certificate of the circuit at its valuation, every failure a run of the circuit as read
//! whose parameters may be unknown, monotony a certificate of the twin, and that nothing was left out a
//! refutation of clauses that are made here anew (`problem::obligation::front`). `PROOFS.md` shows that this
//! suffices.

use crate::circuit::{check_certificate_within, check_trace_within};
use crate::{Refusal, RefusalKind, lrat, work};
use alphorn_problem::Circuit;
use alphorn_problem::evidence::circuit::{Certificate, Property};
use alphorn_problem::evidence::front::{Front, Monotony, Point};
use alphorn_problem::obligation::front::{Excluded, coverage};
use alphorn_problem::parameters::Parametric;
use alphorn_term::Meter;

/// How much of the front evidence shows, and on what it may rely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AskedFront {
    /// Whether all points are asked for, or some valid ones.
    pub is_whole: bool,
    /// Whether the user says that the property is monotone.
    pub is_monotone: bool,
}

impl AskedFront {
    /// What evidence says that it answers.
    pub fn claimed(front: &Front) -> AskedFront {
        AskedFront {
            is_whole: front.coverage.is_some(),
            is_monotone: front.monotony == Monotony::Asserted,
        }
    }
}

/// Accepts `front` if its points are valid and do not undercut each other, and, if the whole front is asked
/// for, there is no other.
pub fn check_front(problem: &Parametric, asked: AskedFront, front: &Front) -> Result<(), Refusal> {
    let variables = problem.circuit.latches.len().saturating_add(problem.circuit.ands.len());
    if variables.saturating_add(problem.circuit.inputs as usize) > crate::circuit::MAX_VARIABLES / 4
    {
        return Err(Refusal::too_large("circuit", "it has too many variables"));
    }
    problem.validate().map_err(|reason| Refusal::new("the question", reason))?;
    if front.monotony == Monotony::Asserted && !asked.is_monotone {
        let reason = "it takes the property to be monotone, and nobody says so";
        return Err(Refusal::beside(RefusalKind::OtherProperty, reason));
    }
    if asked.is_whole && front.coverage.is_none() {
        let reason = "it does not say that there are no other points, and that was asked about";
        return Err(Refusal::beside(RefusalKind::OtherProperty, reason));
    }
    let meter = work::of_front(problem, front);
    check_prices(problem, &front.points, &meter)?;
    for (index, point) in front.points.iter().enumerate() {
        let place = format!("point {index}");
        spend(&meter, PER_COPY * u64::from(problem.circuit.max_var()), &place)?;
        let at = problem.at(&point.valuation);
        check_safe(&at, problem.property, &point.certificate, &place, &meter)?;
    }
    if let Monotony::Proved(certificate) = &front.monotony {
        check_safe(&problem.twin(), 0, certificate, "monotony", &meter)?;
    }
    let failed = check_failed(problem, front, &meter)?;
    check_coverage(problem, front, &failed)
}

/// The ticks for each variable of a circuit that is made once more.
const PER_COPY: u64 = 16;

fn spend(meter: &Meter, ticks: u64, place: &str) -> Result<(), Refusal> {
    meter.spend(ticks).map_err(|exhausted| Refusal::too_large(place, exhausted))
}

/// The points have a value for each parameter, and none costs at most what another costs in all respects.
fn check_prices(problem: &Parametric, points: &[Point], meter: &Meter) -> Result<(), Refusal> {
    let wanted = problem.params.len();
    for (index, point) in points.iter().enumerate() {
        if point.valuation.len() != wanted {
            let reason = format!("{} values for {wanted} parameters", point.valuation.len());
            return Err(Refusal::new(format!("point {index}"), reason));
        }
    }
    let (count, costs) = (points.len() as u64, problem.costs.len() as u64);
    let each = count.saturating_add(wanted as u64).saturating_mul(costs);
    spend(meter, count.saturating_mul(each), "the points")?;
    let prices: Vec<Vec<u64>> =
        points.iter().map(|point| problem.price(&point.valuation)).collect();
    for (index, price) in prices.iter().enumerate() {
        let is_below = |other: &Vec<u64>| other.iter().zip(price).all(|(low, high)| low <= high);
        let others = prices.iter().enumerate().filter(|(other, _)| *other != index);
        if let Some((other, _)) = others.into_iter().find(|(_, other)| is_below(other)) {
            let reason = format!("point {other} costs at most as much in all respects");
            return Err(Refusal::new(format!("point {index}"), reason));
        }
    }
    Ok(())
}

/// Accepts a certificate of a certain safety property.
fn check_safe(
    circuit: &Circuit,
    property: usize,
    certificate: &Certificate,
    place: &str,
    meter: &Meter,
) -> Result<(), Refusal> {
    let within =
        |refusal: Refusal| Refusal { place: format!("{place}, {}", refusal.place), ..refusal };
    if certificate.holds() != Property::Bad(property) {
        let reason = format!("the certificate is not about safety property {property}");
        return Err(Refusal::new(place, reason));
    }
    check_certificate_within(circuit, certificate, meter).map_err(within)
}

/// The valuations that the runs speak for, once the runs are accepted.
fn check_failed(
    problem: &Parametric,
    front: &Front,
    meter: &Meter,
) -> Result<Vec<Excluded>, Refusal> {
    let is_monotone = front.monotony != Monotony::Unused;
    let mut failed = Vec::with_capacity(front.failed.len());
    for (index, trace) in front.failed.iter().enumerate() {
        let place = format!("run {index}");
        if trace.property != Property::Bad(problem.property) {
            return Err(Refusal::new(place, "it is about another property"));
        }
        check_trace_within(&problem.circuit, trace, meter).map_err(|refusal| Refusal {
            place: format!("{place}, {}", refusal.place),
            ..refusal
        })?;
        failed.push(Excluded::by(problem, trace, is_monotone));
    }
    Ok(failed)
}

/// Accepts the refutation that shows that there is no other point.
fn check_coverage(problem: &Parametric, front: &Front, failed: &[Excluded]) -> Result<(), Refusal> {
    let Some(proof) = &front.coverage else { return Ok(()) };
    let prices: Vec<Vec<u64>> =
        front.points.iter().map(|point| problem.price(&point.valuation)).collect();
    let cnf = coverage(problem, failed, &prices)
        .map_err(|reason| Refusal::too_large("coverage", reason))?;
    lrat::refute(cnf.clauses(), proof)
        .map_err(|refusal| Refusal { place: format!("coverage, {}", refusal.place), ..refusal })
}

/// Whether evidence that no valuation is valid says so.
pub(crate) fn has_no_points(front: &Front) -> Result<(), Refusal> {
    match front.points.is_empty() && front.coverage.is_some() {
        true => Ok(()),
        false => Err(Refusal::new("the points", "that no valuation is valid is not what it shows")),
    }
}

/// Whether evidence that some valuation is valid has one.
pub(crate) fn has_points(front: &Front) -> Result<(), Refusal> {
    match front.points.is_empty() {
        true => Err(Refusal::new("the points", "there is none")),
        false => Ok(()),
    }
}
