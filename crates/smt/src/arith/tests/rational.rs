//! Rational feasibility, implied bounds and optima on random traces.

use alphorn_term::Rat;

use super::super::{Arith, Bound, Delta, Feasible, Implied, Optimum, Side, Var};
use super::oracle::is_feasible;
use super::replay::{Inequality, assert_conflict, replay};
use super::{Traced, check_implied, rat};
use alphorn_testkit::Rng;

/// A form of up to `length` variables with coefficients up to a size.
fn random_form(random: &mut Rng, traced: &mut Traced, vars: &[Var], length: u64, size: i64) -> Var {
    let mut terms = Vec::new();
    for _ in 0..=random.below(length) {
        let var = vars[random.below(vars.len())];
        let denominator = if random.percent(20) { random.between(1, 3) } else { 1 };
        terms.push((var, Rat::ratio(random.between(-size, size), denominator).unwrap()));
    }
    traced.arith.form(&terms)
}

fn random_bound(random: &mut Rng) -> (Side, Delta) {
    let side = if random.percent(50) { Side::Lower } else { Side::Upper };
    let epsilon = match (random.percent(30), side) {
        (false, _) => 0,
        (true, Side::Lower) => 1,
        (true, Side::Upper) => -1,
    };
    let denominator = if random.percent(20) { random.between(1, 3) } else { 1 };
    let value = Rat::ratio(random.between(-6, 6), denominator).unwrap();
    (side, Delta::new(value, rat(epsilon)))
}

fn check_optimum(traced: &mut Traced, form: Var, side: Side) {
    let beyond = |traced: &Traced, value: &Rat, is_strict: bool| {
        let opposite = side.opposite();
        let epsilon = match (is_strict, opposite) {
            (false, _) => 0,
            (true, Side::Lower) => 1,
            (true, Side::Upper) => -1,
        };
        let value = Delta::new(value.clone(), rat(epsilon));
        Inequality::of(&traced.arith, &Bound { var: form, side: opposite, value })
    };
    match traced.arith.optimize(form, side) {
        Optimum::Unbounded => {
            let far = if side == Side::Upper { rat(1_000_000) } else { rat(-1_000_000) };
            assert!(is_feasible(traced, Some(beyond(traced, &far, false))));
        }
        Optimum::Bounded { value, certificate } => {
            let bound = Bound { var: form, side, value: value.clone() };
            let last = replay(traced, &certificate);
            assert!(last.is_at_least(&Inequality::of(&traced.arith, &bound)));
            assert_eq!(*traced.arith.value(form), value);
            let is_reached = is_feasible(traced, Some(beyond(traced, &value.value, false)));
            assert_eq!(is_reached, value.epsilon.is_zero());
            assert!(!is_feasible(traced, Some(beyond(traced, &value.value, true))));
        }
        Optimum::Infeasible(_) | Optimum::GaveUp => panic!("the bounds were feasible"),
    }
    traced.assert_model();
    traced.arith.tableau.assert_consistent();
}

/// A trace of levels, forms, bounds and checks; returns the number of answers of each kind.
fn trace(seed: u64, vars: u64, steps: usize, size: i64) -> [usize; 3] {
    let mut random = Rng::new(seed);
    let mut traced = Traced::new();
    let vars: Vec<Var> = (0..vars).map(|_| traced.arith.new_var(false)).collect();
    let mut forms = vars.clone();
    let mut counts = [0; 3];
    for _ in 0..steps {
        if random.percent(20) {
            traced.push();
        }
        if random.percent(15) {
            let levels = random.below(traced.levels.len() + 1);
            traced.pop(levels);
        }
        if random.percent(30) {
            forms.push(random_form(&mut random, &mut traced, &vars, 3, size));
        }
        let form = forms[random.below(forms.len())];
        let (side, value) = random_bound(&mut random);
        traced.push();
        let mut result = traced.assert(form, side, value);
        if result.is_ok() && random.percent(70) {
            result = traced.check();
        }
        match result {
            Ok(()) if traced.arith.touched.is_empty() => {
                counts[0] += 1;
                assert!(is_feasible(&traced, None));
                counts[2] += check_implied(&mut traced);
                if random.percent(20) {
                    let form = forms[random.below(forms.len())];
                    let side = if random.percent(50) { Side::Lower } else { Side::Upper };
                    check_optimum(&mut traced, form, side);
                }
            }
            Ok(()) => {}
            Err(certificate) => {
                counts[1] += 1;
                assert_conflict(&traced, &certificate);
                traced.pop(1);
            }
        }
    }
    counts
}

