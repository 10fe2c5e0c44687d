//! Circuits with parameters: which latches are parameters, and what evidence about a front shows.
//!
//! A system over words is looked at bit by bit: its circuit is made by the code that proofs on bits go
//! through (`problem::obligation::blast`), with all of its states, so that whoever asks and whoever checks
//! sees the same latches.

use crate::certify::{Answered, Certified};
use crate::open::AnyProblem;
use alphorn_check::accept::{Checkable, Checked, accept};
use alphorn_front::evidence as text;
use alphorn_front::{Code, Diagnostic, Diagnostics};
use alphorn_problem::circuit::Symbols;
use alphorn_problem::evidence::circuit::Property;
use alphorn_problem::evidence::front::{Front, Monotony};
use alphorn_problem::evidence::words::Abstraction;
use alphorn_problem::obligation::blast::{Blasted, Goal, blast_within};
use alphorn_problem::parameters::{Cost, Parametric};
use alphorn_problem::{Circuit, Span, Verdict, Words};
use alphorn_term::Meter;
use std::fmt::Write;

/// The most ticks for writing a system out in bits.
const MAX_TICKS: u64 = 1 << 32;

/// The circuit whose latches can be parameters, with names for them; or why there is none.
pub fn circuit_of(problem: &AnyProblem) -> Result<Circuit, String> {
    match problem {
        AnyProblem::Circuit(circuit) => Ok((**circuit).clone()),
        AnyProblem::Words(words) => circuit_of_words(words),
        _ => Err("parameters are latches of circuits, or states of systems over words".into()),
    }
}

/// The circuit of a system with all its states and properties, and whose bits are whose.
pub fn bits_of(words: &Words) -> Result<Blasted, String> {
    let abstraction = Abstraction { states: (0..words.states.len()).collect(), cells: Vec::new() };
    let meter = Meter::new(MAX_TICKS);
    let blasted = blast_within(words, Goal::All, &abstraction, &meter)?;
    match blasted.layout.is_exact() {
        true => Ok(blasted),
        false => Err("the system has arrays that are too large to be written out in bits".into()),
    }
}

fn circuit_of_words(words: &Words) -> Result<Circuit, String> {
    let Blasted { mut circuit, layout } = bits_of(words)?;
    let mut symbols = Symbols::default();
    for (&state, bits) in layout.states().iter().zip(layout.latches()) {
        let name = words.terms.var_name(words.states[state].var).unwrap_or("state");
        for (bit, latch) in bits.clone().enumerate() {
            let name = if bits.len() == 1 { name.to_owned() } else { format!("{name}[{bit}]") };
            symbols.entries.push((b'l', latch as u32, name));
        }
    }
    circuit.symbols = symbols;
    Ok(circuit)
}

/// The name of a latch, or what stands for one.
pub fn latch_name(circuit: &Circuit, latch: usize) -> String {
    circuit.symbols.name(b'l', latch).map_or_else(|| format!("l{latch}"), str::to_owned)
}

/// The names of all inputs (`i`) or latches (`l`), or what stands for them.
pub fn names(circuit: &Circuit, kind: u8) -> Vec<String> {
    let count = if kind == b'i' { circuit.inputs as usize } else { circuit.latches.len() };
    let mut names: Vec<String> = (0..count).map(|at| format!("{}{at}", kind as char)).collect();
    for (_, at, name) in circuit.symbols.entries.iter().filter(|(of, ..)| *of == kind) {
        if let Some(slot) = names.get_mut(*at as usize) {
            slot.clone_from(name);
        }
    }
    names
}

/// The latches whose names fit one of the patterns, ascending, in which `*` stands for anything and `?` for
/// any character; or what is wrong with one of them.
pub fn chosen(circuit: &Circuit, patterns: &[String]) -> Result<Vec<usize>, Diagnostic> {
    let wrong = |message: String| Diagnostic::error(Code::CostName, Span::NONE, message);
    let names = names(circuit, b'l');
    let mut params = Vec::new();
    for pattern in patterns {
        let fits = (0..names.len()).filter(|at| fits(pattern.as_bytes(), names[*at].as_bytes()));
        let before = params.len();
        params.extend(fits);
        if params.len() == before {
            let hint = "parameters are latches that start with anything and keep it";
            return Err(wrong(format!("no latch is called `{pattern}`")).hint(hint));
        }
    }
    params.sort_unstable();
    params.dedup();
    for &latch in &params {
        let why = match circuit.latches[latch] {
            of if of.reset != circuit.latch(latch) => "does not start with anything",
            of if of.next != circuit.latch(latch) => "does not keep its value",
            _ => continue,
        };
        let hint = "a parameter is a latch whose next value and reset are the latch itself";
        return Err(wrong(format!("`{}` is no parameter: it {why}", names[latch])).hint(hint));
    }
    Ok(params)
}

/// Whether a name fits a pattern.
fn fits(pattern: &[u8], name: &[u8]) -> bool {
    // Where the last star was, and how much of the name it has taken.
    let (mut at, mut place, mut star) = (0, 0, None);
    while place < name.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, place));
                at += 1;
            }
            Some(byte) if *byte == b'?' || *byte == name[place] => {
                (at, place) = (at + 1, place + 1)
            }
            _ => match star {
                None => return false,
                Some((before, taken)) => {
                    star = Some((before, taken + 1));
                    (at, place) = (before + 1, taken + 1);
                }
            },
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

