//! Errors travel like values, and only as far as an operator looks; ill-sorted models are errors.

use super::{bv, int};
use alphorn_term::eval::{Program, Table};
use alphorn_term::{EvalError, Model, Op, SortId, Store, TermId, Value, eval};

/// `eval` and a compiled program, which must agree.
#[track_caller]
fn both(store: &Store, term: TermId, model: &Model) -> Result<Value, EvalError> {
    let value = eval(store, term, model);
    let mut program = Program::new(store, &[], &[term]);
    program.run(store, &[], model);
    assert_eq!(program.output(0), value.as_ref());
    value
}

#[test]
fn operators_look_only_where_they_must() {
    let store = &mut Store::new();
    let (x, p) = (store.var("x", SortId::INT), store.var("p", SortId::BOOL));
    let zero = store.int(0);
    let undefined = store.mk(Op::IntDiv, &[x, zero]);
    let bad = store.lt(undefined, x);
    let mut model = Model::new();
    model.set(x, int(5));
    let by_zero = Err(EvalError::DivisionByZero);
    for truth in [false, true] {
        model.set(p, Value::Bool(truth));
        let cases = [
            (store.and(&[bad, p]), if truth { by_zero.clone() } else { Ok(Value::Bool(false)) }),
            (store.and(&[p, bad]), if truth { by_zero.clone() } else { Ok(Value::Bool(false)) }),
            (store.or(&[bad, p]), if truth { Ok(Value::Bool(true)) } else { by_zero.clone() }),
            (store.or(&[p, bad]), if truth { Ok(Value::Bool(true)) } else { by_zero.clone() }),
            (store.ite(p, x, undefined), if truth { Ok(int(5)) } else { by_zero.clone() }),
            (store.ite(p, undefined, x), if truth { by_zero.clone() } else { Ok(int(5)) }),
            (store.ite(bad, x, zero), by_zero.clone()),
            (store.add(&[x, undefined]), by_zero.clone()),
            (store.not(bad), by_zero.clone()),
            (store.eq(undefined, x), by_zero.clone()),
        ];
        for (term, expected) in cases {
            assert_eq!(both(store, term, &model), expected, "{}", store.show(term));
        }
    }
}

#[test]
fn what_has_no_value_is_named() {
    let store = &mut Store::new();
    let x = store.var("x", SortId::INT);
    let f = store.declare("f", &[SortId::INT], SortId::INT);
    let fx = store.mk(Op::Apply(f), &[x]);
    let mut model = Model::new();
    assert_eq!(both(store, x, &model), Err(EvalError::Unassigned(x)));
    assert_eq!(both(store, fx, &model), Err(EvalError::Unassigned(x)));
    model.set(x, int(1));
    assert_eq!(both(store, fx, &model), Err(EvalError::Uninterpreted(f)));
    let mut table = Table::default();
    table.entries.insert(vec![int(1)], int(10));
    model.funcs.insert(f, table);
    assert_eq!(both(store, fx, &model), Ok(int(10)));
    model.set(x, int(2));
    assert_eq!(both(store, fx, &model), Err(EvalError::Uninterpreted(f)));
    model.funcs.insert(f, Table::constant(int(0)));
    assert_eq!(both(store, fx, &model), Ok(int(0)));
    for error in [EvalError::Unassigned(x), EvalError::Uninterpreted(f)] {
        assert!(error.describe(store).contains(if error == EvalError::Unassigned(x) {
            "x"
        } else {
            "f"
        }));
    }
}

/// A model may come from a file; values of the wrong sort must give errors, not answers or panics.
#[test]
fn ill_sorted_models_are_errors() {
    let store = &mut Store::new();
    let (four, eight) = (store.bv_sort(4), store.bv_sort(8));
    let (x, y) = (store.var("x", four), store.var("y", four));
    let (p, q) = (store.var("p", SortId::BOOL), store.var("q", SortId::BOOL));
    let (i, z) = (store.var("i", SortId::INT), store.var("z", eight));
    let mut terms: Vec<TermId> = Vec::new();
    #[rustfmt::skip]
    let ops = [
        Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvAdd, Op::BvSub, Op::BvMul, Op::BvUdiv, Op::BvUrem,
        Op::BvSdiv, Op::BvSrem, Op::BvSmod, Op::BvShl, Op::BvLshr, Op::BvAshr, Op::BvUlt,
        Op::BvSle, Op::BvUaddo, Op::BvSmulo, Op::BvSdivo,
    ];
    terms.extend(ops.map(|op| store.mk(op, &[x, y])));
    terms.push(store.mk(Op::Extract(7, 6), &[z]));
    terms.push(store.and(&[p, q]));
    terms.push(store.or(&[p, q]));
    terms.push(store.not(p));
    terms.push(store.ite(p, x, y));
    terms.push(store.add(&[i, i, i]));
    terms.push(store.mk(Op::Abs, &[i]));
    let mut model = Model::new();
    model.set(x, bv(4, 3));
    model.set(y, bv(9, 300));
    model.set(z, bv(2, 3));
    model.set(p, int(1));
    model.set(q, bv(1, 1));
    model.set(i, Value::Bool(true));
    for term in terms {
        assert_eq!(both(store, term, &model), Err(EvalError::IllSorted), "{}", store.show(term));
    }
}
