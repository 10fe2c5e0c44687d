//! Bound variables that others determine.
//!
//! `∀x y. P(x) ∧ y = x + 1 ⇒ P(y)` says something for `y = x + 1` alone: other instances are true
//! already. So `y` needs no trigger; it gets the term `x + 1` once `x` has one. Looked for are the
//! equations that hold where the body fails, each solved for one variable, such that all terms
//! mention only variables that stay.
//!
//! Invariant: a body is as wanted wherever some variable differs from its term, so that instances
//! with the terms are all that is needed.
//!
//! The destructive equality resolution of de Moura, Bjørner, Efficient E-matching for SMT solvers
//! (CADE 2007), without changing the formula, so that instances are instances of it.

use alphorn_term::{Op, Rat, SortId, Store, Substitution, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::linear::Linear;
use crate::project::solve_words;

/// Variables of a quantified formula with the terms that determine them, over the others.
pub(super) fn determined(store: &mut Store, quantifier: TermId) -> Vec<(TermId, TermId)> {
    let vars = store.bound_vars(quantifier).to_vec();
    let body = store.args(quantifier)[vars.len()];
    resolved(store, &vars, body, store.op(quantifier) == Op::Exists)
}

/// Variables with the terms over the others that they are wherever a formula has a truth value.
///
/// Each equation is taken as it stands, as the definition of a variable that its term does not lead back
/// to; terms are put together at the end. So a circuit with an equation per gate takes about as long as it is large.
pub(super) fn resolved(
    store: &mut Store,
    vars: &[TermId],
    formula: TermId,
    value: bool,
) -> Vec<(TermId, TermId)> {
    let all: FxHashSet<TermId> = vars.iter().copied().collect();
    let mut found = Definitions { open: all.clone(), ..Definitions::default() };
    for (left, right) in equations(store, formula, value) {
        if let Some((var, term)) = solved(store, &found, left, right) {
            found.open.remove(&var);
            let inside = store.free_vars(&[term]);
            let inside = inside.into_iter().filter(|other| all.contains(other)).collect();
            found.terms.insert(var, (term, inside));
            found.order.push(var);
        }
    }
    found.together(store)
}

/// Definitions of variables that do not lead back to themselves.
#[derive(Default)]
struct Definitions {
    /// Variables that have none.
    open: FxHashSet<TermId>,
    /// The terms of the others, and the variables in them.
    terms: FxHashMap<TermId, (TermId, Vec<TermId>)>,
    /// The others in the order in which they were found.
    order: Vec<TermId>,
}

impl Definitions {
    /// Whether what a term mentions leads to a variable.
    fn leads_to(&self, store: &Store, term: TermId, var: TermId) -> bool {
        let mut stack = store.free_vars(&[term]);
        let mut seen = FxHashSet::default();
        while let Some(other) = stack.pop() {
            if other == var {
                return true;
            }
            if seen.insert(other)
                && let Some((_, inside)) = self.terms.get(&other)
            {
                stack.extend(inside);
            }
        }
        false
    }

    /// The terms, over variables that have none.
    fn together(&self, store: &mut Store) -> Vec<(TermId, TermId)> {
        let mut done = Substitution::default();
        for &root in &self.order {
            let mut stack = vec![(root, false)];
            while let Some((var, is_ready)) = stack.pop() {
                let Some((term, inside)) = self.terms.get(&var) else { continue };
                if done.contains_key(&var) {
                    continue;
                }
                if is_ready {
                    let inside =
                        inside.iter().filter_map(|other| Some((*other, *done.get(other)?)));
                    let term = store.substitute(*term, &inside.collect());
                    done.insert(var, term);
                } else {
                    stack.push((var, true));
                    stack.extend(inside.iter().map(|other| (*other, false)));
                }
            }
        }
        self.order.iter().map(|var| (*var, done[var])).collect()
    }
}

/// The equations that hold wherever a formula has a truth value; a variable alone is an equation, too.
fn equations(store: &Store, root: TermId, value: bool) -> Vec<(TermId, TermId)> {
    let mut found = Vec::new();
    let mut stack = vec![(root, value)];
    while let Some((term, value)) = stack.pop() {
        let args = store.args(term);
        match (store.op(term), value) {
            (Op::Not, _) => stack.push((args[0], !value)),
            (Op::And, true) | (Op::Or, false) => {
                stack.extend(args.iter().rev().map(|arg| (*arg, value)));
            }
            (Op::Eq, true) if args.len() == 2 => found.push((args[0], args[1])),
            (Op::Var(_), _) => found.push((term, if value { TermId::TRUE } else { TermId::FALSE })),
            _ => {}
        }
    }
    found
}

/// An equation as a variable that has no term yet, and a term that does not lead to it.
fn solved(
    store: &mut Store,
    known: &Definitions,
    left: TermId,
    right: TermId,
) -> Option<(TermId, TermId)> {
    if store.has_quantifier(left) || store.has_quantifier(right) {
        return None;
    }
    for (var, term) in [(left, right), (right, left)] {
        if known.open.contains(&var) && !known.leads_to(store, term, var) {
            return Some((var, term));
        }
    }
    let sort = store.sort(left);
    if store.width_of(sort).is_some() {
        let found = solve_words(store, left, right, &known.open);
        return found.filter(|(var, term)| !known.leads_to(store, *term, *var));
    }
    if !sort.is_arithmetic() {
        return None;
    }
    let sum = Linear::difference(store, left, right);
    let is_whole = sum.constant.is_integer() && sum.terms.iter().all(|(_, f)| f.is_integer());
    for (var, factor) in &sum.terms {
        let is_unit = sort != SortId::INT || (is_whole && factor.abs() == Rat::ONE);
        if known.open.contains(var) && store.sort(*var) == sort && is_unit {
            let (_, mut rest) = sum.split(*var);
            rest.scale(&-factor.recip()?);
            let term = rest.to_term(store, sort);
            if !known.leads_to(store, term, *var) {
                return Some((*var, term));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_of_the_body_are_solved_one_by_one() {
        let mut store = Store::new();
        let p = store.declare("p", &[SortId::INT], SortId::BOOL);
        let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, SortId::INT));
        let (one, two) = (store.int(1), store.int(2));
        let [px, pz] = [x, z].map(|var| store.mk(Op::Apply(p), &[var]));
        // z = y + 1 and x - y = -2, in this order.
        let next = store.add(&[y, one]);
        let first = store.eq(z, next);
        let sum = store.add(&[x, two]);
        let second = store.eq(sum, y);
        let body = store.and(&[px, first, second]);
        let holds = store.implies(body, pz);
        let all = store.forall(&[x, y, z], holds);
        let found = determined(&mut store, all);
        let three = store.int(3);
        let later = store.add(&[x, three]);
        assert_eq!(found.len(), 2);
        assert!(found.contains(&(y, sum)) && found.contains(&(z, later)), "{found:?}");
        // The other way round they say nothing.
        let none = store.exists(&[x, y, z], holds);
        assert_eq!(determined(&mut store, none), vec![]);
        let some = store.exists(&[x, y, z], body);
        assert_eq!(determined(&mut store, some).len(), 2);
    }

    #[test]
    fn definitions_do_not_lead_back_to_themselves_and_words_are_undone() {
        let mut store = Store::new();
        let sort = store.bv_sort(8);
        let [x, y, z, w] = ["x", "y", "z", "w"].map(|name| store.var(name, sort));
        let one = store.bv(alphorn_term::Bv::from_u64(8, 1));
        let [after_x, after_y] = [x, y].map(|var| store.mk(Op::BvAdd, &[var, one]));
        // x is y + 1 and y is x + 1; z + 1 is w xor x.
        let first = store.eq(x, after_y);
        let second = store.eq(y, after_x);
        let (after_z, mixed) = (store.mk(Op::BvAdd, &[z, one]), store.mk(Op::BvXor, &[w, x]));
        let third = store.eq(after_z, mixed);
        let body = store.and(&[first, second, third]);
        let some = store.exists(&[x, y, z], body);
        let found = determined(&mut store, some);
        let vars: Vec<TermId> = found.iter().map(|(var, _)| *var).collect();
        assert_eq!(vars, vec![x, z]);
        for (_, term) in found {
            let free = store.free_vars(&[term]);
            assert!(free.iter().all(|var| *var == y || *var == w), "{free:?}");
        }
    }

    #[test]
    fn a_variable_inside_of_its_own_term_is_not_determined() {
        let mut store = Store::new();
        let f = store.declare("f", &[SortId::INT], SortId::INT);
        let x = store.var("x", SortId::INT);
        let fx = store.mk(Op::Apply(f), &[x]);
        let fixed = store.eq(x, fx);
        let different = store.not(fixed);
        let all = store.forall(&[x], different);
        assert_eq!(determined(&mut store, all), vec![]);
        let two = store.int(2);
        let twice = store.mul(&[two, x]);
        let even = store.eq(twice, fx);
        let odd = store.not(even);
        let all = store.forall(&[x], odd);
        assert_eq!(determined(&mut store, all), vec![]);
    }
}
