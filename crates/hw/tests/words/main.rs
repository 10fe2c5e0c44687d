//! The word-level engines, on systems small enough to read and on random ones.
//!
//! One helper runs an engine and has its evidence checked against the system as given; the tests
//! are data.

mod blast;
mod engines;
mod memory;
mod random;

use alphorn_engine::{Ctx, Engine, Event, Road, Stop, Stopper};
use alphorn_hw::bits::WORDS_AS_BITS;
use alphorn_hw::engines::{CIRCUIT_ENGINES, WORDS_ENGINES};
use alphorn_hw::prove_words;
use alphorn_problem::evidence::circuit::Invariant;
use alphorn_problem::evidence::words::{Property, Rows, WordInvariant};
use alphorn_problem::{Verdict, Words};
use alphorn_testkit::stopped;
use alphorn_testkit::words::judge::{accept, conclude};

/// Runs the engine called `name`, one for circuits on bits, for at most `ticks`; the verdict's evidence has been checked.
pub fn decide(
    name: &str,
    system: &Words,
    ticks: u64,
    seed: u64,
) -> (Result<Verdict<Words>, Stop>, Vec<Event>, u64) {
    let on_words = WORDS_ENGINES.iter().find(|card| card.name == name).map(|card| (card.build)());
    let on_bits = CIRCUIT_ENGINES.iter().find(|card| card.name == name);
    let mut engine: Box<dyn Engine<Words>> = match (on_words, on_bits) {
        (Some(engine), _) => engine,
        (None, Some(card)) => Road::build(&WORDS_AS_BITS, card),
        (None, None) => panic!("there is no engine {name}"),
    };
    let mut log = Vec::new();
    let mut sink = |event| log.push(event);
    let mut ctx = Ctx::new(ticks, Stopper::new(), seed, &mut sink);
    let finding = engine.run(system, &mut ctx);
    let verdict =
        finding.and_then(|finding| conclude(finding, |claim| prove_words(system, claim, &mut ctx)));
    let used = ctx.ticks_used();
    if let Ok(verdict) = &verdict {
        accept(system, verdict);
    }
    (verdict, log, used)
}

/// The verdict in a few words.
pub fn summary(verdict: &Result<Verdict<Words>, Stop>) -> String {
    match verdict {
        Ok(Verdict::Safe(certificate)) => match &certificate.invariant {
            WordInvariant::States(Rows { states, .. }) => format!("safe, {} states", states.len()),
            WordInvariant::Home(_) => "safe, with ways".to_owned(),
            WordInvariant::Formula { .. } => "safe, by a formula".to_owned(),
            WordInvariant::Bits(bits) => match &bits.invariant {
                Invariant::States { states, .. } => format!("safe, {} states", states.len()),
                _ => "safe, by bits".to_owned(),
            },
        },
        Ok(Verdict::Unsafe(trace)) => {
            assert_eq!(trace.property, Property::Bad(0));
            format!("unsafe, {} steps", trace.inputs.len())
        }
        Err(stop) => stopped(stop),
    }
}
