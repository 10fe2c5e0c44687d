//! From a model of steps to the states that they can begin in.

use crate::pdr::literal::{normal, split_equations};
use alphorn_engine::Stop;
use alphorn_smt::project::project;
use alphorn_term::{Model, Store, TermId, Value};

/// Literals over the state, true in the model, from which there are values for the variables that are
/// `gone` which make the formulas true.
pub(super) fn before(
    store: &mut Store,
    state: &[TermId],
    formulas: &[TermId],
    gone: &[TermId],
    mut model: Model,
) -> Result<Vec<TermId>, Stop> {
    for &var in state.iter().chain(gone) {
        if !model.vars.contains_key(&var)
            && let Some(value) = Value::default_of(store, store.sort(var))
        {
            model.set(var, value);
        }
    }
    let projection = project(store, formulas, gone, &model);
    let literals = projection.and_then(|projection| projection.with_values(store, &model));
    let Some(literals) = literals else {
        return Err(Stop::Stuck("a model could not be generalized".to_owned()));
    };
    let literals = normal(store, &literals, &model);
    Ok(split_equations(store, &literals))
}
