//! Checks that follow floats, against checks that do not.

use alphorn_term::{Int, Rat};
use alphorn_testkit::Rng;

use super::super::{Certificate, Delta, Feasible, Side, Stats, Var};
use super::oracle::is_feasible;
use super::rational::fresh_answer;
use super::replay::assert_conflict;
use super::{Traced, rat};

/// What random systems are like.
#[derive(Clone, Copy, Debug)]
struct Kind {
    vars: usize,
    forms: usize,
    length: usize,
    /// Exponents of 10 that rows are multiplied by.
    scale: u64,
    /// How many of a hundred bounds meet.
    equations: u32,
    /// How far bounds are from a point that satisfies all, or from none.
    slack: Option<i64>,
    is_int: bool,
}

const KIND: Kind =
    Kind { vars: 8, forms: 16, length: 4, scale: 0, equations: 10, slack: None, is_int: false };

fn power_of_ten(random: &mut Rng, most: u64) -> Rat {
    let exponent = random.below(most + 1);
    let power = Rat::from(Int::from(10).pow(exponent as u32));
    if random.percent(50) { power } else { power.recip().unwrap() }
}

/// A system of bounds, all asserted unless two of them contradict each other.
fn system(random: &mut Rng, kind: Kind) -> Option<Traced> {
    let mut traced = Traced::new();
    let vars: Vec<Var> = (0..kind.vars).map(|_| traced.arith.new_var(kind.is_int)).collect();
    let point: Vec<Rat> = vars.iter().map(|_| rat(random.between(-9, 9))).collect();
    let mut forms: Vec<(Var, Rat, Rat)> =
        vars.iter().zip(&point).map(|(var, at)| (*var, at.clone(), Rat::ONE)).collect();
    for _ in 0..kind.forms {
        let by = power_of_ten(random, kind.scale);
        let mut terms = Vec::new();
        let mut at = Rat::ZERO;
        for _ in 0..kind.length {
            let place = random.below(vars.len());
            let factor = &rat(random.between(-5, 5)) * &by;
            at += &point[place] * &factor;
            terms.push((vars[place], factor));
        }
        forms.push((traced.arith.form(&terms), at, by));
    }
    for (form, at, by) in forms {
        let sides = if random.percent(kind.equations) {
            vec![Side::Lower, Side::Upper]
        } else {
            vec![if random.percent(50) { Side::Lower } else { Side::Upper }]
        };
        let is_equation = sides.len() == 2;
        let (centre, room) = match kind.slack {
            Some(room) => (at, if is_equation { 0 } else { random.between(0, room) }),
            None => (&rat(random.between(-20, 20)) * &by, 0),
        };
        let is_strict = !is_equation && !kind.is_int && (room > 0 || kind.slack.is_none());
        for side in sides {
            let sign = if side == Side::Lower { 1 } else { -1 };
            let value = &centre - &(&rat(sign * room) * &by);
            let epsilon = if is_strict && random.percent(30) { rat(sign) } else { Rat::ZERO };
            let mut bound = Delta::new(value, epsilon);
            if traced.arith.is_int(form) {
                bound = if side == Side::Lower { bound.ceil() } else { bound.floor() }.into();
            }
            traced.assert(form, side, bound).ok()?;
        }
    }
    Some(traced)
}

/// A check that asks the floats before its first pivot.
fn check_by_floats(traced: &mut Traced) -> Result<(), Certificate> {
    traced.arith.forget_values();
    traced.arith.start_repair();
    let consulted = traced.arith.consult();
    traced.arith.tableau.assert_consistent();
    match consulted {
        Some(certificate) => {
            traced.arith.restore();
            Err(certificate)
        }
        None => traced.check(),
    }
}

/// Compares answers; returns how many were feasible, how many infeasible, and how often floats were asked.
fn compare(seed: u64, count: usize, kind: Kind) -> [usize; 3] {
    let mut random = Rng::new(seed);
    let mut counts = [0; 3];
    for _ in 0..count {
        let Some(mut traced) = system(&mut random, kind) else { continue };
        let expected = fresh_answer(&traced);
        match check_by_floats(&mut traced) {
            Ok(()) => {
                assert!(expected, "the model was checked");
                counts[0] += 1;
            }
            Err(certificate) => {
                assert!(!expected);
                assert_conflict(&traced, &certificate);
                counts[1] += 1;
            }
        }
        counts[2] += usize::from(traced.arith.stats().consultations > 0);
    }
    counts
}

#[test]
fn floats_and_exact_checks_agree_on_random_systems() {
    let mut total = [0; 3];
    for forms in [2, 4, 8, 16] {
        let counts = compare(1, 100, Kind { forms, ..KIND });
        total = [0, 1, 2].map(|kind| total[kind] + counts[kind]);
    }
    assert!(total.iter().all(|count| *count > 50), "all answers occur: {total:?}");
}

#[test]
fn floats_and_exact_checks_agree_with_elimination() {
    let mut random = Rng::new(5);
    let kind = Kind { vars: 4, forms: 6, length: 3, ..KIND };
    for _ in 0..150 {
        let Some(mut traced) = system(&mut random, kind) else { continue };
        let expected = is_feasible(&traced, None);
        assert_eq!(check_by_floats(&mut traced).is_ok(), expected);
    }
}

