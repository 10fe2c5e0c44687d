//! Checks refutations of the clauses as formulas, and what they choose.
//!
//! In the formulas predicates and functions are uninterpreted alike, so what contradicts itself does so under
//! every interpretation. What a refutation may choose takes nothing away from that:
//!
//! - An array that is defined. Its variable is in no clause and in no definition before it, and its
//!   body has no other variables than indices and arrays before it. Under every interpretation of the rest the body then
//!   has a value at all indices, and these values are an array, since arrays are all the total maps from
//!   indices to elements. So definitions can be made true whatever the clauses say.
//! - The elements of declared sorts, where the system is to be safe for every interpretation of these
//!   (`with_sorts` refuses it elsewhere): one under which the clauses contradict each other is one for which it is
//!   not safe.

use super::model::check_params;
use crate::proof::replay;
use crate::{Refusal, work};
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Definition, Derivation, Refuted};
use alphorn_problem::obligation::interpretation::{assertions, with_sorts};
use alphorn_term::eval::bound;
use alphorn_term::{Meter, Op, Sort, SortId, Store, TermId};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Accepts a refutation of the clauses as formulas.
pub(super) fn check_refuted(
    horn: &Horn,
    derivation: &Derivation,
    refuted: &Refuted,
    meter: &Meter,
) -> Result<(), Refusal> {
    let refuse = |reason: String| Refusal::new("the refutation", reason);
    if !derivation.steps.is_empty() {
        return Err(refuse("there are steps of a derivation as well".to_owned()));
    }
    let chosen = &refuted.chosen;
    if !chosen.sorts.is_empty() {
        let spent = meter.spend(work::of_sorts(&horn.terms, chosen.sorts.len()));
        spent.map_err(|exhausted| refuse(exhausted.into()))?;
    }
    let seen = with_sorts(horn, &chosen.sorts).map_err(refuse)?;
    if !refuted.terms.extends(&seen.terms) {
        return Err(refuse("its terms do not extend those of the system".to_owned()));
    }
    let mut before: BTreeSet<TermId> = BTreeSet::new();
    for (array, definition) in &chosen.arrays {
        check_array(&seen.terms, &refuted.terms, (*array, definition), &before, meter).map_err(
            |reason| {
                let name = match array.index() < refuted.terms.len() {
                    true => refuted.terms.var_name(*array).unwrap_or("?"),
                    false => "?",
                };
                Refusal::new(format!("definition of {name}"), reason)
            },
        )?;
        before.insert(*array);
    }
    let mut store = Cow::Borrowed(&refuted.terms);
    let assertions = assertions(&seen, chosen, store.to_mut());
    replay(&mut store, &assertions, &refuted.proof, meter)
}

/// Whether an array is new and its definition one for all indices, over `own` with the arrays `before` it.
fn check_array(
    own: &Store,
    store: &Store,
    (array, definition): (TermId, &Definition),
    before: &BTreeSet<TermId>,
    meter: &Meter,
) -> Result<(), String> {
    let Definition { params, body } = definition;
    let known = |term: TermId| term.index() < store.len();
    if !known(array) || !matches!(store.op(array), Op::Var(_)) {
        return Err("what is defined is not a variable".to_owned());
    }
    // The terms of the clauses are those of the system's store, and of a variable there is one.
    if array.index() < own.len() || before.contains(&array) {
        return Err("what is defined is not new".to_owned());
    }
    let (mut sorts, mut element): (Vec<SortId>, SortId) = (Vec::new(), store.sort(array));
    while sorts.len() < params.len() {
        let Sort::Array(index, value) = *store.sort_of(element) else {
            return Err("it has more indices than the array".to_owned());
        };
        sorts.push(index);
        element = value;
    }
    let params = check_params(store, params, &sorts)?;
    if !known(*body) || store.sort(*body) != element {
        return Err("its body is not of the sort that the array has there".to_owned());
    }
    if params.contains(&array) {
        return Err("it is an index of its own".to_owned());
    }
    bound::free_vars(store, &[*body], meter)?;
    for var in store.free_vars(&[*body]) {
        if !params.contains(&var) && !before.contains(&var) {
            let name = store.var_name(var).unwrap_or("?");
            return Err(format!("the variable {name} is neither an index nor defined before"));
        }
    }
    Ok(())
}
