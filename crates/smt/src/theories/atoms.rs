//! What the literals of the search mean to the theories.
//!
//! A comparison of numbers is a bound on a linear form with coprime integer coefficients whose first
//! one is positive: `3 - 2x - 2y < 0` over the integers is `x + y >= 2`. Forms are unknowns of `arith`,
//! and each pair of a form and an upper bound is one variable of the search: its literal says that
//! the form is at most the bound, its negation that it is above. Over the integers bounds are
//! rounded, so that branching needs no lemma: `¬(x <= k)` is `x >= k + 1`.
//!
//! Invariant: `uppers` of a form ascend, and have each bound once.

use alphorn_sat::{Lit, Var};
use alphorn_term::{Int, Rat};
use rustc_hash::FxHashMap;

use crate::arith::{Bound, Delta, Side, Var as Form};
use crate::euf::Node;

/// What a variable of the search says.
#[derive(Clone, Debug, Default)]
pub(crate) enum Meaning {
    /// Nothing that a theory has to know.
    #[default]
    Plain,
    /// The form is at most the bound.
    Upper(Form, Delta),
    /// The nodes are equal.
    Equal(Node, Node),
}

/// The meanings of all variables.
#[derive(Default)]
pub(crate) struct Atoms {
    meanings: Vec<Meaning>,
    /// Nodes that are true or false as the variable is.
    truths: Vec<Option<Node>>,
    /// For each form its upper bounds that are variables, ascending.
    uppers: Vec<Vec<(Delta, Var)>>,
    equalities: FxHashMap<(Node, Node), Lit>,
}

impl Atoms {
    fn grow(&mut self, var: Var) {
        if self.meanings.len() <= var.index() {
            self.meanings.resize_with(var.index() + 1, Meaning::default);
            self.truths.resize(var.index() + 1, None);
        }
    }

    /// What a variable says.
    pub(crate) fn meaning(&self, var: Var) -> &Meaning {
        self.meanings.get(var.index()).unwrap_or(&Meaning::Plain)
    }

    /// The node that is true or false as the variable is.
    pub(crate) fn truth(&self, var: Var) -> Option<Node> {
        self.truths.get(var.index()).copied().flatten()
    }

    /// Whether a theory has to know the variable's value.
    pub(crate) fn is_theory(&self, var: Var) -> bool {
        !matches!(self.meaning(var), Meaning::Plain) || self.truth(var).is_some()
    }

    /// The literal for an upper bound, if there is one.
    pub(crate) fn upper(&self, form: Form, bound: &Delta) -> Option<Lit> {
        let uppers = self.uppers.get(form.0 as usize)?;
        let place = uppers.binary_search_by(|(other, _)| other.cmp(bound)).ok()?;
        Some(uppers[place].1.positive())
    }

    /// Makes `var` say that the form is at most the bound.
    pub(crate) fn add_upper(&mut self, var: Var, form: Form, bound: Delta) {
        self.grow(var);
        if self.uppers.len() <= form.0 as usize {
            self.uppers.resize_with(form.0 as usize + 1, Vec::new);
        }
        let uppers = &mut self.uppers[form.0 as usize];
        let place = uppers.partition_point(|(other, _)| *other < bound);
        uppers.insert(place, (bound.clone(), var));
        self.meanings[var.index()] = Meaning::Upper(form, bound);
    }

    /// The upper bounds of a form that are variables, ascending.
    pub(crate) fn uppers(&self, form: Form) -> &[(Delta, Var)] {
        self.uppers.get(form.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// The literal that says that two nodes are equal, if there is one.
    pub(crate) fn equality(&self, left: Node, right: Node) -> Option<Lit> {
        self.equalities.get(&ordered(left, right)).copied()
    }

    /// Makes `var` say that two nodes are equal.
    pub(crate) fn add_equality(&mut self, var: Var, left: Node, right: Node) {
        self.grow(var);
        self.meanings[var.index()] = Meaning::Equal(left, right);
        self.equalities.insert(ordered(left, right), var.positive());
    }

    /// Makes a node true or false as `var` is.
    pub(crate) fn add_truth(&mut self, var: Var, node: Node) {
        self.grow(var);
        self.truths[var.index()] = Some(node);
    }

    /// The bound that a true literal states.
    pub(crate) fn bound(&self, lit: Lit, is_int: impl Fn(Form) -> bool) -> Option<Bound> {
        let Meaning::Upper(form, upper) = self.meaning(lit.var()) else { return None };
        let (side, value) = match lit.is_negated() {
            false => (Side::Upper, upper.clone()),
            true => (Side::Lower, above(upper, is_int(*form))),
        };
        Some(Bound { var: *form, side, value })
    }
}

fn ordered(left: Node, right: Node) -> (Node, Node) {
    if left.0 <= right.0 { (left, right) } else { (right, left) }
}

/// The lower bound that being above an upper bound means.
pub(crate) fn above(upper: &Delta, is_int: bool) -> Delta {
    if is_int {
        return Delta { value: &upper.value + &Rat::ONE, epsilon: Rat::ZERO };
    }
    let epsilon = if upper.epsilon.is_zero() { Rat::ONE } else { Rat::ZERO };
    Delta { value: upper.value.clone(), epsilon }
}

/// The largest value that is at most, or below, a number: as an upper bound.
pub(crate) fn at_most(number: &Rat, is_strict: bool, is_int: bool) -> Delta {
    if is_int {
        let floor = number.floor();
        let value = if is_strict && number.is_integer() { &floor - &Int::ONE } else { floor };
        return Delta { value: Rat::from(value), epsilon: Rat::ZERO };
    }
    let epsilon = if is_strict { -Rat::ONE } else { Rat::ZERO };
    Delta { value: number.clone(), epsilon }
}

/// The upper bound whose negation is to be at least, or above, a number.
pub(crate) fn below(number: &Rat, is_strict: bool, is_int: bool) -> Delta {
    if is_int {
        // x >= c is ¬(x <= ⌈c⌉ - 1), and x > c is ¬(x <= ⌊c⌋).
        let value = if is_strict { number.floor() } else { &number.ceil() - &Int::ONE };
        return Delta { value: Rat::from(value), epsilon: Rat::ZERO };
    }
    let epsilon = if is_strict { Rat::ZERO } else { -Rat::ONE };
    Delta { value: number.clone(), epsilon }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numerator: i64, denominator: i64) -> Rat {
        &Rat::from(numerator) / &Rat::from(denominator)
    }

    #[test]
    fn integer_bounds_are_rounded() {
        assert_eq!(at_most(&ratio(7, 2), false, true).value, Rat::from(3));
        assert_eq!(at_most(&Rat::from(3), true, true).value, Rat::from(2));
        assert_eq!(below(&ratio(7, 2), false, true).value, Rat::from(3));
        assert_eq!(below(&Rat::from(3), false, true).value, Rat::from(2));
        assert_eq!(below(&Rat::from(3), true, true).value, Rat::from(3));
    }

    #[test]
    fn negations_of_real_bounds_are_strict_the_other_way() {
        let strict = at_most(&Rat::ONE, true, false);
        assert_eq!(above(&strict, false), Delta { value: Rat::ONE, epsilon: Rat::ZERO });
        let weak = at_most(&Rat::ONE, false, false);
        assert_eq!(above(&weak, false), Delta { value: Rat::ONE, epsilon: Rat::ONE });
    }
}
