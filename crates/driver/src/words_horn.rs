//! Word-level systems by engines for Horn clauses, which keep words and arrays as they are.
//!
//! A system with large memories has no circuit, and following single cells (`words-memory`) does not
//! always do. As clauses it goes to engines that ask the solver about terms. A derivation comes back
//! as a run. A model defines the one predicate by a formula over the states, and the three
//! obligations of that formula are refuted on the system as it was given, so nothing is taken over from
//! the proofs about clauses.
//!
//! Here because no other crate may see both kinds of engines.

use alphorn_chc::engines::HORN_ENGINES;
use alphorn_chc::evidence::MOST_ROUNDS;
use alphorn_chc::{Simplified, ask, simplify};
use alphorn_engine::{Card, Ctx, Engine, Stop};
use alphorn_hw::words_to_horn;
use alphorn_problem::evidence::horn::HornModel;
use alphorn_problem::evidence::words::{WordCertificate, WordInvariant};
use alphorn_problem::obligation::words::Obligations;
use alphorn_problem::{Horn, Lost, Verdict, Words};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::Substitution;

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
    fn run(&mut self, system: &Words, ctx: &mut Ctx<'_>) -> Result<Verdict<Words>, Stop> {
        let lost = |Lost(text)| Stop::Stuck(text);
        let (horn, to_words) = words_to_horn(system).map_err(Stop::Unsupported)?;
        let mut engine =
            self.engine().ok_or_else(|| Stop::Unsupported(format!("no engine {}", self.name)))?;
        if ctx.bound().is_some() {
            // A path of the clauses as they are has as many steps as the run.
            let verdict = ctx.in_step(|ctx| engine.run(&horn, ctx))?;
            return match verdict {
                Verdict::Unsafe(derivation) => {
                    Ok(Verdict::Unsafe(to_words.trace(derivation).map_err(lost)?))
                }
                Verdict::Safe(model) => Ok(Verdict::Safe(certify(system, &model, ctx)?)),
            };
        }
        let Simplified { horn: small, back, .. } = simplify(&horn, &[], ctx)?;
        let verdict = ctx.apart(|ctx| engine.run(&small, ctx))?;
        match back.verdict(verdict).map_err(lost)? {
            Verdict::Unsafe(derivation) => {
                Ok(Verdict::Unsafe(to_words.trace(derivation).map_err(lost)?))
            }
            Verdict::Safe(model) => Ok(Verdict::Safe(certify(system, &model, ctx)?)),
        }
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

/// The formula that defines the one predicate, as an invariant of the system.
fn certify(system: &Words, model: &HornModel, ctx: &mut Ctx<'_>) -> Result<WordCertificate, Stop> {
    let [definition] = &model.preds[..] else {
        return Err(Stop::Stuck("the model does not define the predicate".to_owned()));
    };
    let mut terms = model.terms.clone();
    let states = system.state_vars();
    let map: Substitution = definition.params.iter().copied().zip(states.iter().copied()).collect();
    let formula = terms.substitute(definition.body, &map);
    let Obligations { terms: mut store, list } =
        Obligations::new(system, 0, &terms, formula).map_err(Stop::Stuck)?;
    let mut proofs = Vec::with_capacity(list.len());
    for obligation in &list {
        let instance_rounds = if store.has_quantifier(formula) { MOST_ROUNDS } else { 0 };
        let mut smt = Smt::new(Options { proofs: true, instance_rounds, ..Options::default() });
        for &assertion in &obligation.assertions {
            smt.assert(&mut store, assertion);
        }
        let name = obligation.name;
        if ask(&mut smt, &mut store, &[], ctx)? != Answer::Unsat {
            return Err(Stop::Stuck(format!("the invariant's {name} was not proved")));
        }
        let refutation = smt.refutation(&mut store);
        let refutation =
            refutation.ok_or_else(|| Stop::Stuck(format!("{name} has no written proof")))?;
        proofs.push(refutation.proof);
    }
    let invariant = WordInvariant::Formula { terms: Box::new(store), formula, proofs };
    Ok(WordCertificate { property: 0, invariant })
}
