//! Integers of C as unbounded integers, with every wrap said.
//!
//! Sums, differences and products are those of the integers, put back into the range of their kind where
//! their interval leaves it: by a case distinction if they are at most one turn away, else by `mod`.
//! Quotients and remainders go towards zero. Shifts by constants are products and quotients by powers of
//! two. Conjunction with a constant takes runs of bits by `div` and `mod`, and the other bitwise operations
//! with constants follow from it (`a | b = a + b − (a & b)` and `a ^ b = a + b − 2(a & b)`). All else that
//! needs bits is left to words.
//!
//! Source: C11 6.5; [Hoj13] has no wraps.

use super::number::{Kind, NeedsWords, Number, Outcome, Range, exact_range, power, quotient_range};
use crate::c::tree::Arith;
use alphorn_term::{Int, Op, Store, TermId};

/// The most runs of ones that a mask is taken apart into.
const MAX_RUNS: usize = 4;

/// That a term lies in an interval.
pub fn within(store: &mut Store, term: TermId, range: &Range) -> TermId {
    let (low, high) = (store.int(range.low.clone()), store.int(range.high.clone()));
    let (above, below) = (store.le(low, term), store.le(term, high));
    store.and(&[above, below])
}

/// A term whose value lies in `range`, put into the range of a kind modulo its number of values.
pub fn wrap(store: &mut Store, kind: Kind, term: TermId, range: &Range) -> Number {
    let own = kind.range();
    if range.is_within(&own) {
        return Number { term, range: range.clone() };
    }
    let turn = power(kind.bits);
    // Where all values are the same number of turns away, that is taken off.
    let turns = |value: &Int| (value - &own.low).div_floor(&turn).expect("a turn is not zero");
    if turns(&range.low) == turns(&range.high) {
        let off = turns(&range.low) * &turn;
        let shift = store.int(-off.clone());
        let range = Range { low: &range.low - &off, high: &range.high - &off };
        return Number { term: store.add(&[term, shift]), range };
    }
    if &own.low - &turn <= range.low && range.high <= &own.high + &turn {
        return Number { term: wrap_once(store, term, range, &own, &turn), range: own };
    }
    let modulus = store.int(turn);
    let (shift, back) = (store.int(-own.low.clone()), store.int(own.low.clone()));
    let shifted = store.add(&[term, shift]);
    let rest = store.mk(Op::Mod, &[shifted, modulus]);
    Number { term: store.add(&[rest, back]), range: own }
}

/// The same for values that are at most one turn away.
fn wrap_once(store: &mut Store, term: TermId, range: &Range, own: &Range, turn: &Int) -> TermId {
    let mut result = term;
    if range.low < own.low {
        let (low, turn) = (store.int(own.low.clone()), store.int(turn.clone()));
        let (below, raised) = (store.lt(term, low), store.add(&[term, turn]));
        result = store.ite(below, raised, result);
    }
    if own.high < range.high {
        let (high, turn) = (store.int(own.high.clone()), store.int(-turn.clone()));
        let (above, lowered) = (store.gt(term, high), store.add(&[term, turn]));
        result = store.ite(above, lowered, result);
    }
    result
}

/// What an exact value of an interval comes to.
fn outcome(store: &mut Store, kind: Kind, term: TermId, range: Range) -> Outcome {
    let own = kind.range();
    let fits = fits(store, term, &range, &own);
    let wrapped = wrap(store, kind, term, &range);
    Outcome { wrapped, fitting: Number { term, range: range.meet(&own) }, fits }
}

/// That a term lies in the range of its kind, saying only what its interval leaves open.
fn fits(store: &mut Store, term: TermId, range: &Range, own: &Range) -> TermId {
    let mut parts = Vec::new();
    if range.low < own.low {
        let low = store.int(own.low.clone());
        parts.push(store.le(low, term));
    }
    if own.high < range.high {
        let high = store.int(own.high.clone());
        parts.push(store.le(term, high));
    }
    store.and(&parts)
}

