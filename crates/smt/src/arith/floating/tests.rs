//! The program in floats by itself, and numbers between the two worlds.

use alphorn_term::{Int, Rat};

use super::number::{exponent, float, float_of, rational, times_power};
use super::program::{Ending, Limit, Program};

fn limits(lower: f64, upper: f64) -> [Limit; 2] {
    [lower, upper].map(|value| Limit { value, is_strict: false })
}

/// The program x + y >= 4, x - y <= 0 with bounds on x and y, which are variables 0 and 1.
fn two_rows(x: [Limit; 2], y: [Limit; 2]) -> Program {
    let bounds = vec![x, y, limits(4.0, f64::INFINITY), limits(f64::NEG_INFINITY, 0.0)];
    Program::new(vec![2, 3], vec![0, 1], vec![1.0, 1.0, 1.0, -1.0], bounds, vec![0.0; 4])
}

#[test]
fn a_point_is_found_within_bounds() {
    let mut program = two_rows(limits(0.0, 3.0), limits(0.0, 3.0));
    program.tighten(0.0);
    assert_eq!(program.run(1000), Ending::Feasible);
    let (x, y) = (program.value(0), program.value(1));
    assert!((0.0..=3.0).contains(&x) && (0.0..=3.0).contains(&y), "{x} {y}");
    assert!(x + y >= 4.0 - 1e-6 && x <= y + 1e-6, "{x} {y}");
}

#[test]
fn a_point_keeps_its_distance_where_there_is_room() {
    let mut program = two_rows(limits(0.0, 3.0), limits(0.0, 3.0));
    program.tighten(0.125);
    assert_eq!(program.run(1000), Ending::Feasible);
    let (x, y) = (program.value(0), program.value(1));
    assert!(x + y >= 4.1 && x <= y - 0.1 && y <= 2.9, "{x} {y}");
}

#[test]
fn a_row_that_cannot_be_repaired_names_its_variables() {
    let mut program = two_rows(limits(0.0, 1.0), limits(0.0, 2.0));
    program.tighten(0.0);
    let Ending::Blocked(row) = program.run(1000) else { panic!("1 + 2 < 4") };
    let mut support: Vec<usize> = program.support(row).collect();
    support.sort_unstable();
    assert_eq!(support, [0, 1, 2]);
}

#[test]
fn work_is_limited() {
    let mut program = two_rows(limits(0.0, 3.0), limits(0.0, 3.0));
    program.tighten(0.0);
    assert_eq!(program.run(0), Ending::Stopped);
}

#[test]
fn what_is_no_number_comes_to_an_end() {
    for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN_POSITIVE] {
        for place in 0..4 {
            let mut entries = vec![1.0, 1.0, 1.0, -1.0];
            entries[place] = odd;
            let bounds =
                vec![limits(0.0, 3.0), limits(odd, 3.0), limits(4.0, odd), limits(0.0, 0.0)];
            let mut program = Program::new(vec![2, 3], vec![0, 1], entries, bounds, vec![odd; 4]);
            program.tighten(0.0);
            program.run(100_000);
        }
    }
}

#[test]
fn scaling_leaves_the_solution() {
    let large = times_power(1.0, 60);
    let bounds = vec![limits(1.0, 2.0), limits(1.0, 2.0), limits(3.0 * large, 3.0 * large)];
    let entries = vec![large, large];
    let mut program = Program::new(vec![2], vec![0, 1], entries, bounds, vec![0.0; 3]);
    program.tighten(0.0);
    assert_eq!(program.run(1000), Ending::Feasible);
    assert!((program.value(0) + program.value(1) - 3.0).abs() < 1e-6);
}

#[test]
fn floats_are_next_to_quotients() {
    let large = Int::from(2).pow(2000);
    assert_eq!(float(&(&large * &Int::from(3)), &large), 3.0);
    assert_eq!(float(&-(&large * &Int::from(3)), &(&large * &Int::from(4))), -0.75);
    assert_eq!(float(&large, &Int::ONE), f64::INFINITY);
    assert_eq!(float(&-&large, &Int::ONE), f64::NEG_INFINITY);
    assert_eq!(float(&Int::ONE, &large), 0.0);
    assert_eq!(float_of(&Rat::ratio(1, 3).unwrap()), 1.0 / 3.0);
}

#[test]
fn floats_are_rounded_to_bits() {
    assert_eq!(rational(0.3, 0), Some(Rat::ZERO));
    assert_eq!(rational(-0.7, 0), Some(Rat::from(-1)));
    assert_eq!(rational(0.3, 2), Rat::ratio(1, 4));
    assert_eq!(rational(f64::NAN, 2), None);
    assert_eq!(rational(f64::INFINITY, 2), None);
    assert_eq!(rational(1e300, 2), None);
}

#[test]
fn powers_of_two_are_exact() {
    assert_eq!(times_power(3.0, 4), 48.0);
    assert_eq!(times_power(3.0, -1), 1.5);
    assert_eq!(times_power(times_power(5.0, 1000), -1000), 5.0);
    assert_eq!(times_power(1.0, i32::MIN + 1), 0.0);
    assert_eq!(exponent(0.75), -1);
    assert_eq!(exponent(-48.0), 5);
}
