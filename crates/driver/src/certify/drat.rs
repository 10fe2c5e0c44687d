//! Proofs in DRAT, which become LRAT first.
//!
//! That the clauses of a DRAT proof follow is found by unit propagation, which is nobody's to
//! believe: what it finds is written down as LRAT, and `check` replays that on the file as read.

use super::{Certified, Request};
use alphorn_audit::formula::{self, Cnf, DratLine};
use alphorn_check::Refusal;
use alphorn_problem::evidence::circuit::{Lrat, LratStep};
use alphorn_sat::Lit;
use alphorn_sat::drat::{Failure, Limits, Line, Step, elaborate};
use std::sync::Arc;

/// Work per byte of formula and proof that unit propagation may do, and what it may always do; where
/// the user says how long it may take, that is the limit.
const TICKS_PER_BYTE: u64 = 1 << 12;
const TICKS: u64 = 1 << 26;
/// Hints per byte, and how many there may always be; a proof with hints is a few times as long.
const HINTS_PER_BYTE: u64 = 16;
const HINTS: u64 = 1 << 22;

/// What the bytes of a file show about a formula.
pub fn certify_formula(cnf: &Cnf, bytes: &[u8], request: &Request) -> Certified {
    let elaborate = |cnf: &Cnf, lines: &[DratLine], size: usize| {
        with_hints(cnf, lines, size, request).map_err(|failure| unfounded(failure, request))
    };
    formula::certify_formula(cnf, bytes, &elaborate)
}

/// What becomes of a proof for which no hints were found.
fn unfounded(failure: Failure, request: &Request) -> Certified {
    match failure {
        Failure::Limit => {
            let what = "the proof says nothing of why its clauses follow, and unit propagation";
            let hint = if request.has_time { "" } else { "; --time lets it look for longer" };
            Certified::Unproved(format!("{what} did not find it within the limits{hint}"))
        }
        failure => Certified::Refused(refusal(failure)),
    }
}

fn refusal(failure: Failure) -> Refusal {
    match failure {
        Failure::Unfounded { line, clause } if clause.is_empty() => Refusal::new(
            format!("step {line}"),
            "the empty clause does not follow by unit propagation",
        ),
        Failure::Unfounded { line, clause } => {
            let literals: Vec<String> =
                clause.iter().map(|lit| lit.to_dimacs().to_string()).collect();
            let (literals, pivot) = (literals.join(" "), &literals[0]);
            Refusal::new(
                format!("step {line} ({literals})"),
                format!("the clause does not follow by unit propagation, nor is it RAT on {pivot}"),
            )
        }
        Failure::Open | Failure::Limit => {
            Refusal::new("end of the proof", "unit propagation meets no contradiction")
        }
    }
}

/// The proof with hints that a proof without amounts to.
fn with_hints(
    cnf: &Cnf,
    lines: &[DratLine],
    size: usize,
    request: &Request,
) -> Result<Lrat, Failure> {
    let to_lits = |clause: &[i32]| clause.iter().filter_map(|n| Lit::from_dimacs(*n)).collect();
    let formula: Vec<Vec<Lit>> = cnf.clauses().map(to_lits).collect();
    let lines: Vec<Line> = lines
        .iter()
        .map(|line| match line {
            DratLine::Add(clause) => Line::Add(to_lits(clause)),
            DratLine::Delete(clause) => Line::Delete(to_lits(clause)),
        })
        .collect();
    let literals: usize = formula.iter().map(|clause| clause.len() + 1).sum();
    let size = (size + 4 * literals) as u64;
    let limits = Limits {
        ticks: match request.has_time {
            true => None,
            false => Some(size.saturating_mul(TICKS_PER_BYTE).saturating_add(TICKS)),
        },
        hints: Some(size.saturating_mul(HINTS_PER_BYTE).saturating_add(HINTS)),
        interrupt: Arc::clone(&request.interrupt),
    };
    let steps = elaborate(formula.iter().map(Vec::as_slice), &lines, &limits)?;
    let steps = steps.into_iter().map(|step| match step {
        Step::Add { id, literals, hints } => {
            let clause = literals.into_iter().map(Lit::to_dimacs).collect();
            LratStep::Add { id, clause, hints }
        }
        Step::Delete(id) => LratStep::Delete(vec![id]),
    });
    Ok(Lrat { steps: steps.collect() })
}
