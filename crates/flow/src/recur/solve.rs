//! Questions to the solver that may stay open: a model, or none that was found with some effort.

use crate::settings::RECUR_MAX_CONFLICTS;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{EvalError, Model, Store, TermId, Value, eval};

/// What a question costs besides the work of the solver.
const QUESTION: u64 = 20;

/// A model of formulas, with a value for every variable in them; none if there is none or none was found.
pub(super) fn find_model(
    store: &mut Store,
    formulas: &[TermId],
    ctx: &mut Ctx<'_>,
) -> Result<Option<Model>, Stop> {
    find_seeded(store, formulas, 0, ctx)
}

/// `find_model` with a seed for the solver.
pub(super) fn find_seeded(
    store: &mut Store,
    formulas: &[TermId],
    seed: u32,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Model>, Stop> {
    if formulas.contains(&TermId::FALSE) {
        return Ok(None);
    }
    let mut smt = Smt::new(Options { seed, ..Options::default() });
    for &formula in formulas {
        smt.assert(store, formula);
    }
    model_with(&mut smt, store, formulas, &[], ctx)
}

/// `find_model` of what a solver has been told, the formulas, and assumptions.
pub(super) fn model_with(
    smt: &mut Smt,
    store: &mut Store,
    formulas: &[TermId],
    assumptions: &[TermId],
    ctx: &mut Ctx<'_>,
) -> Result<Option<Model>, Stop> {
    ctx.tick(QUESTION)?;
    if ask_within(smt, store, assumptions, RECUR_MAX_CONFLICTS.get(), ctx)? != Answer::Sat {
        return Ok(None);
    }
    let mut model = smt.model(store);
    for var in store.free_vars(&[formulas, assumptions].concat()) {
        if !model.vars.contains_key(&var)
            && let Some(value) = Value::default_of(store, store.sort(var))
        {
            model.set(var, value);
        }
    }
    Ok(Some(model))
}

/// Formulas that are assumed, and what follows from them.
pub(super) struct Premises {
    smt: Smt,
}

impl Premises {
    /// These formulas.
    pub(super) fn new(store: &mut Store, formulas: &[TermId]) -> Premises {
        let mut smt = Smt::new(Options::default());
        for &formula in formulas {
            smt.assert(store, formula);
        }
        Premises { smt }
    }

    /// Whether another one is known to follow.
    pub(super) fn imply(
        &mut self,
        store: &mut Store,
        formula: TermId,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        if formula == TermId::TRUE {
            return Ok(true);
        }
        ctx.tick(QUESTION)?;
        let not = store.not(formula);
        Ok(ask_within(&mut self.smt, store, &[not], RECUR_MAX_CONFLICTS.get(), ctx)?
            == Answer::Unsat)
    }

    /// Whether they are known to have a model.
    pub(super) fn are_consistent(
        &mut self,
        store: &mut Store,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        ctx.tick(QUESTION)?;
        Ok(ask_within(&mut self.smt, store, &[], RECUR_MAX_CONFLICTS.get(), ctx)? == Answer::Sat)
    }
}

/// The values of terms in a model, where variables without one have the default of their sort.
pub(super) fn values(store: &Store, terms: &[TermId], model: &Model) -> Option<Vec<Value>> {
    terms.iter().map(|&term| value(store, term, model)).collect()
}

/// The value of a term in a model, where variables without one have the default of their sort.
pub(super) fn value(store: &Store, term: TermId, model: &Model) -> Option<Value> {
    match eval(store, term, model) {
        Ok(value) => Some(value),
        Err(EvalError::Unassigned(_)) => {
            let mut model = model.clone();
            for var in store.free_vars(&[term]) {
                if !model.vars.contains_key(&var) {
                    model.set(var, Value::default_of(store, store.sort(var))?);
                }
            }
            eval(store, term, &model).ok()
        }
        Err(_) => None,
    }
}
