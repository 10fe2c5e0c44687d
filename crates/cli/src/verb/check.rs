//! `alphorn check`: the checker alone.

use crate::args::Check;
use crate::{speak, target};
use alphorn_driver::certify::{Certified, certify_about, property_at};
use alphorn_driver::obligations;
use alphorn_driver::open;
use alphorn_driver::open::read_bytes;
use alphorn_driver::report::{Exit, json};

/// Checks a file of evidence.
pub fn main(args: Check) -> u8 {
    check(&args) as u8
}

fn check(args: &Check) -> Exit {
    if let Some(folder) = &args.export
        && let Err((about, why)) = target::guard_scripts(&[&args.file, &args.evidence], folder)
    {
        speak::complain(&about, &why, args.json);
        return Exit::Usage;
    }
    let opened = open(&args.file, speak::format(args.format));
    speak::diagnostics(&opened, args.json);
    if let Some(exit) = speak::exit_of(&opened) {
        return exit;
    }
    let questions = 1 + opened.more.len();
    let wanted = args.property.and_then(|position| property_at(&opened, position));
    let opened = match args.property {
        Some(property) if property < questions => opened.question(property),
        Some(property) if questions > 1 || wanted.is_none() => {
            let what = if wanted.is_none() && questions == 1 { "property" } else { "question" };
            speak::complain(&args.file, &format!("the file has no {what} {property}"), args.json);
            return Exit::Usage;
        }
        None if questions > 1 => {
            let message = format!("the script asks {questions} questions; choose with --property");
            speak::complain(&args.file, &message, args.json);
            return Exit::Usage;
        }
        _ => opened,
    };
    let bytes = match read_bytes(&args.evidence) {
        Ok(bytes) => bytes,
        Err(diagnostic) => {
            speak::list(&args.evidence, &[], &[diagnostic], args.json);
            return Exit::Input;
        }
    };
    if let Some(folder) = &args.export {
        // Whatever cannot be exported is no reason not to check.
        match obligations::export(&opened, &bytes, folder) {
            Ok(files) if files.is_empty() => {
                speak::err("evidence of a violation is evaluated and has no obligations\n");
            }
            Ok(files) => files.iter().for_each(|file| speak::err(&format!("wrote {file}\n"))),
            Err(message) => {
                speak::complain(&args.evidence, &format!("not exported: {message}"), args.json);
            }
        }
    }
    let mut exit = Exit::Safe;
    for certified in certify_about(&opened, wanted, &bytes) {
        let (accepted, detail, worst) = match certified {
            Certified::Accepted(evidence) => {
                let summary = evidence.summary(&opened);
                let verdict = evidence.outcome().human();
                let about = evidence.property().map_or(String::new(), |p| format!("{p}: "));
                let (detail, checked) = (summary.detail, summary.checked);
                let detail = format!("{about}{verdict}  {detail} (checked: {checked})");
                (true, detail, Exit::Safe)
            }
            Certified::Refused(refusal) => (false, refusal.to_string(), Exit::Refused),
            Certified::Unreadable(diagnostics) => {
                speak::list(&args.evidence, &bytes, &diagnostics.list, args.json);
                return Exit::Input;
            }
        };
        exit = exit.max(worst);
        if args.json {
            speak::object(&json::certified(&args.file, accepted, &detail));
        } else {
            let word = if accepted { "evidence accepted" } else { "evidence REFUSED" };
            speak::out(&format!("{}: {word}: {detail}\n", args.file));
        }
    }
    exit
}
