//! Validating witnesses of others about C programs.
//!
//! What a witness says is put into the program (`instrument`), and the program that comes out is decided like
//! any other. Of a correctness witness every invariant becomes an assertion at its place: the witness is
//! accepted if these hold, and the property is then shown of the program as it was read. Of a violation
//! witness the waypoints become an automaton beside the program, which ends every run that does not follow
//! them: the witness is accepted if a run is left that ends at the target, and that run is then replayed on
//! the program as it was read. It is refused if none is left, or an invariant does not hold; each is proved
//! or shown by a run of its own. Witnesses about runs that never end are treated alike (`endless`).

mod carried;
mod derived;
mod endless;
mod expression;
mod instrument;
mod places;

use super::{Answered, Certified, Request};
use crate::config::{Config, Limits};
use crate::evidence::AnyEvidence;
use crate::open::{AnyProblem, Opened, open_asking};
use crate::program::{CProgram, Wishes};
use crate::run::{CannotRun, Decision, decide};
use crate::source::Lines;
use alphorn_check::Refusal;
use alphorn_check::accept::accept;
use alphorn_front::property::{Untreated, Wanted, specification};
use alphorn_front::witness::{Content, Witness, read};
use alphorn_front::{Code, Diagnostic, Diagnostics, sha256};
use alphorn_problem::{Span, Verdict};
use alphorn_program::c::evidence::Run;
use alphorn_program::c::property::Task;
use alphorn_program::c::run::{
    Limits as RunLimits, Listed, Outcome, Runnable, State, Value, Watcher,
};
use alphorn_program::c::{Property, VarId};
use alphorn_report::Outcome as Answer;
use carried::carried;
use derived::derived;
use instrument::{Instrumented, invariants, waypoints};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(super) use alphorn_front::witness::is_witness;

/// How long a witness may take if the user says nothing.
const TIME: Duration = Duration::from_secs(60);

/// Validates the witnesses in `bytes` about a program.
pub(super) fn certify(opened: &Opened, bytes: &[u8], request: &Request) -> Vec<Certified> {
    let (witnesses, diagnostics) = read(bytes);
    match witnesses {
        Some(witnesses) => {
            let each = |witness: &Witness| {
                validate(opened, witness, request).unwrap_or_else(|diagnostic| {
                    let mut all = Diagnostics::default();
                    all.push(*diagnostic);
                    Certified::Unreadable(all)
                })
            };
            witnesses.iter().map(each).collect()
        }
        None => vec![Certified::Unreadable(diagnostics)],
    }
}

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// What a witness says that this program does not have.
fn misplaced(span: Span, message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(Code::WitnessPlace, span, message))
}

fn untreated(span: Span, message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::unsupported(Code::PropertyUntreated, span, message))
}

fn validate(opened: &Opened, witness: &Witness, request: &Request) -> Result<Certified> {
    let about = &witness.metadata.task;
    let mut diagnostics = Diagnostics::default();
    let asked = specification(&about.specification, about.specification_span, &mut diagnostics);
    if let Some(first) = diagnostics.list.into_iter().next() {
        return Err(Box::new(first));
    }
    if asked.wanted == [Wanted::Untreated(Untreated::Termination)] {
        return endless::validate(opened, witness, asked.entry, request);
    }
    if let Some(property) = asked.untreated().first() {
        let message = format!("witnesses about {} are not treated", property.name());
        return Err(untreated(about.specification_span, message));
    }
    let properties = asked.properties();
    let wishes = Wishes {
        model: Some(about.data_model),
        entry: asked.entry.clone(),
        questions: vec![("witness".to_owned(), properties.clone())],
        ..Wishes::default()
    };
    let original = program(opened, opened.bytes.to_vec(), &wishes)
        .map_err(|why| misplaced(about.specification_span, why))?;
    let task = &original.1.tasks[0].task;
    let other_hash = remark(opened, witness);
    match &witness.content {
        Content::Invariants(list) => {
            let instrumented = invariants(task, &opened.bytes, list)?;
            let with_checks = Wishes {
                questions: vec![("witness".to_owned(), with_error(properties))],
                ..wishes
            };
            let (read, with) = with_witness(opened, &instrumented, &with_checks)?;
            if let Some(refusal) = derived(opened, &instrumented, &with, request) {
                return Ok(Certified::Refused(refusal));
            }
            let decision = verdict_on(&read, request)?;
            let about = (list.len(), &asked.properties()[..], other_hash);
            if decision.answer.verdict != Answer::Safe {
                return Ok(of_broken(opened, &instrumented, &decision, about.1));
            }
            if let Some(checked) = carried(&decision, task, request) {
                let Verdict::Safe(proof) = checked.verdict() else {
                    return Ok(undecided(&decision));
                };
                let clauses = proof.model.proofs.len();
                return Ok(holding(&format!("{clauses} clauses of the program"), about.0, about.2));
            }
            Ok(of_program(&verdict_on(&original.0, request)?, about))
        }
        Content::Violation(segments) => {
            if segments.iter().any(|segment| segment.is_cycle) {
                let message =
                    "only runs that never end repeat for ever, and the witness is not about them";
                return Err(misplaced(about.specification_span, message));
            }
            let instrumented = waypoints(task, &opened.bytes, segments, false)?;
            let (decision, guided) = decided(opened, &instrumented, &wishes, request)?;
            Ok(of_waypoints(task, &guided, &instrumented, &decision))
        }
    }
}

