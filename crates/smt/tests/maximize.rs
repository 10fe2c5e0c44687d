//! Greatest values: by hand, and against enumeration of boxes.

use alphorn_smt::{Options, Smt, Supremum};
use alphorn_term::{Model, Op, Rat, SortId, Store, TermId, Value, eval};
use alphorn_testkit::formulas::{Formulas, Kind};

fn smt(store: &mut Store, formulas: &[TermId]) -> Smt {
    let mut smt = Smt::new(Options::default());
    for formula in formulas {
        smt.assert(store, *formula);
    }
    smt
}

#[test]
fn reals_have_limits_that_they_need_not_reach() {
    let mut store = Store::new();
    let x = store.var("x", SortId::REAL);
    let (one, three) = (store.real(1), store.real(3));
    let low = store.mk(Op::Lt, &[x, one]);
    let unattained = smt(&mut store, &[low]).maximize(&mut store, x, &[]);
    assert_eq!(unattained, Supremum::Bounded(Rat::ONE, false));
    let equal = store.eq(x, three);
    let either = store.or(&[low, equal]);
    let attained = smt(&mut store, &[either]).maximize(&mut store, x, &[]);
    assert_eq!(attained, Supremum::Bounded(Rat::from(3), true));
    assert_eq!(smt(&mut store, &[]).maximize(&mut store, x, &[]), Supremum::Unbounded);
    assert_eq!(smt(&mut store, &[low, equal]).maximize(&mut store, x, &[]), Supremum::Infeasible);
}

#[test]
fn integers_stop_below_the_relaxation() {
    let mut store = Store::new();
    let (x, y) = (store.var("x", SortId::INT), store.var("y", SortId::INT));
    let (two, seven) = (store.int(2), store.int(7));
    let (left, right) = (store.mul(&[two, x]), store.mul(&[two, y]));
    let sum = store.add(&[left, right]);
    let bound = store.le(sum, seven);
    let objective = store.add(&[x, y]);
    let result = smt(&mut store, &[bound]).maximize(&mut store, objective, &[]);
    assert_eq!(result, Supremum::Bounded(Rat::from(3), true));
    assert_eq!(smt(&mut store, &[bound]).maximize(&mut store, x, &[]), Supremum::Unbounded);
}

#[test]
fn boxes_agree_with_enumeration() {
    let mut bounded = 0;
    for seed in 0..150 {
        let mut store = Store::new();
        let kind = Kind { ints: true, operators: seed % 2 == 0, ..Kind::default() };
        let mut formulas = Formulas::new(&mut store, seed, kind);
        let formula = formulas.formula(&mut store, 2);
        let objective = formulas.term(&mut store, SortId::INT, 1);
        let vars = store.free_vars(&[formula, objective]);
        let numbers: Vec<TermId> =
            vars.iter().copied().filter(|var| store.sort(*var) == SortId::INT).collect();
        if numbers.len() > 4 {
            continue;
        }
        let mut all = vec![formula];
        for number in &numbers {
            let (low, high) = (store.int(-2), store.int(2));
            all.push(store.le(low, *number));
            all.push(store.le(*number, high));
        }
        let mut best: Option<Rat> = None;
        let sizes: Vec<usize> =
            vars.iter().map(|v| if store.sort(*v) == SortId::INT { 5 } else { 2 }).collect();
        for mut code in 0..sizes.iter().product::<usize>() {
            let mut model = Model::new();
            for (var, size) in vars.iter().zip(&sizes) {
                let digit = code % size;
                code /= size;
                let value = match size {
                    5 => Value::Int((digit as i64 - 2).into()),
                    _ => Value::Bool(digit == 1),
                };
                model.set(*var, value);
            }
            if eval(&store, formula, &model) == Ok(Value::Bool(true))
                && let Ok(Value::Int(value)) = eval(&store, objective, &model)
            {
                let value = Rat::from(value);
                best = Some(best.map_or(value.clone(), |best| best.max(value)));
            }
        }
        let expected = match best {
            Some(value) => Supremum::Bounded(value, true),
            None => Supremum::Infeasible,
        };
        bounded += u32::from(expected != Supremum::Infeasible);
        let result = smt(&mut store, &all).maximize(&mut store, objective, &[]);
        assert_eq!(result, expected, "seed {seed}: {}", store.show(formula));
    }
    assert!(bounded > 50);
}
