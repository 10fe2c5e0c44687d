//! Speaking: the two streams, and the parts of speech every verb shares.
//!
//! Everything that is printed is made fit for a terminal here (`printable`), whatever file it came
//! from; what other programs read is left as it is unless it goes to a terminal. A reader that went
//! away is not our error and changes nothing; a stream that cannot take what is said is (`ended`).

use crate::args::{Colour, DataModelName, EncodingName, MallocName, ProgramArgs};
use alphorn_driver::Opened;
use alphorn_driver::flow::Asked;
pub use alphorn_driver::judge::{exit_after, exit_of};
use alphorn_driver::program::{DataModel, Encoding, Malloc, Processes, Wishes, questions};
use alphorn_driver::report::diagnostic::{Located, render};
use alphorn_driver::report::{Exit, json, printable};
use std::borrow::Cow;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether standard output belongs to a file that was asked for, so that answers go elsewhere.
static TAKEN: AtomicBool = AtomicBool::new(false);
/// Why standard output could not be written.
static FAILURE: OnceLock<String> = OnceLock::new();
/// What the user says about colours.
static COLOUR: OnceLock<Colour> = OnceLock::new();

/// Leaves standard output to `data`: from now on, what else is said goes to standard error.
pub fn leave_output_to_data() {
    TAKEN.store(true, Ordering::Relaxed);
}

/// Says how the user wants colours.
pub fn choose_colour(colour: Colour) {
    // It is said once.
    let _ = COLOUR.set(colour);
}

fn is_coloured(is_terminal: bool) -> bool {
    let is_plain = || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    match COLOUR.get() {
        Some(Colour::Always) => true,
        Some(Colour::Never) => false,
        Some(Colour::Auto) | None => is_terminal && !is_plain(),
    }
}

/// Whether answers are coloured.
pub fn colours_answers() -> bool {
    match TAKEN.load(Ordering::Relaxed) {
        true => is_coloured(std::io::stderr().is_terminal()),
        false => is_coloured(std::io::stdout().is_terminal()),
    }
}

/// Lists things, a line each: as an object that another program reads, or in words.
pub fn catalogue<T>(
    things: impl IntoIterator<Item = T>,
    is_json: bool,
    json: impl Fn(&T) -> json::Object,
    words: impl Fn(&T) -> String,
) {
    for thing in things {
        if is_json { object(&json(&thing)) } else { out(&words(&thing)) }
    }
}

fn write_out(bytes: &[u8]) {
    let mut stream = std::io::stdout().lock();
    let written = stream.write_all(bytes).and_then(|()| stream.flush());
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        // The first reason stays.
        let _ = FAILURE.set(error.to_string());
    }
}

fn write_err(text: &str) {
    // Where complaints go nobody listens to a complaint about it.
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Says something to people, on standard output.
pub fn out(text: &str) {
    painted(&printable::text(text));
}

/// Says something whose colours we put there ourselves, and in which all else is printable.
pub fn painted(text: &str) {
    match TAKEN.load(Ordering::Relaxed) {
        true => write_err(text),
        false => write_out(text.as_bytes()),
    }
}

/// Says something to programs, on standard output: it stays as it is unless people see it.
pub fn reply(text: &str) {
    match TAKEN.load(Ordering::Relaxed) {
        true => err(text),
        false => data(text.as_bytes()),
    }
}

/// Writes what a file would hold to standard output.
pub fn data(bytes: &[u8]) {
    write_out(&fitted(bytes, std::io::stdout().is_terminal()));
}

/// What is written of bytes: all of them as they are, unless it is a terminal that gets them.
fn fitted(bytes: &[u8], is_terminal: bool) -> Cow<'_, [u8]> {
    match is_terminal {
        true => printable::text(&String::from_utf8_lossy(bytes)).into_owned().into_bytes().into(),
        false => bytes.into(),
    }
}

/// Writes an object of JSON, on a line.
pub fn object(object: &json::Object) {
    painted(&format!("{}\n", printable::json(&object.to_string())));
}