/// What is to be said if the witness may be about another file.
fn remark(opened: &Opened, witness: &Witness) -> &'static str {
    let is_other = |(_, hash): &(String, String)| *hash != sha256::hex(&opened.bytes);
    match witness.metadata.task.hashes.iter().any(is_other) {
        true => "; the witness names another hash of the file",
        false => "",
    }
}

/// The properties, and that no error function is called.
fn with_error(mut properties: Vec<Property>) -> Vec<Property> {
    if !properties.contains(&Property::UnreachCall) {
        properties.push(Property::UnreachCall);
    }
    properties
}

/// A text read as a program with a question.
fn program(
    opened: &Opened,
    text: Vec<u8>,
    wishes: &Wishes,
) -> std::result::Result<(Opened, Arc<CProgram>), String> {
    let read = open_asking(&opened.file, text, opened.format, wishes);
    match &read.problem {
        Some(AnyProblem::C(program)) => {
            let program = Arc::clone(program);
            Ok((read, program))
        }
        _ => {
            let first = read
                .diagnostics
                .list
                .iter()
                .find(|d| d.severity > alphorn_front::Severity::Warning);
            Err(first.map_or("the program cannot be read".to_owned(), |d| d.message.clone()))
        }
    }
}

/// What is decided about the program with what the witness says in it.
fn decided(
    opened: &Opened,
    instrumented: &Instrumented,
    wishes: &Wishes,
    request: &Request,
) -> Result<(Decision, Arc<Task>)> {
    let (read, task) = with_witness(opened, instrumented, wishes)?;
    Ok((verdict_on(&read, request)?, task))
}

/// The program with what the witness says in it.
fn with_witness(
    opened: &Opened,
    instrumented: &Instrumented,
    wishes: &Wishes,
) -> Result<(Opened, Arc<Task>)> {
    let (read, program) = program(opened, instrumented.text.clone(), wishes).map_err(|why| {
        misplaced(
            instrumented.span,
            format!("an expression of the witness is not understood: {why}"),
        )
    })?;
    Ok((read, Arc::clone(&program.tasks[0].task)))
}

/// What is decided about a file, within the time that the user gives.
fn all_decided(read: &Opened, request: &Request) -> Result<Vec<Decision>> {
    let deadline = (!request.has_time).then(|| Instant::now() + TIME);
    let config = Config { limits: Limits { deadline, ..Limits::default() }, ..Config::default() };
    let decisions = decide(read, &config, &request.stopper, &mut |_| {}, &mut |_| {});
    decisions.map_err(|error| match error {
        CannotRun::Untreated(complaints) => {
            let what = complaints.first().map_or(String::new(), |first| first.message.clone());
            untreated(Span::NONE, what)
        }
        CannotRun::Request(why) | CannotRun::Unsupported(why) => untreated(Span::NONE, why),
    })
}

fn undecided(decision: &Decision) -> Certified {
    Certified::Unproved(format!(
        "whether the witness is right was not found out: {}",
        decision.answer.detail
    ))
}

/// What is decided about a program.
fn verdict_on(original: &Opened, request: &Request) -> Result<Decision> {
    let nothing = || misplaced(Span::NONE, "nothing was decided");
    all_decided(original, request)?.pop().ok_or_else(nothing)
}

