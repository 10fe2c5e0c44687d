//! Which variables of a state matter for a step into a cube.
//!
//! Steps are mostly equations that say what a next value is. Those that nothing needs hold for some
//! next value whatever the state is, so they say nothing about it: they are left out, starting from
//! the cube and from what are no such equations. Of the rest, an implicant in the model mentions the
//! variables that matter. A predicate over other variables alone need not be part of the
//! predecessor's cube.
//!
//! With predicates over variables of both kinds the cube may have states without such a step. That
//! costs a refinement, no more.

use crate::ts::System;
use alphorn_smt::project::implicant;
use alphorn_term::{Model, Op, Store, TermId, eval};
use rustc_hash::{FxHashMap, FxHashSet};

/// One way to make a step.
struct Way {
    formula: TermId,
    /// What is no definition.
    constraints: Vec<TermId>,
    /// The equation for a next value or an input, by the variable, without circles.
    definitions: FxHashMap<TermId, TermId>,
}

/// The ways to make a step.
pub(super) struct Lifting {
    ways: Vec<Way>,
    state: FxHashSet<TermId>,
    bad: TermId,
    variables: FxHashMap<TermId, Vec<TermId>>,
}

impl Lifting {
    /// The ways to make a step of the system.
    pub(super) fn new(store: &Store, system: &System) -> Lifting {
        let disjuncts = match store.op(system.trans) {
            Op::Or => store.args(system.trans).to_vec(),
            _ => vec![system.trans],
        };
        let free: FxHashSet<TermId> = system.next.iter().chain(&system.inputs).copied().collect();
        let ways = disjuncts.into_iter().map(|formula| way(store, formula, &free)).collect();
        let state = system.state.iter().copied().collect();
        Lifting { ways, state, bad: system.bad, variables: FxHashMap::default() }
    }

    /// The state variables that matter for a step of the model into the target.
    pub(super) fn step(
        &mut self,
        store: &mut Store,
        model: &Model,
        target: &[TermId],
    ) -> Option<FxHashSet<TermId>> {
        let is_taken = |way: &&Way| {
            eval(store, way.formula, model).is_ok_and(|value| value.as_bool() == Some(true))
        };
        let way =
            if let [way] = self.ways.as_slice() { way } else { self.ways.iter().find(is_taken)? };
        let mut needed: Vec<TermId> = way.constraints.iter().chain(target).copied().collect();
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut next = 0;
        while let Some(&formula) = needed.get(next) {
            next += 1;
            let variables =
                self.variables.entry(formula).or_insert_with(|| store.free_vars(&[formula]));
            for &variable in variables.iter() {
                if seen.insert(variable)
                    && let Some(&definition) = way.definitions.get(&variable)
                {
                    needed.push(definition);
                }
            }
        }
        let literals = implicant(store, &needed, model)?;
        Some(self.of_state(store, &literals))
    }

    /// The state variables that matter for the model's state to be bad.
    pub(super) fn bad(&self, store: &mut Store, model: &Model) -> Option<FxHashSet<TermId>> {
        let literals = implicant(store, &[self.bad], model)?;
        Some(self.of_state(store, &literals))
    }

    fn of_state(&self, store: &Store, literals: &[TermId]) -> FxHashSet<TermId> {
        let variables = store.free_vars(literals).into_iter();
        variables.filter(|variable| self.state.contains(variable)).collect()
    }
}

/// Splits a conjunction into definitions of free variables and the rest.
fn way(store: &Store, formula: TermId, free: &FxHashSet<TermId>) -> Way {
    let conjuncts = match store.op(formula) {
        Op::And => store.args(formula).to_vec(),
        _ => vec![formula],
    };
    let mut constraints = Vec::new();
    let mut definitions: FxHashMap<TermId, TermId> = FxHashMap::default();
    // The variables that a defined variable depends on, directly.
    let mut uses: FxHashMap<TermId, Vec<TermId>> = FxHashMap::default();
    for conjunct in conjuncts {
        let found = defined(store, conjunct).into_iter().find_map(|(variable, body)| {
            if !free.contains(&variable) || definitions.contains_key(&variable) {
                return None;
            }
            let used = body.map_or_else(Vec::new, |body| store.free_vars(&[body]));
            (!reaches(&uses, &used, variable)).then_some((variable, used))
        });
        match found {
            Some((variable, used)) => {
                definitions.insert(variable, conjunct);
                uses.insert(variable, used);
            }
            None => constraints.push(conjunct),
        }
    }
    Way { formula, constraints, definitions }
}

/// The variables that a formula may define, each with what it is equal to; a literal says that a
/// truth value is a constant.
fn defined(store: &Store, formula: TermId) -> Vec<(TermId, Option<TermId>)> {
    match (store.op(formula), store.args(formula)) {
        (Op::Var(_), _) => vec![(formula, None)],
        (Op::Not, &[atom]) if matches!(store.op(atom), Op::Var(_)) => vec![(atom, None)],
        (Op::Eq, &[left, right]) => vec![(left, Some(right)), (right, Some(left))],
        _ => Vec::new(),
    }
}

/// Whether the variables depend on one, through definitions.
fn reaches(uses: &FxHashMap<TermId, Vec<TermId>>, from: &[TermId], to: TermId) -> bool {
    let mut open = from.to_vec();
    let mut seen: FxHashSet<TermId> = from.iter().copied().collect();
    while let Some(variable) = open.pop() {
        if variable == to {
            return true;
        }
        for &used in uses.get(&variable).into_iter().flatten() {
            if seen.insert(used) {
                open.push(used);
            }
        }
    }
    false
}
