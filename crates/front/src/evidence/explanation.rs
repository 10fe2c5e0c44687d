//! Explanations of violations as text.
//!
//! Of a run of a circuit, or of a system over words as bits:
//!
//! ```text
//! alphorn-explanation 1
//! property 0
//! flips inputs latches        what may be flipped
//! run 0x1                     the first values of the latches; a row of inputs for each step follows
//! 1                           (- for an empty one), up to a line `end`
//! end
//! size 2                      how many words each set changes
//! avoids 0:1 1:7              a set: steps, each with the variable of an input or a latch
//! others 2                    or: others any; an LRAT proof of `obligation::flips` follows, up to a line `end`
//! end
//! ```
//!
//! Without `others` nothing is said about other sets.
//!
//! Of a derivation: choices that matter, with their steps, their positions among the clause's variables and their
//! other values; without a value it is any other. A derivation without choices stands alone.
//!
//! ```text
//! (explanation
//! (derivation …)
//! (avoided (change 0 1 5)
//! (proof …)))
//! ```

use super::circuit::Lines;
use super::front::{print_row, proof as clausal, row, rows};
use super::proof::{self, print_refutation};
use super::values::{Printer, Reader};
use super::{Fallible, derivation, lrat, outcome, word, wrong};
use crate::diag::{Code, Diagnostic, Read};
use crate::smtlib::{Cursor, Kind};
use alphorn_problem::evidence::circuit::{Property, Trace};
use alphorn_problem::evidence::flips::{Avoidance, Flip, Others};
use alphorn_problem::evidence::horn::{Avoided, Change, ChangedChoices, Derivation};
use alphorn_problem::{Derived, Horn, Span, Verdict, Violation};
use std::fmt::Write;

const HEADER: &str = "alphorn-explanation 1";

/// Whether a text is an explanation.
pub fn is_explanation(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii_start();
    text.starts_with(b"alphorn-explanation") || text.starts_with(b"(explanation")
}

/// What avoids a violation, as text.
pub fn print_violation(violation: &Violation, verdict: &Verdict<Violation>) -> String {
    let (Verdict::Safe(avoidance) | Verdict::Unsafe(avoidance)) = verdict;
    let trace = &violation.trace;
    let (Property::Bad(property) | Property::Justice(property) | Property::Home(property)) =
        trace.property;
    let mut out = format!("{HEADER}\nproperty {property}\nflips");
    for (is_there, kind) in [(violation.inputs, " inputs"), (violation.latches, " latches")] {
        out.push_str(if is_there { kind } else { "" });
    }
    out.push_str("\nrun ");
    print_row(&mut out, &trace.start);
    trace.inputs.iter().for_each(|row| print_row(&mut out, row));
    let _ = writeln!(out, "end\nsize {}", avoidance.size);
    for set in &avoidance.sets {
        out.push_str("avoids");
        for Flip { step, var } in set {
            let _ = write!(out, " {step}:{var}");
        }
        out.push('\n');
    }
    if let Some(Others { most, proof }) = &avoidance.others {
        let most = most.map_or_else(|| "any".to_owned(), |most| most.to_string());
        let _ = writeln!(out, "others {most}");
        lrat::print(&mut out, proof);
        out.push_str("end\n");
    }
    out
}

/// Reads an explanation of a run: what may be flipped, the run, and what avoids it. `words` says which circuit it is
/// about and which of its bits are one word; its run is of no interest.
pub fn read_violation(bytes: &[u8], of: &Violation) -> Read<(Violation, Verdict<Violation>)> {
    outcome(violation(bytes, of))
}

fn violation(bytes: &[u8], of: &Violation) -> Fallible<(Violation, Verdict<Violation>)> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        let message = "an explanation is text, and this is not";
        return Err(Box::new(Diagnostic::error(Code::Evidence, Span::NONE, message)));
    };
    let mut lines = Lines::new(text, 0);
    let (header, span) = lines.expect("the header")?;
    if header != HEADER {
        return lines.wrong(span, format!("the header should be `{HEADER}`"));
    }
    let property = number(&mut lines, "property")?;
    let (line, span) = lines.expect("what may be flipped")?;
    let (inputs, latches) = match line {
        "flips inputs latches" => (true, true),
        "flips inputs" => (true, false),
        "flips latches" => (false, true),
        _ => return lines.wrong(span, "a line `flips` with inputs, latches or both is expected"),
    };
    let (line, span) = lines.expect("the run")?;
    let Some(start) = line.strip_prefix("run ") else {
        return lines.wrong(span, "a line `run` with the first values of the latches is expected");
    };
    let start = row(&lines, start, span)?;
    let trace = Trace { property: Property::Bad(property), start, inputs: rows(&mut lines)? };
    let size = number(&mut lines, "size")?;
    let mut avoidance = Avoidance { size, sets: Vec::new(), others: None };
    while lines.peek().is_some() {
        let (line, span) = lines.expect("a part")?;
        match line.split_once(' ') {
            Some(("avoids", flips)) => match flips.split_ascii_whitespace().map(flip).collect() {
                Some(set) => avoidance.sets.push(set),
                None => return lines.wrong(span, "a flip is a step and a variable: 3:17"),
            },
            Some(("others", most)) if avoidance.others.is_none() => {
                let most = match most.trim() {
                    "any" => None,
                    most => match most.parse() {
                        Ok(most) => Some(most),
                        Err(_) => return lines.wrong(span, "a number or `any` is expected"),
                    },
                };
                avoidance.others = Some(Others { most, proof: clausal(&mut lines)? });
            }
            _ => return lines.wrong(span, "`avoids` or a single `others` is expected"),
        }
    }
    let violation = Violation { trace, inputs, latches, ..of.clone() };
    let is_empty = avoidance.sets.is_empty();
    let verdict = if is_empty { Verdict::Safe(avoidance) } else { Verdict::Unsafe(avoidance) };
    Ok((violation, verdict))
}

