//! Whether what evidence about a flow brings along is made of what it may be made of.

use crate::Refusal;
use alphorn_problem::Flow;
use alphorn_term::eval::bound;
use alphorn_term::{Meter, Op, Sort, SortId, Store, TermId};
use std::collections::BTreeSet;

/// Whether the flow is one, and its sorts are such that evidence about it means something.
pub(super) fn check_flow(flow: &Flow, store: &Store, meter: &Meter) -> Result<(), Refusal> {
    let refuse = |reason: &str| Err(Refusal::new("the flow", reason));
    flow.validate().map_err(|reason| Refusal::new("the flow", reason))?;
    let spent = |exhausted| Refusal::new("the evidence", exhausted);
    meter.spend(store.effort()).map_err(spent)?;
    if !store.extends(&flow.terms) {
        return Err(Refusal::new("the evidence", "its terms do not extend those of the flow"));
    }
    // How many elements an uninterpreted sort has is open, so that runs would mean many things.
    let has_open =
        flow.terms.sorts().any(|sort| matches!(flow.terms.sort_of(sort), Sort::Uninterpreted(..)));
    match has_open {
        true => refuse("it has an uninterpreted sort"),
        false => Ok(()),
    }
}

/// Terms that evidence may use: over some variables, without functions and quantifiers.
pub(super) struct Terms<'a> {
    store: &'a Store,
    vars: BTreeSet<TermId>,
    meter: &'a Meter,
}

impl<'a> Terms<'a> {
    /// Terms over these variables.
    pub(super) fn over(
        store: &'a Store,
        vars: impl IntoIterator<Item = TermId>,
        meter: &'a Meter,
    ) -> Terms<'a> {
        Terms { store, vars: vars.into_iter().collect(), meter }
    }

    /// Whether `term` is one of them, of this sort.
    pub(super) fn check(&self, term: TermId, sort: SortId) -> Result<(), String> {
        let store = self.store;
        if term.index() >= store.len() || store.sort(term) != sort {
            return Err("a term is missing or has another sort".to_owned());
        }
        if store.has_apply(term) || store.has_quantifier(term) {
            return Err("a term has a declared function or a quantifier".to_owned());
        }
        bound::free_vars(store, &[term], self.meter)?;
        match store.free_vars(&[term]).into_iter().find(|var| !self.vars.contains(var)) {
            Some(var) => {
                let name = store.var_name(var).unwrap_or("?");
                Err(format!("the variable {name} does not belong there"))
            }
            None => Ok(()),
        }
    }

    /// Whether these are formulas, one for each location.
    pub(super) fn check_formulas(&self, flow: &Flow, formulas: &[TermId]) -> Result<(), String> {
        if formulas.len() != flow.locations.len() {
            return Err("there is not one formula for each location".to_owned());
        }
        formulas.iter().try_for_each(|&formula| self.check(formula, SortId::BOOL))
    }

    /// Whether `term` is a positive constant of a sort of numbers.
    pub(super) fn check_least(&self, term: TermId) -> Result<SortId, String> {
        let store = self.store;
        let is_number = term.index() < store.len() && store.sort(term).is_arithmetic();
        match is_number.then(|| store.number_value(term)).flatten() {
            Some(value) if value.is_positive() => Ok(store.sort(term)),
            _ => Err("the least decrease is not a positive constant".to_owned()),
        }
    }
}

/// Whether these are new variables, one for each of the flow and of its sort.
pub(super) fn check_copies(flow: &Flow, store: &Store, copies: &[TermId]) -> Result<(), String> {
    if copies.len() != flow.vars.len() {
        return Err("there is not one copy for each variable".to_owned());
    }
    // Beyond the flow's own terms, so that no formula of the flow has them.
    let mut seen = BTreeSet::new();
    for (&copy, &var) in copies.iter().zip(&flow.vars) {
        let is_new = copy.index() >= flow.terms.len() && copy.index() < store.len();
        let fits = is_new && matches!(store.op(copy), Op::Var(_));
        if !fits || store.sort(copy) != store.sort(var) || !seen.insert(copy) {
            return Err("a copy is not a new variable of its variable's sort".to_owned());
        }
    }
    Ok(())
}
