//! The circuits of operators on words against the reference semantics.
//!
//! Provers and the checker share these circuits, so that a wrong one would prove what is wrong. For
//! widths up to six every operator gets all pairs of words, and every number on either side, where
//! circuits are made differently. Wider ones get words at random and those at the ends of the range. On
//! narrow words the reference is compared with arithmetic on machine integers as well.
//!
//! Sixty-four valuations are evaluated at once, one per bit of a machine word.

use super::aig::Aig;
use super::bits::Bits;
use super::gates::{binary, operator_gates, unary};
use super::word::Word;
use crate::circuit::Lit;
use alphorn_term::eval::{Choices, apply};
use alphorn_term::{Bv, Op, SortId, Store, Value};
use alphorn_testkit::Rng;
use alphorn_testkit::terms::any_word;

use Op::{
    BvAdd, BvAnd, BvAshr, BvLshr, BvMul, BvNeg, BvNego, BvNot, BvOr, BvSaddo, BvSdiv, BvSdivo,
    BvShl, BvSle, BvSlt, BvSmod, BvSmulo, BvSrem, BvSsubo, BvSub, BvUaddo, BvUdiv, BvUle, BvUlt,
    BvUmulo, BvUrem, BvUsubo, BvXor, Concat,
};

const BINARY: [Op; 26] = [
    BvAdd, BvAnd, BvAshr, BvLshr, BvMul, BvOr, BvSaddo, BvSdiv, BvSdivo, BvShl, BvSle, BvSlt,
    BvSmod, BvSmulo, BvSrem, BvSsubo, BvSub, BvUaddo, BvUdiv, BvUle, BvUlt, BvUmulo, BvUrem,
    BvUsubo, BvXor, Concat,
];

/// How many valuations are evaluated at once.
const LANES: usize = 64;

/// Inputs of a graph, two words of so many bits.
fn inputs(width: u32) -> (Word, Word) {
    let word = |from: u32| (from..from + width).map(|var| Lit::new(var, false)).collect();
    (word(1), word(1 + width))
}

/// The literals of a number.
fn literals(value: &Bv) -> Word {
    (0..value.width()).map(|bit| Lit(u32::from(value.bit(bit)))).collect()
}

/// The rows of bits that a graph gives a word of literals where its inputs are these pairs.
fn outputs(aig: &Aig, width: u32, row: &[Lit], pairs: &[(Bv, Bv)]) -> Vec<Vec<bool>> {
    let leaves = 2 * width as usize;
    let mut found = Vec::with_capacity(pairs.len());
    for lanes in pairs.chunks(LANES) {
        let mut values = vec![0u64; 1 + leaves + aig.len()];
        for (lane, (x, y)) in lanes.iter().enumerate() {
            for bit in 0..width {
                values[1 + bit as usize] |= u64::from(x.bit(bit)) << lane;
                values[(1 + width + bit) as usize] |= u64::from(y.bit(bit)) << lane;
            }
        }
        let value = |values: &[u64], lit: Lit| {
            values[lit.var() as usize] ^ if lit.is_negated() { u64::MAX } else { 0 }
        };
        for var in 1 + leaves..values.len() {
            let gate = aig.fan_ins(var as u32).expect("the others are inputs");
            values[var] = value(&values, gate.left) & value(&values, gate.right);
        }
        for lane in 0..lanes.len() {
            found.push(row.iter().map(|&lit| value(&values, lit) >> lane & 1 == 1).collect());
        }
    }
    found
}

/// The bits that the reference semantics gives an operator.
fn expected(op: Op, args: &[&Bv]) -> Vec<bool> {
    let args: Vec<Value> = args.iter().map(|&arg| Value::Bv(arg.clone())).collect();
    match apply(&Store::new(), op, SortId::BOOL, &args, &Choices::default()) {
        Ok(Value::Bool(truth)) => vec![truth],
        Ok(Value::Bv(word)) => (0..word.width()).map(|bit| word.bit(bit)).collect(),
        other => panic!("{op:?} gives {other:?}"),
    }
}

