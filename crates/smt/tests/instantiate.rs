//! Quantified formulas: refutations are replayed, and closed formulas are decided either way.

use alphorn_smt::instantiate::{Quantified, QuantifierLimits, decide};
use alphorn_term::{Op, SortId, Store, TermId};

fn limits() -> QuantifierLimits {
    QuantifierLimits { rounds: 60, ..QuantifierLimits::default() }
}

/// Whether the formulas are contradictory, with a refutation that is replayed.
fn is_refuted(store: &mut Store, formulas: &[TermId]) -> bool {
    match decide(store, formulas, &limits()) {
        Quantified::Refuted(found) => {
            let result = alphorn_check::proof::refute(store, formulas, &found.proof);
            assert_eq!(result.map_err(|refusal| refusal.to_string()), Ok(()));
            true
        }
        _ => false,
    }
}

#[test]
fn a_bound_becomes_an_instance() {
    let mut store = Store::new();
    let (a, x) = (store.var("a", SortId::INT), store.var("x", SortId::INT));
    let (three, five) = (store.int(3), store.int(5));
    let (above, large) = (store.gt(x, a), store.gt(x, five));
    let body = store.implies(above, large);
    let all = store.forall(&[x], body);
    let small = store.lt(a, three);
    assert!(is_refuted(&mut store, &[all, small]));
    let found = decide(&mut store, &[all], &limits());
    assert!(matches!(found, Quantified::Model(_)));
}

#[test]
fn between_two_reals_there_is_another() {
    let mut store = Store::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, SortId::REAL));
    let (low, high) = (store.lt(x, z), store.lt(z, y));
    let between = store.and(&[low, high]);
    let some = store.exists(&[z], between);
    let ordered = store.lt(x, y);
    let dense = store.implies(ordered, some);
    let all = store.forall(&[x, y], dense);
    let negation = store.not(all);
    assert!(is_refuted(&mut store, &[negation]));
    assert!(!is_refuted(&mut store, &[all]));
}

#[test]
fn between_two_integers_there_need_be_none() {
    let mut store = Store::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, SortId::INT));
    let (low, high) = (store.lt(x, z), store.lt(z, y));
    let between = store.and(&[low, high]);
    let some = store.exists(&[z], between);
    let ordered = store.lt(x, y);
    let dense = store.implies(ordered, some);
    let all = store.forall(&[x, y], dense);
    assert!(is_refuted(&mut store, &[all]));
}

#[test]
fn every_integer_is_even_or_odd() {
    let mut store = Store::new();
    let (x, y) = (store.var("x", SortId::INT), store.var("y", SortId::INT));
    let (one, two) = (store.int(1), store.int(2));
    let double = store.mul(&[two, y]);
    let odd = store.mk(Op::Add, &[double, one]);
    let (is_even, is_odd) = (store.eq(x, double), store.eq(x, odd));
    let either = store.or(&[is_even, is_odd]);
    let some = store.exists(&[y], either);
    let all = store.forall(&[x], some);
    assert!(!is_refuted(&mut store, &[all]));
    let even = store.exists(&[y], is_even);
    let every = store.forall(&[x], even);
    assert!(is_refuted(&mut store, &[every]));
}
