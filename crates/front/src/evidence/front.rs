//! Evidence about a circuit with parameters as text.
//!
//! ```text
//! alphorn-front 1
//! property 0
//! parameters 0 1 2            latches, by position
//! cost 0 5 1 1 cost1          what is to be paid anyway, a weight for each parameter, the name
//! monotony proved             a certificate of the twin follows; or: asserted, unused
//! point 011                   the values of the parameters; a certificate of the circuit there follows
//! run 0x1                     the first values of the latches; a row of inputs for each step follows
//! 1                           (- for an empty one), up to a line `end`
//! end
//! coverage                    an LRAT proof of `obligation::front` follows, up to a line `end`
//! end
//! ```
//!
//! Certificates are those of circuits, with their header. Without `coverage` there may be other points.

use super::circuit::{Lines, certificate, print_certificate};
use super::{Fallible, lrat, outcome};
use crate::diag::{Code, Diagnostic, Read};
use alphorn_problem::evidence::circuit::{Bit, Lrat, Property, Trace};
use alphorn_problem::evidence::front::{Front, Monotony, Point};
use alphorn_problem::parameters::{Cost, Parametric};
use alphorn_problem::{Circuit, Span, Verdict};
use std::fmt::Write;

const HEADER: &str = "alphorn-front 1";

/// Whether a text is evidence about parameters.
pub fn is_front(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(b"alphorn-front")
}

/// Evidence as text.
pub fn print(problem: &Parametric, verdict: &Verdict<Parametric>) -> String {
    let (Verdict::Safe(front) | Verdict::Unsafe(front)) = verdict;
    let mut out = format!("{HEADER}\nproperty {}\nparameters", problem.property);
    for latch in &problem.params {
        let _ = write!(out, " {latch}");
    }
    out.push('\n');
    for cost in &problem.costs {
        let _ = write!(out, "cost {}", cost.base);
        for weight in &cost.weights {
            let _ = write!(out, " {weight}");
        }
        let _ = writeln!(out, " {}", cost.name);
    }
    match &front.monotony {
        Monotony::Unused => out.push_str("monotony unused\n"),
        Monotony::Asserted => out.push_str("monotony asserted\n"),
        Monotony::Proved(certificate) => {
            out.push_str("monotony proved\n");
            out.push_str(&print_certificate(&problem.twin(), certificate));
        }
    }
    for Point { valuation, certificate } in &front.points {
        out.push_str("point ");
        out.extend(valuation.iter().map(|raised| if *raised { '1' } else { '0' }));
        out.push('\n');
        out.push_str(&print_certificate(&problem.circuit, certificate));
    }
    for trace in &front.failed {
        out.push_str("run ");
        print_row(&mut out, &trace.start);
        trace.inputs.iter().for_each(|row| print_row(&mut out, row));
        out.push_str("end\n");
    }
    if let Some(proof) = &front.coverage {
        out.push_str("coverage\n");
        lrat::print(&mut out, proof);
        out.push_str("end\n");
    }
    out
}

pub(super) fn print_row(out: &mut String, row: &[Bit]) {
    out.extend(row.iter().map(|bit| match bit {
        Bit::Zero => '0',
        Bit::One => '1',
        Bit::X => 'x',
    }));
    out.push_str(if row.is_empty() { "-\n" } else { "\n" });
}

/// Reads evidence, and the question that it says it answers about a circuit.
pub fn read(bytes: &[u8], circuit: &Circuit) -> Read<(Parametric, Verdict<Parametric>)> {
    outcome(front(bytes, circuit))
}

