//! Witnesses of our own: invariants of a proof, and waypoints of a run.
//!
//! A run's witness has a waypoint for the value of every call that returned what was chosen, in order, one for
//! the first value of every local that had none, and the target. Nothing else is free in a run.

use super::annotate::{Kind, annotations};
use super::lines::Lines;
use super::story::story;
use super::{proof_of, run_of};
use crate::evidence::AnyEvidence;
use crate::open::Opened;
use alphorn_front::c::print::Style;
use alphorn_front::property::sentence;
use alphorn_front::sha256;
use alphorn_front::witness::{
    About, Content, Invariant, InvariantKind, Location, Metadata, Producer, Segment, Version,
    Waypoint, WaypointKind, Witness, print,
};
use alphorn_problem::Span;
use alphorn_program::c::library::{Known, meaning};
use alphorn_program::c::property::{Asked, Choice, Task};
use alphorn_program::c::tree::Storage;
use alphorn_program::c::{Property, StmtKind, Type};

/// Who makes a witness, and when.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The version of this program.
    pub version: String,
    /// The moment, in ISO 8601.
    pub time: String,
    /// How the program was called, if that is to be told.
    pub command: Option<String>,
}

/// The witness that evidence about a program amounts to; nothing if it is not about one.
pub fn witness(opened: &Opened, evidence: &AnyEvidence, origin: &Origin) -> Option<String> {
    let (task, violated, content) = if let Some((task, proof)) = proof_of(evidence) {
        let notes = annotations(&task, proof, &opened.bytes, Style::C);
        let content = Content::Invariants(invariants(opened, &task, &notes));
        (task, None, content)
    } else {
        let (task, run) = run_of(evidence)?;
        let content = Content::Violation(segments(opened, &task, run));
        (task, Some(run.violation.property), content)
    };
    let mut witness = Witness { metadata: metadata(opened, &task, violated, origin), content };
    witness.metadata.uuid = witness.identifier();
    Some(print(&witness))
}

fn metadata(opened: &Opened, task: &Task, violated: Option<Property>, origin: &Origin) -> Metadata {
    let entry = &task.unit.function(task.entry).name;
    // A run is about what it violates; of assertions others know calls of error functions alone, where there are any.
    let functions = &task.unit.functions;
    let has_error = functions.iter().any(|function| meaning(function) == Some(Known::Error));
    let is_both =
        [Property::Assert, Property::UnreachCall].iter().all(|one| task.properties.contains(one));
    let is_said = |property: &&Property| match (violated, **property) {
        (Some(violated), property) => property == violated,
        (None, Property::Assert) => !is_both || !has_error,
        (None, Property::UnreachCall) => !is_both || has_error,
        (None, _) => true,
    };
    let lines: Vec<String> = (task.properties.iter())
        .filter(is_said)
        .map(|property| format!("CHECK( init({entry}()), LTL({}) )", sentence(*property)))
        .collect();
    Metadata {
        version: Version::V2_0,
        uuid: String::new(),
        creation_time: origin.time.clone(),
        producer: Producer {
            name: "Alphorn".to_owned(),
            version: origin.version.clone(),
            command_line: origin.command.clone(),
            ..Producer::default()
        },
        task: About {
            input_files: vec![opened.file.clone()],
            hashes: vec![(opened.file.clone(), sha256::hex(&opened.bytes))],
            specification: lines.join("\n"),
            specification_span: Span::NONE,
            data_model: task.unit.types.model,
            language: "C".to_owned(),
        },
    }
}

fn location(opened: &Opened, offset: u32, function: Option<String>) -> Location {
    let (line, column) = Lines::of(&opened.bytes).place(offset);
    Location { file_name: opened.file.clone(), line, column: Some(column), function }
}

fn invariants(opened: &Opened, task: &Task, notes: &[super::Annotation]) -> Vec<Invariant> {
    let mut all: Vec<Invariant> = Vec::new();
    for note in notes {
        let kind = match note.kind {
            Kind::Loop => InvariantKind::Loop,
            Kind::Label => InvariantKind::Location,
            Kind::Requires | Kind::Ensures => continue,
        };
        let value = match &note.formulas[..] {
            [only] => only.clone(),
            several => {
                let parts: Vec<String> = several
                    .iter()
                    .map(|part| match part.contains("||") || part.contains('?') {
                        true => format!("({part})"),
                        false => part.clone(),
                    })
                    .collect();
                parts.join(" && ")
            }
        };
        let place = location(opened, note.span.start, note.function.clone());
        all.push(Invariant { kind, location: place, value, span: Span::NONE });
    }
    // The format asks for one.
    let entry = task.unit.function(task.entry);
    if all.is_empty()
        && let Some(body) = &entry.body
        && let StmtKind::Block(statements) = &body.kind
        && let Some(first) = statements.first()
    {
        let place = location(opened, first.span.start, Some(entry.name.clone()));
        let value = "1".to_owned();
        all.push(Invariant {
            kind: InvariantKind::Location,
            location: place,
            value,
            span: Span::NONE,
        });
    }
    all
}

fn segments(opened: &Opened, task: &Task, run: &alphorn_program::c::evidence::Run) -> Vec<Segment> {
    let story = story(task, run, &opened.bytes);
    let segment = |kind: WaypointKind, offset: u32, constraint: Option<String>| Segment {
        avoid: Vec::new(),
        follow: Waypoint {
            kind,
            location: location(opened, offset, None),
            constraint,
            span: Span::NONE,
        },
        is_cycle: false,
    };
    let mut all = Vec::new();
    for (one, (_, next)) in story.chosen.iter().zip(&story.at) {
        let Choice::Value(value) = one.choice else { continue };
        match one.asked {
            Asked::Call(function) => {
                let function = task.unit.function(function);
                let is_number = match task.unit.types.get(function.ty) {
                    Type::Function(signature) => {
                        matches!(task.unit.types.get(signature.result), Type::Int(_))
                    }
                    _ => false,
                };
                if is_number {
                    // A call ends with its right parenthesis.
                    let at = one.span.end.saturating_sub(1);
                    let constraint = format!("\\result == {value}");
                    all.push(segment(WaypointKind::FunctionReturn, at, Some(constraint)));
                }
            }
            Asked::Variable(var) => {
                let variable = task.unit.var(var);
                let is_number = matches!(task.unit.types.get(variable.ty), Type::Int(_));
                if let (true, Storage::Local, Some(next)) = (is_number, variable.storage, next) {
                    let constraint = format!("{} == {value}", variable.name);
                    all.push(segment(WaypointKind::Assumption, next.start, Some(constraint)));
                }
            }
            Asked::Allocation | Asked::Schedule => {}
        }
    }
    all.push(segment(WaypointKind::Target, story.last.start, None));
    all
}
