//! The bit-level engines and transforms on circuits small enough to read, and on random ones.
//!
//! One helper runs an engine and has its evidence checked against the circuit as given; the tests
//! are data.

mod bounded;
mod certify;
mod engines;
mod explain;
mod ic3;
mod interpolation;
mod live;
mod outputs;
mod parameters;
mod question;
mod random;
mod simplify;
mod slice;
mod told;
mod transforms;
mod variants;

use alphorn_check::circuit::{check_certificate, check_trace};
use alphorn_engine::{Ctx, Event, Stop, Stopper};
use alphorn_hw::certify::conclude;
use alphorn_hw::engines::{CIRCUIT_ENGINES, CIRCUIT_VARIANTS};
use alphorn_problem::evidence::circuit::{Invariant, Property};
use alphorn_problem::{Circuit, Finding, Verdict};
use alphorn_testkit::stopped;

/// Runs the engine called `name` for at most `ticks`; the verdict's evidence has been checked.
pub fn decide(
    name: &str,
    circuit: &Circuit,
    ticks: u64,
    seed: u64,
) -> (Result<Verdict<Circuit>, Stop>, Vec<Event>, u64) {
    let mut cards = CIRCUIT_ENGINES.iter().chain(CIRCUIT_VARIANTS);
    let card = cards.find(|card| card.name == name).expect("a registered engine");
    let mut log = Vec::new();
    let mut sink = |event| log.push(event);
    let mut ctx = Ctx::new(ticks, Stopper::new(), seed, &mut sink);
    let finding = (card.build)().run(circuit, &mut ctx);
    let verdict = finding.and_then(|finding| conclude(circuit, finding, &mut ctx));
    let used = ctx.ticks_used();
    accept(circuit, &verdict);
    (verdict, log, used)
}

/// What the engine called `name` finds within `ticks`.
pub fn find(name: &str, circuit: &Circuit, ticks: u64) -> Result<Finding<Circuit>, Stop> {
    let card = CIRCUIT_ENGINES.iter().find(|card| card.name == name).expect("an engine");
    with_ctx(ticks, |ctx| (card.build)().run(circuit, ctx))
}

/// Works with so many ticks.
pub fn with_ctx<R>(ticks: u64, work: impl FnOnce(&mut Ctx<'_>) -> R) -> R {
    work(&mut Ctx::new(ticks, Stopper::new(), 1, &mut |_| {}))
}

/// Has the evidence checked.
pub fn accept(circuit: &Circuit, verdict: &Result<Verdict<Circuit>, Stop>) {
    match verdict {
        Ok(Verdict::Safe(certificate)) => {
            check_certificate(circuit, certificate).expect("the certificate is accepted");
        }
        Ok(Verdict::Unsafe(trace)) => check_trace(circuit, trace).expect("the trace is accepted"),
        Err(_) => {}
    }
}

/// The verdict in a few words.
pub fn summary(verdict: &Result<Verdict<Circuit>, Stop>) -> String {
    match verdict {
        Ok(Verdict::Safe(certificate)) => match &certificate.invariant {
            Invariant::States { states, .. } => format!("safe, {} states", states.len()),
            other => format!("safe, {other:?}"),
        },
        Ok(Verdict::Unsafe(trace)) => {
            assert_eq!(trace.property, Property::Bad(0));
            format!("unsafe, {} steps", trace.inputs.len())
        }
        Err(stop) => stopped(stop),
    }
}
