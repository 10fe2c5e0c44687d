//! Universal formulas with those that stand inside of them, as one.
//!
//! `∀x. p(x) ∨ ∀y. q(x, y)` says what `∀x y. p(x) ∨ q(x, y)` says, so values for all variables together are looked
//! for. What is stated then are instances of the formulas as they are, one inside of the other: of the
//! outer one, and of what is a quantified formula in that.
//!
//! Invariant: the matrix with its names bound is equivalent to the formula.

use alphorn_term::{Op, Store, Substitution, TermId};
use rustc_hash::FxHashMap;

use super::fresh_for;
use super::{know, state_instance};
use crate::theories::kernel::Kernel;

/// How deep formulas are looked into.
const MAX_DEPTH: u32 = 200;

/// A universal formula and those inside of it.
#[derive(Clone, Debug)]
pub(super) struct Nest {
    quantifier: TermId,
    /// The bound variables, and the names that they have in the matrix.
    vars: Vec<TermId>,
    names: Vec<TermId>,
    inner: Vec<Nest>,
}

impl Nest {
    /// A quantified formula that is to be true of everything (`forall` to be true, `exists` to be false), and its
    /// body with names for all variables.
    pub(super) fn new(store: &mut Store, quantifier: TermId) -> (Nest, TermId) {
        let is_true = store.op(quantifier) == Op::Forall;
        let mut pull = Pull { store, depth: 0 };
        pull.nest(quantifier, is_true)
    }

    /// All names, the outer ones first.
    pub(super) fn names(&self) -> Vec<TermId> {
        let mut names = self.names.clone();
        for nest in &self.inner {
            names.extend(nest.names());
        }
        names
    }

    /// States the instances in which variables are the terms that their names have; whether there was
    /// a new one.
    pub(super) fn state(
        &self,
        kernel: &mut Kernel,
        store: &mut Store,
        terms: &Substitution,
    ) -> bool {
        self.state_inside(kernel, store, terms, &Substitution::default())
    }

    fn state_inside(
        &self,
        kernel: &mut Kernel,
        store: &mut Store,
        terms: &Substitution,
        outer: &Substitution,
    ) -> bool {
        let own: Option<Vec<TermId>> =
            self.names.iter().map(|name| terms.get(name).copied()).collect();
        let Some(own) = own else { return false };
        let quantifier = store.substitute(self.quantifier, outer);
        if !matches!(store.op(quantifier), Op::Forall | Op::Exists)
            || store.bound_vars(quantifier).len() != own.len()
        {
            return false;
        }
        know(kernel, store, quantifier);
        let mut is_new = state_instance(kernel, store, quantifier, own.clone());
        let mut outer = outer.clone();
        outer.extend(self.vars.iter().copied().zip(own));
        for nest in &self.inner {
            is_new |= nest.state_inside(kernel, store, terms, &outer);
        }
        is_new
    }
}

/// Takes quantifiers out of formulas.
struct Pull<'a> {
    store: &'a mut Store,
    depth: u32,
}

/// What formulas come to without quantifiers, by the truth value that is wanted of them.
type Done = FxHashMap<(TermId, bool), TermId>;

impl Pull<'_> {
    fn nest(&mut self, quantifier: TermId, is_true: bool) -> (Nest, TermId) {
        let vars = self.store.bound_vars(quantifier).to_vec();
        let body = self.store.args(quantifier)[vars.len()];
        let mut inner = Vec::new();
        let body = self.formula(body, is_true, &mut inner, &mut Done::default());
        let names = fresh_for(self.store, &vars);
        let body = self.store.rename(body, &vars, &names);
        (Nest { quantifier, vars, names, inner }, body)
    }

    /// A formula that is to have a truth value, without the universal formulas in it.
    fn formula(
        &mut self,
        term: TermId,
        is_true: bool,
        inner: &mut Vec<Nest>,
        done: &mut Done,
    ) -> TermId {
        if !self.store.has_quantifier(term) || self.depth >= MAX_DEPTH {
            return term;
        }
        if let Some(found) = done.get(&(term, is_true)) {
            return *found;
        }
        self.depth += 1;
        let (op, args) = (self.store.op(term), self.store.args(term).to_vec());
        let result = match op {
            Op::Not => {
                let inside = self.formula(args[0], !is_true, inner, done);
                self.store.not(inside)
            }
            Op::And | Op::Or => {
                let parts: Vec<TermId> =
                    args.iter().map(|arg| self.formula(*arg, is_true, inner, done)).collect();
                if op == Op::And { self.store.and(&parts) } else { self.store.or(&parts) }
            }
            Op::Ite => {
                let [yes, no] =
                    [args[1], args[2]].map(|arg| self.formula(arg, is_true, inner, done));
                self.store.ite(args[0], yes, no)
            }
            Op::Forall | Op::Exists if (op == Op::Forall) == is_true => {
                let (nest, body) = self.nest(term, is_true);
                inner.push(nest);
                body
            }
            _ => term,
        };
        self.depth -= 1;
        done.insert((term, is_true), result);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_term::SortId;

    #[test]
    fn universal_formulas_inside_join_and_existential_ones_stay() {
        let mut store = Store::new();
        let [x, y] = ["x", "y"].map(|name| store.var(name, SortId::INT));
        let p = store.var("p", SortId::BOOL);
        let less = store.lt(x, y);
        let inner = store.forall(&[y], less);
        let either = store.or(&[p, inner]);
        let outer = store.forall(&[x], either);
        let (nest, matrix) = Nest::new(&mut store, outer);
        assert_eq!(nest.names().len(), 2);
        assert!(!store.has_quantifier(matrix));
        assert!(store.free_vars(&[matrix]).contains(&p));
        // Where the outer one is to be false of nothing, what is inside is a witness.
        let some = store.exists(&[x], either);
        let (nest, matrix) = Nest::new(&mut store, some);
        assert_eq!(nest.names().len(), 1);
        assert!(store.has_quantifier(matrix));
    }
}
