//! An invariant in the file's own words, a line per part.
//!
//! Clauses over latches are shown as `a | !b`, short ones first; rows of values as bits under the
//! latches' names; a circuit as formulas, if it is small. An induction is described in a sentence.

mod formula;

use crate::evidence::AnyEvidence;
use crate::open::{AnyProblem, Opened};
use crate::waveform::Names;
use alphorn_front::evidence as text;
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::{Certificate, Invariant};
use alphorn_problem::evidence::words::{WordCertificate, WordInvariant};
use alphorn_problem::{Circuit, Verdict, Words};

/// The lines of the invariant that the evidence holds, or of what it says about a flow's runs; nothing for
/// Horn systems and runs of circuits.
pub fn lines(opened: &Opened, evidence: &AnyEvidence) -> Option<Vec<String>> {
    match (evidence, &opened.problem) {
        (AnyEvidence::Circuit(checked), Some(AnyProblem::Circuit(circuit))) => {
            match checked.verdict() {
                Verdict::Safe(certificate) => Some(of_certificate(circuit, certificate)),
                Verdict::Unsafe(_) => None,
            }
        }
        (AnyEvidence::Words(checked), Some(AnyProblem::Words(words))) => match checked.verdict() {
            Verdict::Safe(certificate) => Some(of_words(words, certificate)),
            Verdict::Unsafe(_) => None,
        },
        (AnyEvidence::Flow(checked), Some(AnyProblem::Flow(flow))) => {
            Some(text::flow_told(flow, checked.verdict()).lines())
        }
        (AnyEvidence::Temporal(checked), Some(AnyProblem::Temporal(problem))) => {
            Some(text::temporal_told(problem, checked.verdict()).lines())
        }
        _ => None,
    }
}

fn of_words(words: &Words, certificate: &WordCertificate) -> Vec<String> {
    if let WordInvariant::Bits(bits) = &certificate.invariant
        && let Invariant::Aig(aig) = &bits.invariant
    {
        let names = text::latch_names(words, certificate.property, bits);
        let name = |latch: usize| names.get(latch).cloned().unwrap_or_default();
        let output = aig.outputs.first().copied().unwrap_or(Lit::TRUE);
        if let Some(lines) = formula::lines(aig, output, name) {
            return lines;
        }
    }
    text::print_word_invariant(words, certificate)
}

fn of_certificate(circuit: &Circuit, certificate: &Certificate) -> Vec<String> {
    let Invariant::Justice { monitor, invariant } = &certificate.invariant else {
        return of_circuit(circuit, &certificate.invariant);
    };
    match monitor.build(circuit, certificate.property) {
        // The circuit's own inputs and latches come first, so that its names still fit.
        Ok(watched) => {
            let symbols = circuit.symbols.clone();
            of_circuit(&Circuit { symbols, ..watched }, invariant)
        }
        Err(reason) => vec![reason],
    }
}

fn of_circuit(circuit: &Circuit, invariant: &Invariant) -> Vec<String> {
    let names = Names::of(circuit);
    match invariant {
        Invariant::Clauses(clauses) => {
            if clauses.is_empty() {
                return vec!["true: the property needs no more".to_owned()];
            }
            clause_lines(circuit, &names, clauses)
        }
        Invariant::States { latches, states } => {
            let listed: Vec<String> =
                latches.iter().map(|&latch| names.name(b'l', latch as usize)).collect();
            if listed.is_empty() {
                return vec!["true: the property needs no more".to_owned()];
            }
            let mut lines = vec![rows_of(&listed, states.len())];
            let row = |state: &Vec<bool>| -> String {
                state.iter().map(|&bit| if bit { '1' } else { '0' }).collect()
            };
            let mut rows: Vec<String> = states.iter().map(row).collect();
            rows.sort();
            lines.extend(rows);
            lines
        }
        Invariant::Aig(aig) => {
            let output = aig.outputs.first().copied().unwrap_or(Lit::TRUE);
            formula::lines(aig, output, |latch| names.name(b'l', latch)).unwrap_or_else(|| {
                let gates = aig.ands.len();
                vec![format!("a function of the latches of {gates} gates, in the certificate")]
            })
        }
        Invariant::KInductive { k, simple_path, lemmas } => {
            let path = if *simple_path { " through different states" } else { "" };
            let plural = if *k == 1 { "" } else { "s" };
            let held =
                if lemmas.is_empty() { "" } else { " in which these hold, as they always do:" };
            let first =
                format!("the property, for it holds after any {k} good step{plural}{path}{held}");
            let mut lines = vec![first];
            lines.extend(clause_lines(circuit, &names, lemmas));
            lines
        }
        Invariant::Justice { invariant, .. } => of_circuit(circuit, invariant),
    }
}

/// Clauses over the names of latches, the short ones first.
fn clause_lines(circuit: &Circuit, names: &Names<'_>, clauses: &[Vec<Lit>]) -> Vec<String> {
    let mut lines: Vec<(Vec<(usize, bool)>, String)> = Vec::with_capacity(clauses.len());
    for clause in clauses {
        let mut literals: Vec<(usize, bool)> = (clause.iter())
            .map(|lit| ((lit.var() - 1 - circuit.inputs) as usize, lit.is_negated()))
            .collect();
        literals.sort_unstable();
        let word = |(latch, negated): &(usize, bool)| {
            format!("{}{}", if *negated { "!" } else { "" }, names.name(b'l', *latch))
        };
        let words: Vec<String> = literals.iter().map(word).collect();
        let line = if words.is_empty() { "false".to_owned() } else { words.join(" | ") };
        lines.push((literals, line));
    }
    lines.sort_by(|(a, _), (b, _)| (a.len(), a).cmp(&(b.len(), b)));
    lines.into_iter().map(|(_, line)| line).collect()
}

/// What stands above rows of values: what they are values of.
fn rows_of(names: &[String], count: usize) -> String {
    let is = if names.len() == 1 { "is" } else { "are" };
    let names = ranges(names).join(" ");
    match count {
        1 => format!("{names} {is}:"),
        _ => format!("{names} {is} one of these {count}:"),
    }
}

/// The names, where those that are numbered one after the other are a range: `l0 … l7`.
fn ranges(names: &[String]) -> Vec<String> {
    let numbered = |name: &str| -> Option<(String, u64)> {
        let end = name.trim_end_matches(|c: char| !c.is_ascii_digit());
        let start = end.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = end[start.len()..].parse().ok()?;
        Some((format!("{start}#{}", &name[end.len()..]), number))
    };
    let mut out = Vec::new();
    let mut at = 0;
    while at < names.len() {
        let mut end = at + 1;
        while end < names.len()
            && let (Some((stem, number)), Some((next_stem, next))) =
                (numbered(&names[end - 1]), numbered(&names[end]))
            && stem == next_stem
            && next == number + 1
        {
            end += 1;
        }
        match end - at {
            1 => out.push(names[at].clone()),
            2 => out.extend(names[at..end].iter().cloned()),
            _ => out.push(format!("{} … {}", names[at], names[end - 1])),
        }
        at = end;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_names_are_ranges() {
        let names = ["go", "x[0]", "x[1]", "x[2]", "y[3]", "y[4]", "l7", "l9"];
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let expected = ["go", "x[0] … x[2]", "y[3]", "y[4]", "l7", "l9"];
        assert_eq!(ranges(&names), expected);
        assert_eq!(rows_of(&names[..1], 3), "go is one of these 3:");
    }
}
