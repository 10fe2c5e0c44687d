//! What `--json` carries with an answer.

use crate::evidence::{AnyEvidence, told};
use crate::invariant::lines;
use crate::open::Opened;
use crate::source::{Annotation, Kind, Line, Lines, annotations, proof_of, run_of, story};
use crate::waveform::waveform;
use alphorn_front::c::print::Style;
use alphorn_report::carried::{
    Carried, MAX_BYTES, Run, SignalValues, SourceFormula, SourceStep, TreeStep,
};
use alphorn_report::runs;

/// The most statements of a run that are carried unless all are wanted.
const MAX_STEPS: usize = 4_000;

/// Which parts are carried however large they are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Whole {
    /// The model, or the invariant.
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
            rounds: line.rounds,
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
    if let Some(told) = told(opened, evidence) {
        let runs = runs::value(&told);
        match whole.model || runs.to_string().len() <= MAX_BYTES {
            true => out.runs = Some(runs),
            false => out.left_out.push("runs: they are large; use --model=all".to_owned()),
        }
    }
    source(opened, evidence, whole, &mut out);
    out
}

/// What evidence says about the source of a program.
fn source(opened: &Opened, evidence: &AnyEvidence, whole: Whole, out: &mut Carried) {
    let lines = Lines::of(&opened.bytes);
    if let Some((task, proof)) = proof_of(evidence) {
        let mut all = annotations(&task, proof, &opened.bytes, Style::C);
        all.retain(|note| matches!(note.kind, Kind::Loop | Kind::Label));
        let contracts = annotations(&task, proof, &opened.bytes, Style::Acsl);
        let is_contract = |note: &Annotation| matches!(note.kind, Kind::Requires | Kind::Ensures);
        all.extend(contracts.into_iter().filter(is_contract));
        let mut found = Vec::new();
        for note in all {
            let (line, column) = lines.place(note.span.start);
            for formula in note.formulas {
                let (kind, function) = (note.kind.word(), note.function.clone());
                found.push(SourceFormula { kind, line, column, function, formula });
            }
        }
        out.annotations = Some(found);
    }
    if let Some((task, run)) = run_of(evidence) {
        let story = story(&task, run, &opened.bytes);
        if let Some((_, count)) = story.missing {
            out.left_out.push(format!("steps: {count} in the middle of the run"));
        }
        if story.lines.len() > MAX_STEPS && !whole.trace {
            out.left_out.push("steps: they are many; use --trace=all".to_owned());
            return;
        }
        let step = |line: &Line| {
            let (at, column) = lines.place(line.span.start);
            let Line { function, depth, thread, values, .. } = line.clone();
            SourceStep { line: at, column, function, depth, thread, values }
        };
        out.steps = Some(story.lines.iter().map(step).collect());
    }
}
