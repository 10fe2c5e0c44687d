//! The defining properties of the operators of arithmetic that are not linear.
//!
//! Each operator has a short list of clauses that are true of it in every interpretation: division
//! by zero is any function of the dividend, so nothing is said about it. The rule names the term,
//! the list is written down for it, and the clause must be one of the list. Literals are compared
//! in canonical form.

use super::constraint::{Constraint, Relation};
use super::context::Context;
use super::polynomial::Polynomial;
use alphorn_problem::evidence::proof::Literal;
use alphorn_problem::obligation::blast::bits::number;
use alphorn_term::{Int, Op, Rat, TermId};

/// What an axiom expects of a literal.
enum Expected {
    Says(Constraint),
    Is(Literal),
}

type Axioms = Vec<Vec<Expected>>;

/// The clause is a defining property of `term`.
pub(super) fn arithmetic(
    context: &mut Context,
    clause: &[Literal],
    term: TermId,
) -> Result<(), String> {
    context.known(term)?;
    let axioms = match (context.store().op(term), context.store().args(term)) {
        (Op::IntDiv | Op::Mod, &[dividend, divisor]) => division(context, dividend, divisor)?,
        (Op::RealDiv, &[dividend, divisor]) => real_division(context, term, dividend, divisor),
        (Op::Abs, &[of]) => absolute(context, term, of),
        (Op::ToInt, &[of]) => floor(context, term, of),
        (Op::IsInt, &[of]) => is_integer(context, term, of),
        (op @ (Op::UbvToInt | Op::SbvToInt), &[of]) => {
            let sum = number(context.make(), of, op == Op::SbvToInt);
            vec![vec![equal(Polynomial::difference(context.store(), term, sum))]]
        }
        (Op::IntToBv(width), &[of]) => modular(context, term, width, of),
        _ => return Err("the term's operator has no axioms".to_owned()),
    };
    let store = context.store();
    let fits = |literal: Literal, expected: &Expected| match expected {
        Expected::Says(constraint) => constraint.is_said_by(store, literal),
        Expected::Is(other) => literal == *other,
    };
    let is_instance = |axiom: &Vec<Expected>| match (clause, axiom.as_slice()) {
        ([a], [p]) => fits(*a, p),
        ([a, b], [p, q]) => fits(*a, p) && fits(*b, q) || fits(*a, q) && fits(*b, p),
        _ => false,
    };
    if axioms.iter().any(is_instance) {
        Ok(())
    } else {
        Err("the clause is not among the properties of the term's operator".to_owned())
    }
}

fn equal(polynomial: Polynomial) -> Expected {
    Expected::Says(Constraint::new(Relation::Equal, polynomial))
}

fn different(polynomial: Polynomial) -> Expected {
    Expected::Says(Constraint::new(Relation::Different, polynomial))
}

fn at_most_zero(polynomial: Polynomial) -> Expected {
    Expected::Says(Constraint::new(Relation::AtMost, polynomial))
}

fn less_than_zero(polynomial: Polynomial) -> Expected {
    Expected::Says(Constraint::new(Relation::Less, polynomial))
}

/// `left - right`.
fn minus(left: &Polynomial, right: &Polynomial) -> Polynomial {
    let mut result = left.clone();
    result.add(right, &Rat::from(-1i64));
    result
}

/// For y other than zero, x = y * (x div y) + (x mod y) and 0 <= x mod y < |y|.
fn division(context: &mut Context, x: TermId, y: TermId) -> Result<Axioms, String> {
    let quotient = context.make().mk(Op::IntDiv, &[x, y]);
    let remainder = context.make().mk(Op::Mod, &[x, y]);
    let product = context.make().mk(Op::Mul, &[y, quotient]);
    let store = context.store();
    let [dividend, divisor, rest] = [x, y, remainder].map(|term| Polynomial::of(store, term));
    let mut identity = minus(&dividend, &rest);
    identity.add_term(store, product, &Rat::from(-1i64));
    if divisor.is_constant() {
        if divisor.constant.is_zero() {
            return Err("nothing is known about division by zero".to_owned());
        }
        let size = Polynomial::constant(divisor.constant.abs());
        return Ok(vec![
            vec![equal(identity)],
            vec![at_most_zero(rest.negated())],
            vec![less_than_zero(minus(&rest, &size))],
        ]);
    }
    let mut sum = rest.clone();
    sum.add(&divisor, &Rat::from(1i64));
    Ok(vec![
        vec![equal(divisor.clone()), equal(identity)],
        vec![equal(divisor.clone()), at_most_zero(rest.negated())],
        vec![at_most_zero(divisor.clone()), less_than_zero(minus(&rest, &divisor))],
        vec![at_most_zero(divisor.negated()), less_than_zero(sum)],
    ])
}

/// The word of an integer is the integer modulo the number of words.
fn modular(context: &mut Context, term: TermId, width: u32, x: TermId) -> Axioms {
    let store = context.make();
    let value = store.mk(Op::UbvToInt, &[term]);
    let modulus = store.int(Int::from(2).pow(width));
    let rest = store.mk(Op::Mod, &[x, modulus]);
    vec![vec![equal(Polynomial::difference(store, value, rest))]]
}

/// For y other than zero, x = y * (x / y).
fn real_division(context: &mut Context, term: TermId, x: TermId, y: TermId) -> Axioms {
    let product = context.make().mk(Op::Mul, &[y, term]);
    let store = context.store();
    let identity = Polynomial::difference(store, x, product);
    vec![vec![equal(Polynomial::of(store, y)), equal(identity)]]
}

/// |x| is x or -x, whichever is not negative.
fn absolute(context: &Context, term: TermId, x: TermId) -> Axioms {
    let store = context.store();
    let [size, x] = [term, x].map(|term| Polynomial::of(store, term));
    vec![
        vec![less_than_zero(x.clone()), equal(minus(&size, &x))],
        vec![at_most_zero(x.negated()), equal(minus(&size, &x.negated()))],
        vec![at_most_zero(size.negated())],
    ]
}

/// to_int x <= x < to_int x + 1.
fn floor(context: &Context, term: TermId, x: TermId) -> Axioms {
    let store = context.store();
    let below = Polynomial::difference(store, term, x);
    let mut above = below.negated();
    above.constant += &Rat::from(-1i64);
    vec![vec![at_most_zero(below)], vec![less_than_zero(above)]]
}

/// x is an integer exactly when x = to_int x.
fn is_integer(context: &mut Context, term: TermId, x: TermId) -> Axioms {
    let floor = context.make().mk(Op::ToInt, &[x]);
    let difference = Polynomial::difference(context.store(), x, floor);
    let is_integer = context.literal(term);
    vec![
        vec![Expected::Is(!is_integer), equal(difference.clone())],
        vec![Expected::Is(is_integer), different(difference)],
    ]
}
