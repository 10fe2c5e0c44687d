//! Ways between kinds of problems: what is found on one side is proved and checked on the other.

mod horn;
mod roads;
mod ways;

use alphorn_check::words::{check_certificate, check_trace};
use alphorn_engine::{Ctx, Stop, Stopper};
use alphorn_hw::engines::WORDS_ENGINES;
use alphorn_hw::prove_words;
use alphorn_problem::{Finding, Verdict, Words};

/// What the engine called `name` finds.
pub fn find(name: &str, system: &Words, ticks: u64) -> Result<Finding<Words>, Stop> {
    let card = WORDS_ENGINES.iter().find(|card| card.name == name).expect("an engine");
    with_ctx(ticks, |ctx| (card.build)().run(system, ctx))
}

/// Works with so many ticks.
pub fn with_ctx<R>(ticks: u64, work: impl FnOnce(&mut Ctx<'_>) -> R) -> R {
    work(&mut Ctx::new(ticks, Stopper::new(), 1, &mut |_| {}))
}

/// The verdict that a finding is, once its claim is proved.
pub fn conclude(
    system: &Words,
    finding: Finding<Words>,
    ctx: &mut Ctx<'_>,
) -> Result<Verdict<Words>, Stop> {
    match finding {
        Finding::Holds(claim) => prove_words(system, claim, ctx).map(Verdict::Safe),
        Finding::Fails(trace) => Ok(Verdict::Unsafe(trace)),
    }
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
