//! Builds hostile evidence, hands it to reader and checker, and holds them to a second and 256 MB.
//!
//! `hostile FROM COUNT [FAMILY] [--reasons]` judges pieces FROM to FROM + COUNT of every family, or of
//! one, and may say the reasons. It fails if a piece is accepted, takes more than a second of processor
//! time, or memory grows beyond 256 MB; a panic ends it anyway. `fuzz/hostile_evidence.py` runs it in
//! batches with a limit on memory that no code can forget.

use alphorn_testkit::hostile::bulk;
use alphorn_testkit::hostile::judge::Problems;
use alphorn_testkit::hostile::pieces::{FAMILIES, piece};
use std::process::ExitCode;

fn main() -> ExitCode {
    let problems = Problems::read();
    bulk::run(FAMILIES, piece, |(about, text)| problems.judge(*about, text))
}
