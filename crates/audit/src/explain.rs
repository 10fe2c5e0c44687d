//! Explanations: what of a violation counts as one value, and what evidence about what avoids it shows.
//!
//! A system over words is looked at bit by bit, in the circuit that proofs about it are about
//! (`problem::obligation::blast`); a word that differs in any of its bits counts as one change. So whoever explains a
//! run and whoever checks the explanation see the same bits.

use crate::certify::{Answered, Certified};
use crate::open::AnyProblem;
use crate::parameters::{bits_of, names};
use alphorn_check::Refusal;
use alphorn_check::accept::{Checkable, Checked, accept};
use alphorn_check::circuit::{AskedSets, Simulation};
use alphorn_front::evidence as text;
use alphorn_front::{Code, Diagnostic, Diagnostics};
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::{Bit, Property, Trace};
use alphorn_problem::evidence::flips::{Avoidance, Flip};
use alphorn_problem::obligation::blast::{Blasted, Source};
use alphorn_problem::obligation::derivation::choices;
use alphorn_problem::{Circuit, Derived, Horn, Span, Verdict, Violation, Words};
use alphorn_term::Value;
use std::fmt;

/// A word: what it is, its name, and its bits by variable, the lowest first.
#[derive(Clone, Debug)]
pub struct Word {
    /// An input, a latch, a state.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// Its bits.
    pub bits: Vec<u32>,
}

/// A circuit whose runs are explained, and what of it is one word.
#[derive(Clone, Debug)]
pub struct Explicable {
    /// The circuit, with a run of no steps.
    pub violation: Violation,
    /// The words.
    pub words: Vec<Word>,
}

impl Explicable {
    fn new(circuit: Circuit, words: Vec<Word>) -> Explicable {
        let trace = Trace { property: Property::Bad(0), start: Vec::new(), inputs: Vec::new() };
        let mut violation = Violation::of(circuit, trace);
        for (number, word) in words.iter().enumerate() {
            for var in &word.bits {
                violation.words[*var as usize - 1] = number;
            }
        }
        Explicable { violation, words }
    }

    /// A circuit, in which each bit is for itself.
    pub fn of_circuit(circuit: &Circuit) -> Explicable {
        let word = |kind, (var, name)| Word { kind, name, bits: vec![var] };
        let inputs = (1..).zip(names(circuit, b'i')).map(|named| word("input", named));
        let latches = (1 + circuit.inputs..).zip(names(circuit, b'l'));
        let words = inputs.chain(latches.map(|named| word("latch", named))).collect();
        Explicable::new(circuit.clone(), words)
    }

    /// A system over words that was written out in bits, or why its runs are not explained.
    pub fn of_words(words: &Words, blasted: &Blasted) -> Result<Explicable, String> {
        let Blasted { circuit, layout } = blasted;
        let name = |var| words.terms.var_name(var).unwrap_or("?").to_owned();
        let mut all = Vec::new();
        for (source, range) in layout.inputs() {
            let (kind, var) = match *source {
                Source::Input(index) => ("input", words.inputs[index]),
                Source::Next(index) => ("next value of", words.states[index].var),
                Source::State(_) | Source::Open(_) => {
                    return Err("a value of the run is not made of bits".into());
                }
            };
            let bits = range.clone().map(|index| circuit.input(index).var()).collect();
            all.push(Word { kind, name: name(var), bits });
        }
        for (&state, range) in layout.states().iter().zip(layout.latches()) {
            let bits = range.clone().map(|index| circuit.latch(index).var()).collect();
            all.push(Word { kind: "state", name: name(words.states[state].var), bits });
        }
        Ok(Explicable::new(circuit.clone(), all))
    }

    fn of(problem: &AnyProblem) -> Result<Explicable, String> {
        match problem {
            AnyProblem::Circuit(circuit) => Ok(Explicable::of_circuit(circuit)),
            AnyProblem::Words(words) => Explicable::of_words(words, &bits_of(words)?),
            _ => Err("explanations are about circuits, systems over words and Horn clauses".into()),
        }
    }
}

/// A value that would have been another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The step.
    pub step: usize,
    /// What it is: an input, a latch, a state, a choice.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// What it was.
    pub from: String,
    /// What it would have been.
    pub to: String,
}

impl fmt::Display for Changed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Changed { step, kind, name, from, to } = self;
        write!(f, "step {step}: {kind} {name} = {to} instead of {from}")
    }
}

/// An explanation that was checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explained {
    /// What was found, in a sentence.
    pub summary: String,
    /// How many changes each set has; none if there is no set.
    pub size: Option<usize>,
    /// The sets, each of which avoids the violation.
    pub sets: Vec<Vec<Changed>>,
    /// What is known besides, and how: a sentence each.
    pub known: Vec<String>,
}

