//! What clauses say of variables modulo numbers: the strides of counters.
//!
//! A counter that goes up by two reaches every second cell, and what is said of those in between is noise. Clauses that
//! say `x mod m = r` have a number `q` with `x = m * q + r`, in which distances between cells are
//! counted.

use alphorn_horn::transform::conjuncts;
use alphorn_smt::Linear;
use alphorn_term::{Int, Op, Rat, SortId, Store, TermId};
use std::collections::BTreeMap;

/// What a number is modulo another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stride {
    modulus: Int,
    rest: Int,
}

/// For the variables of a clause, what it says they are modulo numbers.
pub(super) type Strides = BTreeMap<TermId, Stride>;

impl Stride {
    /// A sum in which `m * q + r` stands for a variable.
    pub(super) fn put_in(&self, sum: Linear, var: TermId, quotient: TermId) -> Linear {
        let (factor, mut rest) = sum.split(var);
        let mut value = Linear::atom(quotient);
        value.scale(&Rat::from(self.modulus.clone()));
        value.constant = Rat::from(self.rest.clone());
        rest.add_scaled(&value, &factor);
        rest
    }

    /// That the variable is `m * q + r`.
    pub(super) fn definition(&self, store: &mut Store, var: TermId, quotient: TermId) -> TermId {
        let value = self.put_in(Linear::atom(var), var, quotient).to_term(store, SortId::INT);
        store.eq(var, value)
    }
}

/// What the conjuncts of a body say of variables modulo numbers.
pub(super) fn strides(store: &Store, body: TermId) -> Strides {
    let mut found = Strides::new();
    for part in conjuncts(store, body) {
        let (Op::Eq, &[left, right]) = (store.op(part), store.args(part)) else { continue };
        for (remainder, rest) in [(left, right), (right, left)] {
            let (Op::Mod, &[var, modulus]) = (store.op(remainder), store.args(remainder)) else {
                continue;
            };
            let is_var = matches!(store.op(var), Op::Var(_));
            if let (Some(modulus), Some(rest)) = (store.int_value(modulus), store.int_value(rest))
                && is_var
                && modulus.is_positive()
            {
                let stride = Stride { modulus: modulus.clone(), rest: rest.clone() };
                found.entry(var).or_insert(stride);
            }
        }
    }
    found
}
