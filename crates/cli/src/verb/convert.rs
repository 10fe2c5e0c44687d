//! `alphorn convert`: a problem in another format.

use crate::args::{Convert, OutputFormat};
use crate::{speak, target};
use alphorn_driver::convert::{Converted, Target, convert};
use alphorn_driver::flow::Asked;
use alphorn_driver::program::{asks_termination, questions};
use alphorn_driver::report::Exit;
use alphorn_driver::run::{CannotRun, memory_limit, property_named};
use alphorn_driver::{AnyProblem, open_program};

/// Converts a file.
pub fn main(args: Convert) -> u8 {
    run(&args) as u8
}

fn run(args: &Convert) -> Exit {
    let target = match (args.to, &args.output) {
        (Some(OutputFormat::Smtlib), _) => Target::SmtLib,
        (Some(OutputFormat::Aig), _) => Target::AigerBinary,
        (Some(OutputFormat::Aag), _) => Target::AigerText,
        (Some(OutputFormat::Btor2), _) => Target::Btor2,
        (Some(OutputFormat::Prolog), _) => Target::Prolog,
        (Some(OutputFormat::Svlib), _) => Target::SvLib,
        (Some(OutputFormat::Its), _) => Target::Its,
        (Some(OutputFormat::T2), _) => Target::T2,
        (None, Some(name)) => match Target::of_name(name) {
            Some(target) => target,
            None => {
                let message = "the name does not say which format to write; add --to";
                speak::complain(name, message, false);
                return Exit::Usage;
            }
        },
        (None, None) => {
            speak::complain("", "say what to write with --to or --output", false);
            return Exit::Usage;
        }
    };
    if let Some(output) = &args.output
        && let Err((about, why)) = target::guard(&[&args.file], output)
    {
        speak::complain(&about, &why, false);
        return Exit::Usage;
    }
    let mut wishes = speak::wishes(&args.program, args.property.as_deref());
    let asks_runs = args.property.as_deref().is_some_and(asks_termination);
    if asks_runs || target.is_about_runs() {
        wishes.asked = Asked::Termination;
    }
    let opened = open_program(&args.file, args.format, memory_limit(None), &wishes);
    speak::diagnostics(&opened, false);
    if let Some(exit) = speak::exit_of(&opened) {
        return exit;
    }
    let wanted = match &opened.problem {
        // The questions were asked when it was opened.
        Some(AnyProblem::C(_)) => match args.property.as_deref().map(questions) {
            Some(Err(why)) => {
                speak::complain(&args.file, why.words(), false);
                return Exit::Usage;
            }
            _ => None,
        },
        _ => args.property.as_deref().filter(|_| !asks_runs),
    };
    let property = match wanted.map(|name| property_named(&opened, name)) {
        None => None,
        Some(Ok(property)) => Some(property),
        Some(Err(CannotRun::Request(message) | CannotRun::Unsupported(message))) => {
            speak::complain(&args.file, &message, false);
            return Exit::Usage;
        }
        Some(Err(CannotRun::Untreated(complaints))) => {
            speak::list(&opened.file, &opened.bytes, &complaints, false);
            return Exit::Unsupported;
        }
    };
    let bytes = match convert(&opened, target, property) {
        Ok(Converted { bytes, warnings }) => {
            speak::list(&opened.file, &opened.bytes, &warnings, false);
            bytes
        }
        Err(diagnostic) => {
            speak::list(&opened.file, &opened.bytes, &[diagnostic], false);
            return Exit::Unsupported;
        }
    };
    match &args.output {
        Some(path) if path != "-" => {
            if let Err(error) = std::fs::write(path, &bytes) {
                speak::complain(path, &format!("cannot be written: {error}"), false);
                return Exit::Usage;
            }
        }
        _ => {
            speak::data(&bytes);
        }
    }
    Exit::Safe
}
