//! Everything again, with the SMT solver as the oracle and without bounds on variables.

use super::enumeration::{Enumeration, for_all};
use super::random::Shape;
use crate::project::mentions::symbols;
use crate::project::{
    Limits, Obstacle, Oracle, Outcome, Separation, Side, Symbol, eliminate, eliminate_all,
    separate, simplify, symbols_of,
};
use crate::{Options, Smt};
use alphorn_sat::Budget;
use alphorn_term::{SortId, Store, Substitution, TermId};
use alphorn_testkit::Rng;

/// A solver that gives up early: unbounded integers can keep it busy for long.
fn solver() -> Smt {
    let mut smt = Smt::new(Options::default());
    smt.set_budget(Budget { conflicts: Some(200), propagations: Some(20_000), ticks: None });
    smt
}

/// Whether formulas have a model, if the solver knows.
fn has_model(store: &mut Store, formulas: &[TermId]) -> Option<bool> {
    match Oracle::check(&mut solver(), store, formulas) {
        Outcome::Sat(_) => Some(true),
        Outcome::Unsat => Some(false),
        Outcome::Unknown => None,
    }
}

/// Whether two formulas are known to differ.
fn differ(store: &mut Store, left: TermId, right: TermId) -> bool {
    let different = store.xor(left, right);
    has_model(store, &[different]) == Some(true)
}

/// Whether a formula is `exists vars. body`, at points of a box.
fn check_points(
    store: &mut Store,
    body: TermId,
    vars: &[TermId],
    result: TermId,
    radius: i64,
    context: &str,
) {
    let params: Vec<TermId> =
        symbols(store, body).into_iter().filter(|symbol| !vars.contains(symbol)).collect();
    let all = Enumeration::new(radius);
    let domains: Vec<_> = params.iter().map(|&var| all.values(store.sort(var))).collect();
    let mut smt = solver();
    for_all(&domains, |values| {
        let mut map = Substitution::default();
        for (&var, value) in params.iter().zip(values) {
            let value = store.value_term(value).unwrap();
            map.insert(var, value);
        }
        let instances = store.substitute_all(&[body, result], &map);
        let mut ask = |formula: TermId| match Oracle::check(&mut smt, store, &[formula]) {
            Outcome::Sat(_) => Some(true),
            Outcome::Unsat => Some(false),
            Outcome::Unknown => None,
        };
        let (Some(exists), Some(claimed)) = (ask(instances[0]), ask(instances[1])) else {
            return true;
        };
        assert_eq!(
            exists,
            claimed,
            "{context} at {values:?}: {} became {}",
            store.show(body),
            store.show(result)
        );
        true
    });
}

#[test]
fn elimination_is_exact() {
    let (mut splits, mut largest, mut unknown) = (0, 0, 0);
    for seed in 0..300 {
        let mut random = Rng::new(7000 + seed);
        let mut store = Store::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, SortId::INT));
        let [r, s] = ["r", "s"].map(|name| store.var(name, SortId::REAL));
        let (ints, reals, vars) = match seed % 4 {
            0 => (vec![x, y, z], vec![], vec![x]),
            1 => (vec![x, y, z], vec![], vec![x, y]),
            2 => (vec![], vec![r, s], vec![r]),
            _ => (vec![x], vec![r, s], vec![x, r]),
        };
        let bools = vec![store.var("p", SortId::BOOL)];
        // Integer parts of unbounded reals are beyond the solver's budget.
        let is_rich = reals.is_empty() && seed % 3 == 0;
        let shape = Shape { ints, reals, bools, is_rich, coefficient: 3 };
        let parts: Vec<TermId> =
            (0..2).map(|_| shape.formula(&mut store, &mut random, 1)).collect();
        let formula = store.and(&parts);
        let mut smt = solver();
        let result = match eliminate(&mut store, formula, &vars, &mut smt, &Limits::default()) {
            Ok(result) => result,
            Err(Obstacle::Unknown) => {
                unknown += 1;
                continue;
            }
            Err(other) => panic!("seed {seed}: {other:?}"),
        };
        assert!(symbols(&store, result).iter().all(|symbol| !vars.contains(symbol)));
        splits += usize::from(store.op(result) == alphorn_term::Op::Or);
        largest = largest.max(store.tree_size(result));
        check_points(&mut store, formula, &vars, result, 3, &format!("seed {seed}"));
    }
    assert!(splits > 10, "{splits} disjunctions, of at most {largest} nodes");
    assert!(unknown < 10, "{unknown} unknown");
}

