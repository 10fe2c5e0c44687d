//! `alphorn match`: word-level functions in a circuit, up to the order of bits and a setting of control inputs.

use super::bytes_of;
use crate::args::Match;
use crate::{interrupt, speak, target};
use alphorn_driver::certify::{Unfinished, within};
use alphorn_driver::judge::{exit_after, exit_of};
use alphorn_driver::matching::{answered, find, open_template, print_matches, solution_lines};
use alphorn_driver::problem::{Matching, Verdict};
use alphorn_driver::report::{Exit, json};
use std::fmt::Write;
use std::time::Instant;

/// Looks for a template.
pub fn main(args: &Match) -> u8 {
    interrupt::watch();
    matched(args).unwrap_or_else(|exit| exit) as u8
}

fn matched(args: &Match) -> Result<Exit, Exit> {
    if let Some(path) = &args.evidence
        && let Err((about, why)) = target::guard(&[&args.file, &args.template], path)
    {
        speak::complain(&about, &why, args.json);
        return Err(Exit::Usage);
    }
    let circuit = bytes_of(&args.file, &args.given, args.json)?;
    let text = bytes_of(&args.template, &args.given, args.json)?;
    let opened = open_template(&args.file, circuit, args.given.format, &text);
    speak::diagnostics(&opened.circuit, args.json);
    if let Some(exit) = exit_of(&opened.circuit) {
        return Err(exit);
    }
    speak::list(&args.template, &text, &opened.diagnostics.list, args.json);
    let Some(matching) = opened.problem else { return Err(exit_after(&opened.diagnostics)) };
    let begun = Instant::now();
    let (own, wants_all) = (matching.clone(), args.all);
    let work = move || find(&own, wants_all);
    let found = match within(args.given.time, args.given.memory, interrupt::is_pending, work) {
        Ok(Ok(found)) => found,
        Ok(Err(why)) => return Ok(unknown(args, &why, begun)),
        Err(Unfinished::Limit(limit)) => return Ok(unknown(args, limit.describe(), begun)),
        Err(Unfinished::Failed(text)) => {
            speak::complain(&args.file, &format!("a fault of this program: {text}"), args.json);
            return Err(Exit::Internal);
        }
    };
    let verdict = found.verdict();
    let answered = answered(verdict);
    let milliseconds = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    if args.json {
        let word = answered.verdict.to_lowercase();
        let matches = solutions(&matching, verdict);
        let checked = Some(answered.checked.as_str());
        let detail = &answered.detail;
        speak::object(&json::matched(&args.file, &word, detail, &matches, checked, milliseconds));
    } else {
        let mut out = format!(
            "{}: {}  {}  {:.2} s\n",
            args.file,
            answered.verdict,
            answered.detail,
            milliseconds as f64 / 1000.0
        );
        lines(&mut out, &solutions(&matching, verdict));
        let _ = writeln!(out, "  checked   {}", answered.checked);
        speak::out(&out);
    }
    let text = args.evidence.as_ref().map(|_| print_matches(&matching, verdict));
    let written = speak::write_all([(&args.evidence, text)], args.json);
    if written != Exit::Safe {
        return Err(written);
    }
    Ok(match verdict {
        Verdict::Safe(all) if all.matches.is_empty() => Exit::Unsafe,
        _ => Exit::Safe,
    })
}

fn unknown(args: &Match, why: &str, begun: Instant) -> Exit {
    if args.json {
        let milliseconds = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        speak::object(&json::matched(&args.file, "unknown", why, &[], None, milliseconds));
    } else {
        speak::out(&format!("{}: UNKNOWN  {why}\n", args.file));
    }
    Exit::Unknown
}

/// The orders and settings of each match, by their names.
fn solutions(matching: &Matching, verdict: &Verdict<Matching>) -> Vec<Vec<(String, String)>> {
    let matches = match verdict {
        Verdict::Unsafe(found) => std::slice::from_ref(found),
        Verdict::Safe(all) => &all.matches[..],
    };
    let named = |line: &String| {
        let mut words = line.split_ascii_whitespace().skip(1);
        let name = words.next().unwrap_or_default().to_owned();
        (name, words.collect::<Vec<&str>>().join(" "))
    };
    let of = |solution| solution_lines(matching, solution).iter().map(named).collect();
    matches.iter().map(|found| of(&found.solution)).collect()
}

/// The orders and settings of matches, as people read them.
fn lines(out: &mut String, matches: &[Vec<(String, String)>]) {
    for (place, found) in matches.iter().enumerate() {
        if matches.len() > 1 {
            let _ = writeln!(out, "  match {}", place + 1);
        }
        for (name, value) in found {
            let _ = writeln!(out, "  {name:<9} {value}");
        }
    }
}
