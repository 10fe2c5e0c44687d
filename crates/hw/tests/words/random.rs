//! Engines against each other on random systems; all evidence is checked.

use crate::build::random_system;
use crate::{decide, summary};
use alphorn_engine::Rng;

#[test]
fn words_and_bits_agree() {
    let mut rng = Rng::new(23);
    let (mut safe, mut found) = (0, 0);
    for number in 0..400 {
        let system = random_system(&mut rng);
        let (on_words, _, _) = decide("explicit", &system, 100_000, 1);
        let (on_bits, _, _) = decide("bits-explicit", &system, 100_000, 1);
        let (on_words, on_bits) = (summary(&on_words), summary(&on_bits));
        let kind = |text: &str| text.split(' ').next().unwrap_or_default().to_owned();
        assert_eq!(kind(&on_words), kind(&on_bits), "{number}: {on_words}; {on_bits}");
        if on_words.starts_with("unsafe") {
            // Both search breadth first, so both find the shortest.
            assert_eq!(on_words, on_bits);
            found += 1;
        }
        safe += usize::from(on_words.starts_with("safe"));
        for name in ["sim", "bits-sim"] {
            let (verdict, _, _) = decide(name, &system, 200, 1);
            assert!(!on_words.starts_with("safe") || verdict.is_err(), "{number}: {verdict:?}");
        }
    }
    assert!(safe > 50 && found > 100, "{safe} safe, {found} unsafe");
}
