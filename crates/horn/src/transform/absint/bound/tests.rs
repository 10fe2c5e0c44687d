//! Operations on intervals against all numbers of small boxes.

use super::*;

fn boxes() -> Vec<(i64, i64)> {
    (-4..=4).flat_map(|low| (low..=4).map(move |high| (low, high))).collect()
}

fn interval(ends: (i64, i64)) -> Interval {
    Interval::between(&Rat::from(ends.0), &Rat::from(ends.1))
}

/// The least interval around numbers.
fn around(numbers: impl Iterator<Item = i64>) -> Interval {
    let points = numbers.map(|number| Interval::point(&Rat::from(number)));
    points.reduce(|left, right| left.join(&right)).unwrap()
}

#[test]
fn operations_on_one_interval_are_exact() {
    for ends in boxes() {
        let (all, here) = (ends.0..=ends.1, interval(ends));
        assert_eq!(here.sizes(), around(all.clone().map(i64::abs)), "{ends:?}");
        for divisor in 1..=3 {
            let by = Int::from(divisor);
            let quotients = around(all.clone().map(|x| x.div_euclid(divisor)));
            assert_eq!(here.quotients(&by), quotients, "{ends:?} {divisor}");
            let exact = around(all.clone().map(|x| x.rem_euclid(divisor)));
            assert!(exact.is_within(&here.remainders(&by)), "{ends:?} {divisor}");
        }
        for factor in [-2, 3] {
            let exact = around([ends.0 * factor, ends.1 * factor].into_iter());
            assert_eq!(here.times(&Rat::from(factor)), exact);
        }
    }
}

#[test]
fn operations_on_two_intervals_are_exact() {
    for left in boxes() {
        for right in boxes() {
            let pairs = (left.0..=left.1).flat_map(|x| (right.0..=right.1).map(move |y| (x, y)));
            let (first, second) = (interval(left), interval(right));
            assert_eq!(first.plus(&second), around(pairs.clone().map(|(x, y)| x + y)));
            assert_eq!(first.product(&second), around(pairs.clone().map(|(x, y)| x * y)));
            let meet = first.meet(&second);
            assert_eq!(meet.is_empty(), pairs.clone().all(|(x, y)| x != y));
        }
    }
}

#[test]
fn strict_bounds_exclude_their_ends() {
    let below = |value: i64| Some(Bound { value: Rat::from(value), is_strict: true });
    let open = Interval { down: below(0), up: below(1) };
    assert!(!open.is_empty() && open.integers().is_empty());
    assert!(Interval { down: below(0), up: below(0) }.is_empty());
    assert!(open.is_within(&interval((0, 1))) && !interval((0, 1)).is_within(&open));
}

#[test]
fn widening_stops_at_thresholds() {
    let thresholds = [Rat::from(0), Rat::from(10)];
    let after = interval((0, 3)).widened(&interval((0, 4)), &thresholds);
    assert_eq!(after, interval((0, 10)));
    let after = after.widened(&interval((0, 11)), &thresholds);
    assert_eq!((after.up, after.down), (None, Some(Bound::at_most(Rat::ZERO))));
}
