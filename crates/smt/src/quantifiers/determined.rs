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

use crate::linear::Linear;

/// Variables of a quantified formula with the terms that determine them, over the others.
pub(super) fn determined(store: &mut Store, quantifier: TermId) -> Vec<(TermId, TermId)> {
    let vars = store.bound_vars(quantifier).to_vec();
    let body = store.args(quantifier)[vars.len()];
    let mut found: Vec<(TermId, TermId)> = Vec::new();
    for (left, right) in equations(store, body, store.op(quantifier) == Op::Exists) {
        let map: Substitution = found.iter().copied().collect();
        let [left, right] = [left, right].map(|side| store.substitute(side, &map));
        let Some((var, term)) = solved(store, &vars, left, right) else { continue };
        let own = Substitution::from_iter([(var, term)]);
        for (_, earlier) in &mut found {
            *earlier = store.substitute(*earlier, &own);
        }
        found.push((var, term));
    }
    found
}

/// The equations that hold wherever a formula has a truth value.
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
            _ => {}
        }
    }
    found
}

/// An equation as a variable and a term that does not mention it.
fn solved(
    store: &mut Store,
    vars: &[TermId],
    left: TermId,
    right: TermId,
) -> Option<(TermId, TermId)> {
    for (var, term) in [(left, right), (right, left)] {
        let is_solved = vars.contains(&var) && !store.free_vars(&[term]).contains(&var);
        if is_solved && !store.has_quantifier(term) {
            return Some((var, term));
        }
    }
    let sort = store.sort(left);
    if !sort.is_arithmetic() || store.has_quantifier(left) || store.has_quantifier(right) {
        return None;
    }
    let sum = Linear::difference(store, left, right);
    let is_whole = sum.constant.is_integer() && sum.terms.iter().all(|(_, f)| f.is_integer());
    for (var, factor) in &sum.terms {
        let is_unit = sort != SortId::INT || (is_whole && factor.abs() == Rat::ONE);
        let others: Vec<TermId> =
            sum.terms.iter().map(|(atom, _)| *atom).filter(|atom| atom != var).collect();
        if vars.contains(var)
            && store.sort(*var) == sort
            && is_unit
            && !store.free_vars(&others).contains(var)
        {
            let (_, mut rest) = sum.split(*var);
            rest.scale(&-factor.recip()?);
            return Some((*var, rest.to_term(store, sort)));
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
