//! Invariants about the bits of a word-level system as text.
//!
//! A certificate looks like one about a circuit, with lines that say which circuit is meant:
//!
//! ```text
//! alphorn-certificate 1
//! property 0                  or, for justice: justice 0 count 3, justice 0 loop
//! follow 0 2 3                the states that become latches, by position
//! cell #b0101                 a cell that is followed in large arrays, at this index
//! cell state 3                … or where this state points to
//! c count != 5                what the invariant says, for people
//! invariant clauses
//! -1 3 0                      1 is the lowest bit of the first state that is followed
//! …
//! ```
//!
//! For people, the literals of a clause are put together to words: a clause says that some cube is
//! never seen, and the cube is a conjunction of equations of words, or parts of words, with values.

mod fields;

use super::circuit::Lines;
use super::{Fallible, circuit};
use crate::diag::{Code, Diagnostic};
use alphorn_problem::circuit::{Circuit, Latch, Lit};
use alphorn_problem::evidence::circuit::Invariant;
use alphorn_problem::evidence::words::{
    Abstraction, Address, BitInvariant, WordCertificate, WordInvariant,
};
use alphorn_problem::monitor::{MAX_COUNT, Monitor};
use alphorn_problem::obligation::blast::{Goal, Layout};
use alphorn_problem::{Span, Words};
use alphorn_term::Bv;
use fields::Fields;
use std::fmt::Write;

/// Whether a certificate about bits begins here.
pub(super) fn opens(text: &[u8]) -> bool {
    text.starts_with(b"alphorn-certificate")
}

/// A certificate as text.
pub(super) fn print(words: &Words, property: usize, found: &BitInvariant) -> String {
    let mut out = format!("{}\n", circuit::HEADER);
    let (monitor, invariant) = parts_of(&found.invariant);
    circuit::print_property(&mut out, property, monitor);
    out.push_str("follow");
    for state in &found.abstraction.states {
        let _ = write!(out, " {state}");
    }
    out.push('\n');
    for address in &found.abstraction.cells {
        let _ = match address {
            Address::Word(word) => writeln!(out, "cell #b{}", binary(word)),
            Address::State(state) => writeln!(out, "cell state {state}"),
        };
    }
    if let Invariant::Clauses(_) = invariant {
        for line in in_words(words, property, found) {
            // A name may be anything, and a comment is one line.
            let _ = writeln!(out, "c {}", line.replace(char::is_control, " "));
        }
    }
    let frame = frame(words, property, &found.abstraction, monitor).unwrap_or_default();
    circuit::print_invariant(&mut out, &frame, invariant, &found.proofs);
    out
}

/// The monitor that an invariant is of, if it is of one, and the invariant itself.
fn parts_of(invariant: &Invariant) -> (Option<Monitor>, &Invariant) {
    match invariant {
        Invariant::Justice { monitor, invariant } => (Some(*monitor), invariant),
        other => (None, other),
    }
}

fn binary(word: &Bv) -> String {
    (0..word.width()).rev().map(|bit| if word.bit(bit) { '1' } else { '0' }).collect()
}

/// A circuit with the inputs and latches that the invariant's numbers refer to, and no gates. With a
/// monitor it may have a few latches too many, which the checker notices.
fn frame(
    words: &Words,
    property: usize,
    abstraction: &Abstraction,
    monitor: Option<Monitor>,
) -> Result<Circuit, String> {
    let goal = match monitor {
        Some(_) => Goal::Justice(property),
        None => Goal::Safety(property),
    };
    let layout = Layout::new(words, goal, abstraction)?;
    let conditions = words.justice.get(property).map_or(0, |justice| justice.terms.len());
    let signals = conditions + words.fairness.len();
    let (inputs, latches) = match monitor {
        None => (0, 0),
        Some(Monitor::Count { most }) if most > MAX_COUNT => {
            return Err(format!("a count of {most} is more than {MAX_COUNT}"));
        }
        Some(Monitor::Count { most }) => (0, signals + most as usize),
        Some(Monitor::Loop) => (1, 1 + signals + layout.latches_len()),
    };
    let latch = Latch { next: Lit::FALSE, reset: Lit::FALSE };
    Ok(Circuit {
        inputs: layout.inputs_len() as u32 + inputs,
        latches: vec![latch; layout.latches_len() + latches],
        ..Circuit::default()
    })
}

