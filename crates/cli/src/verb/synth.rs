//! `alphorn synth`: safety games, and controllers that win them.

use super::decide;
use crate::args::Synth;
use alphorn_driver::flow::Asked;

/// Decides all games.
pub fn main(args: Synth) -> u8 {
    let mut decide = args.decide;
    (decide.asked, decide.circuit) = (Asked::Synthesis, args.output);
    decide::main(decide)
}
