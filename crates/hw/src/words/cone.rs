//! Cone of influence: drop the states and inputs the properties cannot see.
//!
//! The terms stay where they are, so every id means the same in the small system; only positions
//! of states and inputs change. The way back gives traces a value for what was dropped, wherever
//! it does not follow, and translates the positions of states in invariants. The proofs of a formula
//! refer to assertions by number; those numbers change when states go, and are translated, too.

use alphorn_problem::evidence::proof::Rule;
use alphorn_problem::evidence::words::{Address, WordCertificate, WordInvariant, WordTrace};
use alphorn_problem::obligation::words::Obligations;
use alphorn_problem::{Back, Lost, Words};
use alphorn_term::{TermId, Value};
use rustc_hash::FxHashSet;

/// The system without what its properties and constraints do not depend on.
pub fn cone(system: &Words) -> (Words, Back<Words, Words>) {
    let kept = Kept::new(system);
    let small = kept.restrict(system);
    let (proof_map, trace_map) = (kept.clone(), kept);
    let (proof_large, trace_large) = (system.clone(), system.clone());
    let proof_small = small.clone();
    let back = Back::new(
        move |mut certificate: WordCertificate| {
            let widen = |places: &mut Vec<usize>| {
                places.iter_mut().for_each(|place| *place = proof_map.states[*place]);
            };
            match &mut certificate.invariant {
                WordInvariant::States { vars, .. } => widen(vars),
                // Terms and the order of positions stay, and with them the circuit.
                WordInvariant::Bits(bits) => {
                    widen(&mut bits.abstraction.states);
                    for address in &mut bits.abstraction.cells {
                        if let Address::State(place) = address {
                            *place = proof_map.states[*place];
                        }
                    }
                }
                WordInvariant::Formula { .. } => {
                    return widen_proofs(&proof_small, &proof_large, certificate);
                }
            }
            Ok(certificate)
        },
        move |trace| trace_map.widen_trace(&trace_large, &trace),
    );
    (small, back)
}

/// The proofs of the small system's obligations as proofs of the large system's, whose assertions
/// are the same and some more.
fn widen_proofs(
    small: &Words,
    large: &Words,
    mut certificate: WordCertificate,
) -> Result<WordCertificate, Lost> {
    let property = certificate.property;
    let WordInvariant::Formula { terms, formula, proofs } = &mut certificate.invariant else {
        return Ok(certificate);
    };
    let before = Obligations::new(small, property, terms, *formula).map_err(Lost)?;
    // The proofs know the terms of their obligations by their ids, so both systems must agree on
    // them; they do once the certificate's own store has them all.
    let after = Obligations::new(large, property, &before.terms, *formula).map_err(Lost)?;
    for ((proof, before), after) in proofs.iter_mut().zip(&before.list).zip(&after.list) {
        for step in &mut proof.steps {
            if let Rule::Assert(number) = &mut step.rule {
                let assertion = before.assertions.get(*number);
                let place = after.assertions.iter().position(|term| Some(term) == assertion);
                *number = place.ok_or_else(|| Lost("an assertion was dropped".into()))?;
            }
        }
    }
    **terms = after.terms;
    Ok(certificate)
}

/// What stays, by position in the large system.
#[derive(Clone)]
struct Kept {
    inputs: Vec<usize>,
    states: Vec<usize>,
}

impl Kept {
    fn new(system: &Words) -> Kept {
        let mut roots: Vec<TermId> =
            (system.bads.iter().chain(&system.constraints)).map(|named| named.term).collect();
        roots.extend(system.justice.iter().flat_map(|justice| &justice.terms));
        if !system.justice.is_empty() {
            roots.extend(system.fairness.iter().map(|named| named.term));
        }
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        // A state is expanded once, so each round's terms are new and the whole walk is short.
        while !roots.is_empty() {
            let found: Vec<TermId> = system
                .terms
                .free_vars(&roots)
                .into_iter()
                .filter(|&var| seen.insert(var))
                .collect();
            let found: FxHashSet<TermId> = found.into_iter().collect();
            let states = system.states.iter().filter(|state| found.contains(&state.var));
            roots = states.flat_map(|state| [state.init, state.next]).flatten().collect();
        }
        let among = |vars: Vec<TermId>| -> Vec<usize> {
            (0..vars.len()).filter(|&index| seen.contains(&vars[index])).collect()
        };
        Kept { inputs: among(system.inputs.clone()), states: among(system.state_vars()) }
    }

    fn restrict(&self, system: &Words) -> Words {
        Words {
            terms: system.terms.clone(),
            inputs: self.inputs.iter().map(|&index| system.inputs[index]).collect(),
            states: self.states.iter().map(|&index| system.states[index].clone()).collect(),
            bads: system.bads.clone(),
            constraints: system.constraints.clone(),
            justice: system.justice.clone(),
            fairness: if system.justice.is_empty() { Vec::new() } else { system.fairness.clone() },
            outputs: Vec::new(),
        }
    }

    fn widen_trace(&self, large: &Words, trace: &WordTrace) -> Result<WordTrace, Lost> {
        let default = |var: TermId| {
            let value = Value::default_of(&large.terms, large.terms.sort(var));
            value.ok_or_else(|| Lost("a dropped variable has no value to be given".into()))
        };
        let mut states = Vec::with_capacity(trace.states.len());
        for (step, small) in trace.states.iter().enumerate() {
            let mut row = Vec::with_capacity(large.states.len());
            for state in &large.states {
                let follows = if step == 0 { state.init } else { state.next }.is_some();
                row.push(if follows { None } else { Some(default(state.var)?) });
            }
            for (&index, value) in self.states.iter().zip(small) {
                row[index] = value.clone();
            }
            states.push(row);
        }
        let defaults: Vec<Value> =
            large.inputs.iter().map(|&var| default(var)).collect::<Result<_, _>>()?;
        let mut inputs = Vec::with_capacity(trace.inputs.len());
        for small in &trace.inputs {
            let mut row = defaults.clone();
            for (&index, value) in self.inputs.iter().zip(small) {
                row[index] = value.clone();
            }
            inputs.push(row);
        }
        Ok(WordTrace { property: trace.property, states, inputs })
    }
}