/// Reads a certificate that begins at `at`, and says where it ends.
pub(super) fn read(bytes: &[u8], at: usize, words: &Words) -> Fallible<(WordCertificate, usize)> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        let message = "a certificate is text, and this is not";
        return Err(Box::new(Diagnostic::error(Code::Evidence, Span::NONE, message)));
    };
    let mut lines = Lines::new(text, at);
    let (property, monitor) = circuit::property(&mut lines)?;
    let (line, span) = lines.expect("the states that are followed")?;
    let positions = line.strip_prefix("follow").map(|rest| {
        rest.split_ascii_whitespace().map(|word| word.parse().ok()).collect::<Option<Vec<usize>>>()
    });
    let Some(Some(states)) = positions else {
        return lines.wrong(span, "a line `follow` with the positions of states is expected");
    };
    let mut cells = Vec::new();
    while lines.peek().is_some_and(|line| line.starts_with("cell ")) {
        let (line, span) = lines.expect("a cell")?;
        match address(line) {
            Some(address) => cells.push(address),
            None => return lines.wrong(span, "a cell is `cell #b…` or `cell state N`"),
        }
    }
    let abstraction = Abstraction { states, cells };
    let frame = match frame(words, property, &abstraction, monitor) {
        Ok(frame) => frame,
        Err(reason) => return lines.wrong(span, reason),
    };
    let (invariant, proofs) = circuit::invariant(&mut lines, &frame)?;
    let invariant = circuit::watched(monitor, invariant);
    let found = BitInvariant { abstraction, invariant, proofs };
    let invariant = WordInvariant::Bits(Box::new(found));
    Ok((WordCertificate { property, invariant }, lines.last_end))
}

fn address(line: &str) -> Option<Address> {
    let what = line.strip_prefix("cell ")?.trim();
    match what.strip_prefix("#b") {
        Some(digits) => Bv::parse_binary(digits.as_bytes()).map(Address::Word),
        None => what.strip_prefix("state ")?.trim().parse().ok().map(Address::State),
    }
}

/// What an invariant about bits says, in words, a line per clause or row.
pub(super) fn in_words(words: &Words, property: usize, found: &BitInvariant) -> Vec<String> {
    let goal = found.goal(property);
    let Ok(layout) = Layout::new(words, goal, &found.abstraction) else { return Vec::new() };
    let (monitor, invariant) = parts_of(&found.invariant);
    let fields = Fields::new(words, &layout, monitor);
    match invariant {
        Invariant::Clauses(clauses) => {
            let mut lines: Vec<(usize, String)> =
                clauses.iter().map(|clause| (clause.len(), fields.clause(clause))).collect();
            lines.sort();
            if lines.is_empty() {
                return vec!["true: the property needs no more".to_owned()];
            }
            lines.into_iter().map(|(_, line)| line).collect()
        }
        Invariant::States { latches, states } => fields.rows(latches, states),
        Invariant::Aig(aig) => {
            let gates = aig.ands.len();
            vec![format!("a function of the states' bits of {gates} gates, in the certificate")]
        }
        // A monitor's circuit has no justice, so the checker refuses this.
        Invariant::Justice { .. } => Vec::new(),
        Invariant::KInductive { k, simple_path, lemmas } => {
            let path = if *simple_path { " through different states" } else { "" };
            let plural = if *k == 1 { "" } else { "s" };
            let held =
                if lemmas.is_empty() { "" } else { " in which these hold, as they always do:" };
            let mut lines = vec![format!(
                "the property, for it holds after any {k} good step{plural}{path}{held}"
            )];
            lines.extend(lemmas.iter().map(|clause| fields.clause(clause)));
            lines
        }
    }
}

/// The names of the latches of the circuit that an invariant is about.
pub fn latch_names(words: &Words, property: usize, found: &BitInvariant) -> Vec<String> {
    let Ok(layout) = Layout::new(words, found.goal(property), &found.abstraction) else {
        return Vec::new();
    };
    let fields = Fields::new(words, &layout, None);
    let bit = |latch: usize| fields.run(&[(latch, true)]).map(|(field, run)| field.part(run));
    (0..layout.latches_len()).map(|latch| bit(latch).unwrap_or_default()).collect()
}
