//! Octagons against all points of a small cube.

use super::*;
use alphorn_engine::Rng;

const SIZE: i64 = 4;

fn points() -> Vec<[i64; 3]> {
    let range = || -SIZE..=SIZE;
    range().flat_map(|x| range().flat_map(move |y| range().map(move |z| [x, y, z]))).collect()
}

fn value(point: &[i64; 3], signed: Signed) -> i64 {
    let value = point[signed.dimension()];
    if signed.is_negative() { -value } else { value }
}

/// A random octagon in a small box, if it is not empty, and the points in it.
fn random(rng: &mut Rng) -> (Option<Octagon>, Vec<[i64; 3]>) {
    let mut octagon = Octagon::top(vec![true; 3]);
    let mut inside = points();
    let mut is_empty = false;
    let near = Interval::between(&Rat::from(-SIZE), &Rat::from(SIZE));
    for dimension in 0..3 {
        octagon.restrict(dimension, &near).unwrap();
    }
    for _ in 0..1 + rng.below(6) {
        let (first, second) = (Signed(rng.below(6) as u32), Signed(rng.below(6) as u32));
        let bound = rng.below(9) as i64 - 4;
        inside.retain(|point| value(point, first) + value(point, second) <= bound);
        is_empty |= octagon.add(first, second, Bound::at_most(Rat::from(bound))).is_err();
        if is_empty {
            break;
        }
    }
    ((!is_empty).then_some(octagon), inside)
}

/// The bounds that the points have.
fn exact(inside: &[[i64; 3]], first: Signed, second: Signed) -> i64 {
    inside.iter().map(|point| value(point, first) + value(point, second)).max().unwrap()
}

#[test]
fn closed_octagons_have_exact_bounds_over_integers() {
    let mut rng = Rng::new(1);
    let mut empty = 0;
    for _ in 0..400 {
        let (octagon, inside) = random(&mut rng);
        assert_eq!(octagon.is_none(), inside.is_empty());
        let Some(octagon) = octagon else {
            empty += 1;
            continue;
        };
        for first in octagon.signed() {
            for second in octagon.signed() {
                let bound = Some(Bound::at_most(Rat::from(exact(&inside, first, second))));
                assert_eq!(*octagon.bound(first, second), bound, "{first:?} {second:?}");
            }
        }
    }
    assert!((20..380).contains(&empty), "{empty} of them are empty");
}

#[test]
fn joins_have_the_points_of_both_and_widenings_more() {
    let mut rng = Rng::new(2);
    for _ in 0..200 {
        let (Some(left), inside) = random(&mut rng) else { continue };
        let (Some(right), others) = random(&mut rng) else { continue };
        let joined = left.join(&right);
        let both: Vec<[i64; 3]> = inside.into_iter().chain(others).collect();
        for first in joined.signed() {
            for second in joined.signed() {
                let bound = Some(Bound::at_most(Rat::from(exact(&both, first, second))));
                assert_eq!(*joined.bound(first, second), bound);
            }
        }
        let wide = left.widened(&joined, &[Rat::from(0), Rat::from(5)]);
        assert!(left.is_within(&wide) && joined.is_within(&wide));
        let flat = joined.projected(&[2, 0]);
        assert_eq!(flat.interval(0), joined.interval(2));
        assert_eq!(
            flat.bound(Signed::plus(0), Signed::of(1, true)),
            joined.bound(Signed::plus(2), Signed::of(0, true))
        );
    }
}

#[test]
fn reals_have_strict_bounds() {
    let mut octagon = Octagon::top(vec![false, false]);
    let (x, y) = (Signed::plus(0), Signed::plus(1));
    let below = |value: i64| Bound { value: Rat::from(value), is_strict: true };
    assert_eq!(octagon.add(x, y.negated(), below(0)), Ok(true));
    assert_eq!(octagon.clone().add(y, x.negated(), Bound::at_most(Rat::ZERO)), Err(Empty));
    assert_eq!(octagon.add(y, y, Bound::at_most(Rat::from(3))), Ok(true));
    let half = &Rat::from(3) / &Rat::from(2);
    assert_eq!(octagon.interval(0).up, Some(Bound { value: half, is_strict: true }));
}
