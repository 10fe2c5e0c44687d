//! Words as integers, and integers as words.
//!
//! The value of a word is the sum of its bits, each times its power of two; that of the word of an integer
//! is the integer modulo the number of words. Both are equations of numbers, added where a conversion
//! first occurs, and arithmetic and the bits of words do the rest.

use alphorn_problem::evidence::proof::{Literal, StepId};
use alphorn_problem::obligation::blast::bits;
use alphorn_term::{Int, Op, Store, TermId};

use super::arithmetic::define::equal_if;
use super::arithmetic::steps;
use super::encode::{Encoding, Leaf};
use super::proof::Writer;
use super::theory::Theory;
use crate::linear::Linear;

/// Conversions between words and integers.
#[derive(Default)]
pub(crate) struct Conversions;

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
        true
    }
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
