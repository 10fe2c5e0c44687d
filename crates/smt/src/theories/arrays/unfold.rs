//! Reads of built arrays, defined level by level.
//!
//! A clause about a path excludes one way through conditional writes, and there are as many as there are
//! combinations of conditions and of equal indices. Where a read was wrong it is unfolded
//! instead: `select(store(a, i, v), j)` is `v` or `select(a, j)`, and a read of a conditional array is
//! a read of a branch, down to the arrays that are not built from others. That is one read for each
//! array below, whatever the number of ways.
//!
//! Invariant: what is stated are paths of at most one step, so nothing here needs a proof of its own.
//!
//! After Stump, Barrett, Dill, Levitt, "A decision procedure for an extensional theory of arrays"
//! (LICS 2001) for the rules; we differ in that only reads are unfolded that were wrong.

use alphorn_term::{Op, Store, TermId};

use super::lemma::{Hop, Path, state_path};
use crate::theories::kernel::Kernel;

/// Unfolds a term that is a read; whether a clause was not stated in this query.
pub(super) fn unfold(kernel: &mut Kernel, store: &mut Store, read: TermId) -> bool {
    let (Op::Select, &[array, index]) = (store.op(read), store.args(read)) else {
        return false;
    };
    let mut is_refined = false;
    let mut stack = vec![array];
    while let Some(array) = stack.pop() {
        if !kernel.theory_mut().arrays.unfolded.insert((array, index)) {
            continue;
        }
        let args = store.args(array).to_vec();
        match (store.op(array), &args[..]) {
            (Op::Store, &[older, written, value]) => {
                let reads = [array, older].map(|array| store.select(array, index));
                let hops = vec![Hop::Write(array)];
                let indices = [index; 2];
                let below = Path { hops, indices, last: older, values: reads };
                is_refined |= reads[0] != reads[1] && state_path(kernel, store, below);
                let (indices, values) = ([written, index], [value, reads[0]]);
                let here = Path { hops: Vec::new(), indices, last: array, values };
                is_refined |= value != reads[0] && state_path(kernel, store, here);
                stack.push(older);
            }
            (Op::Ite, &[_, then, other]) => {
                for branch in [then, other] {
                    let equation = store.eq(array, branch);
                    let lit = kernel.encoding(store).literal(equation);
                    let hops = vec![Hop::Equal(array, branch, vec![lit])];
                    let values = [array, branch].map(|array| store.select(array, index));
                    let path = Path { hops, indices: [index; 2], last: branch, values };
                    is_refined |= state_path(kernel, store, path);
                    stack.push(branch);
                }
            }
            _ => {}
        }
    }
    is_refined
}
