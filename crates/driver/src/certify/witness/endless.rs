//! Witnesses about whether runs end.
//!
//! Waypoints become an automaton beside the program, as for other violations. If every run of what comes out
//! ends, none follows the waypoints for ever, and the witness is refused. It is accepted if a run goes on for
//! ever that comes to what repeats again and again, and the program as it was read is shown to have a run that
//! never ends. Of a witness that runs end, every invariant becomes an assertion, and the program as it was read
//! must be shown to terminate.

use super::instrument::{Instrumented, invariants, waypoints};
use super::{
    Result, all_decided, decided, misplaced, of_broken, program, remark, undecided, untreated,
};
use crate::certify::{Answered, Certified, Request};
use crate::flow::Asked;
use crate::open::{Opened, open_asking};
use crate::program::Wishes;
use crate::run::Decision;
use alphorn_check::Refusal;
use alphorn_front::Severity;
use alphorn_front::witness::{Content, Segment, Witness};
use alphorn_problem::Span;
use alphorn_program::c::Property;
use alphorn_program::c::property::Task;
use alphorn_report::Outcome as Answer;

/// Validates a witness that says whether runs of a program end.
pub(super) fn validate(
    opened: &Opened,
    witness: &Witness,
    entry: Option<String>,
    request: &Request,
) -> Result<Certified> {
    let about = &witness.metadata.task;
    let questions = vec![("witness".to_owned(), vec![Property::UnreachCall])];
    let model = Some(about.data_model);
    let wishes = Wishes { model, entry, questions, ..Wishes::default() };
    let (_, read) = program(opened, opened.bytes.to_vec(), &wishes)
        .map_err(|why| misplaced(about.specification_span, why))?;
    let task = &read.tasks[0].task;
    match &witness.content {
        Content::Invariants(list) => {
            let asserted = invariants(task, &opened.bytes, list)?;
            if !list.is_empty() {
                let (decision, _) = decided(opened, &asserted, &wishes, request)?;
                if decision.answer.verdict != Answer::Safe {
                    return Ok(of_broken(opened, &asserted, &decision, &[]));
                }
            }
            let decision = runs(opened, opened.bytes.to_vec(), &wishes, Span::NONE, request)?;
            let plural = if list.len() == 1 { "" } else { "s" };
            let count = list.len();
            let shown =
                format!("every run ends, and {count} invariant{plural} of the witness hold");
            Ok(answer(&decision, Answer::Safe, shown + remark(opened, witness)))
        }
        Content::Violation(segments) => {
            of_segments(opened, witness, (task, segments), &wishes, request)
        }
    }
}

fn of_segments(
    opened: &Opened,
    witness: &Witness,
    (task, segments): (&Task, &[Segment]),
    wishes: &Wishes,
    request: &Request,
) -> Result<Certified> {
    if !segments.iter().any(|segment| segment.is_cycle) {
        let message =
            "a run that never ends comes to something again and again: no segment repeats";
        return Err(misplaced(witness.metadata.task.specification_span, message));
    }
    let decide = |with: Instrumented| runs(opened, with.text, wishes, with.span, request);
    let followed = decide(waypoints(task, &opened.bytes, segments, false)?)?;
    if followed.answer.verdict == Answer::Safe && followed.evidence.is_some() {
        let why = "every run that follows the waypoints ends";
        return Ok(Certified::Refused(Refusal::new("the sequence", why)));
    }
    let repeated = decide(waypoints(task, &opened.bytes, segments, true)?)?;
    if repeated.answer.verdict != Answer::Unsafe || repeated.evidence.is_none() {
        return Ok(undecided(&repeated));
    }
    let original = runs(opened, opened.bytes.to_vec(), wishes, Span::NONE, request)?;
    let shown = "a run goes on for ever, and one follows the waypoints again and again";
    Ok(answer(&original, Answer::Unsafe, format!("{shown}{}", remark(opened, witness))))
}

/// What was decided of the program as it was read, if it is what the witness says.
fn answer(decision: &Decision, wanted: Answer, detail: String) -> Certified {
    let has_evidence = decision.evidence.is_some();
    let checked = decision.answer.checked.as_ref().map_or("", |checked| &checked.what).to_owned();
    match (decision.answer.verdict, wanted) {
        (Answer::Safe, Answer::Safe) if has_evidence => {
            Certified::Answered(Answered { verdict: "TERMINATES", detail, checked })
        }
        (Answer::Unsafe, Answer::Unsafe) if has_evidence => {
            Certified::Answered(Answered { verdict: "RUNS FOREVER", detail, checked })
        }
        (Answer::Unsafe, Answer::Safe) if has_evidence => {
            let why = "the program has a run that never ends";
            Certified::Refused(Refusal::new("the property", why))
        }
        _ => undecided(decision),
    }
}

/// Whether every run of a text ends.
fn runs(
    opened: &Opened,
    text: Vec<u8>,
    wishes: &Wishes,
    span: Span,
    request: &Request,
) -> Result<Decision> {
    let wishes = Wishes { questions: Vec::new(), asked: Asked::Termination, ..wishes.clone() };
    let read = open_asking(&opened.file, text, opened.format, &wishes);
    if read.problem.is_none() {
        let worst = read.diagnostics.list.iter().find(|one| one.severity > Severity::Warning);
        let why = worst.map_or("the program cannot be read", |one| &one.message);
        return Err(untreated(span, why));
    }
    let nothing = || misplaced(span, "nothing was decided");
    all_decided(&read, request)?.pop().ok_or_else(nothing)
}
