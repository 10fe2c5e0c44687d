//! The command line: the one table from which help, manual page and completions are made.

mod faults;
mod many;
mod parameters;
mod questions;
mod solver;

pub use faults::{Doctor, Reduce};
pub use many::{Batch, Table};
pub use parameters::{Explain, Flippable, Given, Pareto};
pub use questions::{Explore, Match, Respond, ResponseArgs, Synth};
pub use solver::{Foreign, ProofFormat, Sat, Smt};

use crate::quantity::{bytes, count, duration};
use alphorn_driver::flow::Asked;
use alphorn_driver::format::{FORMATS, Format};
use alphorn_driver::report::exit::Convention;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::time::Duration;

/// Decide whether something bad can happen, and prove the answer.
///
/// Alphorn reads Horn clauses (SMT-LIB), circuits (AIGER) and word-level transition systems
/// (BTOR2). It answers SAFE with an inductive invariant or UNSAFE with a counterexample, and the
/// evidence is checked against the file before the answer is printed.
#[derive(Debug, Parser)]
#[command(
    name = "alphorn",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = EXIT_CODES
)]
pub struct Cli {
    #[command(subcommand)]
    pub verb: Option<Verb>,
    #[command(flatten)]
    pub decide: Decide,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  all properties proved (or the command did what was asked)
  1  some property violated
  2  no property violated, some undecided
  3  the command line is wrong
  4  the input is wrong
  5  the input is outside what this program treats
  6  evidence was refused
  7  a fault of this program
With --expect, 0 exactly when every answer is the expected one.

Called as alphorn-hwmcc (a link will do) the form is that of the hardware competition:
  alphorn-hwmcc FILE [WITNESS [CERTIFICATE]]
decides the first property, writes one of the files, prints `sat` (violated) or `unsat`, and ends
with 10 or 20; 0 if it is not decided. Called as alphorn-horn it answers as Horn solvers do, and as
alphorn-eld, alphorn-golem, alphorn-z3, alphorn-smt or alphorn-sby it takes the options that callers
of those tools give; a verdict ends with 0 then.";

#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Decide whether every run ends.
    Terminate(Decide),
    /// Decide whether a temporal formula holds.
    Ctl(Ctl),
    /// Decide whether something leads to something else on all fair runs: --from P --to Q --fair weak.
    Respond(Respond),
    /// Decide a safety game, and synthesise a controller: inputs named controllable_… are its own.
    Synth(Synth),
    /// Count the states of a model, and look into each.
    Explore(Explore),
    /// Find the cheapest parameters at which a property holds: the Pareto front of several costs.
    Pareto(Pareto),
    /// Say what would have avoided a counterexample: the smallest sets of values to flip.
    Explain(Explain),
    /// Look for functions of words in a circuit, up to the order of bits and a setting of control inputs.
    Match(Match),
    /// Check evidence against a problem, with no engine involved.
    Check(Check),
    /// Convert a problem to another format.
    Convert(Convert),
    /// Decide a CNF formula (DIMACS), with the words and exit codes of SAT solvers.
    Sat(Sat),
    /// Run an SMT-LIB script, with the replies of SMT solvers.
    Smt(Smt),
    /// List the engines.
    Engines(Engines),
    /// List the transforms.
    Transforms(Transforms),
    /// Decide many files, on one machine or on many at once, with a record for each in a folder.
    Batch(Batch),
    /// Tables and plots of the records of batches.
    Table(Table),
    /// Serve an editor on standard input and output, by the language server protocol.
    Lsp(Lsp),
    /// Make a file smaller as long as a condition holds, for the report of a fault.
    Reduce(Reduce),
    /// Test this installation and tell what it can do.
    Doctor(Doctor),
    /// Print the manual page (roff).
    Man,
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
}

