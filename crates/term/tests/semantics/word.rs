//! Words of one to four bits, all of them, against a model on machine integers.
//!
//! The model follows the definitions of the theory FixedSizeBitVectors: signed operators by
//! negating and using the unsigned ones, overflow by comparing with the exact result.

use super::{bv, check, int};
use alphorn_term::{Op, Store, Value};

fn signed(width: u32, bits: u32) -> i32 {
    if bits >> (width - 1) & 1 == 1 { bits as i32 - (1 << width) } else { bits as i32 }
}

fn udiv(width: u32, a: u32, b: u32) -> u32 {
    a.checked_div(b).unwrap_or((1 << width) - 1)
}

fn urem(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { a % b }
}

/// The value of a binary operator that gives a word, modulo the word's range.
fn word(op: Op, width: u32, a: u32, b: u32) -> u32 {
    let modulus = 1u32 << width;
    let neg = |x: u32| modulus.wrapping_sub(x) % modulus;
    let (minus_a, minus_b) = (signed(width, a) < 0, signed(width, b) < 0);
    let size = |x: u32, minus: bool| if minus { neg(x) } else { x };
    let (abs_a, abs_b) = (size(a, minus_a), size(b, minus_b));
    let result = match op {
        Op::BvAnd => a & b,
        Op::BvOr => a | b,
        Op::BvXor => a ^ b,
        Op::BvAdd => a + b,
        Op::BvSub => a + neg(b),
        Op::BvMul => a * b,
        Op::BvUdiv => udiv(width, a, b),
        Op::BvUrem => urem(a, b),
        Op::BvSdiv => {
            let quotient = udiv(width, abs_a, abs_b);
            if minus_a == minus_b { quotient } else { neg(quotient) }
        }
        Op::BvSrem => size(urem(abs_a, abs_b), minus_a),
        Op::BvSmod => {
            let u = urem(abs_a, abs_b);
            match (minus_a, minus_b) {
                _ if u == 0 => u,
                (false, false) => u,
                (true, false) => neg(u) + b,
                (false, true) => u + b,
                (true, true) => neg(u),
            }
        }
        Op::BvShl => {
            if b >= width {
                0
            } else {
                a << b
            }
        }
        Op::BvLshr => {
            if b >= width {
                0
            } else {
                a >> b
            }
        }
        Op::BvAshr => (signed(width, a) >> b.min(31)) as u32,
        _ => unreachable!("not an operator from two words to a word"),
    };
    result % modulus
}

/// The value of a binary operator that gives a truth value.
fn truth(op: Op, width: u32, a: u32, b: u32) -> bool {
    let (sa, sb) = (signed(width, a), signed(width, b));
    let unsigned_range = 0..1i64 << width;
    let half = 1i64 << (width - 1);
    let signed_range = -half..half;
    let (ua, ub) = (i64::from(a), i64::from(b));
    let (ia, ib) = (i64::from(sa), i64::from(sb));
    match op {
        Op::BvUlt => a < b,
        Op::BvUle => a <= b,
        Op::BvSlt => sa < sb,
        Op::BvSle => sa <= sb,
        Op::BvUaddo => !unsigned_range.contains(&(ua + ub)),
        Op::BvSaddo => !signed_range.contains(&(ia + ib)),
        Op::BvUsubo => !unsigned_range.contains(&(ua - ub)),
        Op::BvSsubo => !signed_range.contains(&(ia - ib)),
        Op::BvUmulo => !unsigned_range.contains(&(ua * ub)),
        Op::BvSmulo => !signed_range.contains(&(ia * ib)),
        Op::BvSdivo => ib != 0 && !signed_range.contains(&(ia / ib)),
        _ => unreachable!("not an operator from two words to a truth value"),
    }
}

