//! Literals that say what a variable is.

use alphorn_smt::Linear;
use alphorn_term::{Op, Rat, SortId, Store, TermId};
use std::collections::BTreeSet;

/// The variable, out of some, that a literal determines, and its term.
pub(crate) fn determined(
    store: &mut Store,
    literal: TermId,
    left: &BTreeSet<TermId>,
) -> Option<(TermId, TermId)> {
    if left.contains(&literal) {
        return Some((literal, TermId::TRUE));
    }
    match (store.op(literal), store.args(literal)) {
        (Op::Not, &[atom]) if left.contains(&atom) => Some((atom, TermId::FALSE)),
        (Op::Eq, &[one, other]) => {
            for (var, term) in [(one, other), (other, one)] {
                if left.contains(&var) && !store.free_vars(&[term]).contains(&var) {
                    return Some((var, term));
                }
            }
            let sort = store.sort(one);
            if !sort.is_arithmetic() {
                return None;
            }
            let form = Linear::difference(store, one, other);
            let atoms: Vec<TermId> = form.terms.iter().map(|term| term.0).collect();
            for &var in atoms.iter().filter(|atom| left.contains(atom)) {
                let (factor, mut rest) = form.split(var);
                let others: Vec<TermId> = atoms.iter().copied().filter(|&a| a != var).collect();
                let is_unit = store.sort(var) == SortId::REAL || factor.abs().is_one();
                if !is_unit || store.sort(var) != sort || store.free_vars(&others).contains(&var) {
                    continue;
                }
                let scale = factor.recip().unwrap_or(Rat::ONE);
                rest.scale(&-scale);
                return Some((var, rest.to_term(store, sort)));
            }
            None
        }
        _ => None,
    }
}
