//! The cone of influence: conjuncts that matter for what is left after variables are eliminated.
//!
//! A conjunct `x = t` with an x that is to be eliminated and that no other conjunct mentions says
//! nothing about other variables: whatever they are, some x fits. Such conjuncts go, and others may
//! then have a variable to themselves. In a step of a transition system these are the equations for
//! the next values that nobody asks for, with all the conditions in them; an implicant would have to
//! justify each of these conditions.
//!
//! Invariant: under the existential quantifiers, what is left is equivalent to what was there.

use crate::linear::Linear;
use alphorn_term::parts::conjuncts;
use alphorn_term::{Op, SortId, Store, TermId};
use rustc_hash::FxHashMap;

/// Finds cones; remembers which variables conjuncts mention.
#[derive(Default)]
pub struct Cone {
    mentioned: FxHashMap<TermId, Box<[TermId]>>,
}

impl Cone {
    /// The conjuncts of the formulas that do not hold for some values of the variables `eliminate`
    /// whatever the other variables are.
    pub fn of(&mut self, store: &Store, formulas: &[TermId], eliminate: &[TermId]) -> Vec<TermId> {
        let conjuncts = conjuncts(store, formulas);
        let mut users: FxHashMap<TermId, Vec<usize>> =
            eliminate.iter().map(|&var| (var, Vec::new())).collect();
        for (place, &conjunct) in conjuncts.iter().enumerate() {
            for var in self.mentioned(store, conjunct) {
                if let Some(users) = users.get_mut(var) {
                    users.push(place);
                }
            }
        }
        let mut is_left = vec![true; conjuncts.len()];
        let is_lonely = |var: &TermId| users[var].len() == 1;
        let mut lonely: Vec<TermId> = eliminate.iter().copied().filter(is_lonely).collect();
        while let Some(var) = lonely.pop() {
            let &[place] = &users[&var][..] else { continue };
            let conjunct = conjuncts[place];
            if !is_left[place] || !self.is_satisfied_by(store, conjunct, var, true) {
                continue;
            }
            is_left[place] = false;
            for &other in self.mentioned(store, conjunct) {
                if let Some(users) = users.get_mut(&other) {
                    users.retain(|&user| user != place);
                    if users.len() == 1 {
                        lonely.push(other);
                    }
                }
            }
        }
        let left = conjuncts.into_iter().zip(is_left).filter(|(_, is_left)| *is_left);
        left.map(|(conjunct, _)| conjunct).collect()
    }

    fn mentioned(&mut self, store: &Store, term: TermId) -> &[TermId] {
        self.mentioned.entry(term).or_insert_with(|| store.free_vars(&[term]).into())
    }

    fn mentions(&mut self, store: &Store, term: TermId, var: TermId) -> bool {
        self.mentioned(store, term).contains(&var)
    }

    /// Whether some value of a variable gives a formula a truth value, whatever the other variables
    /// are; false if that is not plain to see.
    fn is_satisfied_by(&mut self, store: &Store, term: TermId, var: TermId, value: bool) -> bool {
        if term == var {
            return true;
        }
        let args = store.args(term);
        match (store.op(term), args) {
            (Op::Not, &[arg]) => self.is_satisfied_by(store, arg, var, !value),
            (Op::And | Op::Or, _) if (store.op(term) == Op::Or) == value => {
                args.iter().any(|&arg| self.is_satisfied_by(store, arg, var, value))
            }
            (Op::Ite, &[condition, then, otherwise]) => {
                !self.mentions(store, condition, var)
                    && self.is_satisfied_by(store, then, var, value)
                    && self.is_satisfied_by(store, otherwise, var, value)
            }
            (Op::Eq, &[left, right]) if store.sort(left) == SortId::BOOL => {
                [(left, right), (right, left)].into_iter().any(|(side, other)| {
                    !self.mentions(store, other, var)
                        && self.is_satisfied_by(store, side, var, true)
                        && self.is_satisfied_by(store, side, var, false)
                })
            }
            (Op::Eq | Op::Le | Op::Lt, &[left, right]) if store.sort(left).is_arithmetic() => {
                let is_equation = store.op(term) == Op::Eq && value;
                self.can_move(store, &Linear::difference(store, left, right), var, is_equation)
            }
            (Op::Eq, &[left, right]) if value => {
                (left == var && !self.mentions(store, right, var))
                    || (right == var && !self.mentions(store, left, var))
            }
            _ => false,
        }
    }

    /// Whether a variable can give a polynomial any sign, or, for an equation, the value zero.
    fn can_move(&mut self, store: &Store, form: &Linear, var: TermId, is_equation: bool) -> bool {
        let (coefficient, rest) = form.split(var);
        if coefficient.is_zero()
            || rest.terms.iter().any(|(atom, _)| self.mentions(store, *atom, var))
        {
            return false;
        }
        let is_int = store.sort(var) == SortId::INT;
        let is_whole = || {
            rest.is_over_integers(store)
                && rest.constant.is_integer()
                && rest.terms.iter().all(|(_, by)| by.is_integer())
        };
        !is_equation || !is_int || coefficient.abs().is_one() && is_whole()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_term::Int;

    fn vars(store: &mut Store, names: [&str; 3], sort: SortId) -> [TermId; 3] {
        names.map(|name| store.var(name, sort))
    }

    #[test]
    fn definitions_that_nobody_asks_for_go_one_after_the_other() {
        let mut store = Store::new();
        let [x, y, z] = vars(&mut store, ["x", "y", "z"], SortId::INT);
        let condition = store.var("c", SortId::BOOL);
        let (one, either) = (store.int(1), store.ite(condition, x, y));
        let next = store.add(&[either, one]);
        let first = store.eq(y, next);
        let sum = store.add(&[z, x]);
        let second = store.eq(sum, y);
        let guard = store.le(x, one);
        let all = store.and(&[first, second, guard]);
        let mut cone = Cone::default();
        assert_eq!(cone.of(&store, &[all], &[z]), [first, guard]);
        // y is on both sides of its equation, which is no definition then.
        assert_eq!(cone.of(&store, &[all], &[y, z]), [first, guard]);
        assert_eq!(cone.of(&store, &[all], &[y]), [first, second, guard]);
    }

    #[test]
    fn multiples_of_integers_are_no_definitions() {
        let mut store = Store::new();
        let [x, y, _] = vars(&mut store, ["x", "y", "z"], SortId::INT);
        let two = store.int(Int::from(2));
        let double = store.mk(Op::Mul, &[two, y]);
        let equation = store.eq(double, x);
        let bound = store.le(double, x);
        let mut cone = Cone::default();
        assert_eq!(cone.of(&store, &[equation], &[y]), [equation]);
        assert_eq!(cone.of(&store, &[bound], &[y]), []);
        let differ = store.not(equation);
        assert_eq!(cone.of(&store, &[differ], &[y]), []);
    }

    #[test]
    fn truth_values_are_treated_as_numbers_are() {
        let mut store = Store::new();
        let [a, b, c] = vars(&mut store, ["a", "b", "c"], SortId::BOOL);
        let both = store.and(&[b, c]);
        let equation = store.eq(a, both);
        let clause = store.or(&[b, a]);
        let mut cone = Cone::default();
        assert_eq!(cone.of(&store, &[equation], &[a]), []);
        assert_eq!(cone.of(&store, &[equation], &[b]), [equation]);
        assert_eq!(cone.of(&store, &[clause], &[a]), []);
        assert_eq!(cone.of(&store, &[equation, clause], &[a]), [equation, clause]);
    }
}
