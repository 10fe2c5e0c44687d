//! What is said where something went wrong.

use super::format;
use crate::quantity::duration;
use alphorn_driver::format::Format;
use clap::Args;
use std::time::Duration;

/// What can be said after `--while`.
const CONDITIONS: &str = "\
Conditions, about a run of this program on the smaller file with the options behind `--`:
  refused              evidence of some engine is refused
  panic                the program, or an engine, fails
  exit N               it ends with this code
  answer=VERDICT       some property is safe, unsafe or unknown; of a script, some reply is this word
  answer=VERDICT by E  the same, and engine E says so
  says TEXT            it prints this text somewhere
  slower-than TIME     it takes longer: 500ms, 3s (the limit of a run is --time)
  slower-than Nx OPTS  it takes N times as long as with the options OPTS
  differs from CMD     a command comes to the opposite verdict; {} in it is the file
  CMD                  any other: a command that ends with 0; {} in it is the file
Say more than you think you need: what is left out is what the result will not have. For `unknown`
say which engine (`-- --engine pdr --ticks 1M`), for a fault say its text (`says`).
Options behind `--` may begin with a verb: `-- smt` runs scripts, `-- terminate` asks about runs.";

#[derive(Args, Debug)]
#[command(after_help = CONDITIONS)]
pub struct Reduce {
    /// The file to make smaller: Horn clauses, circuits and word-level systems as problems, anything else as a
    /// text.
    pub file: String,
    /// What must stay true; one of those below, or a command.
    #[arg(long = "while", value_name = "CONDITION")]
    pub condition: String,
    /// Where to write the smallest file so far; if not given, here, as NAME.reduced.ENDING.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<String>,
    /// The time limit of each run, with its unit: 500ms, 10s; 10s if not given.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,
    /// The most runs.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub tries: usize,
    /// The format of the input; from the name, then the content, if not given.
    #[arg(long, value_parser = format(), value_name = "FORMAT")]
    pub format: Option<Format>,
    /// Say nothing on the way.
    #[arg(short, long)]
    pub quiet: bool,
    /// Options for the runs, behind `--`; a verb may stand first.
    #[arg(last = true, value_name = "OPTION")]
    pub options: Vec<String>,
}

#[derive(Args, Debug)]
pub struct Doctor {
    /// Write what a report of a fault needs into this folder, which must be new or empty: the file, how it was run and
    /// what was said, versions and settings. Nothing is sent.
    #[arg(long, value_name = "DIR")]
    pub bundle: Option<String>,
    /// Replace the names in the file by numbers, and take its comments out, before it is decided: for files that nobody may see.
    /// SMT-LIB, AIGER, BTOR2 and C.
    #[arg(long, requires = "file")]
    pub anonymous: bool,
    /// The file to decide once more for the bundle.
    #[arg(requires = "bundle")]
    pub file: Option<String>,
    /// Options for deciding it, behind `--`; a verb may stand first.
    #[arg(last = true, value_name = "OPTION", requires = "file")]
    pub options: Vec<String>,
}
