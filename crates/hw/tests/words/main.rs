//! The word-level engines and the ways between representations, on systems small enough to read
//! and on random ones.
//!
//! One helper runs an engine and has its evidence checked against the system as given; the tests
//! are data.

mod blast;
mod build;
#[path = "../circuit/build.rs"]
mod circuits;
mod engines;
mod random;
mod transforms;

use alphorn_check::words::{check_certificate, check_trace};
use alphorn_engine::{Ctx, Event, Stop, Stopper};
use alphorn_hw::engines::WORDS_ENGINES;
use alphorn_problem::evidence::words::{Property, WordInvariant};
use alphorn_problem::{Verdict, Words};

/// Runs the engine called `name` for at most `ticks`; the verdict's evidence has been checked.
pub fn decide(
    name: &str,
    system: &Words,
    ticks: u64,
    seed: u64,
) -> (Result<Verdict<Words>, Stop>, Vec<Event>, u64) {
    let card = WORDS_ENGINES.iter().find(|card| card.name == name).expect("a registered engine");
    let mut log = Vec::new();
    let mut sink = |event| log.push(event);
    let mut ctx = Ctx::new(ticks, Stopper::new(), seed, &mut sink);
    let verdict = (card.build)().run(system, &mut ctx);
    let used = ctx.ticks_used();
    if let Ok(verdict) = &verdict {
        accept(system, verdict);
    }
    (verdict, log, used)
}

/// Has the evidence checked.
#[track_caller]
pub fn accept(system: &Words, verdict: &Verdict<Words>) {
    match verdict {
        Verdict::Safe(certificate) => {
            check_certificate(system, certificate).expect("the certificate is accepted");
        }
        Verdict::Unsafe(trace) => check_trace(system, trace).expect("the trace is accepted"),
    }
}

/// The verdict in a few words.
pub fn summary(verdict: &Result<Verdict<Words>, Stop>) -> String {
    match verdict {
        Ok(Verdict::Safe(certificate)) => match &certificate.invariant {
            WordInvariant::States { states, .. } => format!("safe, {} states", states.len()),
            WordInvariant::Formula { .. } => "safe, by a formula".to_owned(),
        },
        Ok(Verdict::Unsafe(trace)) => {
            assert_eq!(trace.property, Property::Bad(0));
            format!("unsafe, {} steps", trace.inputs.len())
        }
        Err(Stop::Budget(limit)) => limit.describe().to_owned(),
        Err(Stop::Unsupported(reason)) => format!("unsupported: {reason}"),
        Err(Stop::Stuck(reason)) => format!("stuck: {reason}"),
    }
}
