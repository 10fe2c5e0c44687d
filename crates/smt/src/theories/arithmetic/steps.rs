//! Steps for what arithmetic tells the search: axioms, equations by their bounds, lemmas.

use alphorn_problem::evidence::proof::{Literal, Rule, StepId};
use alphorn_sat::{Lit, Var};
use alphorn_term::{Op, SortId, Store, TermId};
use rustc_hash::FxHashMap;

use super::proof::{linear, linear_kept};
use crate::linear::Linear;
use crate::theories::atoms::Meaning;
use crate::theories::proof::Writer;

/// The bound that a variable of the search says.
pub(super) fn literal(writer: &mut Writer<'_>, var: Var) -> Option<Literal> {
    let theory = writer.kernel.theory();
    let Meaning::Upper(form, bound) = theory.atoms.meaning(var) else { return None };
    let arithmetic = &theory.arithmetic;
    let mut linear = Linear::default();
    for (unknown, factor) in arithmetic.forms.get(form)? {
        linear.add_scaled(&Linear::atom(*arithmetic.unknowns.get(unknown)?), factor);
    }
    let is_int = arithmetic.simplex.is_int(*form);
    let sort = if is_int { SortId::INT } else { SortId::REAL };
    let left = linear.to_term(writer.store, sort);
    let right = Linear::constant(bound.value.clone()).to_term(writer.store, sort);
    let op = if bound.epsilon.is_zero() { Op::Le } else { Op::Lt };
    let term = writer.store.mk(op, &[left, right]);
    Some(Literal::of(writer.store, term))
}

/// A defining property of a term, or a bound that follows from one that is an equation.
pub(crate) fn axiom(writer: &mut Writer<'_>, term: TermId, clause: Vec<Literal>) -> Option<StepId> {
    let equations = equations(writer, term);
    by_equations(writer, term, &equations, clause)
}

/// A bound that follows from one of the equations that are defining properties of a term; or another
/// property of it.
pub(crate) fn by_equations(
    writer: &mut Writer<'_>,
    term: TermId,
    equations: &[TermId],
    clause: Vec<Literal>,
) -> Option<StepId> {
    for &equation in equations {
        let equation = Literal::of(writer.store, equation);
        for (place, literal) in clause.iter().enumerate() {
            let Some(step) = linear(writer, &[!equation, *literal]) else { continue };
            let mut axiom = clause.clone();
            axiom[place] = equation;
            let axiom = writer.push(axiom, Rule::Arithmetic(term));
            return Some(writer.rup(clause, vec![axiom, step]));
        }
    }
    Some(writer.push(clause, Rule::Arithmetic(term)))
}

/// The equations that are defining properties of a term.
fn equations(writer: &mut Writer<'_>, term: TermId) -> Vec<TermId> {
    let store = &mut *writer.store;
    let args = store.args(term).to_vec();
    match store.op(term) {
        Op::IntDiv | Op::Mod => {
            let (quotient, remainder) = (store.mk(Op::IntDiv, &args), store.mk(Op::Mod, &args));
            let product = store.mk(Op::Mul, &[args[1], quotient]);
            let sum = store.mk(Op::Add, &[product, remainder]);
            vec![store.eq(args[0], sum)]
        }
        Op::RealDiv => {
            let product = store.mk(Op::Mul, &[args[1], term]);
            vec![store.eq(args[0], product)]
        }
        Op::Abs => {
            let minus = store.int(-1);
            let opposite = store.mk(Op::Mul, &[minus, args[0]]);
            vec![store.eq(term, args[0]), store.eq(term, opposite)]
        }
        _ => Vec::new(),
    }
}

/// An equation holds, or one of its sides is smaller.
pub(crate) fn trichotomy(
    writer: &mut Writer<'_>,
    equation: TermId,
    clause: Vec<Literal>,
) -> Option<StepId> {
    let (left, right) = (writer.store.args(equation)[0], writer.store.args(equation)[1]);
    let below = writer.store.mk(Op::Lt, &[left, right]);
    let above = writer.store.mk(Op::Lt, &[right, left]);
    let of = |store: &Store, term| Literal::of(store, term);
    let mut terms = vec![of(writer.store, equation)];
    for literal in [of(writer.store, below), of(writer.store, above)] {
        if literal.atom != TermId::FALSE {
            terms.push(literal);
        }
    }
    let step = writer.push(terms.clone(), Rule::Trichotomy);
    writer.represent(step, &terms, &clause)
}

/// A lemma of a theory.
pub(super) fn prove_lemma(
    writer: &mut Writer<'_>,
    key: &[Lit],
    clause: &[Literal],
) -> Option<StepId> {
    let certificates = writer.kernel.theory().arithmetic.certificates.as_ref();
    if let Some(certificate) = certificates.and_then(|kept| kept.get(key)) {
        let certificate = certificate.clone();
        let mut places = FxHashMap::default();
        for lit in key {
            let literal = writer.literal(*lit)?;
            let place = clause.iter().position(|other| *other == literal);
            places.insert((!*lit).code(), place);
        }
        let used = |lit: &Lit| certificate.hypotheses.iter().any(|h| h.tag == (!*lit).code());
        let implied = key.iter().find(|lit| !used(lit));
        let implied = implied.and_then(|lit| places[&(!*lit).code()]);
        let place = |tag: u32| places.get(&tag).copied().flatten();
        if let Some(step) = linear_kept(writer, clause, &certificate, place, implied) {
            return Some(step);
        }
    }
    if let Some(step) = linear(writer, clause) {
        return Some(step);
    }
    // An equation of numbers that its bounds imply.
    let equation = clause.iter().copied().find(|literal| {
        let is_equation = writer.store.op(literal.atom) == Op::Eq && !literal.negated;
        is_equation && writer.store.sort(writer.store.args(literal.atom)[0]).is_arithmetic()
    });
    let before = writer.steps.len();
    let step = trichotomy(writer, equation?.atom, clause.to_vec());
    if step.is_none() {
        writer.steps.truncate(before);
    }
    step
}
