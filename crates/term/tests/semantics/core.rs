//! The Core theory, by truth tables.

use super::{bv, check, int, real};
use alphorn_term::{Op, Store, Value};

const B: [bool; 2] = [false, true];

#[test]
fn connectives() {
    let store = &mut Store::new();
    for a in B {
        check(store, Op::Not, &[Value::Bool(a)], Value::Bool(!a));
        for b in B {
            let two = [Value::Bool(a), Value::Bool(b)];
            check(store, Op::And, &two, Value::Bool(a & b));
            check(store, Op::Or, &two, Value::Bool(a | b));
            check(store, Op::Eq, &two, Value::Bool(a == b));
            for c in B {
                let three = [Value::Bool(a), Value::Bool(b), Value::Bool(c)];
                check(store, Op::And, &three, Value::Bool(a & b & c));
                check(store, Op::Or, &three, Value::Bool(a | b | c));
                check(store, Op::Ite, &three, Value::Bool(if a { b } else { c }));
                // Three truth values cannot be pairwise different.
                check(store, Op::Distinct, &three, Value::Bool(false));
            }
        }
    }
    check(store, Op::And, &[], Value::Bool(true));
    check(store, Op::Or, &[], Value::Bool(false));
    check(store, Op::And, &[Value::Bool(false)], Value::Bool(false));
    check(store, Op::Or, &[Value::Bool(true)], Value::Bool(true));
    check(store, Op::True, &[], Value::Bool(true));
    check(store, Op::False, &[], Value::Bool(false));
}

#[test]
fn derived_connectives() {
    let store = &mut Store::new();
    for a in B {
        for b in B {
            let (x, y) = (store.bool(a), store.bool(b));
            let cases =
                [(store.implies(x, y), !a | b), (store.xor(x, y), a ^ b), (store.eq(x, y), a == b)];
            for (term, expected) in cases {
                assert_eq!(term, store.bool(expected));
            }
        }
    }
}

#[test]
fn equality_and_distinctness() {
    let store = &mut Store::new();
    let domains = [
        vec![int(0), int(1), int(-1), int(i64::MIN)],
        vec![real(0, 1), real(1, 2), real(-1, 2), real(1, 3)],
        vec![bv(3, 0), bv(3, 1), bv(3, 7), bv(3, 4)],
    ];
    for domain in domains {
        for (i, a) in domain.iter().enumerate() {
            for (j, b) in domain.iter().enumerate() {
                let two = [a.clone(), b.clone()];
                check(store, Op::Eq, &two, Value::Bool(i == j));
                check(store, Op::Distinct, &two, Value::Bool(i != j));
                for (k, c) in domain.iter().enumerate() {
                    let three = [a.clone(), b.clone(), c.clone()];
                    let distinct = i != j && i != k && j != k;
                    check(store, Op::Distinct, &three, Value::Bool(distinct));
                }
                for condition in B {
                    let args = [Value::Bool(condition), a.clone(), b.clone()];
                    let expected = if condition { a } else { b };
                    check(store, Op::Ite, &args, expected.clone());
                }
            }
        }
    }
}

#[test]
fn equal_numbers_written_differently() {
    let store = &mut Store::new();
    check(store, Op::Eq, &[real(2, 4), real(1, 2)], Value::Bool(true));
    check(store, Op::Eq, &[real(-3, -9), real(1, 3)], Value::Bool(true));
    check(store, Op::Eq, &[real(0, 5), real(0, -1)], Value::Bool(true));
}
