//! Instances at the indices of arrays.
//!
//! What is said of all elements matters where arrays are read, written or different. Matching finds
//! such an instance only if the very read is a term of the search, but reads through writes are
//! settled on demand and need not be. So when matching is at its end, bound variables that stand as
//! indices get all indices of reads and writes, and arrays that are different are told apart by a
//! witness first. For bodies in which bound variables are indices and otherwise only compared with
//! terms, these instances are all that is needed.
//!
//! After Bradley, Manna, Sipma, "What's decidable about arrays?" (VMCAI 2006).

use crate::settings::{
    INDICES_LAST_GENERATION, INDICES_MAX_AT_ONCE, INDICES_MAX_INDICES, INDICES_MAX_INSTANCES,
};
use alphorn_term::{Op, Sort, SortId, Store, TermId};

use super::state_instance;
use crate::theories::arrays::state_witnesses;
use crate::theories::kernel::Kernel;

/// States instances at indices, or what tells arrays apart; whether there was anything to state.
pub(super) fn instantiate_at_indices(
    kernel: &mut Kernel,
    store: &mut Store,
    universal: &[TermId],
) -> bool {
    let over_indices: Vec<(TermId, Vec<SortId>)> = universal
        .iter()
        .filter_map(|&term| Some((term, index_sorts(kernel, store, term)?)))
        .collect();
    if over_indices.is_empty() {
        return false;
    }
    let different = arrays_to_tell_apart(kernel, store);
    if !different.is_empty() {
        return state_witnesses(kernel, store, &different);
    }
    let mut count = 0;
    for (quantifier, sorts) in over_indices {
        let choices: Vec<Vec<TermId>> =
            sorts.iter().map(|&sort| indices_of(kernel, store, sort)).collect();
        if choices.iter().map(Vec::len).product::<usize>() > INDICES_MAX_INSTANCES.size() {
            continue;
        }
        for terms in product(&choices) {
            count += usize::from(state_instance(kernel, store, quantifier, terms));
            if count >= INDICES_MAX_AT_ONCE.size() {
                return true;
            }
        }
    }
    count > 0
}

/// The sorts of a formula's bound variables, if each of them is an index in its body.
fn index_sorts(kernel: &Kernel, store: &Store, quantifier: TermId) -> Option<Vec<SortId>> {
    let pattern = &kernel.theory().quantifiers.known[&quantifier].pattern;
    let is_index = |var: &TermId| {
        let is_read = |term: &TermId| store.op(*term) == Op::Select && store.args(*term)[1] == *var;
        pattern.order.iter().any(is_read)
    };
    let all = pattern.vars.iter().all(is_index);
    all.then(|| pattern.vars.iter().map(|var| store.sort(*var)).collect())
}

/// The indices of a sort at which arrays are read and written.
fn indices_of(kernel: &Kernel, store: &Store, sort: SortId) -> Vec<TermId> {
    let mut found: Vec<TermId> = Vec::new();
    for &term in &kernel.theory().arrays.terms {
        let (Op::Select | Op::Store, &[_, index, ..]) = (store.op(term), store.args(term)) else {
            continue;
        };
        let is_near =
            kernel.theory().quantifiers.generation(index) <= INDICES_LAST_GENERATION.short();
        if store.sort(index) == sort && is_near && !found.contains(&index) {
            found.push(index);
        }
    }
    found.truncate(INDICES_MAX_INDICES.size());
    found
}

/// Arrays that the assignment says are different, with nothing to tell them apart so far.
fn arrays_to_tell_apart(kernel: &Kernel, store: &Store) -> Vec<[TermId; 2]> {
    let mut found = Vec::new();
    for &term in &kernel.theory().arrays.terms {
        let (Op::Eq, &[left, right]) = (store.op(term), store.args(term)) else { continue };
        let mut pair = [left, right];
        pair.sort_unstable();
        let are_arrays = matches!(store.sort_of(store.sort(left)), Sort::Array(..));
        if are_arrays
            && kernel.truth_of(store, term) == Some(false)
            && !kernel.theory().arrays.witnesses.contains_key(&pair)
        {
            found.push(pair);
        }
    }
    found
}

/// All ways to choose one of each.
fn product(choices: &[Vec<TermId>]) -> Vec<Vec<TermId>> {
    let mut found = vec![Vec::with_capacity(choices.len())];
    for options in choices {
        let longer = found.iter().flat_map(|chosen: &Vec<TermId>| {
            options.iter().map(move |&option| [chosen.as_slice(), &[option]].concat())
        });
        found = longer.collect();
    }
    found
}
