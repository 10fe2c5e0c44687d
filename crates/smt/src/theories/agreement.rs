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

use alphorn_sat::{Context, FinalCheck, Lit};
use alphorn_term::{Rat, SortId, TermId};
use rustc_hash::FxHashMap;

use crate::arith::{Delta, Var as Form};
use crate::euf::Node;
use crate::linear::Linear;
use crate::theories::Theories;
use crate::theories::arithmetic::encode::polynomial;
use crate::theories::atoms::{at_most, below};
use crate::theories::encode::Encoding;
use crate::theories::theory::Theory;

/// A polynomial over the unknowns of `arith`.
pub(crate) type Polynomial = (Vec<(Form, Rat)>, Rat);

/// A number that both theories know.
pub(crate) struct SharedNumber {
    /// What congruence knows it as.
    pub(crate) node: Node,
    /// What arithmetic knows it as.
    pub(crate) polynomial: Polynomial,
    pub(crate) is_int: bool,
    /// The places below functions where it stands; empty for mere values.
    pub(crate) places: Vec<u64>,
}

/// All numbers that both theories know.
#[derive(Default)]
pub(crate) struct Agreement {
    pub(crate) numbers: Vec<SharedNumber>,
    pub(crate) index: FxHashMap<Node, usize>,
}

impl Agreement {
    /// Whether a shared number need not be an integer.
    pub(crate) fn has_reals(&self) -> bool {
        self.numbers.iter().any(|number| !number.is_int)
    }
}

impl Theory for Agreement {
    fn share(cx: &mut Encoding<'_>, term: TermId, place: Option<u64>) {
        let sort = cx.store.sort(term);
        if !sort.is_arithmetic() || cx.theory().equality.tokens.contains(&term) {
            return;
        }
        let node = cx.theory().equality.nodes[&term];
        if !cx.theory().agreement.index.contains_key(&node) {
            let linear = Linear::of(cx.store, term);
            let polynomial = polynomial(cx, &linear);
            let shared = &mut cx.theory_mut().agreement;
            shared.index.insert(node, shared.numbers.len());
            let is_int = sort == SortId::INT;
            shared.numbers.push(SharedNumber { node, polynomial, is_int, places: Vec::new() });
        }
        let shared = &mut cx.theory_mut().agreement;
        let places = &mut shared.numbers[shared.index[&node]].places;
        if let Some(place) = place.filter(|place| !places.contains(place)) {
            places.push(place);
        }
    }

    fn final_check(theories: &mut Theories, context: &mut Context<'_>) -> FinalCheck {
        match agree(theories, context) {
            true => FinalCheck::Consistent,
            false => FinalCheck::GoOn,
        }
    }
}

/// The numbers of a model, by unknown.
pub(crate) fn numbers(theories: &Theories) -> Vec<Rat> {
    if !theories.agreement.has_reals() {
        return theories.arithmetic.simplex.model();
    }
    // Numbers that functions take must stay different when the infinitesimal gets a value.
    let mut shared = shared_values(theories);
    shared.sort_unstable();
    shared.dedup();
    let mut epsilon = theories.arithmetic.simplex.epsilon();
    let at = |value: &Delta, epsilon: &Rat| &value.value + &(&value.epsilon * epsilon);
    loop {
        let mut numbers: Vec<Rat> = shared.iter().map(|value| at(value, &epsilon)).collect();
        numbers.sort_unstable();
        if numbers.windows(2).all(|pair| pair[0] != pair[1]) {
            break;
        }
        epsilon = &epsilon / &Rat::from(2);
    }
    let forms = (0..theories.arithmetic.simplex.vars() as u32).map(Form);
    forms.map(|form| at(theories.arithmetic.simplex.value(form), &epsilon)).collect()
}

/// What the numbers that both theories know are.
pub(crate) fn shared_values(theories: &Theories) -> Vec<Delta> {
    theories.agreement.numbers.iter().map(|number| value_of(theories, number)).collect()
}

fn value_of(theories: &Theories, number: &SharedNumber) -> Delta {
    let (terms, constant) = &number.polynomial;
    let mut sum = Delta { value: constant.clone(), epsilon: Rat::ZERO };
    for (form, factor) in terms {
        let value = theories.arithmetic.simplex.value(*form);
        sum.value = &sum.value + &(&value.value * factor);
        sum.epsilon = &sum.epsilon + &(&value.epsilon * factor);
    }
    sum
}