/// Says something on standard error.
pub fn err(text: &str) {
    write_err(&printable::text(text));
}

/// The exit code when all is said: another one if standard output did not take it.
pub fn ended(code: u8) -> u8 {
    match FAILURE.get() {
        Some(why) => {
            err(&format!("error: standard output cannot be written: {why}\n"));
            Exit::Usage as u8
        }
        None => code,
    }
}

/// A one-sentence complaint, as text on standard error or as JSON on standard output.
pub fn complain(file: &str, message: &str, as_json: bool) {
    if as_json {
        object(&json::error(file, message));
    } else if file.is_empty() {
        err(&format!("error: {message}\n"));
    } else {
        err(&format!("error: {}: {message}\n", printable::line(file)));
    }
}

/// Says everything a reader noticed.
pub fn diagnostics(opened: &Opened, as_json: bool) {
    list(&opened.file, &opened.bytes, &opened.diagnostics.list, as_json);
}

/// Says diagnostics about `bytes`.
pub fn list(file: &str, bytes: &[u8], list: &[alphorn_driver::Diagnostic], as_json: bool) {
    let colour = is_coloured(std::io::stderr().is_terminal());
    for diagnostic in list {
        let located = Located::new(diagnostic, file, bytes);
        match as_json {
            true => object(&json::diagnostic(&located)),
            false => write_err(&render(&located, colour)),
        }
    }
}

/// Says a diagnostic about a piece of a text, at its place in the whole.
pub fn located(
    file: &str,
    piece: &[u8],
    diagnostic: &alphorn_driver::Diagnostic,
    place: Option<(usize, usize)>,
) {
    let mut located = Located::new(diagnostic, file, piece);
    located.place = place;
    write_err(&render(&located, is_coloured(std::io::stderr().is_terminal())));
}

/// What is asked about programs; `property` may also name a property of another kind of problem.
pub fn wishes(args: &ProgramArgs, property: Option<&str>) -> Wishes {
    Wishes {
        model: args.data_model.map(|name| match name {
            DataModelName::Ilp32 => DataModel::Ilp32,
            DataModelName::Lp64 => DataModel::Lp64,
        }),
        entry: args.entry.clone(),
        malloc: match args.malloc {
            MallocName::Succeeds => Malloc::Succeeds,
            MallocName::MayFail => Malloc::MayFail,
        },
        questions: property.and_then(|names| questions(names).ok()).unwrap_or_default(),
        asked: Asked::Safety,
        target: args.target.clone(),
        processes: match (args.processes, args.seen) {
            (Some(number), _) => Some(Processes::Just(number)),
            (None, seen) => seen.map(Processes::Any),
        },
        encoding: args.encoding.map(|name| match name {
            EncodingName::Product => Encoding::Product,
            EncodingName::OwickiGries => Encoding::OwickiGries,
            EncodingName::RelyGuarantee => Encoding::RelyGuarantee,
            EncodingName::Parameterised => Encoding::Parameterised,
        }),
        copies: args.copies.clone(),
    }
}

/// Writes texts where they are wanted; `-` is standard output.
pub fn write_all<const N: usize>(
    wanted: [(&Option<String>, Option<String>); N],
    as_json: bool,
) -> Exit {
    let mut exit = Exit::Safe;
    for (path, text) in wanted {
        let (Some(path), Some(text)) = (path, text) else { continue };
        if path == "-" {
            data(text.as_bytes());
        } else if let Err(error) = std::fs::write(path, text) {
            complain(path, &format!("it cannot be written: {error}"), as_json);
            exit = Exit::Usage;
        }
    }
    exit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_stay_as_they_are_unless_a_terminal_gets_them() {
        let bytes = b"a\x1b[2K\r\xff\tb\n";
        assert_eq!(&*fitted(bytes, false), bytes);
        assert_eq!(&*fitted(bytes, true), "a\\u{1b}[2K\\r\u{fffd}\tb\n".as_bytes());
    }
}
