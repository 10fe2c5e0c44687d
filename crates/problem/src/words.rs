//! Transition systems over words, arrays and anything else terms can say: what BTOR2 describes.
//!
//! A state variable has an initial value and a next value, both terms over states and inputs; a
//! missing initial value means any, a missing next value means any in every step. Inputs are new
//! in every step. A run counts as long as all constraints hold in every step, the last included.
//!
//! A *home* property speaks about what is possible, and not about all runs: from wherever a run is, it can go on to a
//! state with the formula (AG EF in computation tree logic; a home space, as one says of nets).
//!
//! After Niemetz, Preiner, Wolf, Biere, "Btor2, BtorMC and Boolector 3.0" (CAV 2018).

use crate::Span;
use crate::response::Response;
use alphorn_term::{Store, TermId};
use std::collections::BTreeMap;

/// A state variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The term that stands for its value.
    pub var: TermId,
    /// Its value in the first step, over states that come before it and without inputs; any if
    /// absent.
    pub init: Option<TermId>,
    /// Its value in the next step, over states and inputs; any if absent.
    pub next: Option<TermId>,
    /// Where it was declared.
    pub span: Span,
}

/// A named formula over states and inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The formula (a term of any sort for outputs).
    pub term: TermId,
    /// The name given in the file.
    pub name: Option<String>,
    /// Where it stands in the file.
    pub span: Span,
}

/// A justice property: each formula holds infinitely often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Justice {
    /// What must hold again and again.
    pub terms: Vec<TermId>,
    /// The name given in the file.
    pub name: Option<String>,
    /// Where it stands in the file.
    pub span: Span,
}

/// A word-level transition system with its properties.
#[derive(Clone, Debug, Default)]
pub struct Words {
    /// The terms of the system.
    pub terms: Store,
    /// The inputs: variables.
    pub inputs: Vec<TermId>,
    /// The state variables, with how they begin and go on.
    pub states: Vec<State>,
    /// Bad states: safety properties, violated where the formula is true.
    pub bads: Vec<Named>,
    /// Invariant constraints.
    pub constraints: Vec<Named>,
    /// Justice properties.
    pub justice: Vec<Justice>,
    /// Fairness constraints: each is true infinitely often.
    pub fairness: Vec<Named>,
    /// Home properties: from every state that can be reached, one can be reached in which the formula is true.
    pub homes: Vec<Named>,
    /// The question about a response that the justice property stands for, if there is one.
    pub response: Option<Response>,
    /// Outputs, of any sort.
    pub outputs: Vec<Named>,
}

impl Words {
    /// The state variables, in order.
    pub fn state_vars(&self) -> Vec<TermId> {
        self.states.iter().map(|state| state.var).collect()
    }

    /// The states in which a repetition makes a loop of justice property `index`, ascending: those
    /// that its conditions, fairness and constraints depend on, through next values.
    pub fn loop_states(&self, index: usize) -> Vec<usize> {
        let named = self.fairness.iter().chain(&self.constraints).map(|named| named.term);
        let justice = self.justice.get(index).into_iter().flat_map(|justice| &justice.terms);
        let mut stack: Vec<TermId> = named.chain(justice.copied()).collect();
        let places = self.states.iter().enumerate().map(|(place, state)| (state.var, place));
        let places: BTreeMap<TermId, usize> = places.collect();
        let mut seen = vec![false; self.terms.len()];
        let mut found = Vec::new();
        while let Some(term) = stack.pop() {
            if std::mem::replace(&mut seen[term.index()], true) {
                continue;
            }
            stack.extend(self.terms.args(term));
            if let Some(&place) = places.get(&term) {
                found.push(place);
                stack.extend(self.states[place].next);
            }
        }
        found.sort_unstable();
        found
    }

    /// The conjunction of all constraints.
    pub fn constraint(&mut self) -> TermId {
        let terms: Vec<TermId> = self.constraints.iter().map(|c| c.term).collect();
        self.terms.and(&terms)
    }
}
