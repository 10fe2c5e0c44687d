//! Requests of programs that are not command lines: the page for browsers, and other languages.
//!
//! A request is an object of JSON beside the contents of files, and the response objects of JSON, of the kinds that
//! `alphorn --json` prints (`schema/output.schema.json`), with two more: `page`, a report as HTML, and `end`, which
//! comes last.
//!
//! A request has a `verb`:
//!
//! - `read`: what a reader notices of the problem, whose name is `file`;
//! - `decide`: the answers, with what engines say meanwhile; `asked` is `safety`, `termination`, `synthesis` or a temporal
//!   formula; `time` is the limit in seconds, `memory` in bytes, `ticks` in ticks; `engines` are names, if not
//!   all that fit; `property` is a position or a name; `bound`, `seed`, `threads` and `page` as the options of the
//!   command line;
//! - `check`: whether the evidence shows what it claims, by the checker alone.
//!
//! A field that has the wrong type or that nobody knows is a mistake of who asks, and is told.

use crate::carried::{Whole, carried};
use crate::certify::is_other_script;
use crate::config::{Config, Limits};
use crate::evidence::AnyEvidence;
use crate::flow::{Asked, Said as Formula, TemporalWish};
use crate::judge::{Case, Judgement, Said, exit_of, judge};
use crate::open::{Opened, open_asking};
use crate::page::section;
use crate::program::Wishes;
use crate::run::{CannotRun, Decision, Note, Stopper, decide, property_named};
use crate::smt;
use alphorn_front::Diagnostic;
use alphorn_report::carried::Carried;
use alphorn_report::diagnostic::Located;
use alphorn_report::html::{Page, RunFacts, page};
use alphorn_report::timeline::Timeline;
use alphorn_report::{Exit, Outcome, json};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The fields that a request may have.
const FIELDS: &[&str] = &[
    "verb", "file", "text", "evidence", "asked", "time", "memory", "ticks", "engines", "property",
    "bound", "seed", "threads", "page",
];
/// The time limit in seconds where a request says none.
const SECONDS: f64 = 60.0;

/// A request with the contents of the files that it is about.
pub struct Asking {
    /// The request.
    pub request: Value,
    /// The content of the problem's file, not compressed.
    pub problem: Vec<u8>,
    /// The content of the file of evidence, not compressed; empty if there is none.
    pub evidence: Vec<u8>,
    /// Whether no threads are to be started.
    pub in_rounds: bool,
    /// Ends the work of engines from outside.
    pub stopper: Stopper,
    /// Ends the questions of a script likewise.
    pub interrupt: Arc<AtomicBool>,
}

/// Answers a request, an object at a time.
pub fn respond(asking: Asking, say: &mut dyn FnMut(&Value)) {
    let exit = match wrong_field(&asking.request) {
        Some(why) => {
            say(&json::error("", &why));
            Exit::Usage
        }
        None => answer(asking, say),
    };
    say(&json!({ "kind": "end", "exit": exit as u8 }));
}

/// What is wrong with the fields of a request, if anything is.
fn wrong_field(request: &Value) -> Option<String> {
    let Some(fields) = request.as_object() else {
        return Some("a request is an object".to_owned());
    };
    fields.iter().find_map(|(name, value)| {
        let is_right = match name.as_str() {
            "verb" | "file" | "text" | "evidence" | "asked" => value.is_string(),
            "time" => value.as_f64().is_some_and(|seconds| seconds >= 0.0),
            "memory" | "ticks" | "bound" | "seed" | "threads" => value.is_u64(),
            "property" => value.is_u64() || value.is_string(),
            "engines" => value.as_array().is_some_and(|names| names.iter().all(Value::is_string)),
            "page" => value.is_boolean(),
            _ => {
                return Some(format!(
                    "there is no field `{name}`: there are {}",
                    FIELDS.join(", ")
                ));
            }
        };
        (!is_right && !value.is_null()).then(|| format!("the field `{name}` cannot be {value}"))
    })
}

