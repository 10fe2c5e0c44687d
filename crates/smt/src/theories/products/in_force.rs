//! Which products a query has to have right.
//!
//! Products of scopes that have ended, and those that lemmas made, stay unknowns of the search. A model of the formulas in force need not
//! have them right, and lemmas that bring them nearer to what they should be keep the search from ending. So a model is held against
//! those that formulas in force have: below their terms, in what defines their quotients, and as a part of a longer product.
//!
//! Invariant: what the formulas in force say depends on no other product.

use alphorn_term::{Op, Store, TermId};
use rustc_hash::FxHashSet;

use super::split;
use crate::linear::number_of;
use crate::theories::kernel::Kernel;

/// What the formulas in force are about.
pub(super) struct InForce {
    pub(super) products: FxHashSet<TermId>,
    /// Whether they divide by unknowns, or by zero.
    pub(super) is_dividing: bool,
}

impl InForce {
    /// What the formulas in force are about; none if that cannot be told.
    pub(super) fn find(kernel: &Kernel, store: &mut Store) -> Option<InForce> {
        // Instances have products of their own.
        if !kernel.theory().quantifiers.is_empty() {
            return None;
        }
        let mut found = InForce { products: FxHashSet::default(), is_dividing: false };
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut stack: Vec<TermId> = kernel.in_force().collect();
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            let args = store.args(term).to_vec();
            match store.op(term) {
                Op::Mul => {
                    found.products.insert(term);
                    stack.extend(split(store, term).map(|(_, _, rest)| rest));
                }
                // The product that the definition of a division has.
                op @ (Op::IntDiv | Op::Mod | Op::RealDiv) => {
                    found.is_dividing |=
                        number_of(store, args[1]).is_none_or(|divisor| divisor.is_zero());
                    let op = if op == Op::Mod { Op::IntDiv } else { op };
                    let quotient = store.mk(op, &args);
                    stack.push(store.mk(Op::Mul, &[args[1], quotient]));
                }
                _ => {}
            }
            stack.extend(args);
        }
        Some(found)
    }
}
