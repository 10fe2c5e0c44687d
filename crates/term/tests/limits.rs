//! Constructors, printing and bounds stay small where what they are asked for is not.

use alphorn_term::eval::bound::{self, Tables};
use alphorn_term::{Bv, Exhausted, Meter, Model, Op, SortId, Store, Substitution};

#[test]
fn a_meter_that_met_its_limit_allows_nothing_more() {
    let meter = Meter::new(10);
    assert_eq!(meter.spend(10), Ok(()));
    assert_eq!(meter.spend(1), Err(Exhausted));
    assert_eq!(meter.spend(0), Err(Exhausted));
    assert_eq!(Meter::unlimited().spend(u64::MAX), Ok(()));
}

#[test]
fn literals_that_square_stay_apart_once_they_are_long() {
    for sort in [SortId::INT, SortId::REAL] {
        let mut store = Store::new();
        let mut power = store.number(sort, &3.into());
        for _ in 0..200 {
            power = store.mul(&[power, power]);
            let args = store.args(power).to_vec();
            assert_eq!(store.rebuild(power, &args), power, "rebuilding gives the term itself");
        }
        assert_eq!(store.op(power), Op::Mul);
        assert!(store.effort() < 1 << 31, "{}", store.effort());
    }
}

#[test]
fn products_of_wide_words_are_not_folded() {
    let mut store = Store::new();
    let word = store.bv(Bv::ones(1 << 24));
    let before = store.effort();
    let product = store.mk(Op::BvMul, &[word, word]);
    assert_eq!(store.op(product), Op::BvMul);
    assert!(store.effort() - before < 1 << 10);
    // Narrow ones are.
    let word = store.bv(Bv::ones(1 << 10));
    let product = store.mk(Op::BvMul, &[word, word]);
    assert!(store.is_literal(product));
}

#[test]
fn sorts_that_double_are_printed_shortly() {
    let mut store = Store::new();
    let mut sort = store.bv_sort(1);
    for _ in 0..60 {
        sort = store.array_sort(sort, sort);
    }
    let text = store.show_sort(sort);
    assert!(text.ends_with('…') && text.len() < 1 << 14, "{} bytes", text.len());
    let mut sort = SortId::INT;
    for _ in 0..60 {
        sort = store.array_sort(SortId::INT, sort);
    }
    let text = store.show_sort(sort);
    assert_eq!(text.matches("(Array Int ").count(), 60);
    assert!(text.ends_with(&")".repeat(60)));
}

#[test]
fn values_that_square_exhaust_the_meter_and_are_not_made() {
    let mut store = Store::new();
    let x = store.var("x", SortId::INT);
    let mut power = x;
    for _ in 0..60 {
        let one = store.int(1);
        let next = store.add(&[power, one]);
        power = store.mul(&[next, next]);
    }
    let mut model = Model::new();
    model.set(x, alphorn_term::Value::Int(2.into()));
    let meter = Meter::new(1 << 24);
    let bounded = bound::evaluation(&store, &[power], &model, &Tables::default(), &meter);
    assert!(bounded.is_err());
    let meter = Meter::new(1 << 24);
    let bounded = bound::evaluation(&store, &[x], &model, &Tables::default(), &meter);
    assert_eq!(bounded, Ok(()));
}

#[test]
fn scopes_that_double_exhaust_the_meter() {
    let build = |levels: usize| {
        let mut store = Store::new();
        let [x, z] = ["x", "z"].map(|name| store.var(name, SortId::INT));
        let mut formula = store.lt(x, z);
        for _ in 0..levels {
            let same = store.eq(x, z);
            let either = store.or(&[formula, same]);
            let (all, some) = (store.forall(&[z], either), store.exists(&[z], formula));
            formula = store.and(&[all, some]);
        }
        let map: Substitution = [(x, z)].into_iter().collect();
        let meter = Meter::new(1 << 24);
        bound::substitution(&store, &[formula], &map, &meter)
    };
    assert_eq!(build(5), Ok(()));
    assert!(build(60).is_err());
}
