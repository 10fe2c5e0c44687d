//! Examining an installation: the whole pipeline on a small problem of every format, and what
//! the machine allows.

use crate::config::{Config, Limits};
use crate::open::open_bytes;
use crate::run::{Stopper, decide, resident_bytes};
use alphorn_report::Outcome;
use std::time::{Duration, Instant};

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whether it is as it should be.
    pub ok: bool,
    /// What was looked at.
    pub about: String,
    /// What was found.
    pub detail: String,
}

/// Small problems with known answers: a name that says the format, the text, the answer.
const SAMPLES: &[(&str, &str, Outcome)] = &[
    ("sample.smt2", include_str!("../../../examples/bounded_counter.smt2"), Outcome::Safe),
    ("sample.aag", include_str!("../../../examples/toggle.aag"), Outcome::Unsafe),
    ("sample.btor2", include_str!("../../../examples/traffic_light.btor2"), Outcome::Safe),
];

/// Examines everything.
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
