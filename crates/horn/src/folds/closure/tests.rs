//! What is matched and taken apart modulo equations.

use super::*;
use alphorn_term::SortId;

#[test]
fn patterns_are_matched_modulo_equations() {
    let mut store = Store::default();
    let f = store.declare("f", &[SortId::INT], SortId::INT);
    let g = store.declare("g", &[SortId::INT, SortId::INT], SortId::INT);
    let [a, b, x] = ["a", "b", "x"].map(|name| store.var(name, SortId::INT));
    let fa = store.mk(Op::Apply(f), &[a]);
    let gb = store.mk(Op::Apply(g), &[b, b]);
    let fx = store.mk(Op::Apply(f), &[x]);
    let pattern = store.mk(Op::Apply(g), &[fx, fx]);
    let zero = store.int(0);
    let stated = store.eq(gb, zero);
    let same = store.eq(b, fa);
    let closure = Closure::new(&store, &[stated, same], &[]);
    let found = closure.matches(&[pattern], &[x]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0], vec![a]);
    let apart = Closure::new(&store, &[stated], &[]);
    assert!(apart.matches(&[pattern], &[x]).is_empty());
}

#[test]
fn constructors_are_taken_apart() {
    let mut store = Store::default();
    let data = store.declare_data("Nat", &[]);
    let nat = store.data(data).sort;
    store.define_data(data, &[("zero", Vec::new()), ("succ", vec![("pred".to_owned(), nat)])]);
    let succ = Op::Construct(store.data(data).ctors[1]);
    let [m, n] = ["m", "n"].map(|name| store.var(name, nat));
    let (one, two) = (store.mk(succ, &[m]), store.mk(succ, &[n]));
    let k = store.var("k", nat);
    let (left, right) = (store.eq(k, one), store.eq(k, two));
    let closure = Closure::new(&store, &[left, right], &[]);
    assert!(closure.are_equal(m, n));
    assert!(!Closure::new(&store, &[left], &[]).are_equal(m, n));
}