/// How answers are worded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Dialect {
    /// SAFE, UNSAFE, UNKNOWN, with details.
    Human,
    /// As Horn solvers do: `sat` is safe.
    Horn,
    /// As hardware model checkers do: `sat` is unsafe.
    Hwmcc,
    /// As program verifiers do: `true`, `false(property)`, `unknown`.
    Svcomp,
    /// As the termination competition does: YES terminates, NO runs forever, MAYBE.
    Termcomp,
    /// As suprove answers SBY about a circuit: bounds as `uN`, then 0, 1 or 2 and the witness, without x.
    Sby,
}

/// How the source of a program is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Show {
    /// With invariants at loops and contracts at functions, or with the values of the run.
    Some,
    /// The same, with every step of the run.
    All,
    /// With the invariants and contracts as ACSL.
    Acsl,
}

/// A verdict to expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Expect {
    /// Every property holds.
    Safe,
    /// Every property is violated.
    Unsafe,
    /// No property is decided.
    Unknown,
}

/// Which convention exit codes follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExitCodes {
    /// The table below.
    Alphorn,
    /// 10 for unsafe, 20 for safe, 0 for unknown.
    Sat,
    /// 0 for every verdict.
    Errors,
}

impl ExitCodes {
    /// The table that is meant.
    pub fn convention(self) -> Convention {
        match self {
            ExitCodes::Alphorn => Convention::Alphorn,
            ExitCodes::Sat => Convention::Sat,
            ExitCodes::Errors => Convention::Errors,
        }
    }
}

/// How hard to look for a small invariant or model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Minimize {
    /// What the proofs use; this is done anyway.
    Quick,
    /// Parts that every subset must have, and what they need.
    Nec,
    /// The same with a minimal set in each round.
    Feas,
    /// A subset of which nothing can be removed.
    Msis,
    /// A subset with the fewest members, as far as that is found in some ten seconds.
    Minimum,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    /// On terminals, unless the environment has NO_COLOR.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How much of a model, an invariant or a violation to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Amount {
    /// The first lines, and the last ones of a violation.
    Some,
    /// Everything.
    All,
}

/// The formats of problems by their names.
fn format() -> impl TypedValueParser<Value = Format> {
    let values = FORMATS.iter().map(|card| PossibleValue::new(card.name).help(card.about));
    PossibleValuesParser::new(values).map(|name| Format::named(&name).expect("the name of a card"))
}

/// How wide the integers of a program are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DataModelName {
    /// `long` and pointers have 32 bits.
    Ilp32,
    /// `long` and pointers have 64 bits.
    Lp64,
}

/// What allocation may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MallocName {
    /// It succeeds.
    Succeeds,
    /// It may return a null pointer.
    MayFail,
}

/// How programs are read.
#[derive(Args, Clone, Debug)]
pub struct ProgramArgs {
    /// How wide the integers and pointers of a C program are: what its task definition says, else lp64.
    #[arg(long, value_enum, value_name = "MODEL")]
    pub data_model: Option<DataModelName>,
    /// The function where runs of a C program begin; main if not given.
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,
    /// What allocation of memory may do in a C program.
    #[arg(long, value_enum, value_name = "HOW", default_value = "succeeds")]
    pub malloc: MallocName,
    /// The state that a thread transition system must not cover: SHARED|LOCAL,LOCAL… with numbers. If
    /// it is not given, a file of the same name that ends with .prop has it. Of timed automata: labels
    /// that must not hold together, A:B…, or a query of UPPAAL.
    #[arg(long, value_name = "STATE")]
    pub target: Option<String>,
    /// A protocol with just so many processes, or a network with just so many copies of a template, in place of any number of
    /// them: violations are found so.
    #[arg(long, value_name = "N", conflicts_with = "seen")]
    pub processes: Option<usize>,
    /// How many processes of a protocol, or copies of a template, of any number are seen at once, 1 to 3; 2 if not given.
    #[arg(long, value_name = "K")]
    pub seen: Option<usize>,
    /// The template of a network in UPPAAL's XML of which there are copies, any number of them or so many as --processes says; the
    /// only one that can be if not given.
    #[arg(long, value_name = "TEMPLATE")]
    pub copies: Option<String>,
    /// Which Horn clauses a network of timed automata becomes (product if not given), or the threads of a C program
    /// (each for a part of the time if not given).
    #[arg(long, value_enum, value_name = "CLAUSES")]
    pub encoding: Option<EncodingName>,
}

