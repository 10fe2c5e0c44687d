//! A transition system unrolled into a sequence of states.
//!
//! Most of what a step says about a wide state is that variables keep their values or get constants.
//! So the states of an unrolling are *terms*: where a step equates a variable of the next state with a
//! variable or a constant, that is taken for it, and the equation goes. Constants of initial states
//! run through the steps this way before any search begins.
//!
//! Invariant: a model of what is asserted gives each state's terms values that are a path.

use super::System;
use crate::settings::UNROLL_MAX_PASSES;
use alphorn_smt::{Options, Smt};
use alphorn_term::{Model, Op, Store, Substitution, TermId, Value, eval};
use rustc_hash::FxHashSet;

/// A path of states, as terms, in a solver.
pub(crate) struct Unrolling<'a> {
    system: &'a System,
    /// The terms, which extend the system's.
    pub(crate) store: Store,
    /// The solver, which knows that the states are a path.
    pub(crate) smt: Smt,
    /// For each moment, a term for each state variable.
    pub(crate) states: Vec<Vec<TermId>>,
}

impl<'a> Unrolling<'a> {
    /// One initial state.
    pub(crate) fn from_init(system: &'a System) -> Unrolling<'a> {
        let mut unrolling = Unrolling::from_anywhere(system);
        let state = unrolling.states[0].clone();
        let init = system.init_at(&mut unrolling.store, &state);
        let free: FxHashSet<TermId> = state.iter().copied().collect();
        let (rest, map) = solved(&mut unrolling.store, init, &free);
        unrolling.states[0] = replaced(&state, &map);
        unrolling.smt.assert(&mut unrolling.store, rest);
        unrolling
    }

    /// One state, of which nothing is known.
    pub(crate) fn from_anywhere(system: &'a System) -> Unrolling<'a> {
        let mut store = system.store.clone();
        let state = system.copy_of_state(&mut store, "s");
        Unrolling { system, store, smt: Smt::new(Options::default()), states: vec![state] }
    }

    /// The last state.
    pub(crate) fn last(&self) -> &[TermId] {
        self.states.last().expect("an unrolling has a state")
    }

    /// Makes the path longer by one state, and tells the solver.
    pub(crate) fn add_step(&mut self) {
        let from = self.last().to_vec();
        let to = self.system.copy_of_state(&mut self.store, "s");
        let trans = self.system.trans_at(&mut self.store, &from, &to);
        let free: FxHashSet<TermId> = to.iter().copied().collect();
        let (rest, map) = solved(&mut self.store, trans, &free);
        self.states.push(replaced(&to, &map));
        self.smt.assert(&mut self.store, rest);
    }

    /// A formula over the state, of one of the states.
    pub(crate) fn at(&mut self, formula: TermId, place: usize) -> TermId {
        self.system.at(&mut self.store, formula, &self.states[place])
    }

    /// Whether the last state is bad.
    pub(crate) fn bad_at_end(&mut self) -> TermId {
        let last = self.last().to_vec();
        self.system.bad_at(&mut self.store, &last)
    }

    /// The states of the last model.
    pub(crate) fn path(&self) -> Vec<Vec<Value>> {
        let model = self.smt.model(&self.store);
        self.states.iter().map(|state| values(&self.store, state, &model)).collect()
    }
}

/// The values of terms in a model; what it leaves open has the default value of its sort.
pub(crate) fn values(store: &Store, terms: &[TermId], model: &Model) -> Vec<Value> {
    let value = |&term: &TermId| {
        let known = match store.op(term) {
            Op::Var(_) => model.vars.get(&term).cloned(),
            _ => eval(store, term, model).ok(),
        };
        known.or_else(|| Value::default_of(store, store.sort(term))).unwrap_or(Value::Bool(false))
    };
    terms.iter().map(value).collect()
}

/// What says that terms have these values.
pub(crate) fn equations(store: &mut Store, terms: &[TermId], values: &[Value]) -> Vec<TermId> {
    let mut result = Vec::with_capacity(terms.len());
    for (&term, value) in terms.iter().zip(values) {
        if let Some(value) = store.value_term(value) {
            result.push(store.eq(term, value));
        }
    }
    result
}

fn replaced(terms: &[TermId], map: &Substitution) -> Vec<TermId> {
    terms.iter().map(|term| map.get(term).copied().unwrap_or(*term)).collect()
}

/// The conjuncts of a formula.
pub(crate) fn conjuncts(store: &Store, formula: TermId) -> Vec<TermId> {
    alphorn_term::parts::conjuncts(store, &[formula])
}

/// A formula without its conjuncts that equate one of the `free` variables with a variable or a
/// constant, and what these variables are.
pub(crate) fn solved(
    store: &mut Store,
    formula: TermId,
    free: &FxHashSet<TermId>,
) -> (TermId, Substitution) {
    let mut parts = conjuncts(store, formula);
    let mut map = Substitution::default();
    for _ in 0..UNROLL_MAX_PASSES.size() {
        let mut found = Substitution::default();
        let mut met: FxHashSet<TermId> = FxHashSet::default();
        for &part in &parts {
            let Some((var, term)) = definition(store, part, free) else { continue };
            if !met.contains(&var) && !met.contains(&term) {
                met.insert(var);
                if !store.is_ground(term) {
                    met.insert(term);
                }
                found.insert(var, term);
            }
        }
        if found.is_empty() {
            break;
        }
        let formula = store.and(&parts);
        let formula = store.substitute(formula, &found);
        parts = conjuncts(store, formula);
        for term in map.values_mut() {
            *term = found.get(term).copied().unwrap_or(*term);
        }
        map.extend(found);
    }
    (store.and(&parts), map)
}

/// The variable that a literal defines as another variable or a constant.
fn definition(
    store: &Store,
    literal: TermId,
    free: &FxHashSet<TermId>,
) -> Option<(TermId, TermId)> {
    if free.contains(&literal) {
        return Some((literal, TermId::TRUE));
    }
    let is_simple = |term: TermId| matches!(store.op(term), Op::Var(_)) || store.is_literal(term);
    match (store.op(literal), store.args(literal)) {
        (Op::Not, &[var]) if free.contains(&var) => Some((var, TermId::FALSE)),
        (Op::Eq, &[left, right]) if store.sort(left) == store.sort(right) => {
            let found = [(left, right), (right, left)].into_iter();
            let mut found = found.filter(|(var, term)| free.contains(var) && is_simple(*term));
            found.next().filter(|(var, term)| var != term)
        }
        _ => None,
    }
}
