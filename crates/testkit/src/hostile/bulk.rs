//! Judges many pieces, and holds each to a second of processor time and the process to 256 MB.

use super::draw::Draw;
use super::fate::Fate;
use std::process::ExitCode;

/// The most memory the process may have held, in kilobytes.
const MAX_MEMORY: u64 = 256 << 10;
/// The most processor time for a piece, in hundredths of a second.
const MAX_TIME: u64 = 100;

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

/// Does what `hostile FROM COUNT [FAMILY] [--reasons]` says, where `make` makes a piece of a family.
pub fn run<P>(
    families: &[&str],
    make: impl Fn(&str, &mut Draw) -> P,
    judge: impl Fn(&P) -> Fate,
) -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| args.get(at).and_then(|text| text.parse::<u64>().ok());
    let (Some(from), Some(count)) = (number(0), number(1)) else {
        eprintln!("hostile FROM COUNT [FAMILY] [--reasons]");
        return ExitCode::from(3);
    };
    let is_wordy = args.iter().any(|arg| arg == "--reasons");
    let wanted = args.get(2).filter(|arg| *arg != "--reasons");
    let (mut faults, mut judged, mut refused, mut metered) = (0, 0u64, 0u64, 0u64);
    let mut slowest = (0, String::new());
    for (family_number, family) in families.iter().enumerate() {
        if wanted.is_some_and(|wanted| wanted != family) {
            continue;
        }
        for seed in from..from + count {
            let mut draw = Draw::new(seed << 16 | family_number as u64);
            let piece = make(family, &mut draw);
            let (start, held) = (time(), memory());
            let fate = judge(&piece);
            let (took, holds) = (time() - start, memory());
            judged += 1;
            let said = match &fate {
                Fate::Refused(reason) => {
                    refused += 1;
                    metered += u64::from(reason.contains("takes more work"));
                    format!("refused {family} {seed}: {reason}")
                }
                Fate::Unreadable(reason) => format!("unreadable {family} {seed}: {reason}"),
                Fate::Accepted => {
                    faults += 1;
                    println!("ACCEPTED {family} {seed}");
                    String::new()
                }
            };
            if is_wordy {
                println!("{said} ({took})");
            }
            if took > slowest.0 {
                slowest = (took, format!("{family} {seed}"));
            }
            if took > MAX_TIME {
                faults += 1;
                println!("SLOW {family} {seed}: {took} hundredths of a second");
            }
            if holds > MAX_MEMORY && holds > held {
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
