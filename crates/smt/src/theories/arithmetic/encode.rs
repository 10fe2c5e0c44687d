//! Numbers as unknowns of arithmetic, comparisons as bounds.
//!
//! A sum is a polynomial over unknowns; a comparison is a bound of its form, scaled so that multiples of
//! one another are one form; an equation is a variable tied to two bounds.

use alphorn_problem::evidence::proof::Literal;
use alphorn_sat::Lit;
use alphorn_term::{Op, Rat, SortId, TermId};

use super::steps;
use crate::arith::{Delta, Var as Form};
use crate::linear::Linear;
use crate::theories::Table;
use crate::theories::agreement::{Polynomial, normalizing_factor};
use crate::theories::atoms::{at_most, below};
use crate::theories::encode::{Encoding, Leaf};

/// The polynomial over unknowns of arithmetic that a term is.
pub(crate) fn polynomial(cx: &mut Encoding<'_>, linear: &Linear) -> Polynomial {
    let mut terms = Vec::with_capacity(linear.terms.len());
    for (atom, factor) in &linear.terms {
        terms.push((unknown(cx, *atom), factor.clone()));
    }
    terms.sort_unstable_by_key(|(form, _)| *form);
    (terms, linear.constant.clone())
}

/// The unknown of arithmetic for a term that is no sum.
fn unknown(cx: &mut Encoding<'_>, atom: TermId) -> Form {
    let theory = cx.search.theory_mut();
    if let Some(form) = theory.arithmetic.numbers.get(&atom) {
        return *form;
    }
    if theory.equality.tokens.contains(&atom) {
        // Equality was to be all that is said of it.
        theory.mark_unclear();
    }
    let is_int = cx.store.sort(atom) == SortId::INT;
    // Values of functions start out different, so that theories need not agree on many that
    // are equal by chance.
    let start = match cx.store.op(atom) {
        Op::Apply(_) if !cx.store.args(atom).is_empty() => {
            theory.equality.applications.len() as i64
        }
        Op::Field(..) => theory.data.terms.len() as i64,
        _ => 0,
    };
    let arithmetic = &mut theory.arithmetic;
    let form = arithmetic.simplex.new_var_at(is_int, start.into());
    // Until there are literals about it.
    arithmetic.simplex.watch(form, false);
    arithmetic.forms.insert(form, vec![(form, Rat::ONE)]);
    arithmetic.numbers.insert(atom, form);
    arithmetic.unknowns.insert(form, atom);
    cx.visit(atom);
    form
}

/// The literal that a polynomial is at most zero, or below it.
pub(crate) fn at_most_zero(
    cx: &mut Encoding<'_>,
    linear: &Linear,
    is_strict: bool,
    term: Option<TermId>,
) -> Lit {
    if linear.is_constant() {
        let zero = &linear.constant;
        let holds = zero.is_negative() || (zero.is_zero() && !is_strict);
        return cx.encoder.truth.xor(!holds);
    }
    let (form, factor, constant) = normalized(cx, linear);
    let number = -(&constant * &factor);
    let is_int = cx.theory().arithmetic.simplex.is_int(form);
    match factor.is_negative() {
        false => upper(cx, form, at_most(&number, is_strict, is_int), term, false),
        true => !upper(cx, form, below(&number, is_strict, is_int), term, true),
    }
}

/// The form whose bounds are those of a polynomial that is no constant.
pub(crate) fn form_of(cx: &mut Encoding<'_>, linear: &Linear) -> Form {
    normalized(cx, linear).0
}

/// The form of a polynomial that is no constant, what the polynomial is multiplied with to be it, and the constant.
fn normalized(cx: &mut Encoding<'_>, linear: &Linear) -> (Form, Rat, Rat) {
    let (mut terms, constant) = polynomial(cx, linear);
    let factor = normalizing_factor(&terms);
    terms.iter_mut().for_each(|(_, value)| *value = &*value * &factor);
    (cx.theory_mut().arithmetic.form(&terms), factor, constant)
}