#[rustfmt::skip]
const WORD: &[Op] = &[
    Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvAdd, Op::BvSub, Op::BvMul, Op::BvUdiv, Op::BvUrem,
    Op::BvSdiv, Op::BvSrem, Op::BvSmod, Op::BvShl, Op::BvLshr, Op::BvAshr,
];
#[rustfmt::skip]
const TRUTH: &[Op] = &[
    Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle, Op::BvUaddo, Op::BvSaddo, Op::BvUsubo,
    Op::BvSsubo, Op::BvUmulo, Op::BvSmulo, Op::BvSdivo,
];

#[test]
fn binary_operators() {
    let store = &mut Store::new();
    for width in 1..=4u32 {
        for a in 0..1u32 << width {
            for b in 0..1u32 << width {
                let args = [bv(width, a.into()), bv(width, b.into())];
                for &op in WORD {
                    check(store, op, &args, bv(width, word(op, width, a, b).into()));
                }
                for &op in TRUTH {
                    check(store, op, &args, Value::Bool(truth(op, width, a, b)));
                }
                check(store, Op::Eq, &args, Value::Bool(a == b));
            }
        }
    }
}

#[test]
fn unary_operators() {
    let store = &mut Store::new();
    for width in 1..=4u32 {
        let modulus = 1u32 << width;
        for a in 0..modulus {
            let arg = [bv(width, a.into())];
            let sign = u32::from(signed(width, a) < 0);
            check(store, Op::BvNot, &arg, bv(width, (modulus - 1 - a).into()));
            check(store, Op::BvNeg, &arg, bv(width, ((modulus - a) % modulus).into()));
            check(store, Op::BvNego, &arg, Value::Bool(a == modulus / 2));
            check(store, Op::UbvToInt, &arg, int(a.into()));
            check(store, Op::SbvToInt, &arg, int(signed(width, a).into()));
            for by in 0..=4u32 {
                let fill = (sign * ((1 << by) - 1)) << width;
                check(store, Op::ZeroExtend(by), &arg, bv(width + by, a.into()));
                check(store, Op::SignExtend(by), &arg, bv(width + by, (fill + a).into()));
            }
            for times in 1..=4u32 {
                let repeated = (0..times).fold(0, |all, _| all * modulus + a);
                check(store, Op::Repeat(times), &arg, bv(width * times, repeated.into()));
            }
            for low in 0..width {
                for high in low..width {
                    let bits = a / (1 << low) % (1 << (high - low + 1));
                    check(store, Op::Extract(high, low), &arg, bv(high - low + 1, bits.into()));
                }
            }
        }
    }
}

#[test]
fn concatenation() {
    let store = &mut Store::new();
    for (high, low) in (1..=3u32).flat_map(|h| (1..=4u32).map(move |l| (h, l))) {
        for a in 0..1u64 << high {
            for b in 0..1u64 << low {
                let args = [bv(high, a), bv(low, b)];
                check(store, Op::Concat, &args, bv(high + low, a * (1 << low) + b));
            }
        }
    }
}

#[test]
fn derived_operators() {
    let store = &mut Store::new();
    for width in 1..=4u32 {
        let modulus = 1u32 << width;
        for a in 0..modulus {
            let bit = |at: u32| a >> (at % width) & 1;
            let x = store.bv(alphorn_term::Bv::from_u64(width, a.into()));
            for by in 0..=2 * width {
                let left: u32 = (0..width).map(|i| bit(i) << ((i + by) % width)).sum();
                let right: u32 = (0..width).map(|i| bit(i + by) << i).sum();
                let rotations = [store.rotate_left(by, x), store.rotate_right(by, x)];
                for (term, expected) in rotations.into_iter().zip([left, right]) {
                    let value = store.literal_value(term);
                    assert_eq!(value, Some(bv(width, expected.into())), "{a} by {by} of {width}");
                }
            }
            let parity = store.reduce_xor(x);
            assert_eq!(store.literal_value(parity), Some(bv(1, u64::from(a.count_ones() % 2))));
            for b in 0..modulus {
                let y = store.bv(alphorn_term::Bv::from_u64(width, b.into()));
                let same = store.bvcomp(x, y);
                assert_eq!(store.literal_value(same), Some(bv(1, u64::from(a == b))));
            }
        }
    }
}
