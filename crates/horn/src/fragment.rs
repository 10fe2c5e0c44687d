//! The fragment that engines with a solver treat: truth values, numbers, words and arrays, without
//! quantifiers; for those that project, and need no other form of interpolants, datatypes as well.
//!
//! Everything else is refused in words, before any work is done.

use alphorn_engine::Stop;
use alphorn_problem::Horn;
use alphorn_problem::horn::{Clause, Head};
use alphorn_term::{Op, Sort, SortId, Store};

/// Whether everything in a clause is of truth values, numbers, words and arrays of these.
pub fn understood(horn: &Horn, clause: &Clause) -> Result<(), Stop> {
    understood_with(horn, clause, false)
}

/// Whether everything in a clause is of these, and datatypes.
pub fn understood_with_data(horn: &Horn, clause: &Clause) -> Result<(), Stop> {
    understood_with(horn, clause, true)
}

/// Whether everything in a system is of truth values, numbers, words and arrays of these, which is what
/// engines that live on interpolants treat.
pub fn separable(horn: &Horn) -> Result<(), Stop> {
    horn.clauses.iter().try_for_each(|clause| understood(horn, clause))
}

fn understood_with(horn: &Horn, clause: &Clause, has_data: bool) -> Result<(), Stop> {
    let store = &horn.terms;
    let mut roots = vec![clause.body];
    if let Head::Atom(_, args) = &clause.head {
        roots.extend(args);
    }
    for term in store.subterms(&roots) {
        let sort = store.sort(term);
        if !is_understood(store, sort, has_data) {
            let text = format!("terms of sort {} are not treated", store.show_sort(sort));
            return Err(Stop::Unsupported(text));
        }
        match store.op(term) {
            Op::Forall | Op::Exists => {
                return Err(Stop::Unsupported("quantifiers in bodies are not treated".to_owned()));
            }
            Op::Apply(func) if horn.pred_of(func).is_none() => {
                return Err(Stop::Unsupported(
                    "declared functions without a table that satisfies the axioms are not treated"
                        .to_owned(),
                ));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether values of a sort are truth values, numbers, words, perhaps trees, or arrays of these.
fn is_understood(store: &Store, sort: SortId, has_data: bool) -> bool {
    match store.sort_of(sort) {
        Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) => true,
        Sort::Array(index, element) => {
            is_understood(store, *index, has_data) && is_understood(store, *element, has_data)
        }
        Sort::Data(_) => has_data,
        Sort::Uninterpreted(..) => false,
    }
}
