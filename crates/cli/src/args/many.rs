//! What is said about many files at once.

use crate::quantity::{bytes, duration};
use clap::Args;
use std::time::Duration;

#[derive(Args, Debug)]
pub struct Batch {
    /// The files, one in each line; empty lines and those that begin with # are left out; `-` reads them from
    /// standard input.
    pub list: String,
    /// The folder of the records. A file that has one there is not decided again, so that a batch that was ended is
    /// taken up by the same command, and the command may run many times at once, on machines that share the folder.
    #[arg(long, value_name = "DIR")]
    pub out: String,
    /// How many files are decided at the same time here; with --slurm, how many tasks the array has.
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    /// The time limit per file, with its unit: 500ms, 10s, 15m, 2h.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,
    /// The memory limit of each run, with its unit: 512M, 8G.
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub memory: Option<u64>,
    /// How many engines of each run work at the same time.
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Print the script of a Slurm array that runs this batch, and do nothing else.
    #[arg(long)]
    pub slurm: bool,
    /// Options for deciding, behind `--`.
    #[arg(last = true, value_name = "OPTION")]
    pub options: Vec<String>,
}

#[derive(Args, Debug)]
pub struct Table {
    /// Folders with the records of batches.
    #[arg(required = true, value_name = "DIR")]
    pub folders: Vec<String>,
    /// Write the rows to this file, with commas between fields; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<String>,
    /// Write them for build servers, as XML of JUnit; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<String>,
    /// Draw how many properties each folder's batch decides in how much time, as SVG.
    #[arg(long, value_name = "FILE")]
    pub cactus: Option<String>,
    /// Draw the times of two folders against each other, as SVG.
    #[arg(long, value_name = "FILE")]
    pub scatter: Option<String>,
}
