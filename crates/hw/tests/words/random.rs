//! Engines against each other on random systems; all evidence is checked.

use crate::{decide, summary};
use alphorn_hw::engines::CIRCUIT_ENGINES;
use alphorn_testkit::Rng;
use alphorn_testkit::words::random::random_system;

#[test]
fn words_and_bits_agree() {
    let mut rng = Rng::new(23);
    let (mut safe, mut found, mut decided) = (0, 0, 0);
    for number in 0..400 {
        let system = random_system(&mut rng);
        let (on_words, _, _) = decide("words-explicit", &system, 100_000, 1);
        let on_words = summary(&on_words);
        let kind = |text: &str| text.split([' ', ',']).next().unwrap_or_default().to_owned();
        let expected = kind(&on_words);
        for card in CIRCUIT_ENGINES {
            let (verdict, _, _) = decide(card.name, &system, 2_000, 1);
            let said = summary(&verdict);
            if verdict.is_ok() {
                assert_eq!(kind(&said), expected, "{number}, {}: {on_words}; {said}", card.name);
                decided += 1;
            }
        }
        // Both search breadth first, so both find the shortest.
        let (on_bits, _, _) = decide("explicit", &system, 100_000, 1);
        let on_bits = summary(&on_bits);
        assert_eq!(kind(&on_bits), expected, "{number}: {on_words}; {on_bits}");
        if expected == "unsafe" {
            assert_eq!(on_words, on_bits);
        }
        found += usize::from(expected == "unsafe");
        safe += usize::from(expected == "safe");
        let (verdict, _, _) = decide("words-sim", &system, 200, 1);
        assert!(expected != "safe" || verdict.is_err(), "{number}: {verdict:?}");
    }
    assert!(safe > 50 && found > 100, "{safe} safe, {found} unsafe");
    assert!(decided > 1500, "only {decided} answers");
}

#[test]
fn packed_states_are_the_states() {
    let mut rng = Rng::new(29);
    let (mut answers, mut refused) = (0, 0);
    for number in 0..600 {
        let system = random_system(&mut rng);
        let (plain, _, _) = decide("words-explicit", &system, 100_000, 1);
        let (packed, _, _) = decide("explore", &system, 1_000_000, 1);
        match packed {
            Ok(_) => {
                assert_eq!(summary(&plain), summary(&packed), "{number}");
                answers += 1;
            }
            Err(stop) => {
                assert!(matches!(stop, alphorn_engine::Stop::Unsupported(_)), "{number}: {stop:?}");
                refused += 1;
            }
        }
    }
    assert!(answers > 200, "{answers} answers, {refused} refused");
}
