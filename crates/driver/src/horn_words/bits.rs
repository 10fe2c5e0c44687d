//! Linear Horn systems over words by engines for circuits.
//!
//! Clauses are split where disjunctions say what variables are (`cases`), the system becomes a
//! transition system (`horn_to_words`), that a circuit, and the circuit is simplified. A run of the
//! circuit comes back as a derivation. An invariant over latches comes back as definitions of the
//! predicates, without proofs: those about the circuit say nothing about clauses, and every clause is
//! proved where the way back ends.

use alphorn_chc::{Simplified, TRANSFORMS, horn_to_words, simplify_with};
use alphorn_engine::{Ctx, Engine, Event, Stop};
use alphorn_hw::engines::CIRCUIT_ENGINES;
use alphorn_hw::property_to_circuit;
use alphorn_hw::transform::{CIRCUIT_TRANSFORMS, simplify_circuit};
use alphorn_problem::{Circuit, Horn, Lost, Verdict};
use std::sync::Arc;

/// The engine for circuits with this name, on linear Horn systems over words.
pub(super) fn engine(name: &'static str) -> Box<dyn Engine<Horn>> {
    Box::new(Bits { name })
}

struct Bits {
    name: &'static str,
}

impl Engine<Horn> for Bits {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Verdict<Horn>, Stop> {
        let chosen = TRANSFORMS.iter().filter(|card| card.is_default || card.name == "cases");
        let chosen: Vec<_> = chosen.collect();
        let Simplified { horn: small, back, .. } = simplify_with(horn, &chosen, ctx)?;
        let (words, to_horn) = horn_to_words(&small).map_err(Stop::Unsupported)?;
        let (circuit, to_words) =
            property_to_circuit(&Arc::new(words), 0).map_err(Stop::Unsupported)?;
        ctx.emit(remark("bits", &circuit));
        let verdict = ctx.apart(|ctx| self.on_circuit(&circuit, ctx))?;
        let lost = |Lost(text)| Stop::Stuck(text);
        let verdict = to_words.verdict(verdict).map_err(lost)?;
        let verdict = to_horn.verdict(verdict).map_err(lost)?;
        back.verdict(verdict).map_err(lost)
    }
}

impl Bits {
    fn on_circuit(&self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Verdict<Circuit>, Stop> {
        let chosen: Vec<_> = CIRCUIT_TRANSFORMS.iter().filter(|card| card.is_default).collect();
        let (small, back) = simplify_circuit(circuit, &chosen, ctx)?;
        ctx.emit(remark("simplified", &small));
        let card = CIRCUIT_ENGINES.iter().find(|card| card.name == self.name);
        let card = card.ok_or_else(|| Stop::Unsupported(format!("no engine {}", self.name)))?;
        let verdict = (card.build)().run(&small, ctx)?;
        back.verdict(verdict).map_err(|Lost(text)| Stop::Stuck(text))
    }
}

fn remark(what: &str, circuit: &Circuit) -> Event {
    let (latches, gates) = (circuit.latches.len(), circuit.ands.len());
    Event::Remark(format!("{what}: {} inputs, {latches} latches, {gates} gates", circuit.inputs))
}