#[test]
fn random_traces_agree_with_elimination() {
    let mut total = [0; 3];
    for seed in 1..=150 {
        let counts = trace(seed, 1 + seed % 5, 60, 3);
        total = [0, 1, 2].map(|kind| total[kind] + counts[kind]);
    }
    assert!(total.iter().all(|count| *count > 300), "all answers occur: {total:?}");
}

#[test]
fn numbers_may_outgrow_machine_words() {
    for seed in 1..=60 {
        trace(seed, 1 + seed % 5, 60, 300_000_007);
    }
}

#[test]
fn long_traces_agree_with_a_fresh_solver() {
    let mut random = Rng::new(77);
    let mut traced = Traced::new();
    let vars: Vec<Var> = (0..12).map(|_| traced.arith.new_var(false)).collect();
    let mut forms = vars.clone();
    for _ in 0..40 {
        forms.push(random_form(&mut random, &mut traced, &vars, 4, 3));
    }
    let mut conflicts = 0;
    for _ in 0..3000 {
        traced.push();
        let form = forms[random.below(forms.len())];
        let (side, value) = random_bound(&mut random);
        let result = traced.assert(form, side, value).and_then(|()| traced.check());
        let fresh = fresh_answer(&traced);
        assert_eq!(result.is_ok(), fresh);
        if let Err(certificate) = result {
            conflicts += 1;
            assert_conflict(&traced, &certificate);
            let levels = 1 + random.below(traced.levels.len());
            traced.pop(levels);
        }
    }
    assert!(conflicts > 30);
}

pub(super) fn fresh_answer(traced: &Traced) -> bool {
    let mut fresh = Arith::new();
    let mut copies = Vec::new();
    for var in (0..traced.arith.vars() as u32).map(Var) {
        copies.push(match traced.arith.definition(var) {
            None => fresh.new_var(false),
            Some(definition) => {
                let terms: Vec<_> =
                    definition.iter().map(|(var, by)| (copies[var.index()], by.clone())).collect();
                fresh.form(&terms)
            }
        });
    }
    for (bound, tag) in &traced.asserted {
        let bound = Bound { var: copies[bound.var.index()], ..bound.clone() };
        if fresh.assert(bound, *tag).is_err() {
            return false;
        }
    }
    fresh.check() == Ok(Feasible::Yes)
}

#[test]
fn forms_are_shared() {
    let mut arith = Arith::new();
    let (x, y) = (arith.new_var(true), arith.new_var(false));
    let sum = arith.form(&[(x, rat(1)), (y, rat(2))]);
    assert_eq!(arith.form(&[(y, rat(2)), (x, rat(1))]), sum);
    assert_eq!(arith.form(&[(sum, rat(1)), (y, rat(-2))]), x);
    assert_eq!(arith.form(&[(sum, rat(1)), (y, rat(-1)), (y, rat(-1))]), x);
    assert!(!arith.is_int(sum));
    let double = arith.form(&[(x, rat(2))]);
    assert!(arith.is_int(double));
    let half = arith.form(&[(x, Rat::ratio(1, 2).unwrap())]);
    assert!(!arith.is_int(half));
}

#[test]
fn the_form_without_terms_is_zero() {
    let mut traced = Traced::new();
    let zero = traced.arith.form(&[]);
    traced.push();
    assert!(traced.assert(zero, Side::Lower, rat(0).into()).is_ok());
    assert_eq!(traced.check(), Ok(()));
    traced.pop(1);
    assert!(traced.assert(zero, Side::Lower, Delta::new(rat(0), rat(1))).is_ok());
    let certificate = traced.check().unwrap_err();
    assert_conflict(&traced, &certificate);
}

