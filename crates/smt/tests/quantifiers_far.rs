//! Instances that are many or far away, and solvers that keep them from query to query.

use alphorn_smt::quantifiers::UNLIMITED_ROUNDS;
use alphorn_smt::{Answer, Budget, Options, Smt};
use alphorn_term::{FuncId, Op, Sort, SortId, Store, TermId};

fn patient() -> Smt {
    let options = Options {
        proofs: true,
        instance_rounds: UNLIMITED_ROUNDS,
        far_instances: true,
        ..Options::default()
    };
    Smt::new(options)
}

fn apply(store: &mut Store, func: FuncId, args: &[TermId]) -> TermId {
    store.mk(Op::Apply(func), args)
}

fn constant(store: &mut Store, name: &str, sort: SortId) -> TermId {
    let func = store.declare(name, &[], sort);
    apply(store, func, &[])
}

/// One of thousands of pairs contradicts the axiom; the first thousand matches do not have it.
#[test]
fn a_conflict_beyond_the_first_matches_is_found() {
    let mut store = Store::new();
    let name = store.symbol("U");
    let sort = store.sort_id(Sort::Uninterpreted(name, Vec::new()));
    let [f, g] = ["f", "g"].map(|name| store.declare(name, &[sort], sort));
    let mut smt = patient();
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for number in 0..60 {
        for (func, values, stem) in [(f, &mut left, "f"), (g, &mut right, "g")] {
            let arg = constant(&mut store, &format!("arg_{stem}{number}"), sort);
            let value = constant(&mut store, &format!("value_{stem}{number}"), sort);
            let call = apply(&mut store, func, &[arg]);
            let fact = store.eq(call, value);
            smt.assert(&mut store, fact);
            values.push(value);
        }
    }
    let (x, y) = (store.var("x", sort), store.var("y", sort));
    let calls = [apply(&mut store, f, &[x]), apply(&mut store, g, &[y])];
    let equal = store.eq(calls[0], calls[1]);
    let differ = store.not(equal);
    let axiom = store.mk(Op::Forall, &[x, y, differ]);
    smt.assert(&mut store, axiom);
    let meet = store.eq(left[50], right[55]);
    assert_eq!(smt.check(&mut store, &[meet]), Answer::Unsat);
    assert!(smt.refutation(&mut store).is_some());
}

/// What is stated at one level serves the next ones, and nothing of it is wrong after the level.
#[test]
fn instances_outlive_levels_and_stay_right() {
    let mut store = Store::new();
    let f = store.declare("f", &[SortId::INT], SortId::INT);
    let x = store.var("x", SortId::INT);
    let call = apply(&mut store, f, &[x]);
    let above = store.gt(call, x);
    let axiom = store.mk(Op::Forall, &[x, above]);
    let mut smt = patient();
    let k = constant(&mut store, "k", SortId::INT);
    let of_k = apply(&mut store, f, &[k]);
    let below = store.le(of_k, k);
    for _ in 0..3 {
        smt.push();
        smt.assert(&mut store, axiom);
        assert_eq!(smt.check(&mut store, &[below]), Answer::Unsat);
        smt.pop();
        assert_eq!(smt.check(&mut store, &[below]), Answer::Sat);
    }
}

/// A function that is different at every step has no finite table; any budget ends the search.
#[test]
fn any_budget_ends_a_search_without_limits_of_its_own() {
    let mut store = Store::new();
    let f = store.declare("f", &[SortId::INT], SortId::INT);
    let x = store.var("x", SortId::INT);
    let one = store.int(1);
    let next = store.mk(Op::Add, &[x, one]);
    let (here, there) = (apply(&mut store, f, &[x]), apply(&mut store, f, &[next]));
    let square = store.mk(Op::Mul, &[here, here]);
    let grows = store.gt(there, square);
    let axiom = store.mk(Op::Forall, &[x, grows]);
    let zero = store.int(0);
    let start = apply(&mut store, f, &[zero]);
    let positive = store.gt(start, one);
    for budget in [
        Budget { conflicts: Some(8), ..Budget::default() },
        Budget { ticks: Some(2_000), ..Budget::default() },
    ] {
        let mut smt = patient();
        smt.set_budget(budget);
        smt.assert(&mut store, axiom);
        smt.assert(&mut store, positive);
        assert_ne!(smt.check(&mut store, &[]), Answer::Unsat);
    }
}

