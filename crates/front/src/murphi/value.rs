//! Values that depend on the state: constants, codes of variables, numbers and truth values.
//!
//! Numbers are words in two's complement that are wide enough for all they can be, so that nothing overflows.

use super::shape::{Class, Simple, TypeId};
use alphorn_term::{Bv, Int, Op, Store, TermId};

/// A value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sym {
    Known(i64, Class),
    /// What a variable of a simple type holds; undefined if the code is 0.
    Code(TermId, TypeId),
    Number(Number),
    Truth(TermId),
}

/// A number between two bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    pub term: TermId,
    pub lo: i64,
    pub hi: i64,
}

/// The bits of all numbers from `lo` to `hi`.
pub(super) fn width(lo: i64, hi: i64) -> u32 {
    let bits =
        |value: i64| 65 - if value < 0 { (!value).leading_zeros() } else { value.leading_zeros() };
    bits(lo).max(bits(hi))
}

/// A literal with so many bits.
pub(super) fn literal(store: &mut Store, width: u32, value: i64) -> TermId {
    store.bv(Bv::from_int(width, &Int::from(value)))
}

/// The word with more bits, by its sign.
pub(super) fn extended(store: &mut Store, term: TermId, width: u32) -> TermId {
    match width - store.width(term) {
        0 => term,
        more => store.mk(Op::SignExtend(more), &[term]),
    }
}

/// The code with so many bits: more, or fewer if the rest is zero.
pub(super) fn resized(store: &mut Store, code: TermId, width: u32) -> TermId {
    let has = store.width(code);
    if has < width {
        store.mk(Op::ZeroExtend(width - has), &[code])
    } else if has > width {
        store.mk(Op::Extract(width - 1, 0), &[code])
    } else {
        code
    }
}

/// Whether a code is from `first` to `last`.
fn between(store: &mut Store, code: TermId, first: u64, last: u64) -> TermId {
    let width = store.width(code);
    let low = store.bv(Bv::from_u64(width, first));
    if first == last {
        return store.eq(code, low);
    }
    let high = store.bv(Bv::from_u64(width, last));
    let above = store.mk(Op::BvUle, &[low, code]);
    let below = store.mk(Op::BvUle, &[code, high]);
    store.and(&[above, below])
}

/// The code in `to` of the value that has `code` in `from`, and whether there is one.
pub(super) fn recoded(
    store: &mut Store,
    code: TermId,
    from: &Simple,
    to: &Simple,
) -> (TermId, TermId) {
    if from.parts == to.parts {
        let zero = from.term(store, 0);
        let is_undefined = store.eq(code, zero);
        return (code, store.not(is_undefined));
    }
    let width = from.width().max(to.width());
    let wide = resized(store, code, width);
    let (mut result, mut has) = (store.bv(Bv::from_u64(width, 0)), store.bool(false));
    let mut before = 1;
    for &(first, last) in &from.parts {
        let mut to_before = 1;
        for &(to_first, to_last) in &to.parts {
            let (low, high) = (first.max(to_first), last.min(to_last));
            if low <= high {
                let (low_code, high_code) = (before + (low - first), before + (high - first));
                let is_here = between(store, wide, low_code as u64, high_code as u64);
                let by = to_before + (low - to_first) - low_code;
                let by = literal(store, width, by);
                let moved = store.mk(Op::BvAdd, &[wide, by]);
                result = store.ite(is_here, moved, result);
                has = store.or(&[has, is_here]);
            }
            to_before += to_last - to_first + 1;
        }
        before += last - first + 1;
    }
    (resized(store, result, to.width()), has)
}

/// The code of a number in a type, and whether there is one.
pub(super) fn coded(store: &mut Store, number: Number, to: &Simple) -> (TermId, TermId) {
    let lo = to.parts.iter().map(|part| part.0).min().unwrap_or(0).min(number.lo);
    let hi = to.parts.iter().map(|part| part.1).max().unwrap_or(0).max(number.hi);
    // Room for the code of whatever lies in the type.
    let bits = width(lo.min(-1), hi).max(to.width() + 1) + 1;
    let wide = extended(store, number.term, bits);
    let (mut result, mut has) = (to.term(store, 0), store.bool(false));
    let mut before = 1;
    for &(first, last) in &to.parts {
        let (low, high) = (first.max(number.lo), last.min(number.hi));
        if low <= high {
            let mut inside = Vec::new();
            if number.lo < first {
                let first = literal(store, bits, first);
                inside.push(store.mk(Op::BvSle, &[first, wide]));
            }
            if number.hi > last {
                let last = literal(store, bits, last);
                inside.push(store.mk(Op::BvSle, &[wide, last]));
            }
            let is_here = store.and(&inside);
            let by = literal(store, bits, before - first);
            let moved = store.mk(Op::BvAdd, &[wide, by]);
            let moved = resized(store, moved, to.width());
            result = store.ite(is_here, moved, result);
            has = store.or(&[has, is_here]);
        }
        before += last - first + 1;
    }
    (result, has)
}
