//! Integer and mixed problems against enumeration, with splits done by the test.

use alphorn_term::{Int, Rat};

use super::super::integer::lattice::Basis;
use super::super::{Bound, Delta, Effort, Integers, Optimum, Side, Var};
use super::oracle::is_feasible;
use super::replay::{Inequality, assert_conflict, replay};
use super::{Traced, check_implied, rat};
use alphorn_testkit::Rng;

/// Decides the bounds in force by splitting; `None` if that takes too many splits.
fn solve(traced: &mut Traced, splits: &mut usize) -> Option<bool> {
    if let Err(certificate) = traced.check() {
        assert_conflict(traced, &certificate);
        return Some(false);
    }
    let result = traced.arith.check_integers(Effort::Full);
    traced.arith.tableau.assert_consistent();
    match result {
        Integers::Model => {
            assert_integers(traced);
            Some(true)
        }
        Integers::Conflict(certificate) => {
            assert_conflict(traced, &certificate);
            Some(false)
        }
        Integers::Branch { var, below } => {
            *splits = splits.checked_sub(1)?;
            // Explanations go through derived bounds as well.
            check_implied(traced);
            check_optimum(traced, var);
            let above = &below + &Int::ONE;
            for (side, value) in [(Side::Upper, below), (Side::Lower, above)] {
                traced.push();
                let answer = match traced.assert(var, side, Delta::from(value)) {
                    Err(certificate) => {
                        assert_conflict(traced, &certificate);
                        Some(false)
                    }
                    Ok(()) => solve(traced, splits),
                };
                traced.pop(1);
                match answer {
                    Some(false) => {}
                    decided => return decided,
                }
            }
            Some(false)
        }
        Integers::Unknown => None,
    }
}

/// The certificate of an optimum may use derived bounds.
fn check_optimum(traced: &mut Traced, var: Var) {
    for side in [Side::Lower, Side::Upper] {
        if let Optimum::Bounded { value, certificate } = traced.arith.optimize(var, side) {
            let claim = Inequality::of(&traced.arith, &Bound { var, side, value });
            let last = replay(traced, &certificate);
            assert!(last.is_at_least(&claim), "{last:?} is not {claim:?}");
        }
    }
}

fn assert_integers(traced: &Traced) {
    traced.assert_model();
    for (var, value) in traced.arith.model().iter().enumerate() {
        if traced.arith.is_int(Var(var as u32)) {
            assert!(value.is_integer(), "variable {var} is {value}");
        }
    }
}

/// Whether integers between `-size` and `size` for the first unknowns, and any values for the
/// others, satisfy the bounds in force.
fn enumerate(traced: &Traced, integers: &[Var], size: i64) -> bool {
    let is_mixed = (0..traced.arith.vars() as u32)
        .map(Var)
        .any(|var| traced.arith.definition(var).is_none() && !integers.contains(&var));
    let system: Vec<Inequality> =
        traced.asserted.iter().map(|(bound, _)| Inequality::of(&traced.arith, bound)).collect();
    let mut values = vec![-size; integers.len()];
    loop {
        let rest = system.iter().map(|row| substitute(row, integers, &values));
        let solved = if is_mixed {
            super::oracle::is_satisfiable(rest.collect())
        } else {
            rest.into_iter().all(|row| !row.is_contradiction())
        };
        if solved {
            return true;
        }
        let Some(position) = values.iter().position(|value| *value < size) else { return false };
        values[position] += 1;
        values[..position].fill(-size);
    }
}

fn substitute(row: &Inequality, integers: &[Var], values: &[i64]) -> Inequality {
    let mut row = row.clone();
    for (var, value) in integers.iter().zip(values) {
        if let Some(coefficient) = row.terms.remove(&var.0) {
            row.constant.mul_add_assign(&coefficient, &rat(*value));
        }
    }
    row
}

/// Asserts a bound, rounded if the variable is an integer.
fn assert_rounded(traced: &mut Traced, var: Var, side: Side, value: i64, is_strict: bool) -> bool {
    let sign = if side == Side::Lower { 1 } else { -1 };
    let value = match (is_strict, traced.arith.is_int(var)) {
        (true, true) => rat(value + sign).into(),
        (true, false) => Delta::new(rat(value), rat(sign)),
        (false, _) => rat(value).into(),
    };
    match traced.assert(var, side, value) {
        Ok(()) => true,
        Err(certificate) => {
            assert_conflict(traced, &certificate);
            traced.asserted.pop();
            false
        }
    }
}