impl Explained {
    fn answered(&self) -> Answered {
        let set = |set: &Vec<Changed>| {
            let changes: Vec<String> = set.iter().map(Changed::to_string).collect();
            changes.join(", ")
        };
        let sets: Vec<String> = self.sets.iter().map(set).collect();
        let detail = match sets.is_empty() {
            true => self.summary.clone(),
            false => format!("{}: {}", self.summary, sets.join("; ")),
        };
        Answered { verdict: "EXPLAINED", detail, checked: self.known.join("; ") }
    }
}

/// Checks an explanation of a violation of the problem.
pub(crate) fn certify(problem: &AnyProblem, wanted: Option<Property>, bytes: &[u8]) -> Certified {
    if let AnyProblem::Horn(horn) = problem {
        return certify_derived(horn, bytes);
    }
    let explicable = match Explicable::of(problem) {
        Ok(explicable) => explicable,
        Err(reason) => {
            let mut diagnostics = Diagnostics::default();
            diagnostics.push(Diagnostic::error(Code::Evidence, Span::NONE, reason));
            return Certified::Unreadable(diagnostics);
        }
    };
    let (read, diagnostics) = text::read_violation(bytes, &explicable.violation);
    let Some((violation, verdict)) = read.filter(|_| diagnostics.is_clean()) else {
        return Certified::Unreadable(diagnostics);
    };
    if wanted.is_some_and(|wanted| wanted != violation.trace.property) {
        return Certified::Refused(Refusal::new("question", "it is about another property"));
    }
    let asked = Violation::claimed(&verdict);
    let accepted = accept(&violation, asked, verdict);
    match accepted.and_then(|checked| explained(&violation, &explicable.words, &checked)) {
        Ok(explained) => Certified::Answered(explained.answered()),
        Err(refusal) => Certified::Refused(refusal),
    }
}

fn certify_derived(horn: &Horn, bytes: &[u8]) -> Certified {
    let (read, diagnostics) = text::read_derived(bytes, horn);
    let Some((derived, verdict)) = read.filter(|_| diagnostics.is_clean()) else {
        return Certified::Unreadable(diagnostics);
    };
    match accept(&derived, (), verdict) {
        Ok(checked) => Certified::Answered(explained_choices(&derived, &checked).answered()),
        Err(refusal) => Certified::Refused(refusal),
    }
}

/// What a checked explanation of a run says.
pub fn explained(
    violation: &Violation,
    words: &[Word],
    checked: &Checked<Violation>,
) -> Result<Explained, Refusal> {
    let (Verdict::Safe(own) | Verdict::Unsafe(own)) = checked.verdict();
    let what = match (violation.inputs, violation.latches) {
        (true, false) => "inputs",
        (false, true) => "latches",
        _ => "values",
    };
    let mut explained = Explained::default();
    for set in &own.sets {
        explained.sets.push(changes(violation, words, set)?);
    }
    explained.size = (!own.sets.is_empty()).then_some(own.size);
    explained.summary = summary(own, *checked.asked(), what);
    if !own.sets.is_empty() {
        let known = "each was checked by simulating the run with it and without it";
        explained.known.push(known.to_owned());
    }
    let steps = own.others.as_ref().map_or(0, |others| others.proof.steps.len());
    let how = format!("by a refutation of {steps} step{}", if steps == 1 { "" } else { "s" });
    explained.known.push(match (checked.asked(), explained.size) {
        (AskedSets::Some, _) => "there may be others, and smaller ones".to_owned(),
        (AskedSets::Smallest, Some(1)) => "there may be others".to_owned(),
        (AskedSets::Smallest, _) => format!("no smaller set does, {how}; there may be others"),
        (AskedSets::All, None) => how,
        (AskedSets::All, Some(1)) => format!("no other does, {how}"),
        (AskedSets::All, Some(_)) => {
            format!("no other set of this size and no smaller one does, {how}")
        }
    });
    Ok(explained)
}

fn summary(own: &Avoidance, asked: AskedSets, what: &str) -> String {
    let most = own.others.as_ref().map(|others| others.most);
    let listed = if asked == AskedSets::All { "" } else { "at least " };
    match (own.size, own.sets.len()) {
        (_, 0) => match most.flatten() {
            None => format!("no change of {what} avoids the violation within its steps"),
            Some(most) => format!("no change of up to {most} {what} avoids the violation"),
        },
        (1, 1) => format!("{listed}1 value would have avoided the violation"),
        (1, count) => {
            format!("{listed}{count} values would have avoided the violation, each by itself")
        }
        (size, 1) => format!("{listed}1 set of {size} values would have avoided the violation"),
        (size, count) => {
            format!("{listed}{count} sets of {size} values would have avoided the violation")
        }
    }
}

