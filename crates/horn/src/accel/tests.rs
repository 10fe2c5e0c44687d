//! Closures against enumeration: what a piece says of `n` rounds is what `n` rounds can do.

use super::{Accuracy, Class, Closure, Relation, close};
use alphorn_engine::{Ctx, Stopper};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Model, SortId, Store, TermId, Value, eval};
use alphorn_testkit::Rng;
use std::collections::{BTreeMap, BTreeSet};

type State = Vec<i64>;

/// A round as data: constraints `sum ≤ bound` over the numbers before and after.
struct Round {
    numbers: usize,
    rows: Vec<(Vec<i64>, i64)>,
}

impl Round {
    fn holds(&self, before: &[i64], after: &[i64]) -> bool {
        let columns: Vec<i64> = [before, after].concat();
        let sum = |row: &[i64]| row.iter().zip(&columns).map(|(a, x)| a * x).sum::<i64>();
        self.rows.iter().all(|(row, bound)| sum(row) <= *bound)
    }

    /// The round as a relation over terms.
    fn relation(&self, store: &mut Store) -> Relation {
        let mut state = |name: &str| -> Vec<TermId> {
            (0..self.numbers).map(|at| store.var(&format!("{name}{at}"), SortId::INT)).collect()
        };
        let (pre, post) = (state("x"), state("y"));
        let columns = [&pre[..], &post].concat();
        let mut parts = Vec::new();
        for (row, bound) in &self.rows {
            let mut sum = vec![store.int(0)];
            for (&coef, &column) in row.iter().zip(&columns) {
                let coef = store.int(coef);
                sum.push(store.mul(&[coef, column]));
            }
            let (sum, bound) = (store.add(&sum), store.int(*bound));
            parts.push(store.le(sum, bound));
        }
        Relation { pre, post, parts }
    }
}

/// All states with numbers up to `size`.
fn states(numbers: usize, size: i64) -> Vec<State> {
    let mut all = vec![Vec::new()];
    for _ in 0..numbers {
        let more = |state: &State| {
            let state = state.clone();
            (-size..=size).map(move |value| [&state[..], &[value]].concat())
        };
        all = all.iter().flat_map(more).collect();
    }
    all
}

fn closures(round: &Round) -> (Store, Relation, Vec<Closure>) {
    let mut store = Store::default();
    let relation = round.relation(&mut store);
    let mut sink = |_| {};
    let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 0, &mut sink);
    let found = close(&mut store, &relation, &mut ctx).expect("nothing ends the search");
    (store, relation, found)
}

/// Whether a closure says that so many rounds lead from a state to another one; none if it says nothing of
/// so many rounds.
fn says(
    store: &Store,
    relation: &Relation,
    closure: &Closure,
    rounds: u64,
    before: &[i64],
    after: &[i64],
) -> Option<bool> {
    let piece = closure.pieces.iter().find(|piece| {
        rounds >= piece.base && (rounds - piece.base).is_multiple_of(closure.period)
    })?;
    let mut model = Model::new();
    for (vars, state) in [(&relation.pre, before), (&relation.post, after)] {
        for (&var, &value) in vars.iter().zip(state) {
            model.set(var, Value::Int(value.into()));
        }
    }
    model.set(piece.count, Value::Int(((rounds - piece.base) / closure.period).into()));
    Some(eval(store, piece.formula, &model) == Ok(Value::Bool(true)))
}

