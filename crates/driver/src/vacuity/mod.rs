//! Vacuity: a SAFE that says nothing, because nothing can happen or nothing is asked.
//!
//! After a verdict we look for the common mistakes: no query at all, facts or constraints that contradict
//! each other, queries that no fact leads to, a property that is the constant false. Each finding is proved by the
//! solver's kernel within a small budget of ticks, and what it leaves open is not reported; so a warning
//! is always true, and its absence means nothing. The verdict stays what it is.
//!
//! After Beer, Ben-David, Eisner, Rodeh, "Efficient Detection of Vacuity in Temporal Model Checking"
//! (Formal Methods in System Design 18, 2001), of which this is the simplest case: antecedents that
//! never hold.

mod circuit;
mod horn;
mod words;

use crate::format::Format;
use crate::open::{AnyProblem, Opened};
use crate::run::Decision;
use crate::settings::{VACUITY_CONFLICTS, VACUITY_MAX_TICKS, VACUITY_TICKS};
use alphorn_front::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_report::Outcome;
use alphorn_smt::{Answer, Budget, Smt};
use alphorn_term::{Store, TermId};
use std::collections::BTreeMap;

/// What was found about a problem or a property.
#[derive(Clone, Debug, Default)]
struct Found {
    /// Whether the verdict says nothing.
    is_vacuous: bool,
    warnings: Vec<Diagnostic>,
}

impl Found {
    fn vacuous(span: Span, message: String) -> Found {
        let warning = Diagnostic::warning(Code::Vacuous, span, message);
        Found { is_vacuous: true, warnings: vec![warning] }
    }
}

/// What is known about the problem of a run.
#[derive(Default)]
pub(crate) struct Vacuity {
    /// What was found about a circuit's or a system's constraints, or about each question of a script.
    found: BTreeMap<usize, Found>,
}

impl Vacuity {
    /// Adds warnings to a decision if its verdict is safe for want of anything that could happen.
    pub(crate) fn judge(&mut self, opened: &Opened, decision: &mut Decision) {
        if decision.answer.verdict != Outcome::Safe {
            return;
        }
        let index = decision.index;
        let mut found = match &opened.problem {
            Some(AnyProblem::Horn(horn)) if opened.format.is_some_and(is_program) => {
                self.found.entry(0).or_insert_with(|| horn::look_at_program(horn)).clone()
            }
            Some(AnyProblem::Horn(first)) => {
                let further = index.checked_sub(1).and_then(|index| opened.more.get(index));
                let horn = further.unwrap_or(first);
                self.found.entry(index).or_insert_with(|| horn::look(horn, &opened.bytes)).clone()
            }
            Some(AnyProblem::Circuit(circuit)) => {
                self.found.entry(0).or_insert_with(|| circuit::look(circuit)).clone()
            }
            Some(AnyProblem::Words(words)) => {
                self.found.entry(0).or_insert_with(|| words::look(words)).clone()
            }
            Some(AnyProblem::C(_) | AnyProblem::Flow(_) | AnyProblem::Temporal(_)) => return,
            Some(AnyProblem::Game(_)) | None => return,
        };
        if !found.is_vacuous
            && let Some(constant) = constant(opened, decision)
        {
            found = constant;
        }
        if found.is_vacuous {
            decision.answer.detail = format!("vacuously, {}", decision.answer.detail);
        }
        let messages = found.warnings.iter().map(|warning| warning.message.clone());
        decision.answer.warnings.extend(messages);
        decision.warnings = found.warnings;
    }
}

/// Whether the clauses of a file stand for a program.
fn is_program(format: Format) -> bool {
    matches!(format, Format::Nts | Format::SvLib | Format::T2 | Format::Boogie)
}

/// A property that is false whatever happens.
fn constant(opened: &Opened, decision: &Decision) -> Option<Found> {
    let message = |name: &str| format!("{name} is the constant false: nothing can violate it");
    let property = &decision.answer.property;
    match &opened.problem {
        Some(AnyProblem::Circuit(circuit)) if !property.starts_with("justice") => {
            let bad = *circuit.safety().get(decision.index)?;
            (bad.0 == 0).then(|| Found::vacuous(Span::NONE, message(property)))
        }
        Some(AnyProblem::Words(words)) if !property.starts_with("justice") => {
            let bad = words.bads.get(decision.index)?;
            (bad.term == TermId::FALSE).then(|| Found::vacuous(bad.span, message(property)))
        }
        _ => None,
    }
}

/// Questions to the kernel that share a budget.
struct Questions {
    left: u64,
}

impl Questions {
    fn new() -> Questions {
        Questions { left: VACUITY_MAX_TICKS.get() }
    }

    /// Whether a formula certainly has no model.
    fn refutes(&mut self, store: &mut Store, formula: TermId) -> bool {
        match formula {
            TermId::FALSE => true,
            TermId::TRUE => false,
            _ => self.core(store, formula, &[]).is_some(),
        }
    }

    /// Assumptions of which a formula certainly has no model, if it has none of all of them.
    fn core(
        &mut self,
        store: &mut Store,
        formula: TermId,
        assumptions: &[TermId],
    ) -> Option<Vec<TermId>> {
        if self.left == 0 {
            return None;
        }
        let mut smt = Smt::new(alphorn_smt::Options::default());
        smt.assert(store, formula);
        let ticks = VACUITY_TICKS.get().min(self.left);
        smt.set_budget(Budget {
            conflicts: Some(VACUITY_CONFLICTS.get()),
            ticks: Some(ticks),
            ..Budget::default()
        });
        let answer = smt.check(store, assumptions);
        let spent = 1 + smt.stats().propagations + smt.theory_stats().ticks;
        self.left = self.left.saturating_sub(spent);
        (answer == Answer::Unsat).then(|| smt.failed())
    }
}

/// Names as a list: "a", "a and b", "a, b and c".
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}
