//! Questions about protocols: what leads to what, and which states there are; and about circuits: what is in them.

use super::{Decide, Given};
use alphorn_driver::flow::{Asked, ResponseWish};
use clap::Args;

/// What leads to what.
#[derive(Args, Clone, Debug)]
pub struct ResponseArgs {
    /// What holds first: an expression of a Murphi model, or the name of an output, state or input of a
    /// system in BTOR2 or AIGER (there also o0, l0, i0), behind ! its negation.
    #[arg(long, value_name = "P", requires = "to")]
    pub from: Option<String>,
    /// What must hold then or later.
    #[arg(long, value_name = "Q", requires = "from")]
    pub to: Option<String>,
    /// Only runs count that are fair in this way: weak or strong, to every instance of every rule; weak:RULE,
    /// strong:RULE to those of the rules with this name; weak:ENABLED:TAKEN for two names of a system in
    /// BTOR2 or AIGER. May be given several times.
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

const GAMES: &str = "\
In each step the environment sets its inputs, then the controller sets those named controllable_…, seeing
the latches and the other inputs. An error shows where an output (a bad state, if the file has some) is
true; of several none may ever be. Constraints are AIGER's: only runs count on which all hold up to the
error. Latches that begin with any value begin as the environment likes. Systems in BTOR2 are written out
in bits, and their words are named bit by bit. Justice and fairness are refused.

The circuit of -o is SYNTCOMP's form: the file with controllable inputs replaced, whose literals are gates
now; all other lines stay, in the order of the binary format. It is written if the game is realizable.
--evidence writes the winner's strategy with a certificate, for `alphorn check FILE EVIDENCE`.

Exit codes: 0 realizable, 1 unrealizable, 2 unknown; the others are as in `alphorn --help`. With
--exit-codes sat it is 20, 10 and 0, as an error that can be forced is what satisfies.";

#[derive(Args, Debug)]
#[command(after_help = GAMES)]
pub struct Synth {
    #[command(flatten)]
    pub decide: Decide,
    /// Write the circuit with the controller in it to this file, as AIGER text; `-` is standard output.
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<String>,
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
    /// What was counted as JSON, an object.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub response: ResponseArgs,
    #[command(flatten)]
    pub given: Given,
    /// A file with a line `HOST:PORT` for each process that takes part; all have the same file and as many threads.
    #[cfg(feature = "dataflow")]
    #[arg(long, value_name = "FILE", requires = "process")]
    pub hosts: Option<String>,
    /// Which line of the hosts this process is, from 0 on; the first one tells the result.
    #[cfg(feature = "dataflow")]
    #[arg(long, value_name = "N", requires = "hosts")]
    pub process: Option<usize>,
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
    /// The answer as JSON, an object.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub given: Given,
}
