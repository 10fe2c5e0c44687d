//! Linear Horn systems over words as circuits.
//!
//! Clauses are split where disjunctions say what variables are (`BY_CASES`), the system becomes a
//! transition system (`horn_to_words`), that a circuit, and the circuit is simplified. A run of the
//! circuit comes back as a derivation. An invariant over latches comes back as definitions of the
//! predicates.
//!
//! Clauses of latches say little of the order of words briefly, so ic3 may speak about comparisons of words as
//! well (`watch`): those of the system, or those of a model that words read as integers have as long as
//! nothing overflows.

use crate::horn_to_words::said_by_outputs;
use crate::integers::{BY_CASES, IDEAL};
use crate::{horn_to_words, horn_to_words_watching, watch};
use alphorn_chc::engines::PDR;
use alphorn_engine::{Back, Ctx, Engine, Event, Seen, Steps, Stop, View};
use alphorn_horn::evidence::{Cause, prove_clause};
use alphorn_hw::engines::IC3_OUTPUTS;
use alphorn_hw::property_to_circuit;
use alphorn_hw::transform::{
    CIRCUIT_TRANSFORMS, CircuitTransform, simplify_by_default, simplify_circuit,
};
use alphorn_problem::evidence::horn::HornClaim;
use alphorn_problem::{Circuit, Finding, Horn, Words};
use std::sync::Arc;

/// Linear systems over words as circuits.
pub(crate) static BITS: View<Horn, Circuit> =
    View { name: "words as bits", steps: Steps::Changed, make: make_bits };

/// The same with comparisons of words as outputs.
pub(crate) static WATCHED: View<Horn, Circuit> =
    View { name: "words as bits with comparisons", steps: Steps::Changed, make: make_watched };

fn make_bits(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Seen<Horn, Circuit>, Stop> {
    let cases = ctx.see(&BY_CASES, horn)?;
    let (words, to_horn) = horn_to_words(&cases.problem).map_err(Stop::Unsupported)?;
    let (circuit, to_words) =
        property_to_circuit(&Arc::new(words), 0).map_err(Stop::Unsupported)?;
    ctx.emit(remark("bits", &circuit));
    let (small, back) = simplify_by_default(&circuit, ctx)?;
    ctx.emit(remark("simplified", &small));
    Ok(cases.then(Seen::new(small, to_horn.after(to_words).after(back))))
}

fn make_watched(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Seen<Horn, Circuit>, Stop> {
    let cases = ctx.see(&BY_CASES, horn)?;
    let system = horn_to_words_watching(&cases.problem, None).map_err(Stop::Unsupported)?;
    let seen = watched(system, ctx)?;
    Ok(cases.then(seen))
}

/// A transition system as a circuit with comparisons of words as outputs, those that the system has and
/// others.
fn watched(
    (mut words, to_horn): (Words, Back<Horn, Words>),
    ctx: &mut Ctx<'_>,
) -> Result<Seen<Horn, Circuit>, Stop> {
    watch::choose(&mut words);
    let words = Arc::new(words);
    let (mut circuit, to_words) = property_to_circuit(&words, 0).map_err(Stop::Unsupported)?;
    watch::watch(&words, &mut circuit).map_err(Stop::Unsupported)?;
    ctx.emit(remark("bits", &circuit));
    // The cone of the property is without outputs.
    let is_chosen = |card: &&CircuitTransform| card.is_default && card.name != "cone";
    let chosen: Vec<_> = CIRCUIT_TRANSFORMS.iter().filter(is_chosen).collect();
    let (small, back) = simplify_circuit(&circuit, &chosen, ctx)?;
    ctx.emit(remark("simplified", &small));
    let said = Back::new(move |claim| said_by_outputs(&words, claim), Ok);
    Ok(Seen::new(small, to_horn.after(said).after(to_words).after(back)))
}

/// Ic3 that speaks about comparisons of a model of the ideal reading, if that is no model.
pub(crate) struct Guided;

impl Engine<Horn> for Guided {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        let cases = ctx.see(&BY_CASES, horn)?;
        let finding = ctx.behind(BY_CASES.name, BY_CASES.steps, |ctx| {
            Guided::run_by_cases(&cases.problem, ctx)
        })?;
        cases.back.finding(finding, ctx)
    }
}

impl Guided {
    fn run_by_cases(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        let ideal = ctx.see(&IDEAL, horn)?;
        let mut pdr = (PDR.build)();
        let finding = ctx.behind(IDEAL.name, IDEAL.steps, |ctx| pdr.run(&ideal.problem, ctx))?;
        let claim = match ideal.back.finding(finding, ctx)? {
            Finding::Holds(claim) if !holds(horn, &claim, ctx)? => claim,
            finding => return Ok(finding),
        };
        let system = horn_to_words_watching(horn, Some(&claim)).map_err(Stop::Unsupported)?;
        ctx.apart(|ctx| {
            let seen = watched(system, ctx)?;
            let finding = (IC3_OUTPUTS.build)().run(&seen.problem, ctx)?;
            seen.back.finding(finding, ctx)
        })
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

fn remark(what: &str, circuit: &Circuit) -> Event {
    let (latches, gates) = (circuit.latches.len(), circuit.ands.len());
    Event::Remark(format!("{what}: {} inputs, {latches} latches, {gates} gates", circuit.inputs))
}
