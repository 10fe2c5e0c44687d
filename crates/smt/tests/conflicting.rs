//! Conflicting and equality-inducing instances: how many are stated, and that refutations are replayed.

use alphorn_smt::quantifiers::{InstanceCounts, UNLIMITED_ROUNDS};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{FuncId, Op, Sort, SortId, Store, TermId};
use alphorn_testkit::formulas::check_answer;

/// A declared sort and what is over it.
struct World {
    store: Store,
    sort: SortId,
}

impl World {
    fn new() -> World {
        let mut store = Store::new();
        let name = store.symbol("U");
        let sort = store.sort_id(Sort::Uninterpreted(name, Vec::new()));
        World { store, sort }
    }

    fn var(&mut self, name: &str) -> TermId {
        self.store.var(name, self.sort)
    }

    fn function(&mut self, name: &str) -> FuncId {
        self.store.declare(name, &[self.sort], self.sort)
    }

    fn apply(&mut self, func: FuncId, arg: TermId) -> TermId {
        self.store.mk(Op::Apply(func), &[arg])
    }

    fn different(&mut self, left: TermId, right: TermId) -> TermId {
        let same = self.store.eq(left, right);
        self.store.not(same)
    }

    /// The answer, which is justified, and the instances that it took.
    fn decide(&mut self, formulas: &[TermId]) -> (Answer, InstanceCounts) {
        let mut smt = Smt::new(Options {
            proofs: true,
            instance_rounds: UNLIMITED_ROUNDS,
            far_instances: true,
            ..Options::default()
        });
        for formula in formulas {
            smt.assert(&mut self.store, *formula);
        }
        let answer = smt.check(&mut self.store, &[]);
        if answer == Answer::Unsat {
            check_answer(&smt, &mut self.store, answer, "an example");
        }
        (answer, smt.theory_stats().instances)
    }
}

#[test]
fn values_that_have_to_be_equal_are_found_by_their_class() {
    let mut w = World::new();
    let (f, g) = (w.function("f"), w.function("g"));
    let [x, y] = ["x", "y"].map(|name| w.var(name));
    let (fx, gy) = (w.apply(f, x), w.apply(g, y));
    let body = w.different(fx, gy);
    let mut formulas = vec![w.store.forall(&[x, y], body)];
    // Of 10,000 pairs one is in conflict.
    for number in 0..100 {
        for (func, kind) in [(f, "a"), (g, "b")] {
            let arg = w.var(&format!("{kind}{number}"));
            let (value, own) = (w.apply(func, arg), w.var(&format!("{kind}{kind}{number}")));
            formulas.push(w.store.eq(value, own));
        }
    }
    let (left, right) = (w.var("aa71"), w.var("bb93"));
    formulas.push(w.store.eq(left, right));
    let (answer, counts) = w.decide(&formulas);
    assert_eq!((answer, counts.all, counts.conflicting), (Answer::Unsat, 1, 1));
}

#[test]
fn nested_applications_need_not_be_there_as_they_are_written() {
    let mut w = World::new();
    let [f, g, h] = ["f", "g", "h"].map(|name| w.function(name));
    let [a, b, x] = ["a", "b", "x"].map(|name| w.var(name));
    let (fx, hx) = (w.apply(f, x), w.apply(h, x));
    let ghx = w.apply(g, hx);
    let body = w.store.eq(fx, ghx);
    let all = w.store.forall(&[x], body);
    let (fa, gb, ha) = (w.apply(f, a), w.apply(g, b), w.apply(h, a));
    let bound = w.store.eq(b, ha);
    let differ = w.different(fa, gb);
    let (answer, counts) = w.decide(&[all, bound, differ]);
    assert_eq!((answer, counts.all, counts.conflicting), (Answer::Unsat, 1, 1));
    // Without the disequality there is no conflict, and the instance makes two terms equal.
    let [c, d] = ["c", "d"].map(|name| w.var(name));
    let (first, second) = (w.store.eq(fa, c), w.store.eq(gb, d));
    let (answer, counts) = w.decide(&[all, bound, first, second]);
    assert_eq!((answer, counts.conflicting, counts.inducing), (Answer::Sat, 0, 1));
}

#[test]
fn a_variable_outside_of_functions_is_given_an_element() {
    let mut w = World::new();
    let [a, b, c, x] = ["a", "b", "c", "x"].map(|name| w.var(name));
    let (first, second) = (w.store.eq(x, a), w.store.eq(x, b));
    let body = w.store.or(&[first, second]);
    let all = w.store.forall(&[x], body);
    let (not_a, not_b) = (w.different(c, a), w.different(c, b));
    let (answer, counts) = w.decide(&[all, not_a, not_b]);
    assert_eq!((answer, counts.all, counts.conflicting), (Answer::Unsat, 1, 1));
}

#[test]
fn a_part_that_is_not_needed_may_have_terms_that_are_not_there() {
    let mut w = World::new();
    let [f, g] = ["f", "g"].map(|name| w.function(name));
    let p = w.store.declare("p", &[w.sort, w.sort], SortId::BOOL);
    let [a, b, x, y] = ["a", "b", "x", "y"].map(|name| w.var(name));
    let pxy = w.store.mk(Op::Apply(p), &[x, y]);
    let (fx, gy) = (w.apply(f, x), w.apply(g, y));
    let (is_fixed, is_image) = (w.store.eq(fx, y), w.store.eq(gy, x));
    // Of the two parts that p brings the second is false: g(b) is there, and f(a) is not.
    let both = w.store.and(&[is_fixed, is_image]);
    let body = w.store.implies(pxy, both);
    let all = w.store.forall(&[x, y], body);
    let pab = w.store.mk(Op::Apply(p), &[a, b]);
    let gb = w.apply(g, b);
    let differ = w.different(gb, a);
    let (answer, counts) = w.decide(&[all, pab, differ]);
    assert_eq!((answer, counts.all, counts.conflicting), (Answer::Unsat, 1, 1));
}

#[test]
fn a_sum_is_solved_for_its_variable() {
    let mut w = World::new();
    let f = w.store.declare("f", &[SortId::INT], SortId::INT);
    let [i, x, y] = ["i", "x", "y"].map(|name| w.store.var(name, SortId::INT));
    let (one, five) = (w.store.int(1), w.store.int(5));
    let next = w.store.add(&[x, one]);
    let [fnext, fy, fi] = [next, y, i].map(|arg| w.store.mk(Op::Apply(f), &[arg]));
    let (same, follows) = (w.store.eq(fnext, fy), w.store.lt(next, y));
    let body = w.store.implies(same, follows);
    let all = w.store.forall(&[x, y], body);
    let value = w.store.eq(fi, five);
    let (answer, counts) = w.decide(&[all, value]);
    assert_eq!((answer, counts.all), (Answer::Unsat, 1));
}
