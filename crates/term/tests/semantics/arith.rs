//! Ints, Reals and Reals_Ints.
//!
//! Division is checked against its definition: for `n` not zero, `m = n * q + r` with
//! `0 <= r < |n|`.

use super::{check, int, real};
use alphorn_term::{Int, Op, Rat, Store, Value};

/// (dividend, divisor, quotient, remainder), by hand.
const DIVISIONS: &[(i64, i64, i64, i64)] = &[
    (7, 2, 3, 1),
    (-7, 2, -4, 1),
    (7, -2, -3, 1),
    (-7, -2, 4, 1),
    (6, 3, 2, 0),
    (-6, 3, -2, 0),
    (6, -3, -2, 0),
    (-6, -3, 2, 0),
    (0, 5, 0, 0),
    (0, -5, 0, 0),
    (1, 5, 0, 1),
    (-1, 5, -1, 4),
    (1, -5, 0, 1),
    (-1, -5, 1, 4),
    (i64::MIN, 3, -3_074_457_345_618_258_603, 1),
    (i64::MAX, i64::MIN, 0, i64::MAX),
    (i64::MIN, i64::MAX, -2, i64::MAX - 1),
    (5, 1, 5, 0),
    (5, -1, -5, 0),
    (-5, -1, 5, 0),
];

#[test]
fn division() {
    let store = &mut Store::new();
    for &(m, n, q, r) in DIVISIONS {
        assert!(i128::from(m) == i128::from(n) * i128::from(q) + i128::from(r), "the table");
        assert!(r >= 0 && i128::from(r) < i128::from(n).abs(), "the table");
        check(store, Op::IntDiv, &[int(m), int(n)], int(q));
        check(store, Op::Mod, &[int(m), int(n)], int(r));
    }
}

#[test]
fn division_satisfies_its_definition() {
    let store = &mut Store::new();
    for m in -13i64..=13 {
        for n in (-6i64..=6).filter(|&n| n != 0) {
            // The only pair in range that fits the definition.
            let fits = |q: &i64| (0..n.abs()).contains(&(m - n * q));
            let q = (-20..=20).find(fits).expect("the quotient is in range");
            check(store, Op::IntDiv, &[int(m), int(n)], int(q));
            check(store, Op::Mod, &[int(m), int(n)], int(m - n * q));
            let multiple = (0..n.abs()).all(|r| r == 0 || (m - r) % n != 0);
            let term = store.int(m);
            let divisible = store.divisible(&Int::from(n.abs()), term);
            assert_eq!(divisible, store.bool(multiple), "{n} divides {m}");
        }
    }
}

#[test]
fn the_smallest_word_by_minus_one_leaves_the_word() {
    let store = &mut Store::new();
    let big = Value::Int(Int::from(i64::MIN) * Int::from(-1i64));
    assert_eq!(big.clone(), Value::Int(Int::from(i64::MAX) + Int::from(1i64)));
    check(store, Op::IntDiv, &[int(i64::MIN), int(-1)], big.clone());
    check(store, Op::Mod, &[int(i64::MIN), int(-1)], int(0));
    check(store, Op::Abs, &[int(i64::MIN)], big);
}

#[test]
fn sums_products_orders() {
    let store = &mut Store::new();
    for a in -4i64..=4 {
        check(store, Op::Abs, &[int(a)], int(if a < 0 { -a } else { a }));
        for b in -4i64..=4 {
            check(store, Op::Add, &[int(a), int(b)], int(a + b));
            check(store, Op::Mul, &[int(a), int(b)], int(a * b));
            check(store, Op::Le, &[int(a), int(b)], Value::Bool(a <= b));
            check(store, Op::Lt, &[int(a), int(b)], Value::Bool(a < b));
            check(store, Op::Add, &[int(a), int(b), int(3)], int(a + b + 3));
            check(store, Op::Mul, &[int(a), int(b), int(-2)], int(a * b * -2));
            let (x, y) = (store.int(a), store.int(b));
            let cases = [(store.sub(x, y), a - b), (store.neg(x), -a)];
            for (term, expected) in cases {
                assert_eq!(term, store.int(expected));
            }
            assert_eq!(store.ge(x, y), store.bool(a >= b));
            assert_eq!(store.gt(x, y), store.bool(a > b));
        }
    }
}

#[test]
fn rationals() {
    let store = &mut Store::new();
    for (a, b) in (-5i64..=5).flat_map(|a| (1i64..=4).map(move |b| (a, b))) {
        for (c, d) in (-5i64..=5).flat_map(|c| (1i64..=4).map(move |d| (c, d))) {
            let two = [real(a, b), real(c, d)];
            check(store, Op::Add, &two, real(a * d + c * b, b * d));
            check(store, Op::Mul, &two, real(a * c, b * d));
            check(store, Op::Le, &two, Value::Bool(a * d <= c * b));
            check(store, Op::Lt, &two, Value::Bool(a * d < c * b));
            check(store, Op::Eq, &two, Value::Bool(a * d == c * b));
            if c != 0 {
                check(store, Op::RealDiv, &two, real(a * d, b * c));
            }
        }
    }
}

/// (numerator, denominator, floor, is an integer), by hand.
const FLOORS: &[(i64, i64, i64, bool)] = &[
    (0, 1, 0, true),
    (1, 2, 0, false),
    (-1, 2, -1, false),
    (3, 2, 1, false),
    (-3, 2, -2, false),
    (4, 2, 2, true),
    (-4, 2, -2, true),
    (-7, 3, -3, false),
    (-6, 3, -2, true),
    (7, 3, 2, false),
    (-1, 1_000_000_007, -1, false),
    (i64::MIN, 2, i64::MIN / 2, true),
    (i64::MIN, 1, i64::MIN, true),
];

#[test]
fn between_integers_and_reals() {
    let store = &mut Store::new();
    for &(n, d, floor, integer) in FLOORS {
        check(store, Op::ToInt, &[real(n, d)], int(floor));
        check(store, Op::IsInt, &[real(n, d)], Value::Bool(integer));
    }
    for n in [-3i64, -1, 0, 1, 3, i64::MAX, i64::MIN] {
        check(store, Op::ToReal, &[int(n)], Value::Real(Rat::from(n)));
        check(store, Op::ToInt, &[Value::Real(Rat::from(n))], int(n));
    }
}

#[test]
fn words_and_integers() {
    let store = &mut Store::new();
    for width in 1u32..=5 {
        let modulus = 1i64 << width;
        for bits in 0..modulus {
            let signed = if bits >= modulus / 2 { bits - modulus } else { bits };
            check(store, Op::UbvToInt, &[super::bv(width, bits as u64)], int(bits));
            check(store, Op::SbvToInt, &[super::bv(width, bits as u64)], int(signed));
        }
        for n in -40i64..=40 {
            // The residue in range, found by search.
            let bits = (0..modulus).find(|b| (n - b) % modulus == 0).expect("one residue fits");
            check(store, Op::IntToBv(width), &[int(n)], super::bv(width, bits as u64));
        }
    }
}
