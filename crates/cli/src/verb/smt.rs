//! `alphorn smt`: run an SMT-LIB script, or hold a dialogue, and reply as SMT solvers do.
//!
//! Replies go to standard output, each when its command has arrived; what is to be said about a
//! file goes to standard error. One thread works; this one prints and watches the limits. When the
//! work does not stop in time, the question it is at is answered `unknown` and the process ends.

use super::over_limit;
use crate::args::{ExitCodes, Foreign, Smt};
use crate::{interrupt, speak};
use alphorn_driver::open::read_bytes;
use alphorn_driver::registry::set;
use alphorn_driver::report::Exit;
use alphorn_driver::report::exit::Convention;
use alphorn_driver::run::{memory_limit, panic_text};
use alphorn_driver::smt::{self, DECIDERS, Dialogue, Notice, Request, Said, Summary};
use alphorn_driver::{Diagnostic, Severity};
use std::io::Read;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How long after its limit a run may still reply by itself.
const GRACE: Duration = Duration::from_millis(200);
/// How often the limits are looked at.
const PERIOD: Duration = Duration::from_millis(20);
/// The time limit of a file, if none is given.
const FILE_TIME: Duration = Duration::from_secs(15 * 60);
/// The most complaints about a text that are shown besides the replies.
const MAX_SHOWN: usize = 20;

/// What the working thread tells.
enum Message {
    Unreadable(Diagnostic),
    Said(Said),
    Done(Summary),
}

/// Runs a script.
pub fn main(args: Smt) -> u8 {
    let convention = args.exit_codes.map_or(Convention::Alphorn, ExitCodes::convention);
    run(&args).code(convention)
}

fn run(args: &Smt) -> Exit {
    let begun = Instant::now();
    interrupt::watch();
    if args.foreign.stdin && args.file != "-" {
        speak::complain("", "the script is standard input or a file, not both", false);
        return Exit::Usage;
    }
    if let Err(why) = set(&args.set) {
        speak::complain("--set", &why, false);
        return Exit::Usage;
    }
    let request = match request(args) {
        Ok(request) => request,
        Err(message) => {
            speak::complain("", &message, false);
            return Exit::Usage;
        }
    };
    let is_dialogue = args.file == "-";
    let tlimit = args.foreign.tlimit.map(Duration::from_millis);
    let time = args.time.or(tlimit).or((!is_dialogue).then_some(FILE_TIME));
    let (sender, receiver) = channel();
    let (file, own) = (args.file.clone(), request.clone());
    let memory = memory_limit(args.memory);
    let job = move || work((&file, memory), &own, &sender);
    let work = move || std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
    let Ok(worker) = std::thread::Builder::new().stack_size(64 << 20).spawn(work) else {
        return fault(args, false, "no thread could be started");
    };
    let mut is_asked = false;
    let mut shown = 0;
    let mut late: Option<Instant> = None;
    loop {
        match receiver.recv_timeout(PERIOD) {
            Ok(Message::Said(said)) => {
                is_asked = said == Said::Asked;
                hear(args, &said, &mut shown);
            }
            Ok(Message::Unreadable(diagnostic)) => return unreadable(args, &diagnostic),
            Ok(Message::Done(summary)) => return smt::exit(&summary),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if late.is_none()
            && let Some(limit) = over_limit(begun, time.unwrap_or(Duration::MAX), args.memory)
        {
            speak::err(&format!("{}: {}\n", args.file, limit.describe()));
            // Nobody else sets it.
            let _ = request.stopped_by.set(limit.describe());
            request.interrupt.store(true, Ordering::Relaxed);
            late = Some(Instant::now() + GRACE);
        }
        if late.is_some_and(|at| Instant::now() >= at) {
            if is_asked {
                reply("unknown");
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

/// What is asked of the driver; a sentence if an option is wrong.
fn request(args: &Smt) -> Result<Request, String> {
    let Foreign { tlimit_per, rlimit, option, .. } = &args.foreign;
    let foreign = &args.foreign;
    let truths = [
        (":print-success", foreign.print_success),
        (":produce-unsat-cores", foreign.produce_unsat_cores),
        (":produce-proofs", foreign.produce_proofs),
        (":global-declarations", foreign.global_declarations),
    ];
    let set = truths.into_iter().filter(|(_, is_set)| *is_set);
    let mut options: Vec<(String, String)> =
        set.map(|(keyword, _)| (keyword.to_owned(), "true".to_owned())).collect();
    options.extend(rlimit.map(|limit| (":rlimit".to_owned(), limit.to_string())));
    options.extend(option.iter().cloned());
    let request = Request {
        check: !args.no_check,
        conflicts: args.conflicts,
        question_milliseconds: tlimit_per.filter(|&limit| limit > 0),
        seed: args.seed,
        options,
        dumps_models: foreign.dump_models,
        ..Request::default()
    };
    request.check_options().map(|()| request)
}

/// The work: read, run, tell.
fn work((file, memory): (&str, Option<u64>), request: &Request, sender: &Sender<Message>) {
    // When nobody listens any more the process is about to end: nothing to do about it.
    let tell = |message: Message| {
        let _ = sender.send(message);
    };
    let mut say = |said| tell(Message::Said(said));
    if file != "-" {
        return match read_bytes(file, memory) {
            Ok(bytes) => tell(Message::Done(smt::run(&bytes.into(), request, say))),
            Err(diagnostic) => tell(Message::Unreadable(diagnostic)),
        };
    }
    let mut dialogue = Dialogue::new(request, &DECIDERS, &mut say);
    let mut piece = vec![0; 1 << 16];
    let mut input = std::io::stdin().lock();
    loop {
        match input.read(&mut piece) {
            Ok(0) => break,
            Ok(length) if dialogue.hear(&piece[..length]) => {}
            Ok(_) => break,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => {
                let message = format!("standard input cannot be read: {error}");
                return tell(Message::Unreadable(smt::unreadable(message)));
            }
        }
    }
    let summary = dialogue.end();
    tell(Message::Done(summary));
}

/// Prints a reply; whoever asked may be waiting for it.
fn reply(text: &str) {
    speak::reply(&format!("{text}\n"));
}

fn hear(args: &Smt, said: &Said, shown: &mut usize) {
    match said {
        Said::Reply(text) => reply(text),
        Said::Asked => {}
        Said::Refused(reason) => {
            speak::complain(&args.file, &format!("the answer was refused: {reason}"), false);
        }
        Said::Noticed(notice) => notice_of(args, notice, shown),
    }
}

/// People who run a file see the place. In a dialogue what is wrong is a reply and nothing else,
/// for those who read both streams as one.
fn notice_of(args: &Smt, notice: &Notice, shown: &mut usize) {
    let is_reply = args.file == "-" && notice.diagnostic.severity != Severity::Warning;
    if args.quiet || is_reply || *shown >= MAX_SHOWN {
        return;
    }
    *shown += 1;
    speak::located(&args.file, &notice.text, &notice.diagnostic, notice.place());
}

/// A script that cannot be read is not run: readers of either stream learn why.
fn unreadable(args: &Smt, diagnostic: &Diagnostic) -> Exit {
    speak::list(&args.file, b"", std::slice::from_ref(diagnostic), false);
    reply(&smt::file_error(diagnostic));
    if diagnostic.severity == Severity::Error { Exit::Input } else { Exit::Unsupported }
}

fn fault(args: &Smt, is_asked: bool, message: &str) -> Exit {
    speak::complain(&args.file, &format!("a fault of this program: {message}"), false);
    if is_asked {
        reply("unknown");
    }
    Exit::Internal
}
