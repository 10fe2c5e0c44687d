//! Engines against brute force on random circuits.

use crate::{decide, summary};
use alphorn_testkit::circuit::oracle::shortest_violation;
use alphorn_testkit::circuit::random::random_circuit;
use alphorn_testkit::shrink::for_all;

#[test]
fn explicit_agrees_with_brute_force() {
    let (mut safe, mut unsafe_, mut stuck) = (0, 0, 0);
    for_all(0..2000, random_circuit, |circuit| {
        let (verdict, _, _) = decide("explicit", circuit, 1_000_000, 1);
        let text = summary(&verdict);
        match shortest_violation(circuit) {
            Some(length) => {
                assert_eq!(text, format!("unsafe, {length} steps"));
                unsafe_ += 1;
            }
            None if text.contains("tied to the first inputs") => stuck += 1,
            None => {
                assert!(text.starts_with("safe"), "{text}");
                safe += 1;
            }
        }
    });
    assert!(safe > 300 && unsafe_ > 300 && stuck < 100, "{safe} {unsafe_} {stuck}");
}

#[test]
fn sim_finds_what_small_circuits_hide() {
    let (mut found, mut missed) = (0, 0);
    for_all(3_000..3_500, random_circuit, |circuit| {
        let (verdict, _, _) = decide("sim", circuit, 300, 1);
        let is_unsafe = summary(&verdict).starts_with("unsafe");
        let expected = shortest_violation(circuit).is_some();
        assert!(expected || !is_unsafe, "there is no violation");
        found += usize::from(is_unsafe);
        missed += usize::from(expected && !is_unsafe);
    });
    assert!(found > 100 && missed <= 2, "{found} found, {missed} missed");
}
