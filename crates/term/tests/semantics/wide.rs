//! Words of 8 to 512 bits, at random, against a model on lists of bits.
//!
//! The model is a schoolbook circuit: ripple-carry addition, shift-and-add multiplication,
//! restoring division. Bit 0 comes first.

use super::{check, value_of};
use alphorn_term::eval::Choices;
use alphorn_term::{Bv, Op, Store, Value};
use alphorn_testkit::Rng;
use alphorn_testkit::terms::word;

type Bits = Vec<bool>;

fn bits(word: &Bv) -> Bits {
    // The text has the highest digit first, and is the one thing this model takes from the code.
    let text = word.to_string();
    let digits = text[2..].chars().rev();
    let mut bits: Bits = if text.starts_with("#b") {
        digits.map(|digit| digit == '1').collect()
    } else {
        digits
            .filter_map(|digit| digit.to_digit(16))
            .flat_map(|digit| (0..4).map(move |at| digit >> at & 1 == 1))
            .collect()
    };
    bits.truncate(word.width() as usize);
    bits
}

fn value(bits: &Bits) -> Value {
    let digits: Vec<u8> = bits.iter().rev().map(|&bit| if bit { b'1' } else { b'0' }).collect();
    Value::Bv(Bv::parse_binary(&digits).expect("a list of bits has a value"))
}

fn zero(width: usize) -> Bits {
    vec![false; width]
}

fn sign(a: &Bits) -> bool {
    a[a.len() - 1]
}

fn not(a: &Bits) -> Bits {
    a.iter().map(|bit| !bit).collect()
}

/// The sum of two words and a carry, without the carry out.
fn add_with(a: &Bits, b: &Bits, mut carry: bool) -> Bits {
    let mut sum = Bits::new();
    for (&x, &y) in a.iter().zip(b) {
        sum.push(x ^ y ^ carry);
        carry = u8::from(x) + u8::from(y) + u8::from(carry) >= 2;
    }
    sum
}

fn add(a: &Bits, b: &Bits) -> Bits {
    add_with(a, b, false)
}

fn sub(a: &Bits, b: &Bits) -> Bits {
    add_with(a, &not(b), true)
}

fn neg(a: &Bits) -> Bits {
    sub(&zero(a.len()), a)
}

fn less(a: &Bits, b: &Bits) -> bool {
    let difference = a.iter().zip(b).rev().find(|(x, y)| x != y);
    difference.is_some_and(|(_, &y)| y)
}

fn extend(a: &Bits, width: usize, fill: bool) -> Bits {
    let mut wide = a.clone();
    wide.resize(width, fill);
    wide
}

fn shift_up(a: &Bits, by: usize) -> Bits {
    (0..a.len()).map(|at| at >= by && a[at - by]).collect()
}

fn mul(a: &Bits, b: &Bits) -> Bits {
    (0..b.len()).filter(|&at| b[at]).fold(zero(a.len()), |sum, at| add(&sum, &shift_up(a, at)))
}

/// Quotient and remainder, with the standard's answers at zero.
fn divide(a: &Bits, b: &Bits) -> (Bits, Bits) {
    // One more bit, so that doubling the remainder does not overflow.
    let (mut quotient, wide) = (zero(a.len()), extend(b, a.len() + 1, false));
    let mut rest = zero(a.len() + 1);
    for at in (0..a.len()).rev() {
        rest = shift_up(&rest, 1);
        rest[0] = a[at];
        if !less(&rest, &wide) {
            rest = sub(&rest, &wide);
            quotient[at] = true;
        }
    }
    if b.contains(&true) {
        rest.truncate(a.len());
        (quotient, rest)
    } else {
        (vec![true; a.len()], a.clone())
    }
}

