//! Preparing a system over words: on words, on bits, or on clauses, as the engines that were named want it.

use super::{Prepared, entries, prepare_circuit};
use crate::config::Config;
use crate::registry::choose;
use alphorn_cross::engines::{WORDS_BITS_ENGINES, WORDS_HORN_ENGINES};
use alphorn_cross::plan::{has_large_arrays, plan_words};
use alphorn_engine::{Back, Card, Ctx, Entry, Event, Note, Stopper};
use alphorn_hw::engines::{CIRCUIT_ENGINES, CIRCUIT_VARIANTS, WORDS_ENGINES};
use alphorn_hw::select::{select_words, select_words_home};
use alphorn_hw::{justice_to_circuit, property_to_circuit, prove_words, proved_on_bits};
use alphorn_problem::evidence::circuit::{Certificate, CircuitClaim, Property};
use alphorn_problem::{Circuit, Finding, Verdict, Words};
use std::sync::Arc;
use std::time::Instant;

/// One property of a word-level system, ready for engines.
pub(crate) enum PreparedWords {
    /// As a circuit.
    Bits(Prepared<Words, Circuit>),
    /// As it is.
    Words(Prepared<Words>),
}

/// Why a word-level system cannot be given to engines.
pub(crate) enum Unprepared {
    /// The user asked for engines that there are not.
    Request(String),
    /// The engines that the user asked for work on bits, and the system is not made of bits.
    NotBits(String),
}

/// Makes a circuit of a word-level system for one of its properties, if that is possible and the user
/// did not ask for engines that work on words; a justice property is decided as a circuit or not at
/// all.
pub(crate) fn prepare_words(
    words: &Arc<Words>,
    wanted: Property,
    config: &Config,
    stopper: &Stopper,
    listen: &mut dyn FnMut(Note),
) -> Result<PreparedWords, Unprepared> {
    let property = match wanted {
        Property::Bad(index) => index,
        Property::Justice(_) => {
            let prepared = prepare_bits(words, wanted, config, stopper, listen)?;
            return prepared.map(PreparedWords::Bits).map_err(Unprepared::NotBits);
        }
        Property::Home(index) => return prepare_home(words, index, config),
    };
    let named = &config.engines;
    let mut on_words = ALL_ON_WORDS.iter().copied().flatten();
    let on_words = on_words.any(|card| named.iter().any(|name| card.name == name));
    let (mut has_circuit, is_default) = (false, named.is_empty() && config.bound.is_none());
    if on_words {
        choose(WORDS_ENGINES, &[WORDS_HORN_ENGINES, WORDS_BITS_ENGINES], named)
            .map_err(|_| Unprepared::Request(mixed(named)))?;
    } else if is_default && has_large_arrays(words) {
        has_circuit = property_to_circuit(words, property).is_ok();
    } else {
        let begun = Instant::now();
        match prepare_bits(words, wanted, config, stopper, listen)? {
            Ok(prepared) => return Ok(PreparedWords::Bits(prepared)),
            Err(reason) if named.is_empty() => {
                let event = Event::Remark(format!("no circuit: {reason}"));
                listen(Note { engine: "transforms", at: begun.elapsed(), event });
            }
            Err(reason) => return Err(Unprepared::NotBits(reason)),
        }
    }
    // Only those on clauses search by depth.
    let (cards, also) = match config.bound {
        Some(_) => (WORDS_HORN_ENGINES, [WORDS_ENGINES, WORDS_BITS_ENGINES]),
        None => (WORDS_ENGINES, [WORDS_HORN_ENGINES, WORDS_BITS_ENGINES]),
    };
    let entries = match is_default {
        true => plan_words(has_circuit),
        false => entries(cards, &also, config).map_err(Unprepared::Request)?,
    };
    Ok(as_words(words, select_words(words, property), entries))
}

/// A home property is decided on words, by the engines that know all states.
fn prepare_home(
    words: &Arc<Words>,
    index: usize,
    config: &Config,
) -> Result<PreparedWords, Unprepared> {
    if config.bound.is_some() {
        let message = "whether something stays within reach has no bound: leave it out";
        return Err(Unprepared::Request(message.to_owned()));
    }
    let engines = match config.engines.is_empty() {
        true => vec!["explore".to_owned()],
        false => config.engines.clone(),
    };
    let config = Config { engines, ..config.clone() };
    let entries = entries(WORDS_ENGINES, &[WORDS_HORN_ENGINES, WORDS_BITS_ENGINES], &config)
        .map_err(Unprepared::Request)?;
    Ok(as_words(words, select_words_home(words, index), entries))
}