fn front(bytes: &[u8], circuit: &Circuit) -> Fallible<(Parametric, Verdict<Parametric>)> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        let message = "evidence about parameters is text, and this is not";
        return Err(Box::new(Diagnostic::error(Code::Evidence, Span::NONE, message)));
    };
    let mut lines = Lines::new(text, 0);
    let (problem, span) = question(&mut lines, circuit)?;
    // The twin is made of it.
    problem.validate().or_else(|reason| lines.wrong(span, reason))?;
    let monotony = monotony(&mut lines, &problem)?;
    let mut front = Front { points: Vec::new(), failed: Vec::new(), monotony, coverage: None };
    while let Some(line) = lines.peek() {
        let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (_, span) = lines.expect("a part")?;
        match kind {
            "point" => {
                let values = row(&lines, rest, span)?;
                if values.contains(&Bit::X) {
                    return lines.wrong(span, "every parameter of a point has a value");
                }
                let valuation = values.into_iter().map(|bit| bit == Bit::One).collect();
                let certificate = certificate(&mut lines, circuit)?;
                front.points.push(Point { valuation, certificate });
            }
            "run" => {
                let start = row(&lines, rest, span)?;
                let inputs = rows(&mut lines)?;
                let property = Property::Bad(problem.property);
                front.failed.push(Trace { property, start, inputs });
            }
            "coverage" if front.coverage.is_none() => front.coverage = Some(proof(&mut lines)?),
            _ => return lines.wrong(span, "a point, a run or a single coverage is expected"),
        }
    }
    let is_empty = front.points.is_empty();
    Ok((problem, if is_empty { Verdict::Unsafe(front) } else { Verdict::Safe(front) }))
}

/// Reads what the evidence is about.
fn question(lines: &mut Lines<'_>, circuit: &Circuit) -> Fallible<(Parametric, Span)> {
    let (header, span) = lines.expect("the header")?;
    if header != HEADER {
        return lines.wrong(span, format!("the header should be `{HEADER}`"));
    }
    let (line, span) = lines.expect("the property")?;
    let property = line.strip_prefix("property ").and_then(|word| word.trim().parse().ok());
    let Some(property) = property else {
        return lines.wrong(span, "a line `property N` is expected");
    };
    let (line, span) = lines.expect("the parameters")?;
    let numbers = line.strip_prefix("parameters").map(|rest| {
        let words = rest.split_ascii_whitespace().map(str::parse);
        words.collect::<Result<Vec<usize>, _>>()
    });
    let Some(Ok(params)) = numbers else {
        return lines.wrong(span, "a line `parameters` with positions of latches is expected");
    };
    let mut costs = Vec::new();
    while let Some(rest) = lines.peek().and_then(|line| line.strip_prefix("cost ")) {
        let (_, span) = lines.expect("a cost")?;
        let mut words = rest.split_ascii_whitespace();
        let mut number = || words.next().and_then(|word| word.parse::<u64>().ok());
        let base = number();
        let weights: Option<Vec<u64>> = params.iter().map(|_| number()).collect();
        let (Some(base), Some(weights)) = (base, weights) else {
            let message = format!("a cost has {} numbers, then a name", params.len() + 1);
            return lines.wrong(span, message);
        };
        let name: Vec<&str> = words.collect();
        costs.push(Cost { name: name.join(" "), base, weights });
    }
    Ok((Parametric { circuit: circuit.clone(), property, params, costs }, span))
}

fn monotony(lines: &mut Lines<'_>, problem: &Parametric) -> Fallible<Monotony> {
    let (line, span) = lines.expect("what is said about monotony")?;
    match line {
        "monotony unused" => Ok(Monotony::Unused),
        "monotony asserted" => Ok(Monotony::Asserted),
        "monotony proved" => Ok(Monotony::Proved(Box::new(certificate(lines, &problem.twin())?))),
        _ => lines.wrong(span, "a line `monotony` with proved, asserted or unused is expected"),
    }
}

pub(super) fn row(lines: &Lines<'_>, text: &str, span: Span) -> Fallible<Vec<Bit>> {
    let text = if text == "-" { "" } else { text };
    let bit = |byte: u8| match byte {
        b'0' => Some(Bit::Zero),
        b'1' => Some(Bit::One),
        b'x' => Some(Bit::X),
        _ => None,
    };
    match text.bytes().map(bit).collect() {
        Some(row) => Ok(row),
        None => lines.wrong(span, "a row of 0, 1 and x is expected, or - for an empty one"),
    }
}

pub(super) fn rows(lines: &mut Lines<'_>) -> Fallible<Vec<Vec<Bit>>> {
    let mut rows = Vec::new();
    loop {
        let (line, span) = lines.expect("a row of inputs or `end`")?;
        if line == "end" {
            return Ok(rows);
        }
        rows.push(row(lines, line, span)?);
    }
}

pub(super) fn proof(lines: &mut Lines<'_>) -> Fallible<Lrat> {
    let mut proof = Lrat::default();
    loop {
        let (line, span) = lines.expect("a step or `end`")?;
        if line == "end" {
            return Ok(proof);
        }
        proof.steps.push(lrat::read_step(line, span).map_err(Box::new)?);
    }
}
