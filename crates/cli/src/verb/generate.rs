//! The manual page and the completion scripts, made from the command line's own table.

use crate::args::Cli;
use crate::speak::out;
use alphorn_driver::report::Exit;
use clap::CommandFactory;
use std::process::ExitCode;

/// Prints the manual page.
pub fn man() -> ExitCode {
    let mut page = Vec::new();
    if clap_mangen::Man::new(Cli::command()).render(&mut page).is_err() {
        return ExitCode::from(Exit::Internal as u8);
    }
    out(&String::from_utf8_lossy(&page));
    ExitCode::SUCCESS
}

/// Prints a completion script.
pub fn completions(shell: clap_complete::Shell) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "alphorn", &mut script);
    out(&String::from_utf8_lossy(&script));
    ExitCode::SUCCESS
}
