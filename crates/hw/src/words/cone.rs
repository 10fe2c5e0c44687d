//! Cone of influence: drop the states and inputs the properties cannot see.
//!
//! The terms stay where they are, so every id means the same in the small system; only positions
//! of states and inputs change. The way back gives traces a value for what was dropped, wherever
//! it does not follow, and translates the positions of states in invariants.

use alphorn_engine::{Back, Lost};
use alphorn_problem::Words;
use alphorn_problem::evidence::words::{
    Address, ClaimedInvariant, Homing, Rows, WordClaim, WordTrace,
};
use alphorn_term::{TermId, Value};
use rustc_hash::FxHashSet;

/// The system without what its properties and constraints do not depend on.
pub fn cone(system: &Words) -> (Words, Back<Words, Words>) {
    let kept = Kept::new(system);
    let small = kept.restrict(system);
    let (claim_map, trace_map) = (kept.clone(), kept);
    let (claim_large, trace_large) = (system.clone(), system.clone());
    let back = Back::new(
        move |mut claim: WordClaim| {
            let widen = |places: &mut Vec<usize>| {
                places.iter_mut().for_each(|place| *place = claim_map.states[*place]);
            };
            match &mut claim.invariant {
                ClaimedInvariant::States(Rows { vars, .. }) => widen(vars),
                ClaimedInvariant::Home(Homing { rows, inputs }) => {
                    widen(&mut rows.vars);
                    for way in inputs.iter_mut().flatten() {
                        *way = claim_map.widen_inputs(&claim_large, way)?;
                    }
                }
                // Terms and the order of positions stay, and with them the circuit.
                ClaimedInvariant::Bits { abstraction, .. } => {
                    widen(&mut abstraction.states);
                    for address in &mut abstraction.cells {
                        if let Address::State(place) = address {
                            *place = claim_map.states[*place];
                        }
                    }
                }
                ClaimedInvariant::Formula { .. } => {}
            }
            Ok(claim)
        },
        move |trace| trace_map.widen_trace(&trace_large, &trace),
    );
    (small, back)
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
            (system.bads.iter().chain(&system.homes).chain(&system.constraints))
                .map(|named| named.term)
                .collect();
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
            homes: system.homes.clone(),
            response: None,
            fairness: if system.justice.is_empty() { Vec::new() } else { system.fairness.clone() },
            outputs: Vec::new(),
        }
    }

    fn widen_trace(&self, large: &Words, trace: &WordTrace) -> Result<WordTrace, Lost> {
        let mut states = Vec::with_capacity(trace.states.len());
        for (step, small) in trace.states.iter().enumerate() {
            let mut row = Vec::with_capacity(large.states.len());
            for state in &large.states {
                let follows = if step == 0 { state.init } else { state.next }.is_some();
                row.push(if follows { None } else { Some(default(large, state.var)?) });
            }
            for (&index, value) in self.states.iter().zip(small) {
                row[index] = value.clone();
            }
            states.push(row);
        }
        let inputs = trace.inputs.iter().map(|small| self.widen_inputs(large, small));
        let inputs = inputs.collect::<Result<_, _>>()?;
        let trap = trace.trap.as_ref().map(|trap| {
            let vars = trap.vars.iter().map(|place| self.states[*place]).collect();
            Rows { vars, states: trap.states.clone() }
        });
        Ok(WordTrace { property: trace.property, states, inputs, trap })
    }

    /// The inputs of a step with a value for those that were dropped.
    fn widen_inputs(&self, large: &Words, small: &[Value]) -> Result<Vec<Value>, Lost> {
        let mut row = Vec::with_capacity(large.inputs.len());
        for &var in &large.inputs {
            row.push(default(large, var)?);
        }
        for (&index, value) in self.inputs.iter().zip(small) {
            row[index] = value.clone();
        }
        Ok(row)
    }
}

fn default(large: &Words, var: TermId) -> Result<Value, Lost> {
    let value = Value::default_of(&large.terms, large.terms.sort(var));
    value.ok_or_else(|| Lost("a dropped variable has no value to be given".into()))
}
