//! Evidence about safety games as text: a strategy, and the certificate of what it leaves of the game.
//!
//! ```text
//! alphorn-controller 1        or, if the environment wins: alphorn-environment 1
//! steps 12                    of the environment alone: within so many steps an error shows,
//! start 0010                  and these are first values of latches, where the game leaves them open; - is none
//! strategy                    a circuit without latches as AIGER text follows, up to a line `end`
//! aag …
//! end
//! alphorn-certificate 1       the certificate of a circuit follows, as such
//! …
//! ```
//!
//! What the inputs and outputs of a strategy are, and of which circuit the certificate is, says PROOFS.md.

use super::circuit::{Lines, aig, certificate, print_certificate};
use super::{Fallible, outcome, wrong};
use crate::aiger;
use crate::diag::Read;
use alphorn_problem::circuit::Circuit;
use alphorn_problem::evidence::circuit::{Certificate, Invariant};
use alphorn_problem::evidence::game::{Controller, Spoiler};
use alphorn_problem::obligation::game::{controlled, opposed};
use alphorn_problem::{Game, Span, Verdict};
use std::fmt::Write;

const CONTROLLER: &str = "alphorn-controller 1";
const ENVIRONMENT: &str = "alphorn-environment 1";

/// Whether evidence is about a game.
pub fn is_game_evidence(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii_start();
    text.starts_with(b"alphorn-controller") || text.starts_with(b"alphorn-environment")
}

/// A verdict's evidence as text.
pub fn print(game: &Game, verdict: &Verdict<Game>) -> String {
    let mut out = String::new();
    let (strategy, left, certificate) = match verdict {
        Verdict::Safe(Controller { circuit, certificate }) => {
            let _ = writeln!(out, "{CONTROLLER}");
            (circuit, controlled(game, circuit), certificate)
        }
        Verdict::Unsafe(found) => {
            let _ = writeln!(out, "{ENVIRONMENT}\nsteps {}", found.steps);
            let _ = writeln!(out, "start {}", row(&found.start));
            (&found.circuit, opposed(game, found), &found.certificate)
        }
    };
    // Names and comments say nothing here and could hold a line `end`.
    let bare = Circuit { symbols: Default::default(), comments: Vec::new(), ..strategy.clone() };
    let _ = writeln!(out, "strategy\n{}end", aiger::write_ascii(&bare));
    out.push_str(&print_certificate(&left.unwrap_or_default(), certificate));
    out
}

fn row(bits: &[bool]) -> String {
    match bits.is_empty() {
        true => "-".to_owned(),
        false => bits.iter().map(|bit| if *bit { '1' } else { '0' }).collect(),
    }
}

/// Reads evidence about a game: one strategy.
pub fn read(bytes: &[u8], game: &Game) -> Read<Vec<Verdict<Game>>> {
    outcome(verdict(bytes, game).map(|verdict| vec![verdict]))
}

fn verdict(bytes: &[u8], game: &Game) -> Fallible<Verdict<Game>> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return wrong(Span::NONE, "evidence about a game is text, and this is not");
    };
    let mut lines = Lines::new(text, 0);
    let (header, span) = lines.expect("the header")?;
    let verdict = match header {
        CONTROLLER => {
            let circuit = strategy(&mut lines)?;
            let left = controlled(game, &circuit);
            let certificate = certified(&mut lines, left)?;
            Verdict::Safe(Controller { circuit, certificate })
        }
        ENVIRONMENT => {
            let (line, span) = lines.expect("the number of steps")?;
            let Some(steps) = line.strip_prefix("steps ").and_then(|n| n.trim().parse().ok())
            else {
                return lines.wrong(span, "a line `steps N` is expected");
            };
            let start = bits(&mut lines, "start")?;
            let circuit = strategy(&mut lines)?;
            let invariant = Invariant::Clauses(Vec::new());
            let certificate = Certificate { property: 0, invariant, obligations: Vec::new() };
            let mut found = Spoiler { start, circuit, steps, certificate };
            let left = opposed(game, &found);
            found.certificate = certified(&mut lines, left)?;
            Verdict::Unsafe(found)
        }
        _ => {
            let message = format!("the header should be `{CONTROLLER}` or `{ENVIRONMENT}`");
            return lines.wrong(span, message);
        }
    };
    match lines.peek() {
        None => Ok(verdict),
        Some(_) => {
            let (_, span) = lines.expect("nothing")?;
            lines.wrong(span, "there is more after the end of the certificate")
        }
    }
}

fn bits(lines: &mut Lines<'_>, word: &str) -> Fallible<Vec<bool>> {
    let (line, span) = lines.expect(word)?;
    let row = line.strip_prefix(word).map(str::trim);
    let row = row.map(|row| if row == "-" { "" } else { row });
    match row.filter(|row| row.bytes().all(|bit| bit == b'0' || bit == b'1')) {
        Some(row) => Ok(row.bytes().map(|bit| bit == b'1').collect()),
        None => lines.wrong(span, format!("a line `{word}` with a row of bits is expected")),
    }
}

fn strategy(lines: &mut Lines<'_>) -> Fallible<Circuit> {
    let (line, span) = lines.expect("the strategy")?;
    if line != "strategy" {
        return lines.wrong(span, "a line `strategy` is expected");
    }
    match aig(lines)? {
        Invariant::Aig(circuit) => Ok(*circuit),
        _ => lines.wrong(span, "a strategy is a circuit"),
    }
}

/// The certificate of what a strategy leaves; where it leaves nothing the checker will say so, too.
fn certified(lines: &mut Lines<'_>, left: Result<Circuit, String>) -> Fallible<Certificate> {
    let left = match left {
        Ok(left) => left,
        Err(reason) => return wrong(lines.last(), reason),
    };
    certificate(lines, &left)
}
