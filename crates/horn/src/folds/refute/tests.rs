//! Steps of inductions over lists, with what they need and without.

use super::*;
use alphorn_engine::Stopper;
use alphorn_term::{FuncId, SortId};

/// Lists of numbers, and a function that appends them, with its equations.
struct Lists {
    store: Store,
    list: SortId,
    nil: TermId,
    cons: Op,
    append: FuncId,
    equations: Vec<TermId>,
}

fn lists() -> Lists {
    let mut store = Store::default();
    let data = store.declare_data("List", &[]);
    let list = store.data(data).sort;
    let fields = vec![("head".to_owned(), SortId::INT), ("tail".to_owned(), list)];
    store.define_data(data, &[("nil", Vec::new()), ("cons", fields)]);
    let ctors = store.data(data).ctors.clone();
    let (nil, cons) = (store.mk(Op::Construct(ctors[0]), &[]), Op::Construct(ctors[1]));
    let append = store.declare("append", &[list, list], list);
    let (a, x, y) = (store.var("a", SortId::INT), store.var("x", list), store.var("y", list));
    let empty = store.mk(Op::Apply(append), &[nil, y]);
    let empty = store.eq(empty, y);
    let longer = store.mk(cons, &[a, x]);
    let whole = store.mk(Op::Apply(append), &[longer, y]);
    let rest = store.mk(Op::Apply(append), &[x, y]);
    let made = store.mk(cons, &[a, rest]);
    let step = store.eq(whole, made);
    let equations = vec![store.forall(&[y], empty), store.forall(&[a, x, y], step)];
    Lists { store, list, nil, cons, append, equations }
}

fn is_refuted(store: &mut Store, assertions: &[TermId]) -> bool {
    let mut sink = |_| {};
    let mut ctx = Ctx::new(1_000_000, Stopper::new(), 0, &mut sink);
    refute(store, assertions, Effort::quick(), &mut ctx).expect("there are ticks").is_some()
}

/// That appending nothing changes nothing, for a longer list if for a list.
fn step(lists: &mut Lists, with_hypothesis: bool) -> Vec<TermId> {
    let Lists { store, list, nil, cons, append, equations } = lists;
    let (b, z) = (store.var("b", SortId::INT), store.var("z", *list));
    let mut law = |value: TermId| {
        let appended = store.mk(Op::Apply(*append), &[value, *nil]);
        store.eq(appended, value)
    };
    let hypothesis = law(z);
    let longer = store.mk(*cons, &[b, z]);
    let appended = store.mk(Op::Apply(*append), &[longer, *nil]);
    let conclusion = store.eq(appended, longer);
    let mut claims = vec![store.not(conclusion)];
    claims.extend(with_hypothesis.then_some(hypothesis));
    claims.extend(equations.iter().copied());
    claims
}

#[test]
fn a_step_of_an_induction_needs_its_hypothesis() {
    let mut lists = lists();
    let claims = step(&mut lists, true);
    assert!(is_refuted(&mut lists.store, &claims));
    let claims = step(&mut lists, false);
    assert!(!is_refuted(&mut lists.store, &claims));
}

#[test]
fn what_is_not_universal_gets_witnesses() {
    let mut lists = lists();
    let Lists { store, list, nil, append, equations, .. } = &mut lists;
    let y = store.var("y", *list);
    let appended = store.mk(Op::Apply(*append), &[*nil, y]);
    let same = store.eq(appended, y);
    let all = store.forall(&[y], same);
    let opposite = store.not(all);
    assert!(is_refuted(store, &[&[opposite], &equations[..]].concat()));
    assert!(!is_refuted(store, &[&[all], &equations[..]].concat()));
}

#[test]
fn values_that_are_given_are_looked_at_by_constructor() {
    // No list is shorter than nothing appended to it: append(x, nil) = nil only if x = nil.
    let mut lists = lists();
    let Lists { store, list, nil, append, equations, .. } = &mut lists;
    let k = store.var("k", *list);
    let appended = store.mk(Op::Apply(*append), &[k, *nil]);
    let is_empty = store.eq(appended, *nil);
    let is_nil = store.eq(k, *nil);
    let is_other = store.not(is_nil);
    assert!(is_refuted(store, &[&[is_empty, is_other], &equations[..]].concat()));
    assert!(!is_refuted(store, &[&[is_empty], &equations[..]].concat()));
}

#[test]
fn universal_parts_of_a_conjunction_are_used() {
    let mut lists = lists();
    let Lists { store, list, nil, append, equations, .. } = &mut lists;
    let (x, y) = (store.var("v", *list), store.var("w", *list));
    let appended = store.mk(Op::Apply(*append), &[x, *nil]);
    let law = store.eq(appended, x);
    let law = store.forall(&[x], law);
    let other = store.mk(Op::Apply(*append), &[y, *nil]);
    let same = store.eq(other, y);
    let differ = store.not(same);
    let both = store.and(&[law, differ]);
    let claims = [&[both], &equations[..]].concat();
    assert!(is_refuted(store, &claims));
    let alone = [&[differ], &equations[..]].concat();
    assert!(!is_refuted(store, &alone));
}

#[test]
fn what_an_argument_is_in_a_case_is_looked_at() {
    // Of a list that is one of two, appending nothing changes nothing if that is known of the one.
    let mut lists = lists();
    let Lists { store, list, nil, append, equations, .. } = &mut lists;
    let function = store.declare("f", &[*list], *list);
    let (x, y) = (store.var("v", *list), store.var("w", *list));
    let test = store.var("t", SortId::BOOL);
    let made = store.mk(Op::Apply(function), &[y]);
    let chosen = store.ite(test, made, *nil);
    let appended = store.mk(Op::Apply(*append), &[chosen, *nil]);
    let same = store.eq(appended, chosen);
    let differ = store.not(same);
    let of_function = store.mk(Op::Apply(function), &[x]);
    let law = store.mk(Op::Apply(*append), &[of_function, *nil]);
    let law = store.eq(law, of_function);
    let law = store.forall(&[x], law);
    let claims = [&[differ, law], &equations[..]].concat();
    assert!(is_refuted(store, &claims));
}