/// Clauses of networks and of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EncodingName {
    /// One predicate of the whole state.
    Product,
    /// A predicate of the whole state per process, kept by what all others do.
    OwickiGries,
    /// The same, with what others do as a relation of two states per process. Of C threads, each predicate is about what is
    /// shared and the thread's own variables, and threads may be without bound; with owicki-gries also about where others rest.
    RelyGuarantee,
    /// A predicate of what is shared and of a few copies of a template, for any number of copies (UPPAAL's XML).
    Parameterised,
}

/// A format to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// Horn clauses in SMT-LIB.
    Smtlib,
    /// Circuits in binary AIGER.
    Aig,
    /// Circuits in AIGER as text.
    Aag,
    /// Transition systems in BTOR2.
    Btor2,
    /// Horn clauses over integers in Prolog's syntax.
    Prolog,
    /// Programs in SV-LIB.
    Svlib,
    /// Infinite runs, as the termination competition has them in SMT-LIB.
    Its,
    /// Infinite runs, in T2's language.
    T2,
}

#[derive(Args, Debug)]
pub struct Decide {
    /// The files to decide, or task definitions of SV-COMP (.yml); `-` reads standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// The engines to use, separated by commas (see `alphorn engines`); all that fit if not given.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub engine: Vec<String>,
    /// Transforms to leave out, separated by commas (see `alphorn transforms`); `all` for every one.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub without: Vec<String>,
    /// Transforms to apply that are not applied by themselves, separated by commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub with: Vec<String>,
    /// Reads what you think of the predicates of Horn clauses: formulas to try and terms to say them by, as
    /// Eldarica's `initial-predicates` and `templates`, or `define-fun`; or the journal of another run, also about
    /// circuits. They are tried, and not believed.
    #[arg(long, alias = "hint", value_name = "FILE")]
    pub hints: Option<String>,
    /// Appends what is learned to FILE, every few seconds and at the end: lemmas, clauses, bounds, answers.
    #[arg(long, value_name = "FILE")]
    pub journal: Option<String>,
    /// Goes on from the journal FILE, and appends to it; where there is no such file, begins it.
    #[arg(long, value_name = "FILE")]
    pub resume: Option<String>,
    /// Works on the file together with other processes, on this machine or others, over the NATS server with JetStream
    /// at this address: nats://HOST:PORT. Who we are there is in the address (USER:PASSWORD@, TOKEN@) or, better, in the
    /// environment: ALPHORN_NATS_USER and ALPHORN_NATS_PASSWORD, or ALPHORN_NATS_TOKEN. Nothing that comes from there is
    /// believed.
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "ADDRESS", requires = "run")]
    pub join: Option<String>,
    /// The name of the run that processes join, the same for all of them: letters, digits, - and _.
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "NAME", requires = "join")]
    pub run: Option<String>,
    /// Sets a number for an experiment, as `sim.max-steps=1000` (see `alphorn engines --settings`);
    /// may be given several times.
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// The time limit per file, with its unit: 500ms, 10s, 15m, 2h.
    /// 15m if not given.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,
    /// The memory limit, with its unit: 512M, 8G. Half of what is free if not given.
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub memory: Option<u64>,
    /// The work limit per engine, the same on every machine: 200k, 5M.
    #[arg(long, value_name = "COUNT", value_parser = count)]
    pub ticks: Option<u64>,
    /// The seed of everything random.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// How many engines run at the same time; as many as there are processors if not given. With
    /// `--threads 1 --ticks N` the same run ends with the same evidence.
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Run engines one after the other in one thread, in rounds of growing slices, as the page for browsers
    /// does. For comparisons, and where threads are not wanted.
    #[arg(long, conflicts_with = "threads")]
    pub rounds: bool,
    /// Decide only this property, by its position or its name. Of a C program any of unreach-call, assert,
    /// no-overflow, no-division-by-zero, array-bounds, valid-deref, valid-free, valid-memtrack,
    /// valid-memsafety (the three before together) and valid-memcleanup, or a property file (.prp), several
    /// separated by commas, or termination alone; whether assertions hold and no error function is called if
    /// not given. Of `ctl` the formula.
    #[arg(long, value_name = "PROPERTY")]
    pub property: Option<String>,
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Decide all properties; this is what happens anyway, except in the competition's form.
    #[arg(long, conflicts_with = "property")]
    pub all_properties: bool,
    /// Look only for violations of at most this many steps, and prove nothing.
    #[arg(long, value_name = "N")]
    pub bound: Option<u64>,
    /// Make the invariant of a circuit, or the model of a Horn system, small before it is written; msis
    /// if no method is given.
    #[arg(long, value_enum, value_name = "METHOD", num_args = 0..=1, require_equals = true,
        default_missing_value = "msis")]
    pub minimize: Option<Minimize>,
    /// The format of the input; from the name, then the content, if not given.
    #[arg(long, value_parser = format(), value_name = "FORMAT")]
    pub format: Option<Format>,
    /// Write the evidence to this file; `-` is standard output, and the answer goes to standard error
    /// then. Of several files each has its own: give a folder (`DIR/`), or a name with `{stem}`, which
    /// stands for the file's name without its ending. If the name ends in .aig or .aag, the proof of a
    /// circuit is written as a witness circuit, which the hardware competition's checker takes. Of a
    /// Horn script with several questions choose one with --property to have a file that can be checked.
    #[arg(long, value_name = "FILE")]
    pub evidence: Option<String>,
    /// Write the run that violates a property of a circuit or a transition system to this file, for
    /// wave viewers; `-`, `DIR/` and `{stem}` are as for --evidence.
    #[arg(long, value_name = "FILE")]
    pub vcd: Option<String>,
    /// Print the model of a safe Horn system, or the invariant of a safe circuit, after the answer; all
    /// of it with --model=all.
    #[arg(long, value_enum, value_name = "AMOUNT", num_args = 0..=1, require_equals = true,
        default_missing_value = "some")]
    pub model: Option<Amount>,
    /// Print the derivation from an unsafe Horn system after the answer, as a call tree.
    #[arg(long)]
    pub tree: bool,
    /// Print the violation after the answer, step by step: the values of signals or of a derivation's
    /// facts by name, with what does not change folded; all of a long one with --trace=all.
    #[arg(long, value_enum, value_name = "AMOUNT", num_args = 0..=1, require_equals = true,
        default_missing_value = "some")]
    pub trace: Option<Amount>,
    /// Print the source of a C program after the answer: with invariants at loops and contracts at
    /// functions if it is safe, with the values of the run beside its lines if not (all of its steps
    /// with --show=all). --show=acsl prints the source with the invariants and contracts as ACSL.
    #[arg(long, value_enum, value_name = "HOW", num_args = 0..=1, require_equals = true,
        default_missing_value = "some")]
    pub show: Option<Show>,
    /// Write the answer about a C program to this file as a witness for other verifiers (YAML, format
    /// 2.0); `-`, `DIR/` and `{stem}` are as for --evidence.
    #[arg(long, value_name = "FILE")]
    pub witness: Option<String>,
    /// Write the run that violates a property of a C program to this file, as a C test that compiles and
    /// fails; `-`, `DIR/` and `{stem}` are as for --evidence.
    #[arg(long, value_name = "FILE")]
    pub harness: Option<String>,
    /// Compile the run that violates a property of a C program with cc, run it, and say whether the
    /// violation happens there, too.
    #[arg(long)]
    pub confirm: bool,
    /// Write the derivation from an unsafe Horn system to this file, as a graph for Graphviz; `-`, `DIR/`
    /// and `{stem}` are as for --evidence.
    #[arg(long, value_name = "FILE")]
    pub dot: Option<String>,
    /// Write a page about the run (report.html) and the evidence into this folder; one folder per
    /// file in it if there are several files, and a page that lists them (index.html).
    #[arg(long, value_name = "DIR")]
    pub out: Option<String>,
    /// Write all answers to this file as SARIF, which code hosts and editors show beside the lines; `-` is standard
    /// output.
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<String>,
    /// Write all answers to this file for build servers, as XML of JUnit; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<String>,
    /// Print one JSON object per line. An answer carries the evidence, the model, the derivation and the
    /// run as data; of those above 1 MiB it says how to get them.
    #[arg(long)]
    pub json: bool,
    /// When to use colours.
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto", alias = "colour")]
    pub color: Colour,
    /// How answers are worded; from the name the program is called by if not given.
    #[arg(long, value_enum)]
    pub dialect: Option<Dialect>,
    /// Exit with 0 exactly when every answer is this one.
    #[arg(long, value_enum, value_name = "VERDICT")]
    pub expect: Option<Expect>,
    /// Which convention exit codes follow; alphorn if not given.
    #[arg(long, value_enum, value_name = "CONVENTION")]
    pub exit_codes: Option<ExitCodes>,
    /// Print the answer line only.
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say more; twice for every event.
    #[arg(short, long, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// What the competition's form of the command line says besides the file.
    #[arg(skip)]
    pub competition: Option<Competition>,
    /// What is asked about runs.
    #[arg(skip)]
    pub asked: Asked,
    /// Where the circuit of a game with a controller in it goes.
    #[arg(skip)]
    pub circuit: Option<String>,
}

