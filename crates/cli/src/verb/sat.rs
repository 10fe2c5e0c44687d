//! `alphorn sat`: decide a CNF formula and speak as SAT solvers do.
//!
//! Comments, the answer and the model go to standard output as lines that begin with `c`, `s` and
//! `v`; the exit code is 10, 20 or 0. One thread works; this one watches the limits and, when the
//! work does not stop in time, says `UNKNOWN` and ends the process.

use super::over_limit;
use crate::args::{ProofFormat, Sat};
use crate::{interrupt, speak, target};
use alphorn_driver::open::read_bytes;
use alphorn_driver::report::Exit;
use alphorn_driver::run::{Limit, memory_limit, panic_text};
use alphorn_driver::sat::{self, Answer, Model, Request, Solved};
use alphorn_driver::{Diagnostic, Severity};
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How long after its limit a run may still report by itself.
const GRACE: Duration = Duration::from_millis(200);
/// How often the limits are looked at.
const PERIOD: Duration = Duration::from_millis(20);
/// The longest line of a model.
const WIDTH: usize = 78;

const SATISFIABLE: u8 = 10;
const UNSATISFIABLE: u8 = 20;
const UNKNOWN: u8 = 0;

/// What the working thread tells.
enum Message {
    Unreadable(Vec<u8>, Vec<Diagnostic>),
    Read { variables: u32, clauses: usize },
    Solved(Box<Result<Solved, String>>),
}

/// Decides a formula.
pub fn main(args: Sat) -> u8 {
    run(&args)
}

