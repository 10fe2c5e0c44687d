//! Questions about what may be chosen.

use super::format;
use crate::quantity::{bytes, duration};
use alphorn_driver::format::Format;
use clap::{Args, ValueEnum};
use std::time::Duration;

/// How a model is read, and within which limits.
#[derive(Args, Debug)]
pub struct Given {
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
    #[command(flatten)]
    pub given: Given,
}

/// What may be flipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Flippable {
    /// Inputs, so that what avoids the violation is another run.
    Inputs,
    /// Latches, or states of words, as if there were a fault.
    Latches,
}

#[derive(Args, Debug)]
pub struct Explain {
    /// A circuit (AIGER), a system over words (BTOR2) or Horn clauses.
    pub file: String,
    /// Its violation: a witness or a derivation, as --evidence writes it; or for circuits an observation in
    /// JSON: the inputs of a run, when a latch was flipped, and which output was seen to be wrong when.
    pub witness: String,
    /// What may be flipped: both if not given.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub only: Option<Flippable>,
    /// The most sets that are listed.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub most: usize,
    /// With an observation: faults may reach a gate on one side before they reach it on the other.
    #[arg(long)]
    pub glitches: bool,
    /// Write the evidence to this file: the sets, and that there are no others; `alphorn check` judges it.
    #[arg(long, value_name = "FILE")]
    pub evidence: Option<String>,
    /// The explanation as JSON, an object.
    #[arg(long)]
    pub json: bool,
    /// Write a page about the violation and its explanation (report.html) into this folder.
    #[arg(long, value_name = "DIR")]
    pub out: Option<String>,
    #[command(flatten)]
    pub given: Given,
}
