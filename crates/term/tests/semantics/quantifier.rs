//! Quantifiers over finite sorts, against loops; over others, errors.

use super::{bv, int};
use alphorn_term::{EvalError, Model, Op, SortId, Store, TermId, Value, eval};

#[track_caller]
fn closed(store: &Store, term: TermId) -> Result<Value, EvalError> {
    assert!(store.free_vars(&[term]).is_empty(), "{} is not closed", store.show(term));
    eval(store, term, &Model::new())
}

#[test]
fn two_alternations_over_words() {
    let store = &mut Store::new();
    for width in 1..=3u32 {
        let sort = store.bv_sort(width);
        let (x, y) = (store.var("x", sort), store.var("y", sort));
        let (product, sum) = (store.mk(Op::BvMul, &[x, y]), store.mk(Op::BvAdd, &[x, y]));
        let modulus = 1u32 << width;
        for c in 0..modulus {
            let constant = store.bv(alphorn_term::Bv::from_u64(width, c.into()));
            type Function = fn(u32, u32) -> u32;
            let cases: [(TermId, Function); 2] = [(product, |a, b| a * b), (sum, |a, b| a + b)];
            for (term, function) in cases {
                let body = store.eq(term, constant);
                let holds = |a: u32, b: u32| function(a, b) % modulus == c;
                let all = 0..modulus;
                let expected = [
                    (Op::Forall, Op::Exists, all.clone().all(|a| all.clone().any(|b| holds(a, b)))),
                    (Op::Exists, Op::Forall, all.clone().any(|a| all.clone().all(|b| holds(a, b)))),
                    (Op::Forall, Op::Forall, all.clone().all(|a| all.clone().all(|b| holds(a, b)))),
                    (Op::Exists, Op::Exists, all.clone().any(|a| all.clone().any(|b| holds(a, b)))),
                ];
                for (outer, inner, expected) in expected {
                    let nested = store.mk(inner, &[y, body]);
                    let nested = store.mk(outer, &[x, nested]);
                    assert_eq!(closed(store, nested), Ok(Value::Bool(expected)));
                    if outer == inner {
                        let together = store.mk(outer, &[x, y, body]);
                        assert_eq!(closed(store, together), Ok(Value::Bool(expected)));
                    }
                }
            }
        }
    }
}

#[test]
fn inner_binders_shadow_outer_ones_and_the_model() {
    let store = &mut Store::new();
    let x = store.var("x", SortId::BOOL);
    let (some, all) = (store.exists(&[x], x), store.forall(&[x], x));
    let not_x = store.not(x);
    let mut model = Model::new();
    for truth in [false, true] {
        model.set(x, Value::Bool(truth));
        let cases = [
            (some, true),
            (all, false),
            // The outer x, beside a quantifier with its own.
            (store.and(&[x, some]), truth),
            (store.or(&[x, all]), truth),
        ];
        for (term, expected) in cases {
            assert_eq!(
                eval(store, term, &model),
                Ok(Value::Bool(expected)),
                "{}",
                store.show(term)
            );
        }
    }
    // forall x. (exists x. not x) and (x or not x), the last folded to true by the constructor.
    let inner = store.exists(&[x], not_x);
    let outer = store.and(&[inner, x]);
    let all_outer = store.forall(&[x], outer);
    assert_eq!(closed(store, all_outer), Ok(Value::Bool(false)));
    let some_outer = store.exists(&[x], outer);
    assert_eq!(closed(store, some_outer), Ok(Value::Bool(true)));
}

#[test]
fn over_datatypes_and_arrays() {
    let store = &mut Store::new();
    let colour = store.declare_data("Colour", &[]);
    store.define_data(colour, &[("red", vec![]), ("green", vec![]), ("blue", vec![])]);
    let sort = store.data(colour).sort;
    let ctors = store.data(colour).ctors.clone();
    let c = store.var("c", sort);
    let tests: Vec<TermId> = ctors.iter().map(|&ctor| store.mk(Op::Is(ctor), &[c])).collect();
    let exhausted = store.or(&tests);
    let all = store.forall(&[c], exhausted);
    assert_eq!(closed(store, all), Ok(Value::Bool(true)));
    let missing = store.or(&tests[..2]);
    let all = store.forall(&[c], missing);
    assert_eq!(closed(store, all), Ok(Value::Bool(false)));
    // Extensionality: arrays equal at all indices are equal.
    let one = store.bv_sort(1);
    let arrays = store.array_sort(one, SortId::BOOL);
    let (a, b, i) = (store.var("a", arrays), store.var("b", arrays), store.var("i", one));
    let (at_a, at_b) = (store.select(a, i), store.select(b, i));
    let agree = store.eq(at_a, at_b);
    let agree = store.forall(&[i], agree);
    let equal = store.eq(a, b);
    let same = store.eq(agree, equal);
    let all = store.forall(&[a, b], same);
    assert_eq!(closed(store, all), Ok(Value::Bool(true)));
}