fn answer(asking: Asking, line: &mut dyn FnMut(&Value)) -> Exit {
    let Asking { request, problem, evidence, in_rounds, stopper, interrupt } = asking;
    let text = |name: &str| request[name].as_str().unwrap_or_default();
    let file = if text("file").is_empty() { "input" } else { text("file") };
    let wishes = Wishes { asked: asked(text("asked")), ..Wishes::default() };
    match text("verb") {
        "read" => {
            let opened = open_asking(file, problem, None, &wishes);
            if !is_other_script(&opened) {
                noticed(file, &opened.bytes, &opened.diagnostics.list, line);
                return exit_of(&opened).unwrap_or(Exit::Safe);
            }
            let (_, diagnostics) = smt::read(&opened.bytes);
            noticed(file, &opened.bytes, &diagnostics.list, line);
            if diagnostics.is_clean() { Exit::Safe } else { Exit::Input }
        }
        "decide" => {
            let opened = open_asking(file, problem, None, &wishes);
            match is_other_script(&opened) {
                true => script(&opened, &request, interrupt, line),
                false => decided(&opened, &request, in_rounds, &stopper, line),
            }
        }
        "check" => {
            let property = request["property"].as_u64().and_then(|at| usize::try_from(at).ok());
            checked(
                Case {
                    file,
                    problem,
                    property,
                    evidence_file: "evidence",
                    evidence,
                    ..Case::default()
                },
                line,
            )
        }
        verb => {
            line(&json::error(file, &format!("there is no verb `{verb}`")));
            Exit::Usage
        }
    }
}

/// What is asked about runs.
fn asked(word: &str) -> Asked {
    match word {
        "" | "safety" => Asked::Safety,
        "termination" => Asked::Termination,
        "synthesis" => Asked::Synthesis,
        formula => {
            let said = Formula { formula: formula.to_owned(), ..Formula::default() };
            Asked::Temporal(TemporalWish { said, ends: None })
        }
    }
}

fn noticed(file: &str, bytes: &[u8], list: &[Diagnostic], line: &mut dyn FnMut(&Value)) {
    for diagnostic in list {
        line(&json::diagnostic(&Located::new(diagnostic, file, bytes)));
    }
}

/// The time that the page gives.
fn limit(request: &Value) -> Duration {
    let seconds = request["time"].as_f64().unwrap_or(SECONDS);
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::from_secs_f64(SECONDS))
}

/// What a request chooses about a run.
fn config(opened: &Opened, request: &Value, in_rounds: bool) -> Result<Config, CannotRun> {
    let number = |name: &str| request[name].as_u64();
    let engines = request["engines"].as_array().into_iter().flatten();
    let property = match &request["property"] {
        Value::Null => None,
        Value::String(name) => Some(property_named(opened, name)?),
        at => Some(property_named(opened, &at.to_string())?),
    };
    let limits = Limits {
        deadline: Instant::now().checked_add(limit(request)),
        memory: number("memory"),
        ticks: number("ticks").unwrap_or(u64::MAX),
    };
    Ok(Config {
        limits,
        in_rounds,
        seed: number("seed").unwrap_or(0),
        threads: number("threads").and_then(|count| usize::try_from(count).ok()).unwrap_or(0),
        engines: engines.filter_map(|name| name.as_str().map(str::to_owned)).collect(),
        property,
        bound: number("bound"),
        ..Config::default()
    })
}

