//! A transition system as formulas.
//!
//! The state is a vector of variables, each with a partner for its next value. Besides these, the
//! formulas may have *inputs*, variables of their own that are to be chosen: a state is initial if
//! some inputs make `init` true, a pair of states is a step if some inputs make `trans` true, and a
//! state is bad if some inputs make `bad` true.
//!
//! Invariant: the free variables of `init` are among the state and `init_inputs`, those of `trans`
//! among the state, the next state and `inputs`, those of `bad` among the state and `bad_inputs`; all
//! these variables are different.

use super::exchange::Home;
use alphorn_engine::Stop;
use alphorn_term::{Model, Store, Substitution, TermId, Value};

/// A transition system.
#[derive(Clone, Debug)]
pub(crate) struct System {
    /// The terms.
    pub(crate) store: Store,
    /// The state variables.
    pub(crate) state: Vec<TermId>,
    /// Their next values, in the same order.
    pub(crate) next: Vec<TermId>,
    /// The initial states.
    pub(crate) init: TermId,
    /// Variables of `init` besides the state: there are values for them.
    pub(crate) init_inputs: Vec<TermId>,
    /// The steps.
    pub(crate) trans: TermId,
    /// The inputs of `trans`.
    pub(crate) inputs: Vec<TermId>,
    /// The bad states.
    pub(crate) bad: TermId,
    /// Variables of `bad` besides the state: there are values for them.
    pub(crate) bad_inputs: Vec<TermId>,
    /// Where the predicates are.
    pub(crate) homes: Vec<Home>,
}

impl System {
    /// Variables for the state at one more moment, in a store that extends the system's.
    pub(crate) fn copy_of_state(&self, store: &mut Store, hint: &str) -> Vec<TermId> {
        self.copies(store, &self.state, hint)
    }

    /// Fresh variables of the sorts of `vars`.
    pub(crate) fn copies(&self, store: &mut Store, vars: &[TermId], hint: &str) -> Vec<TermId> {
        vars.iter().map(|&var| store.fresh_var(hint, self.store.sort(var))).collect()
    }

    /// `init` of the state `at`, with inputs of its own.
    pub(crate) fn init_at(&self, store: &mut Store, at: &[TermId]) -> TermId {
        self.moved(store, self.init, &self.init_inputs, &[(&self.state, at)])
    }

    /// `trans` from the state `from` to the state `to`, with inputs of its own.
    pub(crate) fn trans_at(&self, store: &mut Store, from: &[TermId], to: &[TermId]) -> TermId {
        let places: [(&[TermId], &[TermId]); 2] = [(&self.state, from), (&self.next, to)];
        self.moved(store, self.trans, &self.inputs, &places)
    }

    /// `bad` of the state `at`, with inputs of its own.
    pub(crate) fn bad_at(&self, store: &mut Store, at: &[TermId]) -> TermId {
        self.moved(store, self.bad, &self.bad_inputs, &[(&self.state, at)])
    }

    /// A formula over the state, of the state `at`.
    pub(crate) fn at(&self, store: &mut Store, formula: TermId, at: &[TermId]) -> TermId {
        store.rename(formula, &self.state, at)
    }

    /// The values of the state `at` in a model; variables that the model leaves open have some value.
    pub(crate) fn values(
        &self,
        store: &Store,
        at: &[TermId],
        model: &Model,
    ) -> Result<Vec<Value>, Stop> {
        let value = |var: &TermId| {
            let known = model.vars.get(var).cloned();
            known.or_else(|| Value::default_of(store, store.sort(*var)))
        };
        let values: Option<Vec<Value>> = at.iter().map(value).collect();
        values.ok_or_else(|| Stop::Unsupported("a sort without values".to_owned()))
    }

    fn moved(
        &self,
        store: &mut Store,
        formula: TermId,
        inputs: &[TermId],
        places: &[(&[TermId], &[TermId])],
    ) -> TermId {
        let mut map = Substitution::default();
        for (from, to) in places {
            map.extend(from.iter().copied().zip(to.iter().copied()));
        }
        let own = self.copies(store, inputs, "i");
        map.extend(inputs.iter().copied().zip(own));
        store.substitute(formula, &map)
    }
}