/// The literal of an upper bound; `term` says it, or its negation, if it has to be made.
pub(super) fn upper(
    cx: &mut Encoding<'_>,
    form: Form,
    bound: Delta,
    term: Option<TermId>,
    is_negated: bool,
) -> Lit {
    if let Some(lit) = cx.theory().atoms.upper(form, &bound) {
        return lit;
    }
    let var = cx.variable_for(term.map(|atom| Literal { atom, negated: is_negated }));
    let theory = cx.theory_mut();
    theory.arithmetic.simplex.watch(form, true);
    theory.atoms.add_upper(var, form, bound);
    var.positive()
}

pub(super) fn comparison(cx: &mut Encoding<'_>, term: TermId, is_strict: bool) -> Lit {
    let linear = Linear::difference(cx.store, cx.store.args(term)[0], cx.store.args(term)[1]);
    at_most_zero(cx, &linear, is_strict, Some(term))
}

/// An equation of numbers: a variable, and clauses that tie it to its bounds.
pub(super) fn number_equation(
    cx: &mut Encoding<'_>,
    term: TermId,
    left: TermId,
    right: TermId,
) -> Lit {
    let linear = Linear::difference(cx.store, left, right);
    let equation = cx.variable(Some(term));
    let e = equation.positive();
    bind_equation(cx, e, &linear, term);
    let theory = cx.theory_mut();
    let nodes = &theory.equality.nodes;
    if let (Some(&left), Some(&right)) = (nodes.get(&left), nodes.get(&right))
        && theory.atoms.equality(left, right).is_none()
    {
        theory.atoms.add_equality(equation, left, right);
        theory.equality.closure.watch_equality(left, right, equation.0);
    }
    e
}

pub(super) fn bind_equation(cx: &mut Encoding<'_>, e: Lit, linear: &Linear, term: TermId) {
    if linear.is_constant() {
        let lit = e.xor(!linear.constant.is_zero());
        let leaf = match linear.constant.is_zero() {
            true => Leaf::Of(term, steps::trichotomy),
            false => Leaf::Theory,
        };
        cx.clause(&[lit], leaf);
        return;
    }
    let factor = linear.primitive_factor();
    if linear.is_over_integers(cx.store) && !(&linear.constant * &factor).is_integer() {
        cx.clause(&[!e], Leaf::Theory);
        return;
    }
    let at_most = at_most_zero(cx, linear, false, None);
    let mut opposite = linear.clone();
    opposite.scale(&-Rat::ONE);
    let at_least = at_most_zero(cx, &opposite, false, None);
    cx.theory_mut().justification.define_and(e, [at_most, at_least]);
    cx.lemma(&[!e, at_most], Leaf::Theory);
    cx.lemma(&[!e, at_least], Leaf::Theory);
    cx.lemma(&[e, !at_most, !at_least], Leaf::Of(term, steps::trichotomy));
}

/// A number that is no sum and no literal becomes an unknown.
pub(super) fn number(cx: &mut Encoding<'_>, term: TermId) {
    match cx.store.op(term) {
        Op::Add | Op::IntVal(_) | Op::RealVal(_) | Op::ToReal => return,
        Op::Mul if crate::linear::number_of(cx.store, cx.store.args(term)[0]).is_some() => {
            if cx.store.args(term).len() == 2 {
                return;
            }
            cx.defer(term);
        }
        Op::Mul => cx.defer(term),
        Op::Var(_) | Op::Apply(_) => {}
        op if Table::congruence(op).is_some() => {}
        Op::Ite | Op::IntDiv | Op::Mod | Op::Abs | Op::ToInt | Op::RealDiv => {
            cx.defer(term);
        }
        op if Table::makes_numbers(op) => cx.defer(term),
        _ => cx.theory_mut().mark_unclear(),
    }
    unknown(cx, term);
}
