//! Bounds on costs against sums, and what runs exclude.

use super::*;
use crate::circuit::{Circuit, Latch, Lit};

fn problem(costs: Vec<Cost>) -> Parametric {
    let count = costs[0].weights.len();
    let free = |var: u32| Latch { next: Lit::new(var, false), reset: Lit::new(var, false) };
    let circuit = Circuit {
        latches: (1..=count as u32).map(free).collect(),
        bads: vec![Lit::FALSE],
        ..Circuit::default()
    };
    let problem = Parametric { circuit, property: 0, params: (0..count).collect(), costs };
    assert_eq!(problem.validate(), Ok(()));
    problem
}

fn cost(base: u64, weights: &[u64]) -> Cost {
    Cost { name: "c".into(), base, weights: weights.to_vec() }
}

/// Whether unit propagation finds no conflict from these literals.
fn propagates(cnf: &Cnf, literals: &[i32]) -> bool {
    let mut known: Vec<i32> = literals.to_vec();
    loop {
        let mut is_new = false;
        for clause in cnf.clauses() {
            if clause.iter().any(|lit| known.contains(lit)) {
                continue;
            }
            let open: Vec<i32> =
                clause.iter().copied().filter(|lit| !known.contains(&-lit)).collect();
            match open[..] {
                [] => return false,
                [only] => {
                    known.push(only);
                    is_new = true;
                }
                _ => {}
            }
        }
        if !is_new {
            return true;
        }
    }
}

fn valuation(number: usize, count: usize) -> Vec<bool> {
    (0..count).map(|bit| number >> bit & 1 == 1).collect()
}

fn literals(valuation: &[bool]) -> Vec<i32> {
    valuation
        .iter()
        .zip(1..)
        .map(|(raised, number)| if *raised { number } else { -number })
        .collect()
}

#[test]
fn a_bound_holds_exactly_where_the_cost_keeps_it() {
    let weights: [&[u64]; 4] = [&[5, 1, 1], &[6, 4, 0, 2], &[3, 3, 3, 3, 3], &[7, 1, 9, 2, 4]];
    for weights in weights {
        let problem = problem(vec![cost(2, weights)]);
        for most in 0..2 + weights.iter().sum::<u64>() {
            let mut encoder = Encoder::new(&problem);
            let bound = encoder.at_most(0, most).expect("it is small");
            for number in 0..1 << weights.len() {
                let valuation = valuation(number, weights.len());
                let keeps = problem.price(&valuation)[0] <= most;
                let said = match bound {
                    Bound::Always => true,
                    Bound::Never => false,
                    Bound::If(lit) => {
                        let mut literals = literals(&valuation);
                        literals.push(lit);
                        propagates(encoder.cnf(), &literals)
                    }
                };
                assert_eq!(said, keeps, "{weights:?} at most {most}, {valuation:?}");
            }
        }
    }
}

#[test]
fn coverage_is_satisfied_by_exactly_what_is_left() {
    let problem = problem(vec![cost(0, &[5, 1, 1]), cost(1, &[1, 3, 3])]);
    let run = |values: [Bit; 3], is_monotone| Excluded { values: values.to_vec(), is_monotone };
    for is_monotone in [false, true] {
        let excluded = [run([Bit::Zero, Bit::One, Bit::X], is_monotone)];
        let price = problem.price(&[true, false, false]);
        let cnf = coverage(&problem, &excluded, std::slice::from_ref(&price)).expect("small");
        for number in 0..8 {
            let valuation = valuation(number, 3);
            let own = problem.price(&valuation);
            let undercuts = own.iter().zip(&price).any(|(own, price)| own < price);
            let is_excluded = !valuation[0] && (is_monotone || valuation[1]);
            // The last clause says in which respects it may cost less.
            let literals = literals(&valuation);
            let less = cnf.clauses().last().expect("the point's clause");
            let works = less.iter().any(|node| {
                let mut with = literals.clone();
                with.push(*node);
                propagates(&cnf, &with)
            });
            assert_eq!(works, undercuts && !is_excluded, "{valuation:?}, {is_monotone}");
        }
    }
}

#[test]
fn bounds_that_are_too_fine_are_refused() {
    let weights: Vec<u64> = (0..40).map(|at| (1 << 40) + (1 << at)).collect();
    let problem = problem(vec![cost(0, &weights)]);
    let most = weights.iter().sum::<u64>() / 2;
    let mut encoder = Encoder::new(&problem);
    assert!(encoder.at_most(0, most).is_err());
}