/// Looks whether the theories agree; if not, says what they have to settle.
fn agree(theories: &mut Theories, context: &mut Context<'_>) -> bool {
    if theories.agreement.numbers.is_empty() {
        return true;
    }
    let values = shared_values(theories);
    let mut leaders: FxHashMap<Node, usize> = FxHashMap::default();
    let mut apart = Vec::new();
    for (index, number) in theories.agreement.numbers.iter().enumerate() {
        let leader = *leaders.entry(theories.equality.closure.root(number.node)).or_insert(index);
        if values[leader] != values[index] {
            apart.push((leader, index));
        }
    }
    if !apart.is_empty() {
        for (left, right) in apart {
            state_equal(theories, left, right, context);
        }
        return false;
    }
    let mut together: FxHashMap<(u64, &Delta), usize> = FxHashMap::default();
    let mut pairs = Vec::new();
    for (index, number) in theories.agreement.numbers.iter().enumerate() {
        for place in &number.places {
            let first = *together.entry((*place, &values[index])).or_insert(index);
            let left = theories.agreement.numbers[first].node;
            if theories.equality.closure.root(left) != theories.equality.closure.root(number.node) {
                pairs.push((first, index));
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    for &(left, right) in &pairs {
        theories.stats.arrangements += 1;
        let lit = equation(theories, left, right, context);
        theories.justification.split(lit.var());
    }
    pairs.is_empty()
}

/// States that two numbers are equal because their nodes are.
fn state_equal(theories: &mut Theories, left: usize, right: usize, context: &mut Context<'_>) {
    let lit = equation(theories, left, right, context);
    let (left, right) =
        (theories.agreement.numbers[left].node, theories.agreement.numbers[right].node);
    let mut tags = Vec::new();
    theories.equality.closure.explain_equal(left, right, &mut tags);
    let mut clause: Vec<Lit> = tags.iter().map(|tag| !Lit::from_code(*tag)).collect();
    clause.push(lit);
    context.lemma(&clause);
}

/// The literal that two shared numbers are equal, tied to its bounds if it has to be made.
fn equation(theories: &mut Theories, left: usize, right: usize, context: &mut Context<'_>) -> Lit {
    let nodes = (theories.agreement.numbers[left].node, theories.agreement.numbers[right].node);
    if let Some(lit) = theories.atoms.equality(nodes.0, nodes.1) {
        bind(theories, lit, left, right, context);
        return lit;
    }
    let equation = context.new_var();
    theories.atoms.add_equality(equation, nodes.0, nodes.1);
    theories.equality.closure.watch_equality(nodes.0, nodes.1, equation.0);
    let lit = equation.positive();
    bind(theories, lit, left, right, context);
    lit
}

/// Ties the literal that two shared numbers are equal to its bounds.
///
/// What is true already is not stated; what was stated once may have been forgotten since.
fn bind(theories: &mut Theories, lit: Lit, left: usize, right: usize, context: &mut Context<'_>) {
    let state = |context: &mut Context<'_>, clause: &[Lit]| {
        if clause.iter().all(|lit| context.value(*lit) != Some(true)) {
            context.lemma(clause);
        }
    };
    match difference(theories, left, right) {
        Err(is_zero) => state(context, &[lit.xor(!is_zero)]),
        Ok((form, number)) => {
            let is_int = theories.arithmetic.simplex.is_int(form);
            if is_int && !number.is_integer() {
                state(context, &[!lit]);
                return;
            }
            let at_most = upper(theories, form, at_most(&number, false, is_int), context);
            let at_least = !upper(theories, form, below(&number, false, is_int), context);
            state(context, &[!lit, at_most]);
            state(context, &[!lit, at_least]);
            state(context, &[lit, !at_most, !at_least]);
            theories.justification.define_and(lit, [at_most, at_least]);
        }
    }
}

/// The form and the number that it equals exactly when two shared numbers are equal; whether
/// they are, where no form is needed.
fn difference(theories: &mut Theories, left: usize, right: usize) -> Result<(Form, Rat), bool> {
    let (left, right) = (&theories.agreement.numbers[left], &theories.agreement.numbers[right]);
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
    Ok((theories.arithmetic.form(&terms), -(&constant * &factor)))
}

/// The literal of an upper bound, made if there is none.
fn upper(theories: &mut Theories, form: Form, bound: Delta, context: &mut Context<'_>) -> Lit {
    if let Some(lit) = theories.atoms.upper(form, &bound) {
        return lit;
    }
    let var = context.new_var();
    theories.arithmetic.simplex.watch(form, true);
    theories.atoms.add_upper(var, form, bound);
    var.positive()
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
