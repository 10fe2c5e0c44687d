//! Builds hostile evidence, hands it to reader and checker, and holds them to a second and 256 MB.
//!
//! `hostile FROM COUNT [FAMILY | --reasons]` judges pieces FROM to FROM + COUNT of every family (or of
//! one, or says the reasons). It
//! fails if a piece is accepted, takes more than a second of processor time, or memory grows beyond
//! 256 MB; a panic ends it anyway. `fuzz/hostile_evidence.py` runs it in batches with a limit on
//! memory that no code can forget.

#[path = "../tests/hostile/draw.rs"]
mod draw;
#[path = "../tests/hostile/judge.rs"]
mod judge;
#[path = "../tests/hostile/pieces.rs"]
mod pieces;

use draw::Draw;
use judge::{Fate, Problems};
use pieces::{FAMILIES, piece};
use std::process::ExitCode;

/// The most memory the process may have held, in kilobytes.
const MOST_MEMORY: u64 = 256 << 10;
/// The most processor time for a piece, in hundredths of a second.
const MOST_TIME: u64 = 100;

/// The processor time of this thread, in hundredths of a second.
fn time() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/stat").unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum()
}

/// The most memory the process has held, in kilobytes.
fn memory() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or(0)
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| args.get(at).and_then(|text| text.parse::<u64>().ok());
    let (Some(from), Some(count)) = (number(0), number(1)) else {
        eprintln!("hostile FROM COUNT [FAMILY]");
        return ExitCode::from(3);
    };
    let is_wordy = args.iter().any(|arg| arg == "--reasons");
    let problems = Problems::read();
    let (mut faults, mut judged, mut refused, mut metered) = (0, 0u64, 0u64, 0u64);
    let mut slowest = (0, String::new());
    for (family_number, family) in FAMILIES.iter().enumerate() {
        if args.get(2).is_some_and(|wanted| !is_wordy && wanted != family) {
            continue;
        }
        for seed in from..from + count {
            let mut draw = Draw::new(seed << 16 | family_number as u64);
            let (about, text) = piece(family, &mut draw);
            let (start, held) = (time(), memory());
            let fate = problems.judge(about, &text);
            let (took, holds) = (time() - start, memory());
            judged += 1;
            match &fate {
                Fate::Refused(reason) => {
                    if is_wordy {
                        println!("refused {family} {seed}: {reason}");
                    }
                    refused += 1;
                    metered += u64::from(reason.contains("takes more work"));
                }
                Fate::Unreadable(reason) => {
                    if is_wordy {
                        println!("unreadable {family} {seed}: {reason}");
                    }
                }
                Fate::Accepted => {
                    faults += 1;
                    println!("ACCEPTED {family} {seed}");
                }
            }
            if took > slowest.0 {
                slowest = (took, format!("{family} {seed}"));
            }
            if took > MOST_TIME {
                faults += 1;
                println!("SLOW {family} {seed}: {took} hundredths of a second");
            }
            if holds > MOST_MEMORY && holds > held {
                faults += 1;
                println!("LARGE {family} {seed}: {holds} KB, {held} KB before");
            }
        }
    }
    println!(
        "judged {judged} refused {refused} metered {metered} unreadable {} slowest {} ({}) memory {} KB faults {faults}",
        judged - refused,
        slowest.0,
        slowest.1,
        memory()
    );
    ExitCode::from(u8::from(faults > 0))
}
