//! A word-level system seen as a circuit of its first property.

use super::property_to_circuit;
use crate::settle::plain_run;
use crate::transform::simplify_by_default;
use crate::words::first_bad;
use alphorn_engine::{Back, Ctx, Event, Seen, Steps, Stop, View};
use alphorn_problem::{Circuit, Words};
use std::sync::Arc;

/// A system as a simplified circuit, bit by bit.
pub static WORDS_AS_BITS: View<Words, Circuit> =
    View { name: "words as bits", steps: Steps::Kept, make: make_bits };

fn make_bits(system: &Words, ctx: &mut Ctx<'_>) -> Result<Seen<Words, Circuit>, Stop> {
    first_bad(system)?;
    let (circuit, to_words) =
        property_to_circuit(&Arc::new(system.clone()), 0).map_err(Stop::Unsupported)?;
    let (latches, gates) = (circuit.latches.len(), circuit.ands.len());
    ctx.emit(Event::Remark(format!("bits: {latches} latches, {gates} gates")));
    let (small, to_circuit) = simplify_by_default(&circuit, ctx)?;
    let (to_words, to_circuit) = (Arc::new(to_words), Arc::new(to_circuit));
    let (claims, claims_before) = (Arc::clone(&to_words), Arc::clone(&to_circuit));
    let back = Back::searching(
        move |claim, ctx| claims.claim(claims_before.claim(claim, ctx)?, ctx),
        move |trace, ctx| {
            // What does not matter becomes 0, which is easier to read than what a solver chose.
            let trace = to_circuit.trace(trace, ctx)?;
            to_words.trace(plain_run(&circuit, trace, ctx)?, ctx)
        },
    );
    Ok(Seen::new(small, back))
}