/// What it means that a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EndsName {
    /// It is no infinite run: AF holds on it, and EG does not.
    Vacuous,
    /// Its last state repeats for ever.
    Stutter,
}

const FORMULAS: &str = "\
--property is the formula, as 'AG (x > 0 -> AF (y == 1))':
  AX EX AG EG AF EF p     in the next state; always; at some time; on all runs or on some
  A[p U q]  E[p U q]      p until q, which comes
  A[p W q]  E[p W q]      p until q, which need not come
  ! && || -> <->          true and false
  == != < <= > >=         between sums and products of variables and numbers
  at(loop)                the run is at a location
Exit codes are as for deciding: 0 it holds, 1 it fails, 2 it is undecided, 3 the formula is wrong.";

#[derive(Args, Debug)]
#[command(after_help = FORMULAS)]
pub struct Ctl {
    /// The file, and how it is decided; --property is the formula: 'AG (x > 0 -> AF (y == 1))', with AX EX
    /// AG EG AF EF, A[a U b], E[a W b], -> || && !, and at(LOCATION).
    #[command(flatten)]
    pub decide: Decide,
    /// What it means that a run ends; vacuous for files of T2, else stutter, if not given.
    #[arg(long, value_enum, value_name = "HOW")]
    pub ends: Option<EndsName>,
    /// The files have axioms in SMT-LIB about `init` (of a state) and `next` (of two), and the formula is
    /// about other predicates of a state, with EX, AX, EF, AF and U only: what holds is proved, and of the
    /// rest nothing is said.
    #[arg(long, conflicts_with_all = ["ends", "fair"])]
    pub live: bool,
    /// With --live, write the script that contradicts itself if the formula holds to this file.
    #[arg(long, value_name = "FILE", requires = "live")]
    pub script: Option<String>,
    /// Two conditions, separated by a comma: only runs count on which the second holds infinitely often, or
    /// the first does not.
    #[arg(long, value_name = "P,Q")]
    pub fair: Option<String>,
}

