//! Words as integers, and integers as words.
//!
//! The value of a word is the sum of its bits, each times its power of two; that of the word of an integer
//! is the integer modulo the number of words. Both are equations of numbers, added where a conversion
//! first occurs, and arithmetic and the bits of words do the rest.
//!
//! What follows from them is said besides, since the search needs it before it has values: that each digit is zero or one,
//! and which multiple of the number of words is taken away from integers that are words, or their
//! negations. With that a bound of the number is one of its digits, from the highest down. And conversions of equal things are
//! equal, which would take a search through all words.

use alphorn_problem::evidence::proof::{Literal, Rule, StepId};
use alphorn_problem::obligation::blast::bits;
use alphorn_term::{Int, Op, Rat, Store, TermId};

use super::arithmetic::define::equal_if;
use super::arithmetic::encode::{at_most_zero, form_of};
use super::arithmetic::proof::linear;
use super::arithmetic::steps;
use super::encode::{Encoding, Leaf};
use super::proof::Writer;
use super::theory::Theory;
use crate::linear::Linear;
use crate::settings::CONVERSIONS_MAX_RELATED;

/// Conversions between words and integers.
#[derive(Default)]
pub(crate) struct Conversions {
    /// Those of what is no constant, as they came.
    all: Vec<TermId>,
}

impl Theory for Conversions {
    fn makes_numbers(op: Op) -> bool {
        matches!(op, Op::UbvToInt | Op::SbvToInt)
    }

    fn enter(cx: &mut Encoding<'_>, term: TermId) -> bool {
        if matches!(cx.store.op(term), Op::IntToBv(_)) {
            cx.defer(term);
        }
        false
    }

    fn define(cx: &mut Encoding<'_>, term: TermId) -> bool {
        let Some([left, right]) = sides(cx.store, term) else { return false };
        cx.visit(left);
        cx.visit(right);
        let linear = Linear::difference(cx.store, left, right);
        let truth = cx.encoder.truth;
        equal_if(cx, truth, &linear, Leaf::Of(term, prove));
        match cx.store.op(term) {
            Op::IntToBv(width) => bound_quotient(cx, term, width),
            _ => bound_digits(cx, &linear),
        }
        relate(cx, term);
        true
    }
}

/// Says that a conversion and each of the last others of its kind are equal if what they convert is.
fn relate(cx: &mut Encoding<'_>, term: TermId) {
    let (op, of) = (cx.store.op(term), cx.store.args(term)[0]);
    if cx.store.is_literal(of) {
        return;
    }
    let all = &mut cx.search.theory_mut().conversions.all;
    let others = all.iter().rev().copied().filter(|&other| cx.store.op(other) == op);
    let others: Vec<TermId> = others.take(CONVERSIONS_MAX_RELATED.size()).collect();
    all.push(term);
    for other in others {
        let other_of = cx.store.args(other)[0];
        if cx.store.sort(other_of) != cx.store.sort(of) {
            continue;
        }
        let [premise, conclusion] = [cx.store.eq(of, other_of), cx.store.eq(term, other)];
        if [premise, conclusion].iter().any(|equation| cx.store.op(*equation) != Op::Eq) {
            continue;
        }
        let lits = [!cx.sub_literal(premise), cx.sub_literal(conclusion)];
        let said = [!Literal::of(cx.store, premise), Literal::of(cx.store, conclusion)];
        cx.lemma(&lits, Leaf::Axiom(said.to_vec(), Rule::Congruence));
    }
}

/// Says that the digits of a sum are zero or one, and that the sum bounds them however long it is.
fn bound_digits(cx: &mut Encoding<'_>, sum: &Linear) {
    for (digit, _) in &sum.terms {
        if cx.store.op(*digit) != Op::Ite {
            continue;
        }
        let mut above = Linear::atom(*digit);
        above.constant = -Rat::ONE;
        let below = Linear::atom(*digit).negated();
        for side in [above, below] {
            let lit = at_most_zero(cx, &side, false, None);
            cx.clause(&[lit], Leaf::Of(*digit, prove_digit));
        }
    }
    if !sum.is_constant() {
        let form = form_of(cx, sum);
        cx.theory_mut().arithmetic.simplex.bound_by_long(form);
    }
}

