//! What `--json` carries with an answer.

use crate::evidence::AnyEvidence;
use crate::invariant::lines;
use crate::open::Opened;
use crate::waveform::waveform;
use alphorn_report::carried::{Carried, MAX_BYTES, Run, SignalValues, TreeStep};

/// Which parts are carried however large they are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Whole {
    /// The model.
    pub model: bool,
    /// The run, and the derivation.
    pub trace: bool,
}

/// The parts of the evidence as data.
pub fn carried(opened: &Opened, evidence: &AnyEvidence, whole: Whole) -> Carried {
    let mut out = Carried::default();
    let text = evidence.text(opened);
    match text.len() <= MAX_BYTES {
        true => out.evidence_text = Some(text),
        false => out.left_out.push("evidence_text: it is large; use --evidence FILE".to_owned()),
    }
    if let Some(model) = evidence.definitions(opened).or_else(|| lines(opened, evidence)) {
        let size: usize = model.iter().map(String::len).sum();
        match whole.model || size <= MAX_BYTES {
            true => out.model = Some(model),
            false => out.left_out.push("model: it is large; use --model=all".to_owned()),
        }
    }
    if let Some(tree) = evidence.tree_lines(opened) {
        let size: usize = tree.iter().map(|line| line.fact.len() + line.clause.len()).sum();
        let step = |line: alphorn_front::evidence::TreeLine| TreeStep {
            step: line.step,
            fact: line.fact,
            clause: line.clause,
            values: line.changes.into_iter().flatten().chain(line.values).collect(),
            premises: line.premises,
        };
        match whole.trace || size <= MAX_BYTES {
            true => out.tree = Some(tree.into_iter().map(step).collect()),
            false => out.left_out.push("tree: it is large; use --trace=all".to_owned()),
        }
    }
    if let Some(wave) = waveform(opened, evidence) {
        let size: usize = wave.signals.iter().map(|signal| signal.bits.len()).sum();
        let steps = wave.steps();
        let values = |signal: &alphorn_report::waveform::Signal| SignalValues {
            role: signal.role.word(),
            name: signal.name.clone(),
            width: signal.width,
            values: (0..steps).map(|step| signal.value(step).to_owned()).collect(),
        };
        match whole.trace || size <= MAX_BYTES {
            true => {
                let signals = wave.signals.iter().map(values).collect();
                out.trace = Some(Run { steps, loop_start: wave.loop_start, signals });
            }
            false => out.left_out.push("trace: it is large; use --trace=all".to_owned()),
        }
    }
    out
}