/// Checks evidence about a front.
pub(crate) fn certify(problem: &AnyProblem, wanted: Option<Property>, bytes: &[u8]) -> Certified {
    let circuit = match circuit_of(problem) {
        Ok(circuit) => circuit,
        Err(reason) => {
            let mut diagnostics = Diagnostics::default();
            diagnostics.push(Diagnostic::error(Code::Evidence, Span::NONE, reason));
            return Certified::Unreadable(diagnostics);
        }
    };
    judge(&circuit, bytes, |problem| match wanted {
        Some(wanted) if wanted != Property::Bad(problem.property) => {
            Err(format!("the evidence is about safety property {}", problem.property))
        }
        _ => Ok(()),
    })
}

/// Checks evidence about a front that must answer this question.
pub fn certify_front(question: &Parametric, bytes: &[u8]) -> Certified {
    judge(&question.circuit, bytes, |problem| {
        let prices = |problem: &Parametric| {
            let price = |cost: &Cost| (cost.base, cost.weights.clone());
            problem.costs.iter().map(price).collect::<Vec<_>>()
        };
        let parts = [
            ("safety property", problem.property == question.property),
            ("set of parameters", problem.params == question.params),
            ("list of costs", prices(problem) == prices(question)),
        ];
        match parts.iter().find(|(_, is_same)| !is_same) {
            Some((part, _)) => Err(format!("the evidence is about another {part}")),
            None => Ok(()),
        }
    })
}

/// Checks evidence about a front of a circuit, if the question that it answers is `is_asked`.
fn judge(
    circuit: &Circuit,
    bytes: &[u8],
    is_asked: impl Fn(&Parametric) -> Result<(), String>,
) -> Certified {
    let (read, diagnostics) = text::read_front(bytes, circuit);
    let Some((problem, verdict)) = read.filter(|_| diagnostics.is_clean()) else {
        return Certified::Unreadable(diagnostics);
    };
    if let Err(reason) = is_asked(&problem) {
        return Certified::Refused(alphorn_check::Refusal::new("question", reason));
    }
    let asked = Parametric::claimed(&verdict);
    match accept(&problem, asked, verdict) {
        Ok(checked) => Certified::Answered(answered(&problem, &checked)),
        Err(refusal) => Certified::Refused(refusal),
    }
}

/// What a checked front says, in a line.
pub fn answered(problem: &Parametric, checked: &Checked<Parametric>) -> Answered {
    let (Verdict::Safe(front) | Verdict::Unsafe(front)) = checked.verdict();
    let is_whole = checked.asked().is_whole;
    let verdict = match (is_whole, front.points.is_empty()) {
        (true, true) => "NO VALUATION",
        (true, false) => "FRONT",
        (false, _) => "POINTS",
    };
    let mut detail = String::new();
    let points = front.points.iter().map(|point| point_text(problem, &point.valuation));
    let points: Vec<String> = points.collect();
    if !points.is_empty() {
        let _ = write!(detail, "{} ", points.join("; "));
    }
    let _ = write!(detail, "for {}", costs_text(problem));
    if checked.asked().is_monotone {
        detail.push_str(", assuming that the property is monotone");
    }
    Answered { verdict, detail, checked: checked_text(front) }
}

/// The costs and the raised parameters of a valuation.
pub fn point_text(problem: &Parametric, valuation: &[bool]) -> String {
    let price: Vec<String> = problem.price(valuation).iter().map(u64::to_string).collect();
    let raised = raised(problem, valuation);
    let raised = if raised.is_empty() { "nothing".to_owned() } else { raised.join(" ") };
    format!("({}) with {raised}", price.join(", "))
}

/// The names of the parameters that a valuation raises.
pub fn raised(problem: &Parametric, valuation: &[bool]) -> Vec<String> {
    let raised = problem.params.iter().zip(valuation).filter(|(_, raised)| **raised);
    raised.map(|(latch, _)| latch_name(&problem.circuit, *latch)).collect()
}

/// The costs as sums.
fn costs_text(problem: &Parametric) -> String {
    let cost = |cost: &Cost| {
        let base = (cost.base > 0).then(|| cost.base.to_string());
        let weighed = problem.params.iter().zip(&cost.weights).filter(|(_, weight)| **weight > 0);
        let weighed = weighed
            .map(|(latch, weight)| format!("{weight} {}", latch_name(&problem.circuit, *latch)));
        let terms: Vec<String> = weighed.chain(base).collect();
        let sum = if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") };
        format!("{} = {sum}", cost.name)
    };
    let costs: Vec<String> = problem.costs.iter().map(cost).collect();
    costs.join(", ")
}

/// What was checked.
pub fn checked_text(front: &Front) -> String {
    let counted =
        |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    let mut parts = vec![counted(front.points.len(), "certificate")];
    parts.push(counted(front.failed.len(), "run"));
    if matches!(front.monotony, Monotony::Proved(_)) {
        parts.push("monotony".to_owned());
    }
    if let Some(proof) = &front.coverage {
        let steps = counted(proof.steps.len(), "step");
        parts.push(format!("in {steps} that there is no other point"));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn stars_stand_for_anything_and_question_marks_for_a_character() {
        for (pattern, name) in [("p_*", "p_"), ("*", ""), ("*a*b", "xaayab"), ("?[1]", "p[1]")] {
            assert!(fits(pattern.as_bytes(), name.as_bytes()), "{pattern} {name}");
        }
        for (pattern, name) in [("p_*", "q_1"), ("?", ""), ("*a*b", "xaabc"), ("", "p")] {
            assert!(!fits(pattern.as_bytes(), name.as_bytes()), "{pattern} {name}");
        }
    }
}