#[test]
fn too_many_instances_are_an_error() {
    let store = &mut Store::new();
    let (wide, full) = (store.bv_sort(17), store.bv_sort(16));
    for (sort, expected) in [
        (SortId::INT, Err(EvalError::Quantifier)),
        (SortId::REAL, Err(EvalError::Quantifier)),
        (wide, Err(EvalError::Quantifier)),
        (full, Ok(Value::Bool(true))),
    ] {
        let x = store.var("x", sort);
        let f = store.declare("f", &[sort], sort);
        let fx = store.mk(Op::Apply(f), &[x]);
        let same = store.eq(fx, x);
        let differs = store.not(same);
        let either = store.or(&[same, differs]);
        assert_eq!(either, TermId::TRUE);
        let body = store.eq(x, x);
        assert_eq!(body, TermId::TRUE, "a constant body needs no instances");
        let zero = Value::default_of(store, sort).expect("these sorts have values");
        let zero = store.value_term(&zero).expect("numbers have terms");
        let hit = store.eq(x, zero);
        let some = store.exists(&[x], hit);
        assert_eq!(closed(store, some), expected);
    }
}

#[test]
fn a_variable_of_an_infinite_sort_that_the_body_does_not_have_needs_no_values() {
    let store = &mut Store::new();
    let (x, y) = (store.var("x", SortId::INT), store.var("y", SortId::BOOL));
    let zero = store.int(0);
    let is_zero = store.eq(x, zero);
    for (quantified, expected) in [
        (store.forall(&[x, y], y), Ok(Value::Bool(false))),
        (store.exists(&[x, y], y), Ok(Value::Bool(true))),
        (store.exists(&[x], is_zero), Err(EvalError::Quantifier)),
    ] {
        assert_eq!(closed(store, quantified), expected);
    }
    // The inner variable of the same name is another one.
    let inner = store.exists(&[x], is_zero);
    let either = store.or(&[inner, y]);
    let outer = store.forall(&[x, y], either);
    assert_eq!(closed(store, outer), Err(EvalError::Quantifier));
}

/// Nesting multiplies: three loops of 2^8 are too many, though each alone is not.
#[test]
fn nested_quantifiers_share_one_limit() {
    let store = &mut Store::new();
    let sort = store.bv_sort(8);
    let vars = ["x", "y", "z"].map(|name| store.var(name, sort));
    let sum = store.mk(Op::BvAdd, &[vars[0], vars[1]]);
    let body = store.mk(Op::BvUle, &[sum, vars[2]]);
    let mut term = body;
    for var in vars {
        term = store.forall(&[var], term);
    }
    assert_eq!(closed(store, term), Err(EvalError::Quantifier));
    let two = store.exists(&[vars[2]], body);
    let two = store.forall(&[vars[1]], two);
    let mut model = Model::new();
    model.set(vars[0], bv(8, 3));
    assert_eq!(eval(store, two, &model), Ok(Value::Bool(true)));
}

#[test]
fn errors_inside() {
    let store = &mut Store::new();
    let (p, x) = (store.var("p", SortId::BOOL), store.var("x", SortId::INT));
    let zero = store.int(0);
    let undefined = store.mk(Op::Mod, &[x, zero]);
    let bad = store.eq(undefined, x);
    let mut model = Model::new();
    model.set(x, int(1));
    // A settling instance settles, whatever the others do.
    let body = store.or(&[p, bad]);
    let some = store.exists(&[p], body);
    assert_eq!(eval(store, some, &model), Ok(Value::Bool(true)));
    let all = store.forall(&[p], body);
    assert_eq!(eval(store, all, &model), Err(EvalError::DivisionByZero));
    let body = store.and(&[p, bad]);
    let all = store.forall(&[p], body);
    assert_eq!(eval(store, all, &model), Ok(Value::Bool(false)));
}
