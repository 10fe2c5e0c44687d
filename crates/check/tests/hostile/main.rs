//! Hostile evidence is refused: built for each rule and kind to ask for as much as it can, and never
//! derived from good evidence. `examples/hostile.rs` does the same many times over with a clock.

use alphorn_testkit::hostile::judge::Problems;
use alphorn_testkit::hostile::pieces::{FAMILIES, piece};
use alphorn_testkit::hostile::{Draw, Fate};

/// How many pieces of each family.
const PIECES: u64 = 12;

#[test]
fn hostile_evidence_of_every_family_is_refused() {
    let problems = Problems::read();
    for (number, family) in FAMILIES.iter().enumerate() {
        let mut refused = 0;
        for seed in 0..PIECES {
            let mut draw = Draw::new(seed << 16 | number as u64);
            let (about, text) = piece(family, &mut draw);
            match problems.judge(about, &text) {
                Fate::Accepted => panic!("accepted ({family}, seed {seed}):\n{text}"),
                Fate::Refused(_) => refused += 1,
                Fate::Unreadable(_) => {}
            }
        }
        // A family that is never read would test the reader alone.
        assert!(refused > 0 || *family == "noise", "no piece of {family} can be read");
    }
}