#[test]
fn feasible_systems_are_found_feasible() {
    let [feasible, infeasible, asked] =
        compare(2, 100, Kind { vars: 20, forms: 40, slack: Some(5), ..KIND });
    assert_eq!(infeasible, 0);
    assert_eq!((feasible, asked), (100, 100));
}

#[test]
fn degenerate_systems_are_decided() {
    let kind = Kind { vars: 12, forms: 40, slack: Some(0), equations: 40, ..KIND };
    assert_eq!(compare(3, 100, kind)[0], 100);
}

#[test]
fn coefficients_that_floats_cannot_tell_apart_do_no_harm() {
    compare(4, 150, Kind { scale: 12, ..KIND });
    let kind = Kind { vars: 12, forms: 24, scale: 12, slack: Some(1), ..KIND };
    assert_eq!(compare(5, 60, kind)[1], 0);
}

#[test]
fn numbers_that_are_no_floats_do_no_harm() {
    compare(6, 60, Kind { scale: 400, ..KIND });
    assert_eq!(compare(7, 30, Kind { scale: 400, slack: Some(1), ..KIND })[1], 0);
}

#[test]
fn integers_keep_their_corners() {
    compare(8, 150, Kind { is_int: true, ..KIND });
}

#[test]
fn a_consultation_within_few_ticks_does_no_harm() {
    let mut random = Rng::new(9);
    let mut gave_up = 0;
    for _ in 0..200 {
        let kind = Kind { vars: 12, forms: 24, ..KIND };
        let Some(mut traced) = system(&mut random, kind) else { continue };
        let expected = fresh_answer(&traced);
        traced.arith.set_ticks(random.below(60));
        traced.arith.forget_values();
        traced.arith.start_repair();
        match traced.arith.consult() {
            Some(certificate) => {
                assert_conflict(&traced, &certificate);
                traced.arith.restore();
            }
            None => gave_up += usize::from(traced.arith.check() == Ok(Feasible::GaveUp)),
        }
        traced.arith.tableau.assert_consistent();
        traced.arith.set_ticks(u64::MAX);
        assert_eq!(traced.check().is_ok(), expected);
    }
    assert!(gave_up > 10, "{gave_up}");
}

#[test]
fn two_runs_take_the_same_steps() {
    let run = || -> Vec<(Stats, u64, Vec<Rat>)> {
        let mut random = Rng::new(10);
        let kind = Kind { vars: 20, forms: 40, slack: Some(5), scale: 3, ..KIND };
        let systems = (0..20).filter_map(|_| system(&mut random, kind));
        let checked = systems.map(|mut traced| {
            assert!(check_by_floats(&mut traced).is_ok());
            (*traced.arith.stats(), traced.arith.ticks_used(), traced.arith.model())
        });
        checked.collect()
    };
    assert_eq!(run(), run());
}

/// x + y >= 4 with x <= 1 and y <= 2: the sum of three bounds, found without a pivot.
#[test]
fn a_contradiction_is_read_off_without_a_pivot() {
    let mut traced = Traced::new();
    let (x, y) = (traced.arith.new_var(false), traced.arith.new_var(false));
    let sum = traced.arith.form(&[(x, rat(1)), (y, rat(1))]);
    let spread = traced.arith.form(&[(x, rat(1)), (y, rat(-1))]);
    for (var, side, value) in
        [(sum, Side::Lower, 4), (spread, Side::Upper, 3), (x, Side::Upper, 1), (y, Side::Upper, 2)]
    {
        assert!(traced.assert(var, side, rat(value).into()).is_ok());
    }
    let certificate = check_by_floats(&mut traced).unwrap_err();
    assert_conflict(&traced, &certificate);
    assert_eq!(certificate.hypotheses.len(), 3);
    assert_eq!(traced.arith.stats().pivots, 0);
}

/// A long check goes through the floats by itself, and both ends are reached.
#[test]
fn long_checks_ask_the_floats() {
    let mut random = Rng::new(11);
    let mut asked = [0; 2];
    for is_feasible in [true, false] {
        for _ in 0..6 {
            let kind = Kind { vars: 40, forms: 90, equations: 0, slack: Some(2), ..KIND };
            let Some(mut traced) = system(&mut random, kind) else { continue };
            if !is_feasible {
                contradict(&mut random, &mut traced);
            }
            let result = traced.check();
            assert_eq!(result.is_ok(), is_feasible);
            if let Err(certificate) = &result {
                assert_conflict(&traced, certificate);
            }
            asked[usize::from(is_feasible)] += traced.arith.stats().consultations;
        }
    }
    assert!(asked[0] > 0 && asked[1] > 0, "{asked:?}");
}

/// Adds a bound that contradicts the sum of some of the upper bounds of forms.
fn contradict(random: &mut Rng, traced: &mut Traced) {
    let mut terms = Vec::new();
    let mut most = Rat::from(1);
    for (bound, _) in &traced.asserted {
        if bound.side == Side::Upper && random.percent(30) {
            terms.push((bound.var, Rat::ONE));
            most += &bound.value.value;
        }
    }
    let form = traced.arith.form(&terms);
    assert!(traced.assert(form, Side::Lower, most.into()).is_ok());
}
