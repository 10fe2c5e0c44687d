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

use super::Fallible;
use super::circuit::{self, Lines};
use crate::diag::{Code, Diagnostic};
use alphorn_problem::circuit::{Circuit, Latch, Lit};
use alphorn_problem::evidence::circuit::Invariant;
use alphorn_problem::evidence::words::{
    Abstraction, Address, BitInvariant, WordCertificate, WordInvariant,
};
use alphorn_problem::monitor::{MAX_COUNT, Monitor};
use alphorn_problem::obligation::blast::{Goal, Layout};
use alphorn_problem::{Span, Words};
use alphorn_term::{Bv, Sort};
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

/// More latches than a monitor adds.
const MAX_ADDED: usize = 1 << 30;

/// A row of latches that has a name: a state, or a cell of an array.
struct Field {
    name: String,
    first: usize,
    width: usize,
}

/// All latches, by name.
struct Fields {
    /// In the order of the latches.
    list: Vec<Field>,
    first_latch: usize,
}

impl Fields {
    fn new(words: &Words, layout: &Layout, monitor: Option<Monitor>) -> Fields {
        let (terms, shape) = (&words.terms, layout.shape(words));
        let name = |place: usize| terms.var_name(words.states[place].var).unwrap_or("?");
        let addresses: Vec<String> = (layout.abstraction().cells.iter())
            .map(|address| match address {
                Address::Word(word) => word.to_string(),
                Address::State(place) => name(*place).to_owned(),
            })
            .collect();
        let mut list = Vec::new();
        for (&place, range) in layout.states().iter().zip(layout.latches()) {
            let sort = terms.sort(words.states[place].var);
            let width = match terms.sort_of(sort) {
                Sort::Array(_, element) => shape.bits(*element).unwrap_or(1).max(1),
                _ => range.len().max(1),
            };
            for first in range.clone().step_by(width) {
                let name = match terms.sort_of(sort) {
                    Sort::Array(..) => {
                        let bit =
                            shape.bit_name(sort, name(place), first - range.start, &addresses);
                        bit.strip_suffix("[0]").unwrap_or(&bit).to_owned()
                    }
                    _ => name(place).to_owned(),
                };
                list.push(Field { name, first, width });
            }
        }
        // A monitor's inputs and latches come after those of the system.
        let more = monitor.map_or(0, |monitor| monitor.inputs() as usize);
        if monitor.is_some() {
            let (first, width) = (layout.latches_len(), MAX_ADDED);
            list.push(Field { name: "monitor".to_owned(), first, width });
        }
        Fields { list, first_latch: 1 + layout.inputs_len() + more }
    }

    /// The bits at the start of a row that belong together: adjacent latches of one field.
    fn run<'b>(&self, bits: &'b [(usize, bool)]) -> Option<(&Field, &'b [(usize, bool)])> {
        let (start, _) = *bits.first()?;
        let after = self.list.partition_point(|field| field.first <= start);
        let field = &self.list[after.checked_sub(1)?];
        let adjacent = bits.iter().zip(start..field.first + field.width);
        let count = adjacent.take_while(|((latch, _), at)| latch == at).count();
        (count > 0).then(|| (field, &bits[..count]))
    }

    /// A clause as the negation of a cube of words.
    fn clause(&self, clause: &[Lit]) -> String {
        let place = |lit: &Lit| (lit.var() as usize).checked_sub(self.first_latch);
        // The cube: latches, and the values that they never have together.
        let bits = clause.iter().filter_map(|lit| Some((place(lit)?, lit.is_negated())));
        let mut bits: Vec<(usize, bool)> = bits.collect();
        bits.sort_unstable();
        bits.dedup();
        let (mut rest, mut parts) = (&bits[..], Vec::new());
        while let Some((field, run)) = self.run(rest) {
            parts.push(field.equation(run));
            rest = &rest[run.len()..];
        }
        match &parts[..] {
            [] => "false".to_owned(),
            [(_, unequal)] => unequal.clone(),
            _ => {
                let all: Vec<&str> = parts.iter().map(|(equal, _)| equal.as_str()).collect();
                format!("!({})", all.join(" & "))
            }
        }
    }

    /// A list of rows of bits as rows of words.
    fn rows(&self, latches: &[u32], states: &[Vec<bool>]) -> Vec<String> {
        let (mut names, mut lengths) = (Vec::new(), Vec::new());
        let bits: Vec<(usize, bool)> = latches.iter().map(|&at| (at as usize, false)).collect();
        let mut rest = &bits[..];
        while let Some((field, run)) = self.run(rest) {
            names.push(field.part(run));
            lengths.push(run.len());
            rest = &rest[run.len()..];
        }
        let mut lines = match (names.len(), states.len()) {
            (0, _) => return vec!["true: the property needs no more".to_owned()],
            (1, 1) => vec![format!("{} is:", names[0])],
            (1, count) => vec![format!("{} is one of these {count}:", names[0])],
            (_, 1) => vec![format!("{} are, in this order:", names.join(" "))],
            (_, count) => vec![format!("{} are one of these {count}:", names.join(" "))],
        };
        for state in states {
            let mut rest = &state[..];
            let mut row = Vec::with_capacity(lengths.len());
            for &length in &lengths {
                let (word, others) = rest.split_at(length.min(rest.len()));
                row.push(number(word));
                rest = others;
            }
            lines.push(row.join(" "));
        }
        lines
    }
}

impl Field {
    /// The name of adjacent bits.
    fn part(&self, bits: &[(usize, bool)]) -> String {
        let (low, high) = (bits[0].0 - self.first, bits[bits.len() - 1].0 - self.first);
        match (bits.len() == self.width, low == high) {
            (true, _) => self.name.clone(),
            (false, true) => format!("{}[{low}]", self.name),
            (false, false) => format!("{}[{high}:{low}]", self.name),
        }
    }

    /// That adjacent bits have these values, and that they do not.
    fn equation(&self, bits: &[(usize, bool)]) -> (String, String) {
        let name = self.part(bits);
        if let [(_, value)] = bits {
            let negated = format!("!{name}");
            return if *value { (name, negated) } else { (negated, name) };
        }
        let values: Vec<bool> = bits.iter().map(|(_, bit)| *bit).collect();
        let value = number(&values);
        (format!("{name} == {value}"), format!("{name} != {value}"))
    }
}

/// A word for people, lowest bit first: as a number, unless it is very long.
fn number(bits: &[bool]) -> String {
    if bits.len() <= 64 {
        return bits.iter().rev().fold(0u64, |n, bit| n << 1 | u64::from(*bit)).to_string();
    }
    let digits = bits.iter().rev().map(|&bit| if bit { '1' } else { '0' });
    format!("#b{}", digits.collect::<String>())
}
