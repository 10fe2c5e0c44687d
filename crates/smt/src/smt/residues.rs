//! Integer factors by their remainders, where products leave a question open.
//!
//! No square is 2 modulo 3, whatever lemmas about signs and tangents say: they narrow down where numbers are, and remainders are the same
//! everywhere. So factors are divided by a small number `m`, `y = m·(div y m) + (mod y m)`, and the question is asked again. The
//! equation times a factor makes `y·y` a multiple of `m` and `(mod y m)·y`, which is exact where the remainder has one of its `m`
//! values, and then rounding equations says that there is no solution. Divisions by numbers are definitions, so what
//! is stated holds in every model.

use alphorn_sat::Answer;
use alphorn_term::{Op, Store, TermId};

use super::{Reason, Smt};
use crate::settings::{PRODUCTS_MAX_MODULUS, PRODUCTS_MAX_REDUCED};

/// What squares, and products of neighbours, have few remainders by.
const MODULI: [i64; 5] = [3, 4, 5, 7, 8];

impl Smt {
    /// Whether remainders of factors decide the question; unknown if they do not.
    pub(super) fn check_residues(
        &mut self,
        store: &mut Store,
        assumptions: &[TermId],
        factors: &[TermId],
    ) -> Answer {
        if factors.is_empty() || factors.len() > PRODUCTS_MAX_REDUCED.size() {
            return Answer::Unknown;
        }
        for modulus in MODULI.into_iter().filter(|it| *it <= PRODUCTS_MAX_MODULUS.get() as i64) {
            let modulus = store.int(modulus);
            let mut cx = self.kernel.encoding(store);
            for &factor in factors {
                let remainder = cx.store.mk(Op::Mod, &[factor, modulus]);
                cx.visit(remainder);
            }
            cx.settle();
            self.kernel.theory_mut().products.is_thorough = true;
            let found = self.check(store, assumptions);
            self.kernel.theory_mut().products.is_thorough = false;
            if found != Answer::Unknown || self.reason_unknown() == Some(Reason::Budget) {
                return found;
            }
        }
        Answer::Unknown
    }
}
