//! Terms of sorts that have finitely many values.
//!
//! Of an infinite sort there is always one more value; of a finite one there may be none left for a
//! class that has no constructor. So terms of finite sorts are expanded when a complete assignment leaves
//! them without one. They are not inside values of their own sort, so this ends: codatatypes with one value,
//! which may be, are left to `unique`.

use alphorn_term::{Op, Sort, Store};

use super::encode::expand;
use crate::datatypes::{is_finite, is_forced};
use crate::theories::Theories;
use crate::theories::kernel::Kernel;

/// Expands terms of finite datatypes that have no constructor; whether there were any.
pub(super) fn refine(kernel: &mut Kernel, store: &mut Store) -> bool {
    let Theories { data, equality, .. } = kernel.theory_mut();
    let mut open = Vec::new();
    for &term in &data.terms {
        if data.expanded.contains(&term) || matches!(store.op(term), Op::Construct(_)) {
            continue;
        }
        let sort = store.sort(term);
        let is_data = matches!(store.sort_of(sort), Sort::Data(_));
        if !is_data || !is_finite(store, sort, &mut data.finite_sorts) || is_forced(store, sort) {
            continue;
        }
        let Some(node) = equality.nodes.get(&term) else { continue };
        if equality.closure.value(*node).is_none() {
            open.push(term);
        }
    }
    let is_refined = !open.is_empty();
    let mut cx = kernel.encoding(store);
    while let Some(term) = open.pop() {
        if is_forced(cx.store, cx.store.sort(term)) {
            continue;
        }
        let before = cx.theory().data.terms.len();
        expand(&mut cx, term);
        cx.settle();
        // Fields of an only constructor are fields of every value.
        let Sort::Data(sort) = *cx.store.sort_of(cx.store.sort(term)) else { continue };
        if cx.store.data(sort).ctors.len() == 1 {
            let fields = cx.theory().data.terms[before..].iter().copied();
            open.extend(fields.filter(|field| matches!(cx.store.op(*field), Op::Field(..))));
        }
    }
    is_refined
}
