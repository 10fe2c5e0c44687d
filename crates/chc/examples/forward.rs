//! Runs the Horn engines on SMT-LIB files and prints a line for each: `file,verdict,ticks`.
//!
//! `cargo run --release -p alphorn-chc --example forward -- TICKS FILE...`; every verdict's
//! evidence is checked, and a refused one is printed as such.

use alphorn_chc::engines::HORN_ENGINES;
use alphorn_engine::{Ctx, Stop, Stopper};
use alphorn_horn::conclude;
use alphorn_problem::{Horn, Verdict};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let ticks = arguments.next().and_then(|ticks| ticks.parse().ok()).unwrap_or(1_000_000);
    for file in arguments {
        let line = match std::fs::read(&file) {
            Ok(bytes) => decide(&bytes, ticks),
            Err(error) => format!("unreadable: {error},0"),
        };
        println!("{file},{line}");
    }
}

fn decide(bytes: &[u8], ticks: u64) -> String {
    let (script, diagnostics) = alphorn_front::smtlib::read(bytes);
    let Some(script) = script.filter(|_| diagnostics.is_clean()) else {
        return "unread,0".to_owned();
    };
    let mut last = String::new();
    for card in HORN_ENGINES {
        let mut sink = |_| ();
        let mut ctx = Ctx::new(ticks, Stopper::new(), 1, &mut sink);
        let outcome = (card.build)().run(&script.horn, &mut ctx);
        let outcome = outcome.and_then(|finding| conclude(&script.horn, finding, &mut ctx));
        let used = ctx.ticks_used();
        match outcome {
            Ok(verdict) => return format!("{},{used}", judge(&script.horn, &verdict)),
            Err(Stop::Budget(limit)) => last = format!("{},{used}", limit.describe()),
            Err(stop) => last = format!("{},{used}", stop.describe()),
        }
    }
    last.replacen(", ", "; ", 9)
}

fn judge(horn: &Horn, verdict: &Verdict<Horn>) -> String {
    let (word, outcome) = match verdict {
        Verdict::Safe(model) => ("safe", alphorn_check::horn::check_model(horn, model).map(|_| ())),
        Verdict::Unsafe(derivation) => {
            ("unsafe", alphorn_check::horn::check_derivation(horn, derivation))
        }
    };
    match outcome {
        Ok(()) => word.to_owned(),
        Err(refusal) => format!("{word} REFUSED {refusal:?}"),
    }
}
