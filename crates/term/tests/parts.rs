//! Conjuncts and disjuncts: each once, in order, through nesting, without what says nothing.

use alphorn_term::parts::{conjuncts, disjuncts};
use alphorn_term::{SortId, Store, TermId};

#[test]
fn conjuncts_come_once_in_order_and_through_nesting() {
    let s = &mut Store::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| s.var(name, SortId::BOOL));
    let either = s.or(&[a, c]);
    let inner = s.and(&[b, either]);
    let all = s.and(&[inner, a, b]);
    let mut found = conjuncts(s, &[all]);
    found.sort();
    let mut expected = vec![a, b, either];
    expected.sort();
    assert_eq!(found, expected);
    assert_eq!(conjuncts(s, &[c, inner, c, b]).len(), 3);
    assert_eq!(conjuncts(s, &[c, inner, c])[0], c);
    assert_eq!(disjuncts(s, &[either]).len(), 2);
    assert_eq!(disjuncts(s, &[inner]), [inner]);
}

#[test]
fn what_says_nothing_has_no_parts() {
    let s = &Store::new();
    assert_eq!(conjuncts(s, &[TermId::TRUE]), []);
    assert_eq!(disjuncts(s, &[TermId::FALSE]), []);
    assert_eq!(conjuncts(s, &[TermId::FALSE]), [TermId::FALSE]);
    assert_eq!(disjuncts(s, &[TermId::TRUE]), [TermId::TRUE]);
}
