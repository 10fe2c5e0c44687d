//! Word-level systems by engines for Horn clauses, which keep words and arrays as they are.
//!
//! A system with large memories has no circuit, and following single cells (`words-memory`) does not
//! always do. As clauses it goes to engines that ask the solver about terms. A derivation comes back
//! as a run. A model defines the one predicate by a formula over the states, which is proved on the
//! system as it was given.
//!
//! Here because no other crate may see both kinds of engines.

use alphorn_chc::engines::HORN_ENGINES;
use alphorn_chc::{Simplified, simplify};
use alphorn_engine::{Card, Ctx, Engine, Stop};
use alphorn_hw::words_to_horn;
use alphorn_problem::{Finding, Horn, Words};

/// The engines for word-level systems that work on clauses.
pub(crate) static WORDS_HORN_ENGINES: &[Card<Words>] = &[
    Card {
        name: "words-pdr",
        about: "pdr on terms over words and arrays",
        proves: true,
        refutes: true,
        build: || Box::new(OnClauses { name: "pdr" }),
    },
    Card {
        name: "words-cells",
        about: "invariants of every cell of arrays, on terms",
        proves: true,
        refutes: true,
        build: || Box::new(OnClauses { name: "cells" }),
    },
    Card {
        name: "words-bmc",
        about: "bounded search on terms over words and arrays",
        proves: false,
        refutes: true,
        build: || Box::new(OnClauses { name: "bmc" }),
    },
];

/// An engine for Horn clauses, by its name.
struct OnClauses {
    name: &'static str,
}

impl Engine<Words> for OnClauses {
    fn run(&mut self, system: &Words, ctx: &mut Ctx<'_>) -> Result<Finding<Words>, Stop> {
        let (horn, to_words) = words_to_horn(system).map_err(Stop::Unsupported)?;
        let mut engine =
            self.engine().ok_or_else(|| Stop::Unsupported(format!("no engine {}", self.name)))?;
        if ctx.bound().is_some() {
            // A path of the clauses as they are has as many steps as the run.
            let finding = ctx.in_step(|ctx| engine.run(&horn, ctx))?;
            return to_words.finding(finding, ctx);
        }
        let Simplified { horn: small, back, .. } = simplify(&horn, &[], ctx)?;
        let finding = ctx.apart(|ctx| engine.run(&small, ctx))?;
        to_words.after(back).finding(finding, ctx)
    }

    fn searches_by_depth(&self) -> bool {
        self.engine().is_some_and(|engine| engine.searches_by_depth())
    }
}

impl OnClauses {
    fn engine(&self) -> Option<Box<dyn Engine<Horn>>> {
        let card = HORN_ENGINES.iter().find(|card| card.name == self.name)?;
        Some((card.build)())
    }
}
