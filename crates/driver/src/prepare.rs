//! What happens to a problem before engines see it, and to their answers on the way back.
//!
//! The problem is simplified by the chosen transforms; the engines are those the user named, or those
//! that fit the shape of what is left. What they find is carried back through the transforms, models and
//! invariants are proved on the problem as read, and derivations lose the steps they do not need.

use crate::config::Config;
use crate::hints::with_hints;
use crate::registry::{choose, choose_transforms};
use crate::speech::{CircuitSpeech, HornSpeech, Speech, horn_hints};
use crate::wire::heard;
use alphorn_chc::declared::simplify_interpreted;
use alphorn_chc::engines::{HORN_ENGINES, HORN_VARIANTS};
use alphorn_chc::houdini::shorten;
use alphorn_cross::engines::{HORN_WORD_ENGINES, WORDS_BITS_ENGINES, WORDS_HORN_ENGINES};
use alphorn_cross::plan::{has_large_arrays, plan_circuit, plan_horn, plan_words};
use alphorn_engine::watchdog::peak_bytes;
use alphorn_engine::{Back, Card, Ctx, Entry, Event, Note, Stop, Stopper};
use alphorn_horn::derivation::minimize;
use alphorn_horn::readable::tidied;
use alphorn_horn::{Passage, Simplified, TRANSFORMS, conclude};
use alphorn_hw::engines::{CIRCUIT_ENGINES, CIRCUIT_VARIANTS, WORDS_ENGINES};
use alphorn_hw::select::{select_circuit, select_circuit_justice, select_words};
use alphorn_hw::settle::{Wishes, settle};
use alphorn_hw::transform::{CIRCUIT_TRANSFORMS, carry_forward, simplify_circuit};
use alphorn_hw::{justice_to_circuit, property_to_circuit, prove_words, proved_on_bits};
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::{Certificate, CircuitClaim, Property};
use alphorn_problem::evidence::horn::{ClauseProof, HornModel};
use alphorn_problem::horn::ClauseId;
use alphorn_problem::lemma::{HornLemma, LatchClause};
use alphorn_problem::{Circuit, Finding, Horn, Problem, Verdict, Words};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How what is found of a transformed problem becomes a verdict on the problem as read.
pub(crate) type Conclude<P, S> =
    dyn Fn(Finding<S>, &mut Ctx<'_>) -> Result<Concluded<P>, Stop> + Send + Sync;

/// A verdict on the problem as read, not yet checked.
pub(crate) struct Concluded<P: Problem> {
    pub(crate) verdict: Verdict<P>,
    /// Clauses for which no proof was found. The checker may still evaluate them; where it cannot, nothing is
    /// wrong with the engine: there is a proof missing, and that is what is said.
    pub(crate) open: Vec<u64>,
}

impl<P: Problem> From<Verdict<P>> for Concluded<P> {
    fn from(verdict: Verdict<P>) -> Concluded<P> {
        Concluded { verdict, open: Vec::new() }
    }
}

/// A problem of type `P`, ready for engines that see it as one of type `S`.
pub(crate) struct Prepared<P: Problem, S: Problem = P> {
    /// The smaller problem, which engines are given.
    pub(crate) small: Arc<S>,
    /// The way back of what they find, and its proof.
    pub(crate) conclude: Box<Conclude<P, S>>,
    /// The engines, with their shares of the time.
    pub(crate) entries: Vec<Entry<S>>,
    /// For each clause that they see, those as read that it was made of; none where clauses are the
    /// same or there are none.
    pub(crate) origins: Option<Vec<Vec<u64>>>,
    /// What engines are told at the beginning.
    pub(crate) hints: Vec<S::Lemma>,
    /// How what they tell is said of the problem as read, where that can be.
    pub(crate) speech: Option<Arc<dyn Speech<S>>>,
    /// How long the transforms took.
    pub(crate) time: Duration,
}

/// Simplifies a Horn system with the hints of users, and chooses engines for what is left of it.
pub(crate) fn prepare_horn(
    horn: &Arc<Horn>,
    hints: &[HornLemma],
    config: &Config,
    stopper: &Stopper,
    listen: &mut dyn FnMut(Note),
) -> Result<Prepared<Horn>, String> {
    let begun = Instant::now();
    let chosen = choose_transforms(TRANSFORMS, &config.with, &config.without)?;
    let mut sink = |event| listen(Note { engine: "transforms", at: begun.elapsed(), event });
    let mut ctx = Ctx::new(config.limits.ticks, stopper.clone(), config.seed, &mut sink);
    let lines = heard(&config.wires);
    let (learned, for_good) = horn_hints(horn, &lines);
    let hinted = with_hints(horn, &[hints, &learned[..for_good]].concat(), &mut ctx);
    let hints = &[hints, &learned[..]].concat()[..];
    let stronger = hinted.as_ref().map_or(&**horn, |hinted| &hinted.horn);
    // Out of time here is out of time for the engines, too; they will say so.
    let (small, back, origins, hints, passage) =
        match simplify_interpreted(stronger, &chosen, &mut ctx) {
            Ok(simplified) => {
                let (hints, passage) = (simplified.carry_forward(hints), simplified.passage());
                let simplified = match hinted {
                    Some(hinted) => simplified.behind(hinted.back),
                    None => simplified,
                };
                let Simplified { horn, back, origins, .. } = simplified;
                (Arc::new(horn), back, Some(positions(&origins)), hints, passage)
            }
            Err(_) => {
                (Arc::clone(horn), Back::identity(), None, hints.to_vec(), Passage::default())
            }
        };
    let speech: Option<Arc<dyn Speech<Horn>>> = match config.wires.is_empty() {
        true => None,
        false => Some(Arc::new(HornSpeech { original: Arc::clone(horn), passage })),
    };
    let entries = if config.engines.is_empty() && config.bound.is_none() {
        plan_horn(&small)
    } else {
        entries(HORN_ENGINES, &[HORN_WORD_ENGINES, HORN_VARIANTS], config)?
    };
    let (original, seen) = (Arc::clone(horn), Arc::clone(&small));
    let effort = config.minimize;
    let conclude = move |finding: Finding<Horn>, ctx: &mut Ctx<'_>| {
        let finding = match finding {
            // What is short goes a long way back in less time.
            Finding::Holds(claim) if claim.hints.is_empty() => Finding::Holds(tidied(&seen, claim)),
            other => other,
        };
        let finding = back.finding(finding, ctx)?;
        let is_hinted = matches!(&finding, Finding::Holds(claim) if !claim.hints.is_empty());
        Ok(match conclude(&original, finding, ctx)? {
            Verdict::Unsafe(derivation) => Verdict::Unsafe(minimize(derivation, &original)).into(),
            Verdict::Safe(model) => {
                let model = shorten(&original, model, effort, ctx);
                let open = if is_hinted { Vec::new() } else { unproved(&model) };
                Concluded { verdict: Verdict::Safe(model), open }
            }
        })
    };
    let (conclude, time) = (Box::new(conclude), begun.elapsed());
    tell_memory(begun, listen);
    Ok(Prepared { small, conclude, entries, origins, hints, speech, time })
}

