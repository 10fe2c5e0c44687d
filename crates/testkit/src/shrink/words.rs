//! Word-level systems made smaller: fewer constraints, inputs and states, then simpler terms.
//!
//! A state or an input goes by having a constant in its place. The last property of a kind stays, so that
//! what is asked about does.

use super::{Shrink, shorter, terms};
use alphorn_problem::Words;
use alphorn_term::{Store, TermId, Value};

/// Every term of a system, in a fixed order.
fn slots(words: &mut Words) -> Vec<&mut TermId> {
    let states = words.states.iter_mut().flat_map(|state| [&mut state.init, &mut state.next]);
    let named = words.bads.iter_mut().chain(&mut words.constraints).chain(&mut words.fairness);
    let named = named.chain(&mut words.outputs).map(|named| &mut named.term);
    let justice = words.justice.iter_mut().flat_map(|justice| &mut justice.terms);
    states.flatten().chain(named).chain(justice).collect()
}

/// The system with a constant for a variable, which is then neither a state nor an input.
fn without(words: &Words, var: TermId) -> Option<Words> {
    let mut small = words.clone();
    let value = Value::default_of(&small.terms, small.terms.sort(var))?;
    let value = small.terms.value_term(&value)?;
    small.states.retain(|state| state.var != var);
    small.inputs.retain(|input| *input != var);
    let mut store: Store = std::mem::take(&mut small.terms);
    for slot in slots(&mut small) {
        *slot = terms::replaced(&mut store, *slot, var, value);
    }
    small.terms = store;
    Some(small)
}

impl Shrink for Words {
    fn smaller(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        let free = shorter(&self.constraints)
            .map(|constraints| Words { constraints, ..self.clone() })
            .chain(shorter(&self.fairness).map(|fairness| Words { fairness, ..self.clone() }))
            .chain(shorter(&self.outputs).map(|outputs| Words { outputs, ..self.clone() }));
        let asked = shorter(&self.bads)
            .filter(|bads| !bads.is_empty())
            .map(|bads| Words { bads, ..self.clone() });
        let vars = self.state_vars().into_iter().chain(self.inputs.clone());
        let vars = vars.filter_map(|var| without(self, var));
        let count = slots(&mut self.clone()).len();
        let simpler = (0..count).flat_map(move |at| {
            let term = *slots(&mut self.clone())[at];
            terms::smaller(&self.terms, term).into_iter().map(move |(store, term)| {
                let mut words = Words { terms: store, ..self.clone() };
                *slots(&mut words)[at] = term;
                words
            })
        });
        Box::new(free.chain(asked).chain(vars).chain(simpler))
    }

    fn show(&self) -> String {
        alphorn_front::btor2::print(self).unwrap_or_else(|reason| format!("{reason:?}\n{self:?}"))
    }
}