/// The files of the hardware competition's form: `alphorn-hwmcc FILE [WITNESS [CERTIFICATE]]`.
#[derive(Clone, Debug, Default)]
pub struct Competition {
    /// Where the witness of a violation goes.
    pub witness: Option<String>,
    /// Where the witness circuit of a proof goes.
    pub certificate: Option<String>,
}

#[derive(Args, Debug)]
#[command(after_help = alphorn_driver::certify::help())]
pub struct Check {
    /// The problem: any that `alphorn`, `alphorn sat` or `alphorn smt` takes.
    pub file: String,
    /// The evidence, of a kind below; what it is says its content.
    pub evidence: String,
    /// The property or question that the evidence must be about, by position; needed where a script
    /// asks several questions, or a witness circuit does not say which property it is about.
    #[arg(long, value_name = "N")]
    pub property: Option<usize>,
    #[command(flatten)]
    pub program: ProgramArgs,
    #[command(flatten)]
    pub response: ResponseArgs,
    /// The template that the evidence is about, where it is about one in a circuit (`alphorn match`).
    #[arg(long, value_name = "TEMPLATE")]
    pub template: Option<String>,
    /// The costs that the evidence must be about, where it is a front of parameters (`alphorn pareto`); it
    /// says itself which they are otherwise.
    #[arg(long, value_name = "FILE")]
    pub cost: Option<String>,
    /// The parameters that it must be about; those that the costs name if not given.
    #[arg(long, value_name = "PATTERN", value_delimiter = ',', requires = "cost")]
    pub params: Vec<String>,
    /// Look for proofs where the evidence comes without, as models of other solvers and witness
    /// circuits do. The proofs are checked like any others.
    #[arg(long)]
    pub prove: bool,
    /// The format of the problem; from the name, then the content, if not given.
    #[arg(long, value_parser = format(), value_name = "FORMAT")]
    pub format: Option<Format>,
    /// Write the obligations of accepted evidence as SMT-LIB scripts, each `unsat` if it holds, into
    /// this folder.
    #[arg(long, value_name = "DIR")]
    pub export: Option<String>,
    /// The time limit, with its unit: 500ms, 10s, 15m, 2h; what is not checked by then is undecided.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,
    /// The memory limit, with its unit: 512M, 8G.
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub memory: Option<u64>,
    /// Print one JSON object per line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct Convert {
    /// The problem; `-` reads standard input.
    pub file: String,
    /// Where to write; standard output if not given. The ending says the format.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<String>,
    /// The format to write; from the output's name if not given.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: Option<OutputFormat>,
    /// Convert this property only, by its position or name; all of them if not given. Of a C program as
    /// for deciding.
    #[arg(long, value_name = "PROPERTY")]
    pub property: Option<String>,
    #[command(flatten)]
    pub program: ProgramArgs,
    /// The format of the input; from the name, then the content, if not given.
    #[arg(long, value_parser = format(), value_name = "FORMAT")]
    pub format: Option<Format>,
}

#[derive(Args, Debug)]
pub struct Transforms {
    /// Print one JSON object per line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct Lsp {
    /// The time limit of each run when a file is saved, with its unit: 500ms, 10s.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "30s")]
    pub time: Duration,
    /// The memory limit, with its unit: 512M, 8G. Half of what is free if not given.
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub memory: Option<u64>,
    /// How many engines run at the same time.
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// The engines to use, separated by commas; all that fit if not given.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub engine: Vec<String>,
    /// Decide only by the command `alphorn.decide`, not when a file is saved.
    #[arg(long)]
    pub no_decide: bool,
    /// The streams are standard input and output; this is what happens anyway.
    #[arg(long)]
    pub stdio: bool,
}

#[derive(Args, Debug)]
pub struct Engines {
    /// Print one JSON object per line.
    #[arg(long)]
    pub json: bool,
    /// List the numbers that `--set` sets, instead of the engines.
    #[arg(long)]
    pub settings: bool,
}
