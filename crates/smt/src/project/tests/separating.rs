//! Interpolants.

use super::eliminating::bounded;
use super::enumeration::Enumeration;
use super::random::Shape;
use crate::project::{Obstacle, Oracle, Separation, Side, Symbol, separate, symbols_of};
use alphorn_term::{SortId, Store, TermId};
use alphorn_testkit::Rng;

fn shape(ints: &[TermId], is_rich: bool) -> Shape {
    Shape { ints: ints.to_vec(), reals: vec![], bools: vec![], is_rich, coefficient: 2 }
}

#[test]
fn interpolants_separate() {
    let (mut found, mut consistent) = (0, 0);
    for seed in 0..150 {
        let mut random = Rng::new(seed);
        let mut store = Store::new();
        let [a, s, t, b] = ["a", "s", "t", "b"].map(|name| store.var(name, SortId::INT));
        let (left_shape, right_shape) =
            (shape(&[a, s, t], seed % 2 == 0), shape(&[s, t, b], false));
        let make = |shape: &Shape, store: &mut Store, random: &mut Rng| {
            let parts: Vec<TermId> = (0..2).map(|_| shape.formula(store, random, 1)).collect();
            store.and(&parts)
        };
        let left = make(&left_shape, &mut store, &mut random);
        let right = make(&right_shape, &mut store, &mut random);
        let left = bounded(&mut store, left, &[a, s, t], 3);
        let right = bounded(&mut store, right, &[b, s, t], 3);
        for (side, relax) in [(Side::Left, true), (Side::Left, false), (Side::Right, true)] {
            let mut oracle = Enumeration::new(3);
            let options = Separation { side, relax, rounds: 200 };
            let shared = move |symbol: Symbol| {
                symbol == Symbol::Variable(s) || symbol == Symbol::Variable(t)
            };
            let result = separate(&mut store, left, right, &shared, &mut oracle, &options);
            let interpolant = match result {
                Ok(interpolant) => interpolant,
                Err(Obstacle::Consistent) => {
                    consistent += 1;
                    assert!(!oracle.refutes(&mut store, &[left, right]), "seed {seed}");
                    continue;
                }
                Err(other) => panic!("seed {seed}: {other:?}"),
            };
            found += 1;
            assert!(symbols_of(&store, interpolant).into_iter().all(shared), "seed {seed}");
            let negated = store.not(interpolant);
            let shown = store.show(interpolant);
            assert!(oracle.refutes(&mut store, &[left, negated]), "seed {seed}: {shown}");
            assert!(oracle.refutes(&mut store, &[interpolant, right]), "seed {seed}: {shown}");
        }
    }
    assert!(found > 60 && consistent > 60, "{found} interpolants, {consistent} consistent");
}

#[test]
fn bounds_move_towards_the_other_side() {
    let mut store = Store::new();
    let x = store.var("x", SortId::INT);
    let (zero, five) = (store.int(0), store.int(5));
    let left = store.eq(x, zero);
    let right = store.le(five, x);
    let mut oracle = Enumeration::new(9);
    let all = |_: Symbol| true;
    let mut options = Separation { relax: false, ..Separation::default() };
    let result = separate(&mut store, left, right, &all, &mut oracle, &options).unwrap();
    assert_eq!(store.show(result), "(<= x 0)");
    options.relax = true;
    let result = separate(&mut store, left, right, &all, &mut oracle, &options).unwrap();
    assert_eq!(store.show(result), "(<= x 4)");
    options.side = Side::Right;
    let result = separate(&mut store, left, right, &all, &mut oracle, &options).unwrap();
    assert_eq!(store.show(result), "(<= x 0)");
}