/// A selected property for engines on words.
fn as_words(
    words: &Arc<Words>,
    (selected, back): (Words, Back<Words, Words>),
    entries: Vec<Entry<Words>>,
) -> PreparedWords {
    let original = Arc::clone(words);
    let conclude = move |finding, ctx: &mut Ctx<'_>| {
        Ok(match back.finding(finding, ctx)? {
            Finding::Holds(claim) => Verdict::Safe(prove_words(&original, claim, ctx)?).into(),
            Finding::Fails(trace) => Verdict::Unsafe(trace).into(),
        })
    };
    PreparedWords::Words(Prepared::plain(Arc::new(selected), Box::new(conclude), entries))
}

/// One property of a word-level system as a circuit, or what in it is not made of bits.
fn prepare_bits(
    words: &Arc<Words>,
    wanted: Property,
    config: &Config,
    stopper: &Stopper,
    listen: &mut dyn FnMut(Note),
) -> Result<Result<Prepared<Words, Circuit>, String>, Unprepared> {
    let named = &config.engines;
    choose(CIRCUIT_ENGINES, &[CIRCUIT_VARIANTS], named)
        .map_err(|_| Unprepared::Request(mixed(named)))?;
    let begun = Instant::now();
    let (blasted, wanted) = match wanted {
        Property::Bad(index) => (property_to_circuit(words, index), Property::Bad(0)),
        Property::Justice(index) => (justice_to_circuit(words, index), Property::Justice(0)),
        Property::Home(_) => return Ok(Err("home properties are decided on words".to_owned())),
    };
    let (circuit, unblast) = match blasted {
        Ok(blasted) => blasted,
        Err(reason) => return Ok(Err(reason)),
    };
    let (latches, gates) = (circuit.latches.len(), circuit.ands.len());
    let remark = format!("bits: {} inputs, {latches} latches, {gates} gates", circuit.inputs);
    listen(Note { engine: "transforms", at: begun.elapsed(), event: Event::Remark(remark) });
    let circuit = Arc::new(circuit);
    let prepared = prepare_circuit(&circuit, wanted, &[], config, stopper, listen)
        .map_err(Unprepared::Request)?;
    let Prepared { small, conclude, entries, hints, speech, .. } = prepared;
    let conclude = move |finding, ctx: &mut Ctx<'_>| {
        Ok(match conclude(finding, ctx)?.verdict {
            Verdict::Unsafe(trace) => Verdict::Unsafe(unblast.trace(trace, ctx)?).into(),
            Verdict::Safe(Certificate { property, invariant, obligations }) => {
                let claim = unblast.claim(CircuitClaim { property, invariant }, ctx)?;
                Verdict::Safe(proved_on_bits(claim, obligations)?).into()
            }
        })
    };
    let (conclude, time) = (Box::new(conclude), begun.elapsed());
    Ok(Ok(Prepared { small, conclude, entries, origins: None, hints, speech, time }))
}

/// Everything that works on word-level systems as such.
const ALL_ON_WORDS: &[&[Card<Words>]] = &[WORDS_ENGINES, WORDS_HORN_ENGINES, WORDS_BITS_ENGINES];

/// What is wrong with names of engines for a word-level system.
fn mixed(named: &[String]) -> String {
    let bits: Vec<&str> = CIRCUIT_ENGINES.iter().map(|card| card.name).collect();
    let words: Vec<&str> = ALL_ON_WORDS.iter().copied().flatten().map(|card| card.name).collect();
    let is_known = |name: &&String| bits.contains(&name.as_str()) || words.contains(&name.as_str());
    match named.iter().find(|name| !is_known(name)) {
        Some(name) => format!(
            "no engine '{name}' for this kind of problem; there are: {}, {}",
            bits.join(", "),
            words.join(", ")
        ),
        None => {
            "engines for circuits and engines for words cannot be mixed; on bits there are bits-ic3 and \
             bits-bmc to be run beside words-…"
                .to_owned()
        }
    }
}