/// The changes that flips are, in words, in the run that has them.
fn changes(violation: &Violation, words: &[Word], flips: &[Flip]) -> Result<Vec<Changed>, Refusal> {
    let Violation { circuit, trace, .. } = violation;
    let mut simulation =
        Simulation::<bool>::new(circuit).map_err(|reason| Refusal::new("circuit", reason))?;
    let mut changes = Vec::new();
    for (step, row) in trace.inputs.iter().enumerate() {
        for (index, bit) in row.iter().enumerate() {
            simulation.set(circuit.input(index).var(), *bit == Bit::One);
        }
        flip(&mut simulation, words, flips, step, |var| var <= circuit.inputs, &mut changes);
        if step == 0 {
            for (index, bit) in trace.start.iter().enumerate() {
                simulation.set(circuit.latch(index).var(), *bit == Bit::One);
            }
            simulation.reset();
        }
        flip(&mut simulation, words, flips, step, |var| var > circuit.inputs, &mut changes);
        simulation.settle();
        simulation.advance();
    }
    Ok(changes)
}

fn flip(
    simulation: &mut Simulation<'_, bool>,
    words: &[Word],
    flips: &[Flip],
    step: usize,
    is_now: impl Fn(u32) -> bool,
    changes: &mut Vec<Changed>,
) {
    let is_flipped = |var: &u32| flips.binary_search(&Flip { step, var: *var }).is_ok();
    for word in words.iter().filter(|word| word.bits.iter().any(|var| is_now(*var))) {
        if !word.bits.iter().any(is_flipped) {
            continue;
        }
        let from = shown(simulation, word);
        for var in word.bits.iter().filter(|var| is_flipped(var)) {
            let other = simulation.value(Lit::new(*var, true));
            simulation.set(*var, other);
        }
        let (kind, name) = (word.kind, word.name.clone());
        changes.push(Changed { step, kind, name, from, to: shown(simulation, word) });
    }
}

/// The value of a word: a bit, or as many as there are, the highest first.
fn shown(simulation: &Simulation<'_, bool>, word: &Word) -> String {
    let bit = |var: &u32| if simulation.value(Lit::new(*var, false)) { '1' } else { '0' };
    let bits: String = word.bits.iter().rev().map(bit).collect();
    if word.bits.len() == 1 { bits } else { format!("#b{bits}") }
}

/// What a checked explanation of a derivation says.
pub fn explained_choices(derived: &Derived, checked: &Checked<Derived>) -> Explained {
    let Derived { horn, derivation } = derived;
    let Verdict::Unsafe(changed) = checked.verdict() else {
        let summary = "the derivation has no choices: every value follows from the clauses";
        let known = vec!["by looking at every step".to_owned()];
        return Explained { summary: summary.to_owned(), known, ..Explained::default() };
    };
    let mut explained = Explained::default();
    for set in &changed.sets {
        let changes = set.changes.iter().map(|change| {
            let step = &derivation.steps[change.step];
            let var = horn.clause(step.clause).vars[change.var];
            Changed {
                step: change.step,
                kind: "choice",
                name: horn.terms.var_name(var).unwrap_or("?").to_owned(),
                from: value_text(horn, &step.values[change.var]),
                to: match &change.value {
                    Some(value) => value_text(horn, value),
                    None => "anything else".to_owned(),
                },
            }
        });
        explained.sets.push(changes.collect());
    }
    let sizes = changed.sets.iter().map(|set| set.changes.len());
    explained.size = sizes.max();
    let all: usize = derivation.steps.iter().map(|step| choices(horn, step.clause).len()).sum();
    let (count, is_single) = (explained.sets.len(), explained.size == Some(1));
    explained.summary = match (is_single, count) {
        (true, _) => format!("{count} of {all} choices matter"),
        (false, 1) => format!("of {all} choices none was seen to matter by itself, but 1 set does"),
        (false, _) => {
            format!("of {all} choices none was seen to matter by itself, but {count} sets do")
        }
    };
    let known = "with each the same clauses do not derive false, all other choices being the same: \
                 a refutation of that was checked";
    explained.known.push(known.to_owned());
    explained
}

fn value_text(horn: &Horn, value: &Value) -> String {
    let mut store = horn.terms.clone();
    match store.value_term(value) {
        Some(term) => store.show(term),
        None => "a value".to_owned(),
    }
}