/// Compares an operator on two words, each of which may be a number in the circuit.
fn compare(op: Op, width: u32, fixed: (Option<&Bv>, Option<&Bv>), pairs: &[(Bv, Bv)]) {
    let (x, y) = inputs(width);
    let mut aig = Aig::new(2 * width);
    let left = fixed.0.map_or(x, literals);
    let right = fixed.1.map_or(y, literals);
    let row = binary(&mut aig, op, &left, &right).expect("an operator on two words");
    for ((a, b), got) in pairs.iter().zip(outputs(&aig, width, &row, pairs)) {
        let (a, b) = (fixed.0.unwrap_or(a), fixed.1.unwrap_or(b));
        assert_eq!(got, expected(op, &[a, b]), "{op:?} of {a:?} and {b:?}, fixed {fixed:?}");
    }
}

/// All words of a width.
fn all(width: u32) -> Vec<Bv> {
    (0..1 << width).map(|bits| Bv::from_u64(width, bits)).collect()
}

#[test]
fn all_pairs_of_narrow_words() {
    for width in 1..=6 {
        let words = all(width);
        let pairs = |a: &Bv| words.iter().map(|b| (a.clone(), b.clone())).collect::<Vec<_>>();
        let pairs: Vec<(Bv, Bv)> = words.iter().flat_map(pairs).collect();
        for op in BINARY {
            compare(op, width, (None, None), &pairs);
        }
    }
}

#[test]
fn numbers_meet_narrow_words() {
    for width in 1..=6 {
        let words = all(width);
        let pairs: Vec<(Bv, Bv)> = words.iter().map(|word| (word.clone(), word.clone())).collect();
        for op in BINARY {
            for number in &words {
                compare(op, width, (Some(number), None), &pairs);
                compare(op, width, (None, Some(number)), &pairs);
            }
        }
    }
}

#[test]
fn two_numbers_make_no_gates() {
    for width in [1, 3, 4] {
        for op in BINARY {
            for (a, b) in
                all(width).iter().flat_map(|a| all(width).into_iter().map(move |b| (a, b)))
            {
                let mut aig = Aig::new(0);
                let row = binary(&mut aig, op, &literals(a), &literals(&b)).expect("two words");
                let bits: Vec<bool> = row.iter().map(|&lit| lit == Lit::TRUE).collect();
                assert_eq!(bits, expected(op, &[a, &b]), "{op:?} of {a:?} and {b:?}");
                assert!(row.iter().all(|lit| lit.var() == 0), "{op:?} of {a:?} and {b:?}");
            }
        }
    }
}

/// Words at the ends of the range, and a few at random of which some are small.
fn notable(width: u32, random: &mut Rng) -> Vec<Bv> {
    let (zero, one) = (Bv::from_u64(width, 0), Bv::from_u64(width, 1));
    let least = Bv::min_signed(width);
    let mut words = vec![zero, one.clone(), Bv::ones(width), least.sub(&one), least];
    for shift in [1, width / 2, width - 2] {
        let distance = Bv::from_u64(width, u64::from(shift));
        words.push(one.shl(&distance));
        words.push(any_word(random, width).lshr(&distance));
    }
    words.extend((0..3).map(|_| any_word(random, width)));
    words
}

const WIDE: [u32; 11] = [7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 128];

#[test]
fn wide_words_at_random() {
    let mut random = Rng::new(7);
    for width in WIDE {
        let (left, right) = (notable(width, &mut random), notable(width, &mut random));
        let row = |a: &Bv| right.iter().map(|b| (a.clone(), b.clone())).collect::<Vec<_>>();
        let mut pairs: Vec<(Bv, Bv)> = left.iter().flat_map(row).collect();
        // Shifts are dull unless the distance is about the width or less.
        let distances = (0..=u64::from(width) + 1).map(|by| Bv::from_u64(width, by));
        pairs.extend(distances.map(|by| (any_word(&mut random, width), by)));
        for op in BINARY {
            compare(op, width, (None, None), &pairs);
        }
    }
}

#[test]
fn numbers_meet_wide_words() {
    let mut random = Rng::new(8);
    for width in WIDE {
        let (words, numbers) = (notable(width, &mut random), notable(width, &mut random));
        let pairs: Vec<(Bv, Bv)> = words.iter().map(|word| (word.clone(), word.clone())).collect();
        for op in BINARY {
            // Divisions of wide words are large.
            for number in numbers.iter().step_by(if width > 33 { 4 } else { 1 }) {
                compare(op, width, (Some(number), None), &pairs);
                compare(op, width, (None, Some(number)), &pairs);
            }
        }
    }
}

