//! Hostile evidence about scripts and formulas of clauses is refused, as that about other problems is
//! (`crates/check/tests/hostile`). The example `hostile_scripts` (`bulk.rs`) does the same many times over with a clock.

mod judge;

use alphorn_testkit::hostile::scripts::{self, FAMILIES, piece};
use alphorn_testkit::hostile::{Draw, Fate};
use judge::Problems;

/// How many pieces of each family.
const PIECES: u64 = 12;

#[test]
fn hostile_evidence_about_scripts_and_clauses_is_refused() {
    let problems = Problems::read();
    for (number, family) in FAMILIES.iter().enumerate() {
        let mut refused = 0;
        for seed in 0..PIECES {
            let mut draw = Draw::new(seed << 16 | number as u64);
            let (about, bytes) = piece(family, &mut draw);
            match problems.judge(about, &bytes) {
                Fate::Accepted => panic!("accepted ({family}, seed {seed})"),
                Fate::Refused(_) => refused += 1,
                Fate::Unreadable(_) => {}
            }
        }
        // A family that is never read would test the reader alone.
        assert!(refused > 0 || *family == "script-noise", "no piece of {family} can be read");
    }
}

/// Values that double in length with each constant, where the definitions come in either order.
#[test]
fn constants_that_square_each_other_are_refused() {
    let problems = Problems::read();
    let count = scripts::CHAINED;
    let mut lines: Vec<String> = (1..count)
        .map(|at| format!("(define-fun c{} () Int (* c{at} c{at}))\n", at - 1))
        .chain([format!("(define-fun c{} () Int 3)\n", count - 1)])
        .collect();
    for _ in 0..2 {
        let fate = problems.judge(scripts::About::ScriptUnsat, lines.concat().as_bytes());
        assert!(matches!(fate, Fate::Refused(_)), "{fate:?}");
        lines.reverse();
    }
}