/// The clauses that a model leaves to be evaluated.
fn unproved(model: &HornModel) -> Vec<u64> {
    let proofs = model.proofs.iter().zip(0..);
    proofs.filter(|(proof, _)| matches!(proof, ClauseProof::Evaluate)).map(|(_, at)| at).collect()
}

/// The engines for a circuit: those the user asked for, or those that fit.
pub(crate) fn circuit_entries(
    circuit: &Circuit,
    config: &Config,
) -> Result<Vec<Entry<Circuit>>, String> {
    if config.engines.is_empty() && config.bound.is_none() {
        Ok(plan_circuit(circuit))
    } else {
        entries(CIRCUIT_ENGINES, &[CIRCUIT_VARIANTS], config)
    }
}

/// Clauses by their positions.
fn positions(origins: &[Vec<ClauseId>]) -> Vec<Vec<u64>> {
    let of = |clauses: &Vec<ClauseId>| clauses.iter().map(|id| id.index() as u64).collect();
    origins.iter().map(of).collect()
}

/// Simplifies a circuit for one of its properties, and chooses engines for what is left of it; `known` are
/// clauses that hold in all its reachable states.
pub(crate) fn prepare_circuit(
    circuit: &Arc<Circuit>,
    property: Property,
    known: &[Vec<Lit>],
    config: &Config,
    stopper: &Stopper,
    listen: &mut dyn FnMut(Note),
) -> Result<Prepared<Circuit>, String> {
    let begun = Instant::now();
    let chosen = choose_transforms(CIRCUIT_TRANSFORMS, &config.with, &config.without)?;
    let mut sink = |event| listen(Note { engine: "transforms", at: begun.elapsed(), event });
    let mut ctx = Ctx::new(config.limits.ticks, stopper.clone(), config.seed, &mut sink);
    let (selected, unselect) = match property {
        Property::Bad(index) => select_circuit(circuit, index),
        Property::Justice(index) => select_circuit_justice(circuit, index),
    };
    let (small, back) = match property {
        // Out of time here is out of time for the engines, too; they will say so.
        Property::Bad(_) => simplify_circuit(&selected, &chosen, &mut ctx)
            .unwrap_or_else(|_| (selected, Back::identity())),
        // Engines simplify what they make of it.
        Property::Justice(_) => (selected, Back::identity()),
    };
    let back = unselect.after(back);
    let hints = carry_forward(known, &small, &back, &mut ctx);
    let mut hints: Vec<LatchClause> = hints.into_iter().map(Vec::into_boxed_slice).collect();
    let speech = circuit_speech(circuit, &small, &back, config, &mut ctx);
    if let Some(speech) = &speech {
        hints.extend(speech.understand(&heard(&config.wires)));
    }
    let entries = circuit_entries(&small, config)?;
    let original = Arc::clone(circuit);
    let wishes = Wishes { minimize: config.minimize, witness_circuit: config.witness_circuit };
    let conclude = move |finding, ctx: &mut Ctx<'_>| {
        settle(&original, back.finding(finding, ctx)?, wishes, ctx).map(Concluded::from)
    };
    let (small, conclude, time) = (Arc::new(small), Box::new(conclude), begun.elapsed());
    tell_memory(begun, listen);
    Ok(Prepared { small, conclude, entries, origins: None, hints, speech, time })
}