/// Says which multiple of the number of words is taken away from an integer that is a word, or the negation of one.
fn bound_quotient(cx: &mut Encoding<'_>, term: TermId, width: u32) {
    let [_, [quotient, _]] = parts(cx.store, term, width);
    let (integer, quotient) = (cx.store.args(term)[0], Linear::of(cx.store, quotient));
    let integer = Linear::of(cx.store, integer);
    if integer.is_constant() || quotient.is_constant() {
        return;
    }
    let modulus = Rat::from(Int::from(2).pow(width));
    for multiple in [Rat::ZERO, -Rat::ONE] {
        let least = &modulus * &multiple;
        // The integer is not below the least of these: neither is the quotient. And likewise above.
        let mut below = integer.clone();
        below.constant = &below.constant - &least;
        let mut small = quotient.negated();
        small.constant = &small.constant + &multiple;
        let mut above = integer.negated();
        above.constant = &(&above.constant + &least) + &modulus;
        let mut large = quotient.clone();
        large.constant = &large.constant - &multiple;
        // Not strictly: the greatest of these is one below the next multiple.
        for (outside, bound, is_strict) in [(below, small, true), (above, large, false)] {
            let outside = at_most_zero(cx, &outside, is_strict, None);
            let bound = at_most_zero(cx, &bound, false, None);
            cx.clause(&[outside, bound], Leaf::Of(term, prove_quotient));
        }
    }
}

/// The integer that becomes a word and the number of words; its quotient and its remainder.
fn parts(store: &mut Store, term: TermId, width: u32) -> [[TermId; 2]; 2] {
    let integer = store.args(term)[0];
    let modulus = store.int(Int::from(2).pow(width));
    let by = |op: Op, store: &mut Store| store.mk(op, &[integer, modulus]);
    [[integer, modulus], [by(Op::IntDiv, store), by(Op::Mod, store)]]
}

/// What is equal about a conversion.
fn sides(store: &mut Store, term: TermId) -> Option<[TermId; 2]> {
    let arg = *store.args(term).first()?;
    match store.op(term) {
        op @ (Op::UbvToInt | Op::SbvToInt) => {
            Some([term, bits::number(store, arg, op == Op::SbvToInt)])
        }
        Op::IntToBv(width) => {
            let value = store.mk(Op::UbvToInt, &[term]);
            let modulus = store.int(Int::from(2).pow(width));
            Some([value, store.mk(Op::Mod, &[arg, modulus])])
        }
        _ => None,
    }
}

/// A step for a bound that follows from the equation of a conversion.
fn prove(writer: &mut Writer<'_>, term: TermId, clause: Vec<Literal>) -> Option<StepId> {
    let [left, right] = sides(writer.store, term)?;
    let equation = writer.store.eq(left, right);
    steps::by_equations(writer, term, &[equation], clause)
}

/// A step for a bound of a digit: both of its values keep it.
fn prove_digit(writer: &mut Writer<'_>, term: TermId, clause: Vec<Literal>) -> Option<StepId> {
    let &[bound] = &clause[..] else { return None };
    let &[condition, yes, no] = writer.store.args(term) else { return None };
    let condition = Literal::of(writer.store, condition);
    let mut hints = Vec::new();
    for (condition, value) in [(!condition, yes), (condition, no)] {
        let conclusions = [[term, value], [value, term]].map(|sides| {
            let conclusion = writer.store.mk(Op::Le, &sides);
            Literal::of(writer.store, conclusion)
        });
        let mut follows = |conclusion: &Literal| linear(writer, &[!*conclusion, bound]);
        let found = conclusions.iter().find_map(|one| follows(one).map(|step| (*one, step)));
        let (conclusion, step) = found?;
        let axiom = writer.push(vec![condition, conclusion], Rule::Conditional(term));
        hints.extend([step, axiom]);
    }
    Some(writer.rup(clause, hints))
}

/// A step for a bound of a quotient, by what quotients and remainders are.
fn prove_quotient(writer: &mut Writer<'_>, term: TermId, clause: Vec<Literal>) -> Option<StepId> {
    let Op::IntToBv(width) = writer.store.op(term) else { return None };
    let [[integer, modulus], [quotient, remainder]] = parts(writer.store, term, width);
    let store = &mut *writer.store;
    let product = store.mk(Op::Mul, &[modulus, quotient]);
    let sum = store.mk(Op::Add, &[product, remainder]);
    let zero = store.int(0);
    let properties = [
        store.eq(integer, sum),
        store.mk(Op::Le, &[zero, remainder]),
        store.mk(Op::Lt, &[remainder, modulus]),
    ];
    let properties = properties.map(|property| Literal::of(writer.store, property));
    let mut whole: Vec<Literal> = properties.iter().map(|property| !*property).collect();
    whole.extend(&clause);
    let step = linear(writer, &whole)?;
    let mut hints: Vec<StepId> = Vec::new();
    for property in properties {
        hints.push(writer.push(vec![property], Rule::Arithmetic(remainder)));
    }
    hints.push(step);
    Some(writer.rup(clause, hints))
}
