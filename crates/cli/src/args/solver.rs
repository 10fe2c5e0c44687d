//! What is said where Alphorn is called as a solver of formulas and scripts.

use super::ExitCodes;
use crate::quantity::{bytes, count, duration};
use clap::{Args, ValueEnum};
use std::time::Duration;

/// A format of proofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProofFormat {
    /// Clauses with hints, as text.
    Lrat,
    /// Clauses with hints, in binary.
    LratBinary,
    /// Clauses without hints, as text.
    Drat,
    /// Clauses without hints, in binary.
    DratBinary,
}

const SAT_EXIT_CODES: &str = "\
Exit codes:
  10  satisfiable; a model is printed, and was evaluated on the file
  20  unsatisfiable; a proof was found, and was replayed on the file
   0  unknown
Codes from 3 to 7 are as in `alphorn --help`.";

#[derive(Args, Debug)]
#[command(after_help = SAT_EXIT_CODES)]
pub struct Sat {
    /// The formula; `-` reads standard input.
    pub file: String,
    /// Write the proof to this file if there is no model.
    #[arg(long, value_name = "FILE")]
    pub proof: Option<String>,
    /// The format of the proof.
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "lrat")]
    pub proof_format: ProofFormat,
    /// The time limit, with its unit: 500ms, 10s, 15m, 2h.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "15m")]
    pub time: Duration,
    /// The memory limit, with its unit: 512M, 8G. Half of what is free if not given.
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub memory: Option<u64>,
    /// The most conflicts, the same on every machine: 200k, 5M.
    #[arg(long, value_name = "COUNT", value_parser = count)]
    pub conflicts: Option<u64>,
    /// The seed of everything random.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u32,
    /// Print what the solver counted.
    #[arg(long)]
    pub stats: bool,
    /// Print the answer line only: no comments, no model.
    #[arg(short, long, conflicts_with = "stats")]
    pub quiet: bool,
}

const SMT_EXIT_CODES: &str = "\
Replies go to standard output as SMT-LIB 2.7 has them. Before `sat` is printed the model is
evaluated on the assertions; before `unsat` is printed a proof is replayed. After `unsat`,
(get-proof) prints that proof if :produce-proofs is set: its step `(assert N)` is the assertion
number N in force, counted from 0, then the assumptions. (get-interpolants a b c) and, for trees,
(get-interpolants a (b) c) take names of assertions, or (and n m), if :produce-interpolants is set.
What cannot be read is answered by (error …) in its place, changes nothing, and the script goes on.
Called as alphorn-smt (a link will do) the program is `alphorn smt`.

Exit codes:
  0  every question was answered
  2  some answer is unknown
  3  the command line is wrong
  4  the script is wrong, or a command in it is out of place
  5  the script is outside what this program treats
  6  an answer was refused by the checker; `unknown` was printed instead
  7  a fault of this program";

#[derive(Args, Debug)]
#[command(after_help = SMT_EXIT_CODES)]
pub struct Smt {
    /// The script; `-` reads commands from standard input and answers each when it has arrived.
    #[arg(default_value = "-", hide_default_value = true)]
    pub file: String,
    /// The time limit for the whole script, with its unit: 500ms, 10s, 15m, 2h. If it is not given, 15m
    /// for a file and none for standard input.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,
    /// The memory limit, with its unit: 512M, 8G. Half of what is free if not given.
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub memory: Option<u64>,
    /// The most conflicts in each question, the same on every machine: 200k, 5M.
    #[arg(long, value_name = "COUNT", value_parser = count)]
    pub conflicts: Option<u64>,
    /// Sets a number for an experiment, as `cuts.rounds=4` (see `alphorn engines --settings`); may be
    /// given several times.
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// The seed of everything random, if the script does not set it.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u32,
    /// Check every answer before it is printed; this is what happens anyway.
    #[arg(long, conflicts_with = "no_check")]
    pub check: bool,
    /// Print answers without checking them; quantifiers over numbers are eliminated.
    #[arg(long)]
    pub no_check: bool,
    /// Which convention exit codes follow; alphorn if not given.
    #[arg(long, value_enum, value_name = "CONVENTION")]
    pub exit_codes: Option<ExitCodes>,
    /// Print replies only: no warnings, and errors only as replies.
    #[arg(short, long)]
    pub quiet: bool,
    #[command(flatten, next_help_heading = "As callers of other solvers say it")]
    pub foreign: Foreign,
}

/// Options of Z3 and cvc5; `foreign` brings more of them into these forms.
#[derive(Args, Debug)]
pub struct Foreign {
    /// Commands come from standard input; also `-in`.
    #[arg(long)]
    pub stdin: bool,
    /// The language: smt2 is the only one; also `-smt2`.
    #[arg(short = 'L', long, value_name = "LANGUAGE", value_parser = language)]
    pub lang: Option<String>,
    /// The most milliseconds for each question; also `-t:MS` and `timeout=MS`.
    #[arg(long, value_name = "MS")]
    pub tlimit_per: Option<u64>,
    /// The most milliseconds for the whole script; `-T:SECONDS` is `--time`.
    #[arg(long, value_name = "MS", conflicts_with = "time")]
    pub tlimit: Option<u64>,
    /// The most work for each question, in Z3's units roughly, the same on every machine; also
    /// `rlimit=N`.
    #[arg(long, value_name = "N", alias = "rlimit-per")]
    pub rlimit: Option<u64>,
    /// Several questions may be asked; this is what happens anyway.
    #[arg(short, long)]
    pub incremental: bool,
    /// Models may be asked for; this is what happens anyway.
    #[arg(short = 'm', long)]
    pub produce_models: bool,
    /// Print the model after each `sat`; also `-model`.
    #[arg(long)]
    pub dump_models: bool,
    /// Answer `success` where there is nothing else to say.
    #[arg(long)]
    pub print_success: bool,
    /// Unsatisfiable cores may be asked for.
    #[arg(long)]
    pub produce_unsat_cores: bool,
    /// Proofs may be asked for.
    #[arg(long)]
    pub produce_proofs: bool,
    /// Assumptions that contradict may be asked for; this is what happens anyway.
    #[arg(long)]
    pub produce_unsat_assumptions: bool,
    /// Declarations outlive `pop`.
    #[arg(long)]
    pub global_declarations: bool,
    /// Set an option before the script begins, as set-option does: `:KEYWORD=VALUE`.
    #[arg(long, value_name = "OPTION", value_parser = option)]
    pub option: Vec<(String, String)>,
}

/// A language that is read.
fn language(text: &str) -> Result<String, String> {
    match text {
        "smt2" | "smtlib2" | "smt" | "smt2.6" | "smtlib2.6" | "smt2.7" => Ok(text.to_owned()),
        _ => Err("smt2 is the only language".to_owned()),
    }
}

/// An option of scripts and its value.
fn option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((keyword, value)) if keyword.len() > 1 && keyword.starts_with(':') => {
            Ok((keyword.to_owned(), value.to_owned()))
        }
        _ => Err("write :KEYWORD=VALUE".to_owned()),
    }
}