fn signed_divide(op: Op, a: &Bits, b: &Bits) -> Bits {
    let size = |x: &Bits| if sign(x) { neg(x) } else { x.clone() };
    let (quotient, rest) = divide(&size(a), &size(b));
    match (op, sign(a), sign(b)) {
        (Op::BvSdiv, minus, other) if minus == other => quotient,
        (Op::BvSdiv, ..) => neg(&quotient),
        (Op::BvSrem, minus, _) => {
            if minus {
                neg(&rest)
            } else {
                rest
            }
        }
        _ if !rest.contains(&true) => rest,
        (_, false, false) => rest,
        (_, true, false) => add(&neg(&rest), b),
        (_, false, true) => add(&rest, b),
        (_, true, true) => neg(&rest),
    }
}

fn shift(op: Op, a: &Bits, b: &Bits) -> Bits {
    let fill = op == Op::BvAshr && sign(a);
    // A distance with a high bit set is beyond every width used here.
    let high = b.iter().skip(10).any(|&bit| bit);
    let distance: usize =
        b.iter().take(10).enumerate().map(|(at, &bit)| usize::from(bit) << at).sum();
    let distance = if high { a.len() } else { distance };
    match op {
        Op::BvShl => shift_up(a, distance),
        _ => (0..a.len()).map(|at| a.get(at + distance).copied().unwrap_or(fill)).collect(),
    }
}

fn fits_signed(exact: &Bits, width: usize) -> bool {
    exact[width - 1..].iter().all(|&bit| bit == exact[width - 1])
}

fn fits(exact: &Bits, width: usize) -> bool {
    !exact[width..].contains(&true)
}

fn truth(op: Op, a: &Bits, b: &Bits) -> bool {
    let width = a.len();
    let unsigned = |x: &Bits| extend(x, 2 * width, false);
    let signed = |x: &Bits| extend(x, 2 * width, sign(x));
    // Flipping the signs turns the signed order into the unsigned one.
    let flipped = |x: &Bits| {
        let mut y = x.clone();
        y[width - 1] = !y[width - 1];
        y
    };
    match op {
        Op::BvUlt => less(a, b),
        Op::BvUle => !less(b, a),
        Op::BvSlt => less(&flipped(a), &flipped(b)),
        Op::BvSle => !less(&flipped(b), &flipped(a)),
        Op::BvUaddo => !fits(&add(&unsigned(a), &unsigned(b)), width),
        Op::BvSaddo => !fits_signed(&add(&signed(a), &signed(b)), width),
        Op::BvUsubo => !fits(&sub(&unsigned(a), &unsigned(b)), width),
        Op::BvSsubo => !fits_signed(&sub(&signed(a), &signed(b)), width),
        Op::BvUmulo => !fits(&mul(&unsigned(a), &unsigned(b)), width),
        Op::BvSmulo => !fits_signed(&mul(&signed(a), &signed(b)), width),
        Op::BvSdivo => {
            let smallest = sign(a) && a.iter().filter(|&&bit| bit).count() == 1;
            smallest && b.iter().all(|&bit| bit)
        }
        _ => unreachable!("not an operator from two words to a truth value"),
    }
}

fn binary(op: Op, a: &Bits, b: &Bits) -> Value {
    let bitwise = |f: fn(bool, bool) -> bool| a.iter().zip(b).map(|(&x, &y)| f(x, y)).collect();
    value(&match op {
        Op::BvAnd => bitwise(|x, y| x & y),
        Op::BvOr => bitwise(|x, y| x | y),
        Op::BvXor => bitwise(|x, y| x ^ y),
        Op::BvAdd => add(a, b),
        Op::BvSub => sub(a, b),
        Op::BvMul => mul(a, b),
        Op::BvUdiv => divide(a, b).0,
        Op::BvUrem => divide(a, b).1,
        Op::BvSdiv | Op::BvSrem | Op::BvSmod => signed_divide(op, a, b),
        Op::BvShl | Op::BvLshr | Op::BvAshr => shift(op, a, b),
        Op::Concat => b.iter().chain(a).copied().collect(),
        _ => return Value::Bool(truth(op, a, b)),
    })
}

