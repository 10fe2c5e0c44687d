//! How arithmetic and equality agree on the numbers that functions take and give.
//!
//! A number below a function, or the value of one, is known to both theories: a node of `euf` and a
//! polynomial over the unknowns of `arith`. A complete assignment is a model of both if
//!
//! 1. nodes that are equal have equal numbers, and
//! 2. nodes that take the same place below the same function and have equal numbers are equal.
//!
//! Where 1 fails, the equation follows from what `euf` knows and is stated as a lemma. Where 2
//! fails, the equation becomes a literal, and the search decides it. Every equation of numbers is
//! tied to its two bounds by clauses, so arithmetic needs to know nothing of nodes.
//!
//! After de Moura, Bjørner, Model-based theory combination (SMT 2007).

use alphorn_sat::{Context, Lit};
use alphorn_term::Rat;
use rustc_hash::FxHashMap;

use crate::arith::{Delta, Var as Form};
use crate::atoms::{at_most, below};
use crate::euf::Node;
use crate::theory::Theories;

/// A polynomial over the unknowns of `arith`.
pub(crate) type Polynomial = (Vec<(Form, Rat)>, Rat);

/// A number that both theories know.
pub(crate) struct SharedNumber {
    /// The node of it.
    pub(crate) node: Node,
    /// What arithmetic knows it as.
    pub(crate) polynomial: Polynomial,
    pub(crate) is_int: bool,
    /// The places below functions where it stands; empty for mere values.
    pub(crate) places: Vec<u64>,
}

/// All numbers that both theories know.
#[derive(Default)]
pub(crate) struct Shared {
    pub(crate) numbers: Vec<SharedNumber>,
    pub(crate) index: FxHashMap<Node, usize>,
    /// Equations made during a search, to be given terms when somebody asks: the literal's
    /// variable, and the two nodes.
    pub(crate) equations: Vec<(alphorn_sat::Var, Node, Node)>,
}

impl Shared {
    /// Whether a shared number need not be an integer.
    pub(crate) fn has_reals(&self) -> bool {
        self.numbers.iter().any(|number| !number.is_int)
    }
}

impl Theories {
    /// What the numbers that both theories know are.
    pub(crate) fn shared_values(&self) -> Vec<Delta> {
        self.shared.numbers.iter().map(|number| self.value_of(number)).collect()
    }

    fn value_of(&self, number: &SharedNumber) -> Delta {
        let (terms, constant) = &number.polynomial;
        let mut sum = Delta { value: constant.clone(), epsilon: Rat::ZERO };
        for (form, factor) in terms {
            let value = self.arith.value(*form);
            sum.value = &sum.value + &(&value.value * factor);
            sum.epsilon = &sum.epsilon + &(&value.epsilon * factor);
        }
        sum
    }

