//! How arithmetic and equality agree on the numbers that functions take and give.
//!
//! A number below a function, or the value of one, is known to both theories: a node of `euf` and a
//! polynomial over the unknowns of `arith`. A complete assignment is a model of both if
//!
//! 1. nodes that are equal have equal numbers, and
//! 2. applications of a function that matter (`care`) are equal if their arguments are, equal numbers included.
//!
//! Where 1 fails, the equation follows from what `euf` knows and is stated as a lemma. Where 2
//! fails, the equation of two numbers becomes a literal, and the search decides it. Every equation of numbers is
//! tied to its two bounds by clauses, so arithmetic needs to know nothing of nodes.
//!
//! After de Moura, Bjørner, Model-based theory combination (SMT 2007).

use alphorn_sat::{Context, FinalCheck, Lit, Var};
use alphorn_term::{Op, Rat, SortId, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::arith::{Arith, Delta, Var as Form};
use crate::euf::Node;
use crate::linear::Linear;
use crate::settings::AGREEMENT_ROUNDS;
use crate::theories::arithmetic::encode::polynomial;
use crate::theories::atoms::{at_most, below};
use crate::theories::care::Care;
use crate::theories::encode::Encoding;
use crate::theories::theory::{Congruence, Theory};
use crate::theories::{Table, Theories};

/// A polynomial over the unknowns of `arith`.
pub(crate) type Polynomial = (Vec<(Form, Rat)>, Rat);

/// A number that both theories know.
pub(crate) struct SharedNumber {
    /// What congruence knows it as.
    pub(crate) node: Node,
    /// What arithmetic knows it as.
    pub(crate) polynomial: Polynomial,
    pub(crate) is_int: bool,
}

/// All numbers that both theories know.
#[derive(Default)]
pub(crate) struct Agreement {
    pub(crate) numbers: Vec<SharedNumber>,
    pub(crate) index: FxHashMap<Node, usize>,
    /// Applications of functions to them.
    applications: Vec<Node>,
    /// Those that are trees of codatatypes.
    trees: FxHashSet<Node>,
    /// Which clauses tie an equation to its bounds, of those that were stated, by its variable.
    bound: FxHashMap<Var, [bool; 3]>,
}

impl Agreement {
    /// Whether a shared number need not be an integer.
    pub(crate) fn has_reals(&self) -> bool {
        self.numbers.iter().any(|number| !number.is_int)
    }
}

impl Theory for Agreement {
    fn share(cx: &mut Encoding<'_>, term: TermId, _: Option<u64>) {
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
            shared.numbers.push(SharedNumber { node, polynomial, is_int });
        }
    }

    fn named(cx: &mut Encoding<'_>, term: TermId) {
        let op = cx.store.op(term);
        let is_shared =
            matches!(op, Op::Apply(_)) || Table::congruence(op) == Some(Congruence::Shared);
        let Theories { equality, agreement, .. } = cx.search.theory_mut();
        let mut nodes = cx.store.args(term).iter().map(|arg| equality.nodes.get(arg));
        if is_shared
            && nodes.any(|node| node.is_some_and(|node| agreement.index.contains_key(node)))
        {
            let node = equality.nodes[&term];
            agreement.applications.push(node);
            if cx.store.codata_of(cx.store.sort(term)).is_some() && matches!(op, Op::Construct(_)) {
                agreement.trees.insert(node);
            }
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
    let simplex = &theories.arithmetic.simplex;
    theories.agreement.numbers.iter().map(|number| value_in(simplex, number)).collect()
}

fn value_in(simplex: &Arith, number: &SharedNumber) -> Delta {
    let (terms, constant) = &number.polynomial;
    let mut sum = Delta { value: constant.clone(), epsilon: Rat::ZERO };
    for (form, factor) in terms {
        let value = simplex.value(*form);
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
    let (values, apart) = apart(theories);
    if !apart.is_empty() {
        for (left, right) in apart {
            state_equal(theories, left, right, context);
        }
        return false;
    }
    let pairs = alike(theories, &values);
    for &(left, right) in &pairs {
        theories.stats.arrangements += 1;
        let lit = equation(theories, left, right, context);
        theories.justification.split(lit.var());
    }
    pairs.is_empty()
}

/// What the shared numbers are, and pairs of them that differ though they are equal.
///
/// Where arithmetic has no reason for the value of one, it takes that of the other.
fn apart(theories: &mut Theories) -> (Vec<Delta>, Vec<(usize, usize)>) {
    let mut rounds = AGREEMENT_ROUNDS.get();
    loop {
        let values = shared_values(theories);
        let mut leaders: FxHashMap<Node, usize> = FxHashMap::default();
        let mut apart = Vec::new();
        for (index, number) in theories.agreement.numbers.iter().enumerate() {
            let root = theories.equality.closure.root(number.node);
            let leader = *leaders.entry(root).or_insert(index);
            if values[leader] != values[index] {
                apart.push((leader, index));
            }
        }
        if apart.is_empty() || rounds == 0 {
            return (values, apart);
        }
        rounds -= 1;
        let mut is_moved = false;
        for &(leader, index) in &apart {
            is_moved |= try_move(theories, index, leader) || try_move(theories, leader, index);
        }
        if !is_moved {
            return (values, apart);
        }
    }
}

/// Gives a number the value of another by moving one of its unknowns, if nothing is against it.
fn try_move(theories: &mut Theories, number: usize, to: usize) -> bool {
    let Theories { agreement, arithmetic, .. } = theories;
    let value = |at: usize| value_in(&arithmetic.simplex, &agreement.numbers[at]);
    let step = value(to).minus(&value(number));
    let terms = &agreement.numbers[number].polynomial.0;
    terms.iter().any(|(form, factor)| {
        arithmetic.simplex.try_move(*form, &step.times(&(&Rat::ONE / factor)))
    })
}

/// What an argument is known as: a number by its value, anything else by its class.
#[derive(PartialEq, Eq, Hash)]
enum Argument<'a> {
    Number(&'a Delta),
    Other(Node),
    /// A part of a tree that may be infinite: which trees it is depends on all numbers in it.
    Part,
}

/// Pairs of numbers, whose values are given, that are equal by chance: an application has the one, and another that is
/// not known to be equal has the other, and nothing else tells them apart.
fn alike(theories: &Theories, values: &[Delta]) -> Vec<(usize, usize)> {
    let Theories { agreement, equality, .. } = theories;
    let closure = &equality.closure;
    let is_tree = |application: Node| agreement.trees.contains(&application);
    let key = |application: Node, arg: Node| match agreement.index.get(&arg) {
        Some(index) => Argument::Number(&values[*index]),
        None if is_tree(application) => Argument::Part,
        None => Argument::Other(closure.root(arg)),
    };
    let mut pairs = Vec::new();
    for (left, right) in Care::new(closure).alike(&agreement.applications, is_tree, key) {
        // One that differs is enough.
        let mut args = closure.arguments(left).zip(closure.arguments(right));
        pairs.extend(args.find_map(|(left, right)| {
            let numbers = (*agreement.index.get(&left)?, *agreement.index.get(&right)?);
            (!closure.are_equal(left, right)).then_some(numbers)
        }));
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
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
/// What is true already is not stated, nor what was stated before.
fn bind(theories: &mut Theories, lit: Lit, left: usize, right: usize, context: &mut Context<'_>) {
    match difference(theories, left, right) {
        Err(is_zero) => state(theories, 0, &[lit.xor(!is_zero)], context),
        Ok((form, number)) => {
            let is_int = theories.arithmetic.simplex.is_int(form);
            if is_int && !number.is_integer() {
                state(theories, 0, &[!lit], context);
                return;
            }
            let at_most = upper(theories, form, at_most(&number, false, is_int), context);
            let at_least = !upper(theories, form, below(&number, false, is_int), context);
            state(theories, 0, &[!lit, at_most], context);
            state(theories, 1, &[!lit, at_least], context);
            state(theories, 2, &[lit, !at_most, !at_least], context);
            theories.justification.define_and(lit, [at_most, at_least]);
        }
    }
}

/// States a clause that ties an equation, its first literal, to its bounds, by its place among these clauses.
fn state(theories: &mut Theories, place: usize, clause: &[Lit], context: &mut Context<'_>) {
    if clause.iter().any(|lit| context.value(*lit) == Some(true)) {
        return;
    }
    let stated = theories.agreement.bound.entry(clause[0].var()).or_default();
    let was_stated = std::mem::replace(&mut stated[place], true);
    // Simplification may have removed a clause that others imply.
    if !was_stated || clause.iter().all(|lit| context.value(*lit) == Some(false)) {
        context.lemma(clause);
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
