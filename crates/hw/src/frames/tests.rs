//! The trace against a trace that is a list.

use super::*;
use alphorn_engine::Stopper;
use alphorn_sat::{Lit, Var};
use alphorn_testkit::Rng;

fn lits(numbers: &[i32]) -> Vec<Lit> {
    numbers.iter().map(|n| Var(n.unsigned_abs()).lit(*n > 0)).collect()
}

fn cube(numbers: &[i32]) -> Cube {
    Cube::new(lits(numbers))
}

#[test]
fn lemmas_drop_what_they_imply() {
    let mut frames = Frames::new();
    (0..3).for_each(|_| frames.extend());
    assert_eq!(frames.add(cube(&[1, 2]), 1), []);
    frames.add(cube(&[1, 3]), 2);
    frames.add(cube(&[4]), 3);
    assert_eq!(frames.blocked(&cube(&[1, 2, 9]), 1), Some(1));
    assert_eq!(frames.blocked(&cube(&[1, 2, 9]), 2), None);
    assert_eq!(frames.blocked(&cube(&[1, 3, 4]), 1), Some(3));
    assert_eq!(frames.parent(&cube(&[1, 3, 9]), 2), Some(&cube(&[1, 3])));
    assert!(frames.invariant().is_none());
    assert_eq!(frames.add(cube(&[1]), 2), [(cube(&[1, 2]), 1), (cube(&[1, 3]), 2)]);
    // Level 1 is empty, so frames 1 and 2 are equal.
    assert_eq!(frames.invariant(), Some(vec![cube(&[1]), cube(&[4])]));
    assert_eq!(frames.add_infinite(cube(&[4])), [(cube(&[4]), 3)]);
    assert_eq!(frames.blocked(&cube(&[4, 5]), 2), Some(4));
    assert_eq!(frames.invariant(), Some(vec![cube(&[1]), cube(&[4])]));
}

#[test]
fn the_empty_cube_implies_everything() {
    let mut frames = Frames::new();
    (0..2).for_each(|_| frames.extend());
    frames.add(cube(&[1]), 1);
    frames.add(cube(&[2]), 2);
    assert_eq!(frames.add(cube(&[]), 1), [(cube(&[1]), 1)]);
    assert_eq!(frames.blocked(&cube(&[7]), 1), Some(1));
    assert_eq!(frames.blocked(&cube(&[2]), 1), Some(2));
}

#[test]
fn lists_find_what_a_scan_finds() {
    let mut rng = Rng::new(7);
    for _ in 0..50 {
        let mut frames = Frames::new();
        let mut plain: Vec<(Cube, usize)> = Vec::new();
        for round in 0..60 {
            if round % 6 == 0 {
                frames.extend();
            }
            let size = 1 + rng.below(4);
            let numbers: Vec<i32> =
                (0..size).map(|_| rng.pick(&[1, -1]) * (1 + rng.below(6))).collect();
            let (cube, level) = (cube(&numbers), 1 + rng.below(frames.last()));
            let known = plain.iter().filter(|(lemma, at)| *at >= level && lemma.subsumes(&cube));
            let known = known.map(|(_, at)| *at).max();
            assert_eq!(frames.blocked(&cube, level), known);
            if known.is_some() {
                continue;
            }
            let mut superfluous = frames.add(cube.clone(), level);
            let is_implied = |(lemma, at): &(Cube, usize)| *at <= level && cube.subsumes(lemma);
            let mut expected: Vec<(Cube, usize)> =
                plain.iter().filter(|entry| is_implied(entry)).cloned().collect();
            superfluous.sort_unstable();
            expected.sort_unstable();
            assert_eq!(superfluous, expected);
            plain.retain(|entry| !is_implied(entry));
            plain.push((cube, level));
            for level in 1..=frames.last() {
                let count = plain.iter().filter(|(_, at)| *at == level).count();
                assert_eq!(frames.count(level), count);
                assert_eq!(frames.level(level).count(), count);
            }
        }
    }
}

/// Lets lemmas up whose cubes are short.
struct Short {
    heard: Vec<(Cube, usize)>,
}

impl Consecution for Short {
    fn unreachable_from(
        &mut self,
        cube: &Cube,
        _: usize,
        _: &mut Ctx<'_>,
    ) -> Result<Option<Cube>, Stop> {
        Ok((cube.len() < 3).then(|| Cube::new(cube.lits()[..1].to_vec())))
    }

    fn learned(&mut self, cube: &Cube, level: usize, _: &[(Cube, usize)]) {
        self.heard.push((cube.clone(), level));
    }
}

#[test]
fn propagation_ends_when_two_frames_are_equal() {
    let mut sink = |_| ();
    let mut ctx = Ctx::new(1000, Stopper::new(), 0, &mut sink);
    let mut frames = Frames::new();
    (0..3).for_each(|_| frames.extend());
    frames.add(cube(&[1, 2, 3]), 1);
    frames.add(cube(&[4, 5]), 1);
    let mut solver = Short { heard: Vec::new() };
    frames.propagate(&mut solver, &mut ctx).expect("there is budget");
    // What went up is shorter there, and level 2 is empty after it.
    assert_eq!(solver.heard, [(cube(&[4]), 2), (cube(&[4]), 3)]);
    assert_eq!(frames.invariant(), Some(vec![cube(&[4])]));
}
