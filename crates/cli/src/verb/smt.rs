//! `alphorn smt`: run an SMT-LIB script and reply as SMT solvers do.
//!
//! Replies go to standard output, one after the other; what is to be said about the file as a whole
//! goes to standard error. One thread works; this one prints and watches the limits. When the work
//! does not stop in time, the question it is at is answered `unknown` and the process ends.

use super::over_limit;
use crate::args::Smt;
use crate::{interrupt, speak};
use alphorn_driver::open::read_bytes;
use alphorn_driver::report::Exit;
use alphorn_driver::run::panic_text;
use alphorn_driver::smt::{self, Request, Said, Summary};
use alphorn_driver::{Diagnostic, Severity};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How long after its limit a run may still reply by itself.
const GRACE: Duration = Duration::from_millis(200);
/// How often the limits are looked at.
const PERIOD: Duration = Duration::from_millis(20);

/// What the working thread tells.
enum Message {
    Noticed(Vec<u8>, Vec<Diagnostic>),
    Unreadable(Vec<u8>, Vec<Diagnostic>),
    Said(Said),
    Done(Summary),
}

/// Runs a script.
pub fn main(args: Smt) -> u8 {
    run(&args) as u8
}

fn run(args: &Smt) -> Exit {
    let begun = Instant::now();
    interrupt::watch();
    let request = Request {
        check: !args.no_check,
        conflicts: args.conflicts,
        seed: args.seed,
        ..Request::default()
    };
    let (sender, receiver) = channel();
    let (file, own) = (args.file.clone(), request.clone());
    let job = move || work(&file, &own, &sender);
    let work = move || std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
    let Ok(worker) = std::thread::Builder::new().stack_size(64 << 20).spawn(work) else {
        return fault(args, false, "no thread could be started");
    };
    let mut is_asked = false;
    let mut late: Option<Instant> = None;
    loop {
        match receiver.recv_timeout(PERIOD) {
            Ok(Message::Said(said)) => {
                is_asked = said == Said::Asked;
                hear(args, &said);
            }
            Ok(Message::Noticed(bytes, diagnostics)) => {
                speak::list(&args.file, &bytes, &diagnostics, false);
            }
            Ok(Message::Unreadable(bytes, diagnostics)) => {
                return unreadable(args, &bytes, &diagnostics);
            }
            Ok(Message::Done(summary)) => return summary.exit(),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if late.is_none()
            && let Some(limit) = over_limit(begun, args.time, args.memory)
        {
            speak::err(&format!("{}: {}\n", args.file, limit.describe()));
            // Nobody else sets it.
            let _ = request.stopped_by.set(limit.describe());
            request.interrupt.store(true, Ordering::Relaxed);
            late = Some(Instant::now() + GRACE);
        }
        if late.is_some_and(|at| Instant::now() >= at) {
            if is_asked {
                speak::out("unknown\n");
            }
            return Exit::Unknown;
        }
    }
    let text = match worker.join() {
        Ok(Err(panic)) | Err(panic) => panic_text(&*panic),
        Ok(Ok(())) => "the work ended without a word".to_owned(),
    };
    fault(args, is_asked, &text)
}

/// The work: read, run, tell.
fn work(file: &str, request: &Request, sender: &Sender<Message>) {
    // When nobody listens any more the process is about to end: nothing to do about it.
    let tell = |message: Message| {
        let _ = sender.send(message);
    };
    let bytes = match read_bytes(file) {
        Ok(bytes) => bytes,
        Err(diagnostic) => return tell(Message::Unreadable(Vec::new(), vec![diagnostic])),
    };
    let (script, diagnostics) = smt::read(&bytes);
    let Some(script) = script else { return tell(Message::Unreadable(bytes, diagnostics.list)) };
    if !diagnostics.list.is_empty() {
        tell(Message::Noticed(bytes.clone(), diagnostics.list));
    }
    let summary = smt::run(script, &bytes, request, |said| tell(Message::Said(said)));
    tell(Message::Done(summary));
}

fn hear(args: &Smt, said: &Said) {
    match said {
        Said::Reply(text) => speak::reply(&format!("{text}\n")),
        Said::Asked => {}
        Said::Refused(reason) => {
            speak::complain(&args.file, &format!("the answer was refused: {reason}"), false);
        }
    }
}

/// A script that cannot be read is not run: readers of either stream learn why.
fn unreadable(args: &Smt, bytes: &[u8], diagnostics: &[Diagnostic]) -> Exit {
    speak::list(&args.file, bytes, diagnostics, false);
    for reply in smt::error_replies(bytes, diagnostics) {
        speak::reply(&format!("{reply}\n"));
    }
    let is_fine = |d: &Diagnostic| d.severity != Severity::Error;
    if diagnostics.iter().all(is_fine) { Exit::Unsupported } else { Exit::Input }
}

fn fault(args: &Smt, is_asked: bool, message: &str) -> Exit {
    speak::complain(&args.file, &format!("a fault of this program: {message}"), false);
    if is_asked {
        speak::out("unknown\n");
    }
    Exit::Internal
}