/// What became of a program whose invariants hold: it is safe only if that is shown of the program itself,
/// since what is put into its text is not what was read.
fn of_program(
    decision: &Decision,
    (count, asked, remark): (usize, &[Property], &str),
) -> Certified {
    match (decision.answer.verdict, &decision.evidence) {
        (Answer::Safe, Some(_)) => {
            let checked = decision.answer.checked.as_ref().map_or("", |checked| &checked.what);
            holding(checked, count, remark)
        }
        (Answer::Unsafe, Some(AnyEvidence::C(_, checked))) => {
            of_violation(checked.verdict(), asked).unwrap_or_else(|| undecided(decision))
        }
        _ => undecided(decision),
    }
}

/// That the property holds, as was checked, and so do the invariants.
fn holding(checked: &str, count: usize, remark: &str) -> Certified {
    let plural = if count == 1 { "" } else { "s" };
    Certified::Answered(Answered {
        verdict: "SAFE",
        detail: format!("the property and {count} invariant{plural} of the witness hold{remark}"),
        checked: format!("{checked}, and again with the invariants as assertions"),
    })
}

/// That the program violates what was asked.
fn of_violation(verdict: &Verdict<Task>, asked: &[Property]) -> Option<Certified> {
    let Verdict::Unsafe(run) = verdict else { return None };
    // The program may have errors of its own, which nobody asked about.
    let property = asked.iter().find(|property| **property == run.violation.property)?;
    let why = format!("the program violates {}", property.name());
    Some(Certified::Refused(Refusal::new("the property", why)))
}

/// What became of invariants that were not all shown to hold.
fn of_broken(
    opened: &Opened,
    instrumented: &Instrumented,
    decision: &Decision,
    asked: &[Property],
) -> Certified {
    let Some(AnyEvidence::C(_, checked)) = &decision.evidence else { return undecided(decision) };
    let Verdict::Unsafe(run) = checked.verdict() else { return undecided(decision) };
    match instrumented.invariant_at(run.violation.span.start) {
        Some((index, at)) => {
            let (line, column) = Lines::of(&opened.bytes).place(at);
            let place = format!("line {line}, column {column}");
            let why = format!("a run comes by for which invariant {index} does not hold");
            Certified::Refused(Refusal::new(place, why))
        }
        None => of_violation(checked.verdict(), asked).unwrap_or_else(|| undecided(decision)),
    }
}

/// What became of waypoints: the run that passes them, replayed on the program itself.
fn of_waypoints(
    task: &Arc<Task>,
    guided: &Task,
    instrumented: &Instrumented,
    decision: &Decision,
) -> Certified {
    match (decision.answer.verdict, &decision.evidence) {
        (Answer::Safe, Some(_)) => {
            let why = "no run passes the waypoints and ends at the target";
            Certified::Refused(Refusal::new("the sequence", why))
        }
        (Answer::Unsafe, Some(AnyEvidence::C(_, checked))) => {
            let Verdict::Unsafe(found) = checked.verdict() else { return undecided(decision) };
            let mut choices = Listed::new(&found.choices);
            let ran = Runnable::new(task).run(&mut choices, RunLimits::default(), &mut ());
            let unconfirmed = |why: &str| Certified::Unproved(why.to_owned());
            let Outcome::Violation(violation) = ran.outcome else {
                return unconfirmed("the run that passes the waypoints is none of the program");
            };
            let target = instrumented.target;
            let is_at_target =
                target.start <= violation.span.start && violation.span.end <= target.end;
            if !is_at_target || passed(guided, found) != Some(instrumented.segments) {
                return unconfirmed("the run that was found violates the property elsewhere");
            }
            let used = found.choices[..choices.used()].to_vec();
            let run = Run { choices: used, steps: ran.steps, violation };
            match accept(&**task, (), Verdict::Unsafe(run)) {
                Ok(checked) => {
                    Certified::Accepted(AnyEvidence::C(Arc::clone(task), Box::new(checked)))
                }
                Err(refusal) => Certified::Refused(refusal),
            }
        }
        _ => undecided(decision),
    }
}

/// How many segments a run of the program with the automaton has passed when it ends.
fn passed(guided: &Task, run: &Run) -> Option<usize> {
    /// Looks at the automaton whenever a statement begins.
    struct Eye(VarId, Option<i128>);
    impl Watcher for Eye {
        fn statement(&mut self, _: Span, state: &State<'_>) {
            if let Some(Value::Int(value)) = state.var(self.0) {
                self.1 = Some(value);
            }
        }
    }
    let var = guided.unit.vars.iter().position(|var| var.name == "alphorn_state")?;
    let mut eye = Eye(VarId(u32::try_from(var).ok()?), None);
    Runnable::new(guided).run(&mut Listed::new(&run.choices), RunLimits::default(), &mut eye);
    usize::try_from(eye.1?).ok()
}