#[test]
fn operators_on_one_word() {
    let mut random = Rng::new(9);
    for width in (1..=6).chain(WIDE) {
        let words = if width <= 6 { all(width) } else { notable(width, &mut random) };
        let pairs: Vec<(Bv, Bv)> = words.iter().map(|word| (word.clone(), word.clone())).collect();
        let middle = width / 2;
        let mut ops = vec![BvNot, BvNeg, BvNego];
        ops.extend([1, 2, 3].map(Op::Repeat));
        ops.extend([0, 1, middle, width].map(Op::ZeroExtend));
        ops.extend([0, 1, middle, width].map(Op::SignExtend));
        if width <= 6 {
            let ranges = (0..width).flat_map(|low| (low..width).map(move |high| (high, low)));
            ops.extend(ranges.map(|(high, low)| Op::Extract(high, low)));
        } else {
            let ranges = [(width - 1, 0), (width - 1, middle), (middle, 1), (middle, middle)];
            ops.extend(ranges.map(|(high, low)| Op::Extract(high, low)));
        }
        for op in ops {
            let mut aig = Aig::new(2 * width);
            let row = unary(&mut aig, op, &inputs(width).0).expect("an operator on one word");
            for ((a, _), got) in pairs.iter().zip(outputs(&aig, width, &row, &pairs)) {
                assert_eq!(got, expected(op, &[a]), "{op:?} of {a:?}");
            }
        }
    }
}

/// Rotations and comparisons for equality are made of terms, and go through the translation of terms.
#[test]
fn rotations_and_equations() {
    for width in 1..=6u32 {
        let mut store = Store::new();
        let sort = store.bv_sort(width);
        let [x, y] = ["x", "y"].map(|name| store.var(name, sort));
        let mut bits = Bits::default();
        for var in [x, y] {
            bits.of(&store, var).expect("a word");
        }
        let pairs: Vec<(Bv, Bv)> = all(width)
            .iter()
            .flat_map(|a| all(width).into_iter().map(move |b| (a.clone(), b)))
            .collect();
        let mask = (1u64 << width) - 1;
        let number = |bits: &[bool]| -> u64 {
            bits.iter().enumerate().map(|(at, &bit)| u64::from(bit) << at).sum()
        };
        let value = |word: &Bv| word.to_u64().expect("narrow");
        for by in 0..2 * width {
            let terms = [store.rotate_left(by, x), store.rotate_right(by, x)];
            for (term, is_left) in terms.into_iter().zip([true, false]) {
                let row = bits.of(&store, term).expect("a word").to_vec();
                let by = by % width;
                let left = if is_left { by } else { (width - by) % width };
                for ((a, _), got) in pairs.iter().zip(on_leaves(&bits, width, &row, &pairs)) {
                    let rotated = (value(a) << left | value(a) >> (width - left)) & mask;
                    assert_eq!(number(&got), rotated, "{a:?} rotated by {by}, left {is_left}");
                }
            }
        }
        let (same, chosen) = (store.eq(x, y), store.mk(BvUlt, &[x, y]));
        let larger = store.ite(chosen, y, x);
        for (term, is_choice) in [(same, false), (larger, true)] {
            let row = bits.of(&store, term).expect("made of bits").to_vec();
            for ((a, b), got) in pairs.iter().zip(on_leaves(&bits, width, &row, &pairs)) {
                let wanted = if is_choice {
                    value(a).max(value(b))
                } else {
                    u64::from(value(a) == value(b))
                };
                assert_eq!(number(&got), wanted, "{a:?} and {b:?}");
            }
        }
    }
}

/// Like `outputs`, where the inputs are the first gates of the graph of formulas.
fn on_leaves(bits: &Bits, width: u32, row: &[Lit], pairs: &[(Bv, Bv)]) -> Vec<Vec<bool>> {
    let count = 2 * width as usize;
    let mut found = Vec::with_capacity(pairs.len());
    for (x, y) in pairs {
        let mut values = vec![false; 1 + bits.aig.len()];
        for bit in 0..width {
            values[1 + bit as usize] = x.bit(bit);
            values[(1 + width + bit) as usize] = y.bit(bit);
        }
        let value = |values: &[bool], lit: Lit| values[lit.var() as usize] != lit.is_negated();
        for var in 1 + count..values.len() {
            let gate = bits.aig.fan_ins(var as u32).expect("the others are inputs");
            values[var] = value(&values, gate.left) && value(&values, gate.right);
        }
        found.push(row.iter().map(|&lit| value(&values, lit)).collect());
    }
    found
}