/// A question about the newest of many facts takes as much matching as one about the newest of few:
/// what was stated is not looked for again, what is in force is not walked again, and no table is
/// made of all applications.
#[test]
fn a_question_after_many_does_not_match_the_past_again() {
    let mut store = Store::new();
    let f = store.declare("f", &[SortId::INT], SortId::INT);
    let p = store.declare("p", &[SortId::INT], SortId::BOOL);
    let x = store.var("x", SortId::INT);
    let (call, holds) = (apply(&mut store, f, &[x]), apply(&mut store, p, &[x]));
    let above = store.gt(call, x);
    let body = store.implies(holds, above);
    let axiom = store.mk(Op::Forall, &[x, body]);
    let mut smt = patient();
    smt.assert(&mut store, axiom);
    let mut work = Vec::new();
    for number in 0..400 {
        let k = constant(&mut store, &format!("k{number}"), SortId::INT);
        let (call, holds) = (apply(&mut store, f, &[k]), apply(&mut store, p, &[k]));
        smt.assert(&mut store, holds);
        let least = store.int(number);
        let fact = store.ge(call, least);
        smt.assert(&mut store, fact);
        // Some facts come and go.
        smt.push();
        let below = store.lt(call, k);
        smt.assert(&mut store, below);
        let before = smt.theory_stats().quantifier_ticks;
        assert_eq!(smt.check(&mut store, &[]), Answer::Unsat);
        smt.pop();
        let refuted = store.le(call, k);
        assert_eq!(smt.check(&mut store, &[refuted]), Answer::Unsat);
        work.push(smt.theory_stats().quantifier_ticks - before);
    }
    let (early, late): (u64, u64) = (work[10..30].iter().sum(), work[380..].iter().sum());
    assert!(late <= early + early / 2, "{early} ticks became {late}");
}

/// A formula that the theories do not understand makes an answer unknown while it is in force, and no
/// longer: what was in it is of no concern to a model of what is left.
#[test]
fn what_is_not_understood_is_forgotten_with_its_level() {
    let mut store = Store::new();
    let f = store.declare("f", &[SortId::INT], SortId::INT);
    let (a, b) = (constant(&mut store, "a", SortId::INT), constant(&mut store, "b", SortId::INT));
    let x = store.var("x", SortId::INT);
    let (call, three) = (apply(&mut store, f, &[x]), store.int(3));
    let body = store.eq(call, three);
    let axiom = store.mk(Op::Forall, &[x, body]);
    let quotient = store.mk(Op::IntDiv, &[a, b]);
    let value = apply(&mut store, f, &[a]);
    let unclear = store.eq(value, quotient);
    let mut smt = patient();
    smt.assert(&mut store, axiom);
    smt.push();
    smt.assert(&mut store, unclear);
    assert_eq!(smt.check(&mut store, &[]), Answer::Unknown);
    smt.pop();
    let plain = store.le(a, value);
    smt.assert(&mut store, plain);
    assert_eq!(smt.check(&mut store, &[]), Answer::Sat);
    // The same formula is no clearer the second time, nor as an assumption.
    assert_eq!(smt.check(&mut store, &[unclear]), Answer::Unknown);
    assert_eq!(smt.check(&mut store, &[plain]), Answer::Sat);
    smt.push();
    smt.assert(&mut store, unclear);
    assert_eq!(smt.check(&mut store, &[]), Answer::Unknown);
}
