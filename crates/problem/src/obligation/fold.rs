//! What folds say as formulas, and what must be refuted for their laws to hold.
//!
//! A case of a fold is an equation for all fields; a law is a formula for all values. Both are
//! assertions beside the negation of a clause, from which a refutation takes the instances it needs.
//!
//! Engines and the checker both call this file, so nothing here may depend on what else a store
//! contains.

use crate::evidence::fold::{Fold, FoldCase, Folds, Law};
use alphorn_term::{CtorId, Op, Sort, SortId, Store, Substitution, TermId};

/// The constructors of a datatype; none for other sorts, and for codatatypes, on whose values there is no
/// induction.
pub fn constructors(store: &Store, sort: SortId) -> Vec<CtorId> {
    match *store.sort_of(sort) {
        Sort::Data(data) if !store.data(data).is_co => store.data(data).ctors.clone(),
        _ => Vec::new(),
    }
}

/// The equation that a case of a fold is, for all fields and parameters.
fn equation(fold: &Fold, ctor: CtorId, case: &FoldCase, store: &mut Store) -> TermId {
    let made = store.mk(Op::Construct(ctor), &case.fields);
    let value = store.mk(Op::Apply(fold.func), &[&[made], &fold.params[..]].concat());
    let equation = store.eq(value, case.value);
    store.forall(&[&case.fields[..], &fold.params[..]].concat(), equation)
}

/// The equations of all folds, for all fields, in the order of the folds and their cases.
pub fn equations(folds: &Folds, store: &mut Store) -> Vec<TermId> {
    let mut all = Vec::new();
    for fold in &folds.functions {
        let ctors = constructors(store, store.func(fold.func).args[0]);
        for (ctor, case) in ctors.into_iter().zip(&fold.cases) {
            all.push(equation(fold, ctor, case, store));
        }
    }
    all
}

/// What a refutation of a clause's negation may use: the equations, then the laws for all values.
pub fn axioms(folds: &Folds, store: &mut Store) -> Vec<TermId> {
    let mut all = equations(folds, store);
    for law in &folds.laws {
        all.push(universal(law, store));
    }
    all
}

/// A law for all values; variables that it quantifies itself stand in the same quantifier.
fn universal(law: &Law, store: &mut Store) -> TermId {
    let own = store.bound_vars(law.formula).to_vec();
    match (store.op(law.formula), store.args(law.formula).last()) {
        (Op::Forall, Some(&body)) if !own.contains(&law.var) => {
            store.forall(&[&[law.var], &own[..]].concat(), body)
        }
        _ => store.forall(&[law.var], law.formula),
    }
}

/// The assertions whose refutation shows that a law holds of what a constructor makes of `fields`: the
/// law's negation, the laws of its level of each field, the equations of all folds, and the laws of
/// lower levels for all values.
pub fn induction(
    folds: &Folds,
    law: &Law,
    ctor: CtorId,
    fields: &[TermId],
    store: &mut Store,
) -> Vec<TermId> {
    let made = store.mk(Op::Construct(ctor), fields);
    let claim = instance(law, made, store);
    let mut all = vec![store.not(claim)];
    for &field in fields {
        for other in &folds.laws {
            if other.level == law.level && store.sort(other.var) == store.sort(field) {
                all.push(instance(other, field, store));
            }
        }
    }
    all.extend(equations(folds, store));
    for other in folds.laws.iter().filter(|other| other.level < law.level) {
        all.push(universal(other, store));
    }
    all
}

/// A law about a term.
pub fn instance(law: &Law, term: TermId, store: &mut Store) -> TermId {
    let map: Substitution = [(law.var, term)].into_iter().collect();
    store.substitute(law.formula, &map)
}
