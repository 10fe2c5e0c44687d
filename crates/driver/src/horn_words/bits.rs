//! Linear Horn systems over words by engines for circuits.
//!
//! Clauses are split where disjunctions say what variables are (`cases`), the system becomes a
//! transition system (`horn_to_words`), that a circuit, and the circuit is simplified. A run of the
//! circuit comes back as a derivation. An invariant over latches comes back as definitions of the
//! predicates, without proofs: those about the circuit say nothing about clauses, and every clause is
//! proved where the way back ends.
//!
//! Clauses of latches say little of the order of words briefly, so ic3 may speak about comparisons of words as
//! well (`watch`): those of the system, or those of a model that words read as integers have as long as
//! nothing overflows.

use super::watch;
use alphorn_chc::evidence::{Cause, prove_clause};
use alphorn_chc::integers::{Reading, by_cases, read_as_integers};
use alphorn_chc::{Simplified, horn_to_words, horn_to_words_watching};
use alphorn_engine::{Back, Ctx, Engine, Event, Stop};
use alphorn_hw::engines::{CIRCUIT_ENGINES, CIRCUIT_VARIANTS};
use alphorn_hw::property_to_circuit;
use alphorn_hw::transform::{CIRCUIT_TRANSFORMS, CircuitTransform, simplify_circuit};
use alphorn_problem::evidence::horn::HornClaim;
use alphorn_problem::{Circuit, Finding, Horn, Words};
use std::sync::Arc;

/// The engine for circuits with this name, on linear Horn systems over words.
pub(super) fn engine(name: &'static str) -> Box<dyn Engine<Horn>> {
    Box::new(Bits { name })
}

/// Ic3 on circuits of linear Horn systems over words, with comparisons of words in its clauses.
pub(super) fn watching() -> Box<dyn Engine<Horn>> {
    Box::new(Watching)
}

/// The same with comparisons of a model of the ideal reading, if that is no model.
pub(super) fn guided() -> Box<dyn Engine<Horn>> {
    Box::new(Guided)
}

struct Bits {
    name: &'static str,
}

impl Engine<Horn> for Bits {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        let Simplified { horn: small, back, .. } = by_cases(horn, ctx)?;
        let (words, to_horn) = horn_to_words(&small).map_err(Stop::Unsupported)?;
        let (circuit, to_words) =
            property_to_circuit(&Arc::new(words), 0).map_err(Stop::Unsupported)?;
        ctx.emit(remark("bits", &circuit));
        let chosen: Vec<_> = CIRCUIT_TRANSFORMS.iter().filter(|card| card.is_default).collect();
        let finding = ctx.apart(|ctx| on_circuit(self.name, &circuit, &chosen, ctx))?;
        back.after(to_horn).after(to_words).finding(finding, ctx)
    }
}

struct Watching;

impl Engine<Horn> for Watching {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        let Simplified { horn: small, back, .. } = by_cases(horn, ctx)?;
        let system = horn_to_words_watching(&small, None).map_err(Stop::Unsupported)?;
        let finding = watched(system, ctx)?;
        back.finding(finding, ctx)
    }
}

struct Guided;

impl Engine<Horn> for Guided {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        let Simplified { horn: small, back, .. } = by_cases(horn, ctx)?;
        let finding = match read_as_integers("pdr", Reading::Ideal, &small, ctx)? {
            Finding::Holds(claim) if !holds(&small, &claim, ctx)? => {
                let system =
                    horn_to_words_watching(&small, Some(&claim)).map_err(Stop::Unsupported)?;
                watched(system, ctx)?
            }
            finding => finding,
        };
        back.finding(finding, ctx)
    }
}

/// Whether no clause shows that a model is none.
fn holds(horn: &Horn, model: &HornClaim, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
    let mut terms = model.terms.clone();
    for (clause, _) in horn.clauses() {
        let functions = (&model.folds, &model.funcs);
        let proof = prove_clause(horn, &mut terms, &model.preds, functions, clause, ctx)?;
        if matches!(proof, Err(Cause::Broken(_))) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What ic3 says of a transition system with comparisons of words as outputs, those that the system has
/// and others.
fn watched(
    (mut words, to_horn): (Words, Back<Horn, Words>),
    ctx: &mut Ctx<'_>,
) -> Result<Finding<Horn>, Stop> {
    watch::choose(&mut words);
    let words = Arc::new(words);
    let (mut circuit, to_words) = property_to_circuit(&words, 0).map_err(Stop::Unsupported)?;
    watch::watch(&words, &mut circuit).map_err(Stop::Unsupported)?;
    ctx.emit(remark("bits", &circuit));
    // The cone of the property is without outputs.
    let is_chosen = |card: &&CircuitTransform| card.is_default && card.name != "cone";
    let chosen: Vec<_> = CIRCUIT_TRANSFORMS.iter().filter(is_chosen).collect();
    let finding = ctx.apart(|ctx| on_circuit("ic3-outputs", &circuit, &chosen, ctx))?;
    to_horn.after(to_words).finding(finding, ctx)
}

fn on_circuit(
    name: &str,
    circuit: &Circuit,
    chosen: &[&CircuitTransform],
    ctx: &mut Ctx<'_>,
) -> Result<Finding<Circuit>, Stop> {
    let (small, back) = simplify_circuit(circuit, chosen, ctx)?;
    ctx.emit(remark("simplified", &small));
    let card = CIRCUIT_ENGINES.iter().chain(CIRCUIT_VARIANTS).find(|card| card.name == name);
    let card = card.ok_or_else(|| Stop::Unsupported(format!("no engine {name}")))?;
    let finding = (card.build)().run(&small, ctx)?;
    back.finding(finding, ctx)
}

fn remark(what: &str, circuit: &Circuit) -> Event {
    let (latches, gates) = (circuit.latches.len(), circuit.ands.len());
    Event::Remark(format!("{what}: {} inputs, {latches} latches, {gates} gates", circuit.inputs))
}
