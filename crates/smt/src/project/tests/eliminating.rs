//! Quantifier elimination.

use super::enumeration::{Enumeration, for_all};
use super::random::Shape;
use crate::project::mentions::symbols;
use crate::project::{Limits, Obstacle, eliminate, eliminate_all};
use alphorn_term::eval::Program;
use alphorn_term::{Model, SortId, Store, TermId, Value};
use alphorn_testkit::Rng;

/// Conjoins bounds on variables.
pub(super) fn bounded(store: &mut Store, formula: TermId, vars: &[TermId], radius: i64) -> TermId {
    let mut parts = vec![formula];
    for &var in vars {
        let (low, high) = (store.int(-radius), store.int(radius));
        parts.extend([store.le(low, var), store.le(var, high)]);
    }
    store.and(&parts)
}

#[test]
fn elimination_agrees_with_trying_values() {
    let (mut questions, mut splits) = (0, 0);
    for seed in 0..150 {
        let mut random = Rng::new(seed);
        let mut store = Store::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, SortId::INT));
        let p = store.var("p", SortId::BOOL);
        let shape = Shape::over_ints(&[x, y, z], &[p], seed);
        let formula = shape.formula(&mut store, &mut random, 2);
        let formula = bounded(&mut store, formula, &[x], 5);
        let mut oracle = Enumeration::new(5);
        let vars = [x, shape.bools[0]];
        let result = eliminate(&mut store, formula, &vars, &mut oracle, &Limits::default());
        let result = result.unwrap();
        assert!(symbols(&store, result).iter().all(|symbol| !vars.contains(symbol)));
        questions += oracle.questions;
        splits += usize::from(oracle.questions > 2);
        let params: Vec<Vec<Value>> = vec![oracle.values(SortId::INT); 2];
        let local = [oracle.values(SortId::INT), oracle.values(SortId::BOOL)];
        let mut program = Program::new(&store, &[y, z, x, vars[1]], &[formula, result]);
        for_all(&params, |given| {
            let mut exists = false;
            let mut claimed = false;
            for_all(&local, |chosen| {
                let point: Vec<Value> = given.iter().chain(chosen).cloned().collect();
                program.run(&store, &point, &Model::new());
                exists |= program.holds(0).unwrap();
                claimed = program.holds(1).unwrap();
                !exists
            });
            assert_eq!(exists, claimed, "seed {seed} at {given:?}: {}", store.show(result));
            true
        });
    }
    assert!(splits > 30, "{splits} formulas needed several disjuncts, {questions} questions");
}

#[test]
fn nested_quantifiers_go_from_the_inside() {
    let mut store = Store::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, SortId::REAL));
    // forall y. y > x => exists z. x < z < y, which is true of reals.
    let between = [store.lt(x, z), store.lt(z, y)];
    let between = store.and(&between);
    let inner = store.exists(&[z], between);
    let premise = store.lt(x, y);
    let body = store.implies(premise, inner);
    let dense = store.forall(&[y], body);
    let mut oracle = Enumeration::new(3);
    let result = eliminate_all(&mut store, dense, &mut oracle, &Limits::default()).unwrap();
    assert_eq!(result, TermId::TRUE);
    // exists y. forall z. y <= z is false, under a condition.
    let low = store.le(y, z);
    let least = store.forall(&[z], low);
    let least = store.exists(&[y], least);
    let zero = store.real(0);
    let condition = store.le(x, zero);
    let either = store.or(&[condition, least]);
    let result = eliminate_all(&mut store, either, &mut oracle, &Limits::default()).unwrap();
    assert_eq!(result, condition);
}

#[test]
fn parity_is_found() {
    let mut store = Store::new();
    let [x, y] = ["x", "y"].map(|name| store.var(name, SortId::INT));
    let two = store.int(2);
    let double = store.mul(&[two, x]);
    let even = store.eq(double, y);
    let formula = store.exists(&[x], even);
    let mut oracle = Enumeration::new(6);
    let result = eliminate_all(&mut store, formula, &mut oracle, &Limits::default()).unwrap();
    assert_eq!(store.show(result), "(= (mod y 2) 0)");
    let odd = store.not(even);
    let formula = store.forall(&[x], odd);
    let result = eliminate_all(&mut store, formula, &mut oracle, &Limits::default()).unwrap();
    assert_eq!(store.show(result), "(= (mod y 2) 1)");
}

#[test]
fn obstacles_are_told() {
    let mut store = Store::new();
    let [x, y] = ["x", "y"].map(|name| store.var(name, SortId::INT));
    let product = store.mul(&[x, y]);
    let bound = store.le(product, y);
    let mut oracle = Enumeration::new(3);
    let limits = Limits::default();
    let result = eliminate(&mut store, bound, &[x], &mut oracle, &limits);
    assert_eq!(result, Err(Obstacle::Opaque(vec![x])));
    let (three, four) = (store.int(3), store.int(4));
    let (low, high) = (store.mul(&[three, x]), store.mul(&[four, x]));
    let literals = [store.le(y, low), store.le(high, y)];
    let formula = store.and(&literals);
    let result = eliminate(&mut store, formula, &[x], &mut oracle, &Limits { rounds: 1 });
    assert_eq!(result, Err(Obstacle::Rounds));
}
