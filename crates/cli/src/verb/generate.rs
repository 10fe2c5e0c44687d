//! The manual page and the completion scripts, made from the command line's own table.

use crate::args::Cli;
use crate::speak::out;
use alphorn_driver::registry;
use alphorn_driver::report::Exit;
use clap::CommandFactory;
use clap::builder::PossibleValuesParser;

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
    let mut engines: Vec<&str> = registry::engines().iter().map(|engine| engine.name).collect();
    engines.sort_unstable();
    engines.dedup();
    let transforms = registry::transforms();
    let named = |wanted: fn(&registry::TransformLine) -> bool| -> Vec<&'static str> {
        let mut names: Vec<&str> =
            transforms.iter().filter(|t| wanted(t)).map(|t| t.name).collect();
        names.sort_unstable();
        names.dedup();
        names
    };
    let mut without = named(|transform| transform.is_default);
    without.push("all");
    let with = named(|transform| !transform.is_default);
    // Only here: what a name means depends on the problem, and the driver says what fits.
    let mut command = Cli::command()
        .mut_arg("engine", |arg| arg.value_parser(PossibleValuesParser::new(engines)))
        .mut_arg("without", |arg| arg.value_parser(PossibleValuesParser::new(without)))
        .mut_arg("with", |arg| arg.value_parser(PossibleValuesParser::new(with)));
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "alphorn", &mut script);
    out(&String::from_utf8_lossy(&script));
    Exit::Safe as u8
}
