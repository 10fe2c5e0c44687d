//! An invariant in the file's own words, a line per part.
//!
//! Clauses over latches are shown as `a | !b`, short ones first; rows of values as bits under the
//! latches' names. What is no list, a circuit or an induction, is described in a sentence.

use crate::evidence::AnyEvidence;
use crate::open::{AnyProblem, Opened};
use crate::waveform::Names;
use alphorn_front::evidence as text;
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::Invariant;
use alphorn_problem::{Circuit, Verdict};

/// The lines of the invariant that the evidence holds; nothing for Horn systems and runs.
pub fn lines(opened: &Opened, evidence: &AnyEvidence) -> Option<Vec<String>> {
    match (evidence, &opened.problem) {
        (AnyEvidence::Circuit(checked), Some(AnyProblem::Circuit(circuit))) => {
            match checked.verdict() {
                Verdict::Safe(certificate) => Some(of_circuit(circuit, &certificate.invariant)),
                Verdict::Unsafe(_) => None,
            }
        }
        (AnyEvidence::Words(checked), Some(AnyProblem::Words(words))) => match checked.verdict() {
            Verdict::Safe(certificate) => Some(text::print_word_invariant(words, certificate)),
            Verdict::Unsafe(_) => None,
        },
        _ => None,
    }
}

fn of_circuit(circuit: &Circuit, invariant: &Invariant) -> Vec<String> {
    let names = Names::of(circuit);
    match invariant {
        Invariant::Clauses(clauses) => {
            let lines = clause_lines(circuit, clauses, &names);
            if lines.is_empty() {
                return vec!["true: the property needs no more".to_owned()];
            }
            lines
        }
        Invariant::States { latches, states } => {
            let listed: Vec<String> =
                latches.iter().map(|&latch| names.name(b'l', latch as usize)).collect();
            let mut lines = match (listed.len(), states.len()) {
                (0, _) => return vec!["true: the property needs no more".to_owned()],
                (_, 1) => vec![format!("{} are, in this order:", listed.join(" "))],
                (_, count) => vec![format!("{} are one of these {count}:", listed.join(" "))],
            };
            let row = |state: &Vec<bool>| -> String {
                state.iter().map(|&bit| if bit { '1' } else { '0' }).collect()
            };
            let mut rows: Vec<String> = states.iter().map(row).collect();
            rows.sort();
            lines.extend(rows);
            lines
        }
        Invariant::Aig(aig) => {
            let gates = aig.ands.len();
            vec![format!("the function of the latches that the certificate gives as {gates} gates")]
        }
        Invariant::KInductive { k, simple_path, lemmas } => {
            let path = if *simple_path { " through different states" } else { "" };
            let plural = if *k == 1 { "" } else { "s" };
            let mut lines =
                vec![format!("the property, for it holds after any {k} good step{plural}{path}")];
            if !lemmas.is_empty() {
                lines.push("where all steps satisfy:".to_owned());
                lines.extend(clause_lines(circuit, lemmas, &names));
            }
            lines
        }
    }
}

/// Clauses over latches, the short ones first.
fn clause_lines(circuit: &Circuit, clauses: &[Vec<Lit>], names: &Names<'_>) -> Vec<String> {
    let mut lines: Vec<(usize, String)> = Vec::with_capacity(clauses.len());
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
        lines.push((clause.len(), line));
    }
    lines.sort();
    lines.into_iter().map(|(_, line)| line).collect()
}
