//! Questions about protocols: what leads to what, and which states there are; and about circuits: what is in them.

use super::{Decide, format};
use crate::quantity::{bytes, duration};
use alphorn_driver::flow::{Asked, ResponseWish};
use alphorn_driver::format::Format;
use clap::Args;
use std::time::Duration;

/// What leads to what.
#[derive(Args, Clone, Debug)]
pub struct ResponseArgs {
    /// What holds first: an expression of a Murphi model, or the name of an output, state or input of a
    /// system in BTOR2, behind ! its negation.
    #[arg(long, value_name = "P", requires = "to")]
    pub from: Option<String>,
    /// What must hold then or later.
    #[arg(long, value_name = "Q", requires = "from")]
    pub to: Option<String>,
    /// Only runs count that are fair in this way: weak or strong, to every instance of every rule; weak:RULE,
    /// strong:RULE to those of the rules with this name; weak:ENABLED:TAKEN for two names of a system in
    /// BTOR2. May be given several times.
    #[arg(long, value_name = "HOW", requires = "from")]
    pub fair: Vec<String>,
}

impl ResponseArgs {
    /// The question, if there is one.
    pub fn asked(&self) -> Option<Asked> {
        let (from, to) = (self.from.clone()?, self.to.clone()?);
        Some(Asked::Response(ResponseWish { from, to, fair: self.fair.clone() }))
    }
}

#[derive(Args, Debug)]
pub struct Respond {
    #[command(flatten)]
    pub decide: Decide,
    #[command(flatten)]
    pub response: ResponseArgs,
}

#[derive(Args, Debug)]
pub struct Explore {
    /// A model in the Murphi language, or a system in BTOR2 with few inputs and without arrays.
    pub file: String,
    /// How many threads take part; as many as there are cores if not given.
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// The most states.
    #[arg(long, value_name = "N", default_value_t = 400_000_000)]
    pub max_states: u64,
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
#[command(after_help = "\
Exit codes:
  0  there is a match, or with --all these are all
  1  there is no match
  2  neither was found out
  3  the command line is wrong
  4  the circuit or the template is wrong
  5  the circuit is outside what this program treats")]
pub struct Match {
    /// The circuit: AIGER without latches.
    pub file: String,
    /// The template: words, control inputs, outputs, and which functions the outputs are to be.
    pub template: String,
    /// Find all matches, and prove that there are no others.
    #[arg(long)]
    pub all: bool,
    /// Write the evidence, for `alphorn check CIRCUIT EVIDENCE --template TEMPLATE`.
    #[arg(long, value_name = "FILE")]
    pub evidence: Option<String>,
    /// The format of the circuit; from the name, then the content, if not given.
    #[arg(long, value_parser = format(), value_name = "FORMAT")]
    pub format: Option<Format>,
    /// The time limit, with its unit: 500ms, 10s, 15m, 2h.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,
    /// The memory limit, with its unit: 512M, 8G.
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub memory: Option<u64>,
}
