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
use alphorn_term::{Bv, Exhausted, Int, Meter, Op, Rat, TermId};

/// What an axiom expects of a literal.
enum Expected {
    Says(Constraint),
    Is(Literal),
}

type Axioms = Vec<Vec<Expected>>;

/// The ticks of writing down a bit of a word as a summand.
const BIT: u64 = 64;

/// The clause is a defining property of `term`.
pub(super) fn arithmetic(
    context: &mut Context,
    clause: &[Literal],
    term: TermId,
) -> Result<(), String> {
    context.known(term)?;
    let axioms = match (context.store().op(term), context.store().args(term)) {
        (Op::IntDiv | Op::Mod, &[dividend, divisor]) => division(context, dividend, divisor)?,
        (Op::RealDiv, &[dividend, divisor]) => real_division(context, term, dividend, divisor)?,
        (Op::Abs, &[of]) => absolute(context, term, of)?,
        (Op::ToInt, &[of]) => floor(context, term, of)?,
        (Op::IsInt, &[of]) => is_integer(context, term, of)?,
        (op @ (Op::UbvToInt | Op::SbvToInt), &[of]) => {
            // A summand for each bit, with a literal as long as its place is high.
            let width = u64::from(context.store().width(of));
            context.spend(width.saturating_mul(BIT + width / 64))?;
            let sum = number(context.make(), of, op == Op::SbvToInt);
            vec![vec![equal(Polynomial::difference(context.terms(), term, sum)?)]]
        }
        (Op::IntToBv(width), &[of]) => modular(context, term, width, of)?,
        (Op::BvUdiv | Op::BvUrem, &[dividend, divisor]) => {
            word_division(context, dividend, divisor)?
        }
        _ => return Err("the term's operator has no axioms".to_owned()),
    };
    let terms = context.terms();
    let fits = |literal: Literal, expected: &Expected| match expected {
        Expected::Says(constraint) => constraint.is_said_by(terms, literal),
        Expected::Is(other) => Ok(literal == *other),
    };
    for axiom in &axioms {
        let is_instance = match (clause, axiom.as_slice()) {
            ([a], [p]) => fits(*a, p)?,
            ([a, b], [p, q]) => fits(*a, p)? && fits(*b, q)? || fits(*a, q)? && fits(*b, p)?,
            _ => false,
        };
        if is_instance {
            return Ok(());
        }
    }
    Err("the clause is not among the properties of the term's operator".to_owned())
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
fn minus(meter: &Meter, left: &Polynomial, right: &Polynomial) -> Result<Polynomial, Exhausted> {
    let mut result = left.copied(meter)?;
    result.add(meter, right, &Rat::from(-1i64))?;
    Ok(result)
}

/// For y other than zero, x = y * (x div y) + (x mod y) and 0 <= x mod y < |y|.
fn division(context: &mut Context, x: TermId, y: TermId) -> Result<Axioms, String> {
    let quotient = context.make().mk(Op::IntDiv, &[x, y]);
    let remainder = context.make().mk(Op::Mod, &[x, y]);
    let product = context.make().mk(Op::Mul, &[y, quotient]);
    let (terms, meter) = (context.terms(), context.meter());
    let [dividend, divisor, rest] = [x, y, remainder].map(|term| Polynomial::of(terms, term));
    let (dividend, divisor, rest) = (dividend?, divisor?, rest?);
    let mut identity = minus(meter, &dividend, &rest)?;
    identity.add_term(terms, product, &Rat::from(-1i64))?;
    if divisor.is_constant() {
        if divisor.constant.is_zero() {
            return Err("nothing is known about division by zero".to_owned());
        }
        let size = Polynomial::constant(divisor.constant.abs());
        return Ok(vec![
            vec![equal(identity)],
            vec![at_most_zero(rest.negated(meter)?)],
            vec![less_than_zero(minus(meter, &rest, &size)?)],
        ]);
    }
    let mut sum = rest.copied(meter)?;
    sum.add(meter, &divisor, &Rat::from(1i64))?;
    let below = minus(meter, &rest, &divisor)?;
    let opposite = divisor.negated(meter)?;
    Ok(vec![
        vec![equal(divisor.copied(meter)?), equal(identity)],
        vec![equal(divisor.copied(meter)?), at_most_zero(rest.negated(meter)?)],
        vec![at_most_zero(divisor), less_than_zero(below)],
        vec![at_most_zero(opposite), less_than_zero(sum)],
    ])
}

/// The word of an integer is the integer modulo the number of words.
fn modular(
    context: &mut Context,
    term: TermId,
    width: u32,
    x: TermId,
) -> Result<Axioms, Exhausted> {
    context.spend(u64::from(width).saturating_mul(4))?;
    let store = context.make();
    let value = store.mk(Op::UbvToInt, &[term]);
    let modulus = store.int(Int::from(2).pow(width));
    let rest = store.mk(Op::Mod, &[x, modulus]);
    Ok(vec![vec![equal(Polynomial::difference(context.terms(), value, rest)?)]])
}

/// For words, x = (x / y)·y + x % y and x % y <= x, and for y other than zero x % y < y and x / y <= x. A remainder by
/// zero is the dividend, and any word times zero is zero, so the first two hold for zero as well.
fn word_division(context: &mut Context, x: TermId, y: TermId) -> Result<Axioms, Exhausted> {
    let width = context.store().width(x);
    context.spend(u64::from(width))?;
    let store = context.make();
    let quotient = store.mk(Op::BvUdiv, &[x, y]);
    let remainder = store.mk(Op::BvUrem, &[x, y]);
    let product = store.mk(Op::BvMul, &[quotient, y]);
    let sum = store.mk(Op::BvAdd, &[product, remainder]);
    let zero = store.bv(Bv::from_u64(width, 0));
    let is_zero = store.eq(y, zero);
    let identity = store.eq(x, sum);
    let is_less = store.mk(Op::BvUlt, &[remainder, y]);
    let [quotient, remainder] = [quotient, remainder].map(|word| store.mk(Op::BvUle, &[word, x]));
    let of = |formula: TermId| Expected::Is(context.literal(formula));
    let mut axioms = vec![vec![of(identity)], vec![of(remainder)]];
    for conclusion in [is_less, quotient] {
        axioms.push(match is_zero {
            // The divisor is a number other than zero.
            TermId::FALSE => vec![of(conclusion)],
            _ => vec![of(is_zero), of(conclusion)],
        });
    }
    Ok(axioms)
}

/// For y other than zero, x = y * (x / y).
fn real_division(
    context: &mut Context,
    term: TermId,
    x: TermId,
    y: TermId,
) -> Result<Axioms, Exhausted> {
    let product = context.make().mk(Op::Mul, &[y, term]);
    let terms = context.terms();
    let identity = Polynomial::difference(terms, x, product)?;
    Ok(vec![vec![equal(Polynomial::of(terms, y)?), equal(identity)]])
}

/// |x| is x or -x, whichever is not negative.
fn absolute(context: &Context, term: TermId, x: TermId) -> Result<Axioms, Exhausted> {
    let (terms, meter) = (context.terms(), context.meter());
    let (size, x) = (Polynomial::of(terms, term)?, Polynomial::of(terms, x)?);
    let opposite = x.negated(meter)?;
    Ok(vec![
        vec![less_than_zero(x.copied(meter)?), equal(minus(meter, &size, &x)?)],
        vec![at_most_zero(opposite.copied(meter)?), equal(minus(meter, &size, &opposite)?)],
        vec![at_most_zero(size.negated(meter)?)],
    ])
}

/// to_int x <= x < to_int x + 1.
fn floor(context: &Context, term: TermId, x: TermId) -> Result<Axioms, Exhausted> {
    let below = Polynomial::difference(context.terms(), term, x)?;
    let mut above = below.negated(context.meter())?;
    above.constant += &Rat::from(-1i64);
    Ok(vec![vec![at_most_zero(below)], vec![less_than_zero(above)]])
}

/// x is an integer exactly when x = to_int x.
fn is_integer(context: &mut Context, term: TermId, x: TermId) -> Result<Axioms, Exhausted> {
    let floor = context.make().mk(Op::ToInt, &[x]);
    let difference = Polynomial::difference(context.terms(), x, floor)?;
    let is_integer = context.literal(term);
    let same = difference.copied(context.meter())?;
    Ok(vec![
        vec![Expected::Is(!is_integer), equal(same)],
        vec![Expected::Is(is_integer), different(difference)],
    ])
}