/// Compares a closure with rounds from a few states; how many comparisons there were.
fn compare(
    round: &Round,
    after: &dyn Fn(&State) -> Vec<State>,
    rng: &mut Rng,
) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    let (store, relation, found) = closures(round);
    for closure in &found {
        let name = match closure.class {
            Class::DifferenceBounds => "difference",
            Class::Octagonal => "octagonal",
            Class::FiniteMonoid => "monoid",
            Class::Straight => "straight",
        };
        let mut checked = 0;
        for _ in 0..2 {
            let start: State = (0..round.numbers).map(|_| rng.below(9) as i64 - 4).collect();
            let mut reached = BTreeSet::from([start.clone()]);
            for rounds in 1..=12 {
                let next = |state: &State| -> Vec<State> {
                    let all = after(state).into_iter();
                    all.filter(|after| round.holds(state, after)).collect()
                };
                reached = reached.iter().flat_map(next).collect();
                let size = reached.iter().flatten().map(|x| x.abs()).max().unwrap_or(0).max(4) + 1;
                let candidates: Vec<State> = match round.numbers {
                    2 => states(2, size.min(12)),
                    _ => reached.iter().flat_map(around).chain([start.clone()]).collect(),
                };
                for after in candidates {
                    let Some(says) = says(&store, &relation, closure, rounds, &start, &after)
                    else {
                        break;
                    };
                    let can = reached.contains(&after);
                    let is_right = says == can || (!says && closure.accuracy == Accuracy::Under);
                    assert!(
                        is_right,
                        "{name}: {rounds} rounds from {start:?} to {after:?}: {can}, {:?}",
                        round.rows
                    );
                    checked += usize::from(can);
                }
            }
        }
        *counts.entry(name).or_default() += checked;
    }
    counts
}

/// The states that are near a state.
fn around(state: &State) -> Vec<State> {
    let moved = |by: &State| state.iter().zip(by).map(|(x, d)| x + d).collect();
    states(state.len(), 2).iter().map(moved).collect()
}

/// Rows that keep every number within so much of what it was.
fn near(numbers: usize, distance: i64) -> Vec<(Vec<i64>, i64)> {
    let mut rows = Vec::new();
    for at in 0..numbers {
        for sign in [1, -1] {
            let mut row = vec![0; 2 * numbers];
            (row[at], row[numbers + at]) = (-sign, sign);
            rows.push((row, distance));
        }
    }
    rows
}

#[test]
fn closures_of_bounds_on_two_numbers_are_what_rounds_can_do() {
    let mut rng = Rng::new(11);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for case in 0..60 {
        let mut rows = near(2, 2);
        for _ in 0..1 + rng.below(5) {
            let mut row = vec![0; 4];
            let first = rng.below(4) as usize;
            row[first] = if rng.below(2) == 0 { 1 } else { -1 };
            if rng.below(4) > 0 {
                let second = (first + 1 + rng.below(3) as usize) % 4;
                row[second] =
                    if case % 2 == 0 { -row[first] } else { [1, -1][rng.below(2) as usize] };
            }
            rows.push((row, rng.below(9) as i64 - 3));
        }
        for (name, count) in compare(&Round { numbers: 2, rows }, &around, &mut rng) {
            *counts.entry(name).or_default() += count;
        }
    }
    assert!(counts["difference"] > 200 && counts["octagonal"] > 200, "{counts:?}");
}

#[test]
fn closures_of_affine_loops_are_what_rounds_can_do() {
    let mut rng = Rng::new(12);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for _ in 0..150 {
        let (mut rows, mut step) = (Vec::new(), Vec::new());
        // Each number becomes one of them, its negation or nothing, and so much more.
        for at in 0..3 {
            let mut row = vec![0; 6];
            row[3 + at] = 1;
            if rng.below(6) > 0 {
                row[rng.below(3) as usize] = if rng.below(4) == 0 { 1 } else { -1 };
            }
            let shift = rng.below(5) as i64 - 2;
            step.push((row.clone(), shift));
            rows.push((row.iter().map(|coef| -coef).collect(), -shift));
            rows.push((row, shift));
        }
        for _ in 0..rng.below(3) {
            let mut row = vec![0; 6];
            (0..3).for_each(|at| row[at] = rng.below(5) as i64 - 2);
            rows.push((row, rng.below(14) as i64));
        }
        let after = |state: &State| {
            let number = |(row, shift): &(Vec<i64>, i64)| {
                shift - row.iter().zip(state).map(|(a, x)| a * x).sum::<i64>()
            };
            vec![step.iter().map(number).collect()]
        };
        for (name, count) in compare(&Round { numbers: 3, rows }, &after, &mut rng) {
            *counts.entry(name).or_default() += count;
        }
    }
    assert!(counts["monoid"] > 100, "{counts:?}");
}

