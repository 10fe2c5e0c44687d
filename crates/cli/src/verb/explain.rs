//! `alphorn explain`: what would have avoided a counterexample, or which latch was at fault.

use super::{bytes_of, opened};
use crate::args::{Explain, Flippable};
use crate::{interrupt, speak, target};
use alphorn_driver::certify::Unfinished as Left;
use alphorn_driver::certify::{Certified, certify, within};
use alphorn_driver::evidence::AnyEvidence;
use alphorn_driver::explain::{self, Explanation, Unexplained, Wish};
use alphorn_driver::open::{AnyProblem, Opened};
use alphorn_driver::page::section;
use alphorn_driver::report::answer::{Answer, Checked, Outcome};
use alphorn_driver::report::html::{Page, page};
use alphorn_driver::report::{Exit, json};
use alphorn_driver::{Diagnostic, Stopper};
use std::path::Path;

/// Explains a violation.
pub fn main(args: Explain) -> u8 {
    interrupt::watch();
    let (file, is_json) = (args.file.clone(), args.json);
    let (time, memory) = (args.given.time, args.given.memory);
    let exit = match within(time, memory, interrupt::is_pending, move || explained(&args)) {
        Ok(exit) => exit.unwrap_or_else(|exit| exit),
        Err(Left::Limit(limit)) => {
            speak::complain(&file, limit.describe(), is_json);
            Exit::Unknown
        }
        Err(Left::Failed(text)) => {
            speak::complain(&file, &format!("a fault of this program: {text}"), is_json);
            Exit::Internal
        }
    };
    exit as u8
}

fn explained(args: &Explain) -> Result<Exit, Exit> {
    if let Some(path) = &args.evidence
        && let Err((about, why)) = target::guard(&[&args.file, &args.witness], path)
    {
        speak::complain(&about, &why, args.json);
        return Err(Exit::Usage);
    }
    let opened = opened(&args.file, &args.given, args.json)?;
    let witness = bytes_of(&args.witness, &args.given, args.json)?;
    if witness.trim_ascii_start().starts_with(b"{") {
        return observed(args, &opened, &witness);
    }
    let evidence = accepted(args, &opened, &witness)?;
    let wish = Wish {
        inputs: args.only != Some(Flippable::Latches),
        latches: args.only != Some(Flippable::Inputs),
        most: args.most.max(1),
    };
    let result = explain::explain(&opened, &evidence, wish, &Stopper::new());
    let explanation = result.map_err(|why| unexplained(args, why))?;
    say(args, &explanation);
    if args.evidence.is_some() && explanation.evidence.is_none() {
        let why = "nothing was found to matter, which is no evidence";
        speak::complain(&args.file, &format!("no evidence is written: {why}"), args.json);
    }
    match speak::write_all([(&args.evidence, explanation.evidence.clone())], args.json) {
        Exit::Safe => write_page(args, &opened, Some(&evidence), &explanation),
        exit => Err(exit),
    }
}

/// The violation that the witness is, once it is accepted.
fn accepted(args: &Explain, opened: &Opened, witness: &[u8]) -> Result<AnyEvidence, Exit> {
    let Some(certified) = certify(opened, witness).into_iter().next() else {
        speak::complain(&args.witness, "the file has no evidence", args.json);
        return Err(Exit::Input);
    };
    match certified {
        Certified::Accepted(evidence) => Ok(evidence),
        Certified::Unreadable(diagnostics) => {
            speak::list(&args.witness, witness, &diagnostics.list, args.json);
            Err(speak::exit_after(&diagnostics))
        }
        Certified::Refused(refusal) => {
            speak::complain(
                &args.witness,
                &format!("the witness is refused: {refusal}"),
                args.json,
            );
            Err(Exit::Refused)
        }
        Certified::Answered(_) | Certified::Unproved(_) => {
            speak::complain(&args.witness, "this is no violation that can be explained", args.json);
            Err(Exit::Unsupported)
        }
    }
}

/// Explains an observation.
fn observed(args: &Explain, opened: &Opened, text: &[u8]) -> Result<Exit, Exit> {
    if args.evidence.is_some() {
        let why = "an observation is explained by simulations, and has no evidence to write";
        speak::complain(&args.witness, why, args.json);
        return Err(Exit::Usage);
    }
    let Some(AnyProblem::Circuit(circuit)) = &opened.problem else {
        let why = "observations are about circuits (AIGER)";
        speak::complain(&args.file, why, args.json);
        return Err(Exit::Unsupported);
    };
    let observation = explain::read_observation(circuit, text).map_err(|diagnostic| {
        let list: [Diagnostic; 1] = [*diagnostic];
        speak::list(&args.witness, text, &list, args.json);
        Exit::Input
    })?;
    let result = explain::roots(circuit, &observation, args.glitches, &Stopper::new());
    let explanation = result.map_err(|why| unexplained(args, why))?;
    say(args, &explanation);
    write_page(args, opened, None, &explanation)
}

fn unexplained(args: &Explain, why: Unexplained) -> Exit {
    let (why, exit) = match why {
        Unexplained::Unsupported(why) => (why, Exit::Unsupported),
        Unexplained::Stopped(why) => (why, Exit::Unknown),
        Unexplained::Refused(refusal) => {
            (format!("the explanation was refused: {refusal}"), Exit::Refused)
        }
    };
    speak::complain(&args.file, &why, args.json);
    exit
}

fn say(args: &Explain, explanation: &Explanation) {
    if args.json {
        speak::object(&json::explanation(&args.file, explanation.fields()));
        return;
    }
    let lines = explanation.lines();
    speak::out(&format!("{}: {}\n", args.file, lines[0]));
    let sets = explanation.sets.len();
    for (at, line) in lines[1..].iter().enumerate() {
        let indent = if at < sets { "  " } else { "  – " };
        speak::out(&format!("{indent}{line}\n"));
    }
}

/// Writes the page, if it is wanted.
fn write_page(
    args: &Explain,
    opened: &Opened,
    evidence: Option<&AnyEvidence>,
    explanation: &Explanation,
) -> Result<Exit, Exit> {
    let Some(folder) = &args.out else { return Ok(Exit::Safe) };
    let mut answer = Answer::unknown(&args.file, &explanation.summary);
    if let Some(evidence) = evidence {
        let summary = evidence.summary(opened);
        answer.verdict = Outcome::Unsafe;
        answer.detail = summary.detail;
        answer.checked = Some(Checked { what: summary.checked, milliseconds: 0 });
        answer.property = evidence.property().unwrap_or_else(|| "horn".to_owned());
    }
    let mut section = section(opened, answer, evidence, Default::default());
    section.explanation = explanation.lines();
    let whole = Page { file: args.file.clone(), sections: vec![section], ..Page::default() };
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(Path::new(folder).join("report.html"), page(&whole)));
    match written {
        Ok(()) => Ok(Exit::Safe),
        Err(error) => {
            speak::complain(folder, &format!("the page cannot be written: {error}"), args.json);
            Err(Exit::Usage)
        }
    }
}
