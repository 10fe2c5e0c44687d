//! What SMT-LIB leaves open: an error without a recorded choice, the choice with one.

use super::{check_error, int, real, value_of};
use alphorn_term::eval::{Choices, Table};
use alphorn_term::{EvalError, Op, Store, Value};

#[test]
fn division_by_zero_is_an_error() {
    let store = &mut Store::new();
    for a in [-1, 0, 7] {
        for op in [Op::IntDiv, Op::Mod] {
            check_error(store, op, &[int(a), int(0)], EvalError::DivisionByZero);
        }
        check_error(store, Op::RealDiv, &[real(a, 2), real(0, 1)], EvalError::DivisionByZero);
    }
}

#[test]
fn each_division_has_its_own_choice() {
    let store = &mut Store::new();
    let mut table = Table::constant(int(-3));
    table.entries.insert(vec![int(7)], int(70));
    let quotients = Choices { int_div: Some(table.clone()), ..Choices::default() };
    let remainders = Choices { modulo: Some(table), ..Choices::default() };
    let fractions = Choices { real_div: Some(Table::constant(real(1, 3))), ..Choices::default() };
    type Case<'a> = (Op, Value, &'a Choices, Result<Value, EvalError>);
    let zero = Err(EvalError::DivisionByZero);
    let cases: [Case; 9] = [
        (Op::IntDiv, int(7), &quotients, Ok(int(70))),
        (Op::IntDiv, int(8), &quotients, Ok(int(-3))),
        (Op::Mod, int(7), &quotients, zero.clone()),
        (Op::Mod, int(7), &remainders, Ok(int(70))),
        (Op::Mod, int(0), &remainders, Ok(int(-3))),
        (Op::IntDiv, int(7), &remainders, zero.clone()),
        (Op::RealDiv, real(7, 1), &fractions, Ok(real(1, 3))),
        (Op::RealDiv, real(7, 1), &quotients, zero.clone()),
        (Op::IntDiv, int(7), &fractions, zero),
    ];
    for (op, dividend, choices, expected) in cases {
        let divisor = if op == Op::RealDiv { real(0, 1) } else { int(0) };
        assert_eq!(value_of(store, op, &[dividend, divisor], choices), expected, "{op:?}");
    }
}

#[test]
fn choices_do_not_touch_defined_divisions() {
    let store = &mut Store::new();
    let choices = Choices::zero();
    assert_eq!(value_of(store, Op::IntDiv, &[int(7), int(-2)], &choices), Ok(int(-3)));
    assert_eq!(value_of(store, Op::Mod, &[int(-7), int(2)], &choices), Ok(int(1)));
    assert_eq!(value_of(store, Op::RealDiv, &[real(1, 1), real(2, 1)], &choices), Ok(real(1, 2)));
    for op in [Op::IntDiv, Op::Mod] {
        assert_eq!(value_of(store, op, &[int(7), int(0)], &choices), Ok(int(0)));
    }
    assert_eq!(value_of(store, Op::RealDiv, &[real(7, 1), real(0, 1)], &choices), Ok(real(0, 1)));
}

#[test]
fn a_table_without_the_case_is_no_choice() {
    let store = &mut Store::new();
    let mut table = Table::default();
    table.entries.insert(vec![int(1)], int(1));
    let choices = Choices { int_div: Some(table), ..Choices::default() };
    assert_eq!(value_of(store, Op::IntDiv, &[int(1), int(0)], &choices), Ok(int(1)));
    let other = value_of(store, Op::IntDiv, &[int(2), int(0)], &choices);
    assert_eq!(other, Err(EvalError::DivisionByZero));
}
