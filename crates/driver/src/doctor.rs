//! Examining an installation: the whole pipeline on a small problem of every format, and on a
//! formula and a script; and what the machine allows.

use crate::config::{Config, Limits};
use crate::open::open_bytes;
use crate::run::{Stopper, decide, resident_bytes};
use crate::{sat, smt};
use alphorn_report::Outcome;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whether it is as it should be.
    pub ok: bool,
    /// Which part of the installation was looked at.
    pub about: String,
    /// What was found there, for the report of a bug.
    pub detail: String,
}

/// Small problems with known answers: a name that says the format, the text, the answer.
const SAMPLES: &[(&str, &str, Outcome)] = &[
    ("sample.smt2", include_str!("../samples/bounded_counter.smt2"), Outcome::Safe),
    ("sample.aag", include_str!("../samples/toggle.aag"), Outcome::Unsafe),
    ("sample.btor2", include_str!("../samples/traffic_light.btor2"), Outcome::Safe),
];

/// Decides small problems of each kind and asks the system about its limits, for `alphorn doctor`.
pub fn examine() -> Vec<Finding> {
    let mut findings = vec![Finding {
        ok: true,
        about: "version".to_owned(),
        detail: format!(
            "alphorn {} on {} {}",
            env!("CARGO_PKG_VERSION"),
            std::env::consts::OS,
            std::env::consts::ARCH
        ),
    }];
    for (name, text, expected) in SAMPLES {
        findings.push(sample(name, text, *expected));
    }
    findings.push(formula());
    findings.push(script());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    findings.push(Finding {
        ok: true,
        about: "threads".to_owned(),
        detail: format!("{cores} can run at the same time"),
    });
    let memory = match resident_bytes() {
        Some(bytes) => format!("--memory is honoured; {} MiB in use now", bytes >> 20),
        None => "this system does not tell how much is used, so --memory has no effect".to_owned(),
    };
    findings.push(Finding { ok: true, about: "memory".to_owned(), detail: memory });
    findings
}

/// Four clauses that contradict each other: the proof is found and replayed.
fn formula() -> Finding {
    const CNF: &str = "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n";
    let begun = Instant::now();
    let request = sat::Request { conflicts: Some(1000), seed: 0, interrupt: Arc::default() };
    let solved = sat::read(CNF.as_bytes()).0.map(|cnf| sat::solve(&cnf, &request));
    let (ok, found) = match solved {
        Some(Ok(solved)) => match solved.answer {
            sat::Answer::Unsatisfiable(_) => (true, "a proof"),
            sat::Answer::Satisfiable(_) => (false, "a model"),
            sat::Answer::Unknown => (false, "nothing"),
        },
        Some(Err(_)) => (false, "an answer that was refused"),
        None => (false, "a formula that cannot be read"),
    };
    let detail = match ok {
        true => format!("decided, proof replayed, {} ms", begun.elapsed().as_millis()),
        false => format!("expected a proof, found {found}"),
    };
    Finding { ok, about: "sat".to_owned(), detail }
}

/// A question with a model and one with a proof.
fn script() -> Finding {
    const SCRIPT: &str = "(set-logic QF_LIA)(declare-const x Int)(assert (< 2 x))(check-sat)
        (assert (< x 3))(check-sat)";
    let begun = Instant::now();
    let mut replies: Vec<String> = Vec::new();
    let request = smt::Request { conflicts: Some(1000), ..smt::Request::default() };
    smt::run(&SCRIPT.as_bytes().into(), &request, |said| match said {
        smt::Said::Reply(text) => replies.push(text),
        smt::Said::Asked | smt::Said::Noticed(_) => {}
        smt::Said::Refused(why) => replies.push(format!("refused: {why}")),
    });
    let ok = replies == ["sat", "unsat"];
    let detail = match ok {
        true => format!("both questions answered and checked, {} ms", begun.elapsed().as_millis()),
        false => format!("expected sat and unsat, found {replies:?}"),
    };
    Finding { ok, about: "smt".to_owned(), detail }
}

fn sample(name: &str, text: &str, expected: Outcome) -> Finding {
    let begun = Instant::now();
    let opened = open_bytes(name, text.as_bytes().to_vec(), None);
    let deadline = Some(begun + Duration::from_secs(10));
    let config = Config { limits: Limits { deadline, ..Limits::default() }, ..Config::default() };
    let result = decide(&opened, &config, &Stopper::new(), &mut |_| {}, &mut |_| {});
    let answers: Vec<Outcome> =
        result.map(|all| all.iter().map(|d| d.answer.verdict).collect()).unwrap_or_default();
    let ok = answers == [expected];
    let detail = if ok {
        format!("decided, evidence checked, {} ms", begun.elapsed().as_millis())
    } else {
        format!("expected {expected:?}, found {answers:?}")
    };
    Finding { ok, about: name.replace("sample.", ""), detail }
}
