//! What happens to a problem before engines see it, and to their answers on the way back.
//!
//! The problem is simplified by the chosen transforms; the engines are those the user named, or those
//! that fit the shape of what is left. What they find is carried back through the transforms, models and
//! invariants are proved on the problem as read, and derivations lose the steps they do not need.

mod words;

use crate::config::Config;
use crate::hints::with_hints;
use crate::registry::{choose, choose_transforms};
use crate::settings::HINTS_MAX_TRIED;
use crate::speech::{CircuitSpeech, HornSpeech, Speech, horn_hints};
use crate::wire::heard;
use alphorn_chc::declared::simplify_interpreted;
use alphorn_chc::engines::{HORN_ENGINES, HORN_VARIANTS};
use alphorn_chc::houdini::shorten;
use alphorn_cross::engines::HORN_WORD_ENGINES;
use alphorn_cross::plan::{plan_circuit, plan_heaps, plan_horn};
use alphorn_engine::watchdog::peak_bytes;
use alphorn_engine::{Back, Card, Ctx, Entry, Event, Note, Stop, Stopper};
use alphorn_horn::derivation::minimize;
use alphorn_horn::readable::tidied;
use alphorn_horn::shape::has_typed_heap;
use alphorn_horn::{Passage, Simplified, TRANSFORMS, conclude};
use alphorn_hw::engines::{CIRCUIT_ENGINES, CIRCUIT_VARIANTS};
use alphorn_hw::select::{select_circuit, select_circuit_justice};
use alphorn_hw::settle::{Wishes, settle};
use alphorn_hw::transform::{CIRCUIT_TRANSFORMS, carry_forward, simplify_circuit};
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::Property;
use alphorn_problem::evidence::horn::{ClauseProof, HornModel};
use alphorn_problem::horn::ClauseId;
use alphorn_problem::lemma::{HornLemma, LatchClause};
use alphorn_problem::{Circuit, Finding, Horn, Problem, Verdict};
use std::sync::Arc;
use std::time::{Duration, Instant};
pub(crate) use words::{PreparedWords, Unprepared, prepare_words};

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

impl<P: Problem, S: Problem> Prepared<P, S> {
    /// A problem that nobody has hints for, and of which nothing is told before the end.
    pub(crate) fn plain(
        small: Arc<S>,
        conclude: Box<Conclude<P, S>>,
        entries: Vec<Entry<S>>,
    ) -> Self {
        let (hints, time) = (Vec::new(), Duration::ZERO);
        Prepared { small, conclude, entries, origins: None, hints, speech: None, time }
    }
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
    let mut chosen = choose_transforms(TRANSFORMS, &config.with, &config.without)?;
    let has_heap = has_typed_heap(horn);
    if has_heap {
        let is_wished = |name: &str| config.with.iter().any(|wished| wished == name);
        chosen.retain(|card| card.name != "inlining" || is_wished(card.name));
    }
    let mut sink = |event| listen(Note { engine: "transforms", at: begun.elapsed(), event });
    let mut ctx = Ctx::new(config.limits.ticks, stopper.clone(), config.seed, &mut sink);
    let lines = heard(&config.wires);
    let (learned, for_good) = horn_hints(horn, &lines);
    let tried = for_good.saturating_sub(HINTS_MAX_TRIED.size())..for_good;
    let hinted = with_hints(horn, &[hints, &learned[tried]].concat(), &mut ctx);
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
        if has_heap { plan_heaps(&small) } else { plan_horn(&small) }
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
        Property::Home(_) => return Err("a circuit has no home properties".to_owned()),
    };
    let (small, back) = match property {
        // Out of time here is out of time for the engines, too; they will say so.
        Property::Bad(_) => simplify_circuit(&selected, &chosen, &mut ctx)
            .unwrap_or_else(|_| (selected, Back::identity())),
        // Engines simplify what they make of it.
        Property::Justice(_) | Property::Home(_) => (selected, Back::identity()),
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
    Ok(chosen.into_iter().map(|card| Entry::share(card, 1)).collect())
}
