//! The command line over the driver: the binary `alphorn`, and whatever else brings the command along.
//!
//! Standard output is the answer; standard error is the story. One thread works and one speaks:
//! the speaking thread prints what the working one sends, watches the limits, and when the work
//! does not stop in time says so and ends the process. So a stated limit is met even by code that
//! forgets to tick. An interrupt is one more limit.

mod args;
#[cfg(feature = "cluster")]
mod cluster;
mod facts;
mod foreign;
mod hint_file;
mod interrupt;
mod names;
mod output;
mod progress;
mod quantity;
mod speak;
mod target;
mod verb;
mod wants;

use alphorn_driver::report::Exit;
use args::{Cli, Verb};
use clap::Parser;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::ffi::OsString;
use std::process::Command;
use std::sync::OnceLock;

/// How the command is started where the process is not its binary.
static AGAIN: OnceLock<Vec<OsString>> = OnceLock::new();

/// `main` for a process that is not the binary: `again` are the words that start the command.
pub fn main_started_by(again: Vec<OsString>, words: impl IntoIterator<Item = OsString>) -> ! {
    // It is said once.
    let _ = AGAIN.set(again);
    main(words)
}

/// The command once more, in a process of its own and without words yet.
fn again() -> std::io::Result<Command> {
    match AGAIN.get().map(Vec::as_slice) {
        Some([program, words @ ..]) => {
            let mut command = Command::new(program);
            command.args(words);
            Ok(command)
        }
        _ => Ok(Command::new(std::env::current_exe()?)),
    }
}

/// Does what a command line says, of which the first word is the program's name, and ends the process.
pub fn main(words: impl IntoIterator<Item = OsString>) -> ! {
    std::panic::set_hook(Box::new(|panic| {
        let trace = Backtrace::capture();
        let is_traced = trace.status() == BacktraceStatus::Captured;
        let trace = if is_traced { trace.to_string() } else { String::new() };
        speak::err(&format!("{panic}\n{trace}"));
    }));
    // A panic has been told by the hook.
    let words: Vec<OsString> = words.into_iter().collect();
    let code = std::panic::catch_unwind(|| run(words)).unwrap_or(Exit::Internal as u8);
    let code = speak::ended(code);
    // Work that did not stop in time dies here, with the process.
    std::process::exit(i32::from(code))
}

fn run(words: Vec<OsString>) -> u8 {
    let cli = match Cli::try_parse_from(names::translate(words.into_iter())) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are what was asked for; everything else is a wrong command.
            if !error.use_stderr() {
                speak::out(&error.render().to_string());
                return Exit::Safe as u8;
            }
            speak::err(&error.render().to_string());
            return Exit::Usage as u8;
        }
    };
    match cli.verb {
        None => verb::decide::main(cli.decide),
        Some(Verb::Terminate(args)) => verb::runs::terminate(args),
        Some(Verb::Ctl(args)) => verb::runs::ctl(args),
        Some(Verb::Respond(args)) => verb::runs::respond(args),
        Some(Verb::Synth(args)) => verb::synth::main(args),
        Some(Verb::Explore(args)) => verb::explore::main(&args),
        Some(Verb::Pareto(args)) => verb::pareto::main(args),
        Some(Verb::Explain(args)) => verb::explain::main(args),
        Some(Verb::Match(args)) => verb::matching::main(&args),
        Some(Verb::Check(args)) => verb::check::main(args),
        Some(Verb::Convert(args)) => verb::convert::main(args),
        Some(Verb::Sat(args)) => verb::sat::main(args),
        Some(Verb::Smt(args)) => verb::smt::main(args),
        Some(Verb::Engines(args)) => verb::engines::main(args),
        Some(Verb::Transforms(args)) => verb::transforms::main(args),
        Some(Verb::Batch(args)) => verb::batch::main(&args),
        Some(Verb::Table(args)) => verb::table::main(&args),
        Some(Verb::Lsp(args)) => verb::lsp::main(&args),
        Some(Verb::Reduce(args)) => verb::reduce::main(&args),
        Some(Verb::Doctor(args)) => verb::doctor::main(&args),
        Some(Verb::Man) => verb::generate::man(),
        Some(Verb::Completions { shell }) => verb::generate::completions(shell),
    }
}
