//! What a product is where its factors have a special form.
//!
//! A factor that is a literal, or whose high bits are zero, or that a conditional chooses, is equal to another term that says so: the *form*. Where factors equal
//! their forms, the product equals that of the forms, whose circuit is small: a shift for a power of two, nothing for
//! two literals, a quarter of the gates for words of half the length.
//!
//! Factors that are negative and short have negations that are short, and the product is that of these up to its sign.
//!
//! Invariant: each clause is an instance of congruence, or an identity of polynomials, and so true in every model, whatever the
//! forms are.

use alphorn_problem::evidence::proof::{Literal, Rule};
use alphorn_problem::obligation::ring::difference;
use alphorn_term::{Bv, Op, SortId, Store, TermId};

use super::gates::{gate, tie_literals};
use crate::settings::DEMAND_VALUES;
use crate::theories::encode::{Encoding, Leaf};

/// A product that is wrong in an assignment.
pub(super) struct Wrong {
    /// Its place among the products.
    pub(super) place: usize,
    pub(super) term: TermId,
    /// The values of its arguments.
    pub(super) values: Vec<Bv>,
    /// What it is of them.
    pub(super) right: Bv,
    /// The lowest bit that is wrong.
    pub(super) lowest: u32,
    /// What conditionals choose for arguments, if some are conditionals.
    pub(super) chosen: Option<[TermId; 2]>,
}

/// How many bits of a word there are up to the highest one.
pub(super) fn length(value: &Bv) -> u32 {
    (0..value.width()).rev().find(|bit| value.bit(*bit)).map_or(0, |bit| bit + 1)
}

/// Whether an operator multiplies.
fn is_product(op: Op) -> bool {
    matches!(op, Op::BvMul | Op::BvUmulo | Op::BvSmulo)
}

/// Whether a word is zero, a power of two, or the negation of one.
fn is_shift(value: &Bv) -> bool {
    let ones = |value: &Bv| (0..value.width()).filter(|bit| value.bit(*bit)).count();
    ones(value) <= 1 || ones(&value.neg()) == 1
}

/// States what a product is of what conditionals choose for its arguments.
pub(super) fn state_chosen(cx: &mut Encoding<'_>, wrong: &Wrong) -> bool {
    let Some(forms) = wrong.chosen else { return false };
    let is_stated = state(cx, wrong, forms);
    if is_stated {
        let other = cx.store.rebuild(wrong.term, &forms);
        let product = &mut cx.theory_mut().words.demand.products[wrong.place];
        product.short.push(([u32::MAX; 2], other));
    }
    is_stated
}

/// States what a product is whose factor is a power of two or the like, or a quotient by such a divisor.
pub(super) fn state_shift(cx: &mut Encoding<'_>, wrong: &Wrong) -> bool {
    let is_product = is_product(cx.store.op(wrong.term));
    let fits = |place: &usize| (is_product || *place == 1) && is_shift(&wrong.values[*place]);
    let Some(place) = (0..2).find(fits) else { return false };
    let mut forms = [cx.store.args(wrong.term)[0], cx.store.args(wrong.term)[1]];
    forms[place] = cx.store.bv(wrong.values[place].clone());
    state(cx, wrong, forms)
}

/// States what a product is whose factors are short, where that is much less than it may be.
pub(super) fn state_short(cx: &mut Encoding<'_>, wrong: &Wrong) -> bool {
    if !is_product(cx.store.op(wrong.term)) {
        return false;
    }
    let args = [cx.store.args(wrong.term)[0], cx.store.args(wrong.term)[1]];
    let width = cx.store.width(args[0]);
    let product = &cx.theory().words.demand.products[wrong.place];
    let is_first = product.short.iter().all(|(lengths, _)| lengths[0] == u32::MAX);
    let lengths = [0, 1].map(|place| match length(&wrong.values[place]).max(1) {
        length if is_first => length,
        length => length.next_power_of_two().min(width),
    });
    if u64::from(lengths[0]) * u64::from(lengths[1]) * 4 > u64::from(width) * u64::from(width) {
        return false;
    }
    let forms = [0, 1].map(|place| short(cx.store, args[place], lengths[place]));
    let is_stated = state(cx, wrong, forms);
    if is_stated {
        let other = cx.store.rebuild(wrong.term, &forms);
        let product = &mut cx.theory_mut().words.demand.products[wrong.place];
        product.short.push((lengths, other));
    }
    is_stated
}

/// Which words are negative and have negations that are not.
pub(super) fn signs(values: &[Bv]) -> [bool; 2] {
    [0, 1].map(|place| {
        values.get(place).is_some_and(|it| it.is_negative() && !it.neg().is_negative())
    })
}

