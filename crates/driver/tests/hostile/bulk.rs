//! Builds hostile evidence about scripts and formulas of clauses, and holds what `alphorn check` does
//! with it to a second and 256 MB; the arguments are those of the checker's `hostile`.

mod judge;

use alphorn_testkit::hostile::bulk;
use alphorn_testkit::hostile::scripts::{FAMILIES, piece};
use judge::Problems;
use std::process::ExitCode;

fn main() -> ExitCode {
    let problems = Problems::read();
    bulk::run(FAMILIES, piece, |(about, bytes)| problems.judge(*about, bytes))
}