/// Arithmetic.
pub fn arith(
    store: &mut Store,
    op: Arith,
    kind: Kind,
    left: &Number,
    right: &Number,
) -> Result<Outcome, NeedsWords> {
    match op {
        Arith::Add | Arith::Sub | Arith::Mul => Ok(linear(store, op, kind, left, right)),
        Arith::Div | Arith::Rem => Ok(division(store, op, kind, left, right)),
        Arith::Shl => shift_left(store, kind, left, right),
        Arith::Shr => shift_right(store, left, right).map(sure),
        Arith::And | Arith::Or | Arith::Xor => bitwise(store, op, left, right).map(sure),
    }
}

/// What cannot leave the range.
fn sure(number: Number) -> Outcome {
    Outcome { wrapped: number.clone(), fitting: number, fits: TermId::TRUE }
}

/// `+`, `-`, `*`.
fn linear(store: &mut Store, op: Arith, kind: Kind, left: &Number, right: &Number) -> Outcome {
    let term = match op {
        Arith::Add => store.add(&[left.term, right.term]),
        Arith::Sub => store.sub(left.term, right.term),
        _ => store.mul(&[left.term, right.term]),
    };
    let range = exact_range(op, &left.range, &right.range).expect("these have exact intervals");
    outcome(store, kind, term, range)
}

/// `/` and `%` towards zero. `div` and `mod` agree with them for a dividend that is not negative, whatever
/// the sign of the divisor; a negative dividend is divided by way of its negative.
fn division(store: &mut Store, op: Arith, kind: Kind, left: &Number, right: &Number) -> Outcome {
    let euclid = if op == Arith::Div { Op::IntDiv } else { Op::Mod };
    let range = quotient_range(op, &left.range, &right.range);
    let plain = store.mk(euclid, &[left.term, right.term]);
    if !left.range.low.is_negative() {
        return outcome(store, kind, plain, range);
    }
    let negated = store.neg(left.term);
    let mirrored = store.mk(euclid, &[negated, right.term]);
    let mirrored = store.neg(mirrored);
    let zero = store.int(0);
    let positive = store.ge(left.term, zero);
    let term = store.ite(positive, plain, mirrored);
    // Only the least value divided by −1 leaves the range.
    let range = match right.range.low.is_negative() && right.range.high >= Int::MINUS_ONE {
        true => range,
        false => range.meet(&kind.range()),
    };
    outcome(store, kind, term, range)
}

/// `<<` by a constant: a product.
fn shift_left(
    store: &mut Store,
    kind: Kind,
    left: &Number,
    right: &Number,
) -> Result<Outcome, NeedsWords> {
    let factor = power(amount(right)?);
    let literal = store.int(factor.clone());
    let factor = Number { term: literal, range: Range::point(factor) };
    Ok(linear(store, Arith::Mul, kind, left, &factor))
}

/// `>>` by a constant: a quotient that is rounded down, for negative numbers, too.
fn shift_right(store: &mut Store, left: &Number, right: &Number) -> Result<Number, NeedsWords> {
    let divisor = power(amount(right)?);
    let literal = store.int(divisor.clone());
    let floor = |value: &Int| value.div_floor(&divisor).expect("a power of two is not zero");
    let range = Range { low: floor(&left.range.low), high: floor(&left.range.high) };
    Ok(Number { term: store.mk(Op::IntDiv, &[left.term, literal]), range })
}

/// By how many bits a constant shifts.
fn amount(number: &Number) -> Result<u32, NeedsWords> {
    number.range.value().and_then(Int::to_u32).filter(|bits| *bits < 256).ok_or(NeedsWords)
}

/// `&`, `|`, `^` where one side is a constant or both are truth values.
fn bitwise(
    store: &mut Store,
    op: Arith,
    left: &Number,
    right: &Number,
) -> Result<Number, NeedsWords> {
    if let Some(number) = bitwise_truths(store, op, left, right) {
        return Ok(number);
    }
    let (number, mask) = match (left.range.value(), right.range.value()) {
        (_, Some(mask)) => (left, mask.clone()),
        (Some(mask), _) => (right, mask.clone()),
        _ => return narrow_and(store, op, left, right),
    };
    let both = masked(store, number, &mask)?;
    if op == Arith::And {
        return Ok(both);
    }
    let factor = if op == Arith::Or { Int::MINUS_ONE } else { Int::from(-2i64) };
    let (literal, factor) = (store.int(mask.clone()), store.int(factor));
    let product = store.mul(&[factor, both.term]);
    let term = store.add(&[number.term, literal, product]);
    Ok(Number { term, range: bits_around(&[&number.range, &Range::point(mask)]) })
}

