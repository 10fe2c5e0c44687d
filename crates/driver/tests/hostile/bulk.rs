//! Builds hostile evidence about scripts and formulas of clauses, and holds what `alphorn check` does
//! with it to a second and 256 MB; the arguments are those of the checker's `hostile`.

#[path = "../../check/tests/hostile/bulk.rs"]
mod bulk;
#[path = "../tests/hostile/clauses.rs"]
mod clauses;
#[allow(dead_code, reason = "the checker's own example draws the rest")]
#[path = "../../check/tests/hostile/draw.rs"]
mod draw;
#[allow(dead_code, reason = "the checker's own example makes the rest")]
#[path = "../../check/tests/hostile/pieces.rs"]
mod evidence;
#[path = "../../check/tests/hostile/fate.rs"]
mod fate;
#[path = "../tests/hostile/judge.rs"]
mod judge;
#[path = "../tests/hostile/pieces.rs"]
mod pieces;

use judge::Problems;
use pieces::{FAMILIES, piece};
use std::process::ExitCode;

fn main() -> ExitCode {
    let problems = Problems::read();
    bulk::run(FAMILIES, piece, |(about, bytes)| problems.judge(*about, bytes))
}