fn run(args: &Sat) -> u8 {
    let begun = Instant::now();
    if let Some(proof) = &args.proof
        && let Err((about, why)) = target::guard(&[&args.file], proof)
    {
        speak::complain(&about, &why, false);
        return Exit::Usage as u8;
    }
    interrupt::watch();
    let interrupt = Arc::new(AtomicBool::new(false));
    let request =
        Request { conflicts: args.conflicts, seed: args.seed, interrupt: Arc::clone(&interrupt) };
    let (sender, receiver) = channel();
    let file = args.file.clone();
    let memory = memory_limit(args.memory);
    let job = move || work((&file, memory), &request, &sender);
    let work = move || std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
    let Ok(worker) = std::thread::Builder::new().stack_size(64 << 20).spawn(work) else {
        return fault(args, "no thread could be started");
    };
    let mut late: Option<(Instant, Limit)> = None;
    loop {
        let limit = late.map(|(_, limit)| limit);
        match receiver.recv_timeout(PERIOD) {
            Ok(message) => {
                if let Some(code) = hear(args, message, limit) {
                    return code;
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if late.is_none() {
            late = over_limit(begun, args.time, args.memory).map(|limit| {
                interrupt.store(true, Ordering::Relaxed);
                (Instant::now() + GRACE, limit)
            });
        }
        if let Some((at, limit)) = late
            && Instant::now() >= at
        {
            return unknown(args, limit.describe());
        }
    }
    let text = match worker.join() {
        Ok(Err(panic)) | Err(panic) => panic_text(&*panic),
        Ok(Ok(())) => "the work ended without a word".to_owned(),
    };
    fault(args, &text)
}

/// The work: read, search, check, tell.
fn work((file, memory): (&str, Option<u64>), request: &Request, sender: &Sender<Message>) {
    // When nobody listens any more the process is about to end: nothing to do about it.
    let tell = |message: Message| {
        let _ = sender.send(message);
    };
    let bytes = match read_bytes(file, memory) {
        Ok(bytes) => bytes,
        Err(diagnostic) => return tell(Message::Unreadable(Vec::new(), vec![diagnostic])),
    };
    let (cnf, diagnostics) = sat::read(&bytes);
    let Some(cnf) = cnf else { return tell(Message::Unreadable(bytes, diagnostics.list)) };
    drop(bytes);
    tell(Message::Read { variables: cnf.variables, clauses: cnf.len() });
    tell(Message::Solved(Box::new(sat::solve(&cnf, request))));
}

/// Says what a message is about; the exit code when it was the last one.
fn hear(args: &Sat, message: Message, limit: Option<Limit>) -> Option<u8> {
    match message {
        Message::Unreadable(bytes, diagnostics) => {
            speak::list(&args.file, &bytes, &diagnostics, false);
            let is_fine = |d: &Diagnostic| d.severity == Severity::Unsupported;
            let is_unsupported = diagnostics.iter().all(is_fine);
            Some(if is_unsupported { Exit::Unsupported } else { Exit::Input } as u8)
        }
        Message::Read { variables, clauses } => {
            comment(args, &format!("{}: {variables} variables, {clauses} clauses", args.file));
            None
        }
        Message::Solved(result) => Some(match *result {
            Ok(solved) => answer(args, solved, limit),
            Err(refusal) => {
                let message = format!("the answer was refused: {refusal}");
                speak::complain(&args.file, &message, false);
                speak::out("s UNKNOWN\n");
                Exit::Refused as u8
            }
        }),
    }
}

fn answer(args: &Sat, solved: Solved, limit: Option<Limit>) -> u8 {
    if args.stats {
        for (name, count) in &solved.statistics {
            speak::out(&format!("c {name:<16} {count:>14}\n"));
        }
    }
    let seconds = solved.check_time.as_secs_f64();
    match solved.answer {
        Answer::Unknown => unknown(args, limit.map_or("out of conflicts", Limit::describe)),
        Answer::Satisfiable(model) => {
            comment(args, &format!("checked   every clause, by evaluation, {seconds:.2} s"));
            if args.proof.is_some() {
                comment(args, "no proof is written, because the formula is satisfiable");
            }
            speak::out("s SATISFIABLE\n");
            if !args.quiet {
                speak::out(&model_lines(&model));
            }
            SATISFIABLE
        }
        Answer::Unsatisfiable(proof) => {
            let additions = proof.additions();
            let steps = if additions == 1 { "step" } else { "steps" };
            let checked = format!("checked   a refutation of {additions} {steps}");
            comment(args, &format!("{checked}, by alphorn-check, {seconds:.2} s"));
            let written = args.proof.as_ref().map(|path| {
                let result = std::fs::write(path, proof.to_bytes(format(args)));
                match &result {
                    Ok(()) => comment(args, &format!("proof     {path}")),
                    Err(error) => {
                        let message = format!("the proof cannot be written: {error}");
                        speak::complain(path, &message, false);
                    }
                }
                result.is_ok()
            });
            speak::out("s UNSATISFIABLE\n");
            if written == Some(false) { Exit::Usage as u8 } else { UNSATISFIABLE }
        }
    }
}

fn format(args: &Sat) -> sat::ProofFormat {
    match args.proof_format {
        ProofFormat::Lrat => sat::ProofFormat::Lrat,
        ProofFormat::LratBinary => sat::ProofFormat::LratBinary,
        ProofFormat::Drat => sat::ProofFormat::Drat,
        ProofFormat::DratBinary => sat::ProofFormat::DratBinary,
    }
}

/// The model as lines that begin with `v`, ended by 0.
fn model_lines(model: &Model) -> String {
    let mut text = String::from("v");
    let mut begins = 0;
    for lit in model.literals().iter().chain(&[0]) {
        let before = text.len();
        let _ = write!(text, " {lit}");
        if text.len() - begins > WIDTH {
            text.insert_str(before, "\nv");
            begins = before + 1;
        }
    }
    text.push('\n');
    text
}

fn comment(args: &Sat, text: &str) {
    if !args.quiet {
        speak::out(&format!("c {text}\n"));
    }
}

fn unknown(args: &Sat, why: &str) -> u8 {
    comment(args, why);
    speak::out("s UNKNOWN\n");
    UNKNOWN
}

fn fault(args: &Sat, message: &str) -> u8 {
    speak::complain(&args.file, &format!("a fault of this program: {message}"), false);
    speak::out("s UNKNOWN\n");
    Exit::Internal as u8
}