/// A random problem in a box, after so many splits; returns the answer.
fn boxed(seed: u64, integers: usize, reals: usize, splits: u64) -> bool {
    let mut random = Rng::new(seed);
    let mut traced = Traced::new();
    traced.arith.splits = splits;
    let ints: Vec<Var> = (0..integers).map(|_| traced.arith.new_var(true)).collect();
    let mut vars = ints.clone();
    vars.extend((0..reals).map(|_| traced.arith.new_var(false)));
    let size = 3;
    for &var in &ints {
        assert_rounded(&mut traced, var, Side::Lower, -size, false);
        assert_rounded(&mut traced, var, Side::Upper, size, false);
    }
    for _ in 0..random.between(2, 6) {
        let terms: Vec<(Var, Rat)> = (0..random.between(2, 4))
            .map(|_| (vars[random.below(vars.len())], rat(random.between(-7, 7))))
            .collect();
        let form = traced.arith.form(&terms);
        let value = random.between(-9, 9);
        if random.percent(40) {
            let _ = assert_rounded(&mut traced, form, Side::Lower, value, false)
                && assert_rounded(&mut traced, form, Side::Upper, value, false);
        } else {
            let side = if random.percent(50) { Side::Lower } else { Side::Upper };
            let is_strict = random.percent(30);
            assert_rounded(&mut traced, form, side, value, is_strict);
        }
    }
    let expected = enumerate(&traced, &ints, size);
    // The light effort first, in a level that is left again: it must do no harm.
    traced.push();
    if traced.check().is_ok() {
        match traced.arith.check_integers(Effort::Light) {
            Integers::Model => {
                assert_integers(&traced);
                assert!(expected);
            }
            Integers::Conflict(certificate) => {
                assert_conflict(&traced, &certificate);
                assert!(!expected);
            }
            Integers::Unknown => {}
            Integers::Branch { .. } => panic!("the light effort does not split"),
        }
    }
    traced.pop(1);
    let mut splits = 10_000;
    let answer = solve(&mut traced, &mut splits);
    assert_eq!(answer, Some(expected), "seed {seed}");
    expected
}

#[test]
fn boxes_agree_with_enumeration() {
    let mut counts = [0; 2];
    for seed in 1..=600 {
        counts[usize::from(boxed(seed, 2 + seed as usize % 3, 0, 0))] += 1;
    }
    assert!(counts.iter().all(|count| *count > 100), "both answers occur: {counts:?}");
}

#[test]
fn mixed_boxes_agree_with_enumeration() {
    let mut counts = [0; 2];
    for seed in 1..=200 {
        counts[usize::from(boxed(seed, 2, 2, 0))] += 1;
    }
    assert!(counts.iter().all(|count| *count > 20), "both answers occur: {counts:?}");
}

#[test]
fn splits_on_sums_lose_no_solution() {
    let mut counts = [0; 2];
    for seed in 0..600 {
        counts[usize::from(boxed(seed, 2 + seed as usize % 3, 0, u64::MAX / 2))] += 1;
    }
    assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
}

/// Whether integers are between two pairs of nearly parallel lines, and how many splits it takes.
fn rhombus(widest: i64) -> (Option<bool>, usize) {
    let mut traced = Traced::new();
    let (x, y) = (traced.arith.new_var(true), traced.arith.new_var(true));
    let first = traced.arith.form(&[(x, rat(273_000_000)), (y, rat(-245_000_001))]);
    let second = traced.arith.form(&[(x, rat(273_000_001)), (y, rat(-245_000_000))]);
    for (form, lower, upper) in [(first, 0, widest - 1), (second, 1, widest)] {
        assert_rounded(&mut traced, form, Side::Lower, lower, false);
        assert_rounded(&mut traced, form, Side::Upper, upper, false);
    }
    let mut left = 200;
    let answer = solve(&mut traced, &mut left);
    (answer, 200 - left)
}

#[test]
fn thin_bodies_take_few_splits() {
    let (answer, splits) = rhombus(1_000_000);
    assert_eq!(answer, Some(false), "after {splits}");
    assert!(splits < 60, "{splits}");
    let (answer, splits) = rhombus(100_000_000);
    assert_eq!(answer, Some(true), "after {splits}");
}

#[test]
fn a_reduced_basis_generates_the_same_lattice() {
    for seed in 0..200 {
        let mut random = Rng::new(seed);
        let (count, length) = (2 + random.below(4usize), 6);
        let mut entry = || Int::from(random.between(-100_000, 100_000));
        let old: Vec<Vec<Int>> =
            (0..count).map(|_| (0..length).map(|_| entry()).collect()).collect();
        let basis = Basis::reduced(old.clone()).expect("random vectors are independent");
        for (at, vector) in old.iter().enumerate() {
            for (place, expected) in vector.iter().enumerate() {
                let mut sum = Int::ZERO;
                for (new, row) in basis.vectors().iter().zip(basis.inverse()) {
                    sum.mul_add_assign(&new[place], &row[at]);
                }
                assert_eq!(sum, *expected, "seed {seed}");
            }
        }
        assert!(determinant(basis.inverse()).abs().is_one(), "seed {seed}");
    }
}

/// The determinant, by its first row.
fn determinant(rows: &[Vec<Int>]) -> Int {
    let Some((first, rest)) = rows.split_first() else { return Int::ONE };
    let mut sum = Int::ZERO;
    for (at, entry) in first.iter().enumerate() {
        let without = |row: &Vec<Int>| {
            let kept = row.iter().enumerate().filter(|(place, _)| *place != at);
            kept.map(|(_, entry)| entry.clone()).collect()
        };
        let minor = determinant(&rest.iter().map(without).collect::<Vec<_>>());
        let signed = if at % 2 == 0 { minor } else { -minor };
        sum.mul_add_assign(entry, &signed);
    }
    sum
}

