//! The manual page and the completion scripts, made from the command line's own table.

use crate::args::Cli;
use crate::speak::out;
use alphorn_driver::report::Exit;
use clap::CommandFactory;

/// Prints the manual page.
pub fn man() -> u8 {
    let mut page = Vec::new();
    if clap_mangen::Man::new(Cli::command()).render(&mut page).is_err() {
        return Exit::Internal as u8;
    }
    out(&String::from_utf8_lossy(&page));
    Exit::Safe as u8
}

/// Prints a completion script.
pub fn completions(shell: clap_complete::Shell) -> u8 {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "alphorn", &mut script);
    out(&String::from_utf8_lossy(&script));
    Exit::Safe as u8
}