#[test]
fn closures_along_lines_are_part_of_what_rounds_can_do() {
    let mut rng = Rng::new(13);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for _ in 0..40 {
        let mut rows = near(2, 2);
        for _ in 0..1 + rng.below(3) {
            let row = (0..4).map(|_| rng.below(7) as i64 - 3).collect();
            rows.push((row, rng.below(12) as i64));
        }
        for (name, count) in compare(&Round { numbers: 2, rows }, &around, &mut rng) {
            *counts.entry(name).or_default() += count;
        }
    }
    assert!(counts["straight"] > 50, "{counts:?}");
}

#[test]
fn constraints_that_follow_do_not_hide_a_class() {
    // y = x + 1 twice over, and 3·y ≤ 3·x + 9, which says nothing new.
    let rows = vec![(vec![-1, 1], 1), (vec![1, -1], -1), (vec![-3, 3], 9)];
    let (_, _, found) = closures(&Round { numbers: 1, rows });
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].class, found[0].accuracy), (Class::FiniteMonoid, Accuracy::Exact));
    // Choices between 1 and 3, and a sum of three that follows.
    let rows = vec![
        (vec![-1, 0, 1, 0], 3),
        (vec![1, 0, -1, 0], -1),
        (vec![0, -1, 0, 1], 0),
        (vec![0, 1, 0, -1], 0),
        (vec![-1, -1, 1, 1], 5),
    ];
    let (_, _, found) = closures(&Round { numbers: 2, rows });
    assert_eq!(found[0].class, Class::DifferenceBounds);
}

#[test]
fn a_number_that_doubles_has_no_closure() {
    let rows = vec![(vec![-2, 1], 0), (vec![2, -1], 0), (vec![-1, 0], -1)];
    let (_, _, found) = closures(&Round { numbers: 1, rows });
    assert!(found.is_empty());
}

#[test]
fn a_hull_has_every_order_of_its_cases_and_bounds_the_rest() {
    // One case moves by (1, 2), the other by (2, 1) under a guard that is no octagon.
    let rows = |one: i64, other: i64| {
        let to = |at: usize, by: i64| {
            let mut up = vec![0; 4];
            (up[at], up[2 + at]) = (-1, 1);
            let down: Vec<i64> = up.iter().map(|coef| -coef).collect();
            [(up, by), (down, -by)]
        };
        to(0, one).into_iter().chain(to(1, other)).collect::<Vec<_>>()
    };
    let mut guarded = rows(2, 1);
    guarded.push((vec![1, 2, 0, 0], 40));
    let cases = [Round { numbers: 2, rows: rows(1, 2) }, Round { numbers: 2, rows: guarded }];
    let mut store = Store::default();
    let relations: Vec<Relation> = cases.iter().map(|case| case.relation(&mut store)).collect();
    let mut sink = |_| ();
    let mut ctx = Ctx::new(1_000_000, Stopper::new(), 1, &mut sink);
    let hull = super::hull::hull(&mut store, &relations, &mut ctx);
    let hull = hull.expect("plenty of ticks").expect("bounds");
    let mut is_possible = |to: [i64; 2]| {
        let mut smt = Smt::new(Options::default());
        let some = store.or(&hull.ways);
        smt.assert(&mut store, some);
        for (vars, values) in [(&hull.pre, [0, 0]), (&hull.post, to)] {
            for (&var, value) in vars.iter().zip(values) {
                let value = store.int(value);
                let here = store.eq(var, value);
                smt.assert(&mut store, here);
            }
        }
        smt.check(&mut store, &[]) == Answer::Sat
    };
    // All that rounds do, in any order.
    for first in 0..6i64 {
        for second in 0..6i64 {
            let reached = [first + 2 * second, 2 * first + second];
            assert!(first + second == 0 || is_possible(reached), "{reached:?}");
        }
    }
    for never in [[1, 3], [3, 1], [-1, 2], [9, 4], [4, 9]] {
        assert!(!is_possible(never), "{never:?}");
    }
}