fn number(lines: &mut Lines<'_>, what: &str) -> Fallible<usize> {
    let (line, span) = lines.expect(what)?;
    let words = line.split_once(' ').filter(|(word, _)| *word == what);
    match words.and_then(|(_, number)| number.trim().parse().ok()) {
        Some(number) => Ok(number),
        None => lines.wrong(span, format!("a line `{what} N` is expected")),
    }
}

fn flip(text: &str) -> Option<Flip> {
    let (step, var) = text.split_once(':')?;
    Some(Flip { step: step.parse().ok()?, var: var.parse().ok()? })
}

/// Which choices of a derivation matter, as text.
pub fn print_derived(derived: &Derived, verdict: &Verdict<Derived>) -> String {
    let Derived { horn, derivation } = derived;
    let mut out = format!("(explanation\n{}", derivation::print(horn, derivation));
    let Verdict::Unsafe(ChangedChoices { terms, sets }) = verdict else { return out + ")\n" };
    for Avoided { changes, proof } in sets {
        out.push_str("(avoided");
        for Change { step, var, value } in changes {
            let _ = write!(out, " (change {step} {var}");
            if let Some(value) = value {
                let _ = write!(out, " {}", Printer::new(horn.terms.clone()).show(value));
            }
            out.push(')');
        }
        let _ = writeln!(out, "\n{})", print_refutation(terms, proof));
    }
    out + ")\n"
}

/// Reads a derivation and which of its choices matter.
pub fn read_derived(bytes: &[u8], horn: &Horn) -> Read<(Derived, Verdict<Derived>)> {
    outcome(derived(bytes, horn))
}

fn derived(bytes: &[u8], horn: &Horn) -> Fallible<(Derived, Verdict<Derived>)> {
    let mut cursor = Cursor::new(bytes);
    cursor.open("an explanation")?;
    word(&mut cursor, "explanation")?;
    let start = cursor.peek();
    let mut probe = Cursor::at(bytes, start.start as usize);
    probe.open("a derivation")?;
    if !probe.is_word("derivation") {
        return wrong(start.span(), "a derivation is expected");
    }
    let derivation = derivation::read_one(&mut cursor, horn)?;
    let mut reader = Reader::of_horn(horn, bytes.len());
    let mut sets = Vec::new();
    while cursor.peek().kind != Kind::Close {
        sets.push(avoided(&mut cursor, horn, &derivation, &mut reader)?);
    }
    cursor.take();
    if cursor.peek().kind != Kind::End {
        return Err(cursor.unexpected("the end"));
    }
    let derived = Derived { horn: horn.clone(), derivation };
    let terms = reader.context.into_store();
    let verdict = match sets.is_empty() {
        true => Verdict::Safe(()),
        false => Verdict::Unsafe(ChangedChoices { terms, sets }),
    };
    Ok((derived, verdict))
}

fn avoided(
    cursor: &mut Cursor<'_>,
    horn: &Horn,
    derivation: &Derivation,
    reader: &mut Reader,
) -> Fallible<Avoided> {
    cursor.open("`(avoided …)`")?;
    word(cursor, "avoided")?;
    let mut changes = Vec::new();
    loop {
        let start = cursor.open("`(change …)` or `(proof …)`")?.start;
        if cursor.is_word("proof") {
            cursor.take();
            break;
        }
        word(cursor, "change")?;
        let step = cursor.small_numeral("the step")? as usize;
        let var = cursor.small_numeral("the variable")? as usize;
        let clause = derivation.steps.get(step).map(|step| horn.clause(step.clause));
        let Some(&own) = clause.and_then(|clause| clause.vars.get(var)) else {
            return wrong(cursor.span_from(start), "the derivation has no such step or variable");
        };
        let value = match cursor.peek().kind {
            Kind::Close => None,
            _ => Some(reader.value(cursor, horn.terms.sort(own))?),
        };
        cursor.close("the end of the change")?;
        changes.push(Change { step, var, value });
    }
    let proof = reader.context.scoped(|context| proof::read(context, cursor))?;
    cursor.close("the end of the proof")?;
    cursor.close("the end of what is avoided")?;
    Ok(Avoided { changes, proof })
}