#[rustfmt::skip]
const BINARY: &[Op] = &[
    Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvAdd, Op::BvSub, Op::BvMul, Op::BvUdiv, Op::BvUrem,
    Op::BvSdiv, Op::BvSrem, Op::BvSmod, Op::BvShl, Op::BvLshr, Op::BvAshr, Op::Concat,
    Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle, Op::BvUaddo, Op::BvSaddo, Op::BvUsubo,
    Op::BvSsubo, Op::BvUmulo, Op::BvSmulo, Op::BvSdivo,
];

/// Widths around the sizes of machine words, and how many pairs to try of each.
const PAIRS: &[(u32, usize)] = &[
    (5, 60),
    (8, 60),
    (31, 20),
    (32, 20),
    (33, 20),
    (63, 30),
    (64, 40),
    (65, 40),
    (127, 12),
    (128, 12),
    (129, 12),
    (512, 2),
];

#[test]
fn binary_operators() {
    let (store, rng) = (&mut Store::new(), &mut Rng::new(7));
    for &(width, pairs) in PAIRS {
        for _ in 0..pairs {
            let (a, b) = (word(rng, width), word(rng, width));
            let (x, y) = (bits(&a), bits(&b));
            let args = [Value::Bv(a), Value::Bv(b)];
            for &op in BINARY {
                check(store, op, &args, binary(op, &x, &y));
            }
        }
    }
}

#[test]
fn unary_operators() {
    let (store, rng) = (&mut Store::new(), &mut Rng::new(8));
    for &(width, pairs) in PAIRS {
        for _ in 0..pairs {
            let a = word(rng, width);
            let (x, args) = (bits(&a), [Value::Bv(a)]);
            let n = width as usize;
            check(store, Op::BvNot, &args, value(&not(&x)));
            check(store, Op::BvNeg, &args, value(&neg(&x)));
            let smallest = sign(&x) && !x[..n - 1].contains(&true);
            check(store, Op::BvNego, &args, Value::Bool(smallest));
            let by = rng.below(70) as u32;
            let wide = n + by as usize;
            check(store, Op::ZeroExtend(by), &args, value(&extend(&x, wide, false)));
            check(store, Op::SignExtend(by), &args, value(&extend(&x, wide, sign(&x))));
            check(store, Op::Repeat(3), &args, value(&[x.clone(), x.clone(), x.clone()].concat()));
            let low = rng.below(n);
            let high = low + rng.below(n - low);
            let op = Op::Extract(high as u32, low as u32);
            check(store, op, &args, value(&x[low..=high].to_vec()));
        }
    }
}

#[test]
fn integers_and_back() {
    let (store, rng) = (&mut Store::new(), &mut Rng::new(9));
    for &(width, pairs) in PAIRS {
        for _ in 0..pairs {
            let a = Value::Bv(word(rng, width));
            for op in [Op::UbvToInt, Op::SbvToInt] {
                let number = value_of(store, op, std::slice::from_ref(&a), &Choices::default());
                let number = number.expect("words are numbers");
                let Value::Int(n) = &number else { panic!("{op:?} gives an integer") };
                // Horner's rule on the bits, the sign with its negative weight.
                let x = bits(match &a {
                    Value::Bv(word) => word,
                    _ => unreachable!("made as a word"),
                });
                let two = alphorn_term::Int::from(2i64);
                let horner = x.iter().rev().enumerate().fold(
                    alphorn_term::Int::from(0i64),
                    |sum, (at, &bit)| {
                        let minus = at == 0 && op == Op::SbvToInt;
                        let digit = if bit { if minus { -1i64 } else { 1 } } else { 0 };
                        sum * &two + alphorn_term::Int::from(digit)
                    },
                );
                assert_eq!(*n, horner);
                check(store, Op::IntToBv(width), &[number], a.clone());
            }
        }
    }
}