/// States that a product is, up to its sign, that of the negations of factors that are negative, where these are short.
pub(super) fn state_reflected(cx: &mut Encoding<'_>, wrong: &Wrong) -> bool {
    let signs = signs(&wrong.values);
    if cx.store.op(wrong.term) != Op::BvMul || signs == [false; 2] {
        return false;
    }
    let width = u64::from(wrong.right.width());
    let size = |place: usize| match signs[place] {
        true => length(&wrong.values[place].neg()),
        false => length(&wrong.values[place]),
    };
    if u64::from(size(0)) * u64::from(size(1)) * 4 > width * width {
        return false;
    }
    let products = &cx.theory().words.demand.products;
    if products[wrong.place].reflected.iter().any(|(known, _)| *known == signs) {
        return false;
    }
    let args = [cx.store.args(wrong.term)[0], cx.store.args(wrong.term)[1]];
    let forms = [0, 1].map(|place| match signs[place] {
        true => cx.store.mk(Op::BvNeg, &[args[place]]),
        false => args[place],
    });
    let other = cx.store.mk(Op::BvMul, &forms);
    let whole = if signs[0] != signs[1] { cx.store.mk(Op::BvNeg, &[other]) } else { other };
    let equation = cx.store.eq(wrong.term, whole);
    let is_identity = difference(cx.store, equation)
        .and_then(|difference| difference.value())
        .is_some_and(|value| value.is_zero());
    let literal = Literal::of(cx.store, equation);
    if !is_identity || !say(cx, &[literal], Rule::Ring) {
        return false;
    }
    // The negation of a negation is what it was, so each is to be repaired where its factors are not negative.
    for (term, other) in [(wrong.term, other), (other, wrong.term)] {
        let mut products = cx.theory_mut().words.demand.products.iter_mut();
        if let Some(product) = products.find(|product| product.term == term) {
            product.reflected.push((signs, other));
        }
    }
    true
}

/// The word whose high bits are zero, and whose low ones are those of another.
fn short(store: &mut Store, word: TermId, length: u32) -> TermId {
    let width = store.width(word);
    if length >= width {
        return word;
    }
    let low = store.mk(Op::Extract(length - 1, 0), &[word]);
    store.mk(Op::ZeroExtend(width - length), &[low])
}

/// States what a product is of the values that its factors have, a few times.
pub(super) fn state_values(cx: &mut Encoding<'_>, wrong: &Wrong) -> bool {
    let product = &cx.theory().words.demand.products[wrong.place];
    if product.forms.len() >= DEMAND_VALUES.size() {
        return false;
    }
    let forms = [0, 1].map(|place| cx.store.bv(wrong.values[place].clone()));
    state(cx, wrong, forms)
}

/// States that the product is that of the forms where its factors equal these; whether that was not said before.
fn state(cx: &mut Encoding<'_>, wrong: &Wrong, forms: [TermId; 2]) -> bool {
    let args = [cx.store.args(wrong.term)[0], cx.store.args(wrong.term)[1]];
    // A square has one factor, and so one form of it.
    let forms = if args[0] == args[1] { forms.map(|_| forms[0]) } else { forms };
    if forms == args || !cx.theory_mut().words.demand.products[wrong.place].forms.insert(forms) {
        return false;
    }
    let mut clause = Vec::with_capacity(3);
    let other = cx.store.rebuild(wrong.term, &forms);
    // The constructors may make something else of an equation, and of a product: one of both is enough to be read as congruence.
    let mut is_plain =
        cx.store.op(other) == cx.store.op(wrong.term) && cx.store.args(other) == forms;
    let mut are_plain = true;
    for (arg, form) in args.into_iter().zip(forms).filter(|(arg, form)| arg != form) {
        let equation = cx.store.eq(arg, form);
        are_plain &= cx.store.op(equation) == Op::Eq;
        is_plain &= equation != TermId::TRUE && equation != TermId::FALSE;
        let literal = !Literal::of(cx.store, equation);
        if !clause.contains(&literal) {
            clause.push(literal);
        }
    }
    let equation = cx.store.eq(wrong.term, other);
    // What is true or false is no equation any more, but says what it said.
    let is_said = match cx.store.sort(wrong.term) {
        SortId::BOOL => true,
        _ => cx.store.op(equation) == Op::Eq,
    };
    if !(is_plain || are_plain) || !is_said {
        return false;
    }
    clause.push(Literal::of(cx.store, equation));
    say(cx, &clause, Rule::Congruence)
}

/// States a clause about words, to their gates as well; whether these could be made.
fn say(cx: &mut Encoding<'_>, clause: &[Literal], rule: Rule) -> bool {
    let mut lits = Vec::with_capacity(clause.len());
    for literal in clause {
        let lit = cx.literal(literal.atom);
        lits.push(lit.xor(literal.negated));
        // What decides an equation otherwise does not tell its gates.
        let theory = cx.search.theory_mut();
        let Ok(&[edge]) = theory.words.bits.of(cx.store, literal.atom) else { return false };
        let compared = gate(cx, edge);
        if compared != lit {
            tie_literals(cx, lit, compared);
        }
    }
    cx.lemma(&lits, Leaf::Axiom(clause.to_vec(), rule));
    true
}
