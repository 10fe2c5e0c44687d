//! Word-level systems made smaller: fewer constraints, inputs and states, then simpler terms.
//!
//! A state or an input goes by having a constant in its place, and a state also by being an input. The last property
//! stays, so that what is asked about does.

use crate::chunks::{chunks, without};
use crate::search::Reduce;
use crate::terms::{self, Change};
use alphorn_problem::Words;
use alphorn_term::{Store, TermId, Value};
use std::ops::Range;

/// What makes a word-level system smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Constraints go.
    Constraints(Range<usize>),
    /// Fairness constraints go.
    Fairness(Range<usize>),
    /// Outputs go.
    Outputs(Range<usize>),
    /// Bad states go.
    Bads(Range<usize>),
    /// Justice properties go.
    Justice(Range<usize>),
    /// Home properties go.
    Homes(Range<usize>),
    /// Variables are constants.
    Constants(Range<usize>),
    /// A state is an input.
    Free(usize),
    /// A term, by its place among all, has a smaller part.
    Term(usize, Change),
}

/// Every term of a system, in a fixed order.
fn slots(words: &mut Words) -> Vec<&mut TermId> {
    let states = words.states.iter_mut().flat_map(|state| [&mut state.init, &mut state.next]);
    let named = words.bads.iter_mut().chain(&mut words.constraints).chain(&mut words.fairness);
    let named =
        named.chain(&mut words.homes).chain(&mut words.outputs).map(|named| &mut named.term);
    let justice = words.justice.iter_mut().flat_map(|justice| &mut justice.terms);
    states.flatten().chain(named).chain(justice).collect()
}

/// States, then inputs.
fn variables(words: &Words) -> Vec<TermId> {
    words.state_vars().into_iter().chain(words.inputs.clone()).collect()
}

/// The system with constants for variables, which are then neither states nor inputs.
fn constants(words: &Words, vars: &[TermId]) -> Option<Words> {
    let mut small = words.clone();
    small.states.retain(|state| !vars.contains(&state.var));
    small.inputs.retain(|input| !vars.contains(input));
    let mut store: Store = std::mem::take(&mut small.terms);
    for &var in vars {
        let value = Value::default_of(&store, store.sort(var))?;
        let value = store.value_term(&value)?;
        for slot in slots(&mut small) {
            *slot = terms::replaced(&mut store, *slot, var, value);
        }
    }
    small.terms = store;
    Some(small)
}

impl Reduce for Words {
    type Step = Step;

    fn steps(&self) -> Vec<Step> {
        let mut all: Vec<Step> = chunks(self.constraints.len()).map(Step::Constraints).collect();
        all.extend(chunks(self.fairness.len()).map(Step::Fairness));
        all.extend(chunks(self.outputs.len()).map(Step::Outputs));
        all.extend(chunks(self.justice.len()).map(Step::Justice));
        all.extend(chunks(self.homes.len()).map(Step::Homes));
        all.extend(chunks(self.bads.len()).map(Step::Bads));
        all.extend(chunks(self.states.len() + self.inputs.len()).map(Step::Constants));
        all.extend((0..self.states.len()).map(Step::Free));
        for (at, slot) in slots(&mut self.clone()).into_iter().enumerate() {
            let changes = terms::changes(&self.terms, *slot);
            all.extend(changes.into_iter().map(|change| Step::Term(at, change)));
        }
        all
    }

    fn after(&self, step: &Step) -> Option<Words> {
        // What is changed need not be an asked question any more.
        let mut small = Words { response: None, ..self.clone() };
        match step {
            Step::Constraints(range) => small.constraints = without(&self.constraints, range),
            Step::Fairness(range) => small.fairness = without(&self.fairness, range),
            Step::Outputs(range) => small.outputs = without(&self.outputs, range),
            Step::Justice(range) => small.justice = without(&self.justice, range),
            Step::Homes(range) => small.homes = without(&self.homes, range),
            Step::Bads(range) => small.bads = without(&self.bads, range),
            Step::Constants(range) => small = constants(self, &variables(self)[range.clone()])?,
            Step::Free(at) => {
                let state = small.states.remove(*at);
                // What other states begin with may not depend on inputs.
                let begins = |init: TermId| self.terms.free_vars(&[init]).contains(&state.var);
                if small.states.iter().filter_map(|state| state.init).any(begins) {
                    return None;
                }
                small.inputs.push(state.var);
            }
            Step::Term(at, change) => {
                let mut store = std::mem::take(&mut small.terms);
                let mut slots = slots(&mut small);
                *slots[*at] = terms::changed(&mut store, *slots[*at], change)?;
                small.terms = store;
            }
        }
        let asks = |words: &Words| {
            !words.bads.is_empty() || !words.justice.is_empty() || !words.homes.is_empty()
        };
        (asks(&small) || !asks(self)).then_some(small)
    }
}
