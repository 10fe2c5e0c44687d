//! Hostile evidence about scripts and formulas of clauses is refused, as that about other problems is
//! (`crates/check/tests/hostile`). `examples/hostile_scripts.rs` does the same many times over with a clock.

mod clauses;
#[allow(dead_code, reason = "the checker's own tests draw the rest")]
#[path = "../../../check/tests/hostile/draw.rs"]
mod draw;
#[allow(dead_code, reason = "the checker's own tests make the rest")]
#[path = "../../../check/tests/hostile/pieces.rs"]
mod evidence;
#[path = "../../../check/tests/hostile/fate.rs"]
mod fate;
mod judge;
mod pieces;

use draw::Draw;
use fate::Fate;
use judge::Problems;
use pieces::{FAMILIES, piece};

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
    let count = pieces::CHAINED;
    let mut lines: Vec<String> = (1..count)
        .map(|at| format!("(define-fun c{} () Int (* c{at} c{at}))\n", at - 1))
        .chain([format!("(define-fun c{} () Int 3)\n", count - 1)])
        .collect();
    for _ in 0..2 {
        let fate = problems.judge(pieces::About::ScriptUnsat, lines.concat().as_bytes());
        assert!(matches!(fate, Fate::Refused(_)), "{fate:?}");
        lines.reverse();
    }
}