/// How what engines tell of a small circuit is said of the one as read, where somebody listens.
pub(crate) fn circuit_speech(
    circuit: &Arc<Circuit>,
    small: &Circuit,
    back: &Back<Circuit, Circuit>,
    config: &Config,
    ctx: &mut Ctx<'_>,
) -> Option<Arc<dyn Speech<Circuit>>> {
    if config.wires.is_empty() {
        return None;
    }
    Some(Arc::new(CircuitSpeech::new(circuit, small, back, ctx)?))
}

/// Tells what was held at most before any engine began, where the system says so.
fn tell_memory(begun: Instant, listen: &mut dyn FnMut(Note)) {
    if let Some(bytes) = peak_bytes() {
        let event = Event::Remark(format!("memory: at most {} kB before engines", bytes / 1024));
        listen(Note { engine: "transforms", at: begun.elapsed(), event });
    }
}

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
    let (selected, back) = select_words(words, property);
    let original = Arc::clone(words);
    let conclude = move |finding, ctx: &mut Ctx<'_>| {
        Ok(match back.finding(finding, ctx)? {
            Finding::Holds(claim) => Verdict::Safe(prove_words(&original, claim, ctx)?).into(),
            Finding::Fails(trace) => Verdict::Unsafe(trace).into(),
        })
    };
    Ok(PreparedWords::Words(Prepared {
        small: Arc::new(selected),
        conclude: Box::new(conclude),
        entries,
        origins: None,
        hints: Vec::new(),
        speech: None,
        time: Duration::ZERO,
    }))
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

/// The engines the user asked for, or all, with equal shares of the time.
pub(crate) fn entries<P: Problem>(
    cards: &'static [Card<P>],
    also: &[&'static [Card<P>]],
    config: &Config,
) -> Result<Vec<Entry<P>>, String> {
    let mut chosen = choose(cards, also, &config.engines)?;
    if config.bound.is_some() {
        // Only a search by depth comes to the bound.
        let by_depth = |card: &&'static Card<P>| (card.build)().searches_by_depth();
        chosen.retain(by_depth);
        if chosen.is_empty() {
            let all = cards.iter().chain(also.iter().copied().flatten());
            let known = all.filter(by_depth);
            let known: Vec<&str> = known.map(|card| card.name).collect();
            return Err(match known.join(", ") {
                none if none.is_empty() => "no engine for this problem takes --bound".to_owned(),
                known => format!("--bound needs an engine that searches by depth: {known}"),
            });
        }
    }
    Ok(chosen.into_iter().map(|card| Entry { card, weight: 1, late: 0 }).collect())
}
