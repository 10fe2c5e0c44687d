//! Speaking: writing to the two streams without ever failing on a closed pipe, and the parts of
//! speech every verb shares.

use crate::args::InputFormat;
use alphorn_driver::report::diagnostic::{Located, render};
use alphorn_driver::report::{Exit, json};
use alphorn_driver::{Format, Opened, Severity};
use std::io::{IsTerminal, Write};

/// Writes to standard output. A reader that went away is not our error.
pub fn out(text: &str) {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

/// Writes to standard error.
pub fn err(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// A one-sentence complaint, as text on standard error or as JSON on standard output.
pub fn complain(file: &str, message: &str, as_json: bool) {
    if as_json {
        out(&format!("{}\n", json::error(file, message)));
    } else if file.is_empty() {
        err(&format!("error: {message}\n"));
    } else {
        err(&format!("error: {file}: {message}\n"));
    }
}

/// Says everything a reader noticed.
pub fn diagnostics(opened: &Opened, as_json: bool) {
    list(&opened.file, &opened.bytes, &opened.diagnostics.list, as_json);
}

/// Says diagnostics about `bytes`.
pub fn list(file: &str, bytes: &[u8], list: &[alphorn_driver::Diagnostic], as_json: bool) {
    let colour = std::io::stderr().is_terminal();
    for diagnostic in list {
        let located = Located::new(diagnostic, file, bytes);
        if as_json {
            out(&format!("{}\n", json::diagnostic(&located)));
        } else {
            err(&render(&located, colour));
        }
    }
}

/// How the program ends when a file could not be opened as a problem.
pub fn exit_of(opened: &Opened) -> Option<Exit> {
    match opened.diagnostics.worst() {
        Some(Severity::Error) => Some(Exit::Input),
        Some(Severity::Unsupported) => Some(Exit::Unsupported),
        _ if opened.problem.is_none() => Some(Exit::Input),
        _ => None,
    }
}

/// The format the user asked for.
pub fn format(format: Option<InputFormat>) -> Option<Format> {
    format.map(|format| match format {
        InputFormat::Smtlib => Format::SmtLib,
        InputFormat::Aiger => Format::Aiger,
        InputFormat::Btor2 => Format::Btor2,
    })
}