#[test]
fn closed_formulas_are_decided() {
    let mut store = Store::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, SortId::INT));
    let decide = |store: &mut Store, formula: TermId| {
        let result = eliminate_all(store, formula, &mut solver(), &Limits::default()).unwrap();
        assert!(result == TermId::TRUE || result == TermId::FALSE, "{}", store.show(result));
        result == TermId::TRUE
    };
    let number = |store: &mut Store, value: i64| store.int(value);
    // Every integer from 8 on is 3*y + 5*z for natural y and z; 7 is not.
    for (from, expected) in [(8, true), (7, false)] {
        let [three, five, from, zero] = [3, 5, from, 0].map(|value| number(&mut store, value));
        let summands = [store.mul(&[three, y]), store.mul(&[five, z])];
        let sum = store.add(&summands);
        let parts = [store.eq(sum, x), store.le(zero, y), store.le(zero, z)];
        let parts = store.and(&parts);
        let stamps = store.exists(&[y, z], parts);
        let premise = store.le(from, x);
        let body = store.implies(premise, stamps);
        let all = store.forall(&[x], body);
        assert_eq!(decide(&mut store, all), expected);
    }
    // Integers are even or odd, and not all are even.
    let two = number(&mut store, 2);
    let one = number(&mut store, 1);
    let double = store.mul(&[two, y]);
    let next = store.add(&[double, one]);
    let (even, odd) = (store.eq(x, double), store.eq(x, next));
    let either = store.or(&[even, odd]);
    let either = store.exists(&[y], either);
    let all = store.forall(&[x], either);
    assert!(decide(&mut store, all));
    let even = store.exists(&[y], even);
    let all = store.forall(&[x], even);
    assert!(!decide(&mut store, all));
}

#[test]
fn interpolants_separate_without_bounds() {
    let (mut found, mut consistent) = (0, 0);
    for seed in 0..60 {
        let mut random = Rng::new(8000 + seed);
        let mut store = Store::new();
        let sort = if seed % 3 == 0 { SortId::REAL } else { SortId::INT };
        let [a, s, t, b] = ["a", "s", "t", "b"].map(|name| store.var(name, sort));
        let shape = |vars: &[TermId]| Shape {
            ints: if sort == SortId::INT { vars.to_vec() } else { vec![] },
            reals: if sort == SortId::REAL { vars.to_vec() } else { vec![] },
            bools: vec![],
            is_rich: seed % 2 == 0 && sort == SortId::INT,
            coefficient: 3,
        };
        let mut make = |vars: &[TermId], store: &mut Store| {
            let shape = shape(vars);
            let parts: Vec<TermId> = (0..3).map(|_| shape.formula(store, &mut random, 1)).collect();
            store.and(&parts)
        };
        let (left, right) = (make(&[a, s, t], &mut store), make(&[s, t, b], &mut store));
        let shared =
            move |symbol: Symbol| [Symbol::Variable(s), Symbol::Variable(t)].contains(&symbol);
        for (side, relax) in [(Side::Left, true), (Side::Left, false), (Side::Right, true)] {
            let options = Separation { side, relax, rounds: 300 };
            let result = separate(&mut store, left, right, &shared, &mut solver(), &options);
            let interpolant = match result {
                Ok(interpolant) => interpolant,
                Err(Obstacle::Consistent) => {
                    consistent += 1;
                    assert_ne!(has_model(&mut store, &[left, right]), Some(false), "seed {seed}");
                    continue;
                }
                Err(Obstacle::Unknown) => continue,
                Err(other) => panic!("seed {seed}: {other:?}"),
            };
            found += 1;
            assert!(symbols_of(&store, interpolant).into_iter().all(shared), "seed {seed}");
            let negated = store.not(interpolant);
            assert_ne!(has_model(&mut store, &[left, negated]), Some(true), "seed {seed}");
            assert_ne!(has_model(&mut store, &[interpolant, right]), Some(true), "seed {seed}");
        }
    }
    assert!(found > 15 && consistent > 15, "{found} interpolants, {consistent} consistent");
}

#[test]
fn simplification_keeps_the_meaning_everywhere() {
    for seed in 0..400 {
        let mut random = Rng::new(9000 + seed);
        let mut store = Store::new();
        let [x, y] = ["x", "y"].map(|name| store.var(name, SortId::INT));
        let shape = Shape {
            ints: vec![x, y],
            reals: if seed % 2 == 0 { vec![] } else { vec![store.var("r", SortId::REAL)] },
            bools: vec![store.var("p", SortId::BOOL)],
            is_rich: seed % 2 == 0,
            coefficient: 3,
        };
        let formula = shape.formula(&mut store, &mut random, 4);
        let plain = simplify(&mut store, formula, &[], None);
        assert!(!differ(&mut store, formula, plain), "seed {seed}");
        let mut smt = solver();
        let small = simplify(&mut store, formula, &[], Some(&mut smt));
        assert!(!differ(&mut store, formula, small), "seed {seed}");
        assert!(store.tree_size(small) <= store.tree_size(plain), "seed {seed}");
    }
}