#[test]
fn implied_bounds_of_integers_are_rounded() {
    let mut traced = Traced::new();
    let (x, y) = (traced.arith.new_var(true), traced.arith.new_var(true));
    let form = traced.arith.form(&[(x, rat(4)), (y, rat(2))]);
    let sum = traced.arith.form(&[(x, rat(2)), (y, rat(3))]);
    assert!(traced.assert(form, Side::Upper, rat(11).into()).is_ok());
    assert!(traced.assert(sum, Side::Lower, rat(0).into()).is_ok());
    assert!(traced.assert(y, Side::Lower, rat(0).into()).is_ok());
    assert_eq!(traced.check(), Ok(()));
    let mut implied: Vec<Implied> = Vec::new();
    traced.arith.implied(&mut implied);
    let bound = Bound { var: x, side: Side::Upper, value: rat(2).into() };
    assert!(implied.iter().any(|found| found.bound == bound), "{implied:?}");
    for found in &implied {
        let last = replay(&traced, &traced.arith.explain(found));
        assert!(last.is_at_least(&Inequality::of(&traced.arith, &found.bound)));
    }
}

#[test]
fn checks_that_give_up_do_no_harm() {
    let mut random = Rng::new(3);
    let mut traced = Traced::new();
    let vars: Vec<Var> = (0..6).map(|_| traced.arith.new_var(false)).collect();
    let mut gave_up = 0;
    for _ in 0..2000 {
        traced.push();
        let form = random_form(&mut random, &mut traced, &vars, 3, 3);
        let (side, value) = random_bound(&mut random);
        let mut result = traced.assert(form, side, value);
        traced.arith.set_ticks(random.below(12));
        if result.is_ok() && traced.arith.check() == Ok(Feasible::GaveUp) {
            gave_up += 1;
        }
        traced.arith.tableau.assert_consistent();
        traced.arith.set_ticks(u64::MAX);
        if random.percent(50) {
            result = result.and_then(|()| traced.check());
            assert_eq!(result.is_ok(), fresh_answer(&traced));
        }
        if result.is_err() {
            let levels = 1 + random.below(traced.levels.len());
            traced.pop(levels);
        }
    }
    assert!(gave_up > 50, "{gave_up}");
}

#[test]
fn a_check_stops_when_its_pivots_are_used_up() {
    let mut traced = Traced::new();
    let (x, y) = (traced.arith.new_var(false), traced.arith.new_var(false));
    let sum = traced.arith.form(&[(x, rat(1)), (y, rat(1))]);
    assert!(traced.assert(sum, Side::Lower, rat(5).into()).is_ok());
    traced.arith.set_ticks(0);
    assert_eq!(traced.arith.check(), Ok(Feasible::GaveUp));
    traced.arith.set_ticks(10);
    assert_eq!(traced.check(), Ok(()));
    assert_eq!(traced.arith.ticks(), 9);
}

#[test]
fn an_unknown_moves_only_if_all_bounds_still_hold() {
    let mut arith = Arith::new();
    let (x, y) = (arith.new_var(true), arith.new_var(true));
    let sum = arith.form(&[(x, rat(1)), (y, rat(1))]);
    let at_most = |value: i64| Delta::new(rat(value), rat(0));
    let bound = Bound { var: sum, side: Side::Upper, value: at_most(5) };
    assert!(arith.assert(bound, 0).is_ok());
    assert_eq!(arith.check().ok(), Some(Feasible::Yes));
    assert!(arith.try_move(x, &at_most(3)));
    assert_eq!((arith.value(x), arith.value(sum)), (&at_most(3), &at_most(3)));
    // Neither beyond the bound, nor to what is no integer.
    assert!(!arith.try_move(y, &at_most(3)));
    assert!(!arith.try_move(y, &Delta::new(Rat::ratio(1, 2).unwrap(), rat(0))));
    assert_eq!((arith.value(y), arith.value(sum)), (&at_most(0), &at_most(3)));
    assert!(arith.try_move(y, &at_most(2)));
    assert_eq!(arith.value(sum), &at_most(5));
}
