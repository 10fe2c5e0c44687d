//! `alphorn ctl --live`: what must come, of systems that axioms describe.

use crate::args::Decide;
use crate::{interrupt, speak};
use alphorn_driver::certify::{Unfinished, within};
use alphorn_driver::config::DEFAULT_TIME;
use alphorn_driver::live::{self, Lives};
use alphorn_driver::open::read_bytes;
use alphorn_driver::report::answer::{Answer, Checked, Outcome, Question};
use alphorn_driver::report::carried::Carried;
use alphorn_driver::report::text::{self, Verbosity};
use alphorn_driver::report::{Exit, json};
use alphorn_driver::run::memory_limit;
use alphorn_driver::smt::Request;
use std::time::Instant;

/// Decides a formula for all files.
pub fn main(args: &Decide, formula: &str, script: Option<&str>) -> u8 {
    interrupt::watch();
    if script.is_some() && args.files.len() > 1 {
        speak::complain("--script", "there is one script: give one file", args.json);
        return Exit::Usage as u8;
    }
    let all = args.files.iter().map(|file| one(args, file, formula, script));
    all.max().unwrap_or(Exit::Safe) as u8
}

fn one(args: &Decide, file: &str, formula: &str, script: Option<&str>) -> Exit {
    let axioms = match read_bytes(file, memory_limit(args.memory)) {
        Ok(bytes) => bytes,
        Err(diagnostic) => {
            speak::list(file, &[], &[diagnostic], args.json);
            return Exit::Input;
        }
    };
    if let Some(path) = script {
        let written = match live::script(&axioms, formula) {
            Ok(text) if path != file => {
                std::fs::write(path, text).map_err(|error| error.to_string())
            }
            Ok(_) => Err("an input is not overwritten".to_owned()),
            // What is wrong is said below.
            Err(_) => Ok(()),
        };
        if let Err(why) = written {
            speak::complain(path, &why, args.json);
            return Exit::Usage;
        }
    }
    let (own, asked, seed) = (axioms.clone(), formula.to_owned(), args.seed);
    let work = move || {
        let request =
            Request { seed: u32::try_from(seed).unwrap_or(u32::MAX), ..Request::default() };
        live::decide(&own, &asked, &request)
    };
    let time = Some(args.time.unwrap_or(DEFAULT_TIME));
    let begun = Instant::now();
    let (verdict, detail) = match within(time, args.memory, interrupt::is_pending, work) {
        Ok(Ok(Lives::Holds)) => (Outcome::Safe, "by a refutation that was checked".to_owned()),
        Ok(Ok(Lives::Unknown(why))) => (Outcome::Unknown, why),
        Ok(Err(diagnostics)) => {
            speak::list(file, &axioms, &diagnostics.list, args.json);
            return speak::exit_after(&diagnostics);
        }
        Err(Unfinished::Limit(limit)) => (Outcome::Unknown, limit.describe().to_owned()),
        Err(Unfinished::Failed(text)) => {
            speak::complain(file, &format!("a fault of this program: {text}"), args.json);
            return Exit::Internal;
        }
    };
    let milliseconds = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    let what = "a refutation of the axioms with the formula denied".to_owned();
    let answer = Answer {
        checked: (verdict == Outcome::Safe).then_some(Checked { what, milliseconds }),
        property: "temporal".to_owned(),
        name: Some(formula.to_owned()),
        question: Question::Temporal,
        verdict,
        milliseconds,
        ..Answer::unknown(file, &detail)
    };
    let verbosity = if args.quiet { Verbosity::Quiet } else { Verbosity::Normal };
    match args.json {
        true => speak::object(&json::answer(&answer, &Carried::default())),
        false => speak::painted(&text::answer(&answer, verbosity, speak::colours_answers())),
    }
    if verdict == Outcome::Safe { Exit::Safe } else { Exit::Unknown }
}
