//! Questions about what may be chosen.

use super::format;
use crate::quantity::{bytes, duration};
use alphorn_driver::format::Format;
use clap::Args;
use std::time::Duration;

#[derive(Args, Debug)]
pub struct Pareto {
    /// A circuit (AIGER) or a system over words (BTOR2) with parameters.
    pub file: String,
    /// The parameters: names of latches, or of bits of states, that start with anything and keep it; * stands
    /// for anything. May be given several times; those that the costs name if not given.
    #[arg(long, value_name = "PATTERN", value_delimiter = ',')]
    pub params: Vec<String>,
    /// The file of costs, a line for each: price = 5 param_a + 2 param_b.
    #[arg(long, value_name = "FILE")]
    pub cost: String,
    /// Takes for granted that raising a parameter never violates the property; otherwise that is proved, or
    /// done without.
    #[arg(long)]
    pub monotone: bool,
    /// The safety property, by its position or its name; the first if not given.
    #[arg(long, value_name = "PROPERTY")]
    pub property: Option<String>,
    /// Writes the evidence of the front to FILE, or that of the points so far at a limit.
    #[arg(long, value_name = "FILE")]
    pub evidence: Option<String>,
    /// Points and the front as JSON, an object per line.
    #[arg(long)]
    pub json: bool,
    /// The format of the input; from the name, then the content, if not given.
    #[arg(long, value_parser = format(), value_name = "FORMAT")]
    pub format: Option<Format>,
    /// The time limit, with its unit: 500ms, 10s, 15m, 2h.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,
    /// The memory limit, with its unit: 512M, 8G.
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub memory: Option<u64>,
}
