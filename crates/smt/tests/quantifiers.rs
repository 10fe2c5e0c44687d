//! Quantified formulas: refutations are replayed, and closed formulas are decided either way.

use alphorn_problem::evidence::proof::{ProofStep, Rule};
use alphorn_smt::Smt;
use alphorn_smt::project::{Limits, Obstacle, eliminate_all};
use alphorn_smt::quantifiers::{Quantified, QuantifierLimits, decide};
use alphorn_term::{Op, Sort, SortId, Store, TermId};

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

/// Between any two numbers there is another.
fn dense(store: &mut Store, sort: SortId) -> TermId {
    let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, sort));
    let (low, high) = (store.lt(x, z), store.lt(z, y));
    let between = store.and(&[low, high]);
    let some = store.exists(&[z], between);
    let ordered = store.lt(x, y);
    let dense = store.implies(ordered, some);
    store.forall(&[x, y], dense)
}

#[test]
fn between_two_reals_there_is_another() {
    let mut store = Store::new();
    let all = dense(&mut store, SortId::REAL);
    let negation = store.not(all);
    assert!(is_refuted(&mut store, &[negation]));
    assert!(!is_refuted(&mut store, &[all]));
}

#[test]
fn between_two_integers_there_need_be_none() {
    let mut store = Store::new();
    let all = dense(&mut store, SortId::INT);
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

/// A sort of elements, some of them, and functions over it.
struct Elements {
    store: Store,
    sort: SortId,
}

impl Elements {
    fn new() -> Elements {
        let mut store = Store::new();
        let name = store.symbol("U");
        let sort = store.sort_id(Sort::Uninterpreted(name, Vec::new()));
        Elements { store, sort }
    }

    fn var(&mut self, name: &str) -> TermId {
        self.store.var(name, self.sort)
    }

    fn function(&mut self, name: &str) -> impl Fn(&mut Store, TermId) -> TermId + use<> {
        let func = self.store.declare(name, &[self.sort], self.sort);
        move |store, arg| store.mk(Op::Apply(func), &[arg])
    }

    /// That `f(x) = g(h(x))` for all `x`, and the terms `b`, `f(a)`, `g(b)` and `h(a)`.
    fn composed(&mut self) -> (TermId, [TermId; 4]) {
        let [f, g, h] = ["f", "g", "h"].map(|name| self.function(name));
        let [a, b, x] = ["a", "b", "x"].map(|name| self.var(name));
        let store = &mut self.store;
        let (hx, fx) = (h(store, x), f(store, x));
        let ghx = g(store, hx);
        let body = store.eq(fx, ghx);
        let all = store.forall(&[x], body);
        (all, [b, f(store, a), g(store, b), h(store, a)])
    }
}

#[test]
fn one_conflicting_instance_is_enough() {
    let mut e = Elements::new();
    let (all, [b, fa, gb, ha]) = e.composed();
    let a = e.var("a");
    let store = &mut e.store;
    let same = store.eq(fa, gb);
    let (different, binding) = (store.not(same), store.eq(b, ha));
    let formulas = [different, binding, all];
    let Quantified::Refuted(found) = decide(store, &formulas, &limits()) else {
        panic!("the formulas are contradictory")
    };
    let is_instance = |step: &&ProofStep| matches!(step.rule, Rule::Instantiate(_));
    let instances: Vec<&ProofStep> = found.proof.steps.iter().filter(is_instance).collect();
    assert_eq!(instances.len(), 1);
    assert_eq!(instances[0].rule, Rule::Instantiate(vec![a]));
    assert!(is_refuted(store, &formulas));
}

#[test]
fn an_instance_without_a_conflict_brings_an_equation() {
    let mut e = Elements::new();
    let (all, [b, fa, gb, ha]) = e.composed();
    let [c, d] = ["c", "d"].map(|name| e.var(name));
    let store = &mut e.store;
    let (first, second, third) = (store.eq(fa, c), store.eq(d, gb), store.eq(b, ha));
    let found = decide(store, &[first, second, third, all], &limits());
    assert!(matches!(found, Quantified::Model(_)), "{found:?}");
    let same = store.eq(c, d);
    let different = store.not(same);
    assert!(is_refuted(store, &[first, second, third, all, different]));
}

#[test]
fn a_conflict_may_need_numbers() {
    let mut store = Store::new();
    let [f, g] = ["f", "g"].map(|name| store.declare(name, &[SortId::INT], SortId::INT));
    let [a, b, x] = ["a", "b", "x"].map(|name| store.var(name, SortId::INT));
    let (fx, gx) = (store.mk(Op::Apply(f), &[x]), store.mk(Op::Apply(g), &[x]));
    let body = store.eq(fx, gx);
    let all = store.forall(&[x], body);
    let (fa, ga, one) = (store.mk(Op::Apply(f), &[a]), store.mk(Op::Apply(g), &[a]), store.int(1));
    let above = store.add(&[b, one]);
    let (first, second) = (store.eq(fa, b), store.ge(ga, above));
    assert!(is_refuted(&mut store, &[first, second, all]));
    let found = decide(&mut store, &[first, all], &limits());
    assert!(matches!(found, Quantified::Model(_)), "{found:?}");
}

#[test]
fn a_transitive_relation_has_a_path() {
    let mut e = Elements::new();
    let sort = e.sort;
    let vars = ["x", "y", "z", "a", "b", "c", "d"].map(|name| e.var(name));
    let [x, y, z, a, b, c, d] = vars;
    let store = &mut e.store;
    let r = store.declare("r", &[sort, sort], SortId::BOOL);
    let related = |store: &mut Store, p, q| store.mk(Op::Apply(r), &[p, q]);
    let (xy, yz, xz) = (related(store, x, y), related(store, y, z), related(store, x, z));
    let both = store.and(&[xy, yz]);
    let body = store.implies(both, xz);
    let transitive = store.forall(&[x, y, z], body);
    let (ab, bc, cd, ad) =
        (related(store, a, b), related(store, b, c), related(store, c, d), related(store, a, d));
    let not_ad = store.not(ad);
    assert!(is_refuted(store, &[transitive, ab, bc, cd, not_ad]));
    let found = decide(store, &[transitive, ab, cd, not_ad], &limits());
    assert!(matches!(found, Quantified::Model(_)), "{found:?}");
}

#[test]
fn sums_in_triggers_are_solved() {
    let mut store = Store::new();
    let f = store.declare("f", &[SortId::INT], SortId::INT);
    let [a, x] = ["a", "x"].map(|name| store.var(name, SortId::INT));
    let (one, five) = (store.int(1), store.int(5));
    let next = store.add(&[x, one]);
    let (fx, fnext) = (store.mk(Op::Apply(f), &[x]), store.mk(Op::Apply(f), &[next]));
    let body = store.lt(fx, fnext);
    let increasing = store.forall(&[x], body);
    let four_on = store.int(4);
    let further = store.add(&[a, four_on]);
    let (fa, flast) = (store.mk(Op::Apply(f), &[a]), store.mk(Op::Apply(f), &[further]));
    let low = store.ge(fa, five);
    let limit = store.int(8);
    let high = store.le(flast, limit);
    assert!(is_refuted(&mut store, &[increasing, low, high]));
}

#[test]
fn witnesses_of_instances_are_named() {
    let mut e = Elements::new();
    let sort = e.sort;
    let [x, y, a] = ["x", "y", "a"].map(|name| e.var(name));
    let store = &mut e.store;
    let r = store.declare("r", &[sort, sort], SortId::BOOL);
    let p = store.declare("p", &[sort], SortId::BOOL);
    let (rxy, py) = (store.mk(Op::Apply(r), &[x, y]), store.mk(Op::Apply(p), &[y]));
    let (px, pa) = (store.mk(Op::Apply(p), &[x]), store.mk(Op::Apply(p), &[a]));
    let some = store.exists(&[y], rxy);
    let follows = store.implies(px, some);
    let serial = store.forall(&[x], follows);
    let not_r = store.not(rxy);
    let none = store.forall(&[x, y], not_r);
    assert!(is_refuted(store, &[serial, none, pa]));
    let not_py = store.not(py);
    let leads = store.implies(rxy, not_py);
    let ends = store.forall(&[x, y], leads);
    let found = decide(store, &[serial, ends, pa], &limits());
    assert!(matches!(found, Quantified::Model(_)), "{found:?}");
}

#[test]
fn bounds_with_coefficients_are_rounded() {
    let mut store = Store::new();
    let [x, y, a] = ["x", "y", "a"].map(|name| store.var(name, SortId::INT));
    let (three, four) = (store.int(3), store.int(4));
    let (times, above) = (store.mul(&[four, x]), store.add(&[a, three]));
    let body = store.lt(times, above);
    let all = store.forall(&[x], body);
    assert!(is_refuted(&mut store, &[all]));
    let sum = store.add(&[times, y]);
    let wide = store.le(sum, a);
    let all = store.forall(&[x, y], wide);
    assert!(is_refuted(&mut store, &[all]));
}

#[test]
fn quantifiers_over_arguments_are_not_eliminated() {
    let mut store = Store::new();
    let f = store.declare("f", &[SortId::INT], SortId::INT);
    let [a, x] = ["a", "x"].map(|name| store.var(name, SortId::INT));
    let [fa, fx] = [a, x].map(|arg| store.mk(Op::Apply(f), &[arg]));
    let zero = store.int(0);
    let (positive, negative) = (store.gt(fx, zero), store.lt(fa, zero));
    let all = store.forall(&[x], positive);
    let result = eliminate_all(&mut store, all, &mut Smt::default(), &Limits::default());
    assert_eq!(result, Err(Obstacle::Opaque(vec![x])));
    assert!(is_refuted(&mut store, &[all, negative]));
}

#[test]
fn values_are_looked_for_above_zero_as_well_as_below() {
    let mut store = Store::new();
    let f = store.declare("f", &[SortId::INT], SortId::INT);
    let x = store.var("x", SortId::INT);
    let (zero, five) = (store.int(0), store.int(5));
    let value = store.mk(Op::Apply(f), &[x]);
    let (same, positive, small) = (store.eq(value, x), store.lt(zero, x), store.lt(value, five));
    let bounded = store.implies(positive, small);
    let formulas = [store.forall(&[x], same), store.forall(&[x], bounded)];
    assert!(is_refuted(&mut store, &formulas));
}

#[test]
fn integers_with_real_bounds_become_integer_parts() {
    let mut store = Store::new();
    let (r, s) = (store.var("r", SortId::REAL), store.var("s", SortId::REAL));
    let k = store.var("k", SortId::INT);
    let real = store.mk(Op::ToReal, &[k]);
    let one = store.real(1);
    let below = store.lt(real, r);
    let all = store.forall(&[k], below);
    assert!(is_refuted(&mut store, &[all]));
    let next = store.add(&[real, one]);
    let around = [store.le(real, s), store.lt(s, next)];
    let around = store.and(&around);
    let some = store.exists(&[k], around);
    let every = store.forall(&[s], some);
    let none = store.not(every);
    assert!(is_refuted(&mut store, &[none]));
}
