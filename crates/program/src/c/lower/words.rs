//! Integers of C as words of the width of their kind.
//!
//! Every operation is that of bit-vectors, signed or unsigned by the kind. Whether a result fits is asked
//! of the operator for it, or of a product that is wide enough.
//!
//! Source: C11 6.5; SMT-LIB's theory FixedSizeBitVectors.

use super::number::{Kind, Number, Outcome, exact_range, quotient_range};
use crate::c::tree::Arith;
use alphorn_term::{Op, Store, TermId};

/// A word of one kind as one of another: cut off, or extended by its sign.
pub fn convert(store: &mut Store, from: Kind, to: Kind, number: &Number) -> Number {
    let term = resize(store, from, to.bits, number.term);
    let own = to.range();
    let range = if number.range.is_within(&own) { number.range.clone() } else { own };
    Number { term, range }
}

/// A word with another width.
pub fn resize(store: &mut Store, from: Kind, bits: u32, term: TermId) -> TermId {
    if bits <= from.bits {
        return store.mk(Op::Extract(bits - 1, 0), &[term]);
    }
    let more = bits - from.bits;
    store.mk(if from.is_signed { Op::SignExtend(more) } else { Op::ZeroExtend(more) }, &[term])
}

/// Arithmetic.
pub fn arith(store: &mut Store, op: Arith, kind: Kind, left: &Number, right: &Number) -> Outcome {
    let (a, b) = (left.term, right.term);
    let signed = kind.is_signed;
    let word = match op {
        Arith::Add => Op::BvAdd,
        Arith::Sub => Op::BvSub,
        Arith::Mul => Op::BvMul,
        Arith::Div => {
            if signed {
                Op::BvSdiv
            } else {
                Op::BvUdiv
            }
        }
        Arith::Rem => {
            if signed {
                Op::BvSrem
            } else {
                Op::BvUrem
            }
        }
        Arith::Shl => Op::BvShl,
        Arith::Shr => {
            if signed {
                Op::BvAshr
            } else {
                Op::BvLshr
            }
        }
        Arith::And => Op::BvAnd,
        Arith::Or => Op::BvOr,
        Arith::Xor => Op::BvXor,
    };
    let term = store.mk(word, &[a, b]);
    let own = kind.range();
    let range = match op {
        Arith::Div | Arith::Rem => quotient_range(op, &left.range, &right.range),
        _ => exact_range(op, &left.range, &right.range).unwrap_or_else(|| own.clone()),
    };
    if op != Arith::Shl && range.is_within(&own) {
        let number = Number { term, range };
        return Outcome { wrapped: number.clone(), fitting: number, fits: TermId::TRUE };
    }
    let fits = fits(store, op, kind, left, right);
    let wrapped = Number { term, range: own.clone() };
    Outcome { wrapped, fitting: Number { term, range: range.meet(&own) }, fits }
}

/// That a result fits into its kind.
fn fits(store: &mut Store, op: Arith, kind: Kind, left: &Number, right: &Number) -> TermId {
    let (a, b) = (left.term, right.term);
    let signed = kind.is_signed;
    let overflow = match op {
        Arith::Add => {
            if signed {
                Op::BvSaddo
            } else {
                Op::BvUaddo
            }
        }
        Arith::Sub => {
            if signed {
                Op::BvSsubo
            } else {
                Op::BvUsubo
            }
        }
        Arith::Mul => {
            if signed {
                Op::BvSmulo
            } else {
                Op::BvUmulo
            }
        }
        Arith::Div | Arith::Rem if signed => Op::BvSdivo,
        Arith::Shl => return shift_fits(store, kind, left, right),
        _ => return TermId::TRUE,
    };
    let leaves = store.mk(overflow, &[a, b]);
    store.not(leaves)
}

/// That shifting left loses nothing: shifting back gives the number again.
fn shift_fits(store: &mut Store, kind: Kind, left: &Number, right: &Number) -> TermId {
    let there = store.mk(Op::BvShl, &[left.term, right.term]);
    let back = if kind.is_signed { Op::BvAshr } else { Op::BvLshr };
    let back = store.mk(back, &[there, right.term]);
    store.eq(back, left.term)
}
