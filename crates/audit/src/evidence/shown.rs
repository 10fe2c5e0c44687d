//! Evidence shown: definitions, trees, traces, graphs and witness circuits.

use super::AnyEvidence;
use crate::open::{AnyProblem, Opened};
use crate::waveform::waveform;
use alphorn_front::{aiger, evidence as text};
use alphorn_problem::evidence::circuit::Property;
use alphorn_problem::evidence::horn::Derivation;
use alphorn_problem::{Horn, Verdict};

impl AnyEvidence {
    /// The definitions of a Horn system's model: functions on datatypes and declared ones if there are any,
    /// then one per predicate.
    pub fn definitions(&self, opened: &Opened) -> Option<Vec<String>> {
        match (self, &opened.problem) {
            (AnyEvidence::Horn(checked), Some(AnyProblem::Horn(horn))) => match checked.verdict() {
                Verdict::Safe(model) => Some(text::print_interpretation(horn, model)),
                Verdict::Unsafe(_) => None,
            },
            _ => None,
        }
    }

    /// The witness circuit of a proof about a circuit, as a file of AIGER; an error where the proof has
    /// none, and nothing for other evidence.
    pub fn witness_circuit(
        &self,
        opened: &Opened,
        is_binary: bool,
    ) -> Option<Result<Vec<u8>, String>> {
        let (AnyEvidence::Circuit(checked), Some(AnyProblem::Circuit(circuit))) =
            (self, &opened.problem)
        else {
            return None;
        };
        let Verdict::Safe(certificate) = checked.verdict() else { return None };
        let (property, invariant) = (certificate.property, &certificate.invariant);
        Some(aiger::witness_circuit(circuit, property, invariant).map(|mut witness| {
            let letter = char::from(circuit.safety_kind());
            witness.comments = format!("WITNESS {letter}{property} {}\n", opened.file).into_bytes();
            match is_binary {
                true => aiger::write_binary(&witness),
                false => aiger::write_ascii(&witness).into_bytes(),
            }
        }))
    }

    /// The circuit of a game with the controller in it, as a file of AIGER in the competition's form.
    pub fn controlled_circuit(&self, opened: &Opened) -> Option<String> {
        let (AnyEvidence::Game(checked), Some(AnyProblem::Game(game))) = (self, &opened.problem)
        else {
            return None;
        };
        match checked.verdict() {
            Verdict::Safe(found) => Some(aiger::write_controlled(game, &found.circuit)),
            Verdict::Unsafe(_) => None,
        }
    }

    /// The derivation of false from a Horn system.
    pub(super) fn derivation<'e>(
        &'e self,
        opened: &'e Opened,
    ) -> Option<(&'e Horn, &'e Derivation)> {
        match (self, &opened.problem) {
            (AnyEvidence::Horn(checked), Some(AnyProblem::Horn(horn))) => match checked.verdict() {
                Verdict::Unsafe(derivation) if derivation.refuted.is_none() => {
                    Some((horn, derivation))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Where the run of a liveness property begins to repeat.
    pub(super) fn loop_start(&self, opened: &Opened) -> Option<usize> {
        let property = match self {
            AnyEvidence::Horn(_) | AnyEvidence::C(..) => return None,
            AnyEvidence::Flow(_) | AnyEvidence::Temporal(_) | AnyEvidence::Game(_) => return None,
            AnyEvidence::Circuit(checked) => match checked.verdict() {
                Verdict::Unsafe(trace) => trace.property,
                Verdict::Safe(_) => return None,
            },
            AnyEvidence::Words(checked) => match checked.verdict() {
                Verdict::Unsafe(trace) => trace.property,
                Verdict::Safe(_) => return None,
            },
        };
        match property {
            Property::Bad(_) | Property::Home(_) => None,
            Property::Justice(_) => waveform(opened, self)?.loop_start,
        }
    }

    /// The steps of the derivation of false from a Horn system.
    pub fn tree_lines(&self, opened: &Opened) -> Option<Vec<text::TreeLine>> {
        let (horn, derivation) = self.derivation(opened)?;
        Some(text::tree_lines(horn, derivation, &opened.bytes))
    }

    /// The violation in the order in which it happens, as a table; all of it, or the ends of a long one.
    pub fn trace(&self, opened: &Opened, is_all: bool) -> Option<String> {
        if let Some(wave) = waveform(opened, self) {
            return Some(alphorn_report::trace::print(&wave, is_all));
        }
        let (horn, derivation) = self.derivation(opened)?;
        Some(text::print_trace(&text::trace_lines(horn, derivation, &opened.bytes), is_all))
    }

    /// The derivation of false from a Horn system as a call tree.
    pub fn tree(&self, opened: &Opened) -> Option<String> {
        let (horn, derivation) = self.derivation(opened)?;
        Some(text::print_tree(horn, derivation, &opened.bytes))
    }

    /// The derivation of false from a Horn system as a graph in Graphviz' language.
    pub fn dot(&self, opened: &Opened) -> Option<String> {
        let (horn, derivation) = self.derivation(opened)?;
        Some(text::print_dot(horn, derivation, &opened.bytes))
    }
}