/// Equations and inequalities on unbounded integers, given as coefficients and bounds.
fn unbounded(vars: usize, rows: &[(&[i64], Option<i64>, Option<i64>)]) -> (Option<bool>, usize) {
    let mut traced = Traced::new();
    let vars: Vec<Var> = (0..vars).map(|_| traced.arith.new_var(true)).collect();
    for (coefficients, lower, upper) in rows {
        let terms: Vec<_> =
            vars.iter().copied().zip(coefficients.iter().map(|c| rat(*c))).collect();
        let form = traced.arith.form(&terms);
        for (side, value) in [(Side::Lower, lower), (Side::Upper, upper)] {
            if let Some(value) = value {
                assert!(traced.assert(form, side, rat(*value).into()).is_ok());
            }
        }
    }
    let mut splits = 100;
    let answer = solve(&mut traced, &mut splits);
    (answer, 100 - splits)
}

#[test]
fn parity_needs_no_splits() {
    // x = 2a, x = 2b + 1
    let rows: &[(&[i64], _, _)] =
        &[(&[1, -2, 0], Some(0), Some(0)), (&[1, 0, -2], Some(1), Some(1))];
    assert_eq!(unbounded(3, rows), (Some(false), 0));
}

#[test]
fn coprime_equations_have_solutions() {
    let rows: &[(&[i64], _, _)] =
        &[(&[12, 35, 21], Some(1), Some(1)), (&[5, -7, 3], Some(2), Some(2))];
    assert_eq!(unbounded(3, rows).0, Some(true));
}

#[test]
fn residues_tighten_bounds() {
    // x = 4a + 1, y = 4b, 2 <= x - y <= 4 has no solution.
    let rows: &[(&[i64], _, _)] = &[
        (&[1, 0, -4, 0], Some(1), Some(1)),
        (&[0, 1, 0, -4], Some(0), Some(0)),
        (&[1, -1, 0, 0], Some(2), Some(4)),
    ];
    assert_eq!(unbounded(4, rows), (Some(false), 0));
}

#[test]
fn a_thin_wedge_without_integers_is_refuted() {
    // 0 < 3x - 3y + z < 3 with z = 0, as 1 <= ... <= 2.
    let rows: &[(&[i64], _, _)] =
        &[(&[3, -3, 1], Some(1), Some(2)), (&[0, 0, 1], Some(0), Some(0))];
    assert_eq!(unbounded(3, rows).0, Some(false));
}

#[test]
fn integer_traces_agree_with_enumeration() {
    for seed in 1..=60 {
        let mut random = Rng::new(seed);
        let mut traced = Traced::new();
        let vars: Vec<Var> = (0..3).map(|_| traced.arith.new_var(true)).collect();
        for &var in &vars {
            assert_rounded(&mut traced, var, Side::Lower, -3, false);
            assert_rounded(&mut traced, var, Side::Upper, 3, false);
        }
        for _ in 0..25 {
            traced.push();
            let terms: Vec<_> = vars.iter().map(|var| (*var, rat(random.between(-5, 5)))).collect();
            let form = traced.arith.form(&terms);
            let side = if random.percent(50) { Side::Lower } else { Side::Upper };
            let value = random.between(-6, 6);
            let is_asserted = assert_rounded(&mut traced, form, side, value, false);
            if is_asserted && random.percent(60) {
                let expected = enumerate(&traced, &vars, 3);
                let answer = solve(&mut traced, &mut 10_000);
                assert_eq!(answer, Some(expected), "seed {seed}");
                assert!(!expected || is_feasible(&traced, None));
            }
            if !is_asserted || random.percent(40) {
                let levels = 1 + random.below(traced.levels.len());
                traced.pop(levels);
            }
        }
    }
}

#[test]
fn forms_of_cuts_are_used_again() {
    let mut traced = Traced::new();
    let vars: Vec<Var> = (0..4).map(|_| traced.arith.new_var(true)).collect();
    let forms: Vec<Var> = (0..6_i64)
        .map(|number| {
            let terms: Vec<_> = vars
                .iter()
                .zip([7, -11, 13, 5])
                .map(|(var, by)| (*var, rat((by * (number + 3)) % 17 - 8)))
                .collect();
            traced.arith.form(&terms)
        })
        .collect();
    let mut random = Rng::new(5);
    let mut most = 0;
    for round in 0..6000 {
        traced.push();
        for &form in &forms {
            let side = if random.percent(50) { Side::Lower } else { Side::Upper };
            let bound = Bound { var: form, side, value: rat(random.between(-9, 9)).into() };
            let _ = traced.arith.assert(bound, 1);
        }
        if traced.arith.check().is_ok() {
            let _ = traced.arith.check_integers(Effort::Full);
        }
        traced.pop(1);
        if round == 2000 {
            most = traced.arith.vars();
        }
    }
    assert!(traced.arith.stats().cuts > 100, "{:?}", traced.arith.stats());
    assert!(traced.arith.vars() <= most + 20, "{} after {most}", traced.arith.vars());
}
