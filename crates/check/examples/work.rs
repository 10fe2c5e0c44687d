//! How much of what it may take a piece of evidence takes.
//!
//! `work PROBLEM EVIDENCE …` reads a problem (`.smt2`, `.btor2`, or AIGER) and evidence about it, and
//! prints for each piece the ticks it took, the limit, and their ratio. The figures in
//! `bench/notes/evidence.md` are from here.

use alphorn_check::{Refusal, circuit, horn, words, work};
use alphorn_front::{aiger, btor2, evidence, smtlib};
use alphorn_problem::Verdict;
use alphorn_term::Meter;
use std::process::ExitCode;

fn report(name: &str, kind: &str, meter: &Meter, result: Result<(), Refusal>) {
    let (spent, limit) = (meter.spent(), meter.limit());
    let room = limit as f64 / spent.max(1) as f64;
    let verdict = match result {
        Ok(()) => "accepted".to_owned(),
        Err(refusal) => format!("REFUSED {refusal}").chars().take(160).collect(),
    };
    println!("{name} {kind} spent {spent} limit {limit} room {room:.1} {verdict}");
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let Some(problem) = args.next() else { return ExitCode::from(3) };
    let Ok(bytes) = std::fs::read(&problem) else { return ExitCode::from(3) };
    for name in args {
        let Ok(text) = std::fs::read(&name) else { return ExitCode::from(3) };
        check(&problem, &bytes, &name, &text);
    }
    ExitCode::SUCCESS
}

fn check(problem: &str, bytes: &[u8], name: &str, text: &[u8]) {
    if problem.ends_with(".smt2") {
        let Some(script) = smtlib::read(bytes).0 else { return println!("{name} no problem") };
        let horn = script.horn;
        let (verdicts, found) = evidence::read_horn(text, &horn);
        for verdict in verdicts.into_iter().flatten() {
            match verdict {
                Verdict::Safe(model) => {
                    let meter = work::of_model(&horn, &model);
                    let result = horn::check_model_within(&horn, &model, &meter).map(|_| ());
                    report(name, "model", &meter, result);
                }
                Verdict::Unsafe(derivation) => {
                    let meter = work::of_derivation(&horn, &derivation);
                    let result = horn::check_derivation_within(&horn, &derivation, &meter);
                    report(name, "derivation", &meter, result);
                }
            }
        }
        found.list.iter().for_each(|diagnostic| println!("{name} {}", diagnostic.message));
    } else if problem.ends_with(".btor2") || problem.ends_with(".btor") {
        let Some(system) = btor2::read(bytes).0 else { return println!("{name} no problem") };
        let (verdicts, found) = evidence::read_words(text, &system);
        for verdict in verdicts.into_iter().flatten() {
            match verdict {
                Verdict::Safe(certificate) => {
                    let meter = work::of_word_certificate(&system, &certificate);
                    let result = words::check_certificate_within(&system, &certificate, &meter);
                    report(name, "certificate", &meter, result);
                }
                Verdict::Unsafe(trace) => {
                    let meter = work::of_word_trace(&system, &trace);
                    let result = words::check_trace_within(&system, &trace, &meter);
                    report(name, "run", &meter, result);
                }
            }
        }
        found.list.iter().for_each(|diagnostic| println!("{name} {}", diagnostic.message));
    } else {
        let Some(read) = aiger::read(bytes).0 else { return println!("{name} no problem") };
        let (verdicts, found) = evidence::read_circuit(text, &read);
        for verdict in verdicts.into_iter().flatten() {
            match verdict {
                Verdict::Safe(certificate) => {
                    let meter = work::of_certificate(&read, &certificate);
                    let result = circuit::check_certificate_within(&read, &certificate, &meter);
                    report(name, "certificate", &meter, result);
                }
                Verdict::Unsafe(trace) => {
                    let meter = work::of_trace(&read, &trace);
                    report(name, "run", &meter, circuit::check_trace_within(&read, &trace, &meter));
                }
            }
        }
        found.list.iter().for_each(|diagnostic| println!("{name} {}", diagnostic.message));
    }
}