/// What an operator gives on machine integers, where a word is a number below 2ʷ.
fn by_arithmetic(op: Op, width: u32, a: i64, b: i64) -> i64 {
    let (count, half) = (1i64 << width, 1i64 << (width - 1));
    let signed = |word: i64| if word >= half { word - count } else { word };
    let (s, t) = (signed(a), signed(b));
    let fits = |value: i64| (-half..half).contains(&value);
    let result = match op {
        BvAdd => a + b,
        BvSub => a - b,
        BvMul => a * b,
        BvAnd => a & b,
        BvOr => a | b,
        BvXor => a ^ b,
        BvUdiv if b == 0 => -1,
        BvUdiv => a / b,
        BvUrem | BvSrem | BvSmod if b == 0 => a,
        BvUrem => a % b,
        BvSdiv if b == 0 => {
            if s < 0 {
                1
            } else {
                -1
            }
        }
        BvSdiv => s / t,
        BvSrem => s % t,
        BvSmod => s - t * (s as f64 / t as f64).floor() as i64,
        BvShl => {
            if b < i64::from(width) {
                a << b
            } else {
                0
            }
        }
        BvLshr => {
            if b < i64::from(width) {
                a >> b
            } else {
                0
            }
        }
        BvAshr => s >> b,
        BvUlt => i64::from(a < b),
        BvUle => i64::from(a <= b),
        BvSlt => i64::from(s < t),
        BvSle => i64::from(s <= t),
        BvUaddo => i64::from(a + b >= count),
        BvSaddo => i64::from(!fits(s + t)),
        BvUsubo => i64::from(a < b),
        BvSsubo => i64::from(!fits(s - t)),
        BvUmulo => i64::from(a * b >= count),
        BvSmulo => i64::from(!fits(s * t)),
        BvSdivo => i64::from(t != 0 && !fits(s / t)),
        _ => return a << width | b,
    };
    result & (count - 1)
}

#[test]
fn the_reference_is_arithmetic() {
    for width in 1..=6 {
        for op in BINARY {
            for (a, b) in
                all(width).iter().flat_map(|a| all(width).into_iter().map(move |b| (a, b)))
            {
                let number = |word: &Bv| word.to_u64().expect("narrow") as i64;
                let bits = expected(op, &[a, &b]);
                let got: i64 = bits.iter().enumerate().map(|(at, &bit)| i64::from(bit) << at).sum();
                let wanted = by_arithmetic(op, width, number(a), number(&b));
                assert_eq!(got, wanted, "{op:?} of {a:?} and {b:?}");
            }
        }
    }
}

#[test]
fn an_operator_has_no_more_gates_than_are_counted_before() {
    for width in [1, 2, 3, 7, 8, 17, 32] {
        let mut store = Store::new();
        let sort = store.bv_sort(width);
        let (x, y) = (store.var("x", sort), store.var("y", sort));
        let condition = store.var("c", SortId::BOOL);
        let mut terms: Vec<_> = BINARY.iter().map(|&op| store.mk(op, &[x, y])).collect();
        terms.extend([BvNot, BvNeg, BvNego].map(|op| store.mk(op, &[x])));
        terms.extend([store.eq(x, y), store.ite(condition, x, y)]);
        for term in terms {
            let mut bits = Bits::default();
            bits.of(&store, term).expect("it is an operator of words");
            let leaves = (1..=bits.aig.len() as u32).filter(|&var| bits.leaf(var).is_some());
            let made = (bits.aig.len() - leaves.count()) as u64;
            let parts = store.subterms(&[term]);
            let counted: u64 = parts.iter().map(|&part| operator_gates(&store, part)).sum();
            let op = store.op(term);
            assert!(made <= counted, "{op:?} of {width} bits: {made}, counted {counted}");
            // Counting far too many would refuse honest evidence.
            let fits = width < 17 || counted <= 4 * made;
            assert!(fits, "{op:?} of {width} bits: {made}, counted {counted}");
        }
    }
}