    /// Looks whether the theories agree; if not, says what they have to settle.
    pub(crate) fn agree(&mut self, context: &mut Context<'_>) -> bool {
        if self.shared.numbers.is_empty() {
            return true;
        }
        let values = self.shared_values();
        let mut leaders: FxHashMap<Node, usize> = FxHashMap::default();
        let mut apart = Vec::new();
        for (index, number) in self.shared.numbers.iter().enumerate() {
            let leader = *leaders.entry(self.euf.root(number.node)).or_insert(index);
            if values[leader] != values[index] {
                apart.push((leader, index));
            }
        }
        if !apart.is_empty() {
            for (left, right) in apart {
                self.state_equal(left, right, context);
            }
            return false;
        }
        let mut together: FxHashMap<(u64, &Delta), usize> = FxHashMap::default();
        let mut pairs = Vec::new();
        for (index, number) in self.shared.numbers.iter().enumerate() {
            for place in &number.places {
                let first = *together.entry((*place, &values[index])).or_insert(index);
                let left = self.shared.numbers[first].node;
                if self.euf.root(left) != self.euf.root(number.node) {
                    pairs.push((first, index));
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        for &(left, right) in &pairs {
            self.stats.arrangements += 1;
            let lit = self.equation(left, right, context);
            self.justification.split(lit.var());
        }
        pairs.is_empty()
    }

    /// States that two numbers are equal because their nodes are.
    fn state_equal(&mut self, left: usize, right: usize, context: &mut Context<'_>) {
        let lit = self.equation(left, right, context);
        let (left, right) = (self.shared.numbers[left].node, self.shared.numbers[right].node);
        let mut tags = Vec::new();
        self.euf.explain_equal(left, right, &mut tags);
        let mut clause: Vec<Lit> = tags.iter().map(|tag| !Lit::from_code(*tag)).collect();
        clause.push(lit);
        context.lemma(&clause);
    }

    /// The literal that two shared numbers are equal, tied to its bounds if it has to be made.
    fn equation(&mut self, left: usize, right: usize, context: &mut Context<'_>) -> Lit {
        let nodes = (self.shared.numbers[left].node, self.shared.numbers[right].node);
        if let Some(lit) = self.atoms.equality(nodes.0, nodes.1) {
            self.bind(lit, left, right, context);
            return lit;
        }
        let equation = context.new_var();
        self.atoms.add_equality(equation, nodes.0, nodes.1);
        self.euf.watch_equality(nodes.0, nodes.1, equation.0);
        self.shared.equations.push((equation, nodes.0, nodes.1));
        let lit = equation.positive();
        self.bind(lit, left, right, context);
        lit
    }

    /// Ties the literal that two shared numbers are equal to its bounds.
    ///
    /// What is true already is not stated; what was stated once may have been forgotten since.
    fn bind(&mut self, lit: Lit, left: usize, right: usize, context: &mut Context<'_>) {
        let state = |context: &mut Context<'_>, clause: &[Lit]| {
            if clause.iter().all(|lit| context.value(*lit) != Some(true)) {
                context.lemma(clause);
            }
        };
        match self.difference(left, right) {
            Err(is_zero) => state(context, &[lit.xor(!is_zero)]),
            Ok((form, number)) => {
                let is_int = self.arith.is_int(form);
                if is_int && !number.is_integer() {
                    state(context, &[!lit]);
                    return;
                }
                let at_most = self.upper(form, at_most(&number, false, is_int), context);
                let at_least = !self.upper(form, below(&number, false, is_int), context);
                state(context, &[!lit, at_most]);
                state(context, &[!lit, at_least]);
                state(context, &[lit, !at_most, !at_least]);
                self.justification.define_and(lit, [at_most, at_least]);
            }
        }
    }

    /// The form and the number that it equals exactly when two shared numbers are equal; whether
    /// they are, where no form is needed.
    fn difference(&mut self, left: usize, right: usize) -> Result<(Form, Rat), bool> {
        let (left, right) = (&self.shared.numbers[left], &self.shared.numbers[right]);
        let mut terms: FxHashMap<Form, Rat> = FxHashMap::default();
        for (sign, number) in [(Rat::ONE, left), (-Rat::ONE, right)] {
            for (form, factor) in &number.polynomial.0 {
                let sum = terms.entry(*form).or_default();
                *sum = &*sum + &(factor * &sign);
            }
        }
        let constant = &left.polynomial.1 - &right.polynomial.1;
        let mut terms: Vec<(Form, Rat)> =
            terms.into_iter().filter(|(_, factor)| !factor.is_zero()).collect();
        terms.sort_unstable_by_key(|(form, _)| *form);
        if terms.is_empty() {
            return Err(constant.is_zero());
        }
        let factor = normalizing_factor(&terms);
        terms.iter_mut().for_each(|(_, value)| *value = &*value * &factor);
        Ok((self.form(&terms), -(&constant * &factor)))
    }

    /// The unknown that a linear form is, whose definition is remembered.
    pub(crate) fn form(&mut self, terms: &[(Form, Rat)]) -> Form {
        let form = self.arith.form(terms);
        self.forms.entry(form).or_insert_with(|| terms.to_vec());
        form
    }

    /// The literal of an upper bound, made if there is none.
    fn upper(&mut self, form: Form, bound: Delta, context: &mut Context<'_>) -> Lit {
        if let Some(lit) = self.atoms.upper(form, &bound) {
            return lit;
        }
        let var = context.new_var();
        self.arith.watch(form, true);
        self.atoms.add_upper(var, form, bound);
        var.positive()
    }
}

/// The number that makes coefficients coprime integers, the first one positive.
pub(crate) fn normalizing_factor<T>(terms: &[(T, Rat)]) -> Rat {
    let mut numerators = alphorn_term::Int::ZERO;
    let mut denominators = alphorn_term::Int::ONE;
    for (_, value) in terms {
        numerators = numerators.gcd(&value.numerator());
        denominators = denominators.lcm(&value.denominator());
    }
    let factor = &Rat::from(denominators) / &Rat::from(numerators);
    match terms.first() {
        Some((_, first)) if first.is_negative() => -factor,
        _ => factor,
    }
}