/// An interval in which every bitwise combination of numbers of these intervals lies: that of the bits
/// they have.
fn bits_around(ranges: &[&Range]) -> Range {
    let bits = ranges.iter().map(|range| range.low.bit_len().max(range.high.bit_len()));
    let reach = power(bits.max().unwrap_or(0) as u32);
    let is_negative = ranges.iter().any(|range| range.low.is_negative());
    let low = if is_negative { -reach.clone() } else { Int::ZERO };
    Range { low, high: reach - Int::ONE }
}

/// `a & b` with a truth value on one side looks at one bit of the other.
fn narrow_and(
    store: &mut Store,
    op: Arith,
    left: &Number,
    right: &Number,
) -> Result<Number, NeedsWords> {
    let truth = Range::new(0, 1);
    let (bit, other) = match (left.range.is_within(&truth), right.range.is_within(&truth)) {
        _ if op != Arith::And => return Err(NeedsWords),
        (true, _) => (left, right),
        (_, true) => (right, left),
        _ => return Err(NeedsWords),
    };
    let low = masked(store, other, &Int::ONE)?;
    bitwise_truths(store, op, bit, &low).ok_or(NeedsWords)
}

/// Bitwise operations on zeros and ones.
fn bitwise_truths(store: &mut Store, op: Arith, left: &Number, right: &Number) -> Option<Number> {
    let truth = Range::new(0, 1);
    if !left.range.is_within(&truth) || !right.range.is_within(&truth) {
        return None;
    }
    let (one, zero) = (store.int(1), store.int(0));
    let (a, b) = (store.eq(left.term, one), store.eq(right.term, one));
    let holds = match op {
        Arith::And => store.and(&[a, b]),
        Arith::Or => store.or(&[a, b]),
        _ => store.xor(a, b),
    };
    Some(Number { term: store.ite(holds, one, zero), range: truth })
}

/// A number `&` a constant. A negative mask keeps all but the bits of its complement.
fn masked(store: &mut Store, number: &Number, mask: &Int) -> Result<Number, NeedsWords> {
    if mask.is_negative() {
        let cleared = masked(store, number, &(Int::MINUS_ONE - mask))?;
        let term = store.sub(number.term, cleared.term);
        return Ok(Number { term, range: bits_around(&[&number.range]) });
    }
    let (low, high) = (&number.range.low, &number.range.high);
    let runs = runs_of_ones(mask, if low.is_negative() { u32::MAX } else { high.bit_len() as u32 });
    if runs.len() > MAX_RUNS {
        return Err(NeedsWords);
    }
    let mut parts = Vec::with_capacity(runs.len());
    for (from, to) in runs {
        // Bits `from` to `to` of the number, where they are.
        let scale = store.int(power(from));
        let above = store.mk(Op::IntDiv, &[number.term, scale]);
        let is_top = !low.is_negative() && high.bit_len() as u32 <= to;
        let modulus = store.int(power(to - from));
        let bits = if is_top { above } else { store.mk(Op::Mod, &[above, modulus]) };
        parts.push(store.mul(&[scale, bits]));
    }
    let zero = store.int(0);
    let term = if parts.is_empty() { zero } else { store.add(&parts) };
    Ok(Number { term, range: Range { low: Int::ZERO, high: mask.clone() } })
}

/// The runs of ones below bit `most` of a number that is not negative: first bit, bit after the last.
fn runs_of_ones(mask: &Int, most: u32) -> Vec<(u32, u32)> {
    let two = Int::from(2i64);
    let (mut rest, mut bit, mut runs) = (mask.clone(), 0, Vec::<(u32, u32)>::new());
    while !rest.is_zero() && bit < most {
        let (half, low) = rest.div_rem_euclid(&two).expect("two is not zero");
        if !low.is_zero() {
            match runs.last_mut() {
                Some(run) if run.1 == bit => run.1 += 1,
                _ => runs.push((bit, bit + 1)),
            }
        }
        (rest, bit) = (half, bit + 1);
    }
    runs
}
