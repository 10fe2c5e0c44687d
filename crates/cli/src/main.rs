//! The binary `alphorn`: the command line over the driver.
//!
//! Standard output is the answer; standard error is the story. One thread works and one speaks:
//! the speaking thread prints what the working one sends, watches the limits, and when the work
//! does not stop in time says so and ends the process. So a stated limit is met even by code that
//! forgets to tick.

mod args;
mod output;
mod progress;
mod quantity;
mod speak;
mod verb;

use alphorn_driver::report::Exit;
use args::{Cli, Verb};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are what was asked for; everything else is a wrong command.
            let wrong = error.use_stderr();
            let _ = error.print();
            return ExitCode::from(if wrong { Exit::Usage as u8 } else { 0 });
        }
    };
    match cli.verb {
        None => verb::decide::main(cli.decide),
        Some(Verb::Check(args)) => verb::check::main(args),
        Some(Verb::Convert(args)) => verb::convert::main(args),
        Some(Verb::Sat(args)) => verb::sat::main(args),
        Some(Verb::Smt(args)) => verb::smt::main(args),
        Some(Verb::Engines(args)) => verb::engines::main(args),
        Some(Verb::Transforms(args)) => verb::transforms::main(args),
        Some(Verb::Doctor) => verb::doctor::main(),
        Some(Verb::Man) => verb::generate::man(),
        Some(Verb::Completions { shell }) => verb::generate::completions(shell),
    }
}
