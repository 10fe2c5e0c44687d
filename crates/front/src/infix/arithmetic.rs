//! Sums and comparisons over numbers of two kinds: an integer among reals is made real.

use alphorn_term::{Op, SortId, Store, TermId};

/// The comparison that an operator says in any of the languages, which agree where they have it; what is none
/// of these is equality. The terms have one sort and are numbers, if it is not about equality.
pub(crate) fn compare(store: &mut Store, word: &str, left: TermId, right: TermId) -> TermId {
    match word {
        "!=" | "=\\=" | "\\=" => {
            let equal = store.eq(left, right);
            store.not(equal)
        }
        "<" => store.lt(left, right),
        "<=" | "=<" => store.le(left, right),
        ">" => store.gt(left, right),
        ">=" => store.ge(left, right),
        _ => store.eq(left, right),
    }
}

/// The terms in one sort; nothing if there is none.
pub(crate) fn same_sort(store: &mut Store, terms: &mut [TermId]) -> Option<SortId> {
    let sort = store.sort(*terms.first()?);
    if terms.iter().all(|&term| store.sort(term) == sort) {
        return Some(sort);
    }
    if terms.iter().any(|&term| !store.sort(term).is_arithmetic()) {
        return None;
    }
    for term in terms {
        if store.sort(*term) == SortId::INT {
            *term = store.mk(Op::ToReal, &[*term]);
        }
    }
    Some(SortId::REAL)
}

/// The quotient of numbers of one sort: of integers the one whose remainder is never negative.
pub(crate) fn divide(store: &mut Store, left: TermId, right: TermId) -> TermId {
    let is_int = store.sort(left) == SortId::INT;
    store.mk(if is_int { Op::IntDiv } else { Op::RealDiv }, &[left, right])
}

/// The remainder of `divide` of integers.
pub(crate) fn remainder(store: &mut Store, left: TermId, right: TermId) -> TermId {
    store.mk(Op::Mod, &[left, right])
}
