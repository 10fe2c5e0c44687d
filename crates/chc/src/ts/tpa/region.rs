//! Sets of states as formulas, and smaller sets from models.

use crate::ts::System;
use alphorn_engine::Stop;
use alphorn_smt::project::{implicant, project, simplify};
use alphorn_term::{Model, Store, TermId, Value};
use rustc_hash::FxHashSet;

/// The states for which some values of other variables make all formulas true.
#[derive(Clone, Debug)]
pub(super) struct Region {
    /// The formulas, of the state and other variables.
    pub(super) formulas: Vec<TermId>,
    /// Whether the formulas mention the state only.
    pub(super) is_plain: bool,
}

impl Region {
    /// The formulas, of the next state.
    pub(super) fn next(&self, store: &mut Store, system: &System) -> Vec<TermId> {
        let rename = |&formula: &TermId| store.rename(formula, &system.state, &system.next);
        self.formulas.iter().map(rename).collect()
    }
}

/// A set of values for `kept` that contains the model's, in each of which some values for all other
/// variables make the formulas true; as formulas over `kept`.
pub(super) fn project_to(
    store: &mut Store,
    formulas: &[TermId],
    kept: &[TermId],
    mut model: Model,
) -> Result<Vec<TermId>, Stop> {
    let stuck = || Stop::Stuck("a set of states cannot be expressed".to_owned());
    let kept: FxHashSet<TermId> = kept.iter().copied().collect();
    let variables = store.free_vars(formulas);
    for &variable in &variables {
        if !model.vars.contains_key(&variable)
            && let Some(value) = Value::default_of(store, store.sort(variable))
        {
            model.set(variable, value);
        }
    }
    let literals = implicant(store, formulas, &model).ok_or_else(stuck)?;
    let hidden: Vec<TermId> =
        variables.into_iter().filter(|variable| !kept.contains(variable)).collect();
    let projection = project(store, &literals, &hidden, &model).ok_or_else(stuck)?;
    let literals = projection.with_values(store, &model).ok_or_else(stuck)?;
    // Regions are made from regions, so what is said twice would be said ever more often.
    let all = store.and(&literals);
    let all = simplify(store, all, &[], None);
    Ok(conjuncts(store, all))
}

/// The parts of a conjunction.
pub(super) fn conjuncts(store: &Store, formula: TermId) -> Vec<TermId> {
    alphorn_term::parts::conjuncts(store, &[formula])
}
