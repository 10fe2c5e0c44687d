//! Random systems and random choices of transforms: the verdict stays, and evidence is accepted.

use crate::{accepted, cards, carried, decided, finding, read, transformed};
use alphorn_horn::{TRANSFORMS, TransformCard};
use alphorn_problem::Finding;
use alphorn_testkit::Rng;
use alphorn_testkit::horn::mixed::Generator;

/// All transforms, or some.
fn some_cards(rng: &mut Rng) -> Vec<&'static TransformCard> {
    let all = rng.one_in(3);
    TRANSFORMS.iter().filter(|_| all || rng.one_in(2)).collect()
}

/// Compares verdicts about random systems with and without these transforms, or random ones if none
/// are named.
fn compare(seed: u64, count: usize, is_linear: bool, names: &[&str]) {
    let mut generator = Generator::new(seed, is_linear);
    let mut rng = Rng::new(seed);
    let (mut safe, mut unsafe_) = (0, 0);
    for number in 0..count {
        let text = generator.system();
        let horn = read(&text);
        let cards = if names.is_empty() { some_cards(&mut rng) } else { cards(names) };
        let names: Vec<&str> = cards.iter().map(|card| card.name).collect();
        let expected = matches!(finding(&horn), Finding::Holds(_));
        let (changed, back) = transformed(&horn, &cards);
        let found = decided(&changed).map_err(|stop| format!("{stop:?}"));
        assert!(found.is_ok(), "{found:?}: system {number} with {names:?}: {text}");
        let found = found.unwrap();
        let is_safe = matches!(found, Finding::Holds(_));
        assert_eq!(is_safe, expected, "system {number} with {names:?}: {text}");
        let carried = carried(&horn, &back, found).map_err(|stop| format!("{stop:?}"));
        let outcome = carried.and_then(|verdict| accepted(&horn, &verdict));
        let word = if expected { "safe" } else { "unsafe" };
        assert_eq!(outcome, Ok(word), "system {number} with {names:?}: {text}");
        if expected { safe += 1 } else { unsafe_ += 1 }
    }
    assert!(safe * 5 >= count && unsafe_ * 5 >= count, "{safe} safe, {unsafe_} unsafe");
}

#[test]
fn linear_systems_keep_their_verdicts() {
    compare(1, 150, true, &[]);
}

#[test]
fn nonlinear_systems_keep_their_verdicts() {
    compare(2, 150, false, &[]);
}

#[test]
fn ranges_change_no_verdicts() {
    compare(7, 100, true, &["ranges"]);
    compare(8, 100, false, &["ranges", "equations"]);
}

#[test]
fn bounds_change_no_verdicts() {
    compare(3, 60, true, &["intervals"]);
    compare(4, 60, false, &["octagons"]);
    compare(5, 60, true, &["needed-octagons"]);
    compare(6, 60, false, &["octagons", "needed-intervals"]);
}