fn decided(
    opened: &Opened,
    request: &Value,
    in_rounds: bool,
    stopper: &Stopper,
    line: &mut dyn FnMut(&Value),
) -> Exit {
    noticed(&opened.file, &opened.bytes, &opened.diagnostics.list, line);
    if let Some(exit) = exit_of(opened) {
        return exit;
    }
    let config = match config(opened, request, in_rounds) {
        Ok(config) => config,
        Err(why) => return impossible(opened, why, line),
    };
    let wants_page = request["page"].as_bool().unwrap_or(false);
    // Events and decisions come from one thread, one after the other.
    let (line, timeline) = (RefCell::new(line), RefCell::new(Timeline::default()));
    let mut report =
        Page { file: opened.file.clone(), run: facts(limit(request)), ..Page::default() };
    let mut exit = Exit::Safe;
    let mut listen = |note: Note| {
        timeline.borrow_mut().hear(&note);
        (line.borrow_mut())(&json::note(&note));
    };
    let mut tell = |decision: &Decision| {
        let one = opened.question(decision.index);
        let (answer, evidence) = (&decision.answer, decision.evidence.as_ref());
        let parts = evidence.map_or(Carried::default(), |evidence: &AnyEvidence| {
            carried(&one, evidence, Whole { model: true, trace: true })
        });
        let mut line = line.borrow_mut();
        noticed(&opened.file, &opened.bytes, &decision.warnings, &mut **line);
        line(&json::answer(answer, &parts));
        let heard = timeline.take();
        if wants_page {
            report.sections.push(section(&one, answer.clone(), evidence, heard));
        }
        exit = exit.max(match answer.verdict {
            Outcome::Safe => Exit::Safe,
            Outcome::Unsafe => Exit::Unsafe,
            Outcome::Unknown => Exit::Unknown,
        });
    };
    let run = decide(opened, &config, stopper, &mut listen, &mut tell);
    let mut line = line.borrow_mut();
    match run {
        Ok(_) => {
            if wants_page {
                line(&json!({ "kind": "page", "html": page(&report) }));
            }
            exit
        }
        Err(why) => impossible(opened, why, &mut **line),
    }
}

/// Says why a run cannot begin.
fn impossible(opened: &Opened, why: CannotRun, line: &mut dyn FnMut(&Value)) -> Exit {
    match why {
        CannotRun::Request(why) => {
            line(&json::error(&opened.file, &why));
            Exit::Usage
        }
        CannotRun::Unsupported(why) => {
            line(&json::error(&opened.file, &why));
            Exit::Unsupported
        }
        CannotRun::Untreated(list) => {
            noticed(&opened.file, &opened.bytes, &list, line);
            Exit::Unsupported
        }
    }
}

/// How the report came about.
fn facts(time: Duration) -> RunFacts {
    RunFacts {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        date: String::new(),
        command: "asked by another program".to_owned(),
        settings: vec![("time".to_owned(), format!("{} s", time.as_secs_f64()))],
    }
}

/// Runs a script that is not about Horn clauses alone.
fn script(
    opened: &Opened,
    request: &Value,
    interrupt: Arc<AtomicBool>,
    line: &mut dyn FnMut(&Value),
) -> Exit {
    let text: Arc<[u8]> = Arc::from(&opened.bytes[..]);
    let milliseconds = u64::try_from(limit(request).as_millis()).ok();
    let seed = request["seed"].as_u64().and_then(|seed| u32::try_from(seed).ok()).unwrap_or(0);
    let asked = smt::Request {
        question_milliseconds: milliseconds,
        seed,
        interrupt,
        ..smt::Request::default()
    };
    let summary = smt::run(&text, &asked, |said| match said {
        smt::Said::Reply(text) => line(&json::reply(&opened.file, &text)),
        smt::Said::Refused(why) => line(&json::error(&opened.file, &why)),
        smt::Said::Asked | smt::Said::Noticed(_) => {}
    });
    smt::exit(&summary)
}

/// The checker alone.
fn checked(case: Case<'_>, line: &mut dyn FnMut(&Value)) -> Exit {
    let file = case.file.to_owned();
    let Judgement { said, exit } = judge(case);
    for said in said {
        match said {
            Said::Noticed(file, bytes, list) => noticed(&file, &bytes, &list, line),
            Said::Judged(accepted, detail) => line(&json::certified(&file, accepted, &detail)),
            Said::Wrong(why) => line(&json::error(&file, &why)),
        }
    }
    exit
}
